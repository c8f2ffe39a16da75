# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Lists of addresses, lengths and numbers, as callers of `offload` pass them: checked, as 64-bit numbers."""

from __future__ import annotations

import ctypes
import operator
from array import array
from collections.abc import Iterable
from typing import Any

_MOST = (1 << 64) - 1
_WORD = 8


class Refused(ValueError):
    """An argument that cannot be used; its text says why."""


def count_of(count: Any) -> int:
    """Length of the lists."""
    try:
        number = operator.index(count)
    except TypeError:
        raise Refused(f"count must be a whole number, not {type(count).__name__}") from None
    if not 0 <= number <= 1 << 20:
        raise Refused(f"count must be from 0 to {1 << 20}, not {number}")
    return number


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A number of this range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise Refused(f"{name} must be a whole number, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise Refused(f"{name} must be from {least} to {most}, not {number}")
    return number


def numbers(name: str, values: Any, count: int) -> array[int]:
    """`count` numbers: of a list, a tuple, an array or tensor of whole numbers in host memory, or (an int) of 64 bits each at
    this address."""
    if isinstance(values, int) and not isinstance(values, bool):
        return _at(name, values, count)
    if hasattr(values, "data_ptr"):
        values = _of_tensor(name, values)
    try:
        view = memoryview(values)
    except TypeError:
        return _of_list(name, values, count)
    if view.ndim != 1:
        raise Refused(f"{name} must have one dimension, not {view.ndim}")
    if view.format.lstrip("@=<") not in tuple("bBhHiIlLqQnN"):
        raise Refused(f"{name} must hold whole numbers, not elements of the format {view.format!r}")
    return _of_list(name, view.tolist(), count)


def _at(name: str, address: int, count: int) -> array[int]:
    if not 0 <= address <= _MOST or (address == 0 and count):
        raise Refused(f"{name} is null" if address == 0 else f"{name} is not an address: {address}")
    if address % _WORD:
        raise Refused(f"{name} at {address:#x} is not aligned to {_WORD} bytes")
    found = array("Q")
    found.frombytes(ctypes.string_at(address, count * _WORD) if count else b"")
    return found


def _of_tensor(name: str, tensor: Any) -> Any:
    if tensor.dim() != 1:
        raise Refused(f"{name} must have one dimension, not {tensor.dim()}")
    if tensor.is_floating_point() or tensor.is_complex() or str(tensor.dtype) == "torch.bool":
        raise Refused(f"{name} must hold whole numbers, not {tensor.dtype}")
    return tensor.tolist()


def _of_list(name: str, values: Iterable[Any], count: int) -> array[int]:
    try:
        found = [operator.index(value) for value in values]
    except TypeError:
        raise Refused(f"{name} must be a list of whole numbers") from None
    if len(found) != count:
        raise Refused(f"{name} has {len(found)} elements, count is {count}")
    try:
        return array("Q", found)
    except OverflowError:
        wrong = next(value for value in found if not 0 <= value <= _MOST)
        raise Refused(f"{name} has {wrong}, which is not a number from 0 to 2**64 - 1") from None
