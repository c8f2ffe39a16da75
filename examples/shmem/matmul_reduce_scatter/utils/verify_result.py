#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the results of matmul_reduce_scatter with the expected ones; exit status 0 when they agree.

    verify_result.py TYPE PES M K N FOLDER

To the bit, as the simulator sums; an NPU may take the inner dimension in another order.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402

if __name__ == "__main__":
    kind, pes, _, folder = data.arguments(__doc__, "M K N")
    data.compare(folder, pes, {"out": kind})
