# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the wheels of the package shmem and of mf_smem, which it needs, under the name by which texts about it call this:

    cd src/python && python3 setup.py bdist_wheel && pip install dist/*.whl

Usage: setup.py bdist_wheel [-d FOLDER]     FOLDER: for the wheels, ./dist by default
"""

import subprocess
import sys
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[2] / "python"

match sys.argv[1:]:
    case ["bdist_wheel"]:
        folder = "dist"
    case ["bdist_wheel", "-d" | "--dist-dir", folder]:
        pass
    case ["-h" | "--help"]:
        print(__doc__.strip())
        sys.exit()
    case _:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
command = ["wheel", "--disable-pip-version-check", "--no-deps", "--wheel-dir", folder, PACKAGES, PACKAGES / "cann_shmem"]
sys.exit(subprocess.run([sys.executable, "-m", "pip", *command], check=False).returncode)
