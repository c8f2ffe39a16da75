# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Numbers that calls take, by their names, and what their arguments may be."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Union

import numpy.typing as npt
from mf_smem._types import Destination, Source

#: An array on the symmetric heap.
Array = npt.NDArray[Any]
#: What calls take for symmetric memory: an array, a tensor that speaks DLPack, a buffer.
Symmetric = Destination
#: A number that atomics and waits take and give.
Number = Union[int, float]
#: A signal: an array of uint64; the first element counts.
SigAddr = npt.NDArray[Any]
#: A lock: an array of int64; the first element counts.
LockHandle = npt.NDArray[Any]

__all__ = [
    "AMO",
    "CMP",
    "CTX",
    "MALLOC",
    "OP",
    "SIGNAL",
    "THREAD",
    "Array",
    "Destination",
    "HeapUsage",
    "LockHandle",
    "Number",
    "SigAddr",
    "Source",
    "Symmetric",
    "TeamConfig",
]


class THREAD(enum.IntEnum):
    """Which threads make calls."""

    SINGLE = 0
    FUNNELED = 1
    SERIALIZED = 2
    MULTIPLE = 3


class MALLOC(enum.IntFlag):
    """For what memory is used; every block is as good for all of it."""

    ATOMICS_REMOTE = 1
    SIGNAL_REMOTE = 2


class CTX(enum.IntFlag):
    """Options of a context."""

    SERIALIZED = 1
    PRIVATE = 2
    NOSTORE = 4


class CMP(enum.IntEnum):
    """Comparisons of waits and tests."""

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


class SIGNAL(enum.IntEnum):
    """Operation on a signal."""

    SET = 0
    ADD = 1


class AMO(enum.Enum):
    """Atomic operations; what fetches with `SET` swaps."""

    SET = "set"
    INC = "inc"
    ADD = "add"
    AND = "and"
    OR = "or"
    XOR = "xor"


class OP(enum.Enum):
    """Operations of reductions."""

    AND = "and"
    OR = "or"
    XOR = "xor"
    MAX = "max"
    MIN = "min"
    SUM = "sum"
    PROD = "prod"


@dataclass
class TeamConfig:
    """The configuration of a team."""

    num_contexts: int = 0


@dataclass(frozen=True)
class HeapUsage:
    """State of a PE's heap, in bytes; `blocks` is a number."""

    heap_bytes: int
    most_heap_bytes: int
    used: int
    peak: int
    free: int
    largest_free: int
    quarantined: int
    blocks: int
