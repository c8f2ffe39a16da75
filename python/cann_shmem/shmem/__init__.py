# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CANN SHMEM for Python: memory that all processes (PEs) of a job share under each one's own addresses.

    import shmem

    shmem.set_conf_store_tls(False, "")
    shmem.aclshmem_init(shmem.InitAttr(rank, ranks, "tcp://127.0.0.1:8666", 1 << 30))
    block = shmem.aclshmem_malloc(4096)
    shmem.aclshmem_int32_p(block, 7, (shmem.my_pe() + 1) % shmem.pe_count())
    shmem.aclshmem_barrier_all()

The heap is host memory, or the process's NPU memory. Addresses are integers. Every function of the C interface is
available by its C name, including typed functions (`aclshmem_float_put`) and stream functions; with the names of the first
releases (`shmem_malloc`) and of the original package (`my_pe`). Needs neither torch nor an NPU.
"""

from __future__ import annotations

from typing import Any

from ._calls import (
    NAMES as _NAMES,
    aclshmem_align,
    aclshmem_barrier,
    aclshmem_calloc,
    aclshmem_get_unique_id,
    aclshmem_info_get_name,
    aclshmem_info_get_version,
    aclshmem_init,
    aclshmem_init_using_unique_id,
    aclshmem_malloc,
    aclshmem_sync,
    aclshmem_team_get_config,
    aclshmemx_align,
    aclshmemx_barrier_on_stream,
    aclshmemx_calloc,
    aclshmemx_free,
    aclshmemx_get_heap_base,
    aclshmemx_get_prof,
    aclshmemx_handle_wait,
    aclshmemx_init_attr,
    aclshmemx_init_status,
    aclshmemx_instance_ctx_get,
    aclshmemx_malloc,
    check_addresses,
    function as _function,
    instance_ctx_get,
    my_pe,
    pe_count,
    set_attr_uniqueid_args,
    set_conf_store_tls,
    set_conf_store_tls_key,
    set_extern_logger,
    set_log_level,
    team_split_2d,
    team_split_strided,
)
from ._legacy import (
    shmem_init_using_unique_id,
    shmem_set_attributes,
    shmem_set_data_op_engine_type,
    shmem_set_timeout,
)
from ._tensors import aclshmem_create_tensor, aclshmem_free_tensor, as_array, create_array, free_array
from ._types import (
    ACLSHMEM_MAX_TEAMS,
    ACLSHMEM_TEAM_INVALID,
    ACLSHMEM_TEAM_WORLD,
    CmpOp,
    Handle,
    InitAttr,
    InitMode,
    InitStatus,
    InstanceContext,
    MemType,
    OpEngineType,
    OptionalAttr,
    ProfData,
    SignalOp,
    TeamConfig,
    UniqueId,
)

__all__ = [
    "ACLSHMEM_MAX_TEAMS",
    "ACLSHMEM_TEAM_INVALID",
    "ACLSHMEM_TEAM_WORLD",
    "CmpOp",
    "Handle",
    "InitAttr",
    "InitMode",
    "InitStatus",
    "InstanceContext",
    "MemType",
    "OpEngineType",
    "OptionalAttr",
    "ProfData",
    "SignalOp",
    "TeamConfig",
    "UniqueId",
    "aclshmem_align",
    "aclshmem_barrier",
    "aclshmem_barrier_all",
    "aclshmem_calloc",
    "aclshmem_create_tensor",
    "aclshmem_finalize",
    "aclshmem_finialize",
    "aclshmem_free",
    "aclshmem_free_tensor",
    "aclshmem_get_unique_id",
    "aclshmem_global_exit",
    "aclshmem_info_get_name",
    "aclshmem_info_get_version",
    "aclshmem_init",
    "aclshmem_init_using_unique_id",
    "aclshmem_malloc",
    "aclshmem_ptr",
    "aclshmem_set_attributes",
    "aclshmem_sync",
    "aclshmem_sync_all",
    "aclshmem_team_get_config",
    "aclshmemx_align",
    "aclshmemx_barrier_all_on_stream",
    "aclshmemx_barrier_on_stream",
    "aclshmemx_calloc",
    "aclshmemx_finalize",
    "aclshmemx_free",
    "aclshmemx_get_heap_base",
    "aclshmemx_get_prof",
    "aclshmemx_handle_wait",
    "aclshmemx_init_attr",
    "aclshmemx_init_status",
    "aclshmemx_instance_ctx_get",
    "aclshmemx_instance_ctx_set",
    "aclshmemx_malloc",
    "aclshmemx_set_data_op_engine_type",
    "aclshmemx_set_qp_num",
    "aclshmemx_set_timeout",
    "as_array",
    "barrier_all",
    "barrier_all_on_stream",
    "check_addresses",
    "create_array",
    "free_array",
    "get_ffts_config",
    "get_unique_id",
    "instance_ctx_get",
    "instance_ctx_set",
    "mte_set_ub_params",
    "my_pe",
    "pe_count",
    "set_attr_uniqueid_args",
    "set_conf_store_tls",
    "set_conf_store_tls_key",
    "set_extern_logger",
    "set_log_level",
    "set_mte_config",
    "set_rdma_config",
    "set_sdma_config",
    "set_udma_config",
    "shmem_align",
    "shmem_calloc",
    "shmem_finalize",
    "shmem_finialize",
    "shmem_free",
    "shmem_get_unique_id",
    "shmem_global_exit",
    "shmem_info_get_name",
    "shmem_info_get_version",
    "shmem_init",
    "shmem_init_status",
    "shmem_init_using_unique_id",
    "shmem_malloc",
    "shmem_ptr",
    "shmem_set_attributes",
    "shmem_set_data_op_engine_type",
    "shmem_set_timeout",
    "shmem_team_get_config",
    "show_prof",
    "sync",
    "sync_all",
    "team_destroy",
    "team_my_pe",
    "team_n_pes",
    "team_split_2d",
    "team_split_strided",
    "team_translate_pe",
]

# Functions of C with arguments that need no conversion.
aclshmem_finalize = aclshmem_finialize = _function("aclshmem_finalize")
aclshmemx_finalize = _function("aclshmemx_finalize")
aclshmem_free = _function("aclshmem_free")
aclshmem_ptr = _function("aclshmem_ptr", ["ptr", "peer"])
aclshmem_global_exit = _function("aclshmem_global_exit")
team_my_pe = _function("aclshmem_team_my_pe", ["team_id"])
team_n_pes = _function("aclshmem_team_n_pes", ["team_id"])
team_translate_pe = _function("aclshmem_team_translate_pe")
team_destroy = _function("aclshmem_team_destroy")
get_ffts_config = _function("util_get_ffts_config")
aclshmemx_instance_ctx_set = instance_ctx_set = _function("aclshmemx_instance_ctx_set", ["id"])
aclshmemx_set_qp_num = _function("aclshmemx_set_qp_num")
set_mte_config = _function("aclshmemx_set_mte_config")
mte_set_ub_params = _function("aclshmemx_set_mte_config", ["offset", "size", "event"])
set_sdma_config = _function("aclshmemx_set_sdma_config")
set_rdma_config = _function("aclshmemx_set_rdma_config")
set_udma_config = _function("aclshmemx_set_udma_config")
aclshmem_barrier_all = barrier_all = _function("aclshmem_barrier_all")
sync = aclshmem_sync
aclshmem_sync_all = sync_all = _function("aclshmem_sync_all")
aclshmemx_barrier_all_on_stream = barrier_all_on_stream = _function("aclshmemx_barrier_all_on_stream")
show_prof = _function("aclshmemx_show_prof")

# By the names of the first releases, and of those between.
get_unique_id = shmem_get_unique_id = aclshmem_get_unique_id
shmem_init, shmem_finialize, shmem_finalize = aclshmem_init, aclshmem_finalize, aclshmem_finalize
shmem_malloc, shmem_calloc, shmem_align = aclshmem_malloc, aclshmem_calloc, aclshmem_align
shmem_free, shmem_ptr, shmem_global_exit = aclshmem_free, aclshmem_ptr, aclshmem_global_exit
shmem_info_get_version, shmem_info_get_name = aclshmem_info_get_version, aclshmem_info_get_name
shmem_init_status, shmem_team_get_config = aclshmemx_init_status, aclshmem_team_get_config
aclshmem_set_attributes = shmem_set_attributes
aclshmemx_set_data_op_engine_type = shmem_set_data_op_engine_type
aclshmemx_set_timeout = shmem_set_timeout


def _c_name(name: str) -> str | None:
    """The function of C behind a name, or None."""
    if name in _NAMES:
        return name
    # The first releases called what today is aclshmem_NAME_put shmem_put_NAME_mem, and have it by both names
    # here.
    for prefix in ("aclshmem_", "aclshmemx_"):
        plain = prefix + name.removeprefix("shmem_")
        if name.startswith("shmem_") and plain in _NAMES:
            return plain
    # The original binds what C calls aclshmem_put64_signal as aclshmemx_put64_signal.
    plain = name.replace("aclshmemx_", "aclshmem_", 1)
    return plain if plain in _NAMES else None


def __getattr__(name: str) -> Any:
    known = _c_name(name)
    if known is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = _function(known)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})


# Imports all names of this module, so it comes last.
from . import _pyshmem as _pyshmem  # noqa: E402
