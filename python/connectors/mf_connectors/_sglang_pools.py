# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pages of SGLang's host pools: where they lie, how they are copied, and the prefixes that all pools of a
hybrid model can restore."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch


class Pool:
    """A host pool of the engine: the one of keys and values, or one of states beside it."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        #: Entries of a page; a pool of states has pages of one.
        self.page_size: int = getattr(pool, "page_size", 1) or 1
        #: Whether a page lies in one piece of the pool's memory, so that it is read into its place; None: not
        #: known yet.
        self._in_place: bool | None = None
        self._is_empty: bool | None = None

    @property
    def is_logical(self) -> bool:
        """Returns True if the pool has no memory: side pools carry all data of the model."""
        return hasattr(self._pool, "kv_buffer") and self._pool.kv_buffer is None

    @property
    def is_empty(self) -> bool:
        """Returns True if its pages have no bytes, so that there is nothing to store or to find."""
        if self._is_empty is None:
            make = getattr(self._pool, "get_dummy_flat_data_page", None)
            self._is_empty = make is not None and make().numel() == 0
        return self._is_empty

    def firsts(self, count: int, host_indices: torch.Tensor | None) -> list[int] | None:
        """Returns the first index of each page, or None if the number of indices does not fit the pages."""
        if host_indices is None or host_indices.numel() != count * self.page_size:
            return None
        indices: list[int] = host_indices[:: self.page_size].tolist()
        return indices

    def pages(self, firsts: Sequence[int]) -> list[torch.Tensor]:
        """Returns the pages to store, each flat."""
        return [self._pool.get_data_page(index, flat=True) for index in firsts]

    def rooms(self, firsts: Sequence[int]) -> list[torch.Tensor]:
        """Returns the destinations of reads: the pages themselves or buffers."""
        if self._in_place is None and firsts:
            self._in_place = _is_part(self._pool.get_data_page(firsts[0], flat=True), self._pool)
        if self._in_place:
            return self.pages(firsts)
        return [self._pool.get_dummy_flat_data_page() for _ in firsts]

    def fill(self, firsts: Sequence[int], rooms: Sequence[torch.Tensor], filled: Sequence[bool]) -> None:
        """Copies the pages from the buffers of `rooms` into the pool."""
        if not self._in_place:
            for index, room, is_full in zip(firsts, rooms, filled):
                if is_full:
                    self._pool.set_from_flat_data_page(index, room)


def restorable(there: Sequence[bool], policy: str, wanted: int) -> tuple[set[int], int]:
    """Returns the lengths of a prefix that a pool can restore, and the longest of them; `there` says of each
    page of the longest prefix in question if the pool has it. With ``trailing_pages`` the last `wanted` pages
    of a prefix are needed, else all."""
    if policy == "trailing_pages":
        lengths, run = set(), 0
        for length, one in enumerate(there, 1):
            run = run + 1 if one else 0
            if run >= min(length, max(1, wanted)):
                lengths.add(length)
        return lengths, max(lengths, default=0)
    leading = next((place for place, one in enumerate(there) if not one), len(there))
    return set(range(1, leading + 1)), leading


def as_bytes(page: torch.Tensor) -> torch.Tensor:
    """Returns a page as bytes. Every type of torch has this view."""
    flat: torch.Tensor = page.contiguous().flatten().view(torch.uint8)
    return flat


def _is_part(page: torch.Tensor, pool: Any) -> bool:
    """Returns True if a page is the memory of the pool itself, in one piece, and not a copy of it."""
    buffer = getattr(pool, "kv_buffer", None)
    if not isinstance(buffer, torch.Tensor) or not page.is_contiguous():
        return False
    start = buffer.data_ptr()
    end = start + buffer.numel() * buffer.element_size()
    return bool(start <= page.data_ptr() < end)
