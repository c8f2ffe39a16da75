# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``memfabric_hybrid.offload``: by the processor in this process, by kernels on the simulator compared with the processor."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import random
import textwrap
from array import array
from collections.abc import Iterator
from typing import Any

import memfabric_hybrid
import pytest
from memfabric_hybrid import offload

import ranks
from test_kernels import REASON

MIB = 1 << 20
needs_kernels = pytest.mark.skipif(REASON is not None, reason=f"kernels: {REASON}")


def text() -> str:
    return memfabric_hybrid.get_and_clear_last_err_msg()


def refused(code: int, *parts: str, expected: int = -2000) -> None:
    said = text()
    assert code == expected and all(part in said for part in parts), (code, said)


def config(**fields: Any) -> offload.OffloadConfig:
    made = offload.OffloadConfig()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def arena() -> Iterator[None]:
    assert offload.initialize(config(alloc_size=4 * MIB, reserve_size=8 * MIB)) == 0, text()
    yield
    assert offload.uninitialize() == 0, text()


def put(address: int, content: bytes) -> None:
    ctypes.memmove(address, content, len(content))


def content(address: int, nbytes: int) -> bytes:
    return ctypes.string_at(address, nbytes)


def test_configurations_are_checked() -> None:
    made = offload.OffloadConfig()
    assert (made.device_id, made.reserve_size, made.alloc_size, made.world_size, made.rank_id) == (0, 0, 0, 1, 0)
    assert made.scene == offload.Scene.LOCAL == 0 and offload.Scene.SHARED == 1 and made.store_url == ""
    made.scene = 1  # type: ignore[assignment]
    assert made.scene is offload.Scene.SHARED
    for name, value in [("reserve_size", -1), ("alloc_size", 1 << 60), ("scene", 7), ("rank_id", -5), ("device_id", 1 << 40)]:
        with pytest.raises(ValueError):
            setattr(made, name, value)
    for name, value in [("store_url", 5), ("world_size", "2")]:
        with pytest.raises(TypeError):
            setattr(made, name, value)
    with pytest.raises(AttributeError, match="did you mean 'alloc_size'"):
        made.allocsize = 1
    refused(offload.initialize(offload.OffloadConfig()), "offload initialize", "neither reserve_size nor alloc_size")
    refused(offload.initialize(None), "OffloadConfig")  # type: ignore[arg-type]


def test_calls_before_initialize_are_refused() -> None:
    assert offload.uninitialize() == 0
    assert offload.malloc(8) == 0 and "not initialised" in text()
    assert offload.get_dva(8) == 0 and "not initialised" in text()
    refused(offload.free(8), "not initialised", expected=-2008)
    refused(offload.sparse_copy([1], [100], [8], 1, 0), "not initialised", expected=-2008)
    refused(offload.register_entry_table(8, 8), "not initialised", expected=-2008)
    assert offload.free(0) == 0
    with pytest.raises(RuntimeError, match="not initialised"):
        offload.empty(3)


def test_blocks_do_not_overlap_and_are_reused(arena: None) -> None:
    refused(offload.initialize(config(alloc_size=MIB)), "initialised already", expected=-2005)
    blocks = [offload.malloc(size) for size in (1, 64, 100, MIB)]
    assert all(blocks) and all(block % 64 == 0 for block in blocks) and len(set(blocks)) == 4
    huge = offload.malloc(5, offload.OFFLOAD_FLAG_GIANT_PAGE)
    assert huge % (2 * MIB) == 0
    for block, size in zip([*blocks, huge], (1, 64, 100, MIB, 2 * MIB)):
        put(block, b"\xa5" * size)
        assert offload.get_dva(block) == block and offload.get_dva(block + size - 1) == block + size - 1
    assert offload.get_dva(blocks[0] + 1) == 0 and "neither in a block" in text()
    assert offload.malloc(8 * MIB) == 0 and "raise reserve_size" in text()
    for wrong in (0, -1, 1 << 50, "1", 1.5):
        assert offload.malloc(wrong) == 0 and "offload malloc: size" in text()  # type: ignore[arg-type]
    assert offload.malloc(1, 2) == 0 and "flags" in text()
    refused(offload.free(blocks[3] + 64), "no block begins", expected=-2007)
    for block in [*blocks, huge]:
        assert offload.free(block) == 0
    refused(offload.free(blocks[0]), "no block begins", expected=-2007)
    # All free memory is one piece again, beyond the arena's first size.
    whole = offload.malloc(7 * MIB)
    assert whole and offload.free(whole) == 0


def test_blocks_can_be_freed_in_any_order(arena: None) -> None:
    chance, held = random.Random(1), {}
    for turn in range(2000):
        if held and chance.random() < 0.5:
            address = chance.choice(list(held))
            assert content(address, held[address]) == bytes([address % 251]) * held.pop(address)
            assert offload.free(address) == 0
        else:
            size = chance.choice([1, 63, 64, 65, 1000, 70_000])
            address = offload.malloc(size)
            if address:
                put(address, bytes([address % 251]) * size)
                held[address] = size
    for address in held:
        assert offload.free(address) == 0
    assert offload.malloc(7 * MIB)


@pytest.mark.parametrize("device", ["cpu", 0, "npu", "npu:0"])
def test_pieces_are_copied(arena: None, device: Any) -> None:
    chance, sizes = random.Random(3), [0, 1, 7, 64, 4096, 100_003]
    source, target = offload.malloc(MIB), offload.malloc(MIB)
    put(source, chance.randbytes(MIB))
    put(target, bytes(MIB))
    of, to, done = [], [], 0
    for size in sizes:
        of.append(source + chance.randrange(MIB - size))
        to.append(target + done)
        done += size
    assert offload.sparse_copy(of, to, sizes, len(sizes), device) == 0, text()
    expected = b"".join(content(start, size) for start, size in zip(of, sizes))
    assert content(target, done + 1) == expected + b"\0"
    assert offload.sparse_copy([], [], [], 0, device) == 0


def test_address_lists_accept_any_sequence_type(arena: None) -> None:
    numpy = pytest.importorskip("numpy")
    source, target = offload.malloc(64), offload.malloc(64)
    put(source, bytes(range(64)))
    lists = [source, source + 8], [target, target + 8], [8, 8]
    raw = [array("Q", one) for one in lists]
    given: list[tuple[Any, Any, Any]] = [
        (tuple(lists[0]), lists[1], lists[2]),
        (raw[0], raw[1], raw[2]),
        tuple(one.buffer_info()[0] for one in raw),  # type: ignore[list-item]
        tuple(numpy.array(one, dtype=numpy.int64) for one in lists),  # type: ignore[list-item]
        (lists[0], numpy.array(lists[1], dtype=numpy.uint64), numpy.array(lists[2], dtype=numpy.int32)),
    ]
    with contextlib.suppress(ImportError):
        torch = importlib.import_module("torch")
        given.append(tuple(torch.tensor(one, dtype=torch.int64) for one in lists))  # type: ignore[arg-type]
    for number, one in enumerate(given):
        put(target, bytes(16))
        assert offload.sparse_copy(*one, 2, "cpu") == 0, (number, text())
        assert content(target, 16) == bytes(range(16)), number
    wrong = numpy.array(lists[0], dtype=numpy.float64)
    refused(offload.sparse_copy(wrong, lists[1], lists[2], 2, "cpu"), "src_ptrs", "whole numbers", "'d'")
    refused(offload.sparse_copy(lists[0], numpy.array([lists[1]]), lists[2], 2, "cpu"), "dst_ptrs", "one dimension")


def test_refused_copies_write_nothing(arena: None) -> None:
    block, other = offload.malloc(128), offload.malloc(128)
    put(block, b"a" * 128)
    put(other, b"b" * 128)
    for parts, arguments in [
        (["src_ptrs[1] is null"], ([block, 0], [other, other + 8], [8, 8], 2, 0)),
        (["dst_ptrs[0] is null"], ([block], [0], [8], 1, 0)),
        (["src_ptrs is null"], (0, [other], [8], 1, 0)),
        (["not aligned"], (block + 1, [other], [8], 1, 0)),
        (["lengths has 1 elements, count is 2"], ([block, block], [other, other + 8], [8], 2, 0)),
        (["src_ptrs[1] has 121 bytes", "120 from there"], ([block, block + 8], [other, other + 64], [8, 121], 2, 0)),
        (["dst_ptrs[0]", "in no block"], ([block], [block + 4 * MIB - 64], [8], 1, 0)),
        (["end of all addresses"], ([block], [(1 << 64) - 8], [9], 1, 0)),
        (["overlaps itself"], ([block], [block + 4], [8], 1, 0)),
        (["lengths has -1"], ([block], [other], [-1], 1, 0)),
        (["list of whole numbers"], ([block], [other], [1.5], 1, 0)),
        (["list of whole numbers"], ([block], [other], None, 1, 0)),
        (["count must be from 0"], ([], [], [], -1, 0)),
        (["count must be a whole number"], ([], [], [], "1", 0)),
        (["device is 3", "initialised for 0"], ([block], [other], [8], 1, 3)),
        (["device must be cpu"], ([block], [other], [8], 1, "gpu")),
        (["device"], ([block], [other], [8], 1, "npu:x")),
    ]:
        refused(offload.sparse_copy(*arguments), "offload sparse_copy", *parts)
    assert content(block, 128) == b"a" * 128 and content(other, 128) == b"b" * 128


def test_groups_are_packed(arena: None) -> None:
    source, target = offload.malloc(1000), offload.malloc(1000)
    put(source, bytes(index % 251 for index in range(1000)))
    put(target, b"\xff" * 1000)
    of, lengths = [source + 900, source, source + 500, source + 20, source + 30], [5, 0, 7, 3, 64]
    groups, to = [3, 0, 2], [target, target + 1, target + 100]
    assert offload.group_pack_copy(of, to, lengths, groups, 3, 0) == 0, text()
    pieces = [content(start, size) for start, size in zip(of, lengths)]
    assert content(target, 13) == b"".join(pieces[:3]) + b"\xff"
    assert content(target + 100, 68) == b"".join(pieces[3:]) + b"\xff"
    refused(offload.group_pack_copy(of, to, lengths, [3, 0, 1], 3, 0), "src_ptrs has 5 elements, count is 4")
    refused(offload.group_pack_copy(of, to[:2], lengths, groups, 3, 0), "dst_ptrs has 2")
    refused(offload.group_pack_copy([source], [target + 990], [11], [1], 1, 0), "dst_ptrs[0] has 11 bytes")


def test_blocks_are_exchanged(arena: None) -> None:
    size = 3 * MIB // 2 + 5
    one, other = offload.malloc(size), offload.malloc(size)
    first, second = random.Random(5).randbytes(size), random.Random(6).randbytes(size)
    put(one, first)
    put(other, second)
    pairs = [one, one + 100, one + 200], [other, other + 100, other + 200], [100, 0, size - 200]
    assert offload.kv_exchange_copy(*pairs, 3, 0) == 0, text()
    assert content(one, size) == second[:100] + first[100:200] + second[200:]
    assert content(other, size) == first[:100] + second[100:200] + first[200:]
    refused(offload.kv_exchange_copy([one], [one + 8], [16], 1, 0), "overlaps itself")
    refused(offload.kv_exchange_copy([one], [other + 8], [size], 1, 0), "dst_ptrs[0] has")


def test_entries_are_gathered(arena: None) -> None:
    nbytes, rows = 48, 7
    table = offload.register_entry_table(nbytes, rows)
    assert table == 0 and offload.register_entry_table(nbytes, rows) == 0 and offload.register_entry_table(8, 1) == 1
    slots = [offload.malloc(nbytes * rows) for _ in range(3)]
    for number, slot in enumerate(slots):
        put(slot, b"".join(bytes([10 * number + row]) * nbytes for row in range(rows)))
    entries = [20, 0, 7, 6, 20, 13]
    target = offload.malloc(nbytes * len(entries) + 1)
    put(target, b"\xee" * (nbytes * len(entries) + 1))
    assert offload.entry_gather(table, slots, entries, target, len(entries), 0) == 0, text()
    expected = b"".join(bytes([10 * (entry // rows) + entry % rows]) * nbytes for entry in entries)
    assert content(target, len(expected) + 1) == expected + b"\xee"
    assert offload.entry_gather(table, slots, [], target, 0, 0) == 0
    refused(offload.entry_gather(table, slots, [21], target, 1, 0), "no entry 21 in 3 slots of 7")
    refused(offload.entry_gather(2, slots, [0], target, 1, 0), "no table 2")
    refused(offload.entry_gather(-1, slots, [0], target, 1, 0), "no table -1")
    refused(offload.entry_gather(table, slots, [0], 0, 1, 0), "dst_ptr")
    refused(offload.entry_gather(table, slots, [0] * 7, target, 7, 0), "dst_ptr[0] has 336 bytes")
    refused(offload.entry_gather(table, [slots[0], slots[1] + 8], [7], target, 1, 0), "slot_ptrs[0] has 336 bytes")
    refused(offload.entry_gather(table, slots[0], [0], target, 1, 0), "slot_ptrs must be a list")
    refused(offload.register_entry_table(0, 1), "entryBytes")
    refused(offload.register_entry_table(1, 1 << 32), "rowsPerSlot")


def test_arrays_keep_their_blocks_allocated(arena: None) -> None:
    numpy = pytest.importorskip("numpy")
    made = offload.empty((3, 5), numpy.float32)
    made[:] = numpy.arange(15).reshape(3, 5)
    assert made.shape == (3, 5) and offload.get_dva(made.ctypes.data) == made.ctypes.data
    assert offload.empty(4).dtype == numpy.uint8 and offload.empty((0, 2), "int16").shape == (0, 2)
    part = made[1:]
    del made
    refused(offload.uninitialize(), "1 arrays of offload.empty", expected=-2009)
    assert part.tolist() == [[5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]
    address = part.ctypes.data
    del part
    assert offload.get_dva(address) == 0
    with pytest.raises(ValueError, match="negative"):
        offload.empty((1, -1))
    with pytest.raises(TypeError):
        offload.empty(1, "no dtype")
    with pytest.raises(TypeError, match="objects"):
        offload.empty(1, object)
    with pytest.raises(RuntimeError, match="raise reserve_size"):
        offload.empty(64 * MIB)


def test_ranks_share_an_arena() -> None:
    for environment in ({}, {"MF_SHM": "false"}):
        ranks.run_code(
            f"""
            import ctypes, os
            from memfabric_hybrid import bm, get_last_err_msg, offload
            config, me = offload.OffloadConfig(), int(os.environ["RANK"])
            config.scene, config.alloc_size, config.reserve_size = offload.Scene.SHARED, 2 << 20, 8 << 20
            config.world_size, config.rank_id = 2, me
            config.store_url = "tcp://127.0.0.1:" + os.environ["MASTER_PORT"]
            assert offload.initialize(config) == 0, get_last_err_msg()
            block = offload.malloc(3 << 20)
            assert block, get_last_err_msg()
            ctypes.memset(block, 10 + me, 1000)
            import mf_smem
            from mf_smem._mf_smem import bm_barrier
            bm_barrier("filled", 2, 60)
            # Both have the same layout, each in its own part.
            pool = offload._state.pool
            there = block - pool.peer_rank_ptr(me, bm.BmMemType.HOST) + pool.peer_rank_ptr(1 - me, bm.BmMemType.HOST)
            mine = offload.malloc(2000)
            assert offload.sparse_copy([there, block], [mine, mine + 500], [500, 500], 2, "cpu") == 0, get_last_err_msg()
            assert ctypes.string_at(mine, 1000) == bytes([11 - me]) * 500 + bytes([10 + me]) * 500
            bm_barrier("read", 2, 60)
            assert offload.kv_exchange_copy([there + 100 * me], [mine + 1000], [100], 1, "cpu") == 0, get_last_err_msg()
            assert ctypes.string_at(mine + 1000, 100) == bytes([11 - me]) * 100
            bm_barrier("done", 2, 60)
            assert offload.uninitialize() == 0 and bm.bm_rank_id() == 0xffffffff
            """,
            2, environment,
        )


HEAD = """
import ctypes, random
import numpy as np
from memfabric_hybrid import get_last_err_msg, offload
from mf_smem.kernels import DeviceMemory
config = offload.OffloadConfig()
config.alloc_size = 8 << 20
assert offload.initialize(config) == 0, get_last_err_msg()
chance = random.Random(7)

def done(code):
    assert code == 0, get_last_err_msg()

def counted(kernel):
    '''How often kernels were launched by now.'''
    return launches.get(kernel, 0)

launches = {}
real = offload._state.kernels
class Watched:
    def launch(self, name, *arguments):
        launches[name] = counted(name) + 1
        real().launch(name, *arguments)
offload._state.kernels = Watched
"""


def on_the_simulator(source: str, schedule: str = "fifo") -> None:
    pytest.importorskip("numpy")
    machine = {
        "MF_DEVICE": "sim", "ASCEND_SIM_DEVICES": "1", "ASCEND_SIM_SESSION": f"offload-{ranks.free_port()}",
        "ASCEND_SIM_SCHEDULE": schedule,
    }
    done = ranks.run_alone(HEAD + textwrap.dedent(source), machine)
    assert done.returncode == 0, done.stderr


@needs_kernels
@pytest.mark.parametrize("schedule", ["fifo", "random(1)", "random(2)"])
def test_kernel_copies_match_cpu_copies(schedule: str) -> None:
    on_the_simulator(
        """
        size = 1 << 20
        data = chance.randbytes(size)
        with DeviceMemory.of(data) as device, DeviceMemory.of(bytes(size)) as result:
            block = offload.malloc(size)
            ctypes.memmove(block, data[::-1], size)
            for lengths in ([1], [0, 3, 32, 500], [100_000, 1, 81_921], [chance.randrange(2000) for _ in range(600)]):
                of, to, at = [], [], 0
                expected = bytearray(size)
                for number, length in enumerate(lengths):
                    from_block, start = number % 2, chance.randrange(size - length)
                    of.append((block if from_block else device.address) + start)
                    to.append(result.address + at)
                    expected[at : at + length] = (data[::-1] if from_block else data)[start : start + length]
                    at += length + number % 5
                result.put(bytes(size))
                before = counted("mf_copy_pieces")
                done(offload.sparse_copy(of, to, lengths, len(lengths), 0))
                assert counted("mf_copy_pieces") == before + 1
                assert result.read() == bytes(expected), lengths
                # And back into a block, compared with the processor.
                one, other = offload.malloc(size), offload.malloc(size)
                ctypes.memset(one, 1, size)
                ctypes.memset(other, 1, size)
                back = [start - result.address for start in to]
                done(offload.sparse_copy(to, [one + start for start in back], lengths, len(lengths), "npu"))
                assert counted("mf_copy_pieces") == before + 2
                done(offload.sparse_copy(to, [other + start for start in back], lengths, len(lengths), "cpu"))
                assert counted("mf_copy_pieces") == before + 2
                assert ctypes.string_at(one, size) == ctypes.string_at(other, size)
                offload.free(one), offload.free(other)
            # Memory of the program is not the kernels'.
            own = np.zeros(100, np.uint8)
            done(offload.sparse_copy([device.address], [own.ctypes.data], [100], 1, 0))
            assert own.tobytes() == data[:100] and counted("mf_copy_pieces") == before + 2
            done(offload.group_pack_copy([device.address + 5, block, device.address], [result.address, result.address + 900],
                                         [100, 50, 7], [2, 1], 2, 0))
            assert counted("mf_copy_pieces") == before + 3
            assert result.read(0, 150) == data[5:105] + data[::-1][:50] and result.read(900, 7) == data[:7]
        assert offload.uninitialize() == 0
        """,
        schedule,
    )


@needs_kernels
@pytest.mark.parametrize("schedule", ["fifo", "random(1)", "random(2)"])
def test_kernel_exchange_matches_cpu_exchange(schedule: str) -> None:
    on_the_simulator(
        """
        size = 400_000
        first, second = chance.randbytes(size), chance.randbytes(size)
        with DeviceMemory.of(first) as device:
            results = []
            block = offload.malloc(size)
            for where in (0, "cpu"):
                device.put(first)
                ctypes.memmove(block, second, size)
                lengths = [1, 0, 5000, 163_841] + [300] * 20
                at, starts = 0, []
                for length in lengths:
                    starts.append(at)
                    at += length + 7
                one, other = [device.address + s for s in starts], [block + s for s in starts]
                done(offload.kv_exchange_copy(one, other, lengths, len(lengths), where))
                results.append((device.read(), ctypes.string_at(block, size)))
            assert results[0] == results[1] and results[0][0] != first
            assert counted("mf_exchange_pieces") == 1
            assert results[0][0][:1] == second[:1] and results[0][1][:1] == first[:1]
            assert results[0][0][1:8] == first[1:8]
        """,
        schedule,
    )


@needs_kernels
@pytest.mark.parametrize("schedule", ["fifo", "random(1)", "random(2)"])
def test_kernel_gather_matches_cpu_gather(schedule: str) -> None:
    on_the_simulator(
        """
        for nbytes, rows, count, slots in ((64, 16, 700, 5), (1000, 3, 10, 4), (100_001, 2, 3, 2), (1, 1, 1, 1)):
            table = offload.register_entry_table(nbytes, rows)
            data = [chance.randbytes(nbytes * rows) for _ in range(slots)]
            memory = [DeviceMemory.of(part) for part in data]
            blocks = [offload.malloc(nbytes * rows) for _ in range(slots)]
            for block, part in zip(blocks, data):
                ctypes.memmove(block, part, len(part))
            # Slots in both kinds of memory.
            at = [blocks[i] if i % 2 else memory[i].address for i in range(slots)]
            entries = [chance.randrange(rows * slots) for _ in range(count)]
            expected = b"".join(data[e // rows][e % rows * nbytes : (e % rows + 1) * nbytes] for e in entries)
            with DeviceMemory.of(bytes(nbytes * count)) as result:
                before = counted("mf_gather_entries")
                done(offload.entry_gather(table, at, np.array(entries), result.address, count, 0))
                assert counted("mf_gather_entries") == before + 1
                assert result.read() == expected
                result.put(bytes(nbytes * count))
                done(offload.entry_gather(table, at, entries, result.address, count, "cpu"))
                assert counted("mf_gather_entries") == before + 1 and result.read() == expected
            for one in memory:
                one.free()
            for block in blocks:
                done(offload.free(block))
        """,
        schedule,
    )
