# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies of a `Pool`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, overload

from . import bm
from ._queued import PoolTransfer, Queue
from ._sizes import Size, length, number
from ._types import Destination, Source

_QUEUED = bm.ASYNC_COPY


class PoolCopies:
    """Copies from and to a pool. All are **one-sided**: the other rank does nothing.

    With ``wait=False`` a copy may only be queued: the call returns a `PoolTransfer`, memory on this side is kept alive until
    that is done, must not be changed before (`put`) and holds the bytes only then (`get`); `Pool.wait` waits for all of them.
    What can be refused at once is raised at once.
    """

    _memory: bm.BigMemory
    _queue: Queue

    @overload
    def put(self, source: Source, address: int, *, wait: Literal[True] = True) -> None: ...
    @overload
    def put(self, source: Source, address: int, *, wait: Literal[False]) -> PoolTransfer: ...
    @overload
    def put(self, source: Source, address: int, *, wait: bool) -> PoolTransfer | None: ...
    def put(self, source: Source, address: int, *, wait: bool = True) -> PoolTransfer | None:
        """Copies all bytes of `source` to `address`. Every rank sees them when it is done.

        `source` is any object with bytes in one piece: bytes, bytearray, memoryview, a NumPy array, a torch tensor (CPU, or
        NPU where the pool has one), an object with ``__array_interface__`` or DLPack.
        """
        self._memory.put(source, address, 0 if wait else _QUEUED)
        return None if wait else self._queue.begin()

    @overload
    def get(self, address: int, destination: Destination, *, wait: Literal[True] = True) -> None: ...
    @overload
    def get(self, address: int, destination: Destination, *, wait: Literal[False]) -> PoolTransfer: ...
    @overload
    def get(self, address: int, destination: Destination, *, wait: bool) -> PoolTransfer | None: ...
    def get(self, address: int, destination: Destination, *, wait: bool = True) -> PoolTransfer | None:
        """Fills `destination`, a writable object with bytes (see `put`), from `address`."""
        self._memory.get(address, destination, 0 if wait else _QUEUED)
        return None if wait else self._queue.begin()

    def read(self, address: int, nbytes: Size) -> bytes:
        """`nbytes` bytes at `address`, as a new object. For small things; `get` fills a buffer that exists."""
        buffer = bytearray(length("nbytes", nbytes))
        self._memory.get(address, buffer)
        return bytes(buffer)

    @overload
    def copy(self, source: int, destination: int, nbytes: Size, *, wait: Literal[True] = True) -> None: ...
    @overload
    def copy(self, source: int, destination: int, nbytes: Size, *, wait: Literal[False]) -> PoolTransfer: ...
    @overload
    def copy(self, source: int, destination: int, nbytes: Size, *, wait: bool) -> PoolTransfer | None: ...
    def copy(self, source: int, destination: int, nbytes: Size, *, wait: bool = True) -> PoolTransfer | None:
        """Copies `nbytes` bytes between two addresses of the pool, of any two ranks."""
        nbytes = number("nbytes", nbytes)
        self._memory.copy_data(source, destination, nbytes, bm.BmCopyType.AUTO, 0 if wait else _QUEUED)
        return None if wait else self._queue.begin()

    @overload
    def put_many(self, pairs: Iterable[tuple[Source, int]], *, wait: Literal[True] = True) -> None: ...
    @overload
    def put_many(self, pairs: Iterable[tuple[Source, int]], *, wait: Literal[False]) -> PoolTransfer: ...
    @overload
    def put_many(self, pairs: Iterable[tuple[Source, int]], *, wait: bool) -> PoolTransfer | None: ...
    def put_many(self, pairs: Iterable[tuple[Source, int]], *, wait: bool = True) -> PoolTransfer | None:
        """`put` of many pairs (source, address) in one call, in any order. All are checked before the first byte moves."""
        self._memory.put_batch(pairs, 0 if wait else _QUEUED)
        return None if wait else self._queue.begin()

    @overload
    def get_many(self, pairs: Iterable[tuple[int, Destination]], *, wait: Literal[True] = True) -> None: ...
    @overload
    def get_many(self, pairs: Iterable[tuple[int, Destination]], *, wait: Literal[False]) -> PoolTransfer: ...
    @overload
    def get_many(self, pairs: Iterable[tuple[int, Destination]], *, wait: bool) -> PoolTransfer | None: ...
    def get_many(self, pairs: Iterable[tuple[int, Destination]], *, wait: bool = True) -> PoolTransfer | None:
        """`get` of many pairs (address, destination) in one call, in any order."""
        self._memory.get_batch(pairs, 0 if wait else _QUEUED)
        return None if wait else self._queue.begin()

    @overload
    def copy_many(self, pieces: Iterable[tuple[int, int, Size]], *, wait: Literal[True] = True) -> None: ...
    @overload
    def copy_many(self, pieces: Iterable[tuple[int, int, Size]], *, wait: Literal[False]) -> PoolTransfer: ...
    @overload
    def copy_many(self, pieces: Iterable[tuple[int, int, Size]], *, wait: bool) -> PoolTransfer | None: ...
    def copy_many(self, pieces: Iterable[tuple[int, int, Size]], *, wait: bool = True) -> PoolTransfer | None:
        """`copy` of many triples (source, destination, nbytes) in one call, in any order."""
        listed = list(pieces)
        sources, destinations = [piece[0] for piece in listed], [piece[1] for piece in listed]
        sizes, flags = [number("nbytes", piece[2]) for piece in listed], 0 if wait else _QUEUED
        self._memory.copy_data_batch(sources, destinations, sizes, len(listed), bm.BmCopyType.AUTO, flags)
        return None if wait else self._queue.begin()

    def wait(self) -> None:
        """Waits until everything that was queued with ``wait=False`` is done, and raises its first error."""
        self._queue.finish()
