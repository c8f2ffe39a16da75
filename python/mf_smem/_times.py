# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Timeouts in seconds: ``timeout``, or ``timeout_s`` as the first releases of this package called it."""

from __future__ import annotations

import math

from ._errors import invalid

#: Default timeout.
DEFAULT_S = 120.0
_MOST_S = 0xFFFFFFFF


def named(timeout: float | None, timeout_s: float | None, default: float = DEFAULT_S) -> tuple[str, float]:
    """The timeout that the caller gave, and its name."""
    if timeout is not None and timeout_s is not None:
        raise invalid(f"timeout ({timeout}) and timeout_s ({timeout_s}) are two names of one argument: give one of them")
    return ("timeout", default if timeout is None else timeout) if timeout_s is None else ("timeout_s", timeout_s)


def milliseconds(name: str, seconds: float) -> int:
    """Seconds in whole milliseconds, at least one."""
    if not 0 < seconds * 1000 <= _MOST_S:
        raise invalid(f"{name} must be more than 0 and at most {_MOST_S // 1000} seconds, not {seconds}")
    return math.ceil(seconds * 1000)


def whole(timeout: float | None, timeout_s: float | None) -> int:
    """The same in whole seconds, at least one, for calls of the library that take those."""
    name, seconds = named(timeout, timeout_s)
    if not 0 < seconds <= _MOST_S:
        raise invalid(f"{name} must be more than 0 and at most {_MOST_S} seconds, not {seconds}")
    return math.ceil(seconds)
