# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`MooncakeDistributedStore`: shared store of values by key for the processes of a job, with names and codes of Mooncake's.

A cache of `mf_smem` keeps the values, without a master that lists them. The config store replaces master and metadata server, at
the same address.
"""

from __future__ import annotations

from ._allocator import MooncakeHostMemAllocator, bind_to_numa_node, get_alloc_func_addr, get_free_func_addr
from ._config import ObjectDataType, ReplicateConfig, SoftPinAction
from ._handle import BufferHandle
from ._life import Life
from ._parallelism import ParallelAxis, ReadTarget, TensorParallelism
from ._replicas import (
    Descriptor,
    DiskDescriptor,
    MemoryDescriptor,
    QueryTaskResponse,
    ReplicaDescriptor,
    ReplicaStatus,
    TaskStatus,
    TaskType,
)
from ._tensor_files import deserialize as _deserialize_tensor
from ._tensor_files import metadata_size as _tensor_metadata_size
from ._tensor_files import serialize as _serialize_tensor
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
    "ParallelAxis",
    "QueryTaskResponse",
    "ReadTarget",
    "RegisteredBufferLease",
    "RegisteredBufferPool",
    "ReplicaDescriptor",
    "ReplicaStatus",
    "ReplicateConfig",
    "SoftPinAction",
    "TaskStatus",
    "TaskType",
    "TensorParallelism",
    "_deserialize_tensor",
    "_serialize_tensor",
    "_tensor_metadata_size",
    "bind_to_numa_node",
    "get_alloc_func_addr",
    "get_free_func_addr",
]

RegisteredBufferLease, RegisteredBufferPool = BufferLease, BufferPool

# Exports the members of the enumerations as names of the module. `FAILED` is the state of a task.
_ENUMERATIONS = (ObjectDataType, SoftPinAction, TaskType, TaskStatus, ReplicaStatus)
globals().update({member.name: member for kind in _ENUMERATIONS for member in kind if member is not ReplicaStatus.FAILED})


class MooncakeDistributedStore(Life):
    """Store of values by key. Methods other than `setup` fail before `setup` and after `close`.

    Keys are texts or bytes, values have 1 byte or more. Methods are thread-safe, release the GIL, and return codes. Negative
    codes report failures, and ``mf_smem.get_last_err_msg()`` returns their text. Arguments of a wrong type raise `TypeError`. A
    method waits for other processes only to copy its own value.
    """
