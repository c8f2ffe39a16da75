# SPDX-License-Identifier: Apache-2.0 OR MIT
"""NumPy arrays, DLPack and views of one's own segment."""

from __future__ import annotations

import gc
from typing import Any

import mf_smem
import pytest

import ranks

np = pytest.importorskip("numpy", reason="NumPy is not installed: pip install numpy")

MIB = 1 << 20


class Dlpack:
    """Shows an array by DLPack only, in the versioned or the old form."""

    def __init__(self, data: Any, versioned: bool) -> None:
        self._data, self._versioned = data, versioned

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._data.__dlpack_device__()
        return device

    def __dlpack__(self, **options: Any) -> Any:
        if not self._versioned and options:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        return self._data.__dlpack__(**options)


DTYPES = ["u1", "<i4", ">f8", "c16", "bool", "M8[D]", "S3", "V5", [("a", "i4"), ("b", "f8")]]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(12,), (3, 4), (1, 12, 1)], ids=str)
def test_arrays(pool: mf_smem.Pool, dtype: Any, shape: tuple[int, ...]) -> None:
    source = np.frombuffer(np.arange(12 * np.dtype(dtype).itemsize, dtype="u1").tobytes(), dtype=dtype).reshape(shape)
    destination = np.zeros_like(source)
    pool.put(source, pool.address())
    pool.get(pool.address(), destination)
    assert destination.tobytes() == source.tobytes()


@pytest.mark.parametrize("versioned", [True, False], ids=["versioned", "old"])
def test_dlpack(pool: mf_smem.Pool, versioned: bool) -> None:
    source, destination = np.arange(24, dtype="f4").reshape(2, 3, 4), np.zeros((4, 6), "f4")
    pool.put(Dlpack(source, versioned), pool.address())
    pool.get(pool.address(), Dlpack(destination, versioned))
    assert destination.tobytes() == source.tobytes()


def test_dlpack_with_gaps_is_refused(pool: mf_smem.Pool) -> None:
    with pytest.raises(mf_smem.InvalidParamError, match="contiguous"):
        pool.put(Dlpack(np.zeros((4, 4))[:, 1:], True), pool.address())


def test_dlpack_of_another_device_is_refused(pool: mf_smem.Pool) -> None:
    class OnGpu(Dlpack):
        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 0)

    with pytest.raises(mf_smem.InvalidParamError, match="device type 2"):
        pool.put(OnGpu(np.zeros(4), True), pool.address())


@pytest.mark.parametrize("kind", ["transposed", "sliced", "reversed"])
def test_arrays_with_gaps_are_refused(pool: mf_smem.Pool, kind: str) -> None:
    square = np.zeros((4, 4))
    strided = {"transposed": square.T, "sliced": square[:, ::2], "reversed": square[::-1]}[kind]
    with pytest.raises(mf_smem.InvalidParamError, match="contiguous"):
        pool.put(strided, pool.address())
    with pytest.raises(mf_smem.InvalidParamError, match="contiguous"):
        pool.get(pool.address(), strided)


def test_rejects_read_only_destination(pool: mf_smem.Pool) -> None:
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    with pytest.raises(mf_smem.InvalidParamError, match="read-only"):
        pool.get(pool.address(), frozen)


@pytest.mark.parametrize("kind", ["host", "device"])
def test_local_array_is_the_segment(pool: mf_smem.Pool, kind: Any) -> None:
    mine = pool.local(kind)
    assert mine.dtype == np.uint8 and mine.nbytes == pool.local_bytes(kind) and mine.flags.writeable
    pool.put(b"abc", pool.address(kind=kind) + 5)
    assert mine[5:8].tobytes() == b"abc"
    mine[-1] = 77
    assert pool.read(pool.address(kind=kind) + mine.nbytes - 1, 1) == b"M"
    words = pool.local(kind, dtype="<u4")
    assert words.nbytes == mine.nbytes and words.dtype == np.dtype("<u4")


def test_own_segment_can_be_a_put_source(pool: mf_smem.Pool) -> None:
    mine = pool.local()
    mine[:16] = np.arange(16)
    pool.put(mine[:16], pool.address() + MIB)
    assert mine[MIB : MIB + 16].tolist() == list(range(16))


def test_a_view_outlives_its_pool() -> None:
    pool = mf_smem.open_pool(host_bytes=2 * MIB, pool_id=3)
    mine = pool.local()
    mine[:] = 5
    part = mine[1000:2000].reshape(10, 100)
    pool.close()
    del pool, mine
    gc.collect()
    assert int(part.sum()) == 5000
    part[:] = 6
    del part
    gc.collect()
    with mf_smem.open_pool(host_bytes=2 * MIB, pool_id=3) as again:
        assert int(again.local().sum()) == 0


def test_views_of_a_closed_pool_do_not_block_reopening() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        with mf_smem.open_pool(host_bytes=2 << 20, device_bytes=2 << 20) as pool:
            kept = [pool.local(), pool.local("device")]
            for array in kept:
                array[:] = b"1" * (2 << 20) if isinstance(array, memoryview) else 49
        # Id, membership and memory are free: the same pool, and then a world elsewhere.
        assert mf_smem.bm.bm_rank_id() == 4294967295
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            assert pool.read(pool.address(), 5) == bytes(5)
            pool.put(b"other", pool.address())
            assert [bytes(array[:5]) for array in kept] == [b"11111"] * 2
            kept[0][0:1] = b"2" if isinstance(kept[0], memoryview) else 50
            assert pool.read(pool.address(), 5) == b"other"
            second = pool.local()
        config = mf_smem.bm.BmConfig()
        config.rank_id = 0
        assert mf_smem.bm.initialize(f"tcp://127.0.0.1:{PORT}", 1, 0, config) == 0
        mf_smem.bm.uninitialize()
        assert bytes(second[:5]) == b"other"
        """.replace("{PORT}", str(ranks.free_port()))
    )
    assert done.returncode == 0, done.stderr


def test_segment_is_writable_before_joining() -> None:
    with mf_smem.open_pool(host_bytes=2 * MIB, pool_id=5, join=False) as pool:
        pool.local()[:3] = (1, 2, 3)
        pool.join()
        assert pool.read(pool.address(), 3) == bytes((1, 2, 3))


def test_new_view_covers_an_extended_segment() -> None:
    with mf_smem.open_pool(host_bytes=2 * MIB, max_host_bytes=6 * MIB, pool_id=4) as pool:
        before = pool.local()
        pool.extend(2 * MIB)
        assert before.nbytes == 2 * MIB and pool.local().nbytes == pool.local_bytes() == 4 * MIB
        pool.put(b"end", pool.address() + 4 * MIB - 3)
        with pytest.raises(mf_smem.InvalidParamError, match="max 6 MiB"):
            pool.extend(4 * MIB)
        with pytest.raises(mf_smem.InvalidParamError):
            pool.extend(1)
