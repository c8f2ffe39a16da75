# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Events of SGLang's backend: pages that the shared cache stores and has lost, by SGLang's own page hashes.

A storage backend does not learn the tokens of a page, so the events have none: they are for routers that
know the hashes from the engine's own events.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import mf_smem

from ._ledger import Ledger
from ._removals import Removals
from ._watch import Watch
from .kv_events import EXTERNAL, Event, Publisher, removed, stored


_OPTIONS = ("endpoint", "topic", "medium", "replay_endpoint", "buffer_steps", "max_queue_size", "hwm")


def checked(options: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Returns the options of a publisher; None and nothing: no events. Raises `ValueError` for unknown ones, or
    without an endpoint."""
    if not options:
        return None
    unknown = sorted(set(options) - set(_OPTIONS))
    if unknown:
        raise ValueError(
            f"mf_connectors: events have no option {', '.join(unknown)}; there are {', '.join(_OPTIONS)}"
        )
    if not options.get("endpoint"):
        raise ValueError("mf_connectors: events need an endpoint, for example tcp://*:5558")
    return options


class PageEvents:
    """Publishes a backend's events. Of any thread."""

    def __init__(
        self, cache: mf_smem.Cache, removals: Removals, options: Mapping[str, Any], page_size: int
    ) -> None:
        """Opens the publisher with its options; `medium` is EXTERNAL by default."""
        options = dict(options)
        self._medium = options.pop("medium", EXTERNAL)
        self.publisher = Publisher(**options)
        self._page_size = page_size
        self._ledger: Ledger[int] = Ledger(cache)
        self._watch = Watch(self._ledger, removals, self._gone)

    def stored(
        self, names: Sequence[str], keys: Sequence[str], there: Sequence[bool], before: Sequence[str]
    ) -> None:
        """Pages that are in the cache now, by name there and by page hash; `before` are the hashes of the
        pages before them. Appends to a queue: a thread announces new pages."""
        parent = before[-1] if before else None
        self._watch.announce(functools.partial(self._announce, names, list(keys), list(there), parent))

    def close(self) -> None:
        """Sends the queued batches, and ends the thread. Idempotent."""
        self._watch.close()
        self.publisher.close()

    def _announce(
        self, names: Sequence[str], keys: Sequence[str], there: Sequence[bool], before: str | None
    ) -> None:
        """Publishes new pages in one batch: an event for each run of consecutive pages."""
        parent = None if before is None else page_hash(before)
        events: list[Event] = []
        run: list[int] | None = None
        for name, key, is_there in zip(names, keys, there):
            number = page_hash(key)
            if number is None:
                break
            if not is_there or self._ledger.add(name, number) is not None:
                run = None
            elif run is None:
                events.append(stored([number], parent, [], self._page_size, self._medium))
                run = events[-1]["block_hashes"]
            else:
                run.append(number)
            parent = number
        if events:
            self.publisher.publish(*events)

    def _gone(self, numbers: list[int]) -> None:
        self.publisher.publish(removed(numbers, self._medium))


def page_hash(key: str) -> int | None:
    """Returns the number of a page in SGLang's events: the first 16 digits of its hash, signed; None if it is
    no hash."""
    try:
        return int.from_bytes(bytes.fromhex(key[:16]), "big", signed=True) if len(key) >= 16 else None
    except ValueError:
        return None
