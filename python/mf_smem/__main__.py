# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``python -m mf_smem`` and the command ``mf``: the program ``mf`` that the package ships."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    """Replaces this process by the program, so that signals and exit status are its own; returns a status if it
    is missing."""
    program = Path(__file__).resolve().parent / "lib" / "mf"
    if not os.access(program, os.X_OK):
        print(f"mf: no program {program}; reinstall the package (pip install ./python)", file=sys.stderr)
        return 1
    os.execv(program, ["mf", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
