#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The version of the workspace in the files that repeat it.

versions.py check        every file has the version of Cargo.toml
versions.py set X.Y.Z    writes it to all of them, also to Cargo.toml
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER, MINOR = r"\d+\.\d+\.\d+", r"\d+\.\d+"
WORKSPACE = r'\[workspace\.package\]\nversion = "VERSION"'
# Files, and a pattern in which VERSION stands for the version there, MINOR for its first two numbers.
PLACES = [
    ("Cargo.toml", WORKSPACE),
    # Requirements of crates of this tree.
    ("Cargo.toml", r'\bpath = "[^"]*", version = "VERSION"'),
    ("*/Cargo.toml", r'\bpath = "[^"]*", version = "VERSION"'),
    ("*/*/Cargo.toml", r'\bpath = "[^"]*", version = "VERSION"'),
    ("fuzz/capi/Cargo.toml", r'\nversion = "VERSION"'),
    # Packages of this tree have no source in a lock file.
    ("Cargo.lock", r'\nversion = "VERSION"\n(?!source)'),
    ("fuzz/Cargo.lock", r'\nversion = "(?!0\.0\.0)VERSION"\n(?!source)'),
    ("python/**/pyproject.toml", r'\nversion = "VERSION"'),
    ("python/**/pyproject.toml", r"\+mfVERSION"),
    ("python/**/VERSION", r"\bmfVERSION"),
    ("python/*/*/__init__.py", r'\n__version__ = "VERSION"'),
    # Written by scripts/regen_shmem.
    ("core/capi/include/openshmem/*.h", r'"MF OpenSHMEM VERSION"'),
    ("docs/*.md", r"\+mfVERSION"),
    ("docs/*.md", r"find_package\(mf_smem MINOR "),
    ("tests/install/CMakeLists.txt", r"find_package\(mf_smem MINOR "),
]


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern with the version as its second group."""
    before, word, after = re.split("(VERSION|MINOR)", pattern)
    return re.compile(f"({before})({NUMBER if word == 'VERSION' else MINOR})(?={after})")


def version_of(root: Path) -> str:
    found = compiled(WORKSPACE).search((root / "Cargo.toml").read_text())
    if found is None:
        sys.exit("there is no version in Cargo.toml: [workspace.package] begins with it")
    return found.group(2)


def places(root: Path, version: str) -> Iterator[tuple[Path, re.Pattern[str], str]]:
    """Each file with a pattern of PLACES that has a match there, and the right text of its matches."""
    for names, text in PLACES:
        pattern, right = compiled(text), version.rpartition(".")[0] if "MINOR" in text else version
        yield from ((file, pattern, right) for file in sorted(root.glob(names)) if pattern.search(file.read_text()))


def check(root: Path) -> list[str]:
    return [
        f"{file.relative_to(root)}: version {found.group(2)}, and Cargo.toml has {version_of(root)}: scripts/release version {version_of(root)}"
        for file, pattern, right in places(root, version_of(root))
        for found in pattern.finditer(file.read_text())
        if found.group(2) != right
    ]


def write(root: Path, version: str) -> None:
    if not re.fullmatch(NUMBER, version):
        sys.exit(f"invalid version {version}: three numbers with dots between them")
    for file, pattern, right in places(root, version):
        before = file.read_text()
        after = pattern.sub(rf"\g<1>{right}", before)
        if after != before:
            file.write_text(after)
            print(f"{file.relative_to(root)}: {right}")


def main() -> int:
    match sys.argv[1:]:
        case ["check"]:
            wrong = check(ROOT)
            print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
            return 1 if wrong else 0
        case ["set", version]:
            write(ROOT, version)
            return 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main())
