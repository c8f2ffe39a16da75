#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the newest released packages of others with this tree: upstream.py [--libraries FOLDER] [--work FOLDER] [PACKAGE…].

Reads the table of tests/upstream/README.md. For each row with a package it asks the registry for the newest version, says whether
it is newer than the row, downloads it, and prints the functions of its C libraries and the public Python names that nothing here
has. Symbols are compared with those of our libraries in FOLDER (target/release), which `scripts/run` builds; only those with the
prefixes of PREFIXES are compared. A Python name counts as known where it occurs in the sources of our packages, so that names of other
meanings hide new ones. The exit status is 0, also where the registry does not answer; 2 for wrong arguments.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests/upstream/README.md"
#: Prefixes of the functions of C interfaces that ours offers, by package.
PREFIXES = {"memfabric_hybrid": ("smem_", "hybm_", "ptracer_", "acc_", "shm_")}
#: Our libraries with such functions.
LIBRARIES = ("libmf_smem.so", "libmf_hybm_core.so", "libmf_acc_offload.so")
#: Top-level Python modules with names that ours offers, by package.
MODULES = {"memfabric_hybrid": ("memfabric_hybrid",)}


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    interface: str
    package: str
    seen: str
    date: str


def rows(text: str) -> list[Row]:
    """The rows of the table in a page."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5 and cells[0] != "interface" and not set(cells[0]) <= {"-"}:
            found.append(Row(*cells[:4]))
    return found


def newest(package: str) -> str | None:
    """Returns the newest version on the registry, or None if it does not answer or lacks the package."""
    command = [sys.executable, "-m", "pip", "index", "versions", package, "--disable-pip-version-check"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.match(r"\S+ \(([^)]+)\)", done.stdout)
    return match.group(1) if done.returncode == 0 and match else None


def download(package: str, version: str, folder: Path) -> Path | None:
    """Unpacks the wheel of a version. None if there is no wheel for this machine."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    try:
        done = subprocess.run([*command, f"{package}=={version}"], capture_output=True, text=True, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode != 0 or wheel is None:
        return None
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    return unpacked


def symbols(library: Path) -> set[str]:
    """The functions that a library exports."""
    done = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=False)
    return {fields[2].split("@")[0] for line in done.stdout.splitlines() if len(fields := line.split()) == 3 and fields[1] in "TW"}


def exported(folder: Path, prefixes: tuple[str, ...]) -> set[str]:
    """The functions with these prefixes of all libraries below a folder."""
    libraries = [path for path in folder.rglob("*.so*") if path.is_file()]
    return {name for library in libraries for name in symbols(library) if name.startswith(prefixes)}


def public_names(source: str) -> set[str]:
    """The public names that a module defines at its top, and the methods of its public classes as CLASS.METHOD."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            methods = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
            found |= {f"{node.name}.{method.name}" for method in methods}
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in found if not any(part.startswith("_") for part in name.split("."))}


def identifiers() -> set[str]:
    """All words of the Python and Rust sources of our packages."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "python"]
    files = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    texts = [(ROOT / name).read_text(errors="replace") for name in files if name.endswith((".py", ".pyi", ".rs"))]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def python_news(unpacked: Path, modules: tuple[str, ...], known: set[str]) -> list[str]:
    """The public names of these modules that are unknown, as FILE: NAME."""
    news = []
    for module in modules:
        for path in sorted([*unpacked.glob(f"{module}/**/*.py"), *unpacked.glob(f"{module}/**/*.pyi")]):
            if path.name.startswith("_") and path.stem != "__init__":
                continue
            try:
                names = public_names(path.read_text(errors="replace"))
            except SyntaxError:
                continue
            unknown = sorted(name for name in names if any(part not in known for part in name.split(".")))
            news += [f"{path.relative_to(unpacked)}: {name}" for name in unknown]
    return news


def compare(row: Row, libraries: Path, work: Path) -> None:
    """Prints the news of one row."""
    version = newest(row.package)
    if version is None:
        print(f"{row.package}: the registry does not answer")
        return
    state = "as in the table" if version == row.seen else f"the table has {row.seen}, of {row.date}"
    print(f"{row.package} {version}: {state}")
    prefixes, modules = PREFIXES.get(row.package, ()), MODULES.get(row.package, ())
    if not prefixes and not modules:
        return
    folder = work / row.package
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    unpacked = download(row.package, version, folder)
    if unpacked is None:
        print("  there is no wheel for this machine")
        return
    ours = [path for name in LIBRARIES if (path := libraries / name).is_file()]
    if shutil.which("nm") is None:
        print("  skip symbols: nm is not here (Debian: apt-get install binutils)")
    elif not ours:
        print(f"  skip symbols: {LIBRARIES[0]} is not in {libraries}; scripts/run builds it")
    else:
        known = {name for library in ours for name in symbols(library)}
        report("symbols", sorted(exported(unpacked, prefixes) - known))
    report("Python names", python_news(unpacked, modules, identifiers()))


def report(what: str, news: list[str]) -> None:
    """Prints a list of news."""
    print(f"  {what}: {len(news) or 'nothing'} new")
    for name in news:
        print(f"    {name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0], epilog=(__doc__ or "").split("\n\n", 1)[1])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these rows (default: all with a package)")
    parser.add_argument("--libraries", type=Path, default=ROOT / "target/release", help="folder with our libraries")
    parser.add_argument("--work", type=Path, help="folder for downloads (default: a temporary one)")
    arguments = parser.parse_args()
    found = [row for row in rows(TABLE.read_text()) if row.package != "-"]
    unknown = set(arguments.packages) - {row.package for row in found}
    if unknown:
        parser.error(f"the table has no package {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as temporary:
        for row in found:
            if not arguments.packages or row.package in arguments.packages:
                compare(row, arguments.libraries, arguments.work or Path(temporary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
