# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A protocol tested by simulation: one rank fills a ring of records in the memory of another, and counts them.

The first version raises the counter without ordering it behind the record. Some seed shows a reader that is too early; the
failing run is shrunk to the one slow message that it needs. The second version passes all seeds.

    python3 examples/simulation.py
"""

from __future__ import annotations

import functools

from mf_smem import sim

SLOTS, RECORD_BYTES, RECORDS = 4, 32, 10
#: The counter behind the slots: of records written, in the memory of the reader; of records read, in the writer's.
COUNTER = SLOTS * RECORD_BYTES


def record(number: int) -> bytes:
    """Returns the bytes of a record; no two records are equal."""
    return b"".join((number << 8 | word).to_bytes(8, "little") for word in range(RECORD_BYTES // 8))


async def write(pool: sim.Pool, fenced: bool) -> None:
    reader, read = pool.address(1), pool.address(0) + COUNTER
    for number in range(RECORDS):
        if number >= SLOTS:
            # The slot is free when the reader has read its last record.
            await pool.wait_signal(read, number - SLOTS + 1)
        await pool.put(record(number), reader + number % SLOTS * RECORD_BYTES, wait=False)
        if fenced:
            await pool.fence()
        await pool.atomic(reader + COUNTER, "add", 1)
    await pool.quiet()


async def read(pool: sim.Pool) -> None:
    own, read = pool.address(1), pool.address(0) + COUNTER
    for number in range(RECORDS):
        await pool.wait_signal(own + COUNTER, number + 1)
        slot = await pool.read(own + number % SLOTS * RECORD_BYTES, RECORD_BYTES)
        assert slot == record(number), f"record {number} was read before it was complete"
        await pool.atomic(read, "add", 1)


async def program(rank: sim.Rank, fenced: bool) -> None:
    """Rank 0 writes, rank 1 reads."""
    pool = await rank.open_pool(COUNTER + 8)
    await rank.barrier("joined")
    await (write(pool, fenced) if rank.number == 0 else read(pool))


def main() -> None:
    world = sim.World(2, delays=(0.01, 1e-3))
    try:
        world.explore(functools.partial(program, fenced=False))
    except sim.Failure as failure:
        print(failure)
        # The same run again, by its seed, and the shortest one, by its schedule.
        assert world.run(functools.partial(program, fenced=False), failure.seed).trace == failure.trace
        assert world.replay(functools.partial(program, fenced=False), failure.schedule).trace == failure.shrunk_trace
    else:
        raise SystemExit("the missing fence was not found")
    runs = world.explore(functools.partial(program, fenced=True), range(200))
    print(f"with a fence: {runs} runs passed")


if __name__ == "__main__":
    main()
