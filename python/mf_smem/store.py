# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Small values that all members of the world share, for exchanging offsets, names and the like.

Usable between initialising big memory and its end; `Error` otherwise. Every call is one round trip to the config store.
"""

from __future__ import annotations

from . import _mf_smem
from ._store import value_bytes
from ._times import named

__all__ = ["add", "get", "set"]


def set(key: str, value: bytes) -> None:  # noqa: A001 - the name of the operation
    """Writes `value` under `key`, replacing a former value."""
    _mf_smem.store_set(key, value_bytes(value))


def get(key: str, timeout: float | None = None, *, timeout_s: float | None = None) -> bytes:
    """Reads the value under `key`, waiting up to `timeout` seconds (default: 0) for it to appear. `timeout_s` is its older
    name."""
    name, seconds = named(timeout, timeout_s, 0.0)
    if not 0 <= seconds < 4_294_967:
        raise ValueError(f"{name} must be from 0 to 4294967 seconds, not {seconds}")
    return _mf_smem.store_get(key, round(seconds * 1000))


def add(key: str, delta: int) -> int:
    """Adds `delta` to the number under `key`, 0 when missing, and returns the sum. Atomic."""
    return _mf_smem.store_add(key, delta)
