# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library's log as records of Python's ``logging``."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import threading
import traceback

from . import _mf_smem
from ._errors import error_from_code

__all__ = ["use_logging"]

#: Below ``logging.DEBUG``.
TRACE = 5
#: Levels of ``logging`` for the library's levels, and the library level that each one enables.
_LEVELS = {4: TRACE, 0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING, 3: logging.ERROR}
_NOTHING = 5
#: How often a changed level, and the end of the program, is noticed, in seconds, where nothing is logged.
_NOTICED = 0.1
#: How long the end of the program waits for a handler.
_END_S = 5.0


class _Pump:
    """Takes lines out of the library's queue, on a thread, and gives them to a logger."""

    def __init__(self, logger: logging.Logger) -> None:
        self.logger = logger
        self._level = -1
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mf-smem-logging", daemon=True)

    def start(self) -> None:
        code = _mf_smem.log_open()
        if code != 0:
            raise error_from_code(code, _mf_smem.get_last_err_msg())
        self.follow()
        self._thread.start()

    def end(self) -> None:
        """Delivers queued lines, and ends the thread: at the interpreter's end no thread may be in a call of the library."""
        self._ends.set()
        self._thread.join(_END_S)
        if not self._thread.is_alive():
            self.hand_on(0)

    def follow(self) -> None:
        """Lets the library make the lines that the logger wants."""
        wanted = self.logger.getEffectiveLevel()
        enough = [number for number, level in _LEVELS.items() if level >= wanted]
        level = enough[0] if enough else _NOTHING
        if level != self._level:
            self._level = level
            _mf_smem.set_log_level(level)

    def hand_on(self, seconds: float) -> None:
        """Passes queued lines to the logger, or the first lines within so many seconds."""
        lines, lost = _mf_smem.log_take(seconds)
        for level, created, text in lines:
            self._emit(_LEVELS.get(level, logging.ERROR), text, created)
        if lost:
            self._emit(logging.WARNING, f"{lost} records of the library were lost: handlers are too slow", None)

    def _emit(self, level: int, text: str, created: float | None) -> None:
        if self.logger.isEnabledFor(level):
            try:
                self._handle(level, text, created)
            except Exception:
                # Error of a handler. Other records follow, and it has no caller to raise to.
                if logging.raiseExceptions:
                    traceback.print_exc()

    def _handle(self, level: int, text: str, created: float | None) -> None:
        logger = self.logger
        record = logger.makeRecord(logger.name, level, "(mf_smem)", 0, text, (), None, "mf_smem")
        if created is not None:
            # Of the moment at which the library made it.
            record.created, record.msecs = created, created % 1 * 1000
        logger.handle(record)

    def _run(self) -> None:
        while not self._ends.is_set():
            # Errors must not end the thread.
            with contextlib.suppress(Exception):
                self.hand_on(_NOTICED)
                self.follow()


_PUMP: _Pump | None = None


def use_logging(logger: logging.Logger | str = "mf_smem") -> logging.Logger:
    """Has the library's log go to a logger of Python's ``logging`` instead of the standard error, and returns that logger.

    The level is the logger's effective one, also when that is changed later (``MF_LOG_LEVEL`` does not count any more); the
    library's level *trace* is 5. Records are made on a thread of their own from a queue of 8192: no thread of the library waits
    for the interpreter or for handlers, and when the queue is full records are lost and counted. Queued records are delivered
    when the program ends. A second call changes the logger. In a forked child it goes on by itself.

    Example::

        logging.basicConfig(level=logging.INFO)
        mf_smem.use_logging()
    """
    global _PUMP
    chosen = logging.getLogger(logger) if isinstance(logger, str) else logger
    if _PUMP is None:
        _PUMP = _Pump(chosen)
        try:
            _PUMP.start()
        except BaseException:
            _PUMP = None
            raise
        os.register_at_fork(after_in_child=_begin_anew)
    else:
        _PUMP.logger = chosen
        _PUMP.follow()
    return chosen


# When this module is imported, so that it runs behind what closes pools.
@atexit.register
def _hand_on_the_rest() -> None:
    if _PUMP is not None:
        _PUMP.end()


def _begin_anew() -> None:
    global _PUMP
    if _PUMP is not None:
        _PUMP = _Pump(_PUMP.logger)
        # Without a thread the child is as it was without records.
        with contextlib.suppress(Exception):
            _PUMP.start()
