# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures of vLLM's connector, as vLLM collects them: in its log and as counters of Prometheus."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

from vllm.distributed.kv_transfer.kv_connector.v1.metrics import KVConnectorPromMetrics, KVConnectorStats

#: Name and description of each figure; all are sums since the last report.
FIGURES = {
    "asked_tokens": "Tokens of prompts behind those that the engine had, that the cache was asked for",
    "found_tokens": "Tokens of prompts that were loaded, or failed to load",
    "loaded_blocks": "Blocks loaded from the cache",
    "loaded_bytes": "Bytes loaded from the cache",
    "load_seconds": "Time of loads, including waits, in seconds",
    "failed_loads": "Blocks that were gone or failed when they were loaded",
    "saved_blocks": "Blocks saved to the cache",
    "saved_bytes": "Bytes saved to the cache",
    "save_seconds": "Time of saves, in seconds",
    "failed_saves": "Blocks that found no room in the cache, or failed",
}


@dataclasses.dataclass
class MfStats(KVConnectorStats):
    """Sums of `FIGURES`, which workers and the scheduler send to the process that reports them."""

    def __post_init__(self) -> None:
        if not self.data:
            self.reset()

    def reset(self) -> None:
        self.data: dict[str, Any] = dict.fromkeys(FIGURES, 0)

    def aggregate(self, other: KVConnectorStats) -> MfStats:
        for name, value in other.data.items():
            self.data[name] = self.data.get(name, 0) + value
        return self

    def reduce(self) -> dict[str, int | float]:
        return {f"memfabric {name}": round(value, 6) for name, value in self.data.items()}

    def is_empty(self) -> bool:
        return not any(self.data.values())


class Figures:
    """Collects sums between two reports. Of any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stats = MfStats()

    def add(self, **figures: float) -> None:
        """Adds to figures by name."""
        with self._lock:
            for name, value in figures.items():
                self._stats.data[name] += value

    def take(self) -> MfStats | None:
        """Returns the sums since the last call, or None without events."""
        with self._lock:
            if self._stats.is_empty():
                return None
            stats, self._stats = self._stats, MfStats()
            return stats


class MfPromMetrics(KVConnectorPromMetrics):
    """A counter ``vllm:memfabric_…`` for each figure and engine."""

    def __init__(
        self,
        vllm_config: Any,
        metric_types: Any,
        labelnames: list[str],
        per_engine_labelvalues: dict[int, list[object]],
    ) -> None:
        super().__init__(vllm_config, metric_types, labelnames, per_engine_labelvalues)
        self._counters = {
            name: self._counter_cls(
                name=f"vllm:memfabric_{name}", documentation=text + ".", labelnames=labelnames
            )
            for name, text in FIGURES.items()
        }

    def observe(self, transfer_stats_data: dict[str, Any], engine_idx: int = 0) -> None:
        labels = self.per_engine_labelvalues[engine_idx]
        for name, value in transfer_stats_data.items():
            if value and name in self._counters:
                self._counters[name].labels(*labels).inc(value)
