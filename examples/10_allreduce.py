# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A kernel of the library: the sum of all ranks' fp16 numbers, on every rank, the same to the last bit.

    MF_DEVICE=sim mf run -n 4 -- python3 examples/10_allreduce.py
"""

import numpy as np

import mf_smem
from mf_smem import kernels

COUNT = 200_001
F16, SUM = 0, 0


def main() -> None:
    with mf_smem.open_share(local_bytes=4 << 20) as share:
        binary = kernels.load()
        own = share.address()
        share.put(numbers(share.rank), own)
        # In place; the kernel begins with a barrier, so no wait is needed here.
        binary.launch("mf_allreduce_two_shot", 8, share.id, 0, 0, COUNT, F16, SUM, memory=share)
        got = np.empty(COUNT, np.float16)
        share.get(own, got)
        # In the order of ranks, in 32 bits, rounded once.
        expected = np.zeros(COUNT, np.float32)
        for rank in range(share.rank_size):
            expected += numbers(rank).astype(np.float32)
        if not np.array_equal(got, expected.astype(np.float16)):
            raise SystemExit("MISMATCH: the sum")
        if len(set(share.all_gather(digest(got)))) != 1:
            raise SystemExit("MISMATCH: ranks have different sums")
        print(f"rank {share.rank}: the sum of {COUNT} fp16 numbers of {share.rank_size} ranks: right")


def numbers(rank: int) -> np.ndarray:
    return np.random.default_rng(rank).standard_normal(COUNT).astype(np.float16)


def digest(array: np.ndarray) -> bytes:
    return np.bitwise_xor.reduce(array.view(np.uint16) * np.arange(1, COUNT + 1, dtype=np.uint64)).tobytes()


if __name__ == "__main__":
    main()
