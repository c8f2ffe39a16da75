# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A worker's part of vLLM's connector: loads on a thread of its own while the request waits, saves behind the
forward pass."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import mf_smem
import torch

from ._planner import Move
from ._vllm_layers import Layers
from ._vllm_stats import Figures

_LOG = logging.getLogger(__name__)

#: Blocks that are moved through one buffer.
_BATCH = 32
#: Batches of saves that wait for the cache; one more waits in the forward pass's thread.
_QUEUED = 8


class Worker:
    """Blocks of one worker. Calls are of the engine's thread; `_load` and `_put` run on threads of this
    object."""

    def __init__(self, cache: mf_smem.Cache, key: Callable[[int, bytes], str], figures: Figures) -> None:
        self._cache, self._key, self._figures = cache, key, figures
        self._layers: Layers | None = None
        self._registered: tuple[dict[str, Any], Any] | None = None
        self._has_one_group = True
        self._loading, self._saving = ThreadPoolExecutor(1, "mf-load"), ThreadPoolExecutor(1, "mf-save")
        self._room = threading.BoundedSemaphore(_QUEUED)
        self._lock = threading.Lock()
        self._received: set[str] = set()
        self._failed_requests: set[str] = set()
        self._failed_blocks: set[int] = set()
        self._saved: dict[tuple[int, bytes], int] = {}

    def register(self, kv_caches: dict[str, Any], kv_cache_config: Any) -> None:
        """Registers the layers' tensors."""
        self._registered = kv_caches, kv_cache_config
        self._layers = Layers(kv_caches, kv_cache_config)
        self._has_one_group = len(kv_cache_config.kv_cache_groups) == 1

    def forget_layers(self) -> None:
        """Forgets the layers' memory, and waits for the moves that use it."""
        self.drain()
        self._layers = None

    def restore_layers(self) -> None:
        """Restores the layers' memory, at the same addresses."""
        if self._layers is None and self._registered is not None:
            self._layers = Layers(*self._registered)

    def load(self, loads: dict[str, list[Move]]) -> None:
        """Starts the loads of requests, which wait until `take_finished` names them."""
        for request_id, moves in loads.items():
            self._loading.submit(self._load, request_id, moves)

    def save(self, moves: list[Move]) -> None:
        """Copies blocks that are not in the cache yet to host memory, and lets a thread put them. Waits where
        the thread is far behind."""
        for group, part in _batches(moves):
            try:
                there = self._cache.exists_many(self._keys(part), skip_errors=True)
                self._report(move for move, is_there in zip(part, there) if is_there)
                new = [move for move, is_there in zip(part, there) if not is_there]
                if new:
                    rows = self._own_layers().gather(group, [move.block for move in new])
                    self._room.acquire()
                    self._saving.submit(self._put, new, rows).add_done_callback(self._release)
            except (RuntimeError, ValueError) as error:
                self._figures.add(failed_saves=len(part))
                _LOG.warning("memfabric: %d blocks are not saved: %s", len(part), error)

    def take_finished(self) -> tuple[set[str], set[str]]:
        """Returns the requests with loads that ended since the last call, and the failed ones among them."""
        with self._lock:
            received, self._received = self._received, set()
            failed, self._failed_requests = self._failed_requests, set()
        return received, failed

    def take_failed_blocks(self) -> set[int]:
        """Returns the blocks with failed loads since the last call, in models with one group."""
        with self._lock:
            failed, self._failed_blocks = self._failed_blocks, set()
        return failed

    def take_saved(self) -> dict[tuple[int, bytes], int]:
        """Returns the blocks stored in the cache since the last call, each with a count of 1."""
        with self._lock:
            saved, self._saved = self._saved, {}
        return saved

    def drain(self) -> None:
        """Waits until all loads and saves have ended."""
        for threads in (self._loading, self._saving):
            threads.submit(lambda: None).result()

    def close(self) -> None:
        """Waits for the loads and saves, and ends the threads. Idempotent."""
        for threads in (self._loading, self._saving):
            threads.shutdown(wait=True)

    def _load(self, request_id: str, moves: list[Move]) -> None:
        failed: list[Move] = []
        for group, part in _batches(moves):
            begun = time.monotonic()
            try:
                lost = self._load_part(group, part)
            except Exception as error:  # noqa: BLE001 - whatever it is, the request waits for an answer
                _LOG.warning("memfabric: %d blocks of %s are not loaded: %s", len(part), request_id, error)
                lost = list(part)
            failed += lost
            done = len(part) - len(lost)
            self._figures.add(
                loaded_blocks=done, failed_loads=len(lost), load_seconds=time.monotonic() - begun,
                loaded_bytes=done * self._own_layers().row_bytes(group) if done else 0,
            )
        with self._lock:
            if failed and self._has_one_group:
                self._failed_blocks.update(move.block for move in failed)
            elif failed:
                self._failed_requests.add(request_id)
            self._received.add(request_id)

    def _load_part(self, group: int, moves: Sequence[Move]) -> list[Move]:
        layers = self._own_layers()
        rows = layers.rows(group, len(moves))
        lengths = self._cache.get_many_into(self._keys(moves), list(rows), skip_errors=True)
        good = [place for place, length in enumerate(lengths) if length == rows.shape[1]]
        if good:
            chosen = rows if len(good) == len(moves) else rows[good]
            layers.scatter(group, [moves[place].block for place in good], chosen)
        return [move for move, length in zip(moves, lengths) if length != rows.shape[1]]

    def _put(self, moves: list[Move], rows: torch.Tensor) -> None:
        begun = time.monotonic()
        keys = self._keys(moves)
        stored = self._cache.put_many(keys, list(rows), replace=False, skip_errors=True)
        # Another process may have put it meanwhile. Values that do not fit are recomputed later: a cache may
        # lose values.
        left = [place for place, done in enumerate(stored) if not done]
        there = self._cache.exists_many([keys[place] for place in left], skip_errors=True) if left else []
        failed = {place for place, is_there in zip(left, there) if not is_there}
        self._report(move for place, move in enumerate(moves) if place not in failed)
        saved = len(moves) - len(left)
        self._figures.add(
            saved_blocks=saved, saved_bytes=saved * rows.shape[1], failed_saves=len(failed),
            save_seconds=time.monotonic() - begun,
        )

    def _release(self, put: Future[None]) -> None:
        self._room.release()
        error = put.exception()
        if error is not None:
            _LOG.warning("memfabric: blocks are not saved: %s", error)

    def _report(self, moves: Iterator[Move] | Any) -> None:
        with self._lock:
            self._saved.update(((move.group, move.hash), 1) for move in moves)

    def _keys(self, moves: Sequence[Move]) -> list[str]:
        return [self._key(move.group, move.hash) for move in moves]

    def _own_layers(self) -> Layers:
        if self._layers is None:
            raise RuntimeError("the engine has not registered its layers")
        return self._layers


def _batches(moves: list[Move]) -> Iterator[tuple[int, list[Move]]]:
    """Yields the moves of one group each, no more than a buffer holds."""
    for group in dict.fromkeys(move.group for move in moves):
        of_group = [move for move in moves if move.group == group]
        for first in range(0, len(of_group), _BATCH):
            yield group, of_group[first : first + _BATCH]
