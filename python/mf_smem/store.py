# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Small values that all members of the world share, for exchanging offsets, names and the like.

Usable between initialising big memory and its end; `Error` otherwise. Every call is one round trip to the config store.
"""

from __future__ import annotations

from . import _mf_smem
from ._store import value_bytes

__all__ = ["add", "get", "set"]


def set(key: str, value: bytes) -> None:  # noqa: A001 - the name of the operation
    """Writes `value` under `key`, replacing what was there."""
    _mf_smem.store_set(key, value_bytes(value))


def get(key: str, timeout_s: float = 0.0) -> bytes:
    """Reads the value under `key`, waiting up to `timeout_s` seconds for it to appear."""
    if not 0 <= timeout_s < 4_294_967:
        raise ValueError(f"timeout_s must be from 0 to 4294967 seconds, not {timeout_s}")
    return _mf_smem.store_get(key, round(timeout_s * 1000))


def add(key: str, delta: int) -> int:
    """Adds `delta` to the number under `key`, 0 when missing, and returns the sum. Atomic."""
    return _mf_smem.store_add(key, delta)
