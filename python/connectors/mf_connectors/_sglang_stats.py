# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures of SGLang's backend, which SGLang shows as metrics: pages and speeds of each call."""

from __future__ import annotations

import threading
from typing import Any

_GIB = 1 << 30


class Figures:
    """Pages and GiB/s of calls since the last report. Of any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._got: list[tuple[int, float]] = []
        self._stored: list[tuple[int, float]] = []

    def add_get(self, pages: int, nbytes: int, seconds: float) -> None:
        """Counts a call that read pages."""
        with self._lock:
            self._got.append((pages, nbytes / _GIB / seconds if seconds > 0 else 0.0))

    def add_set(self, pages: int, nbytes: int, seconds: float) -> None:
        """Counts a call that stored pages."""
        with self._lock:
            self._stored.append((pages, nbytes / _GIB / seconds if seconds > 0 else 0.0))

    def take(self) -> Any:
        """Returns the figures since the last call, as SGLang's own class."""
        from sglang.srt.observability.metrics_collector import StorageMetrics

        with self._lock:
            got, self._got = self._got, []
            stored, self._stored = self._stored, []
        return StorageMetrics(
            prefetch_pgs=[pages for pages, _ in got], backup_pgs=[pages for pages, _ in stored],
            prefetch_bandwidth=[speed for _, speed in got], backup_bandwidth=[speed for _, speed in stored],
        )
