# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Signals between kernels: a sum goes round the ranks, each waits only for the one before it.

The kernel is kernels/relay.cpp. What stays the same from launch to launch is that signals keep their values, so the
launches are counted.

    MF_DEVICE=sim mf run -n 4 -- python3 examples/09_signals.py
"""

import pathlib

import numpy as np

import mf_smem
from mf_smem import kernels

COUNT = 5_001
TURNS = 3
SOURCE = pathlib.Path(__file__).parent / "kernels" / "relay.cpp"


def main() -> None:
    with mf_smem.open_share(local_bytes=2 << 20) as share:
        binary = kernels.build(SOURCE)
        own = share.address()
        inbox = 1 << 20
        for turn in range(1, TURNS + 1):
            share.put(numbers(share.rank, turn), own)
            binary.launch("relay", 1, share.id, 0, inbox, COUNT, turn, memory=share)
            if share.rank == 0:
                got = np.empty(COUNT, np.float32)
                share.get(own + inbox, got)
                expected = sum(numbers(rank, turn) for rank in range(share.rank_size))
                if not np.array_equal(got, expected):
                    raise SystemExit(f"MISMATCH: the sum of turn {turn}")
                print(f"rank 0: turn {turn}, the sum of {share.rank_size} ranks: right")
            # No rank starts the next turn with an inbox that is still read.
            share.barrier()
        if share.rank > 0:
            print(f"rank {share.rank}: handed {TURNS} sums on")


def numbers(rank: int, turn: int) -> np.ndarray:
    """Whole numbers, so that the order in which they are added does not count."""
    return (np.arange(COUNT) % 100 + 10 * rank + turn).astype(np.float32)


if __name__ == "__main__":
    main()
