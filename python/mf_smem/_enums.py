# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The numbers of the C interface as enums that compare with integers."""

from __future__ import annotations

import enum


class _Number(enum.IntEnum):
    """A member of an enumeration; its text equals upstream's in every version of Python."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else str(self)


class _Set(enum.IntFlag):
    """Any of several together: values are combined with ``|``, and made from any combination of their numbers."""

    def __str__(self) -> str:
        names = [str(member.name) for member in type(self) if member in self] if self else []
        known = sum(member for member in type(self) if member in self)
        rest = int(self) & ~known
        return f"{type(self).__name__}.{'|'.join(names + [str(rest)] if rest or not names else names)}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else str(self)


class BmCopyType(_Number):
    """Kinds of the two addresses of a copy: L local device, H local host, G in the pool."""

    L2G = 0
    G2L = 1
    G2H = 2
    H2G = 3
    L2GH = 4
    GH2L = 5
    GH2H = 6
    H2GH = 7
    G2G = 8
    AUTO = 9


class BmDataOpType(_Set):
    """Which engines may move data between hosts. A set: values may be combined with ``|``."""

    SDMA = 1
    HOST_RDMA = 2
    HOST_TCP = 4
    DEVICE_RDMA = 8
    HOST_URMA = 16
    HOST_SHM = 32
    DEVICE_URMA = 64
    DEVICE_UBOE = 128
    # The name that the value 2 had in the first releases.
    ROCE = 2


class BmMemType(_Number):
    """Kinds of memory: of this process, or of the pool's two windows."""

    LOCAL_DEVICE = 0
    LOCAL_HOST = 1
    DEVICE = 2
    HOST = 3


class BmGroupEvent(_Number):
    """Membership event of a pool."""

    JOIN_EVENT = 0
    LEAVE_EVENT = 1


class ShmDataOpType(_Set):
    """Access of kernels to the memory of another rank. A set: values may be combined with ``|``."""

    MTE = 1
    SDMA = 2
    RDMA = 4
    # The name that the value 4 had in the first releases.
    ROCE = 4


class AtomicOp(_Number):
    """Operation of an atomic on a word."""

    ADD = 0
    AND = 1
    OR = 2
    XOR = 3
    SWAP = 4
    COMPARE_SWAP = 5
    FETCH = 6


class SignalOp(_Number):
    """Operation on a signal word."""

    SET = 0
    ADD = 1


class DataType(_Number):
    """Element type for kernels that compute."""

    FP16 = 0
    BF16 = 1
    FP32 = 2


class ReduceOp(_Number):
    """Reduction over the elements of several ranks."""

    SUM = 0
    MAX = 1
