# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes one shell script of the blocks of a page: blocks.py PAGE FOLDER. Programs in blocks become files in FOLDER."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

NOT_RUN = re.compile(r"\*Not run in tests: (.+)\*$")
# Text in backquotes is a command if more words follow.
COMMAND = re.compile(r"(scripts/\w+|\.ci/run|mf|mfcli|pip|python3?|cargo|osh(cc|run)|torchrun|target/\S+) \S")
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A note of the page for its tests, which no reader sees: <!-- NAME: TEXT -->, before the block.
NOTE = re.compile(r"<!-- ([a-z ]+?)(?:: ?(.*?))?\s*-->", re.DOTALL)


@dataclass
class Block:
    line: int
    language: str
    text: str
    reason: str | None
    """Why it is not run; None when it is."""
    notes: dict[str, str] = field(default_factory=dict)
    """Comments right before it."""


def parse(page: Path) -> tuple[list[Block], list[tuple[int, str]]]:
    """The blocks, and the lines of text outside with their numbers."""
    blocks: list[Block] = []
    outside: list[tuple[int, str]] = []
    inside: Block | None = None
    before, comment, open_comment = "", "", False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if open_comment or (inside is None and line.startswith("<!--")):
            comment += line + "\n"
            open_comment = not line.rstrip().endswith("-->")
        elif line.lstrip().startswith("```"):
            if inside is None:
                found = NOT_RUN.match(before)
                notes = dict(NOTE.findall(comment))
                reason = notes.get("not run") or (found and found.group(1))
                inside = Block(number, line.strip().strip("`"), "", reason, notes)
            else:
                blocks.append(inside)
                inside = None
            before, comment = "", ""
        elif inside is not None:
            inside.text += line + "\n"
        else:
            outside.append((number, line))
            before = line or before
            if line:
                comment = ""
    if inside is not None:
        raise SystemExit(f"{page}:{inside.line}: this block has no end")
    return blocks, outside


def check(page: Path, blocks: list[Block], outside: list[tuple[int, str]]) -> list[str]:
    """Defects of the page, as texts."""
    wrong = []
    commands = [line.strip() for block in blocks if block.language == "sh" for line in block.text.splitlines()]
    for number, line in outside:
        for code in re.findall(r"`([^`]+)`", line):
            if COMMAND.match(code) and not any(code in command for command in commands):
                wrong.append(f"{page}:{number}: `{code}` is in no block, so nothing runs it")
        for link in LINK.findall(line):
            if ":" not in link and not (page.parent / link.partition("#")[0]).exists():
                wrong.append(f"{page}:{number}: the link {link} leads nowhere")
    for block in blocks:
        if block.language not in ("sh", "python", "text"):
            wrong.append(f"{page}:{block.line}: nothing runs a block in \"{block.language}\"")
        if block.language == "text" and any(COMMAND.match(line.lstrip(" $#")) for line in block.text.splitlines()):
            wrong.append(f"{page}:{block.line}: a picture with a command in it, which nothing runs")
    return wrong


def session(page: Path, blocks: list[Block], folder: Path) -> str:
    """The script."""
    here = Path(__file__).resolve().parent
    script = [f'. "{here}/session.sh"']
    for block in blocks:
        place = f"{page}:{block.line}"
        if block.language == "text":
            continue
        if block.reason is not None:
            script.append(f"not_run '{place}' '{block.reason}'")
            continue
        script.append(f"begin '{place}'")
        file = folder / f"{block.line}.{block.language}"
        file.write_text(block.text)
        if block.language == "python":
            script.append(f'mf run -n 2 -- python3 "{file}"')
        elif re.search(r"# on \d+\.\d+\.\d+\.\d+", block.text):
            script.append(f'on_machines "{file}"')
        else:
            script += [block.text.rstrip("\n"), "[ $? = 0 ]"]
        script.append("end")
    return "\n".join([*script, "finish", ""])


def main() -> None:
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    blocks, outside = parse(page)
    wrong = check(page, blocks, outside)
    if wrong:
        raise SystemExit("\n".join(wrong))
    sys.stdout.write(session(page, blocks, folder))


if __name__ == "__main__":
    main()
