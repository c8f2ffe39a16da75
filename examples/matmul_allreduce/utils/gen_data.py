#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes matrices for matmul_allreduce, and the result that is expected.

    gen_data.py DTYPE RANKS M K N BITS TRANS_A TRANS_B
    gen_data.py COMM_TYPE DTYPE RANKS M N K TRANS_A TRANS_B FOLDER

FOLDER (./out) gets rank_<i>_a.bin, rank_<i>_b.bin (fp16) and golden.bin, the sum of the products. DTYPE is 1, fp16. TRANS_A,
TRANS_B: 1 when a matrix lies in the file by columns. BITS and COMM_TYPE change nothing.
"""

import pathlib
import sys


def arguments(words: list[str]) -> tuple[int, int, int, int, int, bool, bool, pathlib.Path]:
    """dtype, ranks, m, k, n, whether A and B are transposed, and the folder."""
    if len(words) not in (8, 9):
        sys.exit(__doc__)
    try:
        numbers = [int(word) for word in words[:8]]
    except ValueError as error:
        sys.exit(f"gen_data.py: {error}")
    if len(words) == 8:
        dtype, ranks, m, k, n, _, *trans = numbers
    else:
        _, dtype, ranks, m, n, k, *trans = numbers
    if dtype != 1:
        sys.exit(f"gen_data.py: data type {dtype}: only 1, fp16, is there")
    if min(ranks, m, k, n) < 1:
        sys.exit("gen_data.py: numbers of ranks, rows and columns begin at 1")
    folder = pathlib.Path(words[8] if len(words) == 9 else "out")
    return dtype, ranks, m, k, n, bool(trans[0]), bool(trans[1]), folder


def main() -> None:
    _, ranks, m, k, n, trans_a, trans_b, folder = arguments(sys.argv[1:])
    try:
        import numpy
    except ModuleNotFoundError:
        sys.exit("gen_data.py: it needs numpy; install it: python3 -m pip install numpy")
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(1)
    golden = numpy.zeros((m, n), numpy.float32)
    for rank in range(ranks):
        a = random.uniform(-1, 1, (m, k)).astype(numpy.float16)
        b = random.uniform(-1, 1, (k, n)).astype(numpy.float16)
        golden += a.astype(numpy.float32) @ b.astype(numpy.float32)
        (a.T if trans_a else a).tofile(folder / f"rank_{rank}_a.bin")
        (b.T if trans_b else b).tofile(folder / f"rank_{rank}_b.bin")
    golden.astype(numpy.float16).tofile(folder / "golden.bin")
    print(f"gen_data.py: {ranks} x ({m} x {k}) ({k} x {n}) in {folder}")


if __name__ == "__main__":
    main()
