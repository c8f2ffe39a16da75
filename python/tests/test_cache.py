# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.Cache``: one process, and three of one job."""

from __future__ import annotations

import array
import concurrent.futures
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

import mf_smem
import pytest

import ranks

MIB = 1 << 20


@pytest.fixture(scope="module")
def cache() -> Iterator[mf_smem.Cache]:
    """A cache of this process alone."""
    with mf_smem.Cache("16MiB") as opened:
        yield opened


def test_put_values_are_read_back_unchanged(cache: mf_smem.Cache) -> None:
    assert cache.get("absent") is None and cache.size_of("absent") is None and "absent" not in cache
    assert cache.put("key", b"value") and "key" in cache and cache.exists(b"key")
    assert cache.get("key") == cache.get(b"key") == b"value" and cache.size_of("key") == 5
    assert not cache.put("key", b"other", replace=False) and cache.get("key") == b"value"
    assert cache.put("key", b"longer than before") and cache.get("key") == b"longer than before"
    assert cache.remove("key") and not cache.remove("key") and cache.get("key") is None


def test_keys_are_listed_and_all_are_removed() -> None:
    with mf_smem.Cache("16MiB", id=62) as cache:
        names = {f"key {number}".encode() for number in range(3000)} | {b"x" * 4096, b"\0"}
        for name in names:
            cache.put(name, b"v", pin=name == b"key 7")
        keys = list(cache.keys())
        assert len(keys) == len(names) and set(keys) == names
        assert set(cache.keys("key 29")) == {name for name in names if name.startswith(b"key 29")}
        assert cache.clear() == len(names) and list(cache.keys()) == [] and cache.clear() == 0
        assert cache.put("key 7", b"w") and list(cache.keys()) == [b"key 7"]


@pytest.mark.parametrize("key", ["k", "\0", b"\0\0", b"\xff" * 4096, "schlüssel/ключ", "x" * 4096])
@pytest.mark.parametrize("nbytes", [0, 1, 4095, 70_000])
def test_keys_and_values_of_every_kind(cache: mf_smem.Cache, key: str | bytes, nbytes: int) -> None:
    value = os.urandom(nbytes)
    assert cache.put(key, value) and cache.get(key) == value and cache.size_of(key) == nbytes
    out = bytearray(nbytes + 1)
    assert cache.get_into(key, out) == nbytes and out == value + b"\0"
    assert cache.remove(key)


def test_values_are_any_buffer_objects(cache: mf_smem.Cache) -> None:
    numbers = array.array("d", [1.5, 2.5])
    for value in (numbers, memoryview(numbers), bytearray(numbers.tobytes())):
        assert cache.put("numbers", value) and cache.get("numbers") == numbers.tobytes()
    back = array.array("d", [0, 0])
    assert cache.get_into("numbers", back) == 16 and back == numbers
    numpy = pytest.importorskip("numpy")
    matrix = numpy.arange(12, dtype="float32").reshape(3, 4)
    assert cache.put("matrix", matrix)
    read = numpy.zeros_like(matrix)
    assert cache.get_into("matrix", read) == matrix.nbytes and (read == matrix).all()
    with pytest.raises(mf_smem.InvalidParamError, match="contiguous"):
        cache.put("matrix", matrix.T)


def test_many_keys_in_one_call(cache: mf_smem.Cache) -> None:
    keys = [f"many/{number}" for number in range(100)]
    values = [os.urandom(number * 7) for number in range(100)]
    assert cache.put_many(keys, values) == [True] * 100
    assert cache.put_many(keys, values, replace=False) == [False] * 100
    assert cache.get_many([*keys, "many/none"]) == [*values, None]
    assert cache.exists_many(["many/1", "many/none", "many/2"]) == [True, False, True]
    assert cache.count_prefix(keys) == 100 and cache.count_prefix([*keys[:7], "many/none", *keys]) == 7
    outs = [bytearray(700) for _ in keys]
    assert cache.get_many_into(keys, outs) == [len(value) for value in values]
    assert all(bytes(out[: len(value)]) == value for out, value in zip(outs, values))
    empty: list[Any] = [cache.put_many([], []), cache.get_many([]), cache.get_many_into([], []), cache.exists_many([])]
    assert empty == [[]] * 4 and cache.count_prefix([]) == 0


def test_one_bad_item_does_not_stop_the_others(cache: mf_smem.Cache) -> None:
    keys = ["item/a", "", "item/c"]
    with pytest.raises(mf_smem.InvalidParamError, match="item 1"):
        cache.put_many(keys, [b"a", b"b", b"c"])
    assert cache.get("item/a") == b"a" and cache.get("item/c") == b"c"
    assert cache.put_many(keys, [b"a", b"b", b"c"], skip_errors=True) == [True, False, True]
    assert cache.get_many(keys, skip_errors=True) == [b"a", None, b"c"]
    assert cache.exists_many(keys, skip_errors=True) == [True, False, True]
    outs = [bytearray(1), bytearray(1), bytearray(0)]
    assert cache.get_many_into(keys, outs, skip_errors=True) == [1, None, None]
    with pytest.raises(mf_smem.InvalidParamError, match="3 keys and 1 values"):
        cache.put_many(keys, [b""])


@pytest.mark.parametrize("key", ["", b"", "x" * 4097, b"x" * 4097])
def test_invalid_keys_are_refused(cache: mf_smem.Cache, key: str | bytes) -> None:
    calls: list[Any] = [
        lambda: cache.put(key, b""), lambda: cache.get(key), lambda: cache.get_into(key, bytearray(1)), lambda: cache.exists(key),
        lambda: cache.size_of(key), lambda: cache.remove(key), lambda: cache.pin(key), lambda: cache.lease(key, 1),
    ]
    for call in calls:
        with pytest.raises(mf_smem.InvalidParamError, match="key"):
            call()


def test_wrong_arguments_are_refused(cache: mf_smem.Cache) -> None:
    cache.put("four", b"four")
    for call, text in (
        (lambda: cache.get_into("four", bytearray(3)), "4"), (lambda: cache.get_into("four", b"four"), "read-only"),
        (lambda: cache.put("four", b"", replicas=5), "replicas"), (lambda: cache.lease("four", 0), "seconds"),
        (lambda: mf_smem.Cache("3MiB"), "2 MiB"), (lambda: mf_smem.Cache(replicas=0), "replicas"),
        (lambda: mf_smem.Cache(index_entries=0), "index_entries"),
    ):
        with pytest.raises(mf_smem.InvalidParamError, match=text):
            call()
    for wrong in (1, None, bytearray(b"four")):
        with pytest.raises(TypeError, match="str or bytes"):
            cache.get(wrong)  # type: ignore[arg-type]
    assert cache.get("four") == b"four"


def test_lease_validity_uses_the_members_clock(cache: mf_smem.Cache) -> None:
    cache.put("judged", b"value")
    lease = cache.lease("judged", 600)
    assert lease is not None and lease.is_valid
    end, place, state, stamp = lease._held
    assert cache._session.lease_valid((end, place, state, stamp))
    # As after a step of the clock, and as after the memory was used again.
    assert not cache._session.lease_valid((1, place, state, stamp))
    assert not cache._session.lease_valid((end, place, state, stamp + 1))
    lease._held = 1, place, state, stamp
    assert lease.seconds_left > 0 and not lease.is_valid


def test_a_lease_keeps_a_value_in_place(cache: mf_smem.Cache) -> None:
    assert cache.lease("leased/none", 1) is None
    value = os.urandom(100_000)
    cache.put("leased", value)
    with cache.lease("leased", 600) as lease:
        assert lease is not None and lease.is_valid and lease.nbytes == len(value)
        view = lease.view
        assert view is not None and view.readonly and view == value
        # The replacement of the value goes elsewhere.
        cache.remove("leased")
        for number in range(40):
            cache.put(f"leased/{number}", bytes(MIB))
        assert bytes(view) == value
    assert lease.view is None
    for number in range(40):
        cache.remove(f"leased/{number}")


def test_old_values_are_evicted_and_pinned_ones_stay() -> None:
    with mf_smem.Cache("8MiB", id=62) as cache:
        assert cache.put("pinned", b"pinned", pin=True)
        for number in range(64):
            assert cache.put(f"old/{number}", bytes(MIB // 2))
        stats = cache.stats()
        assert stats.evictions > 0 and stats.members == 1 and stats.free_bytes <= stats.capacity_bytes <= 8 * MIB
        assert "old/63" in cache and "old/0" not in cache and cache.get("pinned") == b"pinned"
        with pytest.raises(mf_smem.Error):
            cache.put("too large", bytes(16 * MIB))
        with pytest.raises(mf_smem.NoResourcesError):
            for number in range(64):
                cache.put(f"held/{number}", bytes(MIB // 2), pin=True)
        assert cache.get("pinned") == b"pinned" and cache.unpin("pinned") and not cache.unpin("absent")


def test_threads_never_read_mixed_values(cache: mf_smem.Cache) -> None:
    def work(thread: int) -> None:
        for turn in range(300):
            key, byte = f"mixed/{turn % 5}", bytes([thread * 50 + turn % 50])
            cache.put(key, byte * (1000 + turn * 100))
            got = cache.get(key)
            assert got is None or len(set(got)) == 1 and len(got) % 100 == 0
            if turn % 20 == 0:
                cache.remove(key)

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))


def test_a_closed_cache_refuses() -> None:
    cache = mf_smem.Cache("4MiB", id=61)
    cache.put("key", b"value")
    lease = cache.lease("key", 60)
    assert "rank 0 of 1" in repr(cache)
    cache.close()
    cache.close()
    assert cache.closed and "closed" in repr(cache)
    calls: list[Any] = [
        lambda: cache.put("key", b""), lambda: cache.get("key"), lambda: cache.exists_many(["key"]), lambda: "key" in cache, cache.stats,
    ]
    for call in calls:
        with pytest.raises(mf_smem.NotInitError, match="closed"):
            call()
    assert lease is not None and lease.view == b"value" and lease.seconds_left > 0 and not lease.is_valid


def test_unclosed_cache_ends_with_its_process() -> None:
    done = ranks.run_alone("""
        import os, mf_smem
        cache = mf_smem.Cache("4MiB")
        cache.put("key", b"value")
        child = os.fork()
        if child == 0:
            try:
                cache.get("key")
            except mf_smem.NotInitError as error:
                os._exit(7 if "before a fork" in str(error) else 1)
            os._exit(2)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), cache.get("key"))
    """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7 b'value'\n", ""), done


def _member(url: str, rank: int, pipe: Connection, options: dict[str, Any]) -> None:
    """Opens the cache, then does what it is sent: a name of a method and its arguments."""
    with mf_smem.Cache(store_url=url, rank=rank, **options) as cache:
        pipe.send("open")
        for name, *arguments in iter(pipe.recv, None):
            try:
                pipe.send(getattr(cache, name)(*arguments[:-1], **arguments[-1]))
            except Exception as error:
                pipe.send(error)


class Members:
    """Processes with one cache, which has room for three unless the options of each are given."""

    def __init__(self, count: int = 3, options: list[dict[str, Any]] | None = None) -> None:
        options = options or [{"contribution": "8MiB", "world_size": 3}] * count
        context = multiprocessing.get_context("spawn")
        self.url = f"tcp://127.0.0.1:{ranks.free_port()}"
        self.pipes: list[Connection] = []
        self.processes = []
        for rank, own in enumerate(options):
            ours, theirs = context.Pipe()
            process = context.Process(target=_member, args=(self.url, rank, theirs, own), daemon=True)
            process.start()
            theirs.close()
            self.pipes.append(ours)
            self.processes.append(process)
        for rank in range(len(options)):
            assert self._answer(rank) == "open"

    def _answer(self, rank: int) -> Any:
        assert self.pipes[rank].poll(ranks.DEADLINE_S), f"rank {rank} does not answer"
        answer = self.pipes[rank].recv()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def call(self, rank: int, name: str, *arguments: Any, **named: Any) -> Any:
        """Result or exception of a cache method in a rank."""
        self.pipes[rank].send((name, *arguments, named))
        return self._answer(rank)

    def wait(self, rank: int, result: Any, name: str, *arguments: Any) -> None:
        """Waits until a method of the cache of a rank returns that."""
        end = time.monotonic() + ranks.DEADLINE_S
        while self.call(rank, name, *arguments) != result:
            assert time.monotonic() < end, f"{name} of rank {rank} does not return what it should"

    def end(self) -> None:
        for pipe, process in zip(self.pipes, self.processes):
            if process.is_alive():
                pipe.send(None)
        for process in self.processes:
            process.join(ranks.DEADLINE_S)


@pytest.fixture
def members() -> Iterator[Members]:
    started = Members()
    yield started
    started.end()


def test_three_processes_share_values_and_one_is_killed(members: Members) -> None:
    values = {f"{rank}/{number}": os.urandom(1000 + number) for rank in range(3) for number in range(20)}
    for key, value in values.items():
        assert members.call(int(key[0]), "put", key, value)
    for rank in range(3):
        assert members.call(rank, "get_many", list(values)) == list(values.values())
    assert members.call(1, "remove", "0/0") and not members.call(0, "exists", "0/0")
    kept = {f"kept/{number}": os.urandom(5000) for number in range(10)}
    for key, value in kept.items():
        assert members.call(2, "put", key, value, replicas=2)

    os.kill(members.processes[2].pid or 0, signal.SIGKILL)
    members.processes[2].join(ranks.DEADLINE_S)

    # Values of the dead process are present, or missing, and never wrong.
    for key, value in list(values.items())[1:]:
        assert members.call(0, "get", key) in (value, None)
    # A value with two copies has one, as soon as the survivors have noticed.
    for rank in range(2):
        members.wait(rank, list(kept.values()), "get_many", list(kept))
    living = {key: value for key, value in values.items() if key[0] != "2" and key != "0/0"}
    members.wait(0, list(living.values()), "get_many", list(living))
    for rank in range(2):
        assert members.call(rank, "put", f"after/{rank}", b"after")
        members.wait(1 - rank, b"after", "get", f"after/{rank}")
