# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory that the processor reaches as an array. The array holds the memory, which goes away only after the array."""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

from ._errors import invalid
from ._mf_smem import MappedPart


def exporter(hold: MappedPart) -> ctypes.Array[ctypes.c_ubyte]:
    """An object with the segment's bytes as its buffer and `hold` as its companion for life."""
    array = (ctypes.c_ubyte * hold.nbytes).from_address(hold.address)
    # Views of the array keep the array, and the array keeps this.
    array._hold = hold  # type: ignore[attr-defined]
    return array


def view(hold: MappedPart, dtype: Any) -> Any:
    """A writable NumPy array of the segment, or a memoryview of bytes where there is no NumPy."""
    if hold.nbytes == 0:
        raise invalid("this rank contributes no memory of that kind")
    return shaped(memoryview(exporter(hold)).cast("B"), dtype)


def shaped(segment: memoryview, dtype: Any) -> Any:
    """`segment` as a NumPy array, or itself where there is no NumPy."""
    try:
        # By name, because the package is checked where NumPy is not installed too.
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        if dtype is not None:
            raise invalid("dtype needs NumPy, which is not installed; without it the view is a memoryview") from None
        return segment
    return numpy.frombuffer(segment, dtype=numpy.uint8 if dtype is None else dtype)
