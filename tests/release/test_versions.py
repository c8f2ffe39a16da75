# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The version in the files that repeat it: scripts/lib/versions.py on this tree, and on a copy of its files."""

import contextlib
import io
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import versions  # noqa: E402


class Versions(unittest.TestCase):
    def test_files_of_this_tree_agree(self) -> None:
        self.assertEqual(versions.check(ROOT), [])

    def test_set_writes_every_place_and_a_forgotten_one_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            files = {file for file, _, _ in versions.places(ROOT, "0.0.0")}
            for file in files:
                (root / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, root / file.relative_to(ROOT))
            with contextlib.redirect_stdout(io.StringIO()):
                versions.write(root, "9.8.7")
            self.assertEqual((versions.version_of(root), versions.check(root)), ("9.8.7", []))
            for file in files:
                copy = root / file.relative_to(ROOT)
                self.assertNotEqual(copy.read_text(), file.read_text(), copy)
            packages = (root / "Cargo.lock").read_text().split("[[package]]\n")[1:]
            own = [package for package in packages if "\nsource = " not in package]
            self.assertEqual([package for package in packages if '\nversion = "9.8.7"\n' in package], own)
            shutil.copy(ROOT / "python/pyproject.toml", root / "python/pyproject.toml")
            self.assertEqual(len(versions.check(root)), 1)

    def test_invalid_version_is_rejected(self) -> None:
        for text in ("1.0", "v1.0.0", "1.0.0-rc1", ""):
            with self.assertRaises(SystemExit):
                versions.write(ROOT, text)
