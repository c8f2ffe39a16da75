# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Unsigned numbers of a fixed width, as arguments and as fields of configurations: others are a ``TypeError``."""

from __future__ import annotations

import operator
from typing import Any, overload


def unsigned(name: str, value: Any, bits: int) -> int:
    """A number of so many bits. Takes whatever converts to a whole number, but no float and no text."""
    if isinstance(value, (float, str, bytes, bytearray)):
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}")
    try:
        number = operator.index(value)
    except TypeError:
        if not hasattr(value, "__int__"):
            raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
        number = int(value)
    if not 0 <= number < 1 << bits:
        raise TypeError(f"{name} must be from 0 to {(1 << bits) - 1}, not {number}")
    return number


class Unsigned:
    """A field that holds such a number."""

    def __init__(self, bits: int, default: int = 0) -> None:
        self._bits = bits
        self._default = default
        self._name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Unsigned: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> int: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Unsigned | int:
        if instance is None:
            return self
        number: int = vars(instance).get(self._name, self._default)
        return number

    def __set__(self, instance: object, value: Any) -> None:
        vars(instance)[self._name] = unsigned(self._name, value, self._bits)
