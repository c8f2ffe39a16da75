# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bulletins: how a process sends the names of removed values to the others, as one value in the store.

Names are numbered from 0. A bulletin holds the number of its first name, and the names of the last two
bulletins, as the next one may arrive before it is read. A reader that finds a higher first number than the
next one it expects has missed names.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Sequence

_HEAD, _LENGTH = struct.Struct("<QI"), struct.Struct("<H")
#: Bytes of names in a bulletin, at most.
MOST_BYTES = 256 << 10


class Outbox:
    """Numbers the names of one process, and makes its bulletins."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._next = most_bytes, 0
        self._before: list[bytes] = []

    def skip(self) -> None:
        """Records that names were missed here, so that readers notice."""
        self._next += 1
        self._before = []

    def bulletin(self, names: Sequence[bytes]) -> bytes:
        """Returns the next bulletin. The oldest names beyond the limit are left out, which readers notice."""
        held = deque(self._before + list(names))
        self._next += len(names)
        used = sum(len(name) + _LENGTH.size for name in held)
        while used > self._most:
            used -= len(held.popleft()) + _LENGTH.size
        self._before = list(names)[-len(held) :] if held else []
        parts = [_HEAD.pack(self._next - len(held), len(held))]
        for name in held:
            parts += (_LENGTH.pack(len(name)), name)
        return b"".join(parts)


class Inbox:
    """Reads the bulletins of one process."""

    def __init__(self) -> None:
        self._next = 0

    def read(self, bulletin: bytes) -> tuple[list[bytes], bool]:
        """Returns the new names, and whether some were missed. Raises `ValueError` if it is malformed."""
        try:
            first, count = _HEAD.unpack_from(bulletin)
            names, at = [], _HEAD.size
            for _ in range(count):
                (length,) = _LENGTH.unpack_from(bulletin, at)
                at += _LENGTH.size + length
                if at > len(bulletin):
                    raise ValueError("a name ends beyond the bulletin")
                names.append(bulletin[at - length : at])
        except struct.error as error:
            raise ValueError(str(error)) from None
        missed = first > self._next
        new = names[max(0, self._next - first) :]
        self._next = max(self._next, first + count)
        return new, missed
