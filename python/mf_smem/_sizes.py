# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sizes: numbers of bytes, or texts such as ``"64MiB"``, parsed by the library for all callers."""

from __future__ import annotations

import operator
from typing import SupportsIndex, Union

from . import _mf_smem
from ._errors import invalid

Size = Union[SupportsIndex, str]

_UNIT = 2 << 20


def length(name: str, size: Size) -> int:
    """`size` in bytes, not negative; `name` is the argument's, for texts."""
    nbytes = _parsed(name, size) if isinstance(size, str) else operator.index(size)
    if nbytes < 0:
        raise invalid(f"{name} must not be negative, and is {nbytes}")
    return nbytes


def number(name: str, size: Size) -> int:
    """As `length`; a non-text value is validated by the library."""
    return _parsed(name, size) if isinstance(size, str) else operator.index(size)


def contribution(name: str, size: Size) -> int:
    """As `length`, a multiple of 2 MiB."""
    nbytes = length(name, size)
    if nbytes % _UNIT:
        above = -(-nbytes // _UNIT) * _UNIT
        raise invalid(f"{name} must be a multiple of 2 MiB (2097152 bytes), and is {nbytes}; the next one is {above}")
    return nbytes


def shown(nbytes: int) -> str:
    """A number of bytes as people write it."""
    for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if nbytes >= 1 << shift:
            return f"{nbytes / (1 << shift):.4g} {unit}"
    return f"{nbytes} bytes"


def _parsed(name: str, text: str) -> int:
    nbytes = _mf_smem.bytes_parse(text)
    if nbytes is None:
        raise invalid(f"{name} must be a number of bytes or a text such as '64MiB' or '1GiB', not {text!r}")
    return nbytes
