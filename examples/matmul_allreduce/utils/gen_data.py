#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes matrices for matmul_allreduce, and the result that is expected.

    gen_data.py DTYPE RANKS M K N BITS TRANS_A TRANS_B
    gen_data.py COMM_TYPE DTYPE RANKS M N K TRANS_A TRANS_B FOLDER

FOLDER (./out) gets rank_<i>_a.bin, rank_<i>_b.bin and golden.bin, the sum of the products. DTYPE is 1, fp16, or 27, bf16.
TRANS_A, TRANS_B: 1 when a matrix lies in the file by columns. BITS and COMM_TYPE change nothing.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shmem"))
import data  # noqa: E402

TYPES = {1: "float16", 27: "bfloat16"}


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
    if dtype not in TYPES:
        sys.exit(f"gen_data.py: data type {dtype}: there are 1, fp16, and 27, bf16")
    if min(ranks, m, k, n) < 1:
        sys.exit("gen_data.py: numbers of ranks, rows and columns begin at 1")
    folder = pathlib.Path(words[8] if len(words) == 9 else "out")
    return dtype, ranks, m, k, n, bool(trans[0]), bool(trans[1]), folder


def main() -> None:
    dtype, ranks, m, k, n, trans_a, trans_b, folder = arguments(sys.argv[1:])
    kind = TYPES[dtype]
    folder.mkdir(parents=True, exist_ok=True)
    random = data.numpy.random.default_rng(1)
    golden = data.numpy.zeros((m, n), data.numpy.float32)
    for rank in range(ranks):
        a = data.rounded(random.uniform(-1, 1, (m, k)), kind)
        b = data.rounded(random.uniform(-1, 1, (k, n)), kind)
        golden += a @ b
        data.save(folder / f"rank_{rank}_a.bin", a.T if trans_a else a, kind)
        data.save(folder / f"rank_{rank}_b.bin", b.T if trans_b else b, kind)
    data.save(folder / "golden.bin", golden, kind)
    print(f"gen_data.py: {ranks} x ({m} x {k}) ({k} x {n}) in {folder}")


if __name__ == "__main__":
    main()
