# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Table of started transfers by number."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence

import mf_smem

_DONE, _GOES_ON, _FAILED, _TIMED_OUT = 1, 0, -1, -2


class Batches:
    """Keeps each started transfer under a number, until the caller queries its result."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._transfers: dict[int, mf_smem.Transfer | None] = {}

    def add(self, transfer: mf_smem.Transfer | None) -> int:
        """Adds a transfer, and returns its number. None stands for a transfer without pieces, which is complete."""
        with self._lock:
            number = next(self._numbers)
            self._transfers[number] = transfer
            return number

    def status(self, number: int) -> int:
        """Returns 1 when done, 0 in progress, -1 failed or unknown, -2 timed out. A result other than 0 frees the number."""
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
        """Waits for all transfers. Returns 0, or the code of the first failed transfer."""
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
