#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Licence texts and copyright notices of the crates that are compiled into the distributed files: notices.py FILE.

The bill of materials has the same crates. Each text stands once, below the names of all crates that have it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import sbom  # noqa: E402

NAME = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
LINE = "=" * 78


def files(folder: Path) -> list[Path]:
    """Licence files of a crate, in its top folder."""
    return sorted(path for path in folder.iterdir() if path.is_file() and NAME.match(path.name) and path.suffix != ".html")


def standard_library() -> tuple[str, list[Path]]:
    """Rust's standard library; some distributions of the compiler have its texts."""
    one = sbom.standard_library()
    root = Path(subprocess.check_output(["rustc", "--print", "sysroot"], text=True, cwd=sbom.ROOT).strip())
    found = next((files(folder) for folder in (root / "share/doc/rust", root / "share/doc/rustc") if folder.is_dir()), [])
    return f"{one['name']} {one['version']} ({one['licenses'][0]['expression']})", found


def collect() -> tuple[dict[str, list[str]], list[str]]:
    """Texts, each with the crates that have it, and the crates without a text."""
    texts: dict[str, list[str]] = {}
    without = []
    packages = {package["id"]: package for package in sbom.metadata()["packages"]}
    crates = [(f"{package['name']} {package['version']} ({package['license']})", files(Path(package["manifest_path"]).parent))
              for key in sbom.compiled() if (package := packages[key])["source"]]
    for name, found in sorted([*crates, standard_library()]):
        if not found:
            without.append(name)
        for file in found:
            text = file.read_text(errors="replace").strip()
            if name not in (names := texts.setdefault(text, [])):
                names.append(name)
    return texts, without


def text_of(texts: dict[str, list[str]], without: list[str]) -> str:
    parts = ["Notices of software by others that is part of the files of this release.\n"]
    parts += [f"{LINE}\n" + "".join(f"{name}\n" for name in names) + f"{LINE}\n\n{text}\n" for text, names in texts.items()]
    if without:
        parts.append(f"{LINE}\nWithout a text of their own; their licence is in the parentheses\n{LINE}\n\n" + "\n".join(without) + "\n")
    return "\n".join(parts)


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    Path(sys.argv[1]).write_text(text_of(*collect()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
