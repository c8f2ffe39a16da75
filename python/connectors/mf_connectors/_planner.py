# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decisions of vLLM's connector, independent of vLLM: blocks that a step loads and saves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from ._blocks import Prompt
from ._groups import Group, Kind, Lookup, alignment, longest_hit

#: The block that stands where a table has none.
NO_BLOCK = 0


@dataclasses.dataclass(frozen=True)
class Move:
    """One block between the engine's memory and the cache."""

    group: int
    #: Its number in the engine's memory.
    block: int
    hash: bytes
    #: Which block of its request it is.
    place: int


@dataclasses.dataclass
class Step:
    """Work of the workers in a step."""

    #: By request, which waits for them.
    loads: dict[str, list[Move]] = dataclasses.field(default_factory=dict)
    saves: list[Move] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Planned:
    """A request with an uncomputed prompt."""

    prompt: Prompt
    hashes: list[bytes]
    #: By group's place in the engine's list.
    tables: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    #: Tokens with blocks in the cache, or about to be.
    saved: int = 0
    #: Tokens that were computed when the cache was asked for more.
    asked_behind: int = 0
    #: Computed and further tokens for which `Planner.needed` has returned the blocks.
    needed_for: tuple[int, int] = (0, 0)


class Planner:
    """Follows the scheduler's requests. Of one thread."""

    def __init__(self, groups: Sequence[Group], hash_tokens: int) -> None:
        self.groups = groups
        self.hash_tokens = hash_tokens
        self.step_tokens = alignment(groups)
        self._by_index = {group.index: group for group in groups}
        self._planned: dict[str, Planned] = {}
        self._loads: dict[str, list[Move]] = {}

    def begin(self, request_id: str, prompt: Prompt) -> None:
        """Begins a request. Does nothing for a known request."""
        if request_id not in self._planned:
            self._planned[request_id] = Planned(prompt, prompt.hashes(self.hash_tokens))

    def get(self, request_id: str) -> Planned | None:
        """Returns a request after `begin`, else None."""
        return self._planned.get(request_id)

    def ask(self, request_id: str, computed: int, lookup: Lookup) -> int:
        """Returns the number of tokens behind the computed ones that the cache can restore. The last token
        is always computed: its output is wanted."""
        planned = self._planned[request_id]
        planned.asked_behind = computed
        most = len(planned.prompt.tokens) - 1
        return longest_hit(self.groups, self.hash_tokens, planned.hashes, computed, most, lookup) - computed

    def needed(self, request_id: str, tokens: int) -> list[tuple[int, bytes]]:
        """Returns the blocks that a load of so many tokens behind the computed ones will need, each a group's
        index and a hash; none if they were returned before."""
        planned = self._planned[request_id]
        reach = (planned.asked_behind, tokens)
        if planned.needed_for == reach:
            return []
        planned.needed_for = reach
        needed = self._needed(planned, tokens)
        return [(group.index, self._hash(planned, group, block)) for group, block in needed]

    def load(self, request_id: str, tables: Sequence[Sequence[int]], tokens: int) -> list[Move]:
        """Lets the next step load so many tokens behind the computed ones; returns the moves."""
        planned = self._planned.get(request_id)
        if planned is None or tokens <= 0:
            return []
        moves = [
            Move(group.index, tables[group.index][block], self._hash(planned, group, block), block)
            for group, block in self._needed(planned, tokens)
            if tables[group.index][block] != NO_BLOCK
        ]
        planned.saved = planned.asked_behind + tokens
        self._loads[request_id] = moves
        return moves

    def add(self, request_id: str, tables: Sequence[Iterable[int]], replace: bool = False) -> None:
        """Adds the blocks that the scheduler gave to a request, a list for each group."""
        planned = self._planned.get(request_id)
        if planned is not None:
            for group in self.groups:
                kept = [] if replace else planned.tables.get(group.index, [])
                planned.tables[group.index] = [*kept, *tables[group.index]]

    def take_loads(self, step: Step) -> None:
        """Moves the loads that were asked for into a step."""
        step.loads, self._loads = self._loads, {}

    def save(self, request_id: str, before: int, after: int, step: Step) -> None:
        """Records the saves of a request that computes from one token to another in this step."""
        planned = self._planned.get(request_id)
        if planned is None:
            return
        # A load has failed, and all is computed again.
        start = min(planned.saved, before)
        end = min(after, len(planned.hashes) * self.hash_tokens)
        for group in self.groups:
            if group.handed_over:
                continue
            table = planned.tables.get(group.index, [])
            for block in range(start // group.block_tokens, min(end // group.block_tokens, len(table))):
                if table[block] != NO_BLOCK and group.is_reachable(block, self.step_tokens):
                    step.saves.append(
                        Move(group.index, table[block], self._hash(planned, group, block), block)
                    )
        planned.saved = max(start, end)

    def save_state(self, request_id: str, index: int, block: int, tokens: int, step: Step) -> None:
        """Records the save of a state that the engine hands over: the block that holds it, and the tokens
        that it is behind."""
        planned, group = self._planned.get(request_id), self._by_index.get(index)
        if planned is None or group is None or group.kind is not Kind.STATE or block == NO_BLOCK:
            return
        if 0 < tokens <= len(planned.hashes) * self.hash_tokens and tokens % self.step_tokens == 0:
            place = tokens // group.block_tokens - 1
            step.saves.append(Move(index, block, self._hash(planned, group, place), place))

    def end(self, request_id: str) -> None:
        """Ends a request."""
        self._planned.pop(request_id, None)
        self._loads.pop(request_id, None)

    def _needed(self, planned: Planned, tokens: int) -> list[tuple[Group, int]]:
        first, end = planned.asked_behind, planned.asked_behind + tokens
        return [
            (group, block)
            for group in self.groups
            for block in group.needed(end)
            if (block + 1) * group.block_tokens > first
        ]

    def _hash(self, planned: Planned, group: Group, place: int) -> bytes:
        return group.hash(planned.hashes, self.hash_tokens, place)
