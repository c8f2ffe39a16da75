# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The text from which a picture is drawn: words, names, texts in quotes and options, nested by indentation.

    WORD NAME… "text" "text" option=value
        nested lines
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'\s*(?:"([^"]*)"|(\w+)=(\S+)|(\S+))')


@dataclass
class Line:
    number: int
    word: str
    names: list[str]
    texts: list[str]
    options: dict[str, str]
    children: list["Line"] = field(default_factory=list)


class Refused(Exception):
    """A defect of a description, with its line."""

    def __init__(self, line: Line, text: str) -> None:
        super().__init__(f"line {line.number}: {text}")


def parse(text: str) -> list[Line]:
    """Lines at the left margin, with those below them; lines that begin with # are remarks."""
    top: list[Line] = []
    open_lines: list[tuple[int, list[Line]]] = [(-1, top)]
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        depth = len(raw) - len(raw.lstrip())
        line = Line(number, "", [], [], {})
        for quoted, key, value, plain in TOKEN.findall(raw):
            if key:
                line.options[key] = value
            elif plain:
                line.names.append(plain)
            else:
                line.texts.append(quoted)
        if not line.names:
            raise Refused(line, "expected a word at the beginning of the line")
        line.word = line.names.pop(0)
        while open_lines[-1][0] >= depth:
            open_lines.pop()
        open_lines[-1][1].append(line)
        open_lines.append((depth, line.children))
    return top
