# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A kernel of one's own that writes into another rank's memory: every rank sends its numbers, doubled, to the next one.

The kernel is kernels/scaled_shift.cpp, built here by the C++ compiler of the machine, and run on the simulator:

    MF_DEVICE=sim mf run -n 2 -- python3 examples/08_shift.py
"""

import pathlib

import numpy as np

import mf_smem
from mf_smem import kernels

COUNT = 100_003
SOURCE = pathlib.Path(__file__).parent / "kernels" / "scaled_shift.cpp"


def main() -> None:
    with mf_smem.open_share(local_bytes=2 << 20) as share:
        binary = kernels.build(SOURCE)
        mine = numbers(share.rank)
        share.put(mine, share.address())
        dst = mine.nbytes
        # No rank writes into memory that its owner still fills.
        share.barrier()
        binary.launch("scaled_shift", 4, share.id, dst, 0, COUNT, 2.0, memory=share)
        # The kernel ends with a barrier: the previous rank's data is here.
        got = np.empty(COUNT, np.float32)
        share.get(share.address() + dst, got)
        previous = (share.rank - 1) % share.rank_size
        if not np.array_equal(got, 2 * numbers(previous)):
            raise SystemExit(f"MISMATCH: the numbers of rank {previous}")
        print(f"rank {share.rank}: {COUNT} doubled numbers of rank {previous}: right")
        share.barrier()


def numbers(rank: int) -> np.ndarray:
    return np.arange(COUNT, dtype=np.float32) + 1000 * rank


if __name__ == "__main__":
    main()
