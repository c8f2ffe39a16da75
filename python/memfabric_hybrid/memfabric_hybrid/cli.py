# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mfcli``: upstream's command line, which is the program ``mf`` of the package mf_smem by another name."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_MISSING = "mfcli: the package mf_smem has no program mf; reinstall it (pip install ./python)"


def program() -> Path | None:
    """The program; None where mf_smem was built without it. Does not load the library."""
    package = importlib.util.find_spec("mf_smem")
    for folder in (package.submodule_search_locations or []) if package else []:
        found = Path(folder, "lib", "mf")
        if os.access(found, os.X_OK):
            return found
    return None


def run(arguments: Sequence[str]) -> int:
    """Runs ``mfcli`` with these arguments, and waits for it; returns its exit status, 1 if it is missing."""
    found = program()
    if found is None:
        print(_MISSING, file=sys.stderr)
        return 1
    return subprocess.run(["mfcli", *arguments], executable=found, check=False).returncode


def main() -> int:
    """Replaces this process by the program; returns an exit status if it is missing."""
    found = program()
    if found is None:
        print(_MISSING, file=sys.stderr)
        return 1
    os.execv(found, ["mfcli", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
