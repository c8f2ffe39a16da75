# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Threads for calls that may hang."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Workers:
    """Daemon threads, unlike the threads of `concurrent.futures`: a call that hangs does not hold the end of the program."""

    def __init__(self, number: int, name: str) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._number = number
        for each in range(number):
            threading.Thread(target=self._run, name=f"{name}-{each}", daemon=True).start()

    def submit(self, call: Callable[[], T]) -> Future[T]:
        """Runs the call on one of the threads. A future that is cancelled before is not run."""
        future: Future[T] = Future()
        self._calls.put((future, call))
        return future

    def close(self) -> None:
        """Ends each thread behind the calls that were submitted. Does not wait."""
        for _ in range(self._number):
            self._calls.put(None)

    def _run(self) -> None:
        while (taken := self._calls.get()) is not None:
            future, call = taken
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - the waiter gets it
                future.set_exception(error)
