# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Debian packages of a small tree: control files, contents, links between the packages, installation and removal."""

import contextlib
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/lib"), str(ROOT / "tests/release")]
import debian  # noqa: E402
import tree  # noqa: E402
import versions  # noqa: E402

VERSION = f"{versions.version_of(ROOT)}-1"
PREFIX = debian.Layout("x86_64").prefix


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        if not (shutil.which("dpkg-deb") and shutil.which("cc") and platform.machine() == "x86_64"):
            print("skip Debian packages of a small tree: they need dpkg-deb and cc, on x86-64")
            raise unittest.SkipTest
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        tree.make(cls.work / "tree")
        os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
        (cls.work / "out").mkdir()
        cls.made = cls.build(cls.work / "out")
        cls.opened = {}
        for file in cls.made:
            name = file.name.partition("_")[0]
            cls.opened[name] = cls.work / "opened" / name
            cls.opened[name].parent.mkdir(exist_ok=True)
            run("dpkg-deb", "--raw-extract", str(file), str(cls.opened[name]))

    @classmethod
    def build(cls, folder: Path) -> list[Path]:
        with contextlib.redirect_stdout(io.StringIO()):
            return debian.make(cls.work / "tree", folder)

    def field(self, package: str, name: str) -> str:
        return run("dpkg-deb", "--field", str(self.made[debian.PACKAGES.index(package)]), name).strip()

    def files(self) -> dict[str, str]:
        """Each file and link of all packages, with its package."""
        found: dict[str, str] = {}
        for package, root in self.opened.items():
            for path in root.rglob("*"):
                name = str(path.relative_to(root))
                if (path.is_symlink() or path.is_file()) and not name.startswith("DEBIAN/"):
                    self.assertNotIn(name, found, f"in {package} and {found.get(name)}")
                    found[name] = package
        return found

    def test_control_fields(self) -> None:
        for package in debian.PACKAGES:
            self.assertEqual(self.field(package, "Version"), VERSION)
            self.assertEqual(self.field(package, "Architecture"), "amd64")
        self.assertRegex(self.field(debian.LIBRARY, "Depends"), r"^libc6 \(>= 2\.\d+\)$")
        self.assertEqual(self.field(debian.DEV, "Depends"), f"libmemfabric0 (= {VERSION}), {self.field(debian.LIBRARY, 'Depends')}")
        self.assertTrue(self.field(debian.TOOLS, "Depends").startswith(f"libmemfabric0 (= {VERSION}), libc6 (>= "))
        self.assertEqual((self.opened[debian.LIBRARY] / "DEBIAN/triggers").read_text(), "activate-noawait ldconfig\n")
        self.assertEqual((self.opened[debian.LIBRARY] / "DEBIAN/shlibs").read_text(), f"libmf_smem 0 libmemfabric0 (>= {VERSION[:-2]})\n")

    def test_every_file_of_the_tree_is_in_one_package(self) -> None:
        found = self.files()
        for name, package in {
            "usr/lib/x86_64-linux-gnu/libmf_smem.so.0": debian.LIBRARY, f"{PREFIX}/lib/libshmem.so": debian.LIBRARY,
            "usr/lib/x86_64-linux-gnu/libmf_smem.so": debian.DEV, "usr/include/memfabric/smem/host/smem.h": debian.DEV,
            f"{PREFIX}/bin/oshcc": debian.DEV, f"{PREFIX}/bin/mf": debian.TOOLS, "usr/bin/mf": debian.TOOLS, f"{PREFIX}/bin/oshrun": debian.TOOLS,
            "usr/share/man/man1/mf.1.gz": debian.TOOLS, "usr/share/man/man1/mf-perf.1.gz": debian.TOOLS,
            "usr/share/zsh/vendor-completions/_mf": debian.TOOLS, f"{PREFIX}/lib/libascend_sim.so": debian.SIM, "usr/lib/x86_64-linux-gnu/libascend_sim.so": debian.SIM,
            "usr/share/doc/libmemfabric-dev/examples/01_pool.c": debian.DEV,
        }.items():
            self.assertEqual(found.get(name), package, name)
        self.assertNotIn("usr/bin/oshcc", found)

    def test_documents_and_sums(self) -> None:
        for package, root in self.opened.items():
            docs = root / "usr/share/doc" / package
            self.assertIn("License: MIT\n Permission is hereby granted", (docs / "copyright").read_text())
            self.assertIn(f"memfabric-rs ({VERSION})", run("gzip", "-dc", str(docs / "changelog.Debian.gz")))
            self.assertEqual((docs / "third-party-notices.txt.gz").exists(), package != debian.DEV)
            sums = dict(line.split("  ")[::-1] for line in (root / "DEBIAN/md5sums").read_text().splitlines())
            files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts]
            self.assertEqual(sums, {str(path.relative_to(root)): hashlib.md5(path.read_bytes()).hexdigest() for path in files})

    def test_installed_links_lead_to_files_and_removal_leaves_none(self) -> None:
        root = self.work / "root"
        (root / "var/lib/dpkg").mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        # Without the C library in this root.
        dpkg = ["dpkg", f"--root={root}", "--force-depends", "--log=/dev/null"]
        run(*dpkg, "--install", *map(str, self.made))
        links = [path for path in root.rglob("*") if path.is_symlink()]
        self.assertGreater(len(links), 12)
        self.assertEqual([str(path) for path in links if not path.resolve().exists()], [])
        self.assertEqual([str(path) for path in links if not path.resolve().is_relative_to(root)], [])
        self.assertEqual(run(str(root / "usr/bin/mf")), "runs\n")
        program = (root / "usr/bin/mf").resolve()
        for name in ("libmf_smem.so.0", "libmf_smem.so", "libascend_sim.so"):
            self.assertTrue((program.parent.parent / "lib" / name).exists(), name)
        self.assertTrue((program.parent.parent / "include/mf_kernels").is_dir())
        paths = (root / "usr/lib/x86_64-linux-gnu/pkgconfig/mf_smem.pc").read_text()
        self.assertIn("libdir=/usr/lib/x86_64-linux-gnu\nincludedir=/usr/include/memfabric\n", paths)
        run(*dpkg, "--purge", *debian.PACKAGES)
        self.assertFalse((root / "usr").exists())

    def test_same_tree_gives_the_same_packages(self) -> None:
        (self.work / "again").mkdir()
        for first, second in zip(self.made, self.build(self.work / "again")):
            self.assertEqual(first.read_bytes(), second.read_bytes(), first.name)

    def test_file_without_a_place_is_refused(self) -> None:
        with self.assertRaises(SystemExit):
            debian.Layout("x86_64").place("share/something/new")
