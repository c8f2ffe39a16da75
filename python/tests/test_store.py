# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`mf_smem.Store`: one process as master and guest, and several processes as members."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from datetime import timedelta

import mf_smem
import pytest
from mf_smem import ChangeKind, Store

import ranks


@pytest.fixture
def url() -> str:
    return f"tcp://127.0.0.1:{ranks.free_port()}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """The only member of its job, and its store."""
    with Store(url, world_size=1, is_master=True, timeout=30) as opened:
        yield opened


def test_store_reports_its_own_member(store: Store, url: str) -> None:
    assert (store.rank, store.world_size, store.url) == (0, 1, url)
    assert store.is_leader and store.is_connected and store.session > 0 and store.term > 0
    assert url.removeprefix("tcp://") in store.leader
    (me,) = store.members()
    assert me.rank == 0 and me.pid > 0 and me.host and store.epoch > 0
    assert "rank 0 of 1" in repr(store)


def test_torch_style_host_and_port_are_accepted(url: str) -> None:
    port = int(url.rpartition(":")[2])
    with Store("localhost", port, 1, True, timedelta(seconds=30)) as master, Store("localhost", port) as guest:
        master.set("k", "v")
        assert guest.get("k") == b"v" and guest.rank is None
        assert guest.timeout == timedelta(seconds=300)


def test_master_without_world_size_serves_guests(url: str) -> None:
    with Store(url, is_master=True, timeout=30) as master:
        with Store(url, timeout=30) as guest:
            guest.set("k", b"\x00\xff")
            assert master.get("k") == b"\x00\xff" and master.rank is None
        assert mf_smem.cluster_status()[0]["server"]["listen"]
    assert mf_smem.cluster_status() == []


def test_get_waits_and_timeout_names_the_key(store: Store, url: str) -> None:
    with pytest.raises(mf_smem.TimedOutError, match=r"absent.*, retry later\]$") as raised:
        store.get("absent", timeout=0.05)
    assert raised.value.retry is mf_smem.Retry.LATER
    store.set_timeout(timedelta(milliseconds=50))
    assert store.timeout == timedelta(milliseconds=50)
    with pytest.raises(RuntimeError):
        store.get("absent")
    with pytest.raises(TimeoutError):
        store.wait(["absent"])
    store.set_timeout(30)
    with Store(url, timeout=30) as guest:
        setter = threading.Thread(target=lambda: guest.set("late", "v"))
        threading.Timer(0.01, setter.start).start()
        assert store.get("late") == b"v"
        setter.join()


def test_values_counters_and_appends(store: Store) -> None:
    assert store.add("n", 40) == 40 and store.add("n", 2) == 42 and store.get("n") == b"42"
    with pytest.raises(mf_smem.InvalidParamError):
        store.set("text", "x")
        store.add("text", 1)
    assert store.append("log", "ab") == 2 and store.append("log", b"c") == 3 and store.get("log") == b"abc"
    store.multi_set(["m/1", "m/2"], ["one", b"two"])
    assert store.multi_get(["m/1", "m/2"]) == [b"one", b"two"]
    with pytest.raises(mf_smem.InvalidParamError):
        store.multi_set(["m/1"], [])
    assert store.check(["n", "m/1"]) and not store.check(["n", "absent"]) and store.check([])
    assert store.num_keys() == 5
    assert store.delete_key("n") is True and store.delete_key("n") is False
    assert store.has_extended_api()
    large = bytes(range(256)) * 4096
    store.set("large", large)
    assert store.get("large") == large


def test_compare_set_behaves_like_torch(store: Store) -> None:
    assert store.compare_set("k", "expected", "new") == b"expected"
    assert store.entry("k") is None
    assert store.compare_set("k", "", "first") == b"first"
    assert store.compare_set("k", "", "second") == b"first"
    assert store.compare_set("k", "other", "second") == b"first"
    assert store.compare_set("k", "first", "second") == b"second"
    store.set("k", b"")
    assert store.compare_set("k", "", "from empty") == b"from empty"
    swapped, entry = store.compare_and_swap("k", None, "x")
    assert not swapped and entry is not None and entry.value == b"from empty"


def test_entries_are_listed_in_order(store: Store) -> None:
    for key in ("b", "a/2", "a/1", "a/10"):
        store.set(key, key, session=key == "b")
    assert [entry.key for entry in store.list("a/")] == ["a/1", "a/10", "a/2"]
    assert [entry.key for entry in store.list(after="a/10", limit=1)] == ["a/2"]
    (last,) = store.list("b")
    assert last.value == b"b" and last.owner == 0 and last.revision > 0
    assert store.list("a/1")[0].owner is None


def test_watches_support_callbacks_and_iteration(store: Store) -> None:
    seen: list[mf_smem.Change] = []
    called = store.watch("w/1", seen.append, exact=True)
    with store.watch("w/") as watch:
        store.set("w/1", "one")
        store.set("w/11", "eleven")
        store.delete_key("w/1")
        first, second, third = next(watch), next(watch), watch.get(timeout=30)
        assert (first.kind, first.key, first.value) == (ChangeKind.PUT, "w/1", b"one")
        assert second.key == "w/11" and third.kind is ChangeKind.DELETED and third.value == b""
        with pytest.raises(mf_smem.TimedOutError):
            watch.get(timeout=0.01)
    assert list(watch) == []
    assert [change.kind for change in seen] == [ChangeKind.PUT, ChangeKind.DELETED]
    called.close()
    called.close()
    store.set("w/1", "again")
    assert len(seen) == 2


def test_unresponsive_store_is_reported_and_waited_for(url: str) -> None:
    member = subprocess.Popen(
        [sys.executable, "-c", f"import mf_smem; mf_smem.Store({url!r}, timeout=60).set('k', b'v')"],
        env=ranks.plain_environment(), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert member.stderr is not None
        line = member.stderr.readline()
        assert "warn" in line and "waiting for the store" in line and url in line, line
        with Store.serve(url), Store(url) as store:
            assert store.get("k", timeout=60) == b"v"
            assert member.wait(60) == 0
    finally:
        member.kill()
        member.wait()


@pytest.mark.parametrize("wait", ["get", "get within", "iterate"])
def test_closing_a_store_ends_waits_in_its_watches(url: str, wait: str) -> None:
    with Store.serve(url) as server:
        store, other = Store(server.url), Store(server.url)
        watch = store.watch("w/")
        waiting, ends = threading.Event(), []

        def run() -> None:
            first = watch.get(timeout=60)
            waiting.set()
            try:
                rest = list(watch) if wait == "iterate" else watch.get(timeout=60 if wait == "get within" else None)
                ends.append((first.key, rest))
            except mf_smem.Error as error:
                ends.append((first.key, str(error)))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        other.set("w/1", b"1")
        assert waiting.wait(60)
        store.close()
        thread.join(20)
        assert ends == [("w/1", [] if wait == "iterate" else "store watch: it is closed")]
        with pytest.raises(mf_smem.NotExistError, match="it is closed"):
            watch.get(timeout=60)
        watch.close()
        other.close()


def test_callback_may_not_call_its_own_store(store: Store) -> None:
    errors: list[BaseException] = []

    def ask(_: mf_smem.Change) -> None:
        try:
            store.get("w/1")
        except mf_smem.Error as error:
            errors.append(error)

    store.watch("w/", ask)
    store.set("w/1", "x")
    assert len(errors) == 1 and "callback" in str(errors[0])


def test_locks(store: Store) -> None:
    with store.lock("l") as first:
        with pytest.raises(mf_smem.RepeatError):
            store.lock("l").acquire()
    lock = store.lock("l")
    assert lock.acquire(0) > first
    lock.release()
    with pytest.raises(mf_smem.NotExistError):
        lock.release()


def test_leases_hold_keys(store: Store) -> None:
    with store.lease(60) as lease:
        store.set("leased", "x", lease=lease)
        lease.renew()
    assert store.entry("leased") is None
    with pytest.raises(mf_smem.NotExistError):
        lease.renew()
    lease.revoke()
    gone = threading.Event()
    store.watch("short", lambda change: gone.set() if change.kind is ChangeKind.EXPIRED else None)
    store.set("short", "x", lease=store.lease(0.1, keep_alive=False))
    assert gone.wait(ranks.DEADLINE_S)
    with store.lease(timedelta(milliseconds=100)) as kept:
        store.set("kept", "x", lease=kept)
        store.wait(["kept"])
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            assert store.entry("kept") is not None, "the lease is renewed"
    with pytest.raises(mf_smem.InvalidParamError):
        store.lease(0.01)


def test_a_closed_store_refuses(url: str) -> None:
    store = Store(url, world_size=1, is_master=True, timeout=30)
    watch = store.watch("")
    store.close()
    store.close()
    assert store.closed and not store.is_connected and "closed" in repr(store)
    with pytest.raises(mf_smem.NotInitError):
        store.get("k")
    watch.close()


@pytest.mark.parametrize(
    "arguments",
    [
        {"host_name": "localhost"}, {"host_name": "http://127.0.0.1:5000"}, {"host_name": "localhost", "port": 0},
        {"host_name": "tcp://127.0.0.1:5000", "rank": 1}, {"host_name": "tcp://127.0.0.1:5000", "timeout": -1},
        {"host_name": "tcp://127.0.0.1:5000", "world_size": 20_000}, {"host_name": "tcp://127.0.0.1:5000", "tls": True},
        {"host_name": "tcp://127.0.0.1:5000", "world_size": 2, "rank": 2},
    ],
    ids=str,
)
def test_impossible_arguments_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(mf_smem.InvalidParamError):
        Store(**arguments)  # type: ignore[arg-type]


def test_missing_store_times_out(url: str) -> None:
    with pytest.raises(mf_smem.TimedOutError):
        Store(url, timeout=0.05)


def test_keys_must_be_a_list(store: Store) -> None:
    with pytest.raises(TypeError):
        store.wait("k")
    with pytest.raises(mf_smem.InvalidParamError):
        store.set("", "x")
    with pytest.raises(mf_smem.InvalidParamError):
        store.set("a\0b", "x")


MEMBERS = """
    import os, signal
    from mf_smem import ChangeKind, Store
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    url = "tcp://127.0.0.1:" + os.environ["MASTER_PORT"]
    with Store(url, world_size=world, rank=rank, is_master=rank == 0, timeout=60, secret="s3cret of this job") as store:
        assert (store.rank, store.world_size) == (rank, world)
        assert store.allgather(f"value {rank}") == [f"value {n}".encode() for n in range(world)]
        store.barrier()
        changes = []
        store.watch_members(changes.append)
        store.set(f"mine/{rank}", "x", session=True)
        with store.lock("turn"):
            turns = int(store.compare_set("turns", "", "0"))
            store.set("turns", str(turns + 1))
        store.barrier("turns")
        assert store.get("turns") == str(world).encode()
        assert [m.rank for m in store.members()] == list(range(world))
        with store.watch("mine/") as watch:
            store.barrier("watching")
            if rank == world - 1:
                os.kill(os.getpid(), signal.SIGKILL)
            change = watch.get(timeout=60)
            assert (change.kind, change.key) == (ChangeKind.LOST, f"mine/{world - 1}"), change
        store.barrier("after", members=world - 1)
        assert [(c.kind, c.member.rank) for c in changes] == [(ChangeKind.LOST, world - 1)], changes
        store.barrier("done", members=world - 1)
"""


def test_members_lock_and_observe_a_member_death() -> None:
    finished = ranks.run_ranks([sys.executable, "-c", textwrap.dedent(MEMBERS)], 3)
    assert [process.returncode for process in finished] == [0, 0, -9], [process.stderr for process in finished]


def test_a_forked_child_gets_an_error() -> None:
    done = ranks.run_alone(
        f"""
        import os
        import mf_smem
        store = mf_smem.Store("tcp://127.0.0.1:{ranks.free_port()}", world_size=1, is_master=True, timeout=30)
        store.set("k", "v")
        child = os.fork()
        if child == 0:
            try:
                store.get("k")
            except mf_smem.NotInitError as error:
                os._exit(0 if "fork" in str(error) else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert store.get("k") == b"v"
        """
    )
    assert done.returncode == 0, done.stderr


def test_rejects_numbers_as_values() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        def refused(call):
            try:
                call()
            except TypeError as error:
                assert "pass str(" in str(error), error
            else:
                raise AssertionError
        with mf_smem.Store(URL, None, 1, True, rank=0) as store:
            refused(lambda: store.set("k", 5))
            refused(lambda: store.set("k", True))
            refused(lambda: store.append("k", 5))
            refused(lambda: store.compare_and_swap("k", None, 5))
            refused(lambda: store.allgather(5))
            assert store.entry("k") is None
            store.set("k", [1, 2])
            store.set("t", "five")
            assert (store.get("k"), store.get("t")) == (bytes((1, 2)), b"five")
        with mf_smem.open_pool(host_bytes=2 << 20):
            refused(lambda: mf_smem.store.set("k", 5))
        """.replace("URL", repr(f"tcp://127.0.0.1:{ranks.free_port()}"))
    )
    assert done.returncode == 0, done.stderr


def test_library_keys_are_refused_and_hidden(url: str) -> None:
    with mf_smem.open_pool(url, 1, 0, host_bytes=2 << 20) as pool, Store(url) as guest:
        pool.barrier("joined")
        assert guest.num_keys() == 0 and guest.list() == []
        for refused in (
            lambda: guest.set(".mf/pool/0/member/0", b""),
            lambda: guest.delete_key(".mf/space/pools"),
            lambda: guest.get(".mf/space/pools"),
            lambda: guest.list(".mf/"),
        ):
            with pytest.raises(mf_smem.InvalidParamError, match="the library's own"):
                refused()
        guest.set(".mfx", b"mine")
        assert guest.num_keys() == 1
