# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Annotations and stubs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import hmc
import memfabric_hybrid
import mf_smem
import mooncake
import pytest

pytest.importorskip("mypy", reason="mypy is not installed: pip install mypy")

PACKAGES = [mf_smem.__name__, memfabric_hybrid.__name__, hmc.__name__, mooncake.__name__]


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_annotations(tmp_path: Path) -> None:
    named = [argument for package in PACKAGES for argument in ("-p", package)]
    done = run("mypy", "--strict", "--cache-dir", str(tmp_path), *named, folder=tmp_path)
    assert done.returncode == 0, done.stdout


def test_stubs(tmp_path: Path) -> None:
    done = run("mypy.stubtest", *PACKAGES, folder=tmp_path)
    assert done.returncode == 0, done.stdout


def test_type_checker_reports_wrong_arguments(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import mf_smem\n"
        "with mf_smem.open_pool(host_bytes=1 << 21) as pool:\n"
        "    pool.put(b'x', pool.address())\n"
        "    pool.put('text', pool.address())\n"
        "    pool.local('disk')\n"
        "import hmc\n"
        "link, device = hmc.CtrlLink(hmc.CtrlTransport.UDS, uds_path='/tmp/x'), hmc.DeviceHint\n"
        "member = hmc.collective.GroupMember.from_dict({})\n"
        "hmc.create_session(buffer_size='1MiB')\n"
    )
    done = run("mypy", "--strict", "--cache-dir", str(tmp_path), str(program), folder=tmp_path)
    wrong = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [line.split(":")[1] for line in wrong] == ["4", "5", "9"], done.stdout
