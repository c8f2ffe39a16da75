# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hashes of a prompt's blocks, the same in every process and run.

A block's hash depends on all tokens up to its end, and on everything else that determines the values: the
adapter and the salt from the first block on, media and embeddings from the block on that holds their
positions.
"""

from __future__ import annotations

import dataclasses
import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Any


@dataclasses.dataclass(frozen=True)
class Medium:
    """An image, a sound or a video, which stands for some positions of a prompt."""

    #: Hash of its content; None: unknown, so that nothing from its first position on can be found again.
    identifier: str | None
    first: int
    count: int


@dataclasses.dataclass(frozen=True)
class Prompt:
    """A prompt: its tokens, and what else determines the values of its blocks."""

    tokens: Sequence[int]
    media: tuple[Medium, ...] = ()
    salt: str = ""
    #: Name and path of an adapter.
    adapter: tuple[str, str] | None = None
    #: Bytes of the embeddings from one position to another, where the prompt has embeddings instead of
    #: tokens.
    embeddings: Callable[[int, int], bytes] | None = None

    @classmethod
    def of(cls, request: Any) -> Prompt:
        """Returns the prompt of a request of vLLM."""
        tokens, embeds = request.prompt_token_ids, getattr(request, "prompt_embeds", None)
        if tokens is None:
            tokens = [0] * (0 if embeds is None else len(embeds))
        adapter = getattr(request, "lora_request", None)
        return cls(
            tokens,
            tuple(_medium(feature) for feature in getattr(request, "mm_features", None) or ()),
            getattr(request, "cache_salt", None) or "",
            None if adapter is None else (str(adapter.lora_name), str(getattr(adapter, "lora_path", ""))),
            None if embeds is None else lambda first, end: _tensor_bytes(embeds[first:end]),
        )

    @property
    def lasting(self) -> int:
        """Returns the number of leading tokens with reusable values."""
        unknown = (medium.first for medium in self.media if medium.identifier is None)
        return min(len(self.tokens), *unknown, len(self.tokens))

    def extras(self, first: int, end: int) -> tuple[tuple[Any, ...], ...]:
        """Returns properties other than tokens of the block from one position to another, each behind the name
        of its kind."""
        found: list[tuple[Any, ...]] = []
        if self.adapter is not None:
            found.append(("adapter", *self.adapter))
        for medium in self.media:
            if medium.first < end and first < medium.first + medium.count:
                found.append(("medium", medium.identifier, medium.first - first))
        if first == 0 and self.salt:
            found.append(("salt", self.salt))
        if self.embeddings is not None:
            found.append(("embeddings", hashlib.sha256(self.embeddings(first, end)).digest()))
        return tuple(found)

    def hashes(self, block_tokens: int) -> list[bytes]:
        """Returns the hashes of all whole blocks of so many tokens."""
        count = self.lasting // block_tokens * block_tokens
        packed = struct.pack(f"<{count}q", *self.tokens[:count])
        has_extras = bool(self.media or self.salt or self.adapter or self.embeddings)
        digest, hashes = b"", []
        for first in range(0, count, block_tokens):
            end = first + block_tokens
            extras = self.extras(first, end) if has_extras else ()
            content = digest + packed[8 * first : 8 * end] + (repr(extras).encode() if extras else b"")
            digest = hashlib.sha256(content).digest()
            hashes.append(digest)
        return hashes


def _medium(feature: Any) -> Medium:
    place = feature.mm_position
    return Medium(getattr(feature, "identifier", None), place.offset, place.length)


def _tensor_bytes(rows: Any) -> bytes:
    import torch

    data: bytes = rows.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes()
    return data
