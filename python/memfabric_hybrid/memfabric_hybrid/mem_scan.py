# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory of this machine by node and process: ``mfcli mem scan``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .cli import run


def show(node: int | None = None, min_mb: int = 1024, workers: int | None = None) -> int:
    """Prints processes with at least `min_mb` MiB on a memory node (None: all), read by so many threads. An exit status."""
    named = {"--node": node, "--min-mb": min_mb, "--workers": workers}
    return main([text for name, value in named.items() if value is not None for text in (name, str(value))])


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``mfcli mem scan`` with these arguments (None: the process's); returns its exit status."""
    return run(["mem", "scan", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    sys.exit(main())
