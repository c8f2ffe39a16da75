# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Blocks, arrays, tensors and views in the memory of a pool."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import mf_smem
import pytest
from mf_smem._blocks import UNIT_BYTES, Blocks

import ranks

MIB = 1 << 20


@pytest.fixture
def fresh() -> Iterator[mf_smem.Pool]:
    """A pool of which nothing is given out."""
    with mf_smem.open_pool(host_bytes="2MiB", device_bytes="2MiB", max_host_bytes="8MiB", pool_id=20) as opened:
        yield opened


def test_blocks_do_not_overlap_and_merge_when_freed() -> None:
    blocks, held = Blocks(1 << 16), {}
    # A generator of numbers of its own, so that every run is the same.
    state = 1
    for _ in range(4000):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        if held and state % 3 == 0:
            offset = sorted(held)[state % len(held)]
            held.pop(offset)
            blocks.give_back(offset)
            continue
        size, align = 1 + state % 3000, 1 << state // 4096 % 13
        found = blocks.take(size, align)
        if found is None:
            assert blocks.largest_free < size + align
            continue
        assert found % max(align, UNIT_BYTES) == 0 and found + size <= blocks.nbytes
        assert all(found + size <= other or other + length <= found for other, length in held.items())
        held[found] = size
    for offset in held:
        blocks.give_back(offset)
    assert blocks.free_bytes == blocks.largest_free == 1 << 16


def test_blocks(fresh: mf_smem.Pool) -> None:
    base = fresh.address()
    assert fresh.alloc(100) == base and fresh.alloc("1KiB") == base + 128
    assert fresh.alloc(1, align=4096) == base + 4096
    # The first place that fits, so that ranks which do the same have the same.
    fresh.free(base + 128)
    assert fresh.alloc(64) == base + 128
    device = fresh.alloc("2MiB", kind="device")
    assert device == fresh.address(kind="device") and fresh.free_bytes("device") == 0
    fresh.free(device)
    assert fresh.free_bytes("device") == 2 * MIB


def test_full_segment_reports_free_bytes_and_can_be_extended(fresh: mf_smem.Pool) -> None:
    first = fresh.alloc("1MiB")
    fresh.alloc(MIB - 4096)
    with pytest.raises(mf_smem.OutOfMemoryError, match=r"8192 bytes \(8 KiB\).*host segment.*pool 20.*2097152.*4096 are free"):
        fresh.alloc(8192)
    with pytest.raises(MemoryError):
        fresh.array(2 * MIB) if fresh_has_numpy() else fresh.alloc("16MiB")
    fresh.extend("2MiB")
    assert fresh.alloc("2MiB") == first + 2 * MIB - 4096


def fresh_has_numpy() -> bool:
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("size", [0, -1, "0", "much", "1.5MiB", ""])
def test_impossible_sizes_are_refused(fresh: mf_smem.Pool, size: Any) -> None:
    with pytest.raises(mf_smem.InvalidParamError, match="nbytes|block"):
        fresh.alloc(size)


@pytest.mark.parametrize("align", [0, -64, 3, 96, 4 * MIB])
def test_impossible_alignments_are_refused(fresh: mf_smem.Pool, align: int) -> None:
    with pytest.raises(mf_smem.InvalidParamError, match=f"align .*not {align}"):
        fresh.alloc(8, align=align)


def test_free_rejects_foreign_addresses(fresh: mf_smem.Pool) -> None:
    block = fresh.alloc(4096)
    for address, text in {
        block + 64: "64 bytes behind the start", block + 4096: "given back before, or never", 0: "outside of the pool",
        1 << 64: "outside of the pool", -1: "outside of the pool", id(fresh): "outside of the pool",
    }.items():
        with pytest.raises(mf_smem.InvalidParamError, match=text):
            fresh.free(address)
    fresh.free(block)
    with pytest.raises(mf_smem.InvalidParamError, match="given back before"):
        fresh.free(block)
    assert fresh.free_bytes() == 2 * MIB


def test_blocks_by_many_threads(fresh: mf_smem.Pool) -> None:
    wrong: list[object] = []

    def work(number: int) -> None:
        for turn in range(100):
            address = fresh.alloc(256)
            mark = bytes([number, turn]) * 128
            fresh.put(mark, address)
            if fresh.read(address, 256) != mark:
                wrong.append((number, turn))
            fresh.free(address)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and fresh.free_bytes() == 2 * MIB


def test_sizes_as_texts(fresh: mf_smem.Pool) -> None:
    base = fresh.address()
    fresh.put(b"x" * 1024, base)
    assert fresh.read(base, "1KiB") == b"x" * 1024
    fresh.copy(base, base + 4096, "1 kib")
    fresh.copy_many([(base, base + 8192, "1k"), (base, base + 16384, 1024)])
    assert fresh.read(base + 4096, 1024) == fresh.read(base + 8192, 1024) == fresh.read(base + 16384, 1024) == b"x" * 1024
    for call in (lambda: fresh.read(base, "all"), lambda: fresh.copy(base, base + 64, "x"), lambda: fresh.extend("a bit")):
        with pytest.raises(mf_smem.InvalidParamError, match="^nbytes must be .* such as '64MiB'"):
            call()
    # One parser for all: the one of the library's settings.
    with pytest.raises(mf_smem.InvalidParamError, match="such as"):
        fresh.read(base, "1" * 30)


def test_closed_pool_refuses_allocations_and_views() -> None:
    with mf_smem.open_pool(host_bytes="2MiB", pool_id=21) as pool:
        address = pool.alloc(64)
    calls: list[Any] = [
        lambda: pool.alloc(64), lambda: pool.free(address), lambda: pool.local(), lambda: pool.view(0), pool.free_bytes,
    ]
    if fresh_has_numpy():
        calls.append(lambda: pool.array(8))
    for call in calls:
        with pytest.raises(mf_smem.Error, match="the pool is closed"):
            call()


class TestArrays:
    """With NumPy."""

    @pytest.fixture(autouse=True)
    def _numpy(self) -> None:
        self.np = pytest.importorskip("numpy", reason="NumPy is not installed: pip install numpy")

    @pytest.mark.parametrize(
        "dtype", [None, "u1", "<i4", ">f8", "c16", "bool", "M8[D]", "S3", [("a", "i4"), ("b", "f8")]], ids=str
    )
    @pytest.mark.parametrize("shape", [12, (12,), (3, 4), [1, 12, 1], (), (0, 3)], ids=str)
    def test_an_array_is_memory_of_the_pool(self, fresh: mf_smem.Pool, dtype: Any, shape: Any) -> None:
        made = fresh.array(shape, dtype)
        expected = self.np.empty(shape, "f8" if dtype is None else dtype)
        assert (made.shape, made.dtype) == (expected.shape, expected.dtype)
        assert made.flags.writeable and made.flags.c_contiguous and made.flags.aligned
        made[...] = self.np.zeros_like(expected)
        address = fresh.address_of(made)
        assert fresh.rank_of(address) == 0 and address % 64 == 0
        assert fresh.read(address, made.nbytes) == made.tobytes()
        if made.nbytes:
            fresh.put(b"\x41" * made.nbytes, address)
            assert made.tobytes() == b"\x41" * made.nbytes

    def test_memory_is_freed_with_the_last_array(self, fresh: mf_smem.Pool) -> None:
        made = fresh.array((16, 16), "f4")
        address = fresh.address_of(made)
        with pytest.raises(mf_smem.InvalidParamError, match="is an array's"):
            fresh.free(address)
        row, flat = made[3], self.np.from_dlpack(made).reshape(-1)
        row[:] = 7
        del made
        gc.collect()
        assert fresh.free_bytes() == 2 * MIB - 1024
        assert fresh.address_of(row) == address + 3 * 64 and flat[48] == 7
        del row, flat
        gc.collect()
        assert fresh.free_bytes() == 2 * MIB
        assert fresh.address_of(fresh.array(1, "u1")) == address

    def test_arrays_by_threads_while_garbage_is_collected(self, fresh: mf_smem.Pool) -> None:
        wrong: list[object] = []
        done = threading.Event()

        def work(number: int) -> None:
            for turn in range(200):
                made = fresh.array(64, "i8")
                made[:] = number * 1000 + turn
                loop: list[object] = [made]
                loop.append(loop)
                if not (made == number * 1000 + turn).all():
                    wrong.append((number, turn))

        def collect() -> None:
            while not done.is_set():
                gc.collect()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        collector = threading.Thread(target=collect)
        for thread in [*threads, collector]:
            thread.start()
        for thread in threads:
            thread.join()
        done.set()
        collector.join()
        gc.collect()
        assert not wrong and fresh.free_bytes() == 2 * MIB

    def test_alignment(self, fresh: mf_smem.Pool) -> None:
        fresh.alloc(1)
        assert fresh.address_of(fresh.array(8, align=1 << 20)) % (1 << 20) == 0
        assert fresh.address_of(fresh.array(8, align=1)) % 64 == 0

    @pytest.mark.parametrize("dtype", [object, "O", [("number", "i8"), ("reference", "O")]], ids=str)
    def test_types_of_objects_are_refused(self, fresh: mf_smem.Pool, dtype: Any) -> None:
        calls: list[Any] = [
            lambda: fresh.array(3, dtype), lambda: fresh.local(dtype=dtype), lambda: fresh.view(0, dtype=dtype),
        ]
        for call in calls:
            with pytest.raises(mf_smem.InvalidParamError, match="holds Python objects"):
                call()
        assert fresh.free_bytes() == 2 * MIB

    @pytest.mark.parametrize(
        ("shape", "error"), [(-1, ValueError), ((2, -2), ValueError), (1.5, TypeError), ("ab", TypeError), (None, TypeError)]
    )
    def test_impossible_shapes_are_refused(self, fresh: mf_smem.Pool, shape: Any, error: type[Exception]) -> None:
        with pytest.raises(error):
            fresh.array(shape)

    def test_address_of_views_in_the_pool(self, fresh: mf_smem.Pool) -> None:
        mine, other = fresh.local(), fresh.view(0, "device")
        assert fresh.address_of(mine[100:200]) == fresh.address() + 100
        assert fresh.address_of(other[5:6]) == fresh.address(kind="device") + 5
        for foreign in (b"bytes", self.np.zeros(3)):
            with pytest.raises(mf_smem.InvalidParamError, match="does not lie in the pool"):
                fresh.address_of(foreign)

    def test_dlpack_in_both_directions(self, fresh: mf_smem.Pool) -> None:
        made = fresh.array((2, 3), "f4")
        taken = self.np.from_dlpack(made)
        made[...] = 3
        assert (taken == 3).all() and fresh.address_of(taken) == fresh.address_of(made)

        class Tensor:
            """Shows an array by DLPack alone."""

            def __init__(self, data: Any) -> None:
                self.data = data

            def __dlpack__(self, **options: Any) -> Any:
                return self.data.__dlpack__(**options)

            def __dlpack_device__(self) -> Any:
                return self.data.__dlpack_device__()

        source = self.np.arange(6, dtype="f4").reshape(2, 3)
        fresh.put(Tensor(source), fresh.address_of(made))
        assert (made == source).all() and fresh.address_of(Tensor(made)) == fresh.address_of(made)

    def test_an_array_of_an_extended_segment(self, fresh: mf_smem.Pool) -> None:
        before = fresh.array(2 * MIB, "u1")
        before[:] = 1
        fresh.extend("4MiB")
        after = fresh.array(4 * MIB, "u1")
        after[:] = 2
        assert fresh.address_of(before) == fresh.address() and fresh.address_of(after) == fresh.address() + 2 * MIB
        assert fresh.read(fresh.address() + 2 * MIB - 1, 2) == b"\1\2"

    def test_arrays_outlive_the_pool(self) -> None:
        pool = mf_smem.open_pool(host_bytes="2MiB", pool_id=22)
        made, whole = pool.array(1000, "i8"), pool.view(0)
        made[:] = 5
        pool.close()
        del pool
        gc.collect()
        made += 1
        assert int(made.sum()) == 6000 and int(whole[0]) == 6
        for _ in range(3):
            with mf_smem.open_pool(host_bytes="2MiB", pool_id=22) as again:
                fresh = again.array(1000, "i8")
                assert not fresh.any()
                fresh[:] = 1
                assert int(made.sum()) == 6000
                with pytest.raises(mf_smem.InvalidParamError, match="does not lie in the pool"):
                    again.address_of(made)
                # Given back to a pool that is gone, which harms this one as little.
                made, whole = made.copy(), fresh
                gc.collect()
                assert again.free_bytes() == 2 * MIB - 8000

    def test_threads_use_arrays_while_the_pool_is_closed_and_opened(self) -> None:
        ends, wrong = threading.Event(), []

        def work(array: Any) -> None:
            turn = 0
            while not ends.is_set():
                turn += 1
                array[:] = turn
                if not (array == turn).all():
                    wrong.append(turn)

        threads = []
        for _ in range(4):
            with mf_smem.open_pool(host_bytes="2MiB", pool_id=23) as pool:
                threads.append(threading.Thread(target=work, args=(pool.array(4096, "i4"),)))
                threads[-1].start()
            gc.collect()
        ends.set()
        for thread in threads:
            thread.join()
        assert not wrong

    def test_views_of_other_ranks(self) -> None:
        ranks.run_code(
            """
            import gc, mf_smem, numpy
            pool = mf_smem.open_pool(host_bytes="4MiB", max_host_bytes="8MiB")
            me, other = pool.rank, 1 - pool.rank
            mine = pool.array((4, 8), "i8")
            mine[...] = me
            pool.barrier("made")
            theirs = pool.view(other)
            assert theirs.nbytes == 4 << 20
            # Ranks that make the same calls find the same at the same distance.
            distance = pool.address_of(mine) - pool.address()
            shown = theirs[distance:][: mine.nbytes].view("i8")
            assert (shown == other).all() and pool.address_of(shown) == pool.address(other) + distance
            pool.barrier("read")
            shown[:] = 10 + me
            pool.barrier("written")
            assert (mine == 10 + other).all()
            pool.extend("2MiB")
            pool.barrier("grown")
            assert pool.view(other).nbytes == 6 << 20 and theirs.nbytes == 4 << 20
            pool.barrier("shown")
            if me == 1:
                pool.leave()
            mf_smem.store.add("left", 1)
            while mf_smem.store.add("left", 0) < 2:
                pass
            if me == 0:
                while pool.members() != [0]:
                    pass
                try:
                    pool.view(1)
                except mf_smem.NotConnectedError as error:
                    assert "1" in str(error)
                else:
                    raise AssertionError
            pool.close()
            gc.collect()
            # What they had stays, for both.
            assert (shown == 10 + me).all() and (mine == 10 + other).all()
            print("done")
            """,
            2,
        )

    def test_views_of_a_dead_rank(self) -> None:
        source = """
            import os, signal, sys, mf_smem
            pool = mf_smem.open_pool(host_bytes="2MiB")
            if pool.rank == 1:
                pool.put(b"last words", pool.address())
            pool.barrier("written")
            before = pool.view(1)
            pool.barrier("shown")
            if pool.rank == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            while True:
                try:
                    pool.put(b"x", pool.address(1) + 100)
                except mf_smem.NotConnectedError:
                    break
            after = pool.view(1)
            assert bytes(before[:10]) == bytes(after[:10]) == b"last words"
            after[0] = 76
            pool.close()
            assert bytes(before[:10]) == b"Last words"
        """
        finished = ranks.run_ranks([ranks.sys.executable, "-c", ranks.textwrap.dedent(source)], 2)
        assert [process.returncode for process in finished] == [0, -9], finished[0].stderr

    def test_network_rank_has_no_view(self) -> None:
        ranks.run_code(
            """
            import mf_smem
            with mf_smem.open_pool(host_bytes="2MiB") as pool:
                pool.barrier()
                pool.put(b"there", pool.address(1 - pool.rank))
                assert pool.view(pool.rank).nbytes == 2 << 20
                try:
                    pool.view(1 - pool.rank)
                except mf_smem.Error as error:
                    assert "network" in str(error) and "copy it" in str(error), error
                else:
                    raise AssertionError
                pool.barrier()
            """,
            2,
            {"MF_SHM": "false"},
        )


def test_missing_numpy_is_reported() -> None:
    done = ranks.run_alone(
        """
        import sys
        sys.modules["numpy"] = sys.modules["torch"] = None
        import mf_smem
        with mf_smem.open_pool(host_bytes="2MiB") as pool:
            for name in ("array", "tensor"):
                try:
                    getattr(pool, name)(3)
                except mf_smem.InvalidParamError as error:
                    assert name in str(error) and "cannot be imported" in str(error), error
                else:
                    raise AssertionError(name)
            address = pool.alloc(64)
            part = pool.local()[:64]
            part[:5] = b"bytes"
            assert pool.address_of(part) == address and pool.read(address, 5) == b"bytes"
            assert isinstance(pool.view(0), memoryview)
        """
    )
    assert done.returncode == 0, done.stderr


def test_tensors(fresh: mf_smem.Pool) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    made = fresh.tensor((2, 3))
    assert made.dtype == torch.get_default_dtype() and tuple(made.shape) == (2, 3)
    made[...] = 2
    assert fresh.read(fresh.address_of(made), 24) == made.numpy().tobytes()
    for dtype in (torch.bfloat16, torch.bool, torch.int64, "float16"):
        tensor = fresh.tensor(8, dtype)
        tensor.fill_(1)
        assert fresh.address_of(tensor[4:]) == fresh.address_of(tensor) + 4 * tensor.element_size()
    assert fresh.tensor((0, 3)).numel() == 0
    with pytest.raises(mf_smem.InvalidParamError, match="dtype"):
        fresh.tensor(3, "no such type")
    shown = torch.from_dlpack(fresh.array(4, "f4"))
    shown[:] = 5
    assert fresh.read(fresh.address_of(shown), 16) == shown.numpy().tobytes()
    del made, tensor, shown
    gc.collect()
    assert fresh.free_bytes() == 2 * MIB
