# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shards of tensors: their keys, their boxes within the whole tensor, and the manifests that name their number."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator

from ._tensor_layout import Axis, Metadata, Shape, code_of, dtype_of, pack_shape, unpack_shape

MANIFEST_BYTES = 96
_MAGIC, _VERSION = 0x574D_414E, 1
_MANIFEST = struct.Struct("<IHHiiiiQ")
#: Order of the axes in keys.
_ORDER = ("dp", "tp", "ep", "pp")


def check(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """Returns the axes. Raises `ValueError` for axes that describe no shard."""
    if not axes:
        raise ValueError("a parallelism has 1 axis or more")
    if len({axis.kind for axis in axes}) < len(axes):
        raise ValueError("a parallelism has each kind of axis once")
    for axis in axes:
        if axis.kind not in _ORDER:
            raise ValueError(f"{axis.kind!r} is no kind of axis: dp, tp, ep or pp is expected")
        if not 0 <= axis.rank < axis.size:
            raise ValueError(f"rank {axis.rank} of {axis.size} is no rank of the {axis.kind} axis")
        if (axis.split_dim is None) == (axis.kind == "tp"):
            raise ValueError("the tp axis has split_dim, and no other axis has")
        if (axis.kind == "ep" and axis.expert_id is None) or (axis.kind == "pp" and axis.stage_id is None):
            raise ValueError("the ep axis has expert_id, and the pp axis stage_id")
    return axes


def tensor_axis(axes: tuple[Axis, ...]) -> Axis | None:
    """Returns the axis that splits the tensor, or None."""
    return next((axis for axis in axes if axis.kind == "tp"), None)


def of_rank(axes: tuple[Axis, ...], rank: int, size: int | None = None, dim: int | None = None) -> tuple[Axis, ...]:
    """Returns the axes with another rank of the tp axis, and optionally another number of shards and dimension."""

    def changed(axis: Axis) -> Axis:
        known = (axis.size if size is None else size, axis.split_dim if dim is None else dim)
        return dataclasses.replace(axis, rank=rank, size=known[0], split_dim=known[1]) if axis.kind == "tp" else axis

    return tuple(changed(axis) for axis in axes)


# ---- keys ----


def tp_key(key: str, rank: int) -> str:
    """Returns the key of a shard of tensor parallelism alone."""
    return f"{key}_tp_{rank}"


def shard_key(key: str, axes: tuple[Axis, ...]) -> str:
    """Returns the key of the shard with these axes."""
    if len(axes) == 1 and axes[0].kind == "tp":
        return tp_key(key, axes[0].rank)
    parts = [key]
    for axis in sorted(axes, key=lambda one: _ORDER.index(one.kind)):
        known = (("sd", axis.split_dim), ("eid", axis.expert_id), ("sid", axis.stage_id))
        more = "".join(f"_{name}{value}" for name, value in known if value is not None)
        parts.append(f"__{axis.kind}_{axis.rank}of{axis.size}{more}")
    return "".join(parts)


def writer_key(key: str, axis: Axis) -> str:
    """Returns the key of a writer's part."""
    return f"{key}__writer_{axis.rank}of{axis.size}_sd{axis.split_dim}"


def manifest_key(key: str) -> str:
    """Returns the key of the manifest of shards with axes."""
    return f"{key}__parallelism_manifest"


def writer_manifest_key(key: str) -> str:
    """Returns the key of the manifest of writers' parts."""
    return f"{key}__writer_manifest"


# ---- boxes ----


@dataclasses.dataclass(frozen=True)
class Box:
    """A part of a tensor: first index and extent in each dimension."""

    begin: Shape
    extent: Shape

    @property
    def is_empty(self) -> bool:
        """True for a box without elements."""
        return 0 in self.extent

    def overlap(self, other: Box) -> Box:
        """Returns the box that both have in common, with the extent 0 in dimensions without one."""
        begins = tuple(map(max, self.begin, other.begin))
        ends = map(min, self._ends(), other._ends())
        return Box(begins, tuple(max(end - begin, 0) for begin, end in zip(begins, ends)))

    def within(self, outer: Box) -> tuple[slice, ...]:
        """Returns the indices of this box in the part `outer`."""
        return tuple(slice(a - b, a - b + size) for a, b, size in zip(self.begin, outer.begin, self.extent))

    def _ends(self) -> Iterator[int]:
        return (begin + size for begin, size in zip(self.begin, self.extent))


def whole_box(shape: Shape) -> Box:
    """Returns the box of the whole tensor."""
    return Box((0,) * len(shape), shape)


def shard_box(shape: Shape, axis: Axis | None) -> Box:
    """Returns the part of a whole tensor in a shard. Raises `ValueError` if the shards are not of equal size."""
    if axis is None:
        return whole_box(shape)
    dim = -1 if axis.split_dim is None else axis.split_dim
    if not 0 <= dim < len(shape):
        raise ValueError(f"split_dim {dim} is no dimension of {shape}")
    if shape[dim] % axis.size:
        raise ValueError(f"dimension {dim} of {shape} does not divide by {axis.size}")
    size = shape[dim] // axis.size
    begin, extent = [0] * len(shape), list(shape)
    begin[dim], extent[dim] = axis.rank * size, size
    return Box(tuple(begin), tuple(extent))


def whole_of(shape: Shape, axis: Axis | None) -> Shape:
    """Returns the shape of the whole tensor of shards of this shape. Raises `ValueError` for an unknown dimension."""
    if axis is None:
        return shape
    dim = -1 if axis.split_dim is None else axis.split_dim
    if not 0 <= dim < len(shape):
        raise ValueError(f"split_dim {dim} is no dimension of {shape}")
    return *shape[:dim], shape[dim] * axis.size, *shape[dim + 1 :]


# ---- manifests ----


@dataclasses.dataclass(frozen=True)
class Manifest:
    """Number of the shards of a tensor, their dimension, and the tensor's type and shape."""

    dtype: str
    whole: Shape
    split_dim: int
    size: int

    @classmethod
    def of(cls, metadata: Metadata) -> Manifest:
        """Returns the manifest of a shard with a tp axis."""
        axis = metadata.tensor_axis
        if axis is None or axis.split_dim is None:
            raise ValueError("the shard has no tp axis")
        return cls(metadata.dtype, metadata.whole, axis.split_dim, axis.size)

    def pack(self) -> bytes:
        """Returns the 96 bytes."""
        header = (_MAGIC, _VERSION, MANIFEST_BYTES, code_of(self.dtype), len(self.whole), self.split_dim, self.size, 0)
        return _MANIFEST.pack(*header) + pack_shape(self.whole)


def unpack_manifest(packed: bytes) -> Manifest:
    """Parses a manifest. Raises `ValueError` if the value is no manifest."""
    if len(packed) != MANIFEST_BYTES:
        raise ValueError(f"a manifest has {MANIFEST_BYTES} bytes, and the value {len(packed)}")
    magic, version, size, code, dimensions, dim, shards, _ = _MANIFEST.unpack_from(packed)
    if (magic, version, size) != (_MAGIC, _VERSION, MANIFEST_BYTES) or not 0 <= dim < dimensions <= 8 or shards < 1:
        raise ValueError("the value is no manifest of shards")
    return Manifest(dtype_of(code), unpack_shape(packed, _MANIFEST.size, dimensions), dim, shards)
