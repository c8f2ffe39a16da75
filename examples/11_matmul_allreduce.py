# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A layer that is split over the ranks: each multiplies its share of the matrices, and the products are summed on every
rank, while later tiles are still being computed.

    MF_DEVICE=sim mf run -n 2 -- python3 examples/11_matmul_allreduce.py [M K N]

M, K, N: rows of A, columns of A of each rank, columns of B; 96 80 160 unless given.
"""

import sys

import numpy as np

import mf_smem
from mf_smem import kernels


def main() -> None:
    m, k, n = (int(argument) for argument in sys.argv[1:4]) if len(sys.argv) > 3 else (96, 80, 160)
    c_bytes = 2 * m * n
    with mf_smem.open_share(local_bytes=round_up(c_bytes, 2 << 20)) as share:
        binary = kernels.load()
        a, b = share_of(share.rank, m, k, n)
        binary.launch("mf_matmul_allreduce", 4, share.id, 0, a, b, m, k, n, memory=share)
        c = np.empty((m, n), np.float16)
        share.get(share.address(), c)
        worst = verify(c, share.rank_size, m, k, n)
        print(f"rank {share.rank}: C = sum of {share.rank_size} products, {m} x {k} x {n}, error {worst:.1e}: right")
        share.barrier()


def share_of(rank: int, m: int, k: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """A and B of a rank: the columns of the whole A and the rows of the whole B that are its own."""
    random = np.random.default_rng(rank)
    return (
        random.uniform(-1, 1, (m, k)).astype(np.float16),
        random.uniform(-1, 1, (k, n)).astype(np.float16),
    )


def verify(c: np.ndarray, ranks: int, m: int, k: int, n: int) -> float:
    """The largest error, in units of the largest element; ends the program when that is more than rounding explains."""
    expected = np.zeros((m, n))
    for rank in range(ranks):
        a, b = share_of(rank, m, k, n)
        expected += a.astype(np.float64) @ b.astype(np.float64)
    worst = np.abs(c - expected).max() / np.abs(expected).max()
    # Each rank's product and the sum are fp16: half a unit in the last place each.
    if not worst <= (ranks + 1) * 2.0**-11:
        raise SystemExit(f"MISMATCH: the error is {worst:.1e}")
    return worst


def round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


if __name__ == "__main__":
    main()
