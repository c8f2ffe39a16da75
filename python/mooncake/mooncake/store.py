# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`MooncakeDistributedStore`: a store of values by key that the processes of a job share, by the names and codes of Mooncake's.

The values lie in a cache of `mf_smem`; there is no master that knows them. What was master and metadata server is the config
store, at the same address.
"""

from __future__ import annotations

from ._allocator import MooncakeHostMemAllocator, bind_to_numa_node, get_alloc_func_addr, get_free_func_addr
from ._config import ObjectDataType, ReplicateConfig, SoftPinAction
from ._handle import BufferHandle
from ._life import Life
from ._replicas import Descriptor, DiskDescriptor, MemoryDescriptor, ReplicaDescriptor, ReplicaStatus
from .buffer_pool import BufferLease, BufferPool

__all__ = [
    "BufferHandle",
    "BufferLease",
    "BufferPool",
    "Descriptor",
    "DiskDescriptor",
    "MemoryDescriptor",
    "MooncakeDistributedStore",
    "MooncakeHostMemAllocator",
    "ObjectDataType",
    "RegisteredBufferLease",
    "RegisteredBufferPool",
    "ReplicaDescriptor",
    "ReplicaStatus",
    "ReplicateConfig",
    "SoftPinAction",
    "bind_to_numa_node",
    "get_alloc_func_addr",
    "get_free_func_addr",
]

RegisteredBufferLease, RegisteredBufferPool = BufferLease, BufferPool

# The members of the enumerations are also names of the module.
globals().update({member.name: member for kind in (ObjectDataType, SoftPinAction) for member in kind})


class MooncakeDistributedStore(Life):
    """A store of values by key. `setup` joins, `close` leaves; nothing else works between.

    Keys are texts or bytes, values have 1 byte or more. Methods may be called from any thread, let others run meanwhile, and
    return codes: negative ones for failures, whose text is ``mf_smem.get_last_err_msg()``. `TypeError` for an argument of another
    type. No method waits for another process but for the copies of its own value.
    """
