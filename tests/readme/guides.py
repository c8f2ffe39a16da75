# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes one shell script of the blocks of the guides in docs/: guides.py PAGE… FOLDER. A block runs in a shell of its own.

`sh` is run as it stands, `python` as a program of two ranks, `c` is compiled and run; the blocks of a page share a folder,
which has the entries of the root of the tree. Notes in comments before a block give facts for the test:

    not run: REASON       its needs are not met in tests; printed and counted
    run by: FILE          the test that runs it: the commands of mf, programs, settings and calls of the block are in it
    part of: FILE         its lines stand in that file in this order; … marks omitted parts
    file: NAME            it is that file, for the blocks behind it
    before: LINES         lines in front of it; after: LINES, behind it
    with: COMMAND         starts the program, in place of `mf run -n 2 --`; empty: nothing
    needs: TOOL           it is not run without this program
    until: COMMAND        it goes on in the background, till the end of the page, once this command succeeds
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from blocks import COMMAND, Block, parse

ROOT = Path(__file__).resolve().parents[2]
NOTES = {"not run", "run by", "part of", "file", "before", "after", "with", "needs", "until"}
RUN = {"sh", "python", "c"}
SHOWN = {"text", "json", "yaml", "toml", "ini"}
SOURCE = {"cpp", "rust"}


def parts_of(block: Block, file: Path) -> str | None:
    """The first line of the block that is not in the file, behind the lines before it; None when all are."""
    plain = [re.sub(r"\s+", " ", line).strip() for line in file.read_text().splitlines()]
    at = 0
    for line in block.text.splitlines():
        # Remarks for the reader beside the line are not in the file.
        line = re.sub(r"\s*(//|#) .*|\s*/\*.*\*/\s*$", "", line).strip()
        pieces = [re.sub(r"\s+", " ", piece).strip() for piece in line.split("…")]
        if not any(pieces):
            continue
        for there in range(at, len(plain)):
            if all(piece in plain[there] for piece in pieces):
                at = there
                break
        else:
            return line
    return None


def not_run_by(block: Block, file: Path) -> list[str]:
    """Parts of the block that are missing from the test: words and options of `mf`, programs, settings, calls."""
    text, missing = file.read_text(), []
    for line in block.text.splitlines():
        line = re.sub(r"(^|\s)#.*", "", line)
        words = re.findall(r"\bMF_\w+|(?<=\.)\w+(?=\()|(?<=/)[\w-]+\.(?:py|cpp|c|sh)\b", line)
        for command in re.findall(r"(?:^|(?<=\s))mf ([^&|;]*)", line):
            own = command.split(" -- ")[0]
            words += re.findall(r"^[a-z]+(?: [a-z]+)?(?=\s|$)", own) + re.findall(r"--[a-z][a-z-]+", own)
        missing += [word for word in " ".join(words).split() if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]
    return missing


def wrong_with(page: Path, block: Block) -> str | None:
    """Why a block is in no test, or cannot be."""
    if re.search(r"\bln -\w*s", block.notes.get("before", "")):
        return "it makes a link, through which a later block could write to the machine: copy instead"
    unknown = set(block.notes) - NOTES
    if unknown:
        return f"there is no note {', '.join(sorted(unknown))}"
    if not block.language:
        return "it names no language"
    if block.language not in RUN | SHOWN | SOURCE:
        return f'nothing runs a block in "{block.language}"'
    named = block.notes.get("run by") or block.notes.get("part of")
    if named and not (ROOT / named).is_file():
        return f"there is no {named}"
    if "run by" in block.notes and (missing := not_run_by(block, ROOT / named)):
        return f"{named} does not have {', '.join(missing)}, so it does not run the block"
    if "part of" in block.notes:
        missing = parts_of(block, ROOT / named)
        return missing and f"`{missing}` is not in {named}, or elsewhere"
    if block.language == "text" and any(COMMAND.match(line.lstrip(" $#")) for line in block.text.splitlines()):
        return "a picture with a command in it, which nothing runs"
    if block.language in SOURCE and not (block.reason or named or "file" in block.notes):
        return f"nothing compiles a block in \"{block.language}\": it is part of a file, a file, or says why not"
    return None


def commands(block: Block, place: str, file: Path) -> list[str]:
    """The block's work as a shell script."""
    text = "".join(f"{part}\n" for part in (block.notes.get("before", ""), block.text.rstrip("\n"), block.notes.get("after", "")) if part)
    if name := block.notes.get("file"):
        return [f"cp {shlex.quote(str(file))} {shlex.quote(name)}"]
    start = block.notes.get("with", "mf run -n 2 --")
    if block.language == "python":
        file.write_text(text)
        return [f'{start} python3 "$readme/run_python.py" {shlex.quote(str(file))}']
    if block.language == "c":
        file.write_text(text)
        return [f'cc -Wall -Werror {shlex.quote(str(file))} $installed -o block', f"{start} ./block"]
    if re.search(r"# on \d+\.\d+\.\d+\.\d+", text):
        return [f"on_machines {shlex.quote(str(file))}"]
    return [text.rstrip("\n")]


def session(pages: list[Path], folder: Path) -> list[str]:
    """The script, line by line."""
    script = [f'. "{Path(__file__).resolve().parent}/session.sh"', f"guides_begin {shlex.quote(str(ROOT))} {shlex.quote(str(folder))}"]
    for page in pages:
        blocks, _ = parse(page)
        name = page
        script.append(f"page {page.stem}")
        for block in blocks:
            place = shlex.quote(f"{name}:{block.line}")
            if block.reason is not None:
                script.append(f"not_run {place} {shlex.quote(block.reason)}")
            elif "run by" in block.notes or "part of" in block.notes:
                script.append("by_another")
            elif block.language in RUN or "file" in block.notes:
                file = folder / f"{page.stem}-{block.line}.{block.language}"
                file.write_text(block.text)
                lines = folder / f"{page.stem}-{block.line}.commands"
                lines.write_text("\n".join([*commands(block, place, file), ""]))
                needs, until = (shlex.quote(block.notes.get(note, "")) for note in ("needs", "until"))
                script.append(f"guide {place} {shlex.quote(str(lines))} {needs} {until}")
    return [*script, "guides_end"]


def check(pages: list[Path]) -> list[str]:
    """Defects of the blocks, as texts."""
    found = []
    for page in pages:
        for block in parse(page)[0]:
            if problem := wrong_with(page, block):
                found.append(f"{page}:{block.line}: {problem}")
    return found


def main() -> None:
    pages, folder = [Path(name) for name in sys.argv[1:-1]], Path(sys.argv[-1]).resolve()
    wrong = check(pages)
    if wrong:
        raise SystemExit("\n".join(wrong))
    sys.stdout.write("\n".join([*session(pages, folder), ""]))


if __name__ == "__main__":
    main()
