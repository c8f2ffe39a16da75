# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``memfabric_hybrid.offload`` in host memory: configuration, pools, blocks, and the operations against models."""

from __future__ import annotations

import ctypes
import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import memfabric_hybrid
import pytest
from memfabric_hybrid import offload

import ranks

np = pytest.importorskip("numpy")
import offload_models as models  # noqa: E402
from offload_models import CPU, NPU, Device, Tensor  # noqa: E402

GIB = 1 << 30
CASES = 1000
FIVE = ("empty", "sparse_copy", "group_pack_copy", "kv_exchange_copy", "entry_gather")


def text() -> str:
    return memfabric_hybrid.get_and_clear_last_err_msg()


def refused(result: int, *parts: str, expected: int = -1) -> None:
    said = text()
    assert result == expected and all(part in said for part in parts), (result, said)


def config(**fields: Any) -> offload.OffloadConfig:
    made = offload.OffloadConfig()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def pool() -> Iterator[None]:
    assert offload.initialize(config(alloc_size=GIB, reserve_size=GIB)) == 0, text()
    yield
    offload.uninitialize()


def test_names_are_those_of_the_release() -> None:
    for name in FIVE:
        assert getattr(memfabric_hybrid, name) is getattr(offload, name) and name not in memfabric_hybrid.__all__
    assert "offload" in memfabric_hybrid.__all__ and inspect.ismodule(offload)
    assert offload.LOCAL is offload.Scene.LOCAL and offload.SHARED is offload.Scene.SHARED
    assert importlib.import_module("_pymf_acc_offload").offload is offload
    assert importlib.import_module("_pymf_hybrid").bm is memfabric_hybrid.bm
    assert importlib.import_module("_pymf_transfer").TransferEngine is memfabric_hybrid.TransferEngine
    by_address = importlib.import_module("mf_acc_offload")
    assert by_address is importlib.import_module("memfabric_hybrid.mf_acc_offload")
    for name in FIVE[1:]:
        assert callable(getattr(by_address, f"{name}_impl"))
    own = {name for name in offload.__all__ if name.startswith("mfx")}
    assert own == {"mfx_stream"}


def test_fields_have_the_types_and_defaults_of_the_release() -> None:
    made = offload.OffloadConfig()
    numbers = ["device_id", "reserve_size", "alloc_size", "world_size", "rank_id", "flags", "local_world_size"]
    assert [getattr(made, name) for name in numbers] == [0] * 7 and (made.scene, made.store_url) == (offload.LOCAL, "")
    for name in numbers:
        largest = (1 << (64 if name.endswith("size") and not name.endswith("world_size") else 32)) - 1
        for wrong in (-1, 1.0, "1", None, largest + 1, b"1", [1]):
            with pytest.raises(TypeError):
                setattr(made, name, wrong)
        for right in (largest, True, np.uint32(7), np.int64(7)):
            setattr(made, name, right)
            assert getattr(made, name) == int(right) and type(getattr(made, name)) is int
    for wrong in (1, None, "SHARED", memfabric_hybrid.bm.BmMemType.LOCAL_HOST):
        with pytest.raises(TypeError):
            made.scene = wrong  # type: ignore[assignment]
    made.scene = offload.SHARED
    made.store_url = "x" * 63
    made.store_url = b"tcp://127.0.0.1:1"
    assert made.scene is offload.Scene(1) and made.store_url == "tcp://127.0.0.1:1"
    for url, kind in (("x" * 64, ValueError), ("é" * 32, ValueError), (5, TypeError), (None, TypeError)):
        with pytest.raises(kind):
            made.store_url = url  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="did you mean 'alloc_size'"):
        made.allocsize = 1
    with pytest.raises(TypeError):
        offload.OffloadConfig(device_id=1)  # type: ignore[call-arg]
    assert (str(offload.SHARED), repr(offload.SHARED), int(offload.SHARED), offload.SHARED.name) == (
        "Scene.SHARED", "<Scene.SHARED: 1>", 1, "SHARED"
    )


def test_rank_ids_of_pools_reject_minus_one() -> None:
    made = memfabric_hybrid.bm.BmConfig()
    for wrong in (-1, 1 << 32, 1.5):
        with pytest.raises(TypeError):
            made.rank_id = wrong  # type: ignore[assignment]
    assert made.rank_id == 65535


def test_functions_without_a_pool_fail() -> None:
    offload.uninitialize()
    assert offload.malloc(8) == 0 and "not initialised" in text()
    assert offload.get_dva(8) == 0 and "not initialised" in text()
    offload.free(8)
    assert "not initialised" in text()
    word = np.zeros(1, np.uint32)
    refused(offload.sparse_copy(word, word, word, word, CPU), "not initialised")
    refused(offload.group_pack_copy(word, word, word, word, word, word, NPU), "not initialised")
    refused(offload.kv_exchange_copy(word, CPU), "not initialised")
    refused(offload.entry_gather(word, word, word, CPU), "not initialised")
    refused(offload.register_entry_table(8, 8), "not initialised")
    with pytest.raises(Exception, match="malloc failed"):
        offload.empty([3], np.uint8)


@pytest.mark.parametrize(("fields", "part"), [
    ({}, "reserve_size is 0"),
    ({"reserve_size": 2 * GIB, "alloc_size": GIB}, "differ"),
    ({"reserve_size": GIB}, "differ"),
    ({"reserve_size": (1 << 64) - 1, "alloc_size": 1}, "too large"),
    ({"scene": offload.SHARED, "reserve_size": GIB}, "world_size is 0"),
    ({"scene": offload.SHARED, "reserve_size": GIB, "world_size": 2, "rank_id": 2}, "rank_id is out of range"),
    ({"scene": offload.SHARED, "reserve_size": GIB, "world_size": 4, "local_world_size": 3}, "does not divide"),
    ({"scene": offload.SHARED, "reserve_size": GIB, "alloc_size": GIB + 1, "world_size": 1}, "larger than reserve_size"),
    ({"scene": offload.SHARED, "reserve_size": GIB, "world_size": 4, "local_world_size": 2}, "need the URL"),
])
def test_impossible_configurations_are_refused(fields: dict[str, Any], part: str) -> None:
    refused(offload.initialize(config(**fields)), part)
    # Nothing is left behind.
    assert offload.initialize(config(alloc_size=1, reserve_size=GIB)) == 0, text()
    offload.uninitialize()


def test_initialize_takes_a_configuration_only() -> None:
    for wrong in (None, 1, memfabric_hybrid.bm.BmConfig()):
        with pytest.raises(TypeError):
            offload.initialize(wrong)  # type: ignore[arg-type]


def test_a_second_pool_changes_nothing_and_a_later_one_begins_at_the_same_address(pool: None) -> None:
    first = offload.malloc(64)
    assert offload.initialize(config(alloc_size=2 * GIB, reserve_size=2 * GIB)) == 0
    assert offload.initialize(config(scene=offload.SHARED)) == 0
    assert offload.malloc(GIB) == 0 and "largest_free" in text()
    assert offload.uninitialize() is None and offload.uninitialize() is None
    assert offload.initialize(config(alloc_size=2 * GIB, reserve_size=2 * GIB, flags=0xFE)) == 0, text()
    assert offload.malloc(2 * GIB) == first


def test_blocks_take_the_best_fit(pool: None) -> None:
    base = offload.malloc(1)
    assert base % 16 == 0 and offload.get_dva(base) == base
    sizes = [100, 16, 48, 16, 64, 16]
    blocks = [offload.malloc(size, 99) for size in sizes]
    assert [block - base for block in blocks] == [16, 128, 144, 192, 208, 272]
    for hole in (0, 2, 4):
        assert offload.free(blocks[hole], 7) is None
    assert offload.malloc(33) == blocks[2] and offload.malloc(48) == blocks[4]
    ctypes.memset(base, 7, 16)
    # Freed twice, from inside, from outside, and null: the last error names it.
    for wrong in (blocks[0], blocks[1] + 8, 4096, 0):
        assert offload.free(wrong) is None and "no block begins" in text()
    assert offload.malloc(0) == 0 and "size 0" in text()
    for wrong in (-1, 1.5, "1", None, 1 << 64):
        with pytest.raises(TypeError):
            offload.malloc(wrong)  # type: ignore[arg-type]
    for block in {base, *blocks}:
        offload.free(block)
    offload.free(blocks[2])
    offload.free(blocks[4])
    assert offload.malloc(GIB) == base, "all neighbours are merged"
    assert offload.malloc(1) == 0


def test_device_addresses_are_those_of_the_region(pool: None) -> None:
    base = offload.malloc(16)
    for inside in (base, base + 5, base + GIB - 1):
        assert offload.get_dva(inside) == inside
    for outside in (base - 1, base + GIB, 0, 4096):
        assert offload.get_dva(outside) == 0 and "outside the memory" in text()


def test_empty_arrays_lie_in_the_pool(pool: None) -> None:
    made = offload.empty((2, 3), np.float32, pin_memory=True)
    assert made.shape == (2, 3) and made.dtype == np.float32 and offload.get_dva(made.ctypes.data)
    made[:] = 5
    at = made.ctypes.data
    del made
    assert offload.malloc(24) != at, "its block is not given back"
    with pytest.raises(TypeError):
        offload.empty(5, np.uint8)  # type: ignore[arg-type]
    for sizes in ([0], [2, 0], [1 << 40]):
        with pytest.raises(Exception, match="malloc failed") as failure:
            offload.empty(sizes, np.uint8)
        assert type(failure.value) is Exception


def test_tensors_lie_in_the_pool(pool: None) -> None:
    torch = pytest.importorskip("torch")
    made = offload.empty([4, 5])
    assert made.dtype == torch.bfloat16 and made.shape == (4, 5) and offload.get_dva(made.data_ptr())
    assert offload.empty(iter([7]), dtype=torch.int8).shape == (7,)


def forms(array: Any) -> list[Any]:
    """An argument as callers have it."""
    return [array, Tensor(array)]


@pytest.mark.parametrize("form", [0, 1], ids=["numpy", "data_ptr"])
def test_sparse_copies_match_the_model(pool: None, form: int) -> None:
    chance = np.random.default_rng(1)
    for number in range(CASES):
        source, target = models.here(40_000, chance), models.here(40_000, chance)
        case = models.sparse_case(chance, source, target)
        assert offload.sparse_copy(*[forms(array)[form] for array in case.arrays], CPU) == 0, text()
        assert np.array_equal(models.seen(target), case.expected), number


def test_group_packs_match_the_model(pool: None) -> None:
    chance = np.random.default_rng(2)
    for number in range(CASES):
        source, target = models.here(40_000, chance), models.here(40_000, chance)
        case = models.group_pack_case(chance, source, target)
        assert offload.group_pack_copy(*case.arrays, CPU) == 0, text()
        assert np.array_equal(models.seen(target), case.expected), number
        assert np.array_equal(case.arrays[5], case.packed), number


@pytest.mark.parametrize("header_words", [8, 6])
def test_exchanges_match_the_model(pool: None, header_words: int) -> None:
    chance = np.random.default_rng(header_words)
    for number in range(CASES // 2):
        device, host = models.here(40_000, chance), models.here(40_000, chance)
        case = models.kv_case(chance, device, host, header_words)
        meta = models.addressed(case, case.arrays[1].ctypes.data, case.arrays[2].ctypes.data)
        assert offload.kv_exchange_copy(forms(meta)[number % 2], CPU) == 0, text()
        assert np.array_equal(models.seen(case.notes["target"]), case.expected), number


def test_devices_without_accelerator_copy_in_the_call(pool: None) -> None:
    one, other, length, count = np.arange(8, dtype=np.uint8), np.zeros(8, np.uint8), *np.array([[8], [1]], np.uint32)
    lists = np.array([one.ctypes.data]), np.array([other.ctypes.data])
    for device in (NPU, Device("cpu", 3), Device("cpu"), Device("npu", 255), Device("npu", np.int64(1))):
        other[:] = 0
        assert offload.sparse_copy(*lists, length, count, device) == 0, text()
        assert np.array_equal(one, other)
    for number in (256, 300, 65535):
        refused(offload.sparse_copy(*lists, length, count, Device("npu", number)), "invalid device number")
    for number in (-1, 70000, None, 1.5, "0"):
        with pytest.raises(TypeError):
            offload.sparse_copy(*lists, length, count, Device("npu", number))  # type: ignore[arg-type]
    for wrong in (0, None):
        with pytest.raises(AttributeError):
            offload.sparse_copy(*lists, length, count, wrong)
    with pytest.raises(AttributeError):
        offload.sparse_copy([1], *lists, count, CPU)
    with pytest.raises(ValueError, match="contiguous"):
        offload.sparse_copy(np.zeros(4, np.int64)[::2], *lists, count, CPU)


def test_wrong_arrays_and_pieces_write_nothing(pool: None) -> None:
    one, other = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    count, lengths = np.array([2], np.uint32), np.array([8, 8], np.uint32)
    to = np.array([other.ctypes.data, other.ctypes.data + 32], np.uint64)
    of = np.array([one.ctypes.data, one.ctypes.data + 8], np.uint64)
    readable = ctypes.CDLL(None).getpid
    code = ctypes.cast(readable, ctypes.c_void_p).value
    assert code is not None
    for part, arguments in [
        ("srcPtr is null", (Tensor(of, 0), to, lengths, count)),
        ("sizePtr is null", (of, to, lengths, Tensor(count, 0))),
        ("lenPtr is not readable", (of, to, Tensor(lengths, 4096), count)),
        ("sizePtr is not readable", (of, to, lengths, Tensor(count, (1 << 64) - 4096))),
        ("the source of a piece is not readable here: piece 1", (np.array([of[0], 4096], np.uint64), to, lengths, count)),
        ("the destination of a piece is not writable", (of, np.array([to[0], 64], np.uint64), lengths, count)),
        ("the destination of a piece is not writable", (of, np.array([code, to[1]], np.uint64), lengths, count)),
        ("is not readable", (of, to, lengths, np.array([1 << 31], np.uint32))),
    ]:
        refused(offload.sparse_copy(*arguments, CPU), part)
    # As many as are checked by a snapshot of all mappings.
    many = np.full(1000, of[0], np.uint64)
    many[999] = 4096
    piece = np.full(1000, 8, np.uint32)
    refused(
        offload.sparse_copy(many, np.full(1000, to[0], np.uint64), piece, np.array([1000], np.uint32), CPU), "piece 999"
    )
    assert not other.any()
    groups = np.ones(2, np.int64)
    refused(offload.group_pack_copy(of, to, lengths, count, Tensor(groups, 0), groups, CPU), "groupListPtr is null")
    meta = np.array([1, 1, 0, 1, 8, 8, 0, 0] + [0] * 9)
    refused(offload.kv_exchange_copy(meta, CPU), "invalid page size")
    refused(offload.kv_exchange_copy(Tensor(meta, 0), CPU), "metaPtr is null")
    refused(offload.entry_gather(other, of, count, CPU), "no entry table")
    refused(offload.entry_gather(0, of, count, CPU), "dstPtr is null")
    refused(offload.register_entry_table(64, 1), "scene LOCAL")


def test_hidden_functions_take_addresses(pool: None) -> None:
    by_address = importlib.import_module("memfabric_hybrid.mf_acc_offload")
    chance = np.random.default_rng(9)
    source, target = models.here(40_000, chance), models.here(40_000, chance)
    case = models.sparse_case(chance, source, target)
    assert by_address.sparse_copy_impl(*[array.ctypes.data for array in case.arrays], 0) == 0, text()
    assert np.array_equal(models.seen(target), case.expected)
    with pytest.raises(TypeError):
        by_address.kv_exchange_copy_impl(-1, 0)
    with pytest.raises(TypeError):
        by_address.entry_gather_impl(1, 2, 3, 70000)


def test_modules_of_the_release_can_be_imported() -> None:
    names = (
        "benchmark benchmark.benchmark benchmark.benchmark_sync benchmark.bm_band_width_benchmark benchmark.paired_benchmark "
        "_acc_offload_build cli env_utils launch_ascend_mf_store logs logs.log_selector mem_scan mf_acc_offload"
    )
    for name in names.split():
        importlib.import_module(f"memfabric_hybrid.{name}")
    source = "import memfabric_hybrid.offload, sys; assert sys.modules['memfabric_hybrid.offload'] is memfabric_hybrid.offload"
    subprocess.run([sys.executable, "-c", source], check=True, timeout=ranks.DEADLINE_S)
