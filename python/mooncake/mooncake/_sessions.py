# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sessions for writes and reads of values layer by layer."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import mf_smem

from ._base import coded
from ._buffers import Buffers
from ._codes import INVALID, NOT_FOUND, OK, of_error
from ._config import ReplicateConfig
from ._failure import failed
from ._open_puts import OpenPuts
from ._values import Key

_PLAIN = ReplicateConfig()
_Numbers = Sequence[int]


class Sessions(Buffers):
    """Methods for puts and gets in parts. A put becomes visible to other members at the end of its session.

    A session without an end is dropped after 30 s (`--put_start_discard_timeout_sec` of the master), and with its process.
    """

    def __init__(self) -> None:
        super().__init__()
        self._puts = OpenPuts()

    @coded(many=True)
    def batch_put_session_start(
        self, keys: Sequence[Key], sizes: _Numbers, config: ReplicateConfig = _PLAIN
    ) -> list[int]:
        """Begins values of the given sizes in bytes. Returns 0, -600 for an open session or size 0, -200 for no room."""
        space = self._opened()
        if len(keys) != len(sizes):
            return [failed(f"{len(keys)} keys and {len(sizes)} sizes", INVALID)] * len(keys)
        return [self._start(space.keys.of(key), size, config) for key, size in zip(keys, sizes)]

    def _start(self, key: bytes, size: int, config: ReplicateConfig) -> int:
        with self._changing:
            if key in self._puts or size <= 0:
                return failed("a session of this key goes on, or the value is empty", INVALID)
            space = self._opened()
            try:
                self._puts.add(key, space.begin(key, size, config), space.put_limit_s)
            except mf_smem.Error as error:
                return of_error(error)
            return OK

    @coded(many=True)
    def batch_put_from_multi_buffer_ranges(
        self,
        keys: Sequence[Key],
        all_buffer_ptrs: Sequence[_Numbers],
        all_sizes: Sequence[_Numbers],
        all_dst_offsets: Sequence[_Numbers],
    ) -> list[int]:
        """Writes pieces at offsets of the values. Returns the number of written bytes for each key, or a code.

        The code is -600 without an open session, or for a piece beyond the end of the value.
        """
        space = self._opened()
        lists = (all_buffer_ptrs, all_sizes, all_dst_offsets)
        if any(len(one) != len(keys) for one in lists):
            return [failed("the lists have different lengths", INVALID)] * len(keys)
        return [self._write(space.keys.of(key), *pieces) for key, *pieces in zip(keys, *lists)]

    def _write(self, key: bytes, addresses: _Numbers, sizes: _Numbers, offsets: _Numbers) -> int:
        writer = self._puts.get(key)
        if writer is None or not len(addresses) == len(sizes) == len(offsets):
            return failed("no session of this key goes on, or its lists have different lengths", INVALID)
        try:
            for address, size, offset in zip(addresses, sizes, offsets):
                writer.write(offset, (ctypes.c_ubyte * size).from_address(address))
        except mf_smem.Error as error:
            return of_error(error)
        return sum(sizes)

    @coded(many=True)
    def batch_put_session_end(self, keys: Sequence[Key]) -> list[int]:
        """Publishes the values. Returns 0, or -600 without an open session of the key."""
        return [self._end(key, True) for key in keys]

    @coded(many=True)
    def batch_put_session_revoke(self, keys: Sequence[Key]) -> list[int]:
        """Drops the values. Returns 0, or -600 without an open session of the key."""
        return [self._end(key, False) for key in keys]

    def _end(self, key: Key, is_kept: bool) -> int:
        space = self._opened()
        writer = self._puts.take(space.keys.of(key))
        if writer is None:
            return failed(f"no session of {key!r} goes on", INVALID)
        try:
            if is_kept:
                writer.publish()
            else:
                writer.cancel()
        except mf_smem.Error as error:
            return of_error(error)
        return OK

    def _drop_sessions(self) -> None:
        self._puts.drop_all()

    @coded(many=True)
    def batch_get_session_start(self, keys: Sequence[Key]) -> list[int]:
        """Returns 0 for an existing value, -704 for an absent value."""
        space = self._opened()
        return [OK if found else NOT_FOUND for found in space.exists([space.keys.of(key) for key in keys])]

    @coded(many=True)
    def batch_get_into_multi_buffer_ranges(
        self,
        keys: Sequence[Key],
        all_buffer_ptrs: Sequence[_Numbers],
        all_sizes: Sequence[_Numbers],
        all_src_offsets: Sequence[_Numbers],
    ) -> list[int]:
        """Copies parts of values to addresses. Returns the number of copied bytes for each key, or -600 beyond the value."""
        lists = (all_buffer_ptrs, all_sizes, all_src_offsets)
        if any(len(one) != len(keys) for one in lists):
            return [failed("the lists have different lengths", INVALID)] * len(keys)
        codes = self._read_at(keys, *lists)
        return [sum(sizes) if code >= 0 else code for code, sizes in zip(codes, all_sizes)]

    @coded()
    def batch_get_session_end(self, keys: Sequence[Key]) -> int:
        """Returns 0."""
        del keys
        self._opened()
        return OK
