# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Asynchronous batches: every rank queues the exchange of a step, computes on its present data, and waits only
then.

    mf run -n 4 -- python3 examples/04_async_batches.py
"""

from array import array

import mf_smem

NUMBERS = 16 << 10  # that each rank gets from each rank in a step
BYTES = NUMBERS * 8
STEPS = 8
MASK = (1 << 64) - 1


def main() -> None:
    # Two halves: one is read by the others while the next step is put into the other.
    half = 2 << 20
    with mf_smem.open_pool(host_bytes=2 * half) as pool:
        inbox = [array("Q", bytes(BYTES)) for _ in range(pool.world_size)]
        total = 0
        for step in range(STEPS):
            offset = step % 2 * half
            mine = numbers(pool.rank, step)
            pool.put(mine, pool.address() + offset)
            pool.barrier(f"step {step}")

            pool.get_many(((pool.address(rank) + offset, part) for rank, part in enumerate(inbox)), wait=False)
            # The copies are in flight; meanwhile this rank works on its own numbers.
            own = sum(mine)
            pool.wait()

            for rank, part in enumerate(inbox):
                if sum(part) != sum(numbers(rank, step)) or (rank == pool.rank and sum(part) != own):
                    raise SystemExit(f"MISMATCH: numbers of rank {rank} in step {step}")
                total = (total + sum(part)) & MASK
        print(f"rank {pool.rank}: {STEPS} batches of {pool.world_size} pieces of {BYTES} bytes, sum {total:#x}")
        pool.barrier("done")


def numbers(rank: int, step: int) -> "array[int]":
    """Result of a rank in a step."""
    first = (rank << 48 | step << 32) * 0x9E37_79B9_7F4A_7C15
    return array("Q", ((first + i * 0x9E37_79B9_7F4A_7C15) & MASK for i in range(NUMBERS)))


if __name__ == "__main__":
    main()
