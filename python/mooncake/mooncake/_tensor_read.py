# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads of tensors: as stored, as another shard, or whole."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable
from typing import Any

from . import _torch
from ._parallelism import AS_STORED, FULL
from ._space import Space
from ._tensor_layout import METADATA_BYTES, Axis, Metadata, unpack
from ._tensor_shards import (
    MANIFEST_BYTES,
    Box,
    Manifest,
    manifest_key,
    of_rank,
    shard_box,
    shard_key,
    tensor_axis,
    tp_key,
    unpack_manifest,
    whole_box,
    writer_key,
    writer_manifest_key,
)


@dataclasses.dataclass(frozen=True)
class Room:
    """Memory for a serialised tensor: new memory, or `size` bytes at an address of the caller."""

    address: int = 0
    size: int = 0

    def tensor(self, metadata: Metadata) -> Any:
        """Returns a tensor in the room. Raises `ValueError` if the room is too small."""
        if not self.address:
            return _torch.empty(metadata.dtype, metadata.shape)
        if self.size < METADATA_BYTES + metadata.nbytes:
            raise ValueError(f"the buffer has {self.size} bytes, and the tensor {METADATA_BYTES + metadata.nbytes}")
        return _torch.over(self.address + METADATA_BYTES, metadata.dtype, metadata.shape)

    def fill(self, metadata: Metadata) -> None:
        """Writes the metadata in front of the tensor."""
        if self.address:
            ctypes.memmove(self.address, metadata.pack(), METADATA_BYTES)


@dataclasses.dataclass(frozen=True)
class Shards:
    """Stored shards of a tensor: their number and dimension, and their keys by rank."""

    manifest: Manifest
    key: Callable[[int], str]

    def axis(self, rank: int) -> Axis:
        """Returns the axis of a shard."""
        return Axis("tp", rank, self.manifest.size, self.manifest.split_dim)


@dataclasses.dataclass(frozen=True)
class _Piece:
    """A stored shard, read to `memory`. `source` is its part of `memory`, for the part `target` of the result."""

    key: str
    metadata: Metadata
    memory: Any
    source: Any = None
    target: Any = None


class Reader:
    """Reads tensors of a space. All methods return None for an absent tensor."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def target(self, key: str, mode: str, axes: tuple[Axis, ...] | None, room: Room) -> Any:
        """Reads the part of a tensor that a `ReadTarget` describes."""
        if mode == AS_STORED or (axes is not None and tensor_axis(axes) is None):
            return self.stored(key if axes is None else shard_key(key, axes), room)
        if mode == FULL:
            if self._is_whole(key):
                return self.stored(key, room)
            shards = self._shards(key, axes)
            return None if shards is None else self._assembled(shards, (), room)
        assert axes is not None
        exact = self.metadata(shard_key(key, axes))
        if exact is not None and _split(exact.axes) == _split(axes):
            return self.stored(shard_key(key, axes), room)
        shards = self._shards(key, axes)
        return None if shards is None else self._assembled(shards, axes, room)

    def stored(self, key: str, room: Room) -> Any:
        """Reads a value as it is stored."""
        metadata = self.metadata(key)
        if metadata is None:
            return None
        tensor = room.tensor(metadata)
        if not self._read([_Piece(key, metadata, tensor)]):
            return None
        room.fill(metadata)
        return tensor

    def metadata(self, key: str) -> Metadata | None:
        """Reads the metadata of a stored part. Raises `ValueError` for a value that is no tensor."""
        size = self._space.size_of(self._space.keys.of(key))
        head = None if size is None else self._head(key, min(size, METADATA_BYTES))
        return None if size is None or head is None else unpack(head, size)

    # ---- inside ----

    def _is_whole(self, key: str) -> bool:
        metadata = self.metadata(key)
        return metadata is not None and not metadata.axes

    def _head(self, key: str, size: int) -> bytes | None:
        buffer = ctypes.create_string_buffer(size)
        (found,) = self._space.get_at([self._space.keys.of(key)], [[ctypes.addressof(buffer)]], [[size]], [[0]])
        return buffer.raw if found >= size else None

    def _manifest(self, key: str) -> Manifest | None:
        size = self._space.size_of(self._space.keys.of(key))
        packed = None if size != MANIFEST_BYTES else self._head(key, MANIFEST_BYTES)
        return None if packed is None else unpack_manifest(packed)

    def _shards(self, key: str, axes: tuple[Axis, ...] | None) -> Shards | None:
        """Finds the stored shards of a tensor: shards of tp alone, shards with more axes, writers' parts, or the whole."""
        if axes is None or len(axes) == 1:
            first = self.metadata(tp_key(key, 0))
            if first is not None and first.tensor_axis is not None:
                return Shards(Manifest.of(first), lambda rank: tp_key(key, rank))
        else:
            found = self._manifest(manifest_key(key))
            if found is not None:
                size, dim = found.size, found.split_dim
                return Shards(found, lambda rank: shard_key(key, of_rank(axes, rank, size, dim)))
        found = self._manifest(writer_manifest_key(key))
        if found is not None:
            shards = Shards(found, lambda rank: writer_key(key, shards.axis(rank)))
            return shards
        whole = self.metadata(key)
        if whole is None or whole.axes:
            return None
        return Shards(Manifest(whole.dtype, whole.whole, 0, 1), lambda _: key)

    def _assembled(self, shards: Shards, axes: tuple[Axis, ...], room: Room) -> Any:
        """Builds the part of `axes`, the whole without axes, from stored shards. Each shard is read once."""
        whole, dtype = shards.manifest.whole, shards.manifest.dtype
        wanted = shard_box(whole, tensor_axis(axes)) if axes else whole_box(whole)
        result = Metadata(dtype, whole, wanted.extent, axes)
        tensor = room.tensor(result)
        pieces = [
            piece
            for rank in range(shards.manifest.size)
            if (piece := self._piece(shards, rank, wanted, tensor)) is not None
        ]
        if not self._read(pieces):
            return None
        for piece in pieces:
            if piece.source is not None:
                piece.target.copy_(piece.source)
        room.fill(result)
        return tensor

    def _piece(self, shards: Shards, rank: int, wanted: Box, tensor: Any) -> _Piece | None:
        """Returns the read of a shard, into the result if the shard is one run of bytes there. None for no common elements."""
        manifest = shards.manifest
        axis = shards.axis(rank) if manifest.whole else None
        box = shard_box(manifest.whole, axis)
        common = box.overlap(wanted)
        if common.is_empty:
            return None
        is_whole = axis is None or manifest.size == 1
        metadata = Metadata(manifest.dtype, manifest.whole, box.extent, () if is_whole or axis is None else (axis,))
        target = tensor[common.within(wanted)]
        if common == box and target.is_contiguous():
            return _Piece(shards.key(rank), metadata, target)
        memory = _torch.empty(manifest.dtype, box.extent)
        return _Piece(shards.key(rank), metadata, memory, memory[common.within(box)], target)

    def _read(self, pieces: list[_Piece]) -> bool:
        """Reads all pieces at once. False if one is absent. Raises `ValueError` for a value of another tensor."""
        heads = [ctypes.create_string_buffer(METADATA_BYTES) for _ in pieces]
        keys = [self._space.keys.of(piece.key) for piece in pieces]
        addresses = [[ctypes.addressof(head), piece.memory.data_ptr()] for head, piece in zip(heads, pieces)]
        sizes = [[METADATA_BYTES, piece.metadata.nbytes] for piece in pieces]
        for one, other in zip(addresses, sizes):
            if other[1] == 0:
                del one[1], other[1]
        found = self._space.get_at(keys, addresses, sizes) if pieces else []
        if any(size < 0 for size in found):
            return False
        for head, piece, size in zip(heads, pieces, found):
            read, expected = unpack(head.raw, size), piece.metadata
            if (read.dtype, read.whole, read.shape) != (expected.dtype, expected.whole, expected.shape):
                raise ValueError(f"{piece.key!r} is a part of another tensor: {read} instead of {expected}")
        return True


def _split(axes: tuple[Axis, ...]) -> tuple[int, int, int | None] | None:
    """Returns rank, size and dimension of the tp axis."""
    axis = tensor_axis(axes)
    return None if axis is None else (axis.rank, axis.size, axis.split_dim)
