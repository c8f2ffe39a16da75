# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The enumerations of the interface. Their members are numbers, and where one is asked for its number will do."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, SupportsIndex

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class status_t(IntEnum):
    """Status of a call."""

    SUCCESS = 0
    ERROR = 1
    UNSUPPORT = 2
    INVALID_CONFIG = 3
    TIMEOUT = 4
    NOT_FOUND = 5


class MemoryType(IntEnum):
    """Kind of memory. DEFAULT is the first accelerator of this machine, else the processor."""

    DEFAULT = 0
    CPU = 1
    NVIDIA_GPU = 2
    AMD_GPU = 3
    CAMBRICON_MLU = 4
    MOORE_GPU = 5
    HUAWEI_ASCEND_NPU = 6


class ConnType(IntEnum):
    """Preferred transport of a connection. Each type has its own table of peers."""

    RDMA = 0
    UCX = 1


class CtrlTransport(IntEnum):
    """Kind of a link of the control channel."""

    TCP = 0
    UDS = 1


_STATUSES = {int(one): one for one in status_t}


def status(code: int) -> status_t:
    """The status of a code of the library, which may be one of another family."""
    return _STATUSES.get(code, status_t.ERROR)


def memory_type(number: int) -> MemoryType:
    """The type of this number; DEFAULT for one that this release does not know."""
    try:
        return MemoryType(number)
    except ValueError:
        return MemoryType.DEFAULT


def unsigned(name: str, value: SupportsIndex, bits: int = 64) -> int:
    """An unsigned number; `TypeError` for other types."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not 0 <= number < 1 << bits:
        raise TypeError(f"{name} must be from 0 to 2**{bits} - 1, and is {number}")
    return number


def is_one(value: SupportsIndex | Iterable[SupportsIndex]) -> TypeIs[SupportsIndex]:
    """True for a single number. Equivalent to ``isinstance(value, SupportsIndex)``, which takes microseconds. Arrays are
    excluded."""
    return hasattr(value, "__index__") and not getattr(value, "shape", None)


def signed(name: str, value: SupportsIndex) -> int:
    """A 32-bit number: of a device, or of an enumeration, with members validated by the library."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int or a member of its enum, not {type(value).__name__}") from None
    if not -(1 << 31) <= number < 1 << 31:
        raise TypeError(f"{name} must be of 32 bits, and is {number}")
    return number


def port(value: SupportsIndex, *, may_be_zero: bool = False, name: str = "port") -> int:
    """A port. 0 names a passive peer that has no server of its own, where one may be named."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not (0 if may_be_zero else 1) <= number <= 65535:
        raise ValueError(f"{name} must be from {0 if may_be_zero else 1} to 65535, and is {number}")
    return number
