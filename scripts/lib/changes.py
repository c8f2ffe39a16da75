#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes of changes: files in changes/, joined into CHANGELOG.md at a release. changes/README.md has the format.

changes.py check                      every file is well-formed, and so are the sections of CHANGELOG.md
changes.py join VERSION YYYY-MM-DD    writes the files into a section of CHANGELOG.md, and removes them
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME, WIDTH, MOST_ITEMS = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.md"), 140, 5
# Items of a section; more give a warning.
MOST_OF_A_VERSION = 15
SECTION = re.compile(r"## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)")


def files(root: Path) -> list[Path]:
    """The notes, in the order of their names."""
    return sorted(file for file in (root / "changes").glob("*") if file.name != "README.md")


def items(text: str) -> int:
    return sum(line.startswith("- ") for line in text.splitlines())


def defects(file: Path) -> list[str]:
    """Deviations of a note from the format."""
    if not NAME.fullmatch(file.name):
        return [f"{file.name}: lower case, digits and hyphens, with the ending .md"]
    text = file.read_text()
    wrong = [] if text.endswith("\n") and not text.endswith("\n\n") else [f"{file.name}: one line break at its end"]
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDTH:
            wrong.append(f"{file.name}:{number}: {len(line)} characters, at most {WIDTH}")
        if not re.match(r"- \S|  \S", line) or (number == 1 and not line.startswith("- ")):
            wrong.append(f'{file.name}:{number}: neither an item ("- …") nor a further line of one (two spaces)')
    if not 1 <= items(text) <= MOST_ITEMS:
        wrong.append(f"{file.name}: {items(text)} items, and 1 to {MOST_ITEMS} are allowed")
    return wrong


def log_defects(root: Path) -> list[str]:
    """Deviations of CHANGELOG.md: sections with version and date, the newest first."""
    wrong, versions = [], []
    for number, line in enumerate((root / "CHANGELOG.md").read_text().splitlines(), 1):
        if line.startswith("#") and number > 1:
            if found := SECTION.fullmatch(line):
                versions.append(tuple(map(int, found.group(1).split("."))))
            else:
                wrong.append(f'CHANGELOG.md:{number}: no "## VERSION (YYYY-MM-DD)"')
    if versions != sorted(set(versions), reverse=True):
        wrong.append("CHANGELOG.md: each version once, the newest first")
    return wrong


def check(root: Path) -> list[str]:
    return [f"changes/{line}" for file in files(root) for line in defects(file)] + log_defects(root)


def join(root: Path, version: str, day: str) -> None:
    """Writes the section of a version in front of the others, or adds to an existing one."""
    date.fromisoformat(day)
    notes, log = files(root), root / "CHANGELOG.md"
    if not notes:
        sys.exit("changes/ has no files: there is nothing to release")
    text, added = log.read_text(), "".join(file.read_text() for file in notes)
    head = f"## {version} ({day})"
    if not SECTION.fullmatch(head):
        sys.exit(f"invalid version {version}: three numbers with dots between them")
    there = re.search(rf"^## {re.escape(version)} \(.*\)\n\n((?:.+\n)*)", text, re.MULTILINE)
    if there:
        section, place = there.group(1) + added, there.span()
        text = f"{text[:place[0]]}{head}\n\n{section}{text[place[1]:]}"
    else:
        section, before = added, re.search(r"^## ", text, re.MULTILINE)
        at = before.start() if before else len(text)
        text = f"{text[:at]}{head}\n\n{section}\n{text[at:]}"
    log.write_text(text)
    for file in notes:
        file.unlink()
    print(f"CHANGELOG.md: {items(section)} items of {version}, {len(notes)} files joined")
    if items(section) > MOST_OF_A_VERSION:
        print(f"more than {MOST_OF_A_VERSION} items: shorten the section of {version} to the most visible ones")


def main() -> int:
    wrong: list[str] = []
    match sys.argv[1:]:
        case ["check"]:
            wrong = check(ROOT)
        case ["join", version, day]:
            if wrong := check(ROOT):
                print("\n".join(wrong), file=sys.stderr)
                return 1
            join(ROOT, version, day)
        case _:
            print(__doc__)
            return 2
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
