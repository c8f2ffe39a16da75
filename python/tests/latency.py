# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints what small calls cost from Python, in nanoseconds a call, beside an empty call. Needs no launcher."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

import mf_smem
from mf_smem.bm import BmCopyType

CALLS = 200_000
ROUNDS = 5


def nanoseconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Best of some rounds: the others were disturbed."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            function(*arguments)
        best = min(best, (time.perf_counter_ns() - start) / CALLS)
    return best


def main() -> None:
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        data = ctypes.create_string_buffer(4096)
        here, there = ctypes.addressof(data), pool.address()
        copy, to_pool = pool.memory.copy_data, BmCopyType.H2G
        eight = bytearray(8)
        rows = [
            ("empty call, id()", nanoseconds(id, 1)),
            ("memory.copy_data, 8 bytes", nanoseconds(copy, here, there, 8, to_pool)),
            ("memory.copy_data, 4 KiB", nanoseconds(copy, here, there, 4096, to_pool)),
            ("memory.put(bytearray), 8 bytes", nanoseconds(pool.memory.put, eight, there)),
            ("pool.put(bytearray), 8 bytes", nanoseconds(pool.put, eight, there)),
            ("pool.get(bytearray), 8 bytes", nanoseconds(pool.get, there, eight)),
            ("ctypes.memmove, 8 bytes", nanoseconds(ctypes.memmove, ctypes.addressof(data) + 64, here, 8)),
        ]
        with mf_smem.Cache("8MiB", id=62) as cache:
            cache.put("a key", eight)
            rows += [
                ("cache.exists, there", nanoseconds(cache.exists, "a key")),
                ("cache.exists, not there", nanoseconds(cache.exists, "another")),
                ("cache.get_into, 8 bytes", nanoseconds(cache.get_into, "a key", eight)),
            ]
    for name, cost in rows:
        print(f"{name:32} {cost:8.1f} ns")


if __name__ == "__main__":
    main()
