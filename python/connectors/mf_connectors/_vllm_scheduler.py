# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The scheduler's part of vLLM's connector: hits in the cache, and the loads and saves of workers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import mf_smem

from ._blocks import Prompt
from ._groups import Group
from ._planner import Planner, Step
from ._removals import Removals
from ._shared import prefetch
from ._vllm_events import Events
from ._vllm_stats import Figures

_LOG = logging.getLogger(__name__)

#: How long blocks that are to be loaded are kept from eviction.
_LEASE_S = 30.0


class Scheduler:
    """One for an engine. Of the scheduler's thread."""

    def __init__(
        self, cache: mf_smem.Cache, groups: Sequence[Group], hash_tokens: int, workers: int,
        key: Callable[[int, int, bytes], str], figures: Figures, removals: Removals | None,
    ) -> None:
        self._cache, self._workers, self._key, self._figures = cache, workers, key, figures
        self._planner = Planner(groups, hash_tokens)
        self._requests: dict[str, Any] = {}
        self._events = (
            None
            if removals is None
            else Events(cache, removals, groups, hash_tokens, workers, lambda block: key(0, *block))
        )

    def ask(self, request: Any, computed: int) -> int:
        """Returns the number of tokens behind the computed ones that all workers can restore."""
        request_id = request.request_id
        if self._planner.get(request_id) is None:
            prompt = Prompt.of(request)
            self._planner.begin(request_id, prompt)
            self._requests[request_id] = request
            # A request that waits for room is asked about again.
            self._figures.add(asked_tokens=max(0, len(prompt.tokens) - 1 - computed))
        try:
            found = self._planner.ask(request_id, computed, self)
        except RuntimeError as error:
            _LOG.warning("memfabric: blocks are computed, because the cache cannot be asked: %s", error)
            return 0
        # They are loaded once there are blocks for them.
        prefetch(self._cache, self._keys(self._planner.needed(request_id, found)))
        return found

    def load(self, request_id: str, tables: Sequence[Sequence[int]], tokens: int) -> None:
        """Lets the next step load so many tokens, and keeps their blocks from eviction until then."""
        self._figures.add(found_tokens=tokens)
        for move in self._planner.load(request_id, tables, tokens):
            for key in self._keys([(move.group, move.hash)]):
                try:
                    self._cache.lease(key, _LEASE_S)
                except RuntimeError as error:
                    _LOG.debug("memfabric: no lease for a block that is to be loaded: %s", error)

    def step(self, output: Any) -> Step:
        """Returns the workers' work of this step."""
        planner, scheduled, step = self._planner, output.num_scheduled_tokens, Step()
        planner.take_loads(step)
        for new in output.scheduled_new_reqs:
            planner.add(new.req_id, new.block_ids, replace=True)
            self._save(new.req_id, new.num_computed_tokens, scheduled[new.req_id], step)
        cached = output.scheduled_cached_reqs
        for request_id, tables, computed in zip(
            cached.req_ids, cached.new_block_ids, cached.num_computed_tokens
        ):
            if tables is not None:
                planner.add(request_id, tables, replace=request_id in cached.resumed_req_ids)
            self._save(request_id, computed, scheduled[request_id], step)
        handed = getattr(output, "kv_connector_block_state", None)
        for request_id, states in (handed.boundary_state_offloads if handed is not None else {}).items():
            for group, block, tokens in states:
                self._save_state(request_id, group, block, tokens, step)
        return step

    def saved(self, counts: dict[tuple[int, bytes], int]) -> None:
        """Workers have saved blocks."""
        if self._events is not None:
            self._events.saved(counts)

    def end(self, request_id: str) -> None:
        """Forgets a request."""
        self._planner.end(request_id)
        self._requests.pop(request_id, None)

    def take_events(self) -> list[Any]:
        """Returns the events since the last call."""
        return self._events.take() if self._events is not None else []

    def clear(self, prefix: str) -> None:
        """Removes all values with keys of that prefix."""
        # First, so that there is no removal for each.
        if self._events is not None:
            self._events.cleared()
        for key in list(self._cache.keys(prefix)):
            self._cache.remove(key)

    def close(self) -> None:
        """Ends the watch of the cache. Idempotent."""
        if self._events is not None:
            self._events.close()

    def leading(self, blocks: list[tuple[int, bytes]]) -> int:
        """Returns the number of leading blocks that all workers have."""
        return self._cache.count_prefix(self._keys(blocks)) // self._workers

    def exists(self, blocks: list[tuple[int, bytes]]) -> list[bool]:
        """Returns True for each block that all workers have."""
        there = self._cache.exists_many(self._keys(blocks), skip_errors=True)
        return [all(there[first : first + self._workers]) for first in range(0, len(there), self._workers)]

    def _keys(self, blocks: list[tuple[int, bytes]]) -> list[str]:
        return [self._key(worker, *block) for block in blocks for worker in range(self._workers)]

    def _save(self, request_id: str, computed: int, count: int, step: Step) -> None:
        before = len(step.saves)
        self._planner.save(request_id, computed, computed + count, step)
        self._announce(request_id, step, before)

    def _save_state(self, request_id: str, group: int, block: int, tokens: int, step: Step) -> None:
        before = len(step.saves)
        self._planner.save_state(request_id, group, block, tokens, step)
        self._announce(request_id, step, before)

    def _announce(self, request_id: str, step: Step, first: int) -> None:
        planned, request = self._planner.get(request_id), self._requests.get(request_id)
        if self._events is None or planned is None or request is None:
            return
        for move in step.saves[first:]:
            self._events.plan(request, planned.prompt, (move.group, move.hash), move.place)
