# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Boxes in rows, frames around rows, and arrows between boxes."""

from __future__ import annotations

from dataclasses import dataclass, field

from .description import Line, Refused
from .drawing import LINE, MARGIN, WIDTH, COLOURS, arrow, box, text_at, width_of, wrapped

GAP, PAD = 22, 12
STYLES = {*COLOURS, "space"}


@dataclass
class Element:
    """A box, a frame with rows in it, or empty space; its place is known after the layout."""

    name: str
    texts: list[str]
    style: str
    weight: float
    rows: list["Row"] = field(default_factory=list)
    title_below: bool = False
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0

    def lines(self) -> list[tuple[str, bool]]:
        return [
            (line, number == 0)
            for number, text in enumerate(self.texts)
            for line in wrapped(text, self.width - 2 * PAD, number == 0)
        ]

    def place(self, x: float, y: float, width: float) -> float:
        """Takes a place of this width, and returns the needed height."""
        self.x, self.y, self.width = x, y, width
        if not self.rows:
            self.height = 2 * PAD - 4 + LINE * len(self.lines()) if self.style != "space" else 0
            return self.height
        title = LINE * len(self.lines()) + 4 if self.texts else 0
        top = PAD + (0 if self.title_below else title)
        self.height = top + stacked(self.rows, x + PAD, y + top, width - 2 * PAD) + PAD + title * self.title_below
        return self.height

    def stretch(self, height: float) -> None:
        """Makes a box as high as its row. A frame passes the rest on to its last row."""
        rest, self.height = height - self.height, height
        if self.rows and rest > 0:
            last = self.rows[-1]
            last.stretch(max(element.height for element in last.elements) + rest)

    def svg(self) -> list[str]:
        if self.style == "space":
            return []
        if not self.rows:
            return [box(self.x, self.y, self.width, self.height, self.style, self.lines())]
        parts = [f'<rect class="frame" x="{self.x:.1f}" y="{self.y:.1f}" width="{self.width:.1f}" height="{self.height:.1f}" rx="8"/>']
        lines = self.lines()
        top = self.y + (self.height - PAD - LINE * len(lines) + 4 if self.title_below else PAD)
        for number, (line, bold) in enumerate(lines):
            parts.append(text_at(self.x + PAD, top + LINE * (number + 1) - 5, line, "q b" if bold else "q", "start"))
        return parts + [part for row in self.rows for element in row.elements for part in element.svg()]


@dataclass
class Row:
    space: float
    elements: list[Element] = field(default_factory=list)

    def stretch(self, height: float) -> None:
        for element in self.elements:
            element.stretch(height)


def stacked(rows: list[Row], x: float, y: float, width: float) -> float:
    """Places rows one below the other, and returns their height."""
    begun = y
    for row in rows:
        y += row.space if y != begun else 0
        weights = sum(element.weight for element in row.elements)
        each = (width - GAP * (len(row.elements) - 1)) / weights
        at, height = x, 0.0
        for element in row.elements:
            height = max(height, element.place(at, y, each * element.weight))
            at += each * element.weight + GAP
        row.stretch(height)
        y += height
    return y - begun


def number(line: Line, name: str, default: float) -> float:
    try:
        return float(line.options.get(name, default))
    except ValueError:
        raise Refused(line, f"{name} is not a number") from None


def rows_of(lines: list[Line], named: dict[str, Element]) -> list[Row]:
    rows = []
    for line in lines:
        if line.word != "row":
            raise Refused(line, f"expected a row, found {line.word!r}")
        row = Row(number(line, "space", GAP))
        for child in line.children:
            if child.word not in ("box", "frame", "space"):
                raise Refused(child, f"unknown element {child.word!r}")
            style = "space" if child.word == "space" else child.options.get("style", "plain")
            if style not in STYLES:
                raise Refused(child, f"unknown style {style!r}")
            element = Element(" ".join(child.names), child.texts, style, number(child, "weight", 1))
            element.rows = rows_of(child.children, named)
            element.title_below = child.options.get("title") == "below"
            if element.name in named:
                raise Refused(child, f"{element.name!r} is there twice")
            if element.name:
                named[element.name] = element
            row.elements.append(element)
        if not row.elements:
            raise Refused(line, "a row without elements")
        rows.append(row)
    return rows


def between(line: Line, one: Element, other: Element) -> tuple[list[tuple[float, float]], float, float, str]:
    """Points of an arrow, and the place and anchor of its label. `at` moves it along the shared side, -1 to 1."""
    at = number(line, "at", 0)
    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
    top, bottom = max(one.y, other.y), min(one.y + one.height, other.y + other.height)
    if left < right:
        x = (left + right) / 2 + at * (right - left) / 2
        ends = (one.y + one.height, other.y) if one.y < other.y else (one.y, other.y + other.height)
        if line.options.get("label") == "left":
            return [(x, ends[0]), (x, ends[1])], x - 8, sum(ends) / 2 + 5, "end"
        return [(x, ends[0]), (x, ends[1])], x + 8, sum(ends) / 2 + 5, "start"
    if top < bottom:
        y = (top + bottom) / 2 + at * (bottom - top) / 2
        ends = (one.x + one.width, other.x) if one.x < other.x else (one.x, other.x + other.width)
        return [(ends[0], y), (ends[1], y)], sum(ends) / 2, y - 8, "middle"
    down = one.y < other.y
    begin = (one.x + one.width / 2 + at * one.width / 2, one.y + one.height if down else one.y)
    end = (other.x + other.width / 2 + at * other.width / 2, other.y if down else other.y + other.height)
    middle = (begin[1] + end[1]) / 2
    if line.options.get("by") == "line":
        return [begin, end], (begin[0] + end[0]) / 2, middle - 7, "middle"
    return [begin, (begin[0], middle), (end[0], middle), end], (begin[0] + end[0]) / 2, middle - 7, "middle"


def draw(lines: list[Line]) -> tuple[float, list[str]]:
    """The height of the picture, and its parts."""
    named: dict[str, Element] = {}
    rows = rows_of([line for line in lines if line.word != "arrow"], named)
    height = stacked(rows, MARGIN, MARGIN, WIDTH - 2 * MARGIN) + 2 * MARGIN
    parts = [part for row in rows for element in row.elements for part in element.svg()]
    labels = []
    for line in lines:
        if line.word != "arrow":
            continue
        if len(line.names) != 3 or line.names[1] not in ("->", "<->") or not {line.names[0], line.names[2]} <= named.keys():
            raise Refused(line, "expected: arrow NAME -> NAME, of boxes in this picture")
        points, x, y, anchor = between(line, named[line.names[0]], named[line.names[2]])
        parts.append(arrow(points, line.options.get("style") == "dashed", line.names[1] == "<->"))
        for i, text in enumerate(line.texts):
            top = y - LINE * (len(line.texts) - 1) / 2 if anchor != "middle" else y - LINE * (len(line.texts) - 1)
            start = x if anchor == "start" else x - width_of(text) if anchor == "end" else x - width_of(text) / 2
            if start < 2 or start + width_of(text) > WIDTH - 2:
                raise Refused(line, f"the label {text!r} leaves the picture")
            labels.append(text_at(x, top + i * LINE, text, "halo", anchor))
    return height, parts + labels
