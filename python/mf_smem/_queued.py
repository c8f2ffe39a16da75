# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies of a pool that were queued, as transfers that can be polled, waited for and awaited.

The library waits for all queued copies of a pool at once. So copies are in rounds: one wait ends every round that was begun
before it, and an error of it is that of each copy in them. A thread waits where a copy is polled, awaited, or waited for with a
timeout; who waits for all needs none.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable

from ._errors import Error, ErrorKind, TimedOutError, error_from_code
from ._started import Events, Transfer


class _Round:
    """Copies that one wait ends."""

    def __init__(self) -> None:
        #: Whether a wait has begun that ends it; whether a thread shall wait for it; whether it has ended, and how.
        self.is_taken = self.is_wanted = self.has_ended = False
        self.error: Error | None = None


class Queue:
    """The queued copies of a pool. For any thread."""

    def __init__(self, wait: Callable[[], object], name: str, is_far: Callable[[], bool] = lambda: False) -> None:
        """`is_far` says whether copies may go by the network, of which the library leaves no wait."""
        self._wait, self._name, self._is_far = wait, name, is_far
        self._process = os.getpid()
        #: Of all that follows, for moments.
        self._changed = threading.Condition()
        self._open: list[_Round] = []
        self._is_waiting = self._is_watched = False
        #: The first error since `finish` was called last.
        self._error: Error | None = None
        self._bell = -1
        self._events: Events | None = None

    def begin(self) -> PoolTransfer:
        """A copy that was queued just now."""
        with self._changed:
            if not self._open or self._open[-1].is_taken:
                self._open.append(_Round())
            ended = self._open[-1]
        return PoolTransfer(QueuedCopy(self, ended), self._name, self.events)

    def finish(self) -> None:
        """Waits until all copies are done, and raises the first error since the last call."""
        self._check()
        with self._changed:
            rounds = list(self._open)
        if rounds and threading.current_thread() is threading.main_thread() and self._is_far():
            # Ctrl-C comes to this thread alone, so another one waits.
            with self._changed:
                self._want(rounds)
                self._changed.wait_for(lambda: all(ended.has_ended for ended in rounds))
        else:
            self.end_rounds()
        with self._changed:
            error, self._error = self._error, None
        if error is not None:
            raise error

    def end_rounds(self) -> None:
        """Waits until all copies that are queued are done."""
        rounds: list[_Round] = []
        error, is_ours, is_over = None, False, False
        try:
            with self._changed:
                self._changed.wait_for(lambda: not self._is_waiting)
                self._is_waiting = is_ours = True
                rounds = list(self._open)
                for ended in rounds:
                    ended.is_taken = True
            self._wait()
            is_over = True
        except Error as failure:
            error, is_over = failure, True
        finally:
            # Left for Ctrl-C: the copies go on, and the next wait ends these rounds.
            if is_ours:
                with self._changed:
                    self._is_waiting = False
                    if is_over:
                        self._end(rounds, error)
                    self._changed.notify_all()

    def _end(self, rounds: list[_Round], error: Error | None) -> None:
        for ended in rounds:
            ended.has_ended, ended.error = True, error
        self._open = [other for other in self._open if not other.has_ended]
        self._error = self._error or error
        if self._bell >= 0:
            os.eventfd_write(self._bell, 1)

    def has_ended(self, ended: _Round) -> bool:
        """Whether a round has ended; raises its error. Else it is watched from now on."""
        self._check()
        with self._changed:
            if not ended.has_ended:
                self._want([ended])
                return False
        if ended.error is not None:
            raise error_from_code(ended.error.code, str(ended.error), ended.error.retry)
        return True

    def _want(self, rounds: list[_Round]) -> None:
        """Has a thread wait for rounds."""
        for ended in rounds:
            ended.is_wanted = True
        if not self._is_watched:
            threading.Thread(target=self._watch, name="mf-smem-copies", daemon=True).start()
            self._is_watched = True

    def await_end(self, ended: _Round, seconds: float | None) -> bool:
        """Waits for a round that is watched, at most so long; Ctrl-C leaves it. Whether it has ended."""
        if seconds is None and threading.current_thread() is not threading.main_thread():
            self.end_rounds()
            return True
        # As good as for ever from some hundred years on.
        most = None if seconds is None else min(max(seconds, 0.0), threading.TIMEOUT_MAX)
        with self._changed:
            return self._changed.wait_for(lambda: ended.has_ended, most)

    def _watch(self) -> None:
        while True:
            self.end_rounds()
            with self._changed:
                if not any(ended.is_wanted for ended in self._open):
                    self._is_watched = False
                    return

    def _check(self) -> None:
        if os.getpid() != self._process:
            # Raises in a forked child, where nobody waits.
            self._wait()

    def events(self) -> Events:
        """Wakes event loops when rounds end."""
        with self._changed:
            if self._events is None:
                bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
                weakref.finalize(self, os.close, bell)
                self._bell, self._events = bell, Events(bell)
            return self._events


class QueuedCopy:
    """One of them."""

    def __init__(self, queue: Queue, ended: _Round) -> None:
        self._queue, self._round = queue, ended

    def poll(self) -> bool:
        """Whether it has ended; raises why it failed."""
        return self._queue.has_ended(self._round)

    def wait(self, seconds: float | None = None) -> None:
        """Waits until it has ended, and raises why it failed."""
        if self._queue.has_ended(self._round):
            return
        if not self._queue.await_end(self._round, seconds):
            raise TimedOutError(
                ErrorKind.TIMEOUT, f"copy: it is not done after {seconds:g} s, and goes on: wait again, or Pool.wait"
            )
        self._queue.has_ended(self._round)

    def cancel(self) -> None:
        """Waits until it has ended."""
        try:
            self.wait()
        except Error:
            # Raised by `wait`, and by what is done with it later.
            pass


class PoolTransfer(Transfer):
    """A copy of a pool that was begun with ``wait=False``: poll it (`done`), `wait` for it, or await it.

    The pool keeps its memory until it is done, also when this object is dropped. Copies that go on together fail
    together: the error is that of the first of them that failed. May be used by any thread; `Pool.wait` waits for all of them.
    """

    __slots__ = ()

    @property
    def peer(self) -> str:
        """The pool that it belongs to."""
        return super().peer

    def cancel(self) -> bool:
        """Waits until it is done: a copy of a pool goes on. False."""
        self._started.cancel()
        return False
