# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every function of OpenSHMEM by its name in C, with the arguments of C: addresses and handles are integers, `None` is null,
`bytes` or a `bytearray` are memory.

    from openshmem import c

    c.shmem_double_ibput(target.ctypes.data, source.ctypes.data, 4, 8, 2, 3, pe)

Calls let the GIL go, leave waits for Ctrl-C, and raise `mf_smem.Error` when they fail. Lengths are not checked, as in C.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _functions

NAMES: frozenset[str] = frozenset(_functions.function_names())
"""The names of all functions."""


def __getattr__(name: str) -> Callable[..., Any]:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = _functions.function(name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *NAMES})
