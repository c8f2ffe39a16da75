#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares Cargo.lock with the copy of advisories in advisories.tsv: advisories.py [LOCK]; the stand-in where the database is not.

Exit status 1 when a version is affected. What only informs (unmaintained) is printed. A copy is as old as its date, which is
printed, too, and the number of crates that it says nothing about: `cargo deny check advisories` asks for all, of today.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COPY = HERE / "advisories.tsv"


def version(text: str) -> tuple[int, ...]:
    """Numbers of a version, three of them; a suffix after a dash or a plus does not count."""
    numbers = [int(number) for number in re.split(r"[-+]", text)[0].split(".")]
    return tuple([*numbers, 0, 0][:3])


def meets(one: str, requirement: str) -> bool:
    operator, wanted = re.fullmatch(r"(>=|<=|>|<|=) *(\S+)", requirement.strip()).groups()
    mine, other = version(one), version(wanted)
    if operator in ("<=", "="):
        # `<= 0.22` has 0.22.9 in it.
        mine = mine[: len(wanted.split("."))]
        other = other[: len(wanted.split("."))]
    return {">=": mine >= other, "<=": mine <= other, ">": mine > other, "<": mine < other, "=": mine == other}[operator]


def among(one: str, ranges: str) -> bool:
    """True if one of the ranges has the version."""
    return any(all(meets(one, part) for part in each.split(",")) for each in ranges.split(" or ") if each.strip())


def affected(one: str, patched: str, unaffected: str) -> bool:
    return not among(one, patched) and not among(one, unaffected)


def locked(lock: Path) -> list[tuple[str, str]]:
    """Names and versions of the packages that come from a registry."""
    blocks = lock.read_text().split("[[package]]")[1:]
    fields = [dict(re.findall(r'^(\w+) = "([^"]*)"', block, re.MULTILINE)) for block in blocks]
    return [(one["name"], one["version"]) for one in fields if "source" in one]


def main() -> int:
    lock = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "Cargo.lock"
    text = COPY.read_text()
    date = re.search(r"^# copied (\S+)", text, re.MULTILINE).group(1)
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    known = {row[1] for row in rows}
    packages, status = locked(lock), 0
    for name, one in packages:
        for row in rows:
            if row[0] == "none" or row[1] != name or not affected(one, row[2], row[3]):
                continue
            only_informs = row[4] in ("unmaintained", "withdrawn")
            if row[4] != "withdrawn":
                print(f"{row[0]}: {name} {one}: {row[5]}" + (" (informs only)" if only_informs else f"; patched: {row[2] or 'nowhere'}"))
            status |= not only_informs
    unknown = len({name for name, _ in packages} - known)
    print(f"advisories: the copy of {date} has {sum(row[0] != 'none' for row in rows)} on {len(known)} crates; it says nothing about {unknown} others")
    return status


if __name__ == "__main__":
    sys.exit(main())
