#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts noun clauses in comments and pages: prose.py [PATH…].

Without arguments: the figures for scripts/budgets/prose, one line per folder above the goal. "NUMBER FOLDER" is the number of
clauses per 10,000 words, "NUMBER FOLDER:asking" the number of comment blocks per 1,000 that begin with a question word. Two
hits per folder are free. With paths: each hit below them, with its place.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from math import ceil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLAUSES_GOAL, ASKING_GOAL, FREE = 15, 30, 2
CLAUSE = re.compile(
    r"\bwhat (is|was|has|it|they|an?|the|others?|this|its|these|one|comes?|becomes?|remains|stands)\b|\b(who|whose)\b"
    r"|\b(the one (that|which|who)|that of|those (of|that|who|which))\b|\b(who|whom|what|which)ever\b|\b(is|are|was|were) none\b",
    re.IGNORECASE,
)
ASKING = re.compile(r"(What|Who|Whose|Where|How|Whether|Whatever|Whoever)\b")
HASH, SLASH, PAGE = (".py", ".pyi", ".sh"), (".rs", ".c", ".h", ".hpp", ".cpp"), (".md",)
GENERATED = re.compile(r"/src/raw/|reference-|-functions\.md")
# Folders of their own in the figures: two levels deep, other top folders as a whole.
DEEP = ("core", "sys", "python", "tests", "device-kernels", "docs")


def files() -> Iterator[Path]:
    listed = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in sorted(set(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split("\n"))):
        if name.endswith(HASH + SLASH + PAGE) and not GENERATED.search(name) and (ROOT / name).is_file():
            yield Path(name)


def comment_of(line: str, marks: str) -> str | None:
    """Text of a line that is a comment, or None."""
    found = re.match(marks, line.strip())
    return None if found is None or "SPDX" in line else line.strip()[found.end():].strip()


def lines_of(path: Path, text: str) -> Iterator[tuple[int, str | None]]:
    """Lines of comments and docstrings with their numbers; None ends a block. Every line of a page counts."""
    is_hash, end = path.suffix in HASH, ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if path.suffix in PAGE:
            yield number, stripped or None
        elif end:
            yield number, stripped.split(end)[0].lstrip("* ").strip()
            end = "" if end in stripped else end
        elif is_hash and path.suffix != ".sh" and (start := re.match(r'[rbf]?"""', stripped)):
            rest = stripped[start.end():]
            end = "" if '"""' in rest else '"""'
            yield number, None
            yield number, rest.split('"""')[0]
        elif not is_hash and stripped.startswith("/*"):
            end = "" if "*/" in stripped else "*/"
            yield number, stripped.split("*/")[0].strip("/* ")
        else:
            yield number, comment_of(line, r"#(?![!\[])" if is_hash else r"//[/!]?")


def blocks(path: Path) -> Iterator[tuple[int, str]]:
    """Blocks of consecutive lines: the number of the first one, and the text."""
    first, words = 0, list[str]()
    for number, line in [*lines_of(path, (ROOT / path).read_text(errors="replace")), (0, None)]:
        if line is None:
            if any(words):
                yield first, " ".join(words).strip()
            words = []
        else:
            first = first if words else number
            words.append(line)


def folder_of(path: Path) -> str:
    return "/".join(path.parts[:2]) if path.parts[0] in DEEP else path.parts[0]


def figures() -> Iterator[str]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for path in files():
        count = counts[folder_of(path)]
        for _, text in blocks(path):
            found = len(CLAUSE.findall(text)), len(text.split()), bool(ASKING.match(text)), 1
            for i, n in enumerate(found):
                count[i] += n
    for folder, (clauses, words, asking, all_blocks) in sorted(counts.items()):
        for where, n, number, goal in (
            (folder, clauses, ceil(clauses * 10_000 / max(words, 1)), CLAUSES_GOAL),
            (f"{folder}:asking", asking, ceil(asking * 1000 / max(all_blocks, 1)), ASKING_GOAL),
        ):
            if n > FREE and number > goal:
                yield f"{number} {where}"


def main() -> None:
    if len(sys.argv) == 1:
        print("\n".join(figures()))
        return
    for path in files():
        if any(str(path) == part.rstrip("/") or str(path).startswith(part.rstrip("/") + "/") for part in sys.argv[1:]):
            for number, text in blocks(path):
                hits = [found.group(0) for found in CLAUSE.finditer(text)]
                if asking := ASKING.match(text):
                    hits.append(f"begins with {asking.group(0)}")
                if hits:
                    print(f"{path}:{number}: {', '.join(hits)}: {text[:120]}")


main()
