# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`shmem` with buffers and exceptions."""

from __future__ import annotations

from .. import ACLSHMEM_MAX_TEAMS, ACLSHMEM_TEAM_INVALID, ACLSHMEM_TEAM_WORLD, instance_ctx_get, instance_ctx_set
from .. import aclshmem_barrier as barrier
from .. import aclshmem_barrier_all as barrier_all
from .. import aclshmem_sync as sync
from .. import aclshmem_sync_all as sync_all
from .._types import Handle, InstanceContext, MemType, ProfData
from . import direct, utils
from .direct import ComparisonType, InitStatus, SignalOp, init_status, my_pe, n_pes, team_my_pe, team_n_pes
from .engines import get_prof, set_mte_config, set_rdma_config, set_sdma_config, set_udma_config, show_prof
from .instances import current_instance, multi_instance, set_instance
from .life import UniqueID, finalize, get_unique_id, get_version, init
from .memory import align, buffer, calloc, free, get_peer_buffer, malloc
from .rma import (
    barrier_all_on_stream,
    barrier_on_stream,
    get,
    handle_wait,
    put,
    put_signal,
    quiet,
    signal_op,
    signal_wait,
)
from .utils import AclshmemError, AclshmemInvalid, Buffer, setup_aclshmem_logger

ctx_get, ctx_set = instance_ctx_get, instance_ctx_set

__all__ = [
    "ACLSHMEM_MAX_TEAMS",
    "ACLSHMEM_TEAM_INVALID",
    "ACLSHMEM_TEAM_WORLD",
    "AclshmemError",
    "AclshmemInvalid",
    "Buffer",
    "ComparisonType",
    "Handle",
    "InitStatus",
    "InstanceContext",
    "MemType",
    "ProfData",
    "SignalOp",
    "UniqueID",
    "align",
    "barrier",
    "barrier_all",
    "barrier_all_on_stream",
    "barrier_on_stream",
    "buffer",
    "calloc",
    "ctx_get",
    "ctx_set",
    "current_instance",
    "direct",
    "finalize",
    "free",
    "get",
    "get_peer_buffer",
    "get_prof",
    "get_unique_id",
    "get_version",
    "handle_wait",
    "init",
    "init_status",
    "instance_ctx_get",
    "instance_ctx_set",
    "malloc",
    "multi_instance",
    "my_pe",
    "n_pes",
    "put",
    "put_signal",
    "quiet",
    "set_instance",
    "set_mte_config",
    "set_rdma_config",
    "set_sdma_config",
    "set_udma_config",
    "setup_aclshmem_logger",
    "show_prof",
    "signal_op",
    "signal_wait",
    "sync",
    "sync_all",
    "team_my_pe",
    "team_n_pes",
    "utils",
]
