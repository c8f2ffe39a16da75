# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sizes of contributions: numbers of bytes, or texts such as ``"64MiB"``."""

from __future__ import annotations

import operator
from typing import SupportsIndex, Union

from ._errors import invalid

Size = Union[SupportsIndex, str]

_UNIT = 2 << 20
_UNITS = {"": 0, "B": 0, "K": 10, "KIB": 10, "M": 20, "MIB": 20, "G": 30, "GIB": 30, "T": 40, "TIB": 40}


def contribution(name: str, size: Size) -> int:
    """`size` in bytes, a multiple of 2 MiB; `name` is the argument's, for texts."""
    nbytes = _parsed(name, size) if isinstance(size, str) else operator.index(size)
    if nbytes < 0:
        raise invalid(f"{name} must not be negative, and is {nbytes}")
    if nbytes % _UNIT:
        above = -(-nbytes // _UNIT) * _UNIT
        raise invalid(f"{name} must be a multiple of 2 MiB (2097152 bytes), and is {nbytes}; the next one is {above}")
    return nbytes


def _parsed(name: str, text: str) -> int:
    digits = text.strip()
    unit = digits.lstrip("0123456789")
    number = digits[: len(digits) - len(unit)]
    shift = _UNITS.get(unit.strip().upper())
    if not number or shift is None:
        raise invalid(f"{name} must be a number of bytes or a text such as '64MiB' or '1GiB', not {text!r}")
    return int(number) << shift
