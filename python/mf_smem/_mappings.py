# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mappings of segments that arrays show now, so that the place of an array in them is known."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

from ._mf_smem import MappedPart

#: What names a segment.
Key = TypeVar("Key")


class Mappings(Generic[Key]):
    """Mappings of an object's segments. For any thread."""

    def __init__(self, make: Callable[[Key], MappedPart]) -> None:
        self._make = make
        #: Of the list, for moments.
        self._lock = threading.Lock()
        self._shown: list[tuple[weakref.ref[MappedPart], Key]] = []

    def show(self, key: Key, nbytes: int | None = None) -> MappedPart:
        """A mapping of a segment as it is now. Where that has `nbytes`, and always had the same memory, one that is shown
        already will do."""
        with self._lock:
            self._shown = [shown for shown in self._shown if shown[0]() is not None]
            for reference, shown_key in self._shown:
                part = reference()
                if part is not None and shown_key == key and part.nbytes == nbytes:
                    return part
            part = self._make(key)
            self._shown.append((weakref.ref(part), key))
            return part

    def find(self, address: int, nbytes: int) -> tuple[Key, int] | None:
        """The segment in a mapping of which memory of this process lies, and where in it; None: in none."""
        with self._lock:
            for reference, key in self._shown:
                part = reference()
                if part is not None and part.address <= address and address + nbytes <= part.address + part.nbytes:
                    return key, address - part.address
        return None
