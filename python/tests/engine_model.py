# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A model of an engine with several groups of layers: its memory, its block tables and its scheduler, without
a device.

A block of attention has a number for each token, computed from all tokens up to it; a state is one such
number. So every wrong block is seen. Blocks that the next token does not see are given back and overwritten,
as engines do.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy

from mf_connectors._blocks import Prompt
from mf_connectors._groups import Group, Kind
from mf_connectors._planner import Move, Planner, Step

#: Full attention, two sliding windows, two states; hits are multiples of 16 tokens.
GROUPS = (
    Group(0, 4, Kind.FULL),
    Group(1, 4, Kind.WINDOW, reach=7),
    Group(2, 8, Kind.WINDOW, reach=17),
    Group(3, 8, Kind.STATE, handed_over=True),
    Group(4, 16, Kind.STATE, handed_over=True),
)
HASH_TOKENS, STEP = 4, 16
BLOCKS = 256


class Connector(Protocol):
    """The calls of the model's engine."""

    def ask(self, request_id: str, prompt: Sequence[int], computed: int) -> int: ...
    def load(self, request_id: str, tables: list[list[int]], tokens: int) -> None: ...
    def step(self, request_id: str, added: list[list[int]], computed: int, count: int, is_new: bool,
             states: list[tuple[int, int, int]]) -> None: ...
    def end(self, request_id: str) -> None: ...


def prefix_numbers(tokens: Sequence[int]) -> list[int]:
    """A number for each token, of all tokens up to it."""
    numbers, last = [], 0
    for token in tokens:
        last = zlib.crc32(token.to_bytes(4, "little"), last)
        numbers.append(last)
    return numbers


def seen(group: Group, tokens: int) -> range:
    """The positions of a group that the token behind a prefix of `tokens` needs."""
    if group.kind is Kind.FULL:
        return range(tokens)
    if group.kind is Kind.WINDOW:
        return range(max(0, tokens - group.reach), tokens)
    return range(max(0, tokens - 1), tokens)


def brute_hit(
    groups: Sequence[Group], tokens: int, computed: int, is_there: Callable[[Group, int], bool]
) -> int:
    """The longest restorable prefix, asked for token by token. `is_there`: of a group, the number of a
    block."""
    for length in range((tokens - 1) // STEP * STEP, computed, -STEP):
        if all(
            is_there(group, position // group.block_tokens)
            for group in groups for position in seen(group, length) if position >= computed
        ):
            return length
    return computed


class Engine:
    """Runs one request at a time."""

    def __init__(self, connector: Connector, groups: Sequence[Group] = GROUPS, seed: int = 1) -> None:
        self.connector, self.groups, self.random = connector, groups, random.Random(seed)
        #: A row for each block; a state has one number.
        self.memory = [
            numpy.zeros((BLOCKS, 1 if group.kind is Kind.STATE else group.block_tokens), numpy.uint32)
            for group in groups
        ]
        self._free = [list(range(1, BLOCKS)) for _ in groups]
        self._count = 0

    def run(self, tokens: Sequence[int], local: int = 0) -> int:
        """Runs a prompt, of which the engine has a prefix itself; returns the hit. Checks each block that was
        loaded."""
        self._count += 1
        name, numbers = f"request {self._count}", prefix_numbers(tokens)
        hit = local + self.connector.ask(name, tokens, local)
        tables = [self._table(group, hit) for group in self.groups]
        self._write(tables, numbers, 0, local)
        if hit > local:
            self.connector.load(name, tables, hit - local)
        self.check(tables, numbers, hit)
        computed, is_new = hit, True
        while computed < len(tokens):
            after = min(len(tokens), computed + self._chunk(computed))
            before = [0 if is_new else len(table) for table in tables]
            for group, table in zip(self.groups, tables):
                while len(table) * group.block_tokens < after:
                    table.append(self._take(group))
            added = [table[first:] for table, first in zip(tables, before)]
            self._write(tables, numbers, computed, after)
            states = [
                (group.index, table[after // group.block_tokens - 1], after)
                for group, table in zip(self.groups, tables)
                if group.kind is Kind.STATE and after % group.block_tokens == 0
            ]
            self.connector.step(name, added, computed, after - computed, is_new, states)
            computed, is_new = after, False
            self._give_back_unseen(tables, computed)
        self.connector.end(name)
        self._give_back_unseen(tables, None)
        return hit

    def check(self, tables: list[list[int]], numbers: list[int], tokens: int) -> None:
        """Each number that the token behind the prefix sees is right."""
        for group, table, memory in zip(self.groups, tables, self.memory):
            for position in seen(group, tokens):
                block, place = divmod(position, group.block_tokens)
                found = memory[table[block], 0 if group.kind is Kind.STATE else place]
                assert found == numbers[position] ^ group.index, (group, position, tokens)

    def _chunk(self, computed: int) -> int:
        """Often to the end of a block of all groups, where states are handed over."""
        return self.random.choice(
            [STEP - computed % STEP, 2 * STEP - computed % STEP, self.random.randint(1, 40)]
        )

    def _table(self, group: Group, tokens: int) -> list[int]:
        blocks = {position // group.block_tokens for position in seen(group, tokens)}
        return [self._take(group) if block in blocks else 0 for block in range(tokens // group.block_tokens)]

    def _write(self, tables: list[list[int]], numbers: list[int], first: int, end: int) -> None:
        for group, table, memory in zip(self.groups, tables, self.memory):
            for position in range(first, end):
                block, place = divmod(position, group.block_tokens)
                if table[block]:
                    memory[table[block], 0 if group.kind is Kind.STATE else place] = (
                        numbers[position] ^ group.index
                    )

    def _take(self, group: Group) -> int:
        block = self._free[group.index].pop(0)
        self.memory[group.index][block] = self.random.getrandbits(31)
        return block

    def _give_back_unseen(self, tables: list[list[int]], tokens: int | None) -> None:
        for group, table in zip(self.groups, tables):
            kept = (
                set()
                if tokens is None
                else {position // group.block_tokens for position in seen(group, tokens)}
            )
            for place, block in enumerate(table):
                if (
                    block
                    and place not in kept
                    and (tokens is None or (place + 1) * group.block_tokens <= tokens)
                ):
                    self._free[group.index].append(block)
                    table[place] = 0


class PlannedConnector:
    """The planner of vLLM's connector upon a dictionary, and the brute-force answer beside each of its
    own."""

    def __init__(self, groups: Sequence[Group] = GROUPS) -> None:
        self.groups, self.planner = groups, Planner(groups, HASH_TOKENS)
        self.store: dict[tuple[int, bytes], bytes] = {}
        self.engine: Engine | None = None

    def leading(self, blocks: list[tuple[int, bytes]]) -> int:
        return next((place for place, block in enumerate(blocks) if block not in self.store), len(blocks))

    def exists(self, blocks: list[tuple[int, bytes]]) -> list[bool]:
        return [block in self.store for block in blocks]

    def ask(self, request_id: str, prompt: Sequence[int], computed: int) -> int:
        self.planner.begin(request_id, Prompt(prompt))
        hashes = Prompt(prompt).hashes(HASH_TOKENS)
        found = self.planner.ask(request_id, computed, self)
        expected = brute_hit(self.groups, len(prompt), computed, lambda group, block: (
            (group.index, hashes[(block + 1) * (group.block_tokens // HASH_TOKENS) - 1]) in self.store))
        assert computed + found == expected, (list(prompt), computed)
        return found

    def load(self, request_id: str, tables: list[list[int]], tokens: int) -> None:
        self.planner.load(request_id, tables, tokens)
        step = Step()
        self.planner.take_loads(step)
        assert list(step.loads) == [request_id]
        for move in step.loads[request_id]:
            self._row(move)[:] = numpy.frombuffer(self.store[move.group, move.hash], numpy.uint32)

    def step(self, request_id: str, added: list[list[int]], computed: int, count: int, is_new: bool,
             states: list[tuple[int, int, int]]) -> None:
        step = Step()
        self.planner.add(request_id, added, replace=is_new)
        self.planner.save(request_id, computed, computed + count, step)
        for group, block, tokens in states:
            self.planner.save_state(request_id, group, block, tokens, step)
        for move in step.saves:
            value = self._row(move).tobytes()
            assert self.store.setdefault((move.group, move.hash), value) == value

    def end(self, request_id: str) -> None:
        self.planner.end(request_id)

    def _row(self, move: Move) -> numpy.ndarray:  # type: ignore[type-arg]
        assert self.engine is not None
        return self.engine.memory[move.group][move.block]
