# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every public name of ``memfabric_hybrid`` 1.3 and of ``mf_smem`` of 2025, with its signature or its numbers, in tables
compared with the packages in both directions: missing names, different ones, additional ones."""

from __future__ import annotations

import enum
import inspect
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import memfabric_hybrid
import mf_adapter
import mf_smem
import pytest

import ranks

# Signatures as `inspect` spells them, without types: name, name=default.
TOP_LEVEL = {
    "initialize": "flags=0", "uninitialize": "", "set_log_level": "level", "set_extern_logger": "log_fn",
    "get_last_err_msg": "", "get_and_clear_last_err_msg": "", "set_conf_store_tls": "enable, tls_info",
    "set_conf_store_tls_key": "tls_pk, tls_pk_pw, py_decrypt_func", "create_config_store": "store_url",
    "get_include_path": "", "get_lib_path": "",
}
TOP_LEVEL_OBJECTS = {"bm", "shm", "offload", "TransferEngine", "TransferOpcode", "TransDataOpType"}

BM = {
    "initialize": "store_url, world_size, device_id, config", "uninitialize": "flags=0", "bm_rank_id": "",
    "update_store_url": "store_url",
    "create": "id, local_dram_size, local_hbm_size=0, data_op_type=1, flags=0",
    "create2": "id, local_dram_size, max_dram_size, local_hbm_size=0, max_hbm_size=0, data_op_type=1, enable_56bits_gva=False, "
    "flags=0, shm_fd=-1, tag='', tag_op_info=''",
}
BM_CLASSES = {"BigMemory", "BmConfig", "BmCopyType", "BmDataOpType", "BmMemType", "BmGroupEvent"}
BIG_MEMORY = {
    "join": "flags=0", "leave": "flags=0", "local_mem_size": "mem_type=2", "peer_rank_ptr": "peer_rank, mem_type=2",
    "copy_data": "src_ptr, dst_ptr, size, type, flags=0, stream=0",
    "copy_data_batch": "src_addrs, dst_addrs, sizes, count, type, flags=0, stream=0",
    "copy_data_batch_partial_succeed": "src_addrs, dst_addrs, sizes, count, type, flags=0",
    "wait": "", "register": "addr, size", "unregister": "addr", "get_rank_id_by_gva": "gva", "gva_to_va": "gva, mem_type=1",
    # Its second argument is required; Python has no such thing behind one with a default.
    "extend_local_mem": "mem_type=3, size=None", "set_group_event_handler": "cb", "destroy": "",
}
BM_CONFIG = {
    "init_timeout": 120, "create_timeout": 120, "operation_timeout": 900, "start_store": True, "start_store_only": False,
    "dynamic_world_size": False, "unified_address_space": True, "auto_ranking": True, "rank_id": 65535, "flags": 0,
}

SHM = {
    "initialize": "store_url, world_size, rank_id, device_id, config", "uninitialize": "flags=0",
    "create": "id, rank_size, rank_id, local_mem_size, data_op_type=1, flags=0",
}
SHM_CLASSES = {"ShareMemory", "ShmConfig", "ShmDataOpType"}
SHARE_MEMORY = {
    "barrier": "", "all_gather": "local_data", "set_context": "context", "query_support_data_operation": "",
    # Without the second one it returns it.
    "topology_can_reach": "remote_rank, reach_info=None", "destroy": "flags=0",
}
SHARE_MEMORY_PROPERTIES = {"gva", "local_rank", "rank_size"}
SHM_CONFIG = {"init_timeout": 120, "create_timeout": 120, "operation_timeout": 120, "start_store": True, "flags": 0}

_ONE, _MANY = "dest_session, buffer, peer_buffer, length", "dest_session, buffers, peer_buffers, lengths"
TRANSFER_ENGINE = {
    "initialize": "store_url, session_id, role, device_id, data_op_type=1, store_server_role='Decode', nic=''",
    "get_rpc_port": "", "register_memory": "buffer_addr, capacity", "batch_register_memory": "buffer_addrs, capacities",
    "unregister_memory": "buffer_addr", "destroy": "", "unInitialize": "",
    "transfer_sync_write": f"{_ONE}, flags=0", "transfer_sync_read": f"{_ONE}, flags=0",
    "batch_transfer_sync_write": f"{_MANY}, flags=0", "batch_transfer_sync_read": f"{_MANY}, flags=0",
    "transfer_async_write_submit": f"{_ONE}, stream, flags=0", "transfer_async_read_submit": f"{_ONE}, stream, flags=0",
    "batch_transfer_async_write_submit": f"{_MANY}, stream, flags=0",
    "batch_transfer_async_read_submit": f"{_MANY}, stream, flags=0",
    "batch_transfer_write_with_quant": f"{_MANY}, scale_buffers, offset_buffers, unit_num, input_type=0, stream=0, flags=0",
    # Of one generation.
    "trans_malloc": "size", "trans_free": "address",
}

_PIECES = "srcPtrs, dstPtrs, lenPtrs"
OFFLOAD = {
    "initialize": "config", "uninitialize": "", "malloc": "size, flags=0", "free": "ptr, flags=0", "get_dva": "ptr",
    "empty": "sizes, dtype=None, pin_memory=False", "sparse_copy": f"{_PIECES}, sizePtr, deviceId",
    "group_pack_copy": f"{_PIECES}, numLocalExpertPtr, groupList, packedGroupList, deviceId",
    "kv_exchange_copy": "metaPtr, deviceId", "entry_gather": "dst, ids, count, deviceId",
    "register_entry_table": "entryBytes, rowsPerSlot",
}
OFFLOAD_OBJECTS = {"OffloadConfig", "Scene", "OFFLOAD_FLAG_GIANT_PAGE", "LOCAL", "SHARED"}
OFFLOAD_CONFIG = {
    "device_id", "reserve_size", "alloc_size", "world_size", "rank_id", "scene", "store_url", "flags", "local_world_size",
}
OFFLOAD_BY_ADDRESS = {
    "sparse_copy_impl": OFFLOAD["sparse_copy"], "group_pack_copy_impl": OFFLOAD["group_pack_copy"],
    "kv_exchange_copy_impl": OFFLOAD["kv_exchange_copy"], "entry_gather_impl": "dstPtr, idsPtr, countPtr, deviceId",
}

ENUMS = {
    "bm.BmCopyType": "L2G 0, G2L 1, G2H 2, H2G 3, L2GH 4, GH2L 5, GH2H 6, H2GH 7, G2G 8, AUTO 9",
    "bm.BmDataOpType": "SDMA 1, HOST_RDMA 2, HOST_TCP 4, DEVICE_RDMA 8, HOST_URMA 16, HOST_SHM 32, DEVICE_URMA 64, DEVICE_UBOE 128",
    "bm.BmMemType": "LOCAL_DEVICE 0, LOCAL_HOST 1, DEVICE 2, HOST 3",
    "bm.BmGroupEvent": "JOIN_EVENT 0, LEAVE_EVENT 1",
    "shm.ShmDataOpType": "MTE 1, SDMA 2, RDMA 4",
    "TransDataOpType": "SDMA 1, HOST_RDMA 2, DEVICE_RDMA 8, DEVICE_URMA 64, DEVICE_UBOE 128",
    "TransferOpcode": "Read 0, Write 1",
    "offload.Scene": "LOCAL 0, SHARED 1",
}
# Members in addition to the release's: names of 2025, and upper-case names, by which callers find protocols.
OWN_MEMBERS = {
    "bm.BmDataOpType": {"ROCE"}, "shm.ShmDataOpType": {"ROCE"}, "TransDataOpType": {"HOST_TCP", "HOST_URMA", "HOST_SHM"},
    "TransferOpcode": {"READ", "WRITE"},
}

SEED_TOP_LEVEL = {
    "initialize": "flags=0", "uninitialize": "", "set_log_level": "level", "set_ssl_option": "tls_option",
    "set_extern_logger": "log_fn", "get_last_err_msg": "", "get_and_clear_last_err_msg": "",
    "set_conf_store_tls": "enable, tls_info", "register_decrypt_handler": "py_decrypt_func",
}
SEED_ENUMS = {"bm.BmCopyType": "L2G 0, G2L 1, G2H 2, H2G 3", "bm.BmDataOpType": "SDMA 1, ROCE 2",
              "shm.ShmDataOpType": "MTE 1, SDMA 2, ROCE 4"}
SEED_TLS_OPTION = {
    "enable_tls": bool, "tls_top_path": str, "tls_cert": str, "tls_crl_path": str, "tls_ca_path": str, "tls_ca_file": set,
    "tls_crl_file": set, "tls_pk": str, "tls_pk_pwd": str, "kmc_ksf_master": str, "kmc_ksf_standby": str, "package_path": str,
}
SEED_BM_CONFIG = BM_CONFIG | {"operation_timeout": 120, "auto_ranking": False}
# The kind of memory that is left out depends on the pool.
SEED_BIG_MEMORY = BIG_MEMORY | {"local_mem_size": "mem_type=None", "peer_rank_ptr": "peer_rank, mem_type=None"}


def signature(thing: Any) -> str:
    """Arguments as in the tables."""
    parts = []
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.name == "self":
            continue
        assert parameter.kind is parameter.POSITIONAL_OR_KEYWORD, f"{thing}: {parameter} has one form only"
        default = parameter.default
        if default is parameter.empty:
            parts.append(parameter.name)
        else:
            value = int(default) if isinstance(default, enum.Enum) else default
            parts.append(f"{parameter.name}={value!r}")
    return ", ".join(parts)


def signatures(place: Any, names: Any) -> dict[str, str]:
    return {name: signature(getattr(place, name)) if hasattr(place, name) else "is missing" for name in names}


def members(kind: Any) -> dict[str, int]:
    return {name: int(member) for name, member in kind.__members__.items()}


def found(package: ModuleType, path: str) -> Any:
    place: Any = package
    for name in path.split("."):
        place = getattr(place, name)
    return place


def public(cls: type) -> set[str]:
    return {name for base in cls.__mro__ if base is not object for name in vars(base) if not name.startswith("_")}


def test_top_level_matches_the_release() -> None:
    assert set(memfabric_hybrid.__all__) == TOP_LEVEL.keys() | TOP_LEVEL_OBJECTS
    assert signatures(memfabric_hybrid, TOP_LEVEL) == TOP_LEVEL
    assert not hasattr(memfabric_hybrid, "__version__")
    lines = Path(memfabric_hybrid.__file__).with_name("VERSION").read_text().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["mf version info", "mf version", "git", "build time"]
    assert lines[1] == "mf version: 1.3.0"


def test_big_memory_matches_the_release() -> None:
    bm = memfabric_hybrid.bm
    assert set(bm.__all__) == BM.keys() | BM_CLASSES
    assert signatures(bm, BM) == BM
    assert signatures(bm.BigMemory, BIG_MEMORY) == BIG_MEMORY
    # Beside them the handle, for code in C, and the same pool in the style of mf_smem.
    assert public(bm.BigMemory) - BIG_MEMORY.keys() == {"handle", "raising"}
    config = bm.BmConfig()
    assert {name: getattr(config, name) for name in BM_CONFIG} == BM_CONFIG
    assert signature(bm.BmConfig.set_nic) == "nic"
    assert public(bm.BmConfig) - BM_CONFIG.keys() == {"set_nic", "nic", "hcom_url"}


def test_share_memory_matches_the_release() -> None:
    shm = memfabric_hybrid.shm
    assert set(shm.__all__) == SHM.keys() | SHM_CLASSES
    assert signatures(shm, SHM) == SHM
    assert signatures(shm.ShareMemory, SHARE_MEMORY) == SHARE_MEMORY
    for name in SHARE_MEMORY_PROPERTIES:
        assert not callable(getattr(shm.ShareMemory, name)), name
    config = shm.ShmConfig()
    assert {name: getattr(config, name) for name in SHM_CONFIG} == SHM_CONFIG
    assert public(shm.ShmConfig) == SHM_CONFIG.keys()


@pytest.mark.parametrize("package", [memfabric_hybrid, mf_smem, mf_adapter], ids=lambda package: package.__name__)
def test_transfer_engine_matches_the_release(package: Any) -> None:
    engine = package.TransferEngine
    assert signatures(engine, TRANSFER_ENGINE) == TRANSFER_ENGINE
    assert public(engine) >= TRANSFER_ENGINE.keys() | {"TransDataOpType", "TransferOpcode"}
    assert engine.TransDataOpType is package.TransDataOpType and engine.TransferOpcode is package.TransferOpcode


def test_offload_matches_the_release() -> None:
    offload = memfabric_hybrid.offload
    # Beside the release's names the choice of a stream without torch.
    assert set(offload.__all__) - (OFFLOAD.keys() | OFFLOAD_OBJECTS) == {"mfx_stream"}
    assert signatures(offload, OFFLOAD) == OFFLOAD
    assert signatures(memfabric_hybrid.mf_acc_offload, OFFLOAD_BY_ADDRESS) == OFFLOAD_BY_ADDRESS
    assert public(offload.OffloadConfig) == OFFLOAD_CONFIG
    assert offload.OFFLOAD_FLAG_GIANT_PAGE == 1


@pytest.mark.parametrize("path", ENUMS)
def test_enums_match_the_release(path: str) -> None:
    kind = found(memfabric_hybrid, path)
    expected = {name: int(number) for name, number in (row.split() for row in ENUMS[path].split(", "))}
    assert members(kind).items() >= expected.items()
    assert members(kind).keys() - expected.keys() == OWN_MEMBERS.get(path, set())
    assert all(member == expected[name] for name, member in kind.__members__.items() if name in expected)


def test_names_of_the_2025_release_exist() -> None:
    assert signatures(mf_smem, SEED_TOP_LEVEL) == SEED_TOP_LEVEL
    assert set(mf_smem.__all__) >= SEED_TOP_LEVEL.keys() | {"bm", "shm", "TlsOption"}
    # The union of both: this package has all of the release, except for the offload.
    assert set(mf_smem.__all__) >= (TOP_LEVEL.keys() | TOP_LEVEL_OBJECTS) - {"offload"}
    assert signatures(mf_smem, TOP_LEVEL) == TOP_LEVEL
    for own, released in ((mf_smem.bm, memfabric_hybrid.bm), (mf_smem.shm, memfabric_hybrid.shm)):
        assert set(own.__all__) >= set(released.__all__)
    assert signatures(mf_smem.bm, BM) == BM and signatures(mf_smem.shm, SHM) == SHM
    assert signatures(mf_smem.bm.BigMemory, SEED_BIG_MEMORY) == SEED_BIG_MEMORY
    assert signatures(mf_smem.shm.ShareMemory, SHARE_MEMORY) == SHARE_MEMORY
    config, shm_config = mf_smem.bm.BmConfig(), mf_smem.shm.ShmConfig()
    assert {name: getattr(config, name) for name in SEED_BM_CONFIG} == SEED_BM_CONFIG
    assert {name: getattr(shm_config, name) for name in SHM_CONFIG} == SHM_CONFIG
    for path, rows in SEED_ENUMS.items():
        expected = {name: int(number) for name, number in (row.split() for row in rows.split(", "))}
        assert members(found(mf_smem, path)).items() >= expected.items(), path


def test_tls_options_match_the_2025_release() -> None:
    option = mf_smem.TlsOption()
    assert {name: type(getattr(option, name)) for name in SEED_TLS_OPTION} == SEED_TLS_OPTION
    assert option.enable_tls is False


def test_alias_package_exports_its_names() -> None:
    names = {"TransferEngine", "create_config_store", "set_log_level", "set_conf_store_tls"}
    assert names <= set(mf_adapter.__all__)
    for name in names - {"TransferEngine"}:
        assert signature(getattr(mf_adapter, name)) == TOP_LEVEL[name]


def test_store_launch_module_is_runnable() -> None:
    done = ranks.run_alone(
        f"""
        import os, subprocess, sys
        environment = {{name: value for name, value in os.environ.items() if "STORE_URL" not in name}}
        command = [{sys.executable!r}, "-m", "memfabric_hybrid.launch_ascend_mf_store"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout={ranks.DEADLINE_S})
        assert done.returncode == 2 and "MF_CONFIG_STORE_URL" in done.stderr, done
        """
    )
    assert done.returncode == 0, done.stderr


def test_library_and_include_paths_exist() -> None:
    assert os.path.isfile(os.path.join(memfabric_hybrid.get_lib_path(), "libmf_smem.so"))
    assert os.path.isfile(os.path.join(memfabric_hybrid.get_include_path(), "smem", "host", "smem.h"))
