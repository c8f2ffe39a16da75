#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the matrices of allgather_matmul, and the products that are expected.

    gen_data.py TYPE PES M K N FOLDER

FOLDER gets a_<pe>.bin, M x K; b_<pe>.bin, K x N; golden_all_<pe>.bin, all A, one below the other; and
golden_out_<pe>.bin, that times the PE's B.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402


def main() -> None:
    kind, pes, (m, k, n), folder = data.arguments(__doc__, "M K N")
    random = data.numpy.random.default_rng(1)
    parts = [data.numbers(random, (m, k), kind) for _ in range(pes)]
    together = data.numpy.concatenate(parts)
    for pe in range(pes):
        b = data.numbers(random, (k, n), kind)
        data.save(folder / f"a_{pe}.bin", parts[pe], kind)
        data.save(folder / f"b_{pe}.bin", b, kind)
        data.save(folder / f"golden_all_{pe}.bin", together, kind)
        data.save(folder / f"golden_out_{pe}.bin", data.product(together, b), kind)


if __name__ == "__main__":
    main()
