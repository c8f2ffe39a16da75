# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Locks of the whole job."""

from __future__ import annotations

import threading
from types import TracebackType

import numpy as np

from mf_smem._unique import Unique

from . import _functions
from ._memory import free, new_array
from ._types import LockHandle

_function = _functions.function
_set, _test, _clear = (_function(f"shmem_{verb}_lock") for verb in ("set", "test", "clear"))


def new_lock() -> LockHandle:
    """A new lock, which no PE has. **Collective.**"""
    return new_array(1, np.int64)


def del_lock(lock: LockHandle) -> None:
    """Gives a lock back. **Collective.**"""
    free(lock)


def _address(lock: LockHandle) -> int:
    address, count, _, kind = _functions.describe("lock", lock)
    if kind != "int64" or count == 0:
        raise TypeError(f"a lock is an int64, not {count} elements of type {kind}")
    return address


class _Attempt:
    """A wait for a lock on a thread of its own. A wait that was left would break the lock for all PEs behind it: one that the
    program leaves goes on here, and gives the lock to the next PE when it comes."""

    def __init__(self, address: int) -> None:
        self._address = address
        self._state = threading.Lock()
        self._done = threading.Event()
        self._error: BaseException | None = None
        self._is_left = False
        threading.Thread(target=self._wait, name="openshmem lock", daemon=True).start()

    def _wait(self) -> None:
        try:
            _set(self._address)
        except BaseException as error:  # noqa: BLE001 - raised by who waits
            self._error = error
        with self._state:
            self._done.set()
            if self._is_left and self._error is None:
                _clear(self._address)

    def result(self) -> None:
        try:
            self._done.wait()
        except BaseException:
            with self._state:
                self._is_left = True
                has_come = self._done.is_set() and self._error is None
            if has_come:
                _clear(self._address)
            raise
        if self._error is not None:
            raise self._error


def set_lock(lock: LockHandle) -> None:
    """Takes a lock; waits for earlier PEs in the queue. Ctrl-C passes its turn to the next PE."""
    address = _address(lock)
    if threading.current_thread() is not threading.main_thread():
        _set(address)
    elif _test(address) != 0:
        _Attempt(address).result()


def test_lock(lock: LockHandle) -> bool:
    """Takes a lock if no PE has it. As in C, false says that this PE has it now; true that another one has it."""
    return bool(_test(_address(lock)))


def clear_lock(lock: LockHandle) -> None:
    """Completes this PE's puts, and passes the lock to the next PE."""
    _clear(_address(lock))


class Lock(Unique):
    """A lock with ``with``. Made and destroyed by all PEs together."""

    def __init__(self) -> None:
        self._lock = new_lock()

    def acquire(self, blocking: bool = True) -> bool:
        """Takes the lock. Returns if it did; without `blocking` it does not wait."""
        if blocking:
            set_lock(self._lock)
            return True
        return not test_lock(self._lock)

    def release(self) -> None:
        """Gives the lock to the next PE."""
        clear_lock(self._lock)

    def destroy(self) -> None:
        """Gives its memory back. **Collective.**"""
        del_lock(self._lock)

    def __enter__(self) -> Lock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
