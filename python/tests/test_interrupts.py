# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ctrl-C in every call that waits: `KeyboardInterrupt` comes at once, and the object stays usable.

Each program runs alone at first, so that its calls have to wait. It measures from the signal to the exception; the bound that
is asserted only distinguishes a wait that was left from one that ended by its timeout.
"""

from __future__ import annotations

import sys

import pytest

import ranks

#: Put in front of every program. `interrupted` says how long the exception took.
PRELUDE = """
import os, signal, subprocess, sys, threading, time
import mf_smem

URL, SECRET = os.environ["TEST_URL"], "s"
# A shell that runs the tests in the background may ignore it, and Python then leaves it so.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupted(what, call, first=lambda: None):
    sent = []
    def send():
        first()
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.5, send)
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        took_ms = (time.monotonic() - sent[0]) * 1000
        print(f"{what}: KeyboardInterrupt after {took_ms:.1f} ms", flush=True)
        assert took_ms < 10_000, took_ms
    else:
        raise SystemExit(f"{what}: the call returned")
    finally:
        timer.join()

def peer(source):
    source = f"import mf_smem\\nURL = {URL!r}\\n" + source
    return subprocess.Popen([sys.executable, "-c", source])

def ended(process):
    assert process.wait(timeout=60) == 0
"""

PROGRAMS = {
    "store_member_without_a_store": """
        connect = lambda: mf_smem.Store(URL, None, 2, rank=1, timeout=60)
        interrupted("Store(...)", connect)
        other = peer('''
with mf_smem.Store(URL, None, 2, True, rank=0) as store:
    store.barrier("b", timeout=60)
''')
        with connect() as store:
            store.barrier("b", timeout=60)
        ended(other)
    """,
    "store_member_of_an_address_that_is_silent": """
        # A port with a full connection queue does not answer, like an address behind a firewall.
        import socket
        silent = socket.create_server(("127.0.0.1", 0), backlog=0)
        full = []
        for _ in range(8):
            probe = socket.socket()
            probe.setblocking(False)
            probe.connect_ex(silent.getsockname())
            full.append(probe)
        url = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        interrupted("Store(...), silent", lambda: mf_smem.Store(url, None, 2, rank=1, timeout=60))
    """,
    "store_automatic_ranks": """
        # The rank that is left is taken.
        with mf_smem.Store(URL, None, 1, True, rank=0):
            taken = lambda: mf_smem.Store(URL, None, 1, timeout=60)
            interrupted("Store(...), no rank free", taken)
        with mf_smem.Store(URL, None, 1, True, rank=0) as store:
            store.set("k", b"v")
            assert store.get("k") == b"v"
    """,
    "store_barrier": """
        with mf_smem.Store(URL, None, 2, True, rank=0) as store:
            for _ in range(3):
                interrupted("Store.barrier", lambda: store.barrier("b", timeout=60))
            other = peer('''
with mf_smem.Store(URL, None, 2, rank=1) as store:
    store.barrier("b", timeout=60)
    store.barrier("b", timeout=60)
''')
            store.barrier("b", timeout=60)
            store.barrier("b", timeout=60)
            ended(other)
    """,
    "store_allgather": """
        with mf_smem.Store(URL, None, 2, True, rank=0) as store:
            interrupted("Store.allgather", lambda: store.allgather(b"first", "g", timeout=60))
            other = peer('''
with mf_smem.Store(URL, None, 2, rank=1) as store:
    assert store.allgather(b"one", "g", timeout=60) == [b"second", b"one"]
''')
            assert store.allgather(b"second", "g", timeout=60) == [b"second", b"one"]
            ended(other)
    """,
    "store_lock": """
        with mf_smem.Store(URL, None, 2, True, rank=0) as store, mf_smem.Store(URL, None, 2, rank=1) as other:
            held = other.lock("l")
            held.acquire()
            interrupted("Store.lock", lambda: store.lock("l").acquire(timeout=60))
            interrupted("Store.lock", lambda: store.lock("l").acquire(timeout=60))
            held.release()
            mine = store.lock("l")
            mine.acquire(timeout=60)
            mine.release()
    """,
    "store_get": """
        with mf_smem.Store(URL, None, 2, True, rank=0) as store:
            interrupted("Store.get", lambda: store.get("missing", timeout=60))
            interrupted("Store.wait", lambda: store.wait(["missing"], timeout=60))
            store.set("missing", b"v")
            assert store.get("missing", timeout=60) == b"v"
    """,
    "open_pool": """
        def opened():
            return mf_smem.open_pool(URL, 2, 1, host_bytes=2 << 20, start_store=False, timeout_s=60)
        interrupted("open_pool", opened)
        other = peer('''
with mf_smem.open_pool(URL, 2, 0, host_bytes=2 << 20, timeout_s=60) as pool:
    pool.barrier("up", timeout_s=60)
    pool.barrier("done", timeout_s=60)
''')
        with opened() as pool:
            pool.barrier("up", timeout_s=60)
            pool.put(b"hello", pool.address(0))
            assert pool.read(pool.address(0), 5) == b"hello"
            pool.barrier("done", timeout_s=60)
        ended(other)
    """,
    "pool_barrier": """
        with mf_smem.open_pool(URL, 2, 0, host_bytes=2 << 20, timeout_s=60) as pool:
            interrupted("Pool.barrier", lambda: pool.barrier(timeout_s=60))
            other = peer('''
with mf_smem.open_pool(URL, 2, 1, host_bytes=2 << 20, timeout_s=60) as pool:
    pool.barrier(timeout_s=60)
    pool.barrier(timeout_s=60)
''')
            pool.barrier(timeout_s=60)
            pool.put(b"hello", pool.address(1))
            assert pool.read(pool.address(1), 5) == b"hello"
            pool.barrier(timeout_s=60)
            ended(other)
    """,
    "open_pool_while_a_member_is_stopped": """
        # A stopped rank cannot answer one that joins.
        other = peer('''
import os, signal
with mf_smem.open_pool(URL, 2, 1, host_bytes=2 << 20, timeout_s=60) as pool:
    pool.barrier("up", timeout_s=60)
    os.kill(os.getpid(), signal.SIGSTOP)
    pool.barrier("done", timeout_s=60)
''')
        pool = mf_smem.open_pool(URL, 2, 0, host_bytes=2 << 20, timeout_s=60)
        pool.barrier("up", timeout_s=60)
        os.waitid(os.P_PID, other.pid, os.WSTOPPED | os.WNOWAIT)
        def again():
            pool.leave()
            pool.join()
        interrupted("Pool.leave and join", again)
        os.kill(other.pid, signal.SIGCONT)
        pool.join()
        pool.put(b"hello", pool.address(1))
        pool.barrier("done", timeout_s=60)
        pool.close()
        ended(other)
    """,
    "open_share": """
        def opened():
            return mf_smem.open_share(URL, 2, 0, local_bytes=2 << 20, timeout_s=60)
        interrupted("open_share", opened)
        other = peer('''
with mf_smem.open_share(URL, 2, 1, local_bytes=2 << 20, timeout_s=60) as share:
    share.barrier()
''')
        with opened() as share:
            share.barrier()
        ended(other)
    """,
    "share_barrier": """
        other = peer('''
with mf_smem.open_share(URL, 2, 1, local_bytes=2 << 20, timeout_s=60) as share, mf_smem.Store(URL) as store:
    store.get("go", timeout=60)
    share.barrier()
    share.barrier()
    store.get("gather", timeout=60)
    assert share.all_gather(b"1") == [b"0", b"1"]
    assert share.all_gather(b"y") == [b"x", b"y"]
''')
        with mf_smem.open_share(URL, 2, 0, local_bytes=2 << 20, timeout_s=60) as share:
            with mf_smem.Store(URL) as store:
                interrupted("SharedMemory.barrier", share.barrier)
                interrupted("SharedMemory.barrier", share.barrier)
                store.set("go", b"")
                share.barrier()
                share.barrier()
                interrupted("SharedMemory.all_gather", lambda: share.all_gather(b"0"))
                store.set("gather", b"")
                assert share.all_gather(b"0") == [b"0", b"1"]
                assert share.all_gather(b"x") == [b"x", b"y"]
        ended(other)
    """,
    "handlers_that_raise_nothing": """
        received = []
        signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
        with mf_smem.Store(URL, None, 2, True, rank=0) as store:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT)).start()
            other = None
            def later():
                global other
                other = peer('''
with mf_smem.Store(URL, None, 2, rank=1) as store:
    store.barrier("b", timeout=60)
''')
            threading.Timer(0.9, later).start()
            store.barrier("b", timeout=60)
            assert received == [signal.SIGINT] * 2, received
            ended(other)
    """,
    "copies_to_a_stopped_member": """
        # As to another host: a stopped member answers nothing. Threads that do not wait for it go on.
        os.environ.update(MF_SHM="false", MF_STORE_LEASE="100s", MF_NET_TIMEOUT="100s")
        counted, goes_on = 0, True
        def count():
            global counted
            while goes_on:
                counted += 1
        counting = threading.Thread(target=count)
        def left(what, call):
            def goes_on_meanwhile():
                before = counted
                while counted == before:
                    pass
            interrupted(what, call, goes_on_meanwhile)
        other = peer('''
import os, signal
with mf_smem.open_pool(URL, 2, 1, host_bytes=32 << 20, timeout_s=60) as pool:
    pool.barrier("up", timeout_s=60)
    os.kill(os.getpid(), signal.SIGSTOP)
    pool.barrier("done", timeout_s=60)
''')
        with mf_smem.open_pool(URL, 2, 0, host_bytes=32 << 20, timeout_s=60) as pool:
            pool.barrier("up", timeout_s=60)
            os.waitid(os.P_PID, other.pid, os.WSTOPPED | os.WNOWAIT)
            data = bytes(range(256)) * (1 << 16)
            counting.start()
            for size in (8, 4 << 10, len(data)):
                left(f"Pool.read of {size} bytes", lambda: pool.read(pool.address(1), size))
                left(f"Pool.put of {size} bytes", lambda: pool.put(data[:size], pool.address(1)))
            left("Pool.atomic", lambda: pool.atomic(pool.address(1), "add", 1))
            import ctypes
            from mf_smem.bm import ASYNC_COPY, BmCopyType
            block = ctypes.create_string_buffer(8)
            pool.memory.copy_data(ctypes.addressof(block), pool.address(1), 8, BmCopyType.AUTO, ASYNC_COPY)
            left("wait for what was started", pool.memory.wait)
            goes_on = False
            counting.join()
            os.kill(other.pid, signal.SIGCONT)
            pool.memory.wait()
            pool.put(data, pool.address(1) + (1 << 20))
            assert pool.read(pool.address(1) + (1 << 20), len(data)) == data
            pool.barrier("done", timeout_s=60)
        ended(other)
    """,
    "other_threads_wait_on": """
        results = []
        with mf_smem.Store(URL, None, 2, True, rank=0) as store:
            waiting = threading.Thread(target=lambda: results.append(store.get("late", timeout=60)))
            waiting.start()
            interrupted("Store.barrier beside a thread", lambda: store.barrier("b", timeout=60))
            assert waiting.is_alive()
            store.set("late", b"v")
            waiting.join(60)
            assert results == [b"v"]
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c_ends_a_wait_and_the_object_is_usable(name: str) -> None:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    finished = ranks.run_alone(PRELUDE + ranks.dedented(PROGRAMS[name]), {"TEST_URL": url})
    sys.stdout.write(finished.stdout)
    assert finished.returncode == 0, finished.stdout + finished.stderr
