#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documentation as a whole.

book.py check           every page of docs/ is in SUMMARY.md once; links and anchors lead somewhere; each block of code is run, or
                        says why not (tests/readme/guides.py), and fits the site; pictures have an alternative text and are
                        those of their descriptions; guides have their sections; messages in troubleshooting.md are in the
                        sources
book.py stage FOLDER    the sources of a book of all pages, including the root's: docs/, README.md and others, and linked files
book.py site FOLDER     links and anchors of a site that was built lead somewhere
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/readme"))
import guides  # noqa: E402

# Pages of the root that the book has, with their titles.
OF_ROOT = {
    "README.md": "Read me", "ARCHITECTURE.md": "Architecture", "GLOSSARY.md": "Glossary", "CONTRIBUTING.md": "Contributing",
    "CHANGELOG.md": "Changes", "RELEASING.md": "Releasing", "SECURITY.md": "Reporting a vulnerability",
}
# Columns of a block of code: as many as the site shows without scrolling at 1,300 pixels (docs/site.css).
COLUMNS = 124
# Sections of a guide, in this order; others may stand between them.
SECTIONS = ["How to choose", "Limits"]
# Pages that are no guides: beginnings, lists, tutorials, figures, references.
NO_GUIDES = {
    "SUMMARY.md", "start.md", "choosing.md", "state.md", "first-operator.md", "hardware-bring-up.md", "packaging.md",
    "settings.md", "errors.md", "top.md", "versioning.md", "proof.md",
}
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    return [*(ROOT / name for name in OF_ROOT), *sorted((ROOT / "docs").glob("*.md"))]


def text_of(page: Path) -> list[str]:
    """The lines outside of blocks and comments; those inside are empty."""
    lines, inside, comment = [], False, False
    for line in page.read_text().splitlines():
        fence = line.lstrip().startswith("```")
        comment = comment or (not inside and line.startswith("<!--"))
        lines.append("" if inside or fence or comment else line)
        inside ^= fence
        comment = comment and not line.rstrip().endswith("-->")
    return lines


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub and mdBook make it."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain.strip().lower().replace("`", "")))


def anchors(page: Path) -> set[str]:
    found: dict[str, int] = {}
    for line in text_of(page):
        if heading := re.match(r"#+ (.*)", line):
            name = slug(heading.group(1))
            found[name] = found.get(name, -1) + 1
            if found[name]:
                found[f"{name}-{found[name]}"] = 0
    return set(found)


def dead_links(page: Path) -> list[str]:
    wrong = []
    for number, line in enumerate(text_of(page), 1):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            name, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", name):
                continue
            target = page.parent / unquote(name) if name else page
            if not target.exists():
                wrong.append(f"{page.relative_to(ROOT)}:{number}: the link {link} leads nowhere")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                wrong.append(f"{page.relative_to(ROOT)}:{number}: there is no heading for {link}")
    return wrong


def summary() -> list[str]:
    named = re.findall(r"\]\(([^)]+)\)", (ROOT / "docs/SUMMARY.md").read_text())
    there = {page.name for page in (ROOT / "docs").glob("*.md")} - {"SUMMARY.md"}
    wrong = [f"docs/SUMMARY.md: {name} is there twice" for name in sorted(set(named)) if named.count(name) > 1]
    return wrong + [f"docs/SUMMARY.md: there is no {name} in it" for name in sorted(there - set(named))]


def messages() -> list[str]:
    """Quoted texts of troubleshooting.md that no source has."""
    files = subprocess.run(["git", "ls-files", "core", "python"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    sources = "".join((ROOT / name).read_text() for name in files if name.endswith((".rs", ".py")) and (ROOT / name).is_file())
    sources = re.sub(r"\\\n\s*", "", sources)
    page = ROOT / "docs/troubleshooting.md"
    quoted = [(number, line[2:]) for number, line in enumerate(text_of(page), 1) if line.startswith("> ")]
    return [f"{page.relative_to(ROOT)}:{number}: no source says \"{text}\"" for number, text in quoted if text not in sources]


def shape(page: Path) -> list[str]:
    """Blocks that are too wide, pictures without a text, and sections that a guide lacks."""
    name, wrong, inside = page.relative_to(ROOT), [], False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif inside and len(line) > COLUMNS:
            wrong.append(f"{name}:{number}: {len(line)} columns in a block of code; the site shows {COLUMNS}")
        elif not inside and "![](" in line:
            wrong.append(f"{name}:{number}: a picture without a text")
    if page.parent != ROOT / "docs" or page.name in NO_GUIDES or page.name.startswith("reference-") or page.name.endswith("-functions.md"):
        return wrong
    headings = [line[3:] for line in text_of(page) if line.startswith("## ")]
    found = [heading for heading in headings if heading in SECTIONS]
    if found != SECTIONS:
        wrong.append(f"{name}: a guide has the sections {', '.join(SECTIONS)}, in this order; here: {', '.join(found) or 'none'}")
    if headings and found and headings[0] != SECTIONS[0] and "```" not in page.read_text().split("\n## ")[1]:
        wrong.append(f"{name}: in front of \"{SECTIONS[0]}\" stand the purpose and the smallest example")
    return wrong


def check() -> list[str]:
    docs = sorted((ROOT / "docs").glob("*.md"))
    wrong = [line for page in pages() for line in dead_links(page) + shape(page)]
    drawn = subprocess.run([ROOT / "scripts/pictures", "--check"], capture_output=True, text=True)
    wrong += drawn.stderr.splitlines()
    return wrong + summary() + messages() + [line.replace(f"{ROOT}/", "") for line in guides.check(docs)]


def staged(name: str) -> str:
    """The name of a page in the book: a README.md would be its beginning."""
    return "read-me.md" if name == "README.md" else name


def stage(folder: Path) -> None:
    """Pages of the root move beside those of docs/; linked files go into files/."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "docs").mkdir(parents=True)
    book = (ROOT / "book.toml").read_text().replace('build-dir = "target/book"', 'build-dir = "book"')
    (folder / "book.toml").write_text(book)
    shutil.copyfile(ROOT / "docs/site.css", folder / "docs/site.css")
    moved = {(ROOT / name).resolve(): staged(name) for name in OF_ROOT} | {page.resolve(): page.name for page in (ROOT / "docs").glob("*.md")}
    for page in pages():

        def new_link(match: re.Match[str], page: Path = page) -> str:
            name, _, anchor = match.group(1).partition("#")
            target = (page.parent / unquote(name)).resolve() if name else None
            if target is None or re.match(r"[a-z]+:", name):
                return match.group(0)
            anchor = f"#{anchor}" if anchor else ""
            if target in moved:
                return f"]({moved[target]}{anchor})"
            if target.is_relative_to(ROOT / "docs"):
                place = target.relative_to(ROOT / "docs")
            else:
                place = Path("files") / target.relative_to(ROOT)
            (folder / "docs" / place).parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                # A site shows no folders: a list of the files there stands for one.
                names = sorted(str(file.relative_to(target)) for file in target.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
                place = Path(f"{place}.txt")
                (folder / "docs" / place).write_text("\n".join([f"{target.relative_to(ROOT)}:", *names, ""]))
            else:
                if target.suffix == ".md":
                    place = place.with_suffix(".txt")
                shutil.copyfile(target, folder / "docs" / place)
            return f"]({place}{anchor})"

        (folder / "docs" / staged(page.name)).write_text(LINK.sub(new_link, page.read_text()))
    with open(folder / "docs/SUMMARY.md", "a") as file:
        file.write("\n# The project\n\n" + "".join(f"- [{title}]({staged(name)})\n" for name, title in OF_ROOT.items()))


def site(folder: Path) -> list[str]:
    ids = {page: set(re.findall(r'\bid="([^"]+)"', page.read_text())) for page in folder.rglob("*.html")}
    wrong = []
    for page in ids:
        if page.name in ("print.html", "toc.html", "404.html"):
            continue
        main = page.read_text().partition("<main>")[2].partition("</main>")[0]
        for link in re.findall(r'href="([^"]+)"', main):
            name, _, anchor = html.unescape(link).partition("#")
            if re.match(r"[a-z]+:", name):
                continue
            target = (page.parent / unquote(name)).resolve() if name else page
            if not target.is_file():
                wrong.append(f"{page.relative_to(folder)}: the link {link} leads nowhere")
            elif anchor and target in ids and unquote(anchor) not in ids[target]:
                wrong.append(f"{page.relative_to(folder)}: there is no heading for {link}")
    return wrong


def main() -> int:
    wrong: list[str] = []
    match sys.argv[1:]:
        case ["check"]:
            wrong = check()
        case ["stage", folder]:
            stage(Path(folder))
        case ["site", folder]:
            wrong = site(Path(folder).resolve())
        case _:
            print(__doc__)
            return 2
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
