# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arrays and tensors on a heap in host memory. NumPy and torch are imported when they are needed."""

from __future__ import annotations

import ctypes
import importlib
import math
from typing import TYPE_CHECKING, Any

from mf_smem import _mf_smem

from . import _calls

if TYPE_CHECKING:
    import numpy

#: A torch tensor. Torch is not needed to check this package's types.
Tensor = Any


def _room(address: int, length: int) -> memoryview:
    if _mf_smem.is_device_memory(address):
        raise RuntimeError(
            "the symmetric heap is in the memory of an accelerator; take host memory (aclshmemx_malloc(size, "
            "MemType.HOST_SIDE)), or pass addresses"
        )
    return memoryview((ctypes.c_char * length).from_address(address)).cast("B")


def as_array(address: int, shape: int | tuple[int, ...], dtype: Any = "float32") -> numpy.ndarray[Any, Any]:
    """Symmetric memory of this PE as a NumPy array, which speaks DLPack; valid until the block is freed."""
    import numpy

    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = numpy.dtype(dtype)
    return numpy.frombuffer(_room(address, max(math.prod(shape), 1) * kind.itemsize), kind, math.prod(shape)).reshape(shape)


def create_array(shape: int | tuple[int, ...], dtype: Any = "float32") -> numpy.ndarray[Any, Any]:
    """A new NumPy array on the heap. **Collective.** Give it back with `free_array`."""
    import numpy

    count = shape if isinstance(shape, int) else math.prod(shape)
    return as_array(_calls.aclshmem_malloc(max(count * numpy.dtype(dtype).itemsize, 1)), shape, dtype)


def free_array(array: numpy.ndarray[Any, Any]) -> None:
    """Gives the memory of `create_array` back. **Collective.**"""
    _calls.function("aclshmem_free")(array.ctypes.data)


def aclshmem_create_tensor(
    shape: int | list[int] | tuple[int, ...], dtype: Any = None, device_id: int = 0
) -> Tensor:
    """A new torch tensor on the heap (default: float32). **Collective.** On a heap in host memory it is on the processor,
    and `device_id` says nothing. Give it back with `aclshmem_free_tensor`."""
    torch: Any = importlib.import_module("torch")
    del device_id
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = torch.float32 if dtype is None else dtype
    count = math.prod(shape)
    length = max(count, 1) * torch.empty((), dtype=kind).element_size()
    address = _calls.aclshmem_malloc(length)
    try:
        room = _room(address, length)
    except RuntimeError:
        _calls.function("aclshmem_free")(address)
        raise
    return torch.frombuffer(room, dtype=kind, count=max(count, 1))[:count].reshape(shape)


def aclshmem_free_tensor(tensor: Tensor) -> None:
    """Gives the memory of `aclshmem_create_tensor` back. **Collective.**"""
    _calls.function("aclshmem_free")(tensor.data_ptr())
