# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory that the processor reaches as an array. The array holds the memory, which goes away only after the array."""

from __future__ import annotations

import ctypes
import importlib
import math
import operator
from typing import Any

from ._errors import invalid
from ._mf_smem import Buffer, MappedPart


def exporter(hold: MappedPart, offset: int = 0, nbytes: int | None = None, lease: object = None) -> memoryview:
    """Bytes of a mapping as a buffer, which keeps `hold` and `lease` for as long as something shows it."""
    array = (ctypes.c_ubyte * (hold.nbytes if nbytes is None else nbytes)).from_address(hold.address + offset)
    # Views of the array keep the array, and the array keeps this.
    array._hold = hold, lease  # type: ignore[attr-defined]
    return memoryview(array).cast("B")


def view(hold: MappedPart, dtype: Any) -> Any:
    """A writable NumPy array of the segment, or a memoryview of bytes where there is no NumPy."""
    if hold.nbytes == 0:
        raise invalid("this rank contributes no memory of that kind")
    return shaped(exporter(hold), dtype)


def shaped(segment: memoryview, dtype: Any) -> Any:
    """`segment` as a NumPy array, or itself where there is no NumPy."""
    numpy = numpy_or_none()
    if numpy is None:
        if dtype is not None:
            raise invalid("dtype needs NumPy, which is not installed; without it the view is a memoryview")
        return segment
    return numpy.frombuffer(segment, dtype=numpy.uint8 if dtype is None else plain(numpy, dtype))


def numpy_or_none() -> Any:
    """NumPy, where it is installed."""
    try:
        # By name, because the package is checked where NumPy is not installed too.
        return importlib.import_module("numpy")
    except ImportError:
        return None


def needed(module: str, name: str) -> Any:
    """NumPy or torch, for what cannot do without; `name` is the caller's."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise invalid(f"{name} needs {module}, which cannot be imported here: {error}") from None


def plain(numpy: Any, dtype: Any) -> Any:
    """`dtype` as NumPy knows it, unless its elements are references to Python objects."""
    made = numpy.dtype(dtype)
    if made.hasobject:
        raise invalid(
            f"dtype {made} holds Python objects, whose addresses mean nothing in another process; take a type of plain numbers"
        )
    return made


def placed(source: Any, writable: bool = False) -> tuple[int, int]:
    """Address and length of the bytes of an array or a tensor."""
    # Not every type of torch is one of DLPack's in every release.
    if hasattr(source, "data_ptr") and hasattr(source, "element_size") and source.is_contiguous():
        return source.data_ptr(), source.numel() * source.element_size()
    buffer = Buffer(source, writable)
    return buffer.address, buffer.nbytes


def extents(shape: Any) -> tuple[int, ...]:
    """A shape as numbers: one, or a sequence of them."""
    listed: tuple[int, ...]
    try:
        listed = (operator.index(shape),)
    except TypeError:
        listed = tuple(operator.index(extent) for extent in shape)
    if any(extent < 0 for extent in listed):
        raise invalid(f"shape must not have negative extents, and is {listed}")
    return listed


def element_count(shape: tuple[int, ...]) -> int:
    """Number of elements of an array of that shape."""
    return math.prod(shape)
