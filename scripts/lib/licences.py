# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Licences of dependencies: the list in deny.toml, and SPDX expressions compared with it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def allowed() -> set[str]:
    text = (ROOT / "deny.toml").read_text()
    block = re.search(r"^allow = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    if block is None:
        sys.exit("deny.toml has no list of licences")
    return set(re.findall(r'"([^"]+)"', block.group(1)))


def normal(expression: str) -> str:
    """An SPDX expression; Cargo's older form has a slash for OR."""
    return re.sub(r"\s*/\s*", " OR ", expression)


def acceptable(expression: str, licences: set[str]) -> bool:
    """Returns true if the allowed licences satisfy an SPDX expression of names, AND, OR and parentheses."""
    words = re.findall(r"\(|\)|AND|OR|[A-Za-z0-9.+-]+(?: WITH [A-Za-z0-9.-]+)?", normal(expression))
    terms = {"(": "(", ")": ")", "AND": "and", "OR": "or"}
    return bool(eval(" ".join(terms.get(word, str(word in licences)) for word in words)))
