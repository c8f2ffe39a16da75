# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs of `openshmem` as jobs of several PEs."""

from __future__ import annotations

import ranks

#: Prefix of every program: this PE's number, and a check that a call is refused.
PRELUDE = """
import os, sys
import numpy as np
import openshmem as shmem

def refused(kind, text, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert text in str(error), error
    else:
        raise SystemExit(f"{call} accepted {arguments} {named}")

me, count = shmem.my_pe(), shmem.n_pes()
following, before = (me + 1) % count, (me - 1) % count
MOVED = [np.dtype(name) for name in (
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 longlong ulonglong intc uintc bool half single double longdouble "
    "csingle cdouble clongdouble").split()]
"""


def run(source: str, count: int, environment: dict[str, str] | None = None) -> list[ranks.Finished]:
    """The program as so many PEs."""
    return ranks.run_code(PRELUDE + ranks.dedented(source), count, environment)
