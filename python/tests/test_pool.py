# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.open_pool`` and ``Pool``."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

import mf_smem
import pytest

import ranks

MIB = 1 << 20


def test_a_pool_alone(pool: mf_smem.Pool) -> None:
    assert (pool.rank, pool.world_size, pool.members(), pool.closed) == (0, 1, [0], False)
    base = pool.address()
    assert base == pool.address(0) == pool.address(0, "host") == pool.address(kind=mf_smem.bm.BmMemType.HOST)
    assert pool.local_bytes() == 4 * MIB and pool.local_bytes("device") == 2 * MIB
    assert pool.rank_of(base) == pool.rank_of(base + 4 * MIB - 1) == 0 and pool.rank_of(1) is None
    pool.put(b"hello", base)
    pool.copy(base, pool.address(kind="device"), 5)
    assert pool.read(pool.address(kind="device"), 5) == b"hello"
    pool.barrier()
    assert "rank 0 of 1" in repr(pool)


def test_registration(pool: mf_smem.Pool) -> None:
    data = bytearray(4096)
    with pool.register(data) as registration:
        pool.put(data, pool.address())
    registration.close()
    with pytest.raises(mf_smem.InvalidParamError, match="read-only"):
        pool.register(b"constant")


@pytest.mark.parametrize(
    "call",
    [
        lambda p: p.put(b"x", 1), lambda p: p.put(b"x", p.address(kind="device") - 1),
        lambda p: p.put(b"xy", p.address() + 4 * MIB - 1),
        lambda p: p.get(p.address() + 4 * MIB, bytearray(1)), lambda p: p.read(0, 8),
        lambda p: p.copy(p.address(), p.address() + 4 * MIB, 1), lambda p: p.copy(p.address(), p.address(), -1),
        lambda p: p.address(1), lambda p: p.address(-1), lambda p: p.address(kind="gpu"), lambda p: p.local(kind=None),
        lambda p: p.barrier(timeout_s=0), lambda p: p.barrier("a\0b"),
    ],
)
def test_wrong_arguments_are_refused(pool: mf_smem.Pool, call: Any) -> None:
    with pytest.raises(mf_smem.Error) as caught:
        call(pool)
    assert isinstance(caught.value, ValueError) and str(caught.value)


@pytest.mark.parametrize("nbytes", [-2 * MIB, 1, 6 * MIB])
def test_growing_beyond_the_maximum_is_refused(pool: mf_smem.Pool, nbytes: int) -> None:
    with pytest.raises(mf_smem.Error, match="max"):
        pool.extend(nbytes)
    with pytest.raises(mf_smem.Error):
        pool.extend(2 * MIB, "device")
    assert pool.local_bytes() == 4 * MIB


def test_a_closed_pool_refuses() -> None:
    pool = mf_smem.open_pool(host_bytes=2 * MIB, pool_id=1)
    address = pool.address()
    with pool:
        pass
    pool.close()
    assert pool.closed and "closed" in repr(pool) and pool.memory.handle == 0
    calls: list[Any] = [
        lambda: pool.put(b"x", address), lambda: pool.get(address, bytearray(1)), pool.wait, pool.join, pool.members,
        pool.local, pool.local_bytes, lambda: pool.on_event(None), lambda: pool.rank_of(address),
    ]
    for call in calls:
        with pytest.raises(mf_smem.Error):
            call()


def test_pools_share_one_world() -> None:
    with mf_smem.open_pool(host_bytes=2 * MIB, pool_id=6) as one, mf_smem.open_pool(device_bytes=2 * MIB, pool_id=7) as two:
        one.put(b"across", one.address())
        pool_address = two.address(kind="device")
        two.put(one.local()[:6], pool_address)
        assert two.read(pool_address, 6) == b"across"
        with pytest.raises(mf_smem.DuplicatedError):
            mf_smem.open_pool(host_bytes=2 * MIB, pool_id=6)
        with pytest.raises(mf_smem.InvalidParamError, match="its pools are open"):
            mf_smem.open_pool("tcp://127.0.0.1:5555", 2, host_bytes=2 * MIB)
    assert mf_smem.bm.bm_rank_id() in (0, 0xFFFFFFFF)


@pytest.mark.parametrize(
    "arguments",
    [
        {"host_bytes": 0}, {"host_bytes": 1}, {"host_bytes": -1}, {"host_bytes": 4 * MIB, "max_host_bytes": 2 * MIB},
        {"host_bytes": 2 * MIB, "timeout_s": 0}, {"host_bytes": 2 * MIB, "world_size": 2},
        {"host_bytes": 2 * MIB, "rank": 0}, {"store_url": "tcp://127.0.0.1:5555", "host_bytes": 2 * MIB},
        {"host_bytes": 2 * MIB, "pool_id": 64}, {"host_bytes": 1 << 63},
    ],
    ids=str,
)
def test_open_pool_refuses_and_cleans_up(arguments: dict[str, Any]) -> None:
    with pytest.raises(mf_smem.Error):
        mf_smem.open_pool(**{"pool_id": 9, **arguments})
    with mf_smem.open_pool(host_bytes=2 * MIB, pool_id=9) as pool:
        assert pool.members() == [0]


def test_store(pool: mf_smem.Pool) -> None:
    with pytest.raises(LookupError):
        mf_smem.store.get("missing")
    with pytest.raises(TimeoutError):
        mf_smem.store.get("missing", timeout_s=0.01)
    with pytest.raises(ValueError, match="timeout_s"):
        mf_smem.store.get("missing", timeout_s=-1)
    for value in (b"", b"short", bytes(5000), bytes(range(256)) * 400):
        mf_smem.store.set("key", value)
        assert mf_smem.store.get("key") == value
    assert [mf_smem.store.add("count", delta) for delta in (5, -7)] == [5, -2]
    with pytest.raises(mf_smem.InvalidParamError):
        mf_smem.store.set("a\0b", b"")


@pytest.mark.parametrize("count", [2, 4])
def test_ranks_of_a_launcher(count: int) -> None:
    finished = ranks.run_code(
        """
        import hashlib, os, mf_smem
        with mf_smem.open_pool(host_bytes=8 << 20) as pool:
            assert pool.rank == int(os.environ["RANK"]) and pool.world_size == int(os.environ["WORLD_SIZE"])
            pool.barrier("joined")
            assert pool.members() == list(range(pool.world_size))
            right = (pool.rank + 1) % pool.world_size
            block = hashlib.sha256(str(pool.rank).encode()).digest() * (32 << 10)
            pool.put(block, pool.address(right))
            pool.barrier("written")
            left = (pool.rank - 1) % pool.world_size
            got = bytearray(len(block))
            pool.get(pool.address(), got)
            assert got == hashlib.sha256(str(left).encode()).digest() * (32 << 10)
            assert bytes(pool.local()[: len(got)]) == bytes(got)
            pieces = [bytearray(1 << 10) for _ in range(64)]
            pool.get_many([(pool.address(right) + i * 1024, piece) for i, piece in enumerate(pieces)], wait=False)
            pool.wait()
            assert b"".join(pieces) == block[: 64 << 10]
            pool.barrier("read")
        print("done")
        """,
        count,
    )
    assert [process.stdout for process in finished] == ["done\n"] * count


def test_ranks_are_assigned_automatically() -> None:
    finished = ranks.run_code(
        """
        import mf_smem
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            pool.barrier()
            print(pool.rank, pool.members())
            pool.barrier()
        """,
        3,
        {"RANK": "", "LOCAL_RANK": "0"},
    )
    assert sorted(process.stdout for process in finished) == [f"{rank} [0, 1, 2]\n" for rank in range(3)]


def test_barrier_is_reusable_and_names_missing_ranks() -> None:
    ranks.run_code(
        """
        import mf_smem
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            for turn in range(20):
                assert mf_smem.store.add(f"turn {turn}", 1) <= pool.world_size
                pool.barrier()
                assert mf_smem.store.add(f"turn {turn}", 0) == pool.world_size
                pool.barrier()
            if pool.rank == 0:
                try:
                    pool.barrier("nobody else comes", timeout_s=1)
                except TimeoutError as error:
                    assert isinstance(error, mf_smem.TimedOutError) and "1" in str(error) and "2" in str(error), error
                else:
                    raise AssertionError
            pool.barrier("end")
        """,
        3,
    )


def test_events_report_joins_and_leaves() -> None:
    ranks.run_code(
        """
        import queue, mf_smem
        from mf_smem.bm import BmGroupEvent
        pool = mf_smem.open_pool(host_bytes=2 << 20)
        events = queue.Queue()
        if pool.rank == 0:
            pool.on_event(lambda rank, event: events.put((rank, event)))
        pool.barrier("watching")
        if pool.rank == 1:
            pool.leave()
            pool.join()
        else:
            seen = []
            while (1, BmGroupEvent.JOIN_EVENT) not in seen or (1, BmGroupEvent.LEAVE_EVENT) not in seen:
                seen.append(events.get(timeout=60))
            assert all(isinstance(event, BmGroupEvent) for _, event in seen)
            pool.on_event(None)
        pool.barrier("seen")
        pool.close()
        """,
        2,
    )


def test_killed_rank_fails_barriers_and_its_memory_stays() -> None:
    source = """
        import os, queue, signal, mf_smem
        pool = mf_smem.open_pool(host_bytes=2 << 20)
        events = queue.Queue()
        pool.on_event(lambda rank, event: events.put((rank, event)))
        if pool.rank == 1:
            pool.put(b"last words", pool.address())
        pool.barrier("written")
        if pool.rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        while events.get(timeout=60) != (1, mf_smem.bm.BmGroupEvent.LEAVE_EVENT):
            pass
        assert pool.read(pool.address(1), 10) == b"last words"
        try:
            pool.put(b"x", pool.address(1))
        except mf_smem.NotConnectedError as error:
            assert "1" in str(error)
        else:
            raise AssertionError("the rank is dead")
        pool.close()
    """
    finished = ranks.run_ranks([sys.executable, "-c", textwrap.dedent(source)], 2)
    assert [process.returncode for process in finished] == [0, -9], finished[0].stderr


def test_closed_pool_and_invalid_ranks_are_reported() -> None:
    with mf_smem.open_pool(host_bytes=2 << 20, pool_id=9) as pool:
        for rank in (-1, 1, 65535):
            with pytest.raises(mf_smem.InvalidParamError, match=f"^{rank} is not a rank"):
                pool.address(rank)
        address = pool.address()
    for call in (lambda: pool.put(b"x", address), lambda: pool.read(address, 1), pool.join, pool.wait, pool.local):
        with pytest.raises(mf_smem.Error, match="the pool is closed"):
            call()


@pytest.mark.parametrize("argument", ["host_bytes", "device_bytes", "max_host_bytes", "max_device_bytes"])
@pytest.mark.parametrize(
    ("size", "text"),
    [(1000, "must be a multiple of 2 MiB.* is 1000; the next one is 2097152"), (-1, "must not be negative"),
     ("3MiB", "is 3145728; the next one is 4194304"), ("much", "such as '64MiB'"), ("2 miles", "such as '64MiB'"), ("", "such as")],
)
def test_invalid_sizes_are_refused_by_argument_name(argument: str, size: int | str, text: str) -> None:
    sizes: dict[str, Any] = {"host_bytes": 2 << 20, argument: size}
    with pytest.raises(mf_smem.InvalidParamError, match=f"^{argument} .*{text}"):
        mf_smem.open_pool(pool_id=9, **sizes)


def test_sizes_may_be_strings() -> None:
    with mf_smem.open_pool(host_bytes="2MiB", max_host_bytes="1 GiB", pool_id=9) as pool:
        assert pool.local_bytes() == 2 << 20
    with mf_smem.open_share(local_bytes="2mib", share_id=9) as share:
        assert share.local_bytes == 2 << 20


def test_timeout_argument_has_two_names() -> None:
    for named in ({"timeout": 59.5}, {"timeout_s": 60}):
        with mf_smem.open_pool(host_bytes="2MiB", pool_id=9, **named) as pool:  # type: ignore[arg-type]
            pool.barrier(**named)
            mf_smem.store.set("there", b"x")
            assert mf_smem.store.get("there", **named) == mf_smem.store.get("there", 1.5) == b"x"
        mf_smem.open_share(local_bytes="2MiB", share_id=9, **named).close()  # type: ignore[arg-type]
    calls: list[Any] = [
        lambda: mf_smem.open_pool(host_bytes="2MiB", pool_id=9, timeout=0),
        lambda: mf_smem.open_share(local_bytes="2MiB", share_id=9, timeout=-1),
        lambda: mf_smem.open_pool(host_bytes="2MiB", pool_id=9, timeout=1, timeout_s=1),
        lambda: mf_smem.open_pool(host_bytes="2MiB", pool_id=9, timeout=float("inf")),
        lambda: mf_smem.open_pool(host_bytes="2MiB", pool_id=9, timeout=float("nan")),
    ]
    for call in calls:
        with pytest.raises(mf_smem.InvalidParamError, match="timeout"):
            call()
