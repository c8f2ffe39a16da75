# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Layout of a stored tensor: 304 bytes of metadata, followed by the elements in row-major order.

All numbers are little-endian. The header has 40 bytes: magic, version, size of the metadata, type of the elements, number of
dimensions, layout, flags, offset and length of the data. Global shape and local shape have 8 dimensions each, -1 for unused ones.
Up to 4 axes of 32 bytes describe the shard.
"""

from __future__ import annotations

import dataclasses
import math
import struct

METADATA_BYTES = 304
MOST_DIMENSIONS, MOST_AXES = 8, 4
_MAGIC, _VERSION = 0x4D4F_4F4E, 1
_FULL, _SHARD = 0, 1
_HEADER = struct.Struct("<IHHiiIIQQ")
_SHAPE = struct.Struct(f"<{MOST_DIMENSIONS}q")
_COUNT = struct.Struct("<II")
_AXIS = struct.Struct("<6iq")
_KINDS = ("dp", "tp", "ep", "pp")

#: Names of the types of elements in torch, and their sizes in bytes. The index is the stored code.
DTYPES: tuple[tuple[str, int], ...] = (
    ("float32", 4), ("float64", 8), ("int8", 1), ("uint8", 1), ("int16", 2), ("uint16", 2), ("int32", 4), ("uint32", 4),
    ("int64", 8), ("uint64", 8), ("bool", 1), ("float16", 2), ("bfloat16", 2), ("float8_e4m3fn", 1), ("float8_e5m2", 1),
)
_CODES = {name: code for code, (name, _) in enumerate(DTYPES)}

Shape = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Axis:
    """An axis of parallelism: data (dp), tensor (tp), expert (ep) or pipeline (pp). Only tp splits the tensor."""

    kind: str
    rank: int
    size: int
    #: Split dimension of tp.
    split_dim: int | None = None
    expert_id: int | None = None
    stage_id: int | None = None

    def pack(self, number: int, shape: Shape) -> bytes:
        """Returns the 32 bytes of the axis at index `number`, for a shard of `shape`."""
        splits = self.kind == "tp" and self.split_dim is not None
        dim = self.split_dim if splits and self.split_dim is not None else -1
        other = {"ep": self.expert_id, "pp": self.stage_id}.get(self.kind) or 0
        return _AXIS.pack(_KINDS.index(self.kind), number, self.rank, self.size, dim, other, shape[dim] if splits else 0)


@dataclasses.dataclass(frozen=True)
class Metadata:
    """Metadata of a stored tensor."""

    #: Name of the type of elements in torch.
    dtype: str
    #: Shape of the whole tensor.
    whole: Shape
    #: Shape of the stored part.
    shape: Shape
    #: Axes of a shard. Empty for a whole tensor.
    axes: tuple[Axis, ...] = ()

    @property
    def nbytes(self) -> int:
        """Length of the stored part in bytes, without metadata."""
        return math.prod(self.shape) * item_bytes(self.dtype)

    @property
    def tensor_axis(self) -> Axis | None:
        """The axis that splits the tensor, or None."""
        return next((axis for axis in self.axes if axis.kind == "tp"), None)

    def pack(self) -> bytes:
        """Returns the 304 bytes. Raises `ValueError` for an unknown type, or too many dimensions or axes."""
        code = code_of(self.dtype)
        if len(self.shape) > MOST_DIMENSIONS or len(self.axes) > MOST_AXES:
            raise ValueError(f"a tensor has at most {MOST_DIMENSIONS} dimensions and {MOST_AXES} axes, not {len(self.shape)} and {len(self.axes)}")
        layout = _SHARD if self.axes else _FULL
        header = (_MAGIC, _VERSION, METADATA_BYTES, code, len(self.shape), layout, 0, METADATA_BYTES, self.nbytes)
        axes = b"".join(axis.pack(number, self.shape) for number, axis in enumerate(self.axes))
        packed = _HEADER.pack(*header) + pack_shape(self.whole) + pack_shape(self.shape) + _COUNT.pack(len(self.axes), 0) + axes
        return packed.ljust(METADATA_BYTES, b"\0")


def code_of(dtype: str) -> int:
    """Returns the stored code of a type. Raises `ValueError` for a type that is not stored."""
    if dtype not in _CODES:
        raise ValueError(f"tensors of {dtype} are not stored")
    return _CODES[dtype]


def item_bytes(dtype: str) -> int:
    """Returns the bytes of an element. Raises `ValueError` for a type that is not stored."""
    return DTYPES[code_of(dtype)][1]


def pack_shape(shape: Shape) -> bytes:
    """Returns the 64 bytes of a shape."""
    return _SHAPE.pack(*shape, *[-1] * (MOST_DIMENSIONS - len(shape)))


def unpack_shape(packed: bytes, offset: int, dimensions: int) -> Shape:
    """Parses the shape at an offset. Raises `ValueError` for a negative dimension."""
    shape: Shape = _SHAPE.unpack_from(packed, offset)[:dimensions]
    if any(extent < 0 for extent in shape):
        raise ValueError(f"a dimension of {shape} is negative")
    return shape


def dtype_of(code: int) -> str:
    """Returns the name of a stored type. Raises `ValueError` for an unknown code."""
    if not 0 <= code < len(DTYPES):
        raise ValueError(f"{code} is no type of elements")
    return DTYPES[code][0]


def unpack(packed: bytes, stored: int) -> Metadata:
    """Parses the metadata of a value of `stored` bytes. Raises `ValueError` if the value is not a tensor of this layout."""
    if len(packed) < METADATA_BYTES:
        raise ValueError(f"a tensor has {METADATA_BYTES} bytes of metadata, and the value {len(packed)}")
    magic, version, size, code, dimensions, layout, _, offset, nbytes = _HEADER.unpack_from(packed)
    if (magic, version, size, offset) != (_MAGIC, _VERSION, METADATA_BYTES, METADATA_BYTES):
        raise ValueError("the value has no metadata of a tensor")
    if not 0 <= dimensions <= MOST_DIMENSIONS or layout not in (_FULL, _SHARD):
        raise ValueError(f"{dimensions} dimensions or layout {layout} are unknown")
    at = _HEADER.size
    whole, shape = (unpack_shape(packed, at + begin, dimensions) for begin in (0, _SHAPE.size))
    found = Metadata(dtype_of(code), whole, shape, _unpack_axes(packed, at + 2 * _SHAPE.size))
    if found.nbytes != nbytes or stored != METADATA_BYTES + nbytes:
        raise ValueError(f"shape {shape} of {found.dtype} does not fit a value of {stored} bytes")
    return found


def _unpack_axes(packed: bytes, at: int) -> tuple[Axis, ...]:
    count, _ = _COUNT.unpack_from(packed, at)
    if count > MOST_AXES:
        raise ValueError(f"{count} axes are more than {MOST_AXES}")
    axes = []
    for number in range(count):
        kind, _, rank, size, dim, other, _ = _AXIS.unpack_from(packed, at + _COUNT.size + number * _AXIS.size)
        if not 0 <= kind < len(_KINDS) or not 0 <= rank < size:
            raise ValueError(f"axis {number} is unknown: kind {kind}, rank {rank} of {size}")
        name = _KINDS[kind]
        axes.append(
            Axis(
                name, rank, size,
                dim if name == "tp" else None,
                other if name == "ep" else None,
                other if name == "pp" else None,
            )
        )
    return tuple(axes)
