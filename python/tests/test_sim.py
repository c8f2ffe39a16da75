# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Simulated programs: planted bugs, replay, shrinking, faults, many ranks, mistakes of programs."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import mf_smem
import pytest
from mf_smem import sim

import ranks

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "simulation.py"
MILLI = 1e-3


@pytest.fixture(scope="module")
def ring() -> ModuleType:
    """The example's protocol; without fences it has a planted bug."""
    spec = importlib.util.spec_from_file_location("simulation_example", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def replays(world: sim.World, failure: sim.Failure, program: Any) -> None:
    """The seed and the schedule repeat the failure, byte for byte."""
    for _ in range(2):
        run = world.run(program, failure.seed)
        assert (run.failure, run.trace) == (failure.reason, failure.trace)
        shrunk = world.replay(program, failure.schedule)
        assert (shrunk.failure, shrunk.trace, shrunk.schedule) == (failure.shrunk_reason, failure.shrunk_trace, failure.schedule)


def test_flag_before_its_data_is_found_and_shrunk(ring: ModuleType) -> None:
    program, world = functools.partial(ring.program, fenced=False), sim.World(2)
    begun = time.monotonic()
    with pytest.raises(sim.Failure, match="was read before it was complete") as caught:
        world.explore(program)
    failure = caught.value
    print(f"found and shrunk after {failure.runs} runs, in {time.monotonic() - begun:.2f} s")
    assert failure.schedule.startswith("latency:0>1:") and len(failure.schedule.split()) == 1
    assert isinstance(failure.__cause__, AssertionError)
    replays(world, failure, program)


def test_flag_behind_a_fence_passes_all_seeds(ring: ModuleType) -> None:
    world = sim.World(2, delays=(0.05, MILLI), losses=(0.02, MILLI))
    assert world.explore(functools.partial(ring.program, fenced=True), range(100)) == 100


async def lead(rank: sim.Rank, fenced: bool) -> None:
    """The holder of a key with a lease writes its term into a word of rank 0; `fenced`: only over older terms."""
    pool = await rank.open_pool(64)
    await rank.barrier("joined")
    word, turns, seconds = pool.address(0), 0, 0.05
    while turns < 3:
        lease = await rank.store.lease(seconds)
        until = rank.now() + seconds
        try:
            elected, entry = await rank.store.compare_and_swap("leader", None, str(rank.number), lease=lease)
        except mf_smem.NotExistError:
            elected, entry = False, None
        if not elected or entry is None:
            await lease.revoke()
            await rank.sleep(seconds / 2)
            continue
        turns, term = turns + 1, entry.revision
        while rank.now() + 0.02 < until:
            await rank.sleep(0.01)
            if rank.now() >= until:
                break
            # The lease may end here, while this rank is slow.
            if not fenced:
                last = await pool.atomic(word, "swap", term)
                assert last <= term, f"the write of term {last} was overwritten by the leader of term {term}"
                continue
            last = await pool.atomic(word, "fetch")
            while last <= term and (found := await pool.atomic(word, "compare_swap", term, compare=last)) != last:
                last = found
        await lease.revoke()
    await rank.barrier("done")


SLOW = sim.World(3, stalls=(0.05, 0.2))


def test_lease_used_after_its_end_is_found_and_shrunk() -> None:
    program = functools.partial(lead, fenced=False)
    begun = time.monotonic()
    with pytest.raises(sim.Failure, match="was overwritten by the leader of term") as caught:
        SLOW.explore(program)
    failure = caught.value
    print(f"found and shrunk after {failure.runs} runs, in {time.monotonic() - begun:.2f} s")
    assert "stall:" in failure.schedule and len(failure.schedule.split()) <= 5
    assert "pauses for" in failure.shrunk_trace
    replays(SLOW, failure, program)


def test_leader_with_fencing_numbers_passes_all_seeds() -> None:
    assert SLOW.explore(functools.partial(lead, fenced=True), range(100)) == 100


CHILD = """
from mf_smem import sim
import mf_smem, contextlib

async def program(rank):
    pool = await rank.open_pool(256)
    for turn in range(5):
        with contextlib.suppress(mf_smem.Error):
            await pool.put(bytes(48), pool.address(rank.choose(4)) + 8, wait=False)
            await pool.atomic(pool.address((rank.number + 1) % 4), "add", 1)
            await rank.store.add("turns", 1)
    with contextlib.suppress(mf_smem.Error):
        await rank.barrier("done", timeout=1)

world = sim.World(4, deaths=1, losses=(0.1, 1e-3), stalls=(0.1, 1e-3), cuts=(1, 0.1))
for seed in range(20):
    print(world.run(program, seed).trace)
"""


def test_same_seed_gives_the_same_trace_in_every_process() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", CHILD],
            env=ranks.plain_environment(PYTHONHASHSEED=str(number)), capture_output=True, text=True, timeout=120, check=True,
        ).stdout
        for number in (1, 2)
    ]  # fmt: skip
    assert printed[0] == printed[1] and "dies" in printed[0] and "is cut off" in printed[0]


def test_thousand_ranks_join_and_meet() -> None:
    async def program(rank: sim.Rank) -> int:
        pool = await rank.open_pool(64)
        await rank.barrier("joined")
        await pool.put(rank.number.to_bytes(8, "little"), pool.address((rank.number + 1) % rank.ranks))
        await rank.barrier("written")
        return int.from_bytes(await pool.read(pool.address(), 8), "little")

    run = sim.World(1000).run(program, 1)
    assert run.failure is None
    assert run.returned == {rank: (rank - 1) % 1000 for rank in range(1000)}


def test_put_to_a_dead_rank_names_it() -> None:
    async def program(rank: sim.Rank) -> str | None:
        pool = await rank.open_pool(64)
        await rank.sleep(1)
        if rank.number == 1:
            return None
        with pytest.raises(mf_smem.NotConnectedError, match="rank 1 has died"):
            await pool.put(b"hello", pool.address(1))
        with pytest.raises(mf_smem.TimedOutError, match=r"1 of 2 members are missing: rank 1 \(lost\)"):
            await rank.barrier("end", timeout=10)
        return "survived"

    run = sim.World(2, deaths=1).replay(program, "death:0:0=2 death-step:0:0=2")
    assert (run.failure, run.died, run.returned) == (None, [1], {0: "survived"})
    assert run.memory(1) is None and run.memory(0) == bytes(64)


def test_store_cache_and_messages() -> None:
    async def program(rank: sim.Rank) -> None:
        store, cache = rank.store, rank.cache
        assert await store.allgather(f"from {rank.number}") == [b"from 0", b"from 1"]
        async with store.lock("turn") as fencing:
            assert rank.shared.setdefault("fencing", 0) < fencing
            rank.shared["fencing"] = fencing
        assert await store.append("log", "ab") in (2, 4)
        await store.set(f"mine/{rank.number}", b"1", session=True)
        await store.barrier()
        assert [(entry.key, entry.owner) for entry in await store.list("mine/")] == [("mine/0", 0), ("mine/1", 1)]
        assert await store.get("log") == b"abab" and await store.entry("none") is None and await store.members() == [0, 1]
        await store.barrier()
        if rank.number == 0:
            await cache.put("block", bytes([5]) * 32)
            await rank.notify(1, "there")
            return
        assert await rank.receive() == (0, b"there")
        lease = await cache.lease("block", 1.0)
        assert lease is not None and lease.is_valid and lease.nbytes == 32 and 0 < lease.seconds_left <= 1
        with pytest.raises(mf_smem.InUseError):
            await cache.remove("block", unless_leased=True)
        assert await cache.remove("block") and await cache.get("block") is None
        assert await lease.read() == bytes([5]) * 32
        await rank.sleep(1.5)
        assert not lease.is_valid and await lease.read() == bytes([0xDD]) * 32
        with pytest.raises(mf_smem.TimedOutError):
            await rank.receive(timeout=0.1)

    assert sim.World(2, losses=(0.05, MILLI)).explore(program, range(50)) == 50


def test_signals_and_words() -> None:
    async def program(rank: sim.Rank) -> None:
        pool = await rank.open_pool(64)
        await rank.barrier()
        if rank.number == 0:
            await pool.put_signal(b"x" * 32, pool.address(1), pool.address(1) + 56, 3, op="add", wait=False)
            await pool.wait()
        else:
            assert await pool.wait_signal(pool.address() + 56, 3, compare="==") == 3
            assert await pool.read(pool.address(), 32) == b"x" * 32
        task = rank.spawn(pool.atomic(pool.address(0) + 40, "add", 2))
        assert await task.join() in (0, 2)
        await rank.barrier()
        assert await pool.atomic(pool.address(0) + 40, "fetch") == 4
        await rank.barrier()
        await pool.leave()

    assert sim.World(2).explore(program, range(50)) == 50


def test_tasks_end_with_their_rank_and_finally_may_await() -> None:
    async def program(rank: sim.Rank) -> None:
        async def ticker() -> None:
            try:
                while True:
                    await rank.sleep(0.1)
                    rank.shared["ticks"] = rank.shared.get("ticks", 0) + 1
            finally:
                # The world stands still by now.
                await rank.pause()

        rank.spawn(ticker())
        await rank.sleep(1)

    run = sim.World(1).run(program, 1)
    assert run.failure is None and 8 <= run.shared["ticks"] <= 10


def test_checks_judge_runs() -> None:
    async def program(rank: sim.Rank) -> int:
        await rank.pause()
        return rank.choose(9)

    def check(run: sim.Run) -> str | None:
        total = sum(run.returned.values())
        return f"the sum is {total}" if total > 7 else None

    with pytest.raises(sim.Failure, match="check: the sum is 8") as caught:
        sim.World(2).explore(program, range(100), check)
    assert caught.value.shrunk_reason == "check: the sum is 8" and "number drawn by rank" in str(caught.value)
    with pytest.raises(sim.Failure, match="it returned False"):
        sim.World(2).explore(program, range(3), lambda run: False)


def test_program_that_never_returns_fails() -> None:
    async def program(rank: sim.Rank) -> None:
        await rank.store.get("never", timeout=1e6)

    run = sim.World(1, horizon=100).run(program, 1)
    assert run.failure == (
        "rank 0 did not return: it waits for store wait \"never\"; the horizon of the world was reached"
    )


def test_program_that_is_not_deterministic_is_reported() -> None:
    count = iter(range(1000))

    async def program(rank: sim.Rank) -> None:
        await rank.pause()
        assert next(count) != 4

    with pytest.raises(sim.Failure, match="depends on something that is not simulated") as caught:
        sim.World(1).explore(program)
    assert caught.value.seed == 4 and caught.value.schedule == ""


def test_mistakes_of_programs_are_explained() -> None:
    class Other:
        def __await__(self) -> Any:
            yield self

    async def awaits_another(rank: sim.Rank) -> None:
        await Other()

    run = sim.World(1).run(awaits_another, 1)
    assert run.failure is not None and "can await only methods of its rank" in run.failure

    async def wrong_arguments(rank: sim.Rank) -> None:
        pool = await rank.open_pool(64)
        for call in (
            lambda: pool.atomic(pool.address(), "nand", 1),
            lambda: pool.atomic(pool.address() + 4, "add", 1),
            lambda: pool.atomic(pool.address(), "add", -1),
            lambda: pool.put(bytes(65), pool.address()),
            lambda: pool.wait_signal(pool.address(), 1, compare="~"),
            lambda: pool.put_signal(b"", pool.address(), pool.address(), op="xor"),  # type: ignore[arg-type]
            lambda: rank.notify(7, b""),
            lambda: rank.sleep(-1),
        ):
            with pytest.raises(mf_smem.InvalidParamError):
                await call()
        with pytest.raises(mf_smem.RepeatError):
            await rank.open_pool(64)

    assert sim.World(1).run(wrong_arguments, 1).failure is None
    for wrong in ({"ranks": 0}, {"ranks": 1, "delays": (2.0, 1.0)}, {"ranks": 1, "horizon": -1.0}):
        with pytest.raises(mf_smem.InvalidParamError):
            sim.World(**wrong)
    with pytest.raises(mf_smem.InvalidParamError, match='invalid choice "speed:1:2=3" in a schedule'):
        sim.World(1).replay(wrong_arguments, "speed:1:2=3")


def test_interrupt_ends_exploring() -> None:
    async def program(rank: sim.Rank) -> None:
        await rank.pause()
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        sim.World(1).explore(program)
        pytest.fail("it was swallowed")
