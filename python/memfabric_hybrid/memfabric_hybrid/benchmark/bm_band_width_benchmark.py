# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes to the pool of another rank: ``mfcli benchmark write``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..cli import run


def main(argv: Sequence[str] | None = None) -> int:
    """Runs it with these arguments (None: the process's); returns its exit status."""
    return run(["benchmark", "write", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    sys.exit(main())
