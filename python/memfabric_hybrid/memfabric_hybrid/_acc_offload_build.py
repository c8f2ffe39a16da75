# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels of `offload`, which are part of libmf_smem.so: ``mfcli kernel install`` writes them to files."""

from __future__ import annotations

import sys

from .cli import run


def main() -> int:
    """Runs ``mfcli kernel install`` with the process's arguments; returns its exit status."""
    return run(["kernel", "install", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
