# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library's log in Python's ``logging``."""

from __future__ import annotations

import logging

import pytest
from mf_smem import _mf_smem
from mf_smem._logging import _Pump

import ranks

#: A handler that keeps records, and a wait for one of them. `noise` has the library log at info and below.
PRELUDE = """
import logging, os, sys, threading, time
import mf_smem

records, pause = [], threading.Event()
class Keep(logging.Handler):
    def emit(self, record):
        records.append(record)

def noise(pool_id=0):
    with mf_smem.open_pool(host_bytes="2MiB", pool_id=pool_id) as pool:
        pool.put(b"x", pool.address())

def until(holds, what):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, (what, [(r.levelname, r.getMessage()) for r in records])
        pause.wait(0.001)

logger = logging.getLogger("mf_smem")
logger.addHandler(Keep())
logger.propagate = False
"""


def run(source: str, **environment: str) -> str:
    done = ranks.run_alone(PRELUDE + ranks.dedented(source), environment)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_records_have_level_time_and_text() -> None:
    shown = run(
        """
        logger.setLevel(logging.DEBUG)
        before = time.time()
        assert mf_smem.use_logging() is logger
        noise()
        until(lambda: any(r.levelno == logging.INFO for r in records), "info")
        for record in records:
            assert record.name == "mf_smem" and record.levelno >= logging.DEBUG and record.getMessage()
            assert before - 1 < record.created < time.time() + 1 and 0 <= record.msecs < 1000
        """
    )
    assert shown == ""


def test_log_level_changes_apply_and_default_to_warnings() -> None:
    run(
        """
        logging.getLogger().setLevel(logging.WARNING)
        mf_smem.use_logging("mf_smem")
        noise()
        assert not [r for r in records if r.levelno < logging.WARNING]
        logger.setLevel(5)
        def more():
            noise()
            return any(r.levelno <= logging.INFO for r in records)
        until(more, "a lower level")
        logger.setLevel(logging.CRITICAL + 1)
        def silent():
            before = len(records)
            noise()
            pause.wait(0.01)
            return len(records) == before
        until(silent, "silence")
        """
    )


def test_another_logger_can_be_chosen() -> None:
    run(
        """
        mf_smem.use_logging()
        other = logging.getLogger("another.one")
        other.propagate = False
        other.setLevel(logging.DEBUG)
        seen = []
        class Count(logging.Handler):
            def emit(self, record):
                seen.append(record)
        other.addHandler(Count())
        assert mf_smem.use_logging(other) is other
        noise()
        until(lambda: seen, "the other logger")
        assert all(record.name == "another.one" for record in seen)
        """
    )


def test_log_handlers_may_call_the_library_and_raise() -> None:
    run(
        """
        logger.setLevel(logging.DEBUG)
        logging.raiseExceptions = False
        calls = []
        class Busy(logging.Handler):
            def emit(self, record):
                calls.append(mf_smem.get_last_err_msg())
                noise(1) if len(calls) == 1 else None
                raise ValueError("a handler that fails")
        logger.addHandler(Busy())
        mf_smem.use_logging()
        noise()
        until(lambda: len(calls) > 3, "records behind a failure")
        """
    )


def test_log_handlers_do_not_block_library_threads() -> None:
    run(
        """
        logger.setLevel(logging.DEBUG)
        inside, goes_on = threading.Event(), threading.Event()
        class Slow(logging.Handler):
            def emit(self, record):
                inside.set()
                assert goes_on.wait(60)
        logger.addHandler(Slow())
        mf_smem.use_logging()
        noise()
        assert inside.wait(60)
        # The handler does not return, and all works.
        for _ in range(3):
            noise()
        goes_on.set()
        """
    )


def test_counts_lines_lost_by_a_full_queue(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    taken = iter([([(1, 0.5, "one that fits")], 3), ([], 0)])
    monkeypatch.setattr(_mf_smem, "log_take", lambda seconds: next(taken))
    pump = _Pump(logging.getLogger("full"))
    with caplog.at_level(logging.INFO, "full"):
        pump.hand_on(0)
        pump.hand_on(0)
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.INFO, "one that fits"), (logging.WARNING, "3 records of the library were lost: handlers are too slow"),
    ]
    assert (caplog.records[0].created, caplog.records[0].msecs) == (0.5, 500)


def test_flushes_queued_lines_at_exit() -> None:
    shown = run(
        """
        logger.setLevel(logging.DEBUG)
        logger.addHandler(logging.StreamHandler())
        mf_smem.use_logging()
        pool = mf_smem.open_pool(host_bytes="2MiB")
        """
    )
    assert shown.count("\n") > 1


def test_a_forked_child_logs_by_itself() -> None:
    run(
        """
        logger.setLevel(logging.DEBUG)
        mf_smem.use_logging()
        noise()
        until(lambda: records, "the parent's")
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                records.clear()
                noise()
                until(lambda: records, "the child's")
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        """
    )
