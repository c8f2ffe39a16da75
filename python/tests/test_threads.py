# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The GIL, callbacks from foreign threads, the end of the interpreter, and fork."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Iterator

import mf_smem
import pytest
from mf_smem import bm

import ranks

MIB = 1 << 20


@pytest.fixture
def counter() -> Iterator[list[int]]:
    """A number that another thread raises whenever this one lets the GIL go, and only then."""
    count, stop = [0], threading.Event()

    def run() -> None:
        while not stop.is_set():
            count[0] += 1
            time.sleep(0)

    before = sys.getswitchinterval()
    # No thread is asked to give the GIL up: it changes hands only where it is released.
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=run)
    thread.start()
    yield count
    stop.set()
    thread.join()
    sys.setswitchinterval(before)


@pytest.mark.parametrize(("size", "is_released"), [(8, False), (65535, False), (65536, True), (2 * MIB, True)])
def test_copies_of_64_kib_release_the_gil(
    pool: mf_smem.Pool, counter: list[int], size: int, is_released: bool
) -> None:
    data = (ctypes.c_uint8 * size)()
    source, destination, copy = ctypes.addressof(data), pool.address(), pool.memory.copy_data
    for _ in range(10_000):
        before = counter[0]
        copy(source, destination, size, bm.BmCopyType.AUTO)
        after = counter[0]
        if before != after:
            break
    assert (before != after) == is_released


def test_waiting_releases_the_gil(pool: mf_smem.Pool) -> None:
    found: list[bytes] = []
    waiter = threading.Thread(target=lambda: found.append(mf_smem.store.get("late", timeout_s=ranks.DEADLINE_S)))
    waiter.start()
    mf_smem.store.set("late", b"here")
    waiter.join(ranks.DEADLINE_S)
    assert found == [b"here"]


def test_a_barrier_releases_the_gil() -> None:
    ranks.run_code(
        """
        import threading, mf_smem
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            if pool.rank == 0:
                waiter = threading.Thread(target=pool.barrier, args=("both",))
                waiter.start()
                mf_smem.store.set("go", b"")
                waiter.join()
            else:
                mf_smem.store.get("go", timeout_s=60)
                pool.barrier("both")
        """,
        2,
    )


def test_many_threads_copy_at_once(pool: mf_smem.Pool) -> None:
    failed: list[int] = []

    def run(number: int) -> None:
        pattern, got = bytes([number]) * 100_000, bytearray(100_000)
        for _ in range(50):
            pool.put(pattern, pool.address() + number * 100_000, wait=number % 2 == 0)
            pool.wait()
            pool.get(pool.address() + number * 100_000, got)
            if got != pattern:
                failed.append(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_raising_callback_is_reported_and_harmless() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        def log(level, text):
            raise ValueError("from the logger")
        mf_smem.set_log_level(0)
        assert mf_smem.set_extern_logger(log) == 0
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            pool.put(b"x", pool.address())
        print("went on")
        """
    )
    assert done.returncode == 0 and done.stdout == "went on\n"
    assert "from the logger" in done.stderr


def test_external_logger_receives_lines() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        lines = []
        mf_smem.set_log_level(0)
        assert mf_smem.set_extern_logger(lambda level, text: lines.append((level, text))) == 0
        with mf_smem.open_pool(host_bytes=2 << 20):
            pass
        assert lines and all(type(level) is int and type(text) is str and text for level, text in lines)
        """
    )
    assert done.returncode == 0, done.stderr


def test_failing_logger_is_called_once_per_line_and_removed() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        lines, own = [], []
        def log(level, text):
            lines.append(text)
            own.append((mf_smem.set_log_level(77), mf_smem.get_last_err_msg()))
        mf_smem.set_log_level(0)
        assert mf_smem.set_extern_logger(log) == 0
        # A line each.
        assert [mf_smem.set_log_level(level) for level in (-1, 66)] == [-2000, -2000]
        failures = [line for line in lines if "unknown level" in line]
        assert len(failures) == 2 and not [line for line in lines if "77" in line], lines
        assert all(code == -2000 and "77" in text for code, text in own), own
        assert "66" in mf_smem.get_last_err_msg()
        assert mf_smem.set_extern_logger(None) == 0
        assert mf_smem.set_log_level(-1) == -2000 and len(lines) == len(own)
        assert mf_smem.set_extern_logger(None) == -2000
        """
    )
    assert done.returncode == 0, done.stderr
    # Destination of lines without a logger.
    assert "77" in done.stderr and "-1" in done.stderr


LOGGER = "mf_smem.set_log_level(0); mf_smem.set_extern_logger(lambda level, text: None)"
ENDINGS = {
    "open pool": "pool = open()",
    "pool in a cycle": "class C: pass\nc = C(); c.c = c; c.pool = open()",
    "view alive": "pool = open(); view = pool.local()",
    "view alive, pool closed": "pool = open(); view = pool.local(); pool.close()",
    "logger installed": LOGGER + "\npool = open()",
    "event handler": "pool = open(); pool.on_event(lambda rank, event: None)",
    "queued copies": """
pool = open()
data = bytearray(1 << 20)
for _ in range(64): pool.put(data, pool.address(), wait=False)""",
    "waiting daemon thread": LOGGER + """
pool = open()
started = threading.Event()
def wait():
    started.set()
    mf_smem.store.get("never", timeout_s=100)
threading.Thread(target=wait, daemon=True).start()
started.wait()""",
    "busy daemon thread": """
pool = open()
data = bytearray(1 << 20)
def copy():
    while True: pool.put(data, pool.address())
threading.Thread(target=copy, daemon=True).start()""",
    "uninitialised only": "pool = open(); mf_smem.bm.uninitialize()",
    "raised in the end": "atexit.register(lambda: open(9)); pool = open()",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_interpreter_ends_cleanly(ending: str) -> None:
    done = ranks.run_alone(
        "import atexit, threading, mf_smem\n"
        "def open(pool_id=0): return mf_smem.open_pool(host_bytes=2 << 20, pool_id=pool_id)\n"
        f"{ENDINGS[ending]}\n"
        "print('end')\n"
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


#: What daemon threads do again and again while the interpreter ends: the last line is one round.
ROUNDS = {
    "errors of a cache": """
cache = mf_smem.Cache("4MiB")
cache.put("k", bytes(1 << 16))
out = bytearray(1 << 16)
cache.get_into("k", out)""",
    "errors of a pool": """
pool = mf_smem.open_pool(host_bytes=2 << 20)
pool.put(b"x", 1)""",
    "a buffer in Python": """
class Array:
    @property
    def __array_interface__(self):
        return {"version": 3, "typestr": "|u1", "shape": (4096,), "data": bytearray(sum(range(1, 65)) + 2016)}
pool = mf_smem.open_pool(host_bytes=2 << 20)
pool.put(Array(), pool.address())""",
    "DLPack in Python": """
class Tensor:
    def __dlpack_device__(self): return (1, sum(range(64)) - 2016)
    def __dlpack__(self, stream=None): return sum(range(64))
pool = mf_smem.open_pool(host_bytes=2 << 20)
pool.put(Tensor(), pool.address())""",
    "sizes from a generator": """
from mf_smem import bm
class Numbers(list):
    def __iter__(self): return (int(number) for number in [1] * 64)
pool = mf_smem.open_pool(host_bytes=2 << 20)
pool.memory.copy_data_batch(Numbers(), Numbers(), Numbers(), 1, bm.BmCopyType.G2G)""",
    "changes of a store": """
url = f"tcp://127.0.0.1:{PORT}"
server = mf_smem.StoreServer(url)
store = mf_smem.Store(url)
watch = store.watch("k")
store.set("k", b"v"); watch.get(timeout=1)""",
    "transfers": """
engine = mf_smem.TransferEngine()
engine.initialize("", "127.0.0.1", "Decode", -1)
engine.transfer_sync_write("127.0.0.1:1", 0, 0, 64)
engine.batch_transfer_sync_write("127.0.0.1:1", [1], [1], [64])""",
    "a session of HMC": """
import hmc
session = hmc.create_session(device_id=0, buffer_size=1 << 20, mem_type=hmc.MemoryType.CPU)
session.put_remote("127.0.0.1", 1, 0, 0, 64)""",
    "a symmetric heap": """
import openshmem, numpy
openshmem.init()
openshmem.put(numpy.zeros(4), numpy.zeros(4), 0)""",
    "functions of CANN SHMEM": """
import shmem
assert shmem.set_conf_store_tls(False, "") == 0
assert shmem.aclshmem_init(shmem.InitAttr(0, 1, f"tcp://127.0.0.1:{PORT}", 8 << 20)) == 0
shmem.aclshmem_free(sum(range(8)))""",
}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_running_daemon_threads_do_not_abort_exit(rounds: str) -> None:
    *setup, step = ROUNDS[rounds].strip().splitlines()
    program = "\n".join([
        "import sys, threading, mf_smem",
        f"PORT = {10000 + ranks.free_port() % 2500 * 8}",
        *setup,
        # The lock of the interpreter changes hands as often as can be.
        "sys.setswitchinterval(1e-6)",
        "done = threading.Semaphore(0)",
        "def run():",
        "    while True:",
        f"        try: {step}",
        "        except Exception: pass",
        "        done.release()",
        "for _ in range(4): threading.Thread(target=run, daemon=True).start()",
        "for _ in range(100): assert done.acquire(timeout=60)",
        "print('end')",
    ])  # fmt: skip
    for _ in range(3):
        ended = ranks.run_alone(program)
        assert (ended.returncode, ended.stdout) == (0, "end\n"), ended.stderr


def test_forked_child_is_refused_and_the_parent_continues() -> None:
    done = ranks.run_alone(
        """
        import os, mf_smem
        from memfabric_hybrid import bm as codes
        pool = mf_smem.open_pool(host_bytes=2 << 20)
        coded = codes.BigMemory(pool.memory)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                pool.put(b"x", 1)
            except mf_smem.NotInitError as error:
                status = 0 if "fork" in str(error) and coded.leave() == coded.copy_data(1, 1, 1, 9) == -2008 else 2
            pool.close()
            del pool, coded
            os._exit(status)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, status
        pool.put(b"still here", pool.address())
        assert pool.read(pool.address(), 10) == b"still here" and pool.members() == [0]
        pool.close()
        """
    )
    assert done.returncode == 0, done.stderr


def test_multiprocessing_by_fork_ends_cleanly() -> None:
    done = ranks.run_alone(
        """
        import multiprocessing, mf_smem
        def child():
            return None
        pool = mf_smem.open_pool(host_bytes=2 << 20)
        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
        process.join(60)
        assert process.exitcode == 0, process.exitcode
        pool.put(b"x", pool.address())
        pool.close()
        """
    )
    assert done.returncode == 0, done.stderr
