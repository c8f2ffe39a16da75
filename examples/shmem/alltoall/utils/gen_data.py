#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the inputs of alltoall's PEs, and the expected outputs.

    gen_data.py TYPE PES ROWS WIDTH FOLDER

Rows have WIDTH bytes. FOLDER gets equal_<pe>.bin, ROWS rows for each PE; counts_<pe>.bin, an int32 for each PE
from 0 to ROWS, and rows_<pe>.bin, so many rows; and golden_equal_out_<pe>.bin, golden_out_<pe>.bin. TYPE changes
nothing.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402


def main() -> None:
    _, pes, (rows, width), folder = data.arguments(__doc__, "ROWS WIDTH")
    random = data.numpy.random.default_rng(1)
    counts = random.integers(0, rows, (pes, pes), endpoint=True)
    # Nothing at all from the last to the first, and all that fits to itself.
    counts[-1, 0], counts[-1, -1] = (0, rows)
    equal = [[random.bytes(rows * width) for _ in range(pes)] for _ in range(pes)]
    unequal = [[random.bytes(int(count) * width) for count in counts[pe]] for pe in range(pes)]
    for pe in range(pes):
        (folder / f"equal_{pe}.bin").write_bytes(b"".join(equal[pe]))
        (folder / f"rows_{pe}.bin").write_bytes(b"".join(unequal[pe]))
        counts[pe].astype("int32").tofile(folder / f"counts_{pe}.bin")
        (folder / f"golden_equal_out_{pe}.bin").write_bytes(b"".join(sent[pe] for sent in equal))
        (folder / f"golden_out_{pe}.bin").write_bytes(b"".join(sent[pe] for sent in unequal))


if __name__ == "__main__":
    main()
