# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A pool of host memory that kernels reach, and copies of many pieces on the stream of an NPU.

`initialize` makes the pool; `malloc` and `empty` hand out blocks of it. `sparse_copy`, `group_pack_copy`, `kv_exchange_copy`
and `entry_gather` take tensors with addresses. Functions that return an int return 0 or an address, and -1 or 0 on failure;
`memfabric_hybrid.get_last_err_msg` has the reason. **Local** unless they say otherwise; any thread.

`mfx_stream` is this library's own: it selects the stream for programs without torch.
"""

from __future__ import annotations

from ._offload_arguments import mfx_stream
from ._offload_config import OffloadConfig, Scene
from ._offload_pool import (
    OFFLOAD_FLAG_GIANT_PAGE,
    free,
    get_dva,
    initialize,
    malloc,
    register_entry_table,
    uninitialize,
)
from .mf_acc_offload import empty, entry_gather, group_pack_copy, kv_exchange_copy, sparse_copy

__all__ = [
    "LOCAL",
    "OFFLOAD_FLAG_GIANT_PAGE",
    "OffloadConfig",
    "SHARED",
    "Scene",
    "empty",
    "entry_gather",
    "free",
    "get_dva",
    "group_pack_copy",
    "initialize",
    "kv_exchange_copy",
    "malloc",
    "mfx_stream",
    "register_entry_table",
    "sparse_copy",
    "uninitialize",
]

LOCAL, SHARED = Scene.LOCAL, Scene.SHARED
