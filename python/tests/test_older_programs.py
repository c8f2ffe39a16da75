# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The import hook for programs that look for enums in pybind11, with stand-ins for both packages; tests/upstream/enums.sh has the
released ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import ranks

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import memfabric_hybrid
try:
    import _pymmc
except ImportError as error:
    print("refused:", error)
else:
    print("imported,", "mf_pybind_enums" in sys.modules)
"""


def product(folder: Path, version: str | None) -> None:
    """The extension module of a product of this version; None: its version is not known."""
    (folder / "_pymmc.py").touch()
    if version is not None:
        about = folder / f"memcache_hybrid-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: memcache_hybrid\nVersion: {version}\n")


def printed(folder: Path) -> str:
    done = ranks.run_alone(PROGRAM.format(folder=str(folder)), {"PYTHONNOUSERSITE": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("version", ["1.1.6", "1.2.0", "1.2.1.dev3"])
def test_older_products_need_the_package_with_enums(tmp_path: Path, version: str) -> None:
    product(tmp_path, version)
    # Hides an installed one.
    (tmp_path / "mf_pybind_enums.py").write_text("raise ImportError('hidden by the test')\n")
    text = printed(tmp_path)
    for part in (f"refused: memcache_hybrid {version}", "mf_pybind_enums registers", "hidden by the test", "memcache_hybrid 1.3.0"):
        assert part in text, text


def test_the_package_is_loaded_for_an_older_product(tmp_path: Path) -> None:
    product(tmp_path, "1.2.0")
    (tmp_path / "mf_pybind_enums.py").touch()
    assert printed(tmp_path) == "imported, True"


@pytest.mark.parametrize("version", ["1.3.0", "1.10.0", "2.0", None])
def test_other_products_are_left_alone(tmp_path: Path, version: str | None) -> None:
    product(tmp_path, version)
    (tmp_path / "mf_pybind_enums.py").write_text("raise ImportError('hidden by the test')\n")
    assert printed(tmp_path) == "imported, False"
