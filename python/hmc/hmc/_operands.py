# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operands of copies into and out of a buffer: any object with bytes, as an address and a length."""

from __future__ import annotations

import operator
import sys
from typing import Any, NamedTuple, SupportsIndex

from mf_smem import InvalidParamError
from mf_smem._mf_smem import Buffer

from . import _tensors
from ._tensors import is_on_device as is_on_device


class Operand(NamedTuple):
    """Bytes, which stay where they are as long as this object lives."""

    address: int
    nbytes: int
    keep: object
    is_on_device: bool = False


def source(data: Any) -> Operand:
    """Bytes to read, of an object in the memory of the processor: its elements in C order, copied where it has gaps.

    Raises `TypeError` for objects without bytes, `ValueError` for memory of an accelerator and for elements that are
    objects.
    """
    if _tensors.is_tensor(data):
        return _host_tensor(data, writable=False)
    try:
        return _pinned(Buffer(data))
    except InvalidParamError:
        copy = _in_one_piece(data)
        if copy is None:
            raise
    return _pinned(Buffer(copy))


def destination(data: Any) -> Operand:
    """Bytes to fill, of an object in the memory of the processor, which must be writable and contiguous in C order.

    Raises `TypeError` for objects without bytes, `ValueError` for all else.
    """
    return _host_tensor(data, writable=True) if _tensors.is_tensor(data) else _pinned(Buffer(data, writable=True))


def on_device(data: Any, *, writable: bool) -> Operand:
    """Bytes in the memory of an accelerator, after queued work on the stream of the tensor, which must be contiguous to be
    filled. Raises `TypeError` for other objects, `ValueError` for memory of the processor."""
    if not _tensors.is_tensor(data):
        address, nbytes, keep = _tensors.array_on_device(data, writable=writable)
        return Operand(address, nbytes, (keep, data), True)
    if not _tensors.is_on_device(data):
        raise ValueError(f"the tensor is on {data.device}; a tensor in the memory of an accelerator is needed")
    tensor = _tensors.packed(data, writable=writable)
    # Behind the copy that `packed` may have queued.
    _tensors.wait_for_stream(tensor)
    return Operand(tensor.data_ptr(), _tensors.length(tensor), tensor, True)


def pointer(address: SupportsIndex) -> int:
    """An address that is given as a number."""
    try:
        return operator.index(address)
    except TypeError:
        raise TypeError(f"an address must be an int, not {type(address).__name__}") from None


def readable(data: Any) -> Operand:
    """Bytes to read, wherever they are; as `source` and `on_device`."""
    return on_device(data, writable=False) if is_on_device(data) else source(data)


def fillable(data: Any) -> Operand:
    """Bytes to fill, wherever they are; as `destination` and `on_device`."""
    return on_device(data, writable=True) if is_on_device(data) else destination(data)


def room(data: Any) -> int:
    """Length of a target; raises if it cannot be filled."""
    return fillable(data).nbytes


def _pinned(buffer: Buffer) -> Operand:
    return Operand(buffer.address, buffer.nbytes, buffer)


def _host_tensor(tensor: Any, *, writable: bool) -> Operand:
    if tensor.device.type != "cpu":
        raise ValueError(f"the tensor is on {tensor.device}, and bytes of the processor are needed: call .cpu(), or device='cuda'")
    tensor = _tensors.packed(tensor, writable=writable)
    return Operand(tensor.data_ptr(), _tensors.length(tensor), tensor)


def _in_one_piece(data: Any) -> Any:
    """A copy without gaps in C order; None if impossible."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and (isinstance(data, numpy.ndarray) or hasattr(data, "__array_interface__")):
        array = numpy.asarray(data)
        return None if array.dtype.hasobject or array.flags.c_contiguous else numpy.ascontiguousarray(array)
    try:
        view = memoryview(data)
    except (TypeError, ValueError, BufferError):
        return None
    return None if view.c_contiguous or "O" in view.format else view.tobytes()
