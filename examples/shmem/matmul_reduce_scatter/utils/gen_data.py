#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the matrices of matmul_reduce_scatter, and the sums that are expected.

    gen_data.py TYPE PES M K N FOLDER

FOLDER gets a_<pe>.bin, M x K; b_<pe>.bin, K x N; and golden_out_<pe>.bin, the rows of the sum of all products that
fall to the PE: ceil(M / PES) of them, as long as there are so many.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402


def main() -> None:
    kind, pes, (m, k, n), folder = data.arguments(__doc__, "M K N")
    random = data.numpy.random.default_rng(1)
    total = data.numpy.zeros((m, n), data.numpy.float32)
    for pe in range(pes):
        a, b = data.numbers(random, (m, k), kind), data.numbers(random, (k, n), kind)
        data.save(folder / f"a_{pe}.bin", a, kind)
        data.save(folder / f"b_{pe}.bin", b, kind)
        total += data.product(a, b)
    each = -(-m // pes)
    for pe in range(pes):
        data.save(folder / f"golden_out_{pe}.bin", total[pe * each : (pe + 1) * each], kind)


if __name__ == "__main__":
    main()
