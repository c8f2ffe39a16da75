# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of `mooncake.store` under faults: a silent master, concurrent close, killed processes, wrong lengths and keys."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
import ranks
from mooncake.buffer_pool import BufferPool
from mooncake.store import MooncakeDistributedStore, ReplicateConfig

import mf_smem
from mf_smem import _mf_smem

MASTER = f"127.0.0.1:{ranks.free_port()}"
MIB = 1 << 20


def joined(segment: int = 64 * MIB, master: str = MASTER) -> MooncakeDistributedStore:
    made = MooncakeDistributedStore()
    assert made.setup("127.0.0.1", "P2PHANDSHAKE", segment, 16 * MIB, "tcp", "", master) == 0, mf_smem.get_last_err_msg()
    return made


@pytest.fixture(scope="module")
def store() -> Iterator[MooncakeDistributedStore]:
    made = joined()
    yield made
    assert made.close() == 0
    # It was started here, and serves until the process ends.
    _mf_smem.destroy_config_store(f"tcp://{MASTER}")


@pytest.fixture(autouse=True)
def empty(store: MooncakeDistributedStore) -> None:
    assert store.remove_all(force=True) >= 0


def memory(content: bytes) -> tuple[ctypes.Array[ctypes.c_char], int]:
    buffer = ctypes.create_string_buffer(content, len(content))
    return buffer, ctypes.addressof(buffer)


def until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Waits for a condition, at most the given time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        threading.Event().wait(0.05)
    return True


class Process:
    """A process of the job. It prints a line when it is ready, and obeys lines of its input."""

    def __init__(self, stack: ExitStack, script: str, *arguments: str) -> None:
        started = subprocess.Popen(
            [sys.executable, "-c", script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        stack.callback(started.wait)
        stack.callback(started.kill)
        self._process = started

    def said(self) -> str:
        """Returns the next line of its output."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def ask(self, line: str) -> str:
        """Sends a line, and returns the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self.said()

    def kill(self) -> None:
        """Ends it by SIGKILL."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


def test_silent_master_is_an_error_within_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MC_STORE_CLIENT_SETUP_RETRIES", "1")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        begun = time.monotonic()
        made = MooncakeDistributedStore()
        assert made.setup("127.0.0.1", "x", 0, 0, "tcp", "", f"127.0.0.1:{silent.getsockname()[1]}") == -1
        assert time.monotonic() - begun < 60 and mf_smem.get_last_err_msg()
    assert [made.health_check(), made.put("k", b"v"), made.close()] == [1, -1, 0]


def test_repeated_setup_keeps_the_store(store: MooncakeDistributedStore) -> None:
    assert store.put("k", b"v") == 0
    name = store.get_hostname()
    for other in (MASTER, "127.0.0.1:1", ""):
        assert store.setup("127.0.0.1", "P2PHANDSHAKE", 32 * MIB, 0, "tcp", "", other) in (0, -600)
    assert (store.get("k"), store.get_hostname()) == (b"v", name)


def test_close_under_gets_and_puts_returns_codes(store: MooncakeDistributedStore) -> None:
    value = os.urandom(MIB)
    assert store.put("k", value) == 0
    for _ in range(5):
        other = joined(0)
        results: list[set[object]] = [set(), set(), set()]
        counts = [0, 0, 0]

        def work(kind: int, other: MooncakeDistributedStore, results: list[set[object]], counts: list[int]) -> None:
            _, at = memory(value)
            while other.health_check() != 1:
                calls = (lambda: other.get("k"), lambda: other.get_into("k", at, MIB), lambda: other.upsert_from("p", at, MIB))
                results[kind].add(calls[kind]())
                counts[kind] += 1

        threads = [threading.Thread(target=work, args=[kind, other, results, counts]) for kind in range(3)]
        for thread in threads:
            thread.start()
        assert until(lambda counts=counts: min(counts) > 2)  # type: ignore[misc]
        assert other.close() == 0
        for thread in threads:
            thread.join()
        assert results[0] <= {value, b""} and results[1] <= {MIB, -1} and results[2] <= {0, -1}, [results[1], results[2]]
    assert store.get("k") == value


def test_buffers_are_unregistered_under_puts(store: MooncakeDistributedStore) -> None:
    source, at = memory(os.urandom(4 * MIB))
    ended = threading.Event()
    codes: set[int] = set()

    def put() -> None:
        while not ended.is_set():
            codes.update(store.batch_upsert_from(["a", "b"], [at, at], [4 * MIB, MIB]))

    thread = threading.Thread(target=put)
    thread.start()
    for _ in range(200):
        assert [store.register_buffer(at, 4 * MIB), store.unregister_buffer(at)] == [0, 0]
    pool = BufferPool(store, alignment=4096)
    for _ in range(50):
        with pool.acquire(MIB) as lease:
            assert store.upsert_from("c", lease.ptr, MIB) == 0
    pool.close()
    ended.set()
    thread.join()
    assert codes == {0} and store.get("a") == source.raw


def test_wrong_lengths_are_refused(store: MooncakeDistributedStore) -> None:
    _, at = memory(bytes(64))
    assert store.put("k", b"value") == 0
    for size in (-1, 1 << 70):
        assert [store.put_from("x", at, size), store.get_into("k", at, size)] == [-600, -600]
        assert store.batch_put_from(["x"], [at], [size]) == store.batch_get_into(["k"], [at], [size]) == [-600]
        assert store.batch_put_session_start(["x"], [size])[0] < 0
    assert [store.get_into("k", at, 0), store.get_into("k", at, 4), store.get_into("k", at, 5)] == [-600, -600, 5]
    assert [store.put_from("x", 0, 8), store.put_from("x", -8, 8), store.get_into("k", 0, 8), store.register_buffer(at, -1)] == [-600] * 4
    for keys, sizes in ((["a", "b"], [1]), (["a"], [1, 1]), (["a"], [])):
        assert store.batch_put_from(keys, [at] * len(keys), sizes) == [-600] * len(keys)
        assert store.batch_get_into(keys, [at] * len(keys), sizes) == [-600] * len(keys)
        assert store.batch_put_from_multi_buffers(keys, [[at]] * len(keys), [sizes]) == [-600] * len(keys) or len(sizes) == 1
    assert store.batch_put_session_start(["s"], [8]) == [0]
    for size, offset in ((9, 0), (1, 8), (8, 1), (1, -1), (-1, 0)):
        assert store.batch_put_from_multi_buffer_ranges(["s"], [[at]], [[size]], [[offset]]) == [-600]
    assert store.batch_put_session_revoke(["s"]) == [0] and store.batch_is_exist(["x", "s"]) == [0, 0]


@pytest.mark.parametrize("length", [1, 4096, 4097, 5000, 100_000])
def test_keys_of_any_length_work_in_all_calls(store: MooncakeDistributedStore, length: int) -> None:
    key, twin = "k" * length, "k" * (length - 1) + "x"
    source, at = memory(b"abc")
    assert [store.put(key, b"v"), store.get(key), store.get(twin), store.is_exist(key), store.get_size(key)] == [0, b"v", b"", 1, 1]
    assert [store.batch_is_exist([key, twin]), store.get_batch([twin, key]), store.remove(key, force=True)] == [[1, 0], [b"", b"v"], 0]
    assert [store.put_from(key, at, 3), store.upsert_from(twin, at, 2), store.get_into(twin, at, 3)] == [0, 0, 2]
    assert store.batch_get_into([key, twin], [at, at], [3, 3]) == [3, 2]
    assert store.batch_remove([key, twin, key], force=True) == [0, 0, -704]
    assert store.batch_put_session_start([key], [3]) == [0]
    assert store.batch_put_from_multi_buffer_ranges([key], [[at]], [[3]], [[0]]) == [3]
    assert store.batch_put_session_end([key]) == [0] and store.get(key) == source.raw
    assert len(store.get_replica_desc(key)) == 1 and store.remove_all(force=True) == 1


def test_empty_keys_have_no_value(store: MooncakeDistributedStore) -> None:
    _, at = memory(b"abc")
    assert [store.put("", b"v"), store.upsert("", b"v"), store.put_from("", at, 3), store.put_parts("", b"v")] == [-600] * 4
    assert [store.get(""), store.is_exist(""), store.get_size(""), store.remove(""), store.get_buffer("")] == [b"", 0, -600, -600, None]
    assert store.batch_put_from(["", "a"], [at, at], [3, 3]) == [-600, 0] and store.batch_get_into(["", "a"], [at, at], [3, 3]) == [-704, 3]
    assert store.batch_is_exist(["", "a"]) == [0, 1] and store.batch_put_session_start([""], [3]) == [-600]


# ---- killed processes ----

SESSION = """
import ctypes, sys
from mooncake.store import MooncakeDistributedStore
store = MooncakeDistributedStore()
assert store.setup("127.0.0.1", "P2PHANDSHAKE", 0, 0, "tcp", "", sys.argv[1]) == 0
source = ctypes.create_string_buffer(b"x" * 4096, 4096)
keys = [f"s{number}" for number in range(10)]
assert store.batch_put_session_start(keys, [1 << 20] * 10) == [0] * 10
written = store.batch_put_from_multi_buffer_ranges(keys, [[ctypes.addressof(source)]] * 10, [[4096]] * 10, [[0]] * 10)
assert written == [4096] * 10
print("open", flush=True)
sys.stdin.read()
"""


def test_process_killed_within_a_session_leaves_no_value(store: MooncakeDistributedStore) -> None:
    keys = [f"s{number}" for number in range(10)]
    with ExitStack() as stack:
        process = Process(stack, SESSION, MASTER)
        assert process.said() == "open"
        assert store.batch_is_exist(keys) == [0] * 10 and store.batch_get_session_start(keys) == [-704] * 10
        assert store.batch_put_session_start(keys[:1], [5]) == [0], "sessions of other processes are others"
        assert store.batch_put_session_revoke(keys[:1]) == [0]
        process.kill()
    assert store.batch_is_exist(keys) == [0] * 10
    assert store.batch_put_session_end(keys) == [-600] * 10
    assert store.put_batch(keys, [b"later"] * 10) == 0
    assert until(lambda: store.get_batch(keys) == [b"later"] * 10)


DROPPED = """
import ctypes, sys, time
from mooncake.store import MooncakeDistributedStore, ReplicateConfig
store, pinned = MooncakeDistributedStore(), ReplicateConfig()
pinned.with_hard_pin = True
assert store.setup("127.0.0.1", "P2PHANDSHAKE", 32 << 20, 0, "tcp", "", sys.argv[1]) == 0
assert store.batch_put_session_start(["a", "b"], [20 << 20, 4]) == [0, 0]
assert store.put("early", bytes(16 << 20), pinned) == -200
source = ctypes.create_string_buffer(b"1234", 4)
write = [["b"], [[ctypes.addressof(source)]], [[4]], [[0]]]
deadline = time.monotonic() + 30
while store.put("late", bytes(16 << 20), pinned) != 0:
    assert time.monotonic() < deadline
assert store.batch_put_from_multi_buffer_ranges(*write) == [-600]
assert store.batch_put_session_end(["a", "b"]) == [-600, -600] and store.batch_is_exist(["a", "b"]) == [0, 0]
assert store.batch_put_session_start(["b"], [4]) == [0]
assert store.batch_put_from_multi_buffer_ranges(*write) == [4]
assert store.batch_put_session_end(["b"]) == [0] and store.get("b") == b"1234"
store.close()
"""


def test_session_without_an_end_is_dropped() -> None:
    with ExitStack() as stack:
        port = ranks.free_port()
        flags = ["--rpc_address=127.0.0.1", f"--rpc_port={port}", "--metrics_port=0", "--put_start_discard_timeout_sec=1"]
        master = subprocess.Popen([sys.executable, "-m", "mooncake.cli", *flags], stdout=subprocess.PIPE, text=True)
        stack.callback(master.wait)
        stack.callback(master.terminate)
        assert master.stdout is not None and "mooncake_master" in master.stdout.readline()
        subprocess.run([sys.executable, "-c", DROPPED, f"127.0.0.1:{port}"], check=True, timeout=60)


MEMBER = """
import ctypes, sys
from mooncake.store import MooncakeDistributedStore, ReplicateConfig
master, own = sys.argv[1], int(sys.argv[2])
store = MooncakeDistributedStore()
assert store.setup("127.0.0.1", "P2PHANDSHAKE", 32 << 20, 0, "tcp", "", master) == 0
buffer = ctypes.create_string_buffer(8192)
at = ctypes.addressof(buffer)
assert store.register_buffer(at, 8192) == 0
print("ready", flush=True)
twice = ReplicateConfig()
twice.replica_num = 2
for line in sys.stdin:
    if line.strip() == "put":
        codes = [store.put(f"k{own}.{number}", bytes([own]) * 5000, twice) for number in range(20)]
        print(codes.count(0), flush=True)
    elif line.strip() == "two":
        print(sum(len(store.get_replica_desc(f"k{owner}.{number}")) == 2 for owner in range(3) for number in range(20)), flush=True)
    else:
        right = 0
        for owner in range(3):
            for number in range(20):
                right += store.get_into(f"k{owner}.{number}", at, 8192) == 5000 and buffer.raw[:5000] == bytes([owner]) * 5000
        wrote = store.put(f"after{own}", b"v", twice) == 0 and store.get(f"after{own}") == b"v"
        print(right, wrote, flush=True)
"""


@pytest.mark.parametrize("killed", [0, 1, 2], ids=["with-the-store", "second", "third"])
def test_any_process_is_killed_and_values_with_two_replicas_are_read(killed: int) -> None:
    master = f"127.0.0.1:{ranks.free_port()}"
    with ExitStack() as stack:
        members = []
        for number in range(3):
            members.append(Process(stack, MEMBER, master, str(number)))
            # The first one starts the store.
            assert members[-1].said() == "ready"
        assert [member.ask("put") for member in members] == ["20"] * 3
        assert members[0].ask("two") == "60"
        members.pop(killed).kill()
        # No member sets up or registers again. Lookups may miss until the members have noticed the death.
        for member in members:
            assert until(lambda member=member: member.ask("get") == "60 True")  # type: ignore[misc]
