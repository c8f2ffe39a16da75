# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stored parts of tensors: their keys, their bytes, and the put of all of them."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from . import _torch
from ._base import NotSupported
from ._codes import INVALID, NOT_SUPPORTED, OK
from ._config import ReplicateConfig
from ._failure import failed
from ._parallelism import axes_of, writer_axis
from ._space import Space
from ._tensor_layout import METADATA_BYTES, Axis, Metadata, unpack
from ._tensor_shards import (
    Manifest,
    manifest_key,
    of_rank,
    shard_box,
    shard_key,
    tensor_axis,
    tp_key,
    whole_box,
    whole_of,
    writer_key,
    writer_manifest_key,
)


@dataclasses.dataclass(frozen=True)
class Part:
    """A value to put: bytes, followed by the elements of a tensor."""

    key: str
    head: bytes
    tensor: Any = None


@dataclasses.dataclass(frozen=True)
class Given:
    """A tensor of the caller, whole and in row-major order."""

    metadata: Metadata
    tensor: Any

    @classmethod
    def of(cls, tensor: Any) -> Given:
        """Takes a tensor of torch. Raises `ValueError` for another object."""
        return cls(*_torch.contiguous(tensor))

    @classmethod
    def at(cls, address: int, size: int) -> Given:
        """Takes a serialised tensor at an address, a stored shard as a whole tensor. Raises `ValueError` for other bytes."""
        found = metadata_at(address, size)
        return cls(Metadata(found.dtype, found.shape, found.shape), _torch.over(address + METADATA_BYTES, found.dtype, found.shape))


def metadata_at(address: int, size: int) -> Metadata:
    """Parses the metadata of a serialised tensor. Raises `ValueError` for other bytes."""
    if address <= 0 or size < METADATA_BYTES:
        raise ValueError(f"no serialised tensor: address {address:#x}, {size} bytes")
    return unpack(ctypes.string_at(address, METADATA_BYTES), size)


def whole_parts(key: str, given: Given) -> list[Part]:
    """Returns the part of a tensor that is stored whole."""
    return [Part(key, given.metadata.pack(), given.tensor)]


def tp_parts(key: str, given: Given, size: int, dim: int) -> list[Part]:
    """Returns all shards of a tensor, or the whole for `size` 1 or less. Raises `ValueError` for shards of different sizes."""
    if size <= 1:
        return whole_parts(key, given)
    return [_shard(tp_key(key, rank), given, (Axis("tp", rank, size, dim),)) for rank in range(size)]


def parallel_parts(key: str, given: Given, parallelism: Any, partition: Any, is_whole: bool) -> list[Part]:
    """Returns the parts of a tensor that this rank writes, and the manifest of the shards.

    With `is_whole`, or with more axes than tp, `given` is the whole tensor, else the shard of this rank. With `is_whole`, the
    parts are the shards of all tp ranks. Raises `ValueError` for a wrong parallelism or partition.
    """
    if partition is not None:
        if parallelism is not None:
            raise ValueError("writer_partition cannot be combined with parallelism")
        writer = writer_axis(partition)
        part = _shard(writer_key(key, writer), given, (writer,))
        return [part, _manifest(writer_manifest_key(key), given.metadata.whole, given, writer)]
    if parallelism is None:
        return whole_parts(key, given)
    axes = axes_of(parallelism)
    axis = tensor_axis(axes)
    if axis is None:
        metadata = dataclasses.replace(given.metadata, axes=axes)
        return [Part(shard_key(key, axes), metadata.pack(), given.tensor)]
    if len(axes) == 1 and not is_whole:
        whole = whole_of(given.metadata.shape, axis)
        metadata = Metadata(given.metadata.dtype, whole, given.metadata.shape, axes)
        return [Part(shard_key(key, axes), metadata.pack(), given.tensor), _manifest(manifest_key(key), whole, given, axis)]
    ranks = range(axis.size) if is_whole else [axis.rank]
    shards = [_shard(shard_key(key, of_rank(axes, rank)), given, of_rank(axes, rank)) for rank in ranks]
    return [*shards, _manifest(manifest_key(key), given.metadata.whole, given, axis)]


def _shard(key: str, given: Given, axes: tuple[Axis, ...]) -> Part:
    whole = given.metadata.whole
    box = shard_box(whole, tensor_axis(axes))
    metadata = Metadata(given.metadata.dtype, whole, box.extent, axes)
    return Part(key, metadata.pack(), given.tensor[box.within(whole_box(whole))].contiguous())


def _manifest(key: str, whole: tuple[int, ...], given: Given, axis: Axis) -> Part:
    assert axis.split_dim is not None
    return Part(key, Manifest(given.metadata.dtype, whole, axis.split_dim, axis.size).pack())


def put_parts(
    space: Space, count: int, parts_of: Callable[[int], Sequence[Part]], config: ReplicateConfig, replace: bool
) -> list[int]:
    """Puts the parts of `count` tensors at once. Returns a code for each tensor: the first other than 0 of its parts."""
    codes = [OK] * count
    tensors: list[int] = []
    parts: list[Part] = []
    for number in range(count):
        try:
            found = parts_of(number)
        except ValueError as error:
            codes[number] = failed(str(error), INVALID)
        except NotSupported as error:
            codes[number] = failed(str(error), NOT_SUPPORTED)
        else:
            parts += found
            tensors += [number] * len(found)
    heads = [ctypes.create_string_buffer(part.head, len(part.head)) for part in parts]
    addresses, sizes = [], []
    for head, part in zip(heads, parts):
        nbytes = 0 if part.tensor is None else part.tensor.numel() * part.tensor.element_size()
        data = [part.tensor.data_ptr()] if nbytes else []
        addresses.append([ctypes.addressof(head), *data])
        sizes.append([len(part.head), *([nbytes] if nbytes else [])])
    if parts:
        done = space.put_at([space.keys.of(part.key) for part in parts], addresses, sizes, config, replace)
        for number, code in zip(tensors, done):
            codes[number] = codes[number] or code
    return codes
