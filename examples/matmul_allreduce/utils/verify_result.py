#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the result of matmul_allreduce with the one that is expected; exit status 0 when they agree.

    verify_result.py OUTPUT GOLDEN DTYPE M N K

DTYPE is 1, fp16. An element may differ by 1/256 of the expected one, or of 1 where that is smaller.
"""

import sys

TOLERANCE = 1 / 256


def main() -> None:
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    try:
        import numpy
    except ModuleNotFoundError:
        sys.exit("verify_result.py: it needs numpy; install it: python3 -m pip install numpy")
    output, golden = (numpy.fromfile(name, numpy.float16) for name in sys.argv[1:3])
    dtype, m, n = (int(word) for word in sys.argv[3:6])
    if dtype != 1:
        sys.exit(f"verify_result.py: data type {dtype}: only 1, fp16, is there")
    for name, found in ((sys.argv[1], output), (sys.argv[2], golden)):
        if found.size != m * n:
            sys.exit(f"verify_result.py: {name} has {found.size} elements, and {m} x {n} are {m * n}")
    expected = golden.astype(numpy.float32)
    wrong = ~(numpy.abs(output.astype(numpy.float32) - expected) <= TOLERANCE * numpy.maximum(numpy.abs(expected), 1))
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
