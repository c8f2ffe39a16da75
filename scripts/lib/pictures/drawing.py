# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SVG primitives of the pictures: text that wraps, boxes, arrows, and the two sets of colours."""

from __future__ import annotations

import textwrap
from html import escape

WIDTH = 760
MARGIN = 16
SIZE, LINE = 14, 19
FONTS = "'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
# Widths in ems of the widest font above, by kinds of characters: text fits in every other font, too.
NARROW, WIDE = set("iljI.,:;'|![]()ft "), set("mwMWQO@%—")

# Names of boxes' styles, with fill, border and text for light and dark pages.
COLOURS = {
    "plain": ("#ffffff", "#7a8699", "#22303f", "#1f2733", "#7d8da3", "#e3e9f1"),
    "process": ("#e8edf4", "#7a8699", "#22303f", "#2a3543", "#8b9bb2", "#e3e9f1"),
    "memory": ("#d5e8f7", "#2f7fb8", "#12405f", "#16384f", "#56a3d8", "#d9edfb"),
    "strong": ("#fbe3c6", "#c66a10", "#6b3605", "#4a3116", "#e39a4c", "#fbe6cd"),
    "good": ("#d5efe0", "#1f8a5b", "#0d4a30", "#17402f", "#4fbd8c", "#d5f3e4"),
    "bad": ("#f8d9d9", "#b83b3b", "#661a1a", "#4c2424", "#e07d7d", "#f9dede"),
}


def style_sheet() -> str:
    """CSS variables for light pages, and for dark ones after them."""
    sets = []
    for first in (0, 3):
        parts = [f"--{name}-{part}:{colour[first + i]}" for name, colour in COLOURS.items() for i, part in enumerate("fbt")]
        parts += ["--page:#ffffff;--ink:#22303f;--quiet:#5b6778" if first == 0 else "--page:#161c24;--ink:#e3e9f1;--quiet:#a5b2c3"]
        sets.append(";".join(parts))
    rules = [f".{name}{{fill:var(--{name}-f);stroke:var(--{name}-b)}}.{name}-t{{fill:var(--{name}-t)}}" for name in COLOURS]
    return (
        f"svg{{{sets[0]}}}@media(prefers-color-scheme:dark){{svg{{{sets[1]}}}}}"
        f"text{{font:{SIZE}px {FONTS};fill:var(--ink)}}.b{{font-weight:600}}.q{{fill:var(--quiet)}}"
        ".halo{stroke:var(--page);stroke-width:5px;paint-order:stroke;stroke-linejoin:round}"
        ".page{fill:var(--page)}.frame{fill:none;stroke:var(--quiet);stroke-dasharray:5 4}"
        ".line{fill:none;stroke:var(--ink);stroke-width:1.6}.head{fill:var(--ink)}.life{stroke:var(--quiet);stroke-dasharray:3 4}"
        ".dashed{stroke-dasharray:5 4}" + "".join(rules)
    )


def width_of(text: str, bold: bool = False) -> float:
    ems = sum(0.36 if c in NARROW else 0.95 if c in WIDE else 0.7 if c.isupper() else 0.6 for c in text)
    return ems * SIZE * (1.07 if bold else 1.0)


def broken(text: str, width: float, bold: bool) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if width_of(longer, bold) <= width or not line:
            line = longer
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def wrapped(text: str, width: float, bold: bool = False) -> list[str]:
    """Breaks a text into as few lines as fit, of like lengths; a word that does not fit is an error of the description."""
    lines = broken(text, width, bold)
    widest = max(width_of(line, bold) for line in lines)
    if widest > width + 0.5:
        raise ValueError(f"{text!r} is wider than its place ({widest:.0f} of {width:.0f})")
    narrower = width
    while len(even := broken(text, narrower, bold)) == len(lines) and max(width_of(line, bold) for line in even) <= narrower:
        lines, narrower = even, narrower - 8
    return lines


def text_at(x: float, y: float, text: str, classes: str = "", anchor: str = "middle") -> str:
    name = f' class="{classes}"' if classes else ""
    end = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{name}{end}>{escape(text, quote=False)}</text>'


def box(x: float, y: float, width: float, height: float, style: str, lines: list[tuple[str, bool]]) -> str:
    """A rounded box with centred lines; bold ones are titles."""
    parts = [f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6" stroke-width="1.4"/>']
    at = y + (height - LINE * len(lines)) / 2 + LINE - 5
    for number, (line, bold) in enumerate(lines):
        parts.append(text_at(x + width / 2, at + number * LINE, line, f"{style}-t" + (" b" if bold else "")))
    return "".join(parts)


def arrow(points: list[tuple[float, float]], dashed: bool = False, both: bool = False) -> str:
    """A line with a head at its end, or at both."""
    path = " ".join(f"{'M' if i == 0 else 'L'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(points))
    start = ' marker-start="url(#back)"' if both else ""
    return f'<path class="line{" dashed" if dashed else ""}" d="{path}" marker-end="url(#head)"{start}/>'


def picture(title: str, description: str, height: float, parts: list[str]) -> str:
    """The whole file; a tip of an arrow lies on its last point."""
    marker = '<marker id="{0}" viewBox="0 0 10 10" refX="{1}" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="{2}"/></marker>'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}" role="img">\n'
        f"<title>{escape(title, quote=False)}</title>\n<desc>{escape(textwrap.shorten(description, 900), quote=False)}</desc>\n"
        f"<style>{style_sheet()}</style>\n"
        f"<defs>{marker.format('head', 9, 'M0 0L10 5L0 10z')}{marker.format('back', 1, 'M10 0L0 5L10 10z')}</defs>\n"
        f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="8"/>\n{body}\n</svg>\n'
    )
