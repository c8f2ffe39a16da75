# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.Cache``: several in a process, and processes that give different amounts of memory, or none."""

from __future__ import annotations

import gc
import os
import signal
from typing import Any

import mf_smem
import pytest

import ranks
from test_cache import Members

MIB = 1 << 20


def test_caches_of_one_process_are_one_member() -> None:
    one = mf_smem.Cache("8MiB", id=60, name="me:1")
    two = mf_smem.Cache(0, id=60, name="ignored")
    one.put("key", b"value")
    assert two.get("key") == b"value" and two.stats().members == 1 and two.pool is one.pool
    [member] = two.members()
    assert (member.rank, member.name, member.is_near) == (0, "me:1", True) and member.capacity_bytes > 4 * MIB
    one.close()
    one.close()
    assert one.closed and not two.closed and two.get("key") == b"value"
    with pytest.raises(mf_smem.InvalidParamError, match="largest contribution first"):
        mf_smem.Cache("16MiB", id=60)
    three = mf_smem.Cache("8MiB", id=60)
    del two
    gc.collect()
    assert three.get("key") == b"value"
    three.close()
    with mf_smem.Cache("16MiB", id=60) as larger:
        assert larger.get("key") is None and larger.stats().capacity_bytes > 8 * MIB


def test_unclosed_cache_ends_when_it_is_collected() -> None:
    cache = mf_smem.Cache("4MiB", id=60)
    pool = cache.pool
    del cache
    gc.collect()
    assert pool.closed


def test_alone_without_memory_nothing_can_be_put() -> None:
    with mf_smem.Cache(0, id=60) as cache:
        with pytest.raises(mf_smem.NoResourcesError, match="no member keeps values"):
            cache.put("key", b"value")
        assert cache.get("key") is None and not cache.remove("key") and cache.clear() == 0 and not list(cache.keys())
        assert cache.members()[0].capacity_bytes == 0


def test_processes_give_different_amounts_without_a_world_size() -> None:
    options: list[dict[str, Any]] = [
        {"contribution": "8MiB", "name": "a:1"}, {"contribution": 0, "name": "b:1"}, {"contribution": "32MiB", "name": "c:1"},
    ]
    members = Members(options=options)
    try:
        capacities = [member.capacity_bytes for member in members.call(0, "members")]
        assert 4 * MIB < capacities[0] < 8 * MIB and capacities[1] == 0 and 24 * MIB < capacities[2] < 32 * MIB
        value = os.urandom(10 * MIB)
        assert members.call(1, "put", "large", value, prefer="c") and members.call(0, "get", "large") == value
        for number in range(20):
            assert members.call(1, "put", f"near {number}", b"value", prefer="a:1", replicas=2)
        os.kill(members.processes[2].pid or 0, signal.SIGKILL)
        members.processes[2].join(ranks.DEADLINE_S)
        # Its only copy died, but its pages may still be mapped here.
        assert members.call(1, "get", "large") in (value, None)
        for number in range(20):
            members.wait(1, b"value", "get", f"near {number}")
        # A process without memory dies, and nothing is lost.
        os.kill(members.processes[1].pid or 0, signal.SIGKILL)
        members.processes[1].join(ranks.DEADLINE_S)
        for number in range(20):
            members.wait(0, b"value", "get", f"near {number}")
    finally:
        members.end()
