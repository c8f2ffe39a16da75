# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Atomics by the name of their operation, and signals as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _functions
from ._functions import Handle
from ._memory import free, new_array
from ._types import AMO, Destination, Number, SigAddr, Symmetric


def atomic_op(target: Symmetric, op: AMO | str, value: Number, pe: int, ctx: Handle | None = None) -> None:
    """Changes the first element of `target` of a PE as `op` says; `AMO.INC` needs no value."""
    name = AMO(op).value
    if name == "inc":
        _functions.atomic_inc(target, pe, ctx)
    else:
        getattr(_functions, f"atomic_{name}")(target, value, pe, ctx)


def atomic_fetch_op(target: Symmetric, op: AMO | str, value: Number, pe: int, ctx: Handle | None = None) -> Any:
    """As `atomic_op`. Returns the value before."""
    name = AMO(op).value
    if name == "inc":
        return _functions.atomic_fetch_inc(target, pe, ctx)
    if name == "set":
        return _functions.atomic_swap(target, value, pe, ctx)
    return getattr(_functions, f"atomic_fetch_{name}")(target, value, pe, ctx)


def atomic_fetch_op_nbi(
    fetch: Destination, target: Symmetric, op: AMO | str, value: Number, pe: int, ctx: Handle | None = None
) -> None:
    """As `atomic_fetch_op`; the value before is in `fetch` when the context is quiet."""
    name = AMO(op).value
    if name == "inc":
        _functions.atomic_fetch_inc_nbi(fetch, target, pe, ctx)
    elif name == "set":
        _functions.atomic_swap_nbi(fetch, target, value, pe, ctx)
    else:
        getattr(_functions, f"atomic_fetch_{name}_nbi")(fetch, target, value, pe, ctx)


def new_signal() -> SigAddr:
    """A new signal, 0 on all PEs. **Collective.**"""
    return new_array(1, np.uint64)


def del_signal(signal: SigAddr) -> None:
    """Gives a signal back. **Collective.**"""
    free(signal)
