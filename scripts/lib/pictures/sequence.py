# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Actors beside each other, and messages between them, from top to bottom."""

from __future__ import annotations

from .description import Line, Refused
from .drawing import COLOURS, LINE, MARGIN, WIDTH, arrow, box, text_at, wrapped

HEAD_GAP, STEP_GAP, BAR, BOX_PAD = 18, 15, 9, 8


def draw(lines: list[Line]) -> tuple[float, list[str]]:
    """The height of the picture, and its parts."""
    actors = [line for line in lines if line.word == "actor"]
    steps = [line for line in lines if line.word != "actor"]
    column = (WIDTH - 2 * MARGIN) / max(len(actors), 1)
    middle = {line.names[0]: MARGIN + column * (number + 0.5) for number, line in enumerate(actors)}
    width = column - 24
    heads = [
        [(part, number == 0) for number, text in enumerate(line.texts) for part in wrapped(text, width - 16, number == 0)]
        for line in actors
    ]
    top = MARGIN + LINE * max(map(len, heads)) + 16
    y, parts, front = top + HEAD_GAP, [], []
    waits: dict[str, float] = {}
    bars = []

    def centre(line: Line, name: str) -> float:
        if name not in middle:
            raise Refused(line, f"there is no actor {name!r}")
        return middle[name]

    for line in steps:
        if line.word == "step":
            if len(line.names) != 3 or line.names[1] not in ("->", "<->"):
                raise Refused(line, "expected: step NAME -> NAME")
            x1, x2 = centre(line, line.names[0]), centre(line, line.names[2])
            side = 1 if x2 > x1 else -1
            for text in line.texts:
                for part in wrapped(text, abs(x2 - x1) - 28):
                    front.append(text_at((x1 + x2) / 2, y + LINE - 6, part, "halo"))
                    y += LINE
            y += 4
            dashed = line.options.get("style") == "dashed"
            ends = [x1 + side * (BAR / 2 if line.names[0] in waits else 0), x2 - side * (BAR / 2 if line.names[2] in waits else 0)]
            front.append(arrow([(ends[0], y), (ends[1], y)], dashed, line.names[1] == "<->"))
            y += STEP_GAP
        elif line.word == "wait":
            centre(line, line.names[0])
            waits[line.names[0]] = y
        elif line.word == "wake":
            if line.names[0] not in waits:
                raise Refused(line, f"{line.names[0]} does not wait")
            bars.append((middle[line.names[0]], waits.pop(line.names[0]), y - STEP_GAP + 2, line.options.get("style", "strong")))
        elif line.word in ("does", "across"):
            style = line.options.get("style", "plain")
            if style not in COLOURS:
                raise Refused(line, f"unknown style {style!r}")
            if line.word == "does":
                left, wide = centre(line, line.names[0]) - width / 2, width
            else:
                left, wide = MARGIN + 12, WIDTH - 2 * MARGIN - 24
            content = [(part, False) for text in line.texts for part in wrapped(text, wide - 16)]
            height = LINE * len(content) + 2 * BOX_PAD - 4
            front.append(box(left, y, wide, height, style, content))
            y += height + (0 if line.options.get("beside") else STEP_GAP - 3)
            if line.options.get("beside"):
                y -= height
        elif line.word == "gap":
            y += LINE
        else:
            raise Refused(line, f"unknown word {line.word!r}")
    if waits:
        raise Refused(steps[-1], f"{', '.join(waits)} waits without an end")
    for line, texts in zip(actors, heads):
        x = middle[line.names[0]]
        parts.append(f'<line class="life" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{y - STEP_GAP + 6:.1f}"/>')
        parts.append(box(x - width / 2, MARGIN, width, top - MARGIN, line.options.get("style", "process"), texts))
    parts += [box(x - BAR / 2, begin, BAR, end - begin, style, []) for x, begin, end, style in bars]
    return y + MARGIN - STEP_GAP + 8, parts + front
