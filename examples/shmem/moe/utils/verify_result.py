#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares rows at experts and sums of moe with the expected ones; exit status 0 when they agree.

    verify_result.py TYPE PES TOKENS TOP EXPERTS WIDTH FOLDER
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402

if __name__ == "__main__":
    kind, pes, _, folder = data.arguments(__doc__, "TOKENS TOP EXPERTS WIDTH")
    data.compare(folder, pes, {"received": kind, "out": kind})
