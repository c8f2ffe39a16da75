# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pictures of docs/ as SVG, from texts."""

from __future__ import annotations

from . import blocks, sequence
from .description import parse
from .drawing import picture


def drawn(text: str) -> str:
    """The SVG of a description. Its head has a title, an alt text and the kind of the picture."""
    lines = parse(text)
    head = {line.word: line for line in lines if line.word in ("title", "alt", "kind")}
    for word in ("title", "alt"):
        if word not in head or not " ".join(head[word].texts):
            raise ValueError(f"there is no {word}")
    kind = head["kind"].names[0] if "kind" in head else "blocks"
    if kind not in ("blocks", "sequence"):
        raise ValueError(f"unknown kind {kind!r}: blocks or sequence")
    body = [line for line in lines if line.word not in head]
    height, parts = (sequence if kind == "sequence" else blocks).draw(body)
    return picture(" ".join(head["title"].texts), " ".join(head["alt"].texts), height, parts)
