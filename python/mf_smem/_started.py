# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfers that were started, for threads and for event loops."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

from . import _mf_smem
from ._errors import Error, ErrorKind, NotInitError
from ._unique import Unique

T = TypeVar("T")


class _Waiter:
    """A task that waits in its loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, concerns: Callable[[], bool]) -> None:
        self.loop, self.concerns = loop, concerns
        self.woken: asyncio.Future[None] = loop.create_future()

    def wake(self) -> None:
        if not self.woken.done():
            self.woken.set_result(None)


class Events:
    """Wakes tasks of event loops when transfers of an engine have ended, or notifications have come.

    Each loop that waits watches one descriptor of the library, so no thread is needed.
    """

    def __init__(self, descriptor: int) -> None:
        #: The library closes its own with the engine.
        self._descriptor = os.dup(descriptor)
        weakref.finalize(self, os.close, self._descriptor)
        #: Of the table, for moments.
        self._lock = threading.Lock()
        self._waiting: dict[asyncio.AbstractEventLoop, list[_Waiter]] = {}

    async def until(self, attempt: Callable[[], T | None], concerns: Callable[[], bool]) -> T:
        """Waits for a result of `attempt` other than None. It is called in the running loop, and again after
        events selected by `concerns`, which may be called by any thread."""
        loop = asyncio.get_running_loop()
        while True:
            waiter = _Waiter(loop, concerns)
            self._watch(waiter)
            try:
                # Events before the descriptor was watched wake no task.
                found = attempt()
                if found is not None:
                    return found
                await waiter.woken
            finally:
                self._unwatch(waiter)

    def _watch(self, waiter: _Waiter) -> None:
        with self._lock:
            waiters = self._waiting.setdefault(waiter.loop, [])
            waiters.append(waiter)
            if len(waiters) == 1:
                waiter.loop.add_reader(self._descriptor, self._ready, waiter.loop)

    def _unwatch(self, waiter: _Waiter) -> None:
        with self._lock:
            waiters = self._waiting[waiter.loop]
            waiters.remove(waiter)
            if not waiters:
                del self._waiting[waiter.loop]
                waiter.loop.remove_reader(self._descriptor)

    def _ready(self, loop: asyncio.AbstractEventLoop) -> None:
        # Another loop may have been faster.
        with contextlib.suppress(BlockingIOError):
            os.read(self._descriptor, 8)
        with self._lock:
            waiting = [waiter for waiters in self._waiting.values() for waiter in waiters]
        for waiter in waiting:
            if not waiter.concerns():
                continue
            if waiter.loop is loop:
                waiter.wake()
            else:
                # A loop that was closed meanwhile has no tasks.
                with contextlib.suppress(RuntimeError):
                    waiter.loop.call_soon_threadsafe(waiter.wake)


class Started(Protocol):
    """A started operation, as seen by a `Transfer`."""

    def poll(self) -> bool: ...

    def wait(self, seconds: float | None = None) -> None: ...

    def cancel(self) -> None: ...


class Transfer(Unique):
    """A transfer that goes on by itself: poll it (`done`), `wait` for it, await it, or `cancel` it.

    Local memory stays valid until it has ended. One that is dropped before is cancelled. May be used by any thread.
    """

    __slots__ = ("__weakref__", "_events", "_peer", "_started")

    def __init__(self, started: Started, peer: str, events: Callable[[], Events]) -> None:
        self._started, self._peer, self._events = started, peer, events

    @property
    def peer(self) -> str:
        """The engine that it goes to."""
        return self._peer

    @property
    def done(self) -> bool:
        """True if it has ended, well or not. Does not block."""
        try:
            return self._started.poll()
        except NotInitError:
            # A forked child cannot know.
            raise
        except Error:
            return True

    def exception(self) -> Error | None:
        """Why it failed; None: it has not, or goes on. Does not block."""
        try:
            self._started.poll()
        except Error as error:
            return error
        return None

    @property
    def cancelled(self) -> bool:
        """True if it was cancelled before it was done, by `cancel` or with its engine."""
        error = self.exception()
        return error is not None and error.code == ErrorKind.CANCELLED

    def wait(self, timeout: float | None = None) -> None:
        """Waits until it is done, at most `timeout` seconds; None: as long as it takes. Ctrl-C leaves the wait.

        Waits until its data is visible and its message received. Raises its error: `NotConnectedError`,
        `InvalidParamError`, `CancelledError`, `NoResourcesError` if all is written but the receiver had no room for the
        message; and `TimedOutError`, which names the other engine, while it goes on.
        """
        self._started.wait(timeout)

    def cancel(self) -> bool:
        """Ends it: pieces that were not begun are not copied, and no message is sent. When it returns, local memory is not
        touched any more. Waits for the running copy, at most MF_NET_TIMEOUT. Returns whether it was cancelled before it was
        done."""
        self._started.cancel()
        return self.cancelled

    async def _ended(self) -> None:
        if not self.done:
            await self._events().until(lambda: self.done or None, lambda: self.done)
        self._started.wait(0)

    def __await__(self) -> Generator[object, None, None]:
        """As `wait`, in an event loop. A task that is cancelled does not cancel the transfer."""
        return self._ended().__await__()


class PreparedTransfer(Unique):
    """Pieces between registered memory here and memory of one engine, checked once for many transfers.

    The other side decides at each access. When local memory is taken back, `start` refuses.
    """

    __slots__ = ("__weakref__", "_count", "_events", "_peer", "_prepared")

    def __init__(
        self, prepared: _mf_smem.PreparedTransfer, peer: str, count: int, events: Callable[[], Events]
    ) -> None:
        self._prepared, self._peer, self._count, self._events = prepared, peer, count, events

    @property
    def peer(self) -> str:
        """The engine that it goes to."""
        return self._peer

    def __len__(self) -> int:
        """Number of pieces."""
        return self._count

    def start(self, pieces: Iterable[int] | None = None, notify: bytes | None = None) -> Transfer:
        """Starts a transfer of all pieces, or of those with the given numbers, from 0; with `notify`, the other engine gets that
        message behind the data. **One-sided**; does not block.

        Raises `InvalidParamError` for an invalid piece or unregistered local memory, and `CancelledError` when the engine was
        destroyed.
        """
        chosen = None if pieces is None else list(pieces)
        return Transfer(self._prepared.start(chosen, notify), self._peer, self._events)
