#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the result of matmul_allreduce with the expected one; exit status 0 when they agree.

    verify_result.py OUTPUT GOLDEN DTYPE M N K

DTYPE is 1, fp16, or 27, bf16. An element may differ by 1/256 (bf16: 1/128) of the expected one, or of 1 where that is
smaller.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shmem"))
import data  # noqa: E402

TYPES = {1: "float16", 27: "bfloat16"}
TOLERANCES = {1: 1 / 256, 27: 1 / 128}


def main() -> None:
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    dtype, m, n = (int(word) for word in sys.argv[3:6])
    if dtype not in TYPES:
        sys.exit(f"verify_result.py: data type {dtype}: there are 1, fp16, and 27, bf16")
    output, golden = (data.load(pathlib.Path(name), TYPES[dtype]) for name in sys.argv[1:3])
    for name, found in ((sys.argv[1], output), (sys.argv[2], golden)):
        if found.size != m * n:
            sys.exit(f"verify_result.py: {name} has {found.size} elements, and {m} x {n} are {m * n}")
    wrong = ~(data.numpy.abs(output - golden) <= TOLERANCES[dtype] * data.numpy.maximum(data.numpy.abs(golden), 1))
    if wrong.any():
        first = int(wrong.argmax())
        row, column = divmod(first, n)
        sys.exit(
            f"verify_result.py: {int(wrong.sum())} of {m * n} elements are wrong, the first in row {row}, column {column}: "
            f"{output[first]}, expected {golden[first]}"
        )
    print(f"verify_result.py: all {m * n} elements are right")


if __name__ == "__main__":
    main()
