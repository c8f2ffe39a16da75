# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts and gets of values at addresses of the caller."""

from __future__ import annotations

from collections.abc import Sequence

from ._base import coded
from ._codes import INVALID, NOT_FOUND, OK
from ._config import ReplicateConfig
from ._failure import failed
from ._ranges import Ranges
from ._values import Key, Values

_PLAIN = ReplicateConfig()
_Numbers = Sequence[int]


class Buffers(Values):
    """Methods that copy values from and to addresses of the host or of an accelerator.

    Addresses are integers, lengths are bytes. Memory need not be registered.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ranges = Ranges()

    @coded()
    def register_buffer(self, buffer_ptr: int, size: int) -> int:
        """Registers memory. Returns 0, or -600 if the range is empty or overlaps a registered one."""
        with self._changing:
            if buffer_ptr <= 0 or size <= 0 or self._ranges.overlaps(buffer_ptr, size):
                return failed(f"memory at {buffer_ptr:#x} of {size} bytes is registered already, or empty", INVALID)
            self._ranges.add(buffer_ptr, size)
            return OK

    @coded()
    def unregister_buffer(self, buffer_ptr: int) -> int:
        """Unregisters memory. Returns 0, or -600 if the address is not registered."""
        with self._changing:
            if not self._ranges.remove(buffer_ptr):
                return failed(f"no memory is registered at {buffer_ptr:#x}", INVALID)
            return OK

    # ---- put ----

    @coded()
    def put_from(self, key: Key, buffer_ptr: int, size: int, config: ReplicateConfig = _PLAIN) -> int:
        """Puts `size` bytes. Returns 0 without a put if `size` is 0. An existing value stays, which also returns 0."""
        return self._put_one(key, buffer_ptr, size, config, False) if size else OK

    @coded()
    def upsert_from(self, key: Key, buffer_ptr: int, size: int, config: ReplicateConfig = _PLAIN) -> int:
        """Puts as `put_from`, and replaces an existing value."""
        return self._put_one(key, buffer_ptr, size, config, True) if size else OK

    @coded()
    def put_from_with_metadata(
        self,
        key: Key,
        buffer_ptr: int,
        metadata_buffer_ptr: int,
        size: int,
        metadata_size: int,
        config: ReplicateConfig = _PLAIN,
    ) -> int:
        """Puts one value: the metadata, followed by the data."""
        addresses, sizes = [[metadata_buffer_ptr, buffer_ptr]], [[metadata_size, size]]
        return self._put_at([key], addresses, sizes, config, False)[0]

    @coded(many=True)
    def batch_put_from(
        self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers, config: ReplicateConfig = _PLAIN
    ) -> list[int]:
        """Puts many values as `put_from`. Returns -600 for all if the lists have different lengths."""
        return self._put_at(keys, [[one] for one in buffer_ptrs], [[one] for one in sizes], config, False)

    @coded(many=True)
    def batch_upsert_from(
        self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers, config: ReplicateConfig = _PLAIN
    ) -> list[int]:
        """Puts many values as `upsert_from`."""
        return self._put_at(keys, [[one] for one in buffer_ptrs], [[one] for one in sizes], config, True)

    @coded(many=True)
    def batch_put_from_multi_buffers(
        self,
        keys: Sequence[Key],
        all_buffer_ptrs: Sequence[_Numbers],
        all_sizes: Sequence[_Numbers],
        config: ReplicateConfig = _PLAIN,
    ) -> list[int]:
        """Puts many values as `batch_put_from`. Each value consists of several consecutive pieces."""
        return self._put_at(keys, all_buffer_ptrs, all_sizes, config, False)

    # ---- get ----

    @coded()
    def get_into(self, key: Key, buffer_ptr: int, size: int) -> int:
        """Copies a value to an address. Returns its length, -704 for an absent value, -600 for a value longer than `size`."""
        space = self._opened()
        return space.get_at([space.keys.of(key)], [[buffer_ptr]], [[size]])[0] if key else NOT_FOUND

    @coded(many=True)
    def batch_get_into(self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers) -> list[int]:
        """Copies many values as `get_into`."""
        return self._get_at(keys, [[one] for one in buffer_ptrs], [[one] for one in sizes])

    @coded(many=True)
    def batch_get_into_multi_buffers(
        self,
        keys: Sequence[Key],
        all_buffer_ptrs: Sequence[_Numbers],
        all_sizes: Sequence[_Numbers],
        prefer_alloc_in_same_node: bool = False,
    ) -> list[int]:
        """Copies many values as `batch_get_into`, each to several pieces. The sizes of the pieces may differ from the put."""
        del prefer_alloc_in_same_node
        return self._get_at(keys, all_buffer_ptrs, all_sizes)

    def get_into_ranges(
        self,
        buffer_ptrs: _Numbers,
        all_keys: Sequence[Sequence[Key]],
        all_dst_offsets: Sequence[Sequence[_Numbers]],
        all_src_offsets: Sequence[Sequence[_Numbers]],
        all_sizes: Sequence[Sequence[_Numbers]],
    ) -> list[list[list[int]]]:
        """Copies parts of values to buffers. Returns the length of each part, or a code.

        Each buffer has a list of keys, and each key a list of parts with offsets in the buffer and in the value.
        """
        lists = (all_keys, all_dst_offsets, all_src_offsets, all_sizes)
        if any(len(one) != len(buffer_ptrs) for one in lists):
            return [[[failed("the lists have different lengths", INVALID)]] for _ in buffer_ptrs]
        return [self._ranges_into(*one) for one in zip(buffer_ptrs, *lists)]

    def _ranges_into(
        self,
        buffer: int,
        keys: Sequence[Key],
        targets: Sequence[_Numbers],
        sources: Sequence[_Numbers],
        sizes: Sequence[_Numbers],
    ) -> list[list[int]]:
        if not len(keys) == len(targets) == len(sources) == len(sizes):
            return [[failed("the lists have different lengths", INVALID)] for _ in keys]
        places = [[buffer + offset for offset in offsets] for offsets in targets]
        codes = self._read_at(keys, places, sizes, sources)
        return [[size if code >= 0 else code for size in lengths] for code, lengths in zip(codes, sizes)]

    # ---- inside ----

    def _put_one(self, key: Key, address: int, size: int, config: ReplicateConfig, replace: bool) -> int:
        space = self._opened()
        return space.put_at([space.keys.of(key)], [[address]], [[size]], config, replace)[0]

    def _put_at(
        self,
        keys: Sequence[Key],
        addresses: Sequence[_Numbers],
        sizes: Sequence[_Numbers],
        config: ReplicateConfig,
        replace: bool,
    ) -> list[int]:
        space = self._opened()
        wrong = _uneven(keys, addresses, sizes)
        if wrong:
            return [wrong] * len(keys)
        if all(keys) and all(map(sum, sizes)):
            return space.put_at([space.keys.of(key) for key in keys], addresses, sizes, config, replace)
        codes = [failed("the value is empty", INVALID) if key and sum(given) == 0 else OK for key, given in zip(keys, sizes)]
        chosen = [number for number, key in enumerate(keys) if key and codes[number] == OK]
        done = space.put_at(
            [space.keys.of(keys[number]) for number in chosen],
            [addresses[number] for number in chosen],
            [sizes[number] for number in chosen],
            config,
            replace,
        )
        known = dict(zip(chosen, done))
        return [known.get(number, code or INVALID) for number, code in enumerate(codes)]

    def _get_at(self, keys: Sequence[Key], addresses: Sequence[_Numbers], sizes: Sequence[_Numbers]) -> list[int]:
        space = self._opened()
        wrong = _uneven(keys, addresses, sizes)
        if wrong:
            return [wrong] * len(keys)
        if all(keys):
            return space.get_at([space.keys.of(key) for key in keys], addresses, sizes)
        chosen = [number for number, key in enumerate(keys) if key]
        found = space.get_at(
            [space.keys.of(keys[number]) for number in chosen],
            [addresses[number] for number in chosen],
            [sizes[number] for number in chosen],
        )
        known = dict(zip(chosen, found))
        return [known.get(number, NOT_FOUND) for number in range(len(keys))]

    @coded(many=True)
    def _read_at(
        self,
        keys: Sequence[Key],
        addresses: Sequence[_Numbers],
        sizes: Sequence[_Numbers],
        offsets: Sequence[_Numbers],
    ) -> list[int]:
        """Copies parts of values to addresses. Returns lengths of the values, or codes."""
        space = self._opened()
        return space.get_at([space.keys.of(key) for key in keys], addresses, sizes, offsets)


def _uneven(keys: Sequence[Key], addresses: Sequence[_Numbers], sizes: Sequence[_Numbers]) -> int:
    """Returns -600 for lists of different lengths, else 0."""
    if len(keys) == len(addresses) == len(sizes) and all(len(one) == len(other) for one, other in zip(addresses, sizes)):
        return OK
    return failed(f"{len(keys)} keys, {len(addresses)} addresses and {len(sizes)} sizes", INVALID)
