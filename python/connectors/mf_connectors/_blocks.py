# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decisions of vLLM's connector, independent of vLLM: keys of blocks, and blocks loaded and saved by a step."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any


def block_hashes(token_ids: Sequence[int], block_size: int, count: int, *seeds: object) -> list[bytes]:
    """Hashes of the first `count` whole blocks of a prompt, each of the tokens up to the block's end. `seeds` are what else
    decides the values: a salt, an adapter, images. The same in every process and every run."""
    digest = hashlib.sha256(repr(seeds).encode()).digest()
    hashes = []
    for block in range(count):
        tokens = token_ids[block * block_size : (block + 1) * block_size]
        digest = hashlib.sha256(digest + b"".join(token.to_bytes(8, "little", signed=True) for token in tokens)).digest()
        hashes.append(digest)
    return hashes


@dataclasses.dataclass
class Step:
    """Blocks of one step: number in the engine's memory and hash of each."""

    loads: list[tuple[int, bytes]] = dataclasses.field(default_factory=list)
    saves: list[tuple[int, bytes]] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class _Prompt:
    """A request with an uncomputed prompt."""

    hashes: list[bytes]
    blocks: list[int] = dataclasses.field(default_factory=list)
    #: Blocks before this one are in the cache, or about to be.
    saved: int = 0
    #: Tokens that were computed when the cache was asked for more.
    asked_behind: int = 0
    #: Blocks that are to be loaded in the next step: from this one to `saved`.
    loaded_from: int | None = None


class Planner:
    """Follows the scheduler's requests. Of one thread."""

    def __init__(self, block_size: int) -> None:
        self._block_size = block_size
        self._prompts: dict[str, _Prompt] = {}

    def begin(self, request_id: str, hashes: list[bytes]) -> None:
        """A request with whole blocks of these hashes."""
        self._prompts[request_id] = _Prompt(hashes)

    def has(self, request_id: str) -> bool:
        """True if a request has begun."""
        return request_id in self._prompts

    def ask(self, request_id: str, computed_tokens: int) -> list[bytes]:
        """Hashes of the blocks behind so many tokens; none where those do not end with a block."""
        prompt = self._prompts[request_id]
        prompt.asked_behind = computed_tokens
        return [] if computed_tokens % self._block_size else prompt.hashes[computed_tokens // self._block_size :]

    def load(self, request_id: str, tokens: int) -> None:
        """Lets the request's next step load so many tokens after the already computed ones."""
        prompt = self._prompts.get(request_id)
        if prompt is not None and tokens > 0:
            prompt.loaded_from = prompt.asked_behind // self._block_size
            prompt.saved = (prompt.asked_behind + tokens) // self._block_size

    def add(self, request_id: str, blocks: Iterable[int], replace: bool = False) -> None:
        """Blocks that the scheduler gave to a request."""
        prompt = self._prompts.get(request_id)
        if prompt is not None:
            prompt.blocks = ([] if replace else prompt.blocks) + list(blocks)

    def step(self, request_id: str, computed_tokens: int, step: Step) -> None:
        """Records a request's loads, and its saves once it has computed so many tokens."""
        prompt = self._prompts.get(request_id)
        if prompt is None:
            return
        pairs = list(zip(prompt.blocks, prompt.hashes))
        if prompt.loaded_from is not None:
            step.loads += pairs[prompt.loaded_from : prompt.saved]
            prompt.loaded_from = None
        whole = min(computed_tokens // self._block_size, len(pairs))
        if whole > prompt.saved:
            step.saves += pairs[prompt.saved : whole]
            prompt.saved = whole

    def end(self, request_id: str) -> None:
        """The request is over, or its blocks were taken from it."""
        self._prompts.pop(request_id, None)


def block_dimension(shape: Sequence[int], block_count: int) -> int:
    """Which dimension of a layer's tensor counts blocks: the first or, behind keys and values, the second."""
    leading = list(shape[:2])
    if len(leading) == 2 and leading[0] == 2 and leading[1] == block_count:
        return 1
    if leading and leading[0] == block_count:
        return 0
    raise ValueError(f"mf_connectors: a layer of shape {tuple(shape)} does not have {block_count} blocks")


def seeds_of(request: Any) -> tuple[object, ...]:
    """Properties besides the tokens that determine the values of a request's blocks."""
    adapter = getattr(request, "lora_request", None)
    features = [
        (getattr(feature, "identifier", None), getattr(getattr(feature, "mm_position", None), "offset", None))
        for feature in getattr(request, "mm_features", None) or []
    ]
    return (
        getattr(request, "cache_salt", None) or "",
        "" if adapter is None else getattr(adapter, "lora_name", repr(adapter)),
        tuple(features),
    )
