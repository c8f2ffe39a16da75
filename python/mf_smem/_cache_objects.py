# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects that a cache makes: leases, prefetches, values written in pieces."""

from __future__ import annotations

import math
import time
from types import TracebackType

from . import _mf_smem, _views
from ._cache_figures import CachePrefetchCounts
from ._enums import BmMemType
from ._errors import Error
from ._types import Source
from ._unique import Unique
from .pool import Pool

#: Longest wait of a prefetch before Python handles signals.
_SLICE_S = 0.1


class CacheLease(Unique):
    """A value that stays where it is for a while. Made by `Cache.lease`; as a context manager it gives `view` up at the end."""

    def __init__(
        self,
        pool: Pool,
        session: _mf_smem.CacheSession,
        until: float,
        address: int,
        nbytes: int,
        held: tuple[int, int, int, int],
    ) -> None:
        self._session, self._until, self._held = session, until, held
        self._view: memoryview | None = None
        #: Length of the value in bytes.
        self.nbytes = nbytes
        if nbytes == 0:
            self._view = memoryview(b"")
        elif address:
            rank = pool._memory.get_rank_id_by_gva(address)
            part = pool._mapped(BmMemType.HOST, rank)
            self._view = _views.exporter(part, address - pool.address(rank), nbytes).toreadonly()

    @property
    def view(self) -> memoryview | None:
        """The bytes of the value in place, read-only, without a copy; None if they are on another host or were released. They
        belong to the value only while `is_valid`."""
        return self._view

    @property
    def is_valid(self) -> bool:
        """True if the lease is running, and the bytes still belong to the value. Members judge leases by the clocks of their
        hosts: a clock set forward ends the lease early. False once the cache is closed."""
        if time.monotonic() >= self._until:
            return False
        try:
            return self._session.lease_valid(self._held)
        except Error:
            return False

    @property
    def seconds_left(self) -> float:
        """Remaining time of the lease; 0 when it is over."""
        return max(0.0, self._until - time.monotonic())

    def release(self) -> None:
        """Gives `view` up. The value stays where it is until the lease is over. Idempotent."""
        view, self._view = self._view, None
        if view is not None:
            view.release()

    def __enter__(self) -> CacheLease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"<mf_smem.CacheLease of {self.nbytes} bytes, {self.seconds_left:.1f} s left>"


class CachePrefetch(Unique):
    """Values that come to memory of this host in the background. Made by `Cache.prefetch`. Dropped, the prefetch goes on."""

    def __init__(self, native: _mf_smem.CachePrefetch) -> None:
        self._native = native

    def done(self) -> bool:
        """True if all keys are done or the deadline has passed. **Local**, non-blocking."""
        return self._native.wait(0)[0]

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until all keys are done, until the deadline of the prefetch, or for `timeout` seconds; returns whether it is
        done. Other threads run meanwhile."""
        end = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            left = min(max(end - time.monotonic(), 0.0), _SLICE_S)
            if self._native.wait(math.ceil(left * 1000))[0]:
                return True
            if time.monotonic() >= end:
                return False

    def counts(self) -> CachePrefetchCounts:
        """Results up to now, which do not change any more when it is `done`. **Local**, non-blocking."""
        return CachePrefetchCounts(*self._native.wait(0)[1])

    def __repr__(self) -> str:
        return f"<mf_smem.CachePrefetch: {self.counts()}>"


class CacheWriter(Unique):
    """A value that is written in pieces. Made by `Cache.begin`; as a context manager it publishes the value at the end, or gives
    it up where the block raises."""

    def __init__(self, native: _mf_smem.CacheWriter) -> None:
        self._native = native
        #: What `publish` returned, once it has.
        self.stored: bool | None = None

    def write(self, offset: int, data: Source) -> None:
        """Writes the bytes of `data` to their place in the value, from `offset` on. Pieces may come in any order; bytes that are
        never written have any contents. Raises `InvalidParamError` where they end beyond the value."""
        self._native.write(offset, data)

    def publish(self) -> bool:
        """Makes the value visible, and ends this object, also when it raises; returns whether it was stored, as `Cache.put`."""
        self.stored = self._native.publish()
        return self.stored

    def cancel(self) -> None:
        """Gives the value up, unless it is ended. Idempotent."""
        self._native.cancel()

    def __enter__(self) -> CacheWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and not self._native.ended:
            self.publish()
        self.cancel()

    def __repr__(self) -> str:
        return f"<mf_smem.CacheWriter, {'ended' if self._native.ended else 'open'}>"
