#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the pieces of reduce_scatter, and the sums that are expected.

    gen_data.py TYPE PES COUNT FOLDER

FOLDER gets pieces_<pe>.bin, COUNT elements for each PE, and golden_out_<pe>.bin.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402


def main() -> None:
    kind, pes, (count,), folder = data.arguments(__doc__, "COUNT")
    random = data.numpy.random.default_rng(1)
    pieces = [data.numbers(random, (pes, count), kind) for _ in range(pes)]
    for pe in range(pes):
        data.save(folder / f"pieces_{pe}.bin", pieces[pe], kind)
        total = pieces[0][pe]
        for other in pieces[1:]:
            total = total + other[pe]
        data.save(folder / f"golden_out_{pe}.bin", total, kind)


if __name__ == "__main__":
    main()
