# SPDX-License-Identifier: Apache-2.0 OR MIT
"""scripts/release: arguments, checksums, the same bytes in another folder, and the failure of a part."""

import hashlib
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def release(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["scripts/release", *arguments], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment})


class Release(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, name: str, *parts: str) -> dict[str, str]:
        """SHA256SUMS of a release of these parts."""
        done = release("--out", str(self.folder / name), "--only", *parts)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = (self.folder / name / "SHA256SUMS").read_text().splitlines()
        return {line.split("  ")[1]: line.split("  ")[0] for line in lines}

    def test_parts_are_reproducible_and_their_sums_hold(self) -> None:
        first, second = self.make("first", "sbom", "deploy"), self.make("second", "deploy", "sbom")
        self.assertEqual(first, second)
        self.assertEqual(len(first), 3)
        for name, digest in first.items():
            self.assertEqual(hashlib.sha256((self.folder / "first" / name).read_bytes()).hexdigest(), digest)

    def test_part_made_alone_keeps_the_other_files(self) -> None:
        first = self.make("out", "sbom")
        self.assertLess(set(first), set(self.make("out", "deploy")))

    def test_invalid_arguments_are_rejected(self) -> None:
        for arguments in (["nothing"], ["--only"], ["--only", "nothing"], ["--out"], ["version"], ["sbom"]):
            with self.subTest(arguments):
                done = release(*arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("scripts/release", done.stderr)

    def test_part_without_its_tools_names_them_and_fails(self) -> None:
        # A folder with the tools of the script itself, and no compiler for aarch64.
        tools = self.folder / "bin"
        tools.mkdir()
        for name in ("bash", "git", "cargo", "rustc", "tar", "xz", "sha256sum", "python3", "dirname", "sed", "date", "mkdir", "tail", "cut", "sleep", "rm",
                     "grep", "find", "sort", "xargs", "mv", "cat", "env"):
            found = subprocess.run(["which", name], capture_output=True, text=True, check=True).stdout.strip()
            (tools / name).symlink_to(found)
        done = release("--out", str(self.folder / "out"), "--only", "aarch64", PATH=str(tools), CARGO_TARGET_DIR=str(self.folder / "target"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("missing: aarch64-linux-gnu-gcc (it comes with: apt install", done.stderr)
        self.assertIn("FAILED: aarch64", done.stderr)
