# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names, arguments, defaults and numbers of the interface, character by character."""

from __future__ import annotations

import inspect
from typing import Any

import memfabric_hybrid
import memfabric_hybrid.bm
import memfabric_hybrid.offload
import memfabric_hybrid.shm
import mf_adapter
import mf_smem
import mf_smem.bm
import mf_smem.shm
import pytest

import ranks

REQUIRED = inspect.Parameter.empty

# function: (arguments with defaults). A list, because the order matters.
TOP_LEVEL: dict[str, list[tuple[str, Any]]] = {
    "initialize": [("flags", 0)],
    "uninitialize": [],
    "set_log_level": [("level", REQUIRED)],
    "set_extern_logger": [("log_fn", REQUIRED)],
    "get_last_err_msg": [],
    "get_and_clear_last_err_msg": [],
    "set_conf_store_tls": [("enable", REQUIRED), ("tls_info", REQUIRED)],
    "set_conf_store_tls_key": [("tls_pk", REQUIRED), ("tls_pk_pw", REQUIRED), ("py_decrypt_func", REQUIRED)],
    "create_config_store": [("store_url", REQUIRED)],
    "get_include_path": [],
    "get_lib_path": [],
}
BM: dict[str, list[tuple[str, Any]]] = {
    "initialize": [("store_url", REQUIRED), ("world_size", REQUIRED), ("device_id", REQUIRED), ("config", REQUIRED)],
    "uninitialize": [("flags", 0)],
    "bm_rank_id": [],
    "update_store_url": [("store_url", REQUIRED)],
    "create": [
        ("id", REQUIRED), ("local_dram_size", REQUIRED), ("local_hbm_size", 0), ("data_op_type", 1), ("flags", 0),
    ],
    "create2": [
        ("id", REQUIRED), ("local_dram_size", REQUIRED), ("max_dram_size", REQUIRED), ("local_hbm_size", 0),
        ("max_hbm_size", 0), ("data_op_type", 1), ("enable_56bits_gva", False), ("flags", 0), ("shm_fd", -1),
        ("tag", ""), ("tag_op_info", ""),
    ],
}
SHM: dict[str, list[tuple[str, Any]]] = {
    "initialize": [
        ("store_url", REQUIRED), ("world_size", REQUIRED), ("rank_id", REQUIRED), ("device_id", REQUIRED), ("config", REQUIRED),
    ],
    "uninitialize": [("flags", 0)],
    "create": [
        ("id", REQUIRED), ("rank_size", REQUIRED), ("rank_id", REQUIRED), ("local_mem_size", REQUIRED), ("data_op_type", 1),
        ("flags", 0),
    ],
}
SHARE_METHODS: dict[str, list[tuple[str, Any]]] = {
    "barrier": [],
    "all_gather": [("local_data", REQUIRED)],
    "set_context": [("context", REQUIRED)],
    "query_support_data_operation": [],
    "topology_can_reach": [("remote_rank", REQUIRED), ("reach_info", None)],
    "destroy": [("flags", 0)],
}
PIECE = [("dest_session", REQUIRED), ("buffer", REQUIRED), ("peer_buffer", REQUIRED), ("length", REQUIRED)]
PIECES = [("dest_session", REQUIRED), ("buffers", REQUIRED), ("peer_buffers", REQUIRED), ("lengths", REQUIRED)]
FLAGS, STREAM = [("flags", 0)], [("stream", REQUIRED)]
TRANSFERS: dict[str, list[tuple[str, Any]]] = {
    "initialize": [
        ("store_url", REQUIRED), ("session_id", REQUIRED), ("role", REQUIRED), ("device_id", REQUIRED), ("data_op_type", 1),
        ("store_server_role", "Decode"), ("nic", ""),
    ],
    "get_rpc_port": [],
    "destroy": [],
    "unInitialize": [],
    "register_memory": [("buffer_addr", REQUIRED), ("capacity", REQUIRED)],
    "batch_register_memory": [("buffer_addrs", REQUIRED), ("capacities", REQUIRED)],
    "unregister_memory": [("buffer_addr", REQUIRED)],
    "trans_malloc": [("size", REQUIRED)],
    "trans_free": [("address", REQUIRED)],
    "transfer_sync_write": PIECE + FLAGS,
    "transfer_sync_read": PIECE + FLAGS,
    "batch_transfer_sync_write": PIECES + FLAGS,
    "batch_transfer_sync_read": PIECES + FLAGS,
    "transfer_async_write_submit": PIECE + STREAM + FLAGS,
    "transfer_async_read_submit": PIECE + STREAM + FLAGS,
    "batch_transfer_async_write_submit": PIECES + STREAM + FLAGS,
    "batch_transfer_async_read_submit": PIECES + STREAM + FLAGS,
    "batch_transfer_write_with_quant": [
        *PIECES,
        ("scale_buffers", REQUIRED), ("offset_buffers", REQUIRED), ("unit_num", REQUIRED), ("input_type", 0), ("stream", 0),
        ("flags", 0),
    ],
}

# Additions of this package.
STARTED: dict[str, list[tuple[str, Any]]] = {
    "start_write": [*PIECES, ("notify", None)],
    "start_read": [*PIECES, ("notify", None)],
    "prepare_write": PIECES,
    "prepare_read": PIECES,
    "notify": [("dest_session", REQUIRED), ("message", REQUIRED)],
    "get_notifications": [],
    "wait_notification": [("timeout", None)],
    "notification": [],
}
COPY = [("type", REQUIRED), ("flags", 0), ("stream", 0)]
METHODS: dict[str, list[tuple[str, Any]]] = {
    "join": [("flags", 0)],
    "leave": [("flags", 0)],
    "local_mem_size": [("mem_type", 2)],
    "peer_rank_ptr": [("peer_rank", REQUIRED), ("mem_type", 2)],
    "copy_data": [("src_ptr", REQUIRED), ("dst_ptr", REQUIRED), ("size", REQUIRED), *COPY],
    "copy_data_batch": [
        ("src_addrs", REQUIRED), ("dst_addrs", REQUIRED), ("sizes", REQUIRED), ("count", REQUIRED), *COPY,
    ],
    "copy_data_batch_partial_succeed": [
        ("src_addrs", REQUIRED), ("dst_addrs", REQUIRED), ("sizes", REQUIRED), ("count", REQUIRED), ("type", REQUIRED), ("flags", 0),
    ],
    "wait": [],
    "register": [("addr", REQUIRED), ("size", REQUIRED)],
    "unregister": [("addr", REQUIRED)],
    "get_rank_id_by_gva": [("gva", REQUIRED)],
    "gva_to_va": [("gva", REQUIRED), ("mem_type", 1)],
    # `size` is required; Python's syntax wants a default behind an argument with one.
    "extend_local_mem": [("mem_type", 3), ("size", None)],
    "set_group_event_handler": [("cb", REQUIRED)],
    "destroy": [],
}
# Difference in the first releases' form: the default kind depends on the pool.
SEED_METHODS = METHODS | {
    "local_mem_size": [("mem_type", None)],
    "peer_rank_ptr": [("peer_rank", REQUIRED), ("mem_type", None)],
}
ENUMS: dict[str, dict[str, int]] = {
    "BmCopyType": {
        "L2G": 0, "G2L": 1, "G2H": 2, "H2G": 3, "L2GH": 4, "GH2L": 5, "GH2H": 6, "H2GH": 7, "G2G": 8, "AUTO": 9,
    },
    "BmDataOpType": {
        "SDMA": 1, "HOST_RDMA": 2, "ROCE": 2, "HOST_TCP": 4, "DEVICE_RDMA": 8, "HOST_URMA": 16, "HOST_SHM": 32,
        "DEVICE_URMA": 64, "DEVICE_UBOE": 128,
    },
    "BmMemType": {"LOCAL_DEVICE": 0, "LOCAL_HOST": 1, "DEVICE": 2, "HOST": 3},
    "BmGroupEvent": {"JOIN_EVENT": 0, "LEAVE_EVENT": 1},
}
CONFIG = {
    "init_timeout": 120, "create_timeout": 120, "start_store": True, "start_store_only": False,
    "dynamic_world_size": False, "unified_address_space": True, "rank_id": 65535, "flags": 0,
}


def arguments(function: Any) -> list[tuple[str, Any]]:
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.default) for p in parameters if p.name != "self"]


@pytest.mark.parametrize("package", [mf_smem, memfabric_hybrid], ids=["mf_smem", "memfabric_hybrid"])
@pytest.mark.parametrize("name", TOP_LEVEL)
def test_functions_of_the_package(package: Any, name: str) -> None:
    assert name in package.__all__
    assert arguments(getattr(package, name)) == TOP_LEVEL[name]


@pytest.mark.parametrize("module", [mf_smem.bm, memfabric_hybrid.bm], ids=["mf_smem", "memfabric_hybrid"])
@pytest.mark.parametrize("name", BM)
def test_functions_of_bm(module: Any, name: str) -> None:
    assert name in module.__all__
    assert arguments(getattr(module, name)) == BM[name]


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str) -> None:
    assert arguments(getattr(memfabric_hybrid.bm.BigMemory, name)) == METHODS[name]
    assert arguments(getattr(mf_smem.bm.BigMemory, name)) == SEED_METHODS[name]


@pytest.mark.parametrize("module", [mf_smem.shm, memfabric_hybrid.shm], ids=["mf_smem", "memfabric_hybrid"])
def test_share_memory(module: Any) -> None:
    for name, expected in SHM.items():
        assert name in module.__all__
        assert arguments(getattr(module, name)) == expected, name
    for name, expected in SHARE_METHODS.items():
        assert arguments(getattr(module.ShareMemory, name)) == expected, name
    for name in ("gva", "local_rank", "rank_size", "handle"):
        assert not callable(getattr(module.ShareMemory, name))
    operations = {key: member.value for key, member in module.ShmDataOpType.__members__.items()}
    assert operations == {"MTE": 1, "SDMA": 2, "RDMA": 4, "ROCE": 4}
    config = module.ShmConfig()
    for name in ("init_timeout", "create_timeout", "operation_timeout"):
        assert getattr(config, name) == 120
    assert config.start_store is True and config.flags == 0
    assert repr(config) == "ShmConfig(init_timeout=120, create_timeout=120, operation_timeout=120, start_store=True, flags=0)"
    with pytest.raises(ValueError, match="init_timeout"):
        config.init_timeout = -1


@pytest.mark.parametrize("name", ENUMS)
def test_enums_compare_with_integers(name: str) -> None:
    for module in (mf_smem.bm, memfabric_hybrid.bm):
        enum = getattr(module, name)
        assert {key: member.value for key, member in enum.__members__.items()} == ENUMS[name]
        assert all(member == ENUMS[name][key] for key, member in enum.__members__.items())


@pytest.mark.parametrize(
    ("module", "operation_timeout", "auto_ranking"),
    [(mf_smem.bm, 120, False), (memfabric_hybrid.bm, 900, True)],
    ids=["mf_smem", "memfabric_hybrid"],
)
def test_configuration_defaults(module: Any, operation_timeout: int, auto_ranking: bool) -> None:
    config = module.BmConfig()
    for name, value in CONFIG.items():
        assert getattr(config, name) == value and type(getattr(config, name)) is type(value), name
    assert config.operation_timeout == operation_timeout
    assert config.auto_ranking is auto_ranking
    for name in [*CONFIG, "operation_timeout", "auto_ranking"]:
        value = getattr(config, name)
        other = (not value) if isinstance(value, bool) else value + 1
        setattr(config, name, other)
        assert getattr(config, name) == other
    assert module.BmConfig().flags == 0, "objects do not share their fields"
    config.set_nic("tcp://127.0.0.1/8:9100")
    assert config.nic == "tcp://127.0.0.1/8:9100"


def test_rank_id_minus_one_means_unset() -> None:
    config = mf_smem.bm.BmConfig()
    config.rank_id = -1
    assert config.rank_id == 65535


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("init_timeout", -1, ValueError), ("init_timeout", 1 << 32, ValueError), ("init_timeout", 1.5, TypeError),
        ("rank_id", -2, ValueError), ("flags", "1", TypeError), ("start_store", "yes", TypeError),
        ("start_store", 2, TypeError),
    ],
)
def test_configuration_refuses_invalid_values(name: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        setattr(mf_smem.bm.BmConfig(), name, value)


def test_nic_length_and_type_are_checked() -> None:
    config = mf_smem.bm.BmConfig()
    with pytest.raises(ValueError, match="63"):
        config.set_nic("x" * 64)
    with pytest.raises(TypeError):
        config.set_nic(5)  # type: ignore[arg-type]


def test_tls_options_of_first_releases_are_accepted() -> None:
    option = mf_smem.TlsOption()
    strings = [
        "tls_top_path", "tls_cert", "tls_crl_path", "tls_ca_path", "tls_pk", "tls_pk_pwd", "kmc_ksf_master",
        "kmc_ksf_standby", "package_path",
    ]
    assert option.enable_tls is False
    assert all(getattr(option, name) == "" for name in strings)
    assert option.tls_ca_file == set() and option.tls_crl_file == set()
    option.tls_ca_path, option.tls_ca_file, option.tls_pk = "ca", {"b.pem", "a.pem"}, "key.pem"
    assert option.tls_info() == "tlsCaPath: ca; tlsCaFile: a.pem,b.pem; tlsPk: key.pem;"
    assert arguments(mf_smem.set_ssl_option) == [("tls_option", REQUIRED)]


@pytest.mark.parametrize("package", [mf_smem, memfabric_hybrid, mf_adapter], ids=lambda package: package.__name__)
def test_transfer_engine(package: Any) -> None:
    engine = package.TransferEngine
    named = {**vars(mf_smem.TransferEngine), **vars(engine)}
    methods = {name for name, member in named.items() if callable(member) and not name.startswith("_")}
    # Both nested classes are on the class, on its objects and in the module.
    assert methods == TRANSFERS.keys() | {"TransDataOpType", "TransferOpcode"}
    for name, expected in (TRANSFERS | STARTED).items():
        assert arguments(getattr(engine, name)) == expected, name
        assert inspect.getdoc(getattr(engine, name)), name
    for place in (engine, engine(), package):
        kinds = {key: member.value for key, member in place.TransDataOpType.__members__.items()}
        assert kinds | {"ROCE": 2} == ENUMS["BmDataOpType"]
        assert {key: member.value for key, member in place.TransferOpcode.__members__.items()} == {
            "Read": 0, "Write": 1, "READ": 0, "WRITE": 1,
        }


def test_every_public_name_has_a_docstring() -> None:
    for module in (mf_smem, mf_smem.bm, mf_smem.shm, mf_smem.kernels, mf_smem.store, memfabric_hybrid, memfabric_hybrid.bm,
                   memfabric_hybrid.shm, memfabric_hybrid.offload):
        assert module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isroutine(thing):
                assert inspect.getdoc(thing), f"{module.__name__}.{name}"
    for cls in (mf_smem.Pool, mf_smem.Store, mf_smem.Watch, mf_smem.Lock, mf_smem.Lease, mf_smem.bm.BigMemory,
                memfabric_hybrid.bm.BigMemory, mf_smem.SharedMemory, mf_smem.ShareGroup, mf_smem.shm.ShareMemory,
                memfabric_hybrid.shm.ShareMemory, mf_smem.kernels.Binary, mf_smem.kernels.DeviceMemory):
        for name, member in vars(cls).items():
            if not name.startswith("_"):
                assert inspect.getdoc(member), f"{cls.__name__}.{name}"


@pytest.mark.parametrize("module", [mf_smem, memfabric_hybrid], ids=lambda module: module.__name__)
def test_misspelt_fields_suggest_the_nearest_name(module: Any) -> None:
    for config, wrong, near in [
        (module.bm.BmConfig(), "init_timout", "init_timeout"), (module.bm.BmConfig(), "start_Store", "start_store"),
        (module.bm.BmConfig(), "rankid", "rank_id"), (module.shm.ShmConfig(), "operation_timeout_s", "operation_timeout"),
    ]:
        with pytest.raises(AttributeError, match=f"{wrong}.*did you mean '{near}'"):
            setattr(config, wrong, 1)
        assert not hasattr(config, wrong)
    with pytest.raises(AttributeError, match="its fields are auto_ranking, create_timeout"):
        module.bm.BmConfig().xyz = 1


@pytest.mark.parametrize("module", [mf_smem, memfabric_hybrid], ids=lambda module: module.__name__)
def test_enums_combine_as_flags_and_print_like_upstream(module: Any) -> None:
    bm, shm = module.bm, module.shm
    assert bm.BmDataOpType(3) == bm.BmDataOpType.SDMA | bm.BmDataOpType.HOST_RDMA == 3
    assert bm.BmDataOpType.HOST_RDMA in bm.BmDataOpType(3) and isinstance(bm.BmDataOpType(255), int)
    assert shm.ShmDataOpType(5) == shm.ShmDataOpType.MTE | shm.ShmDataOpType.RDMA
    assert str(bm.BmCopyType.L2G) == f"{bm.BmCopyType.L2G}" == "BmCopyType.L2G" and f"{bm.BmCopyType.G2G:02d}" == "08"
    assert str(bm.BmMemType.HOST) == "BmMemType.HOST" and str(bm.BmGroupEvent.LEAVE_EVENT) == "BmGroupEvent.LEAVE_EVENT"
    assert str(bm.BmDataOpType.HOST_RDMA) == "BmDataOpType.HOST_RDMA" and str(bm.BmDataOpType(5)) == "BmDataOpType.SDMA|HOST_TCP"
    assert str(bm.BmDataOpType(0)) == "BmDataOpType.0" and str(shm.ShmDataOpType(9)) == "ShmDataOpType.MTE|8"


def test_tls_switch_accepts_integers() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        assert mf_smem.set_conf_store_tls(0, "0") == 0
        assert mf_smem.set_conf_store_tls(False, "") == 0
        for wrong in (None, "0", 0.0):
            try:
                mf_smem.set_conf_store_tls(wrong, "")
            except TypeError:
                continue
            raise AssertionError(wrong)
        """
    )
    assert done.returncode == 0, done.stderr
