# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Events of vLLM's connector: which blocks the cache stores and has lost, published by the engine on its own
socket.

A saved block counts as stored once all workers have saved it. The hashes in events are the engine's own, so
that routers can relate them to its other events.
"""

from __future__ import annotations

import functools
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mf_smem
from vllm.distributed.kv_events import AllBlocksCleared, BlockRemoved, BlockStored, KVCacheEvent
from vllm.v1.core.kv_cache_utils import maybe_convert_block_hash

from ._blocks import Prompt
from ._groups import Group, Kind
from ._ledger import Ledger
from ._removals import Removals
from ._watch import Watch

_LOG = logging.getLogger(__name__)

MEDIUM, LOCALITY, OWNERSHIP = "EXTERNAL", "REMOTE", "memfabric"
#: Saves that are remembered until all workers have reported them, and events until the engine takes them.
_MOST = 1 << 16

#: A block: its group's index, and the hash that its key has.
Block = tuple[int, bytes]


class Events:
    """Events of a scheduler. Methods are of its thread; the watch calls the private ones."""

    def __init__(
        self, cache: mf_smem.Cache, removals: Removals, groups: Sequence[Group], hash_tokens: int,
        workers: int, key: Callable[[Block], str],
    ) -> None:
        self._groups = {group.index: group for group in groups}
        self._hash_tokens, self._workers, self._key = hash_tokens, workers, key
        self._planned: OrderedDict[Block, tuple[BlockStored, int]] = OrderedDict()
        self._ready: deque[KVCacheEvent] = deque()
        self._lost = 0
        self._ledger: Ledger[BlockRemoved] = Ledger(cache)
        self._watch = Watch(self._ledger, removals, self._gone)

    def plan(self, request: Any, prompt: Prompt, block: Block, place: int) -> None:
        """Remembers a block that workers will save, which is number `place` of its request's blocks of that
        group."""
        group = self._groups[block[0]]
        parts, first = group.block_tokens // self._hash_tokens, place * group.block_tokens
        hashes = request.block_hashes
        if len(hashes) < (place + 1) * parts:
            return
        adapter = getattr(request, "lora_request", None)
        end = first + group.block_tokens
        extras = tuple(_untagged(extra) for extra in prompt.extras(first, end))
        event = BlockStored(
            block_hashes=[maybe_convert_block_hash(hashes[(place + 1) * parts - 1])],
            parent_block_hash=maybe_convert_block_hash(hashes[place * parts - 1]) if place else None,
            token_ids=list(prompt.tokens[first:end]),
            block_size=group.block_tokens,
            lora_id=getattr(adapter, "lora_int_id", None),
            medium=MEDIUM,
            lora_name=getattr(adapter, "lora_name", None),
            extra_keys=[extras] if extras else None,
            group_idx=group.index,
            kv_cache_spec_kind=group.word,
            kv_cache_spec_sliding_window=group.reach + 1 if group.kind is Kind.WINDOW else None,
            locality=LOCALITY,
            ownership=OWNERSHIP,
        )
        self._planned[block] = (event, self._workers)
        while len(self._planned) > _MOST:
            self._planned.popitem(last=False)
            self._count_lost()

    def saved(self, counts: Mapping[Block, int]) -> None:
        """Workers have saved these blocks: how many of them each."""
        for block, count in counts.items():
            event, left = self._planned.get(block, (None, 0))
            if event is None:
                continue
            if left > count:
                self._planned[block] = (event, left - count)
                continue
            del self._planned[block]
            self._watch.announce(functools.partial(self._announce, block, event))

    def cleared(self) -> None:
        """Records the removal of all blocks of the model."""
        self._planned.clear()
        self._watch.announce(self._clear)

    def take(self) -> list[KVCacheEvent]:
        """Returns the events since the last call."""
        events = []
        while self._ready:
            events.append(self._ready.popleft())
        return events

    def close(self) -> None:
        """Ends the watch. Idempotent."""
        self._watch.close()

    def _announce(self, block: Block, event: BlockStored) -> None:
        removed = BlockRemoved(
            block_hashes=event.block_hashes, medium=MEDIUM, group_idx=event.group_idx, locality=LOCALITY,
            ownership=OWNERSHIP,
        )
        # Some routers count announcements, so each block has one.
        if self._ledger.add(self._key(block), removed) is None:
            self._add(event)

    def _clear(self) -> None:
        self._ledger.clear()
        self._add(AllBlocksCleared())

    def _gone(self, removed: list[BlockRemoved]) -> None:
        for event in removed:
            self._add(event)

    def _add(self, event: KVCacheEvent) -> None:
        if len(self._ready) >= _MOST:
            self._count_lost()
            return
        self._ready.append(event)

    def _count_lost(self) -> None:
        self._lost += 1
        if self._lost.bit_count() == 1:
            _LOG.warning("memfabric: %d events of the cache were lost: the engine takes too few", self._lost)


def _untagged(extra: tuple[Any, ...]) -> Any:
    """Returns the form of events: the name of an adapter, a pair for a medium, else the value alone."""
    return extra[1:] if extra[0] == "medium" else extra[1]
