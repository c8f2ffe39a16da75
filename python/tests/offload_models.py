# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Models of the operations of ``memfabric_hybrid.offload`` on NumPy arrays, and random cases for them.

A case is made for two spaces, memory with a known start and known contents, of which the operation reads one and writes the
other. Its arrays are the arguments in the order of the call.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np


class Device(NamedTuple):
    """A device as torch describes it."""

    type: str
    index: int | None = None


CPU, NPU = Device("cpu"), Device("npu", 0)


@dataclass
class Space:
    """Memory at an address, with the bytes that are there."""

    address: int
    data: Any


class Tensor:
    """The interface of a tensor that the operations use."""

    def __init__(self, array: Any, address: int | None = None) -> None:
        self.array = array
        self._address = array.ctypes.data if address is None else address

    def data_ptr(self) -> int:
        """As torch's."""
        return self._address

    def numel(self) -> int:
        """As torch's."""
        return int(self.array.size)


@dataclass
class Case:
    """Arguments of a call, and the bytes behind it: of the written space, and of the array of packed groups."""

    arrays: list[Any]
    expected: Any
    packed: Any = None
    notes: dict[str, Any] = field(default_factory=dict)


def here(nbytes: int, chance: np.random.Generator) -> Space:
    """A space in host memory with random bytes."""
    data = chance.integers(0, 256, nbytes, dtype=np.uint8)
    return Space(data.ctypes.data, data)


def seen(space: Space) -> Any:
    """The bytes that are in a host space now."""
    return np.frombuffer(ctypes.string_at(space.address, space.data.size), np.uint8)


def lengths_of(chance: np.random.Generator, count: int, most: int) -> Any:
    """Lengths of pieces: empty ones, odd ones and long ones."""
    kinds = [np.zeros(count), chance.integers(1, 64, count), chance.integers(1, most + 1, count), np.full(count, 32)]
    return np.choose(chance.integers(0, len(kinds), count), kinds).astype(np.uint32)


def places_of(chance: np.random.Generator, lengths: Any, nbytes: int) -> Any:
    """Offsets at which pieces of these lengths do not overlap, in any order."""
    order = chance.permutation(len(lengths))
    gaps = chance.integers(0, 5, len(lengths))
    offsets = np.zeros(len(lengths), np.int64)
    offsets[order] = np.cumsum(np.r_[0, (lengths.astype(np.int64) + gaps)[order]])[:-1]
    assert not len(lengths) or (offsets + lengths).max() <= nbytes
    return offsets


def padded(chance: np.random.Generator, values: Any, more: int = 3) -> Any:
    """A list with elements behind its count, which no operation may use."""
    return np.concatenate([values, chance.integers(1, 1 << 31, more).astype(values.dtype)])


def sparse_case(chance: np.random.Generator, source: Space, target: Space, most: int = 40) -> Case:
    """Pieces that are copied."""
    count = int(chance.integers(0, most))
    lengths = lengths_of(chance, count, source.data.size // (most + 8) - 8)
    of = chance.integers(0, source.data.size - lengths.astype(np.int64) + 1) if count else np.zeros(0, np.int64)
    to = places_of(chance, lengths, target.data.size)
    expected = target.data.copy()
    for begin, place, length in zip(of, to, lengths):
        expected[place : place + length] = source.data[begin : begin + length]
    lists = [(of + source.address).astype(np.uint64), (to + target.address).astype(np.uint64), lengths]
    return Case([padded(chance, values) for values in lists] + [np.array([count], np.uint32)], expected)


def group_pack_case(chance: np.random.Generator, source: Space, target: Space, most: int = 40) -> Case:
    """Pieces with groups, of which some are 0."""
    count = int(chance.integers(0, most))
    lengths = lengths_of(chance, count, source.data.size // (most + 8) - 8)
    groups = chance.integers(-3, 4, count)
    of = chance.integers(0, source.data.size - lengths.astype(np.int64) + 1) if count else np.zeros(0, np.int64)
    kept = np.flatnonzero(groups)
    to = places_of(chance, lengths[kept], target.data.size)
    expected, packed = target.data.copy(), chance.integers(1, 1 << 40, count + 2)
    after = packed.copy()
    for place, (piece, begin) in enumerate(zip(kept, to)):
        expected[begin : begin + lengths[piece]] = source.data[of[piece] : of[piece] + lengths[piece]]
        after[place] = groups[piece]
    lists = [(of + source.address).astype(np.uint64), (to + target.address).astype(np.uint64), lengths]
    arrays = [padded(chance, values) for values in lists] + [np.array([count], np.uint32), padded(chance, groups), packed]
    return Case(arrays, expected, after)


def kv_case(chance: np.random.Generator, device: Space, host: Space, header_words: int = 8) -> Case:
    """Pages of up to four components, in one direction. The arrays: metadata, and the two lists of indices, of which the
    metadata gets the addresses by `addressed`."""
    pages, tokens, layers = (int(chance.integers(0, 6)), int(chance.integers(1, 5)), int(chance.integers(1, 5)))
    is_to_host, is_layer_first = bool(chance.integers(2)), bool(chance.integers(2))
    source, target = (device, host) if is_to_host else (host, device)
    numbers = {target.address: chance.permutation(8)[:pages], source.address: chance.integers(0, 8, pages)}
    expected, components, offsets = target.data.copy(), [], {device.address: 0, host.address: 0}
    for _ in range(int(chance.integers(0, 5))):
        width, pad = int(chance.integers(0, 200)), int(chance.integers(0, 3))
        low = int(chance.integers(0, layers))
        step = width + pad
        device_pitches = (8 * step, step)
        host_pitches = (8 * step, step) if is_layer_first else (step, layers * step)
        bases = [space.address + offsets[space.address] for space in (device, host)]
        components += [*bases, *device_pitches, host_pitches[1], host_pitches[0], width, low, layers]
        for page in range(pages):
            for layer in range(low, layers):
                at = {
                    space.address: offsets[space.address] + layer * by[0] + int(numbers[space.address][page]) * by[1]
                    for space, by in ((device, device_pitches), (host, host_pitches))
                }
                piece = source.data[at[source.address] : at[source.address] + width]
                expected[at[target.address] : at[target.address] + width] = piece
        for space in (device, host):
            offsets[space.address] += 8 * layers * step
    indices = [
        np.repeat(numbers[space.address] * tokens, tokens) + np.tile(np.arange(tokens), pages) for space in (device, host)
    ]
    # Of a page the first token counts.
    for list_ in indices:
        list_.reshape(pages, tokens)[:, 1:] = chance.integers(0, 1 << 40, (pages, tokens - 1))
    head = [len(components) // 9, pages, tokens, 2 if is_to_host else int(chance.choice([1, 0, 7])), 0, 0]
    head += [int(is_layer_first), 0][: header_words - 6]
    meta = np.array(head + components, np.int64)
    return Case([meta, *(list_.astype(np.int64) for list_ in indices)], expected, notes={"target": target})


def addressed(case: Case, device_indices: int, host_indices: int) -> Any:
    """The metadata of a `kv_case` with the addresses of its lists."""
    meta = case.arrays[0].copy()
    meta[4:6] = device_indices, host_indices
    return meta


def gather_case(
    chance: np.random.Generator, slots: list[Any], target: Space, entry_bytes: int, rows: int, most: int = 40
) -> Case:
    """Entries of a table in slots with these contents. The arrays: ids, and the count."""
    count = int(chance.integers(0, min(most, target.data.size // entry_bytes)))
    ids = chance.integers(0, rows * len(slots), count)
    expected = target.data.copy()
    for row, entry in enumerate(ids):
        begin = entry % rows * entry_bytes
        expected[row * entry_bytes : (row + 1) * entry_bytes] = slots[entry // rows][begin : begin + entry_bytes]
    # The upper half of an id does not count.
    wide = ids.astype(np.uint64) | chance.integers(0, 1 << 20, count).astype(np.uint64) << np.uint64(32)
    return Case([padded(chance, wide), np.array([count], np.uint32)], expected)
