# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A Python that has torch: this one, or the system's, which then finds packages of this one."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@functools.cache
def _python() -> str | None:
    for python in (sys.executable, "/usr/bin/python3"):
        command = [python, "-c", "import sys, torch.distributed as d; sys.exit(not d.is_available() or sys.version_info < (3, 10))"]
        if Path(python).exists() and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return python
    return None


def python_with(folder: Path, *packages: ModuleType) -> str:
    """A Python with torch; skips the test without one. The packages are put into `folder`, for PYTHONPATH, so that it finds
    them and nothing else of this Python."""
    found = _python()
    if found is None:
        pytest.skip("torch is not installed: apt-get install python3-torch")
    for package in packages:
        assert package.__file__ is not None
        (folder / package.__name__).symlink_to(Path(package.__file__).parent)
    return found
