# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Groups of a model's layers, and the longest prefix that all of them can restore.

The layers of a group share a block table. Which of its blocks a prefix needs depends on the kind: full
attention needs all, a sliding window the ones in sight of the next token, a recurrent state the one at the
prefix's end.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Sequence
from typing import Protocol


class Kind(enum.Enum):
    """Blocks that a prefix needs."""

    FULL = "full"
    WINDOW = "window"
    CHUNK = "chunk"
    STATE = "state"


@dataclasses.dataclass(frozen=True)
class Group:
    """Layers that share a block table."""

    #: Its place in the engine's list.
    index: int
    block_tokens: int
    kind: Kind = Kind.FULL
    #: WINDOW: tokens before the next one that it sees. CHUNK: tokens of a chunk.
    reach: int = 0
    #: A hit needs the block behind its end, too: a drafting layer's last value depends on the next token.
    peeks: bool = False
    #: STATE: the engine says which block to save; without it, states stand in the block table as blocks do.
    handed_over: bool = False
    #: Word for the kind in events.
    word: str = "full_attention"

    def needed(self, tokens: int) -> range:
        """Returns the blocks that a prefix of so many tokens, a multiple of a block, needs."""
        end = tokens // self.block_tokens
        if self.kind is Kind.FULL:
            return range(end)
        if self.kind is Kind.WINDOW:
            return range(max(0, end - math.ceil(self.reach / self.block_tokens)), end)
        if self.kind is Kind.CHUNK:
            return range(tokens // self.reach * self.reach // self.block_tokens, end)
        return range(max(0, end - 1), end)

    def proof(self, tokens: int) -> range:
        """Returns the blocks that must be found before a prefix of so many tokens counts as one."""
        needed = self.needed(tokens)
        return range(needed.start, needed.stop + 1) if self.peeks else needed

    def hash(self, hashes: Sequence[bytes], hash_tokens: int, block: int) -> bytes:
        """Returns a block's hash, which its last part has."""
        return hashes[(block + 1) * (self.block_tokens // hash_tokens) - 1]

    def is_reachable(self, block: int, step: int) -> bool:
        """Returns True if a prefix of a multiple of `step` tokens needs the block."""
        first, end = block * self.block_tokens, (block + 1) * self.block_tokens
        nearest = -(-end // step) * step
        return block in self.needed(nearest) or (self.peeks and first > 0 and first % step == 0)


def alignment(groups: Sequence[Group]) -> int:
    """Returns the number of tokens that divides every hit."""
    return math.lcm(*(group.block_tokens for group in groups))


class Lookup(Protocol):
    """Asks for blocks, each a group's index and a hash."""

    def leading(self, blocks: list[tuple[int, bytes]]) -> int:
        """Returns the number of leading blocks that exist."""

    def exists(self, blocks: list[tuple[int, bytes]]) -> list[bool]:
        """Returns True for each block in the cache."""


def longest_hit(
    groups: Sequence[Group],
    hash_tokens: int,
    hashes: Sequence[bytes],
    computed: int,
    most: int,
    lookup: Lookup,
) -> int:
    """Returns the tokens of the longest prefix that all groups can restore, where the first `computed` are
    there already and no more than `most` are wanted; else `computed`."""
    step = alignment(groups)
    most = min(most, len(hashes) * hash_tokens)
    if computed % step:
        return computed

    def blocks(group: Group, tokens: int) -> list[tuple[int, bytes]]:
        last = tokens // group.block_tokens
        if group.peeks:
            last = min(last + 1, len(hashes) * hash_tokens // group.block_tokens)
        return [(group.index, group.hash(hashes, hash_tokens, block))
                for block in range(computed // group.block_tokens, last)]

    # Groups that need every block bound the question for the others.
    limit = most // step * step
    for group in groups:
        if group.kind is Kind.FULL and limit > computed:
            found = max(0, lookup.leading(blocks(group, limit)) - group.peeks)
            limit = min(limit, (computed + found * group.block_tokens) // step * step)
    runs: list[tuple[Group, list[int]]] = []
    for group in groups:
        if group.kind is not Kind.FULL and limit > computed:
            runs.append((group, _runs(lookup.exists(blocks(group, limit)))))
    for tokens in range(limit, computed, -step):
        if all(_serves(group, ends, computed, tokens) for group, ends in runs):
            return tokens
    return computed


def _runs(found: Sequence[bool]) -> list[int]:
    """Returns for each block the length of the unbroken run that ends with it."""
    ends, length = [], 0
    for is_there in found:
        length = length + 1 if is_there else 0
        ends.append(length)
    return ends


def _serves(group: Group, ends: Sequence[int], computed: int, tokens: int) -> bool:
    proof, first = group.proof(tokens), computed // group.block_tokens
    wanted = proof.stop - max(first, proof.start)
    last = proof.stop - 1 - first
    return wanted <= 0 or (last < len(ends) and ends[last] >= wanted)
