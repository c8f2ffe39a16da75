# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Started transfers by their numbers."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence

import mf_smem

_DONE, _GOES_ON, _FAILED, _TIMED_OUT = 1, 0, -1, -2


class Batches:
    """Started transfers, each under a number until its end was asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._transfers: dict[int, mf_smem.Transfer | None] = {}

    def add(self, transfer: mf_smem.Transfer | None) -> int:
        """The number of a transfer; None: one without pieces, which is done."""
        with self._lock:
            number = next(self._numbers)
            self._transfers[number] = transfer
            return number

    def status(self, number: int) -> int:
        """1 done, 0 under way, -1 failed or unknown, -2 timed out; a number ends with an answer other than 0."""
        with self._lock:
            if number not in self._transfers:
                return _FAILED
            transfer = self._transfers[number]
        if transfer is not None and not transfer.done:
            return _GOES_ON
        with self._lock:
            self._transfers.pop(number, None)
        return _ended(None if transfer is None else transfer.exception())

    def wait(self, numbers: Sequence[int]) -> int:
        """Waits for all; 0, or the code of the first that failed."""
        codes = []
        for number in numbers:
            with self._lock:
                is_known = number in self._transfers
                transfer = self._transfers.pop(number, None)
            error: mf_smem.Error | None = None
            if not is_known:
                codes.append(_FAILED)
                continue
            if transfer is not None:
                try:
                    transfer.wait()
                except mf_smem.Error as failure:
                    error = failure
            codes.append(_ended(error))
        return next((code for code in codes if code < 0), 0)


def _ended(error: mf_smem.Error | None) -> int:
    if error is None:
        return _DONE
    return _TIMED_OUT if isinstance(error, mf_smem.TimedOutError) else _FAILED
