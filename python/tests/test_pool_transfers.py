# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies of a pool that go on by themselves, atomics, and signals behind data."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import mf_smem
import pytest
from mf_smem import AtomicOp, SignalOp
from mf_smem._queued import Queue

import ranks

MIB = 1 << 20
DATA = bytes(range(256)) * (MIB // 256)


@pytest.fixture(scope="module")
def large() -> Iterator[mf_smem.Pool]:
    with mf_smem.open_pool(host_bytes="32MiB", pool_id=30) as opened:
        yield opened


def until(holds: Callable[[], bool]) -> None:
    """Waits for a state, which comes soon; at most a minute."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        threading.Event().wait(0.001)


def begin(pool: mf_smem.Pool, kind: str, there: int, back: bytearray) -> mf_smem.PoolTransfer:
    """One copy of each kind, of a megabyte or of little."""
    base = pool.address()
    calls: dict[str, Any] = {
        "put": lambda: pool.put(DATA, base + there, wait=False),
        "small put": lambda: pool.put(b"x", base + there, wait=False),
        "get": lambda: pool.get(base + there, back, wait=False),
        "copy": lambda: pool.copy(base, base + there, "1MiB", wait=False),
        "put_many": lambda: pool.put_many([(DATA, base + there), (b"y", base)], wait=False),
        "get_many": lambda: pool.get_many([(base + there, back)], wait=False),
        "copy_many": lambda: pool.copy_many([(base, base + there, MIB)], wait=False),
    }
    made: mf_smem.PoolTransfer = calls[kind]()
    return made


KINDS = ["put", "small put", "get", "copy", "put_many", "get_many", "copy_many"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["wait", "wait with timeout", "poll", "await", "cancel", "Pool.wait"])
def test_every_copy_can_return_a_transfer(large: mf_smem.Pool, kind: str, how: str) -> None:
    back = bytearray(MIB)
    transfer = begin(large, kind, MIB, back)
    assert isinstance(transfer, mf_smem.Transfer) and transfer.peer == "pool 30"
    if how == "wait":
        transfer.wait()
    elif how == "wait with timeout":
        transfer.wait(timeout=60)
    elif how == "poll":
        until(lambda: transfer.done)
    elif how == "await":
        async def awaited() -> None:
            await transfer
        asyncio.run(awaited())
    elif how == "cancel":
        assert transfer.cancel() is False
    else:
        large.wait()
    assert transfer.done and transfer.exception() is None and not transfer.cancelled
    transfer.wait(0)
    if "get" in kind:
        assert bytes(back) == large.read(large.address() + MIB, MIB)


def test_blocking_copies_return_none(large: mf_smem.Pool) -> None:
    calls: list[Any] = [
        lambda: large.put(b"x", large.address()), lambda: large.get(large.address(), bytearray(1), wait=True),
        lambda: large.copy(large.address(), large.address() + 64, 1), lambda: large.put_many([(b"x", large.address())]),
    ]
    assert [call() for call in calls] == [None] * 4


def test_many_transfers_in_one_event_loop_and_in_threads(large: mf_smem.Pool) -> None:
    base = large.address()

    async def one(number: int) -> None:
        back = bytearray(MIB)
        await large.put(bytes([number]) * MIB, base + number * MIB, wait=False)
        await large.get(base + number * MIB, back, wait=False)
        assert bytes(back) == bytes([number]) * MIB

    async def all_of_them() -> None:
        await asyncio.gather(*(one(number) for number in range(16)))

    threads = [threading.Thread(target=lambda: [large.put(DATA, base + 20 * MIB, wait=False).wait() for _ in range(20)])
               for _ in range(3)]
    for thread in threads:
        thread.start()
    asyncio.run(all_of_them())
    asyncio.run(all_of_them())
    for thread in threads:
        thread.join()
    assert large.read(base + 20 * MIB, MIB) == DATA


def test_queued_put_keeps_its_source_alive(large: mf_smem.Pool) -> None:
    base = large.address()
    for number in range(8):
        large.put(bytes([65 + number]) * MIB, base + number * MIB, wait=False)
        gc.collect()
    large.wait()
    assert large.read(base + 7 * MIB, 3) == b"HHH"


def test_rejects_impossible_transfers_at_once(large: mf_smem.Pool) -> None:
    calls: list[Any] = [
        lambda: large.put(b"x", 1, wait=False), lambda: large.get(large.address() + 32 * MIB, bytearray(1), wait=False),
        lambda: large.put(DATA, large.address() + 32 * MIB - 1, wait=False),
    ]
    for call in calls:
        with pytest.raises(mf_smem.InvalidParamError):
            call()
    large.wait()


def test_closing_ends_transfers() -> None:
    pool = mf_smem.open_pool(host_bytes="4MiB", pool_id=31)
    transfers = [pool.put(DATA, pool.address(), wait=False) for _ in range(8)]
    pool.close()
    assert all(transfer.done for transfer in transfers)
    for transfer in transfers:
        transfer.wait()
    with pytest.raises(mf_smem.Error, match="closed"):
        pool.wait()
    with pytest.raises(mf_smem.Error, match="closed"):
        pool.put(DATA, 1 << 40, wait=False)


class Library:
    """Stands for the library's wait of all copies: ends, or fails, when the test says so."""

    def __init__(self) -> None:
        self.calls, self.goes_on, self.error = 0, threading.Semaphore(0), None

    def wait(self) -> None:
        self.calls += 1
        assert self.goes_on.acquire(timeout=60)
        error, self.error = self.error, None
        if error is not None:
            raise error


def test_wait_failure_is_reported_to_all_copies_of_that_wait() -> None:
    library = Library()
    queue = Queue(library.wait, "pool 1")
    first, second = queue.begin(), queue.begin()
    assert not first.done
    until(lambda: library.calls > 0)
    late = queue.begin()
    assert not late.done and not second.done
    with pytest.raises(mf_smem.TimedOutError, match="is not done after 0.01 s"):
        late.wait(0.01)
    library.error = mf_smem.NotConnectedError(-2014, "rank 3 is gone", mf_smem.Retry.LATER)
    library.goes_on.release()
    for transfer in (first, second):
        with pytest.raises(mf_smem.NotConnectedError, match="rank 3 is gone") as caught:
            transfer.wait()
        assert caught.value.retry == mf_smem.Retry.LATER
        assert transfer.done and isinstance(transfer.exception(), mf_smem.NotConnectedError)
    library.goes_on.release()
    late.wait(60)
    assert late.done and late.exception() is None
    # A wait for all raises it, too, once.
    library.goes_on.release()
    with pytest.raises(mf_smem.NotConnectedError):
        queue.finish()
    library.goes_on.release()
    queue.finish()


def test_queue_lives_as_long_as_its_transfers() -> None:
    queue = Queue(lambda: None, "pool 1")
    gone, transfer = weakref.ref(queue), queue.begin()
    del queue
    transfer.wait()
    assert transfer.done and gone() is not None
    # Also without the collector: a pool of which copies were never waited for ends where it is dropped.
    gc.disable()
    try:
        queue = Queue(lambda: None, "pool 1")
        gone = weakref.ref(queue)
        queue.begin()
        del queue
        assert gone() is None
    finally:
        gc.enable()


def test_ctrl_c_interrupts_a_wait_which_can_be_repeated() -> None:
    done = ranks.run_alone(
        """
        import os, signal, threading
        from mf_smem._queued import Queue
        signal.signal(signal.SIGINT, signal.default_int_handler)
        goes_on = threading.Event()
        queue = Queue(goes_on.wait, "pool 1")
        transfer = queue.begin()
        for wait in (transfer.wait, lambda: transfer.wait(60), transfer.cancel):
            try:
                threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
                wait()
            except KeyboardInterrupt:
                pass
            else:
                raise AssertionError("the wait has ended")
            assert not transfer.done
        goes_on.set()
        transfer.wait()
        assert transfer.done
        queue.finish()
        """
    )
    assert done.returncode == 0, done.stderr


def test_a_transfer_of_the_parent_is_refused_in_a_forked_child() -> None:
    done = ranks.run_alone(
        """
        import os, mf_smem
        with mf_smem.open_pool(host_bytes="2MiB") as pool:
            transfer = pool.put(b"x" * (1 << 20), pool.address(), wait=False)
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    transfer.done
                except mf_smem.NotInitError:
                    try:
                        transfer.wait()
                    except mf_smem.NotInitError:
                        code = 0
                os._exit(code)
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
            transfer.wait()
        """
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("shared", ["true", "false"], ids=["mapped", "network"])
def test_transfers_between_ranks(shared: str) -> None:
    ranks.run_code(
        """
        import asyncio, mf_smem
        with mf_smem.open_pool(host_bytes="16MiB") as pool:
            pool.barrier("joined")
            right, left = (pool.rank + 1) % 2, (pool.rank - 1) % 2
            transfers = [
                pool.put(bytes([pool.rank + 1, number]) * (256 << 10), pool.address(right) + (number << 20), wait=False)
                for number in range(8)
            ]
            small = [pool.put(b"end", pool.address(right) + (8 << 20) + 64 * number, wait=False) for number in range(100)]
            async def ended():
                await asyncio.gather(*[one(transfer) for transfer in transfers])
            async def one(transfer):
                await transfer
            asyncio.run(ended())
            for transfer in small:
                transfer.wait(60)
            pool.barrier("written")
            for number in range(8):
                assert pool.read(pool.address() + (number << 20), 512 << 10) == bytes([left + 1, number]) * (256 << 10)
            assert pool.read(pool.address() + (8 << 20) + 64 * 99, 3) == b"end"
            pool.barrier("read")
        """,
        2,
        {"MF_SHM": shared},
    )


def test_atomics(large: mf_smem.Pool) -> None:
    address = large.alloc(64)
    for dtype, low, high in (("int32", -(1 << 31), (1 << 31) - 1), ("uint32", 0, (1 << 32) - 1),
                             ("int64", -(1 << 63), (1 << 63) - 1), ("uint64", 0, (1 << 64) - 1)):
        named: Any = dtype
        large.put(bytes(8), address)
        assert large.atomic(address, "swap", high, dtype=named) == 0
        assert large.atomic(address, AtomicOp.ADD, 1, dtype=named) == high
        assert large.atomic(address, "fetch", dtype=named) == low
        with pytest.raises(mf_smem.InvalidParamError, match="does not fit"):
            large.atomic(address, "add", 1 << 64, dtype=named)
    large.put(bytes(8), address)
    assert large.atomic(address, "compare_swap", 7, compare=1) == 0
    assert large.atomic(address, "compare_swap", 7, compare=0) == 0
    assert [large.atomic(address, op, 12) for op in ("and", "or", "xor", "fetch")] == [7, 4, 12, 0]
    large.free(address)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((4, "add"), {"dtype": "int64"}), ((8, "multiply"), {}), ((8, 0), {}), ((8, "add"), {"dtype": "float64"}),
        ((2, "add"), {"dtype": "int32"}),
    ],
    ids=str,
)
def test_impossible_atomics_are_refused(large: mf_smem.Pool, arguments: Any, options: Any) -> None:
    offset, op = arguments
    with pytest.raises(mf_smem.InvalidParamError):
        large.atomic(large.address() + offset, op, 1, **options)
    with pytest.raises(mf_smem.InvalidParamError):
        large.atomic(8, "add", 1)


def test_signals(large: mf_smem.Pool) -> None:
    data, signal = large.alloc(64), large.alloc(8)
    large.put(bytes(8), signal)
    with pytest.raises(mf_smem.TimedOutError, match="is 0 and not >= 1 after 0.01 s"):
        large.wait_signal(signal, 1, timeout=0.01)
    large.put_signal(b"behind", data, signal)
    assert large.wait_signal(signal, 1) == 1 and large.read(data, 6) == b"behind"
    large.put_signal(None, 0, signal, 4, op="add")
    large.put_signal(b"", 0, signal, 4, op=SignalOp.ADD)
    comparisons: list[tuple[int, Any]] = [(9, "=="), (8, "!="), (8, ">"), (10, "<"), (9, "<=")]
    assert [large.wait_signal(signal, value, compare=how) for value, how in comparisons] == [9] * 5
    for call in (
        lambda: large.put_signal(b"x", 8, signal), lambda: large.put_signal(b"x", data, signal + 1),
        lambda: large.put_signal(b"x", data, signal, op="swap"), lambda: large.wait_signal(signal, 1, compare="~"),
    ):
        with pytest.raises(mf_smem.InvalidParamError):
            call()
    assert large.wait_signal(signal, 9, compare="==") == 9


@pytest.mark.parametrize("shared", ["true", "false"], ids=["mapped", "network"])
def test_words_of_other_ranks(shared: str) -> None:
    ranks.run_code(
        """
        import mf_smem
        with mf_smem.open_pool(host_bytes="4MiB") as pool:
            words, data = pool.alloc(64), pool.alloc("64KiB")
            pool.put(bytes(64), words)
            pool.barrier("cleared")
            distance = words - pool.address()
            counter = pool.address(0) + distance
            seen = [pool.atomic(counter, "add", 1) for _ in range(200)]
            assert seen == sorted(set(seen))
            pool.barrier("counted")
            assert pool.atomic(counter, "fetch") == 200 * pool.world_size
            right = (pool.rank + 1) % pool.world_size
            for turn in range(1, 20):
                there = pool.address(right)
                pool.put_signal(bytes([turn, pool.rank]) * 1000, there + data - pool.address(), there + distance + 8, turn)
                assert pool.wait_signal(words + 8, turn) == turn
                left = (pool.rank - 1) % pool.world_size
                assert pool.read(data, 2000) == bytes([turn, left]) * 1000
                pool.barrier(f"turn {turn}")
        """,
        3,
        {"MF_SHM": shared},
    )


def test_ctrl_c_interrupts_a_signal_wait() -> None:
    done = ranks.run_alone(
        """
        import os, signal, threading, mf_smem
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with mf_smem.open_pool(host_bytes="2MiB") as pool:
            word = pool.alloc(8)
            pool.put(bytes(8), word)
            try:
                threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
                pool.wait_signal(word, 1, timeout=100)
            except KeyboardInterrupt:
                pass
            else:
                raise AssertionError("the wait has ended")
            threading.Timer(0.2, pool.put_signal, (None, 0, word)).start()
            assert pool.wait_signal(word, 1, timeout=100) == 1
        """
    )
    assert done.returncode == 0, done.stderr


def test_ctrl_c_interrupts_waits_for_a_stopped_network_rank() -> None:
    ranks.run_code(
        """
        import os, signal, threading, mf_smem
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with mf_smem.open_pool(host_bytes="64MiB") as pool:
            mf_smem.store.set(f"pid {pool.rank}", str(os.getpid()).encode())
            pool.barrier("joined")
            if pool.rank == 0:
                other = int(mf_smem.store.get("pid 1"))
                data = bytes(range(256)) * (128 << 10)
                pool.put(b"connected", pool.address(1))
                os.kill(other, signal.SIGSTOP)
                try:
                    transfer = pool.put(data, pool.address(1), wait=False)
                    for wait in (pool.wait, transfer.wait, lambda: transfer.wait(60)):
                        try:
                            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
                            wait()
                        except KeyboardInterrupt:
                            pass
                        else:
                            raise AssertionError("the other rank is stopped")
                finally:
                    os.kill(other, signal.SIGCONT)
                pool.wait()
                transfer.wait()
            pool.barrier("written")
            if pool.rank == 1:
                assert pool.read(pool.address(), "32MiB") == bytes(range(256)) * (128 << 10)
            pool.barrier("read")
        """,
        2,
        {"MF_SHM": "false", "MF_TRANSPORTS": "tcp", "MF_STORE_LEASE": "100s", "MF_NET_TIMEOUT": "100s"},
    )
