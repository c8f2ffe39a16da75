# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.Cache`` with members killed during operations: SIGKILL of one of three processes, while it puts, gets, or makes
room by evicting, at points decided by a seed.

MF_TEST_CACHE_KILLS says at how many points (default 3), MF_TEST_FIRST_SEED from which seed on.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import struct
import time
from collections.abc import Callable
from typing import Any

import mf_smem

import ranks
from test_cache import Members

KILLS = int(os.environ.get("MF_TEST_CACHE_KILLS", "3"))
FIRST = int(os.environ.get("MF_TEST_FIRST_SEED", "0"))
#: Keys, and bytes of their values at most: what fits, and what does not fit.
PLANS = {"put": (20, 50_000), "get": (20, 50_000), "evict": (60, 800_000)}


def value(key: int, stamp: int, nbytes: int) -> bytes:
    """Words that all say the same: which put of which key it is."""
    return struct.pack("<Q", stamp << 16 | key) * (nbytes // 8)


def check(key: int, found: bytes | None) -> None:
    """Fails unless that is nothing, or the whole value of one put of this key."""
    if found:
        word = struct.unpack_from("<Q", found)[0]
        assert found == struct.pack("<Q", word) * (len(found) // 8), f"key {key} is torn"
        assert word & 0xFFFF == key, f"key {key} has a value of {word & 0xFFFF}"


def _victim(url: str, plan: str, seed: int, done: Any) -> None:
    """Works until it is killed."""
    dice = random.Random(seed)
    keys, most = PLANS[plan]
    with mf_smem.Cache("8MiB", store_url=url, world_size=3, rank=2) as cache:
        while True:
            key = dice.randrange(keys)
            if plan == "get":
                check(key, cache.get(str(key)))
            else:
                cache.put(str(key), value(key, done.value, dice.randrange(most)), replicas=dice.choice([1, 2]))
            done.value += 1


def wait(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + ranks.DEADLINE_S
    while not condition():
        assert time.monotonic() < end, what


def point(members: Members, seed: int) -> None:
    """A member joins, works and is killed; the others keep their whole values, and a working cache."""
    dice = random.Random(seed)
    plan = list(PLANS)[seed % len(PLANS)]
    keys, most = PLANS[plan]
    context = multiprocessing.get_context("forkserver")
    done = context.Value("Q", 0, lock=False)
    victim = context.Process(target=_victim, args=(members.url, plan, seed, done), daemon=True)
    victim.start()
    try:
        target = dice.randrange(200)
        stamps = 0

        def work() -> bool:
            nonlocal stamps
            stamps += 1
            key, rank = dice.randrange(keys), dice.randrange(2)
            check(key, members.call(rank, "get", str(key)))
            members.call(1 - rank, "put", str(key), value(key, 1 << 40 | stamps, dice.randrange(most)), replicas=dice.choice([1, 2]))
            return done.value > target or not victim.is_alive()

        wait(work, f"the member of seed {seed} does nothing")
        assert victim.is_alive(), f"the member of seed {seed} has ended with {victim.exitcode}"
        time.sleep(dice.random() * 0.0003)  # the point itself
    finally:
        victim.kill()
        victim.join(ranks.DEADLINE_S)

    for rank in range(2):
        for key in range(keys):
            check(key, members.call(rank, "get", str(key)))
    for rank in range(2):
        wait(lambda rank=rank: members.call(rank, "stats").members == 2, f"seed {seed}: rank {rank} does not notice")  # type: ignore[misc]
        for number in range(5):
            members.wait(rank, b"kept" * 100, "get", f"kept/{number}")
    for key in range(0, keys, 7):
        new = value(key, 1 << 41, 4000)
        assert members.call(0, "put", str(key), new)
        members.wait(1, new, "get", str(key))


def test_member_killed_at_any_point_leaves_the_others_working() -> None:
    multiprocessing.set_forkserver_preload(["mf_smem"])
    members = Members(2)
    try:
        for number in range(5):
            members.call(0, "put", f"kept/{number}", b"kept" * 100, pin=True, replicas=2)
        for seed in range(FIRST, FIRST + KILLS):
            point(members, seed)
    finally:
        members.end()
