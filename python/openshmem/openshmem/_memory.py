# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory on the symmetric heap, as arrays of NumPy.

All PEs allocate and free together, in the same order and as much. An array that is collected without `free` keeps its block
until the end of the heap: to free it is a call of all PEs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _functions, _life
from ._functions import Memory
from ._types import Array, Symmetric

#: The extents of an array, or its only one.
Shape = Union[SupportsIndex, Sequence[SupportsIndex]]

_function = _functions.function
_barrier = _function("shmem_sync_all")


def _block(nbytes: int, align: int | None, hints: int, clear: bool) -> Array:
    """A new block, as bytes. On return it is cleared on all PEs, if it is to be."""
    _life.begun()
    room = max(nbytes, 1)
    if align is not None:
        address = _function("shmem_align")(align, room)
    elif hints:
        address = _function("shmem_malloc_with_hints")(room, int(hints))
    elif clear:
        address = _function("shmem_calloc")(room, 1)
    else:
        address = _function("shmem_malloc")(room)
    block: Array = np.asarray(Memory(address, room, True))
    if clear and (align is not None or hints):
        block.fill(0)
        _barrier()
    return block[:nbytes]


def alloc(count: int, size: int = 1, align: int | None = None, hints: int = 0, clear: bool = True) -> memoryview:
    """Allocates `count` elements of `size` bytes, cleared unless `clear` is false, at a multiple of `align`. **Collective.**
    Bytes, which `fromalloc` makes an array of."""
    if count < 0 or size < 0:
        raise ValueError(f"{count} elements of {size} bytes cannot be allocated")
    return _block(count * size, align, hints, clear).data


def fromalloc(
    mem: memoryview, shape: Shape | None = None, dtype: npt.DTypeLike | None = None, order: str = "C"
) -> Array:
    """An array in memory of `alloc`: of all of it, unless a shape is given. **Local.**"""
    kind = np.dtype(np.uint8 if dtype is None else dtype)
    _check_dtype(kind)
    _check_order(order)
    room = np.frombuffer(mem, np.uint8)
    if shape is None:
        return room[: room.size // kind.itemsize * kind.itemsize].view(kind)
    extents = _extents(shape)
    needed = math.prod(extents) * kind.itemsize
    if needed > room.size:
        raise ValueError(f"an array of {needed} bytes has no room in {room.size}")
    return _shaped(room[:needed], extents, kind, order)


def _extents(shape: Shape) -> tuple[int, ...]:
    given = shape if isinstance(shape, Sequence) else (shape,)
    extents = tuple(int(extent.__index__()) for extent in given)
    if any(extent < 0 for extent in extents):
        raise ValueError(f"negative dimensions are not possible: {extents}")
    return extents


def _check_dtype(kind: np.dtype[Any]) -> None:
    """Refuses element types that are not copied between PEs."""
    _functions.describe("array", np.empty(0, kind), False)


def _shaped(room: Array, extents: tuple[int, ...], kind: np.dtype[Any], order: str) -> Array:
    return room.view(kind).reshape(extents, order="F" if order == "F" else "C")


def _check_order(order: str) -> None:
    if order not in ("C", "F"):
        raise ValueError(f"the order is C or F, not {order!r}")


def new_array(
    shape: Shape,
    dtype: npt.DTypeLike = float,
    order: str = "C",
    *,
    align: int | None = None,
    hints: int = 0,
    clear: bool = True,
) -> Array:
    """A new array, of zeroes unless `clear` is false. **Collective.**"""
    kind, extents = np.dtype(dtype), _extents(shape)
    _check_dtype(kind)
    _check_order(order)
    block = _block(math.prod(extents) * kind.itemsize, align, hints, clear)
    return _shaped(block, extents, kind, order)


def empty(
    shape: Shape, dtype: npt.DTypeLike = float, order: str = "C", *, align: int | None = None, hints: int = 0
) -> Array:
    """A new array with undefined contents. **Collective.**"""
    return new_array(shape, dtype, order, align=align, hints=hints, clear=False)


def zeros(
    shape: Shape, dtype: npt.DTypeLike = float, order: str = "C", *, align: int | None = None, hints: int = 0
) -> Array:
    """A new array of zeroes, on all PEs. **Collective.**"""
    return new_array(shape, dtype, order, align=align, hints=hints)


def ones(
    shape: Shape, dtype: npt.DTypeLike = float, order: str = "C", *, align: int | None = None, hints: int = 0
) -> Array:
    """A new array of ones, on all PEs. **Collective.**"""
    return full(shape, 1, dtype, order, align=align, hints=hints)


def full(
    shape: Shape,
    fill_value: Any,
    dtype: npt.DTypeLike | None = None,
    order: str = "C",
    *,
    align: int | None = None,
    hints: int = 0,
) -> Array:
    """A new array of a value, of its type if none is given. **Collective.** On return it is filled on all PEs."""
    kind = np.asarray(fill_value).dtype if dtype is None else np.dtype(dtype)
    # An invalid fill value is refused before other PEs wait.
    np.empty((), kind)[...] = fill_value
    return _filled(empty(shape, kind, order, align=align, hints=hints), fill_value)


def array(
    obj: Any,
    dtype: npt.DTypeLike | None = None,
    *,
    copy: bool = True,
    order: str = "K",
    align: int | None = None,
    hints: int = 0,
) -> Array:
    """A new array with what `obj` holds, which each PE gives its own of, in one shape. **Collective.** On return it is filled on
    all PEs. Without `copy` an array that is on the heap already is returned itself, and nothing is done together."""
    held: Array = np.asarray(obj, dtype)
    is_same: bool = held is obj
    if not copy and is_same and _is_symmetric(held):
        return held
    if order in ("K", "A"):
        order = "F" if held.flags.f_contiguous and not held.flags.c_contiguous else "C"
    return _filled(empty(held.shape, held.dtype, order, align=align, hints=hints), held)


def _filled(made: Array, value: Any) -> Array:
    made[...] = value
    # No PE puts to it before all have filled theirs.
    _barrier()
    return made


def _is_symmetric(held: Array) -> bool:
    try:
        _functions.find_block(held)
    except ValueError:
        return False
    return True


def free(mem: Symmetric | None) -> None:
    """Gives the block of an array back, or memory of `alloc`. **Collective.** Nothing may use it any more."""
    if mem is None:
        return
    address, _ = _functions.find_block(mem)
    _function("shmem_free")(address)
    _functions.forget_block(address)


del_array = free


def ptr(target: Array, pe: int) -> Array | None:
    """The same array of another PE, for loads and stores, where it is mapped here; else None. **Local.** It is of use until
    `target` is freed."""
    count = _life.n_pes()
    if not 0 <= pe < count:
        raise ValueError(f"there is no PE {pe} among {count}")
    start, nbytes = _functions.block_of("target", target)
    block: int = _function("shmem_ptr")(start, pe)
    if block == 0:
        return None
    room = np.asarray(Memory(block, nbytes, False))
    return np.ndarray(target.shape, target.dtype, room, target.ctypes.data - start, target.strides)


def p(target: Symmetric, value: Any, pe: int, ctx: _functions.Handle | None = None) -> None:
    """Copies one value to the first element of `target` of a PE."""
    element = np.empty(1, _dtype(target))
    element[0] = value
    _functions.put(target, element, pe, 1, ctx)


def g(source: Symmetric, pe: int, ctx: _functions.Handle | None = None) -> Any:
    """The first element of `source` of a PE."""
    element = np.empty(1, _dtype(source))
    _functions.get(element, source, pe, 1, ctx)
    return element[0]


def _dtype(array: Any) -> np.dtype[Any]:
    found: Array = array if isinstance(array, np.ndarray) else np.asarray(array)
    return found.dtype
