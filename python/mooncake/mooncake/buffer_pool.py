# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`BufferPool`: reusable registered buffers of a store."""

from __future__ import annotations

import ctypes
import mmap
import threading
import time
import weakref
from types import TracebackType
from typing import Any

__all__ = ["BufferLease", "BufferPool", "RegisteredBufferPool"]


class _Region:
    """Registered memory of one buffer."""

    def __init__(self, store: Any, size: int, alignment: int) -> None:
        self.size = size
        self._memory = mmap.mmap(-1, size + alignment)
        begin = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.offset = -begin % alignment
        self.address = begin + self.offset
        code = store.register_buffer(self.address, size)
        if code != 0:
            raise RuntimeError(f"{size} bytes at {self.address:#x} cannot be registered: {code}")

    def array(self, size: int) -> ctypes.Array[ctypes.c_ubyte]:
        """Returns the first `size` bytes as an array. Views of the array keep it alive."""
        return (ctypes.c_ubyte * size).from_buffer(self._memory, self.offset)


class BufferLease:
    """Lease of a buffer, until `release` or the end of a ``with`` block."""

    def __init__(self, pool: BufferPool, region: _Region, size: int) -> None:
        self._pool, self._region = pool, region
        #: Length in bytes, and address of the buffer.
        self.size, self.ptr = size, region.address
        self._view: memoryview | None = memoryview(region.array(size)).cast("B")

    @property
    def buffer(self) -> memoryview:
        """Writable view of the buffer. Raises `RuntimeError` after `release`."""
        if self._view is None:
            raise RuntimeError("the buffer is released")
        return self._view

    def release(self) -> None:
        """Returns the buffer to its pool. Idempotent. Raises `RuntimeError` while a view of it exists."""
        view = self._view
        if view is None:
            return
        array = weakref.ref(view.obj)
        self._view = None
        view.release()
        lives_on = array()
        if lives_on is not None:
            self._view = memoryview(lives_on).cast("B")
            raise RuntimeError("a view of the buffer is in use: release it first")
        self._pool._give_back(self._region)

    def __len__(self) -> int:
        return self.size

    def __enter__(self) -> BufferLease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class BufferPool:
    """Pool of buffers by size class. Thread-safe.

    Size classes are `min_size_class` times powers of two, up to `max_size_class`. `max_bytes` limits the bytes of all buffers
    (0: no limit), and `max_regions` their number. At a limit, `acquire` waits for at most `default_timeout` seconds if
    `block_on_exhaustion` is set, or else raises `MemoryError`.
    """

    def __init__(
        self,
        store: Any,
        max_bytes: int = 0,
        min_size_class: int = 65_536,
        max_size_class: int | None = None,
        alignment: int = 8_388_608,
        block_on_exhaustion: bool = True,
        default_timeout: float | None = None,
        max_regions: int | None = None,
        prewarm_size: int | None = None,
        prewarm_count: int = 0,
    ) -> None:
        if min_size_class <= 0 or alignment <= 0 or alignment & (alignment - 1):
            raise ValueError("min_size_class is above 0, and alignment a power of two")
        if max_size_class is not None and max_size_class < min_size_class:
            raise ValueError("max_size_class is not below min_size_class")
        self._store, self._max_bytes, self._max_regions = store, max_bytes, max_regions
        self._least, self._most, self._alignment = min_size_class, max_size_class, alignment
        self._blocks, self._timeout = block_on_exhaustion, default_timeout
        self._changed = threading.Condition()
        self._free: list[_Region] = []
        self._lent: set[_Region] = set()
        self._closed = False
        if prewarm_size is not None and prewarm_count:
            self.prewarm(prewarm_size, prewarm_count)

    def acquire(self, size: int, block: bool | None = None, timeout: float | None = None) -> BufferLease:
        """Leases a buffer of `size` bytes. `timeout` is in seconds; None for `default_timeout`.

        Raises `ValueError` for a size outside all classes, `MemoryError` for no room without `block`, `TimeoutError` for no room
        until the timeout, `RuntimeError` after `close`.
        """
        wanted = self._class(size)
        limit = self._timeout if timeout is None else timeout
        deadline = None if limit is None else time.monotonic() + limit
        with self._changed:
            while True:
                if self._closed:
                    raise RuntimeError("the pool of buffers is closed")
                region = self._take(wanted)
                if region is not None:
                    self._lent.add(region)
                    return BufferLease(self, region, size)
                if not (self._blocks if block is None else block):
                    raise MemoryError(f"no room for a buffer of {size} bytes: {len(self._lent)} are lent")
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    raise TimeoutError(f"no room for a buffer of {size} bytes within {limit:g} s: {len(self._lent)} are lent")
                self._changed.wait(left)

    buffer = acquire

    def prewarm(self, size: int, count: int) -> None:
        """Allocates `count` buffers of `size` bytes in advance. Raises `MemoryError` for no room."""
        leases = []
        try:
            for _ in range(count):
                leases.append(self.acquire(size, block=False))
        finally:
            for lease in leases:
                lease.release()

    def close(self) -> None:
        """Frees all buffers. Idempotent. Raises `RuntimeError` while leases exist."""
        with self._changed:
            if self._lent:
                raise RuntimeError(f"{len(self._lent)} buffers are lent")
            self._closed = True
            while self._free:
                self._drop(self._free.pop())
            self._changed.notify_all()

    def _class(self, size: int) -> int:
        if size <= 0:
            raise ValueError(f"a buffer has 1 byte or more, not {size}")
        wanted = self._least
        while wanted < size:
            wanted *= 2
        if self._most is not None and wanted > self._most:
            if size > self._most:
                raise ValueError(f"{size} bytes are more than the largest class of {self._most}")
            wanted = self._most
        if self._max_bytes and size > self._max_bytes:
            raise ValueError(f"{size} bytes are more than the pool's {self._max_bytes}")
        return min(wanted, self._max_bytes) if self._max_bytes else wanted

    def _take(self, wanted: int) -> _Region | None:
        """Returns a free or new buffer, or None for no room. Frees buffers of other classes to make room."""
        for region in self._free:
            if region.size == wanted:
                self._free.remove(region)
                return region
        while not self._has_room(wanted):
            if not self._free:
                return None
            self._drop(self._free.pop(0))
        return _Region(self._store, wanted, self._alignment)

    def _has_room(self, wanted: int) -> bool:
        regions = [*self._free, *self._lent]
        if self._max_regions is not None and len(regions) >= self._max_regions:
            return False
        return not self._max_bytes or sum(region.size for region in regions) + wanted <= self._max_bytes

    def _drop(self, region: _Region) -> None:
        self._store.unregister_buffer(region.address)

    def _give_back(self, region: _Region) -> None:
        with self._changed:
            self._lent.discard(region)
            self._free.append(region)
            self._changed.notify_all()


RegisteredBufferPool = BufferPool
