# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies of a pool that were queued, as transfers that can be polled, waited for and awaited.

The library waits for all queued copies of a pool at once. So copies are in rounds: one wait ends every earlier round, and its
error applies to each copy in them. A thread waits when a copy is polled, awaited, or waited for with a timeout; a wait for all
copies needs none.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable

from ._errors import Error, ErrorKind, TimedOutError, error_from_code
from ._started import Events, Transfer


class Round:
    """A round: copies that one wait ends; queried by their transfers."""

    __slots__ = ("_queue", "error", "has_ended", "is_taken", "is_wanted")

    def __init__(self, queue: Queue, is_taken: bool = False) -> None:
        #: Transfers hold it, too: a weak reference avoids a cycle.
        self._queue = weakref.ref(queue)
        #: Whether a wait has begun that ends it; whether a thread shall wait for it; whether it has ended, and how.
        self.is_taken, self.is_wanted, self.has_ended = is_taken, False, False
        self.error: Error | None = None

    @property
    def queue(self) -> Queue:
        """The queue that it belongs to."""
        queue = self._queue()
        assert queue is not None, "a transfer holds its queue"
        return queue

    def poll(self) -> bool:
        """True if it has ended; raises its error."""
        return self.queue.has_ended(self)

    def wait(self, seconds: float | None = None) -> None:
        """Waits until it has ended, and raises why it failed."""
        queue = self.queue
        if queue.has_ended(self):
            return
        if not queue.await_end(self, seconds):
            raise TimedOutError(
                ErrorKind.TIMEOUT, f"copy: it is not done after {seconds:g} s, and goes on: wait again, or Pool.wait"
            )
        queue.has_ended(self)

    def cancel(self) -> None:
        """Waits until it has ended."""
        try:
            self.wait()
        except Error:
            # Raised by `wait`, and by later operations on it.
            pass


class Queue:
    """The queued copies of a pool. For any thread."""

    def __init__(self, wait: Callable[[], object], name: str, is_far: Callable[[], bool] = lambda: False) -> None:
        """`is_far` says whether copies may go by the network, of which the library leaves no wait."""
        self._wait, self._name, self._is_far = wait, name, is_far
        self._process = os.getpid()
        #: Of all that follows, for moments.
        self._changed = threading.Condition()
        self._open: list[Round] = []
        #: The latest one.
        self._last = Round(self, is_taken=True)
        self._is_waiting = self._is_watched = False
        #: The first error since `finish` was called last.
        self._error: Error | None = None
        self._bell = -1
        self._events: Events | None = None

    def begin(self) -> PoolTransfer:
        """A copy that was queued just now."""
        # No lock: a wait that takes the round from now on begins behind the copy, and waits for it.
        last = self._last
        if last.is_taken:
            last = self._next_round()
        return PoolTransfer(last, self._name, self.events)

    def _next_round(self) -> Round:
        with self._changed:
            if self._last.is_taken:
                self._last = Round(self)
                self._open.append(self._last)
            return self._last

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
        rounds: list[Round] = []
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

    def _end(self, rounds: list[Round], error: Error | None) -> None:
        for ended in rounds:
            ended.has_ended, ended.error = True, error
        self._open = [other for other in self._open if not other.has_ended]
        self._error = self._error or error
        if self._bell >= 0:
            os.eventfd_write(self._bell, 1)

    def has_ended(self, ended: Round) -> bool:
        """True if a round has ended; raises its error. Otherwise it is watched from now on."""
        self._check()
        with self._changed:
            if not ended.has_ended:
                self._want([ended])
                return False
        if ended.error is not None:
            raise error_from_code(ended.error.code, str(ended.error), ended.error.retry)
        return True

    def _want(self, rounds: list[Round]) -> None:
        """Has a thread wait for rounds."""
        for ended in rounds:
            ended.is_wanted = True
        if not self._is_watched:
            threading.Thread(target=self._watch, name="mf-smem-copies", daemon=True).start()
            self._is_watched = True

    def await_end(self, ended: Round, seconds: float | None) -> bool:
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
            # Raises in a forked child, which has no waiting thread.
            self._wait()

    def events(self) -> Events:
        """Wakes event loops when rounds end."""
        with self._changed:
            if self._events is None:
                bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
                weakref.finalize(self, os.close, bell)
                self._bell, self._events = bell, Events(bell)
            return self._events


class PoolTransfer(Transfer):
    """A copy of a pool that was begun with ``wait=False``: poll it (`done`), `wait` for it, or await it.

    The pool keeps its memory until it is done, also when this object is dropped. Copies that go on together fail together: the
    error is the first failure among them. May be used by any thread; `Pool.wait` waits for all of them.
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
