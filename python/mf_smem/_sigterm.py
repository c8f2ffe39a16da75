# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Caches that save values to disk when the process gets SIGTERM.

The handler closes them and then does what the process would have done without it: it calls the handler of the program, ends
the process, or goes on. It is installed for the first such cache only, and never replaces a handler that Python cannot call.
"""

from __future__ import annotations

import logging
import os
import signal
import weakref
from types import FrameType
from typing import Any, Protocol

_LOG = logging.getLogger(__name__)


class _Saving(Protocol):
    def close(self, *, save: bool, save_seconds: float) -> int: ...


#: Caches that save, each with the seconds for that and the process that opened it.
_CACHES: weakref.WeakKeyDictionary[_Saving, tuple[float, int]] = weakref.WeakKeyDictionary()
#: The handler before.
_before: Any = None
_is_installed = False


def save(cache: _Saving, seconds: float) -> None:
    """Lets a cache save its values for so many seconds when the process gets SIGTERM."""
    if _is_installed or _install():
        _CACHES[cache] = (seconds, os.getpid())


def _install() -> bool:
    global _before, _is_installed
    before = signal.getsignal(signal.SIGTERM)
    if before is None:
        _LOG.warning("SIGTERM saves no cache: its handler was not installed by Python; close caches with save=True there")
        return False
    try:
        signal.signal(signal.SIGTERM, _handle)
    except ValueError:
        _LOG.warning("SIGTERM saves no cache: make the first cache with save_on_sigterm in the main thread")
        return False
    _before, _is_installed = before, True
    return True


def _handle(number: int, frame: FrameType | None) -> None:
    for cache, (seconds, process) in list(_CACHES.items()):
        if process != os.getpid():
            continue
        try:
            cache.close(save=True, save_seconds=seconds)
        except Exception as error:  # noqa: BLE001 - the end of the process goes on
            _LOG.warning("a cache is not saved: %s", error)
    if callable(_before):
        _before(number, frame)
    elif _before == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
