# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``memfabric_hybrid.offload`` on the simulated NPU: the kernels against the models, streams, and captured graphs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ranks
from test_kernels import REASON

pytest.importorskip("numpy")
pytestmark = [pytest.mark.skipif(REASON is not None, reason=f"kernels: {REASON}")]
CASES = 1000

HEAD = """
import ctypes, os, sys
import numpy as np
sys.path.insert(0, {tests!r})
import mf_smem
import offload_models as models
from offload_models import CPU, NPU, Device, Space, Tensor
from memfabric_hybrid import get_last_err_msg, get_and_clear_last_err_msg, offload
from mf_smem.kernels import DeviceMemory

GIB = 1 << 30
config = offload.OffloadConfig()
config.alloc_size = config.reserve_size = GIB
assert offload.initialize(config) == 0, get_last_err_msg()
acl = ctypes.CDLL(os.path.join(mf_smem.get_lib_path(), "libascend_sim.so"))

def check(code):
    assert code == 0, get_last_err_msg()

def new_stream():
    stream = ctypes.c_void_p()
    check(acl.aclrtCreateStream(ctypes.byref(stream)))
    return stream

def wait(stream=None):
    check(acl.aclrtSynchronizeStream(stream))

# A space in memory of the NPU, one in the pool, and room for arguments.
SIZE = 40_000
device, arguments = DeviceMemory(SIZE), DeviceMemory(1 << 17)
block = offload.malloc(SIZE)

def on_device(chance):
    data = chance.integers(0, 256, SIZE, dtype=np.uint8)
    device.put(data.tobytes())
    return Space(device.address, data)

def in_pool(chance):
    data = chance.integers(0, 256, SIZE, dtype=np.uint8)
    ctypes.memmove(block, data.ctypes.data, SIZE)
    return Space(block, data)

def content(space):
    if space.address == block:
        return np.frombuffer(ctypes.string_at(block, SIZE), np.uint8)
    return np.frombuffer(device.read(), np.uint8)

def pair(chance):
    # Copies in both directions.
    spaces = on_device(chance), in_pool(chance)
    return spaces if chance.integers(2) else spaces[::-1]

def tensors(arrays):
    # The arguments in memory of the NPU, each at a multiple of 8.
    at, made, whole = 0, [], bytearray(sum(array.nbytes + 7 for array in arrays))
    for array in arrays:
        whole[at : at + array.nbytes] = array.tobytes()
        made.append(Tensor(array, arguments.address + at))
        at += -(-array.nbytes // 8) * 8
    arguments.put(bytes(whole))
    return made
"""


def on_the_simulator(source: str, schedule: str = "fifo", **more: str) -> None:
    machine = {
        "MF_DEVICE": "sim", "ASCEND_SIM_DEVICES": "2", "ASCEND_SIM_SESSION": f"offload-{ranks.free_port()}",
        "ASCEND_SIM_SCHEDULE": schedule,
    }
    head = HEAD.format(tests=os.fspath(Path(__file__).parent))
    done = ranks.run_alone(head + ranks.dedented(source), machine | more)
    assert done.returncode == 0, done.stderr


#: Cases by the schedule of the emulation; "eager" runs blocks without its checks.
SCHEDULES = [("fifo", 100), ("random(1)", 100)]


def test_all_kernels_match_the_models() -> None:
    on_the_simulator(
        f"""
        chance = np.random.default_rng(11)
        for number in range({CASES}):
            source, target = pair(chance)
            case = models.sparse_case(chance, source, target)
            check(offload.sparse_copy(*tensors(case.arrays), NPU))
            wait()
            assert np.array_equal(content(target), case.expected), number
        for number in range({CASES}):
            source, target = pair(chance)
            case = models.group_pack_case(chance, source, target)
            made = tensors(case.arrays)
            check(offload.group_pack_copy(*made, NPU))
            wait()
            assert np.array_equal(content(target), case.expected), number
            packed = arguments.read(made[5].data_ptr() - arguments.address, case.packed.nbytes)
            assert np.array_equal(np.frombuffer(packed, np.int64), case.packed), number
        for number in range({CASES}):
            header_words = 6 if number % 2 else 8
            case = models.kv_case(chance, on_device(chance), in_pool(chance), header_words)
            places = tensors(case.arrays)
            meta = models.addressed(case, places[1].data_ptr(), places[2].data_ptr())
            made = tensors([meta, *case.arrays[1:]])
            check(offload.kv_exchange_copy(made[0], NPU))
            wait()
            assert np.array_equal(content(case.notes["target"]), case.expected), number
        """,
        ASCEND_SIM_KERNELS="eager",
    )


@pytest.mark.parametrize(("schedule", "cases"), SCHEDULES)
def test_kernels_pass_the_checks_of_the_emulation(schedule: str, cases: int) -> None:
    on_the_simulator(
        f"""
        chance = np.random.default_rng(12)
        for number in range({cases}):
            source, target = pair(chance)
            case = models.sparse_case(chance, source, target, most=3 if number % 3 == 0 else 600)
            check(offload.sparse_copy(*tensors(case.arrays), NPU))
            wait()
            assert np.array_equal(content(target), case.expected), number
            source, target = pair(chance)
            case = models.group_pack_case(chance, source, target, most=3 if number % 3 == 0 else 600)
            made = tensors(case.arrays)
            check(offload.group_pack_copy(*made, NPU))
            wait()
            assert np.array_equal(content(target), case.expected), number
            case = models.kv_case(chance, on_device(chance), in_pool(chance))
            places = tensors(case.arrays)
            meta = models.addressed(case, places[1].data_ptr(), places[2].data_ptr())
            check(offload.kv_exchange_copy(tensors([meta, *case.arrays[1:]])[0], NPU))
            wait()
            assert np.array_equal(content(case.notes["target"]), case.expected), number
        """,
        schedule,
    )


def test_pieces_longer_than_the_unified_buffer_are_copied() -> None:
    on_the_simulator(
        """
        nbytes = 3_000_001
        chance = np.random.default_rng(13)
        data = chance.integers(0, 256, nbytes, dtype=np.uint8)
        with DeviceMemory.of(data.tobytes()) as source:
            at = offload.malloc(nbytes + 3)
            for count in (1, 2, 7):
                cuts = np.linspace(0, nbytes, count + 1).astype(np.int64)
                lengths = np.diff(cuts).astype(np.uint32)
                ctypes.memset(at, 0, nbytes + 3)
                lists = source.address + cuts[:-1], at + 3 + cuts[:-1], lengths, np.array([count], np.uint32)
                check(offload.sparse_copy(*tensors(lists), NPU))
                wait()
                assert ctypes.string_at(at, nbytes + 3) == bytes(3) + data.tobytes()
        """
    )


def test_lists_longer_than_a_batch_are_read_in_parts() -> None:
    on_the_simulator(
        """
        chance = np.random.default_rng(18)
        for number in range(4):
            source, target = on_device(chance), in_pool(chance)
            count = 3001 + number
            of, to = chance.integers(0, SIZE - 12, count), np.arange(count) * 13
            lengths, groups = chance.integers(0, 13, count).astype(np.uint32), chance.integers(0, 2, count)
            expected = target.data.copy()
            for begin, place, length in zip(of, to, lengths):
                expected[place : place + length] = source.data[begin : begin + length]
            lists = [of + source.address, to + target.address, lengths, np.array([count], np.uint32)]
            check(offload.sparse_copy(*tensors(lists), NPU))
            wait()
            assert np.array_equal(content(target), expected), number
            target = in_pool(chance)
            expected, kept = target.data.copy(), np.flatnonzero(groups)
            for begin, place, length in zip(of[kept], to, lengths[kept]):
                expected[place : place + length] = source.data[begin : begin + length]
            made = tensors([*lists, groups, np.zeros(count, np.int64)])
            check(offload.group_pack_copy(*made, NPU))
            wait()
            assert np.array_equal(content(target), expected), number
            packed = np.frombuffer(arguments.read(made[5].data_ptr() - arguments.address, 8 * count), np.int64)
            assert np.array_equal(packed, np.r_[groups[kept], np.zeros(count - len(kept))]), number
        """
    )


def test_a_replayed_graph_reads_the_counts_of_that_moment() -> None:
    on_the_simulator(
        """
        class Npu:
            @staticmethod
            def current_stream(index):
                assert index == 0
                return type("Stream", (), {"npu_stream": stream.value})()

        stream = new_stream()
        # Torch, as far as it is asked.
        sys.modules["torch"] = type(sys)("torch")
        sys.modules["torch"].npu = Npu
        chance = np.random.default_rng(14)
        source, target = on_device(chance), in_pool(chance)
        case = models.sparse_case(chance, source, target)

        def fill(arrays):
            # Other counts, lengths and addresses, in the same places.
            whole = bytearray(4096)
            for number, array in enumerate(arrays):
                assert array.nbytes <= 1024
                whole[1024 * number : 1024 * number + array.nbytes] = array.tobytes()
            arguments.put(bytes(whole))

        fill(case.arrays)
        made = [Tensor(array, arguments.address + 1024 * number) for number, array in enumerate(case.arrays)]
        graph = ctypes.c_void_p()
        check(acl.aclmdlRICaptureBegin(stream, 0))
        check(offload.sparse_copy(*made, NPU))
        check(acl.aclmdlRICaptureEnd(stream, ctypes.byref(graph)))
        assert np.array_equal(content(target), target.data), "nothing has run"
        for number in range(20):
            source, target = on_device(chance), in_pool(chance)
            case = models.sparse_case(chance, source, target)
            fill(case.arrays)
            check(acl.aclmdlRIExecuteAsync(graph, stream))
            wait(stream)
            assert np.array_equal(content(target), case.expected), number
        check(acl.aclmdlRIDestroy(graph))
        offload.uninitialize()
        """
    )


def test_operations_keep_the_order_of_their_stream() -> None:
    on_the_simulator(
        """
        # A callback holds the stream; the kernel finds the count of the moment after it.
        stream = new_stream()
        source, target = on_device(np.random.default_rng(15)), in_pool(np.random.default_rng(16))
        count = np.array([0], np.uint32)
        lists = np.array([source.address]), np.array([target.address]), np.array([100], np.uint32), count
        made = tensors(lists)
        check(acl.aclrtMemsetAsync(ctypes.c_void_p(made[3].data_ptr()), 4, 0, 4, stream))
        one = np.array([1], np.uint32)
        pinned = ctypes.c_void_p()
        check(acl.aclrtMallocHost(ctypes.byref(pinned), 8))
        ctypes.memmove(pinned, one.ctypes.data, 4)
        check(acl.aclrtMemcpyAsync(ctypes.c_void_p(made[3].data_ptr()), 4, pinned, 4, 1, stream))
        with offload.mfx_stream(stream.value):
            check(offload.sparse_copy(*made, NPU))
        wait(stream)
        expected = target.data.copy()
        expected[:100] = source.data[:100]
        assert np.array_equal(content(target), expected)
        """
    )


def test_devices_other_than_the_pools_are_refused() -> None:
    on_the_simulator(
        """
        lists = tensors([np.zeros(1, np.int64)] * 2 + [np.zeros(1, np.uint32)] * 2)
        for index, part in ((1, "of another device"), (256, "invalid device number")):
            assert offload.sparse_copy(*lists, Device("npu", index)) == -1
            assert part in get_and_clear_last_err_msg()
        try:
            offload.sparse_copy(*lists, Device("npu"))
        except TypeError:
            pass
        else:
            raise AssertionError("an NPU without a number has no stream")
        assert offload.sparse_copy(Tensor(None, 0), *lists[1:], NPU) == -1
        assert "srcPtr is null" in get_and_clear_last_err_msg()
        offload.uninitialize()
        config.device_id = 7
        assert offload.initialize(config) == -1
        """
    )


def test_cpu_calls_reach_memory_of_the_npu() -> None:
    on_the_simulator(
        """
        chance = np.random.default_rng(17)
        for number in range(50):
            source, target = pair(chance)
            case = models.sparse_case(chance, source, target)
            made = tensors(case.arrays) if number % 2 else [Tensor(array) for array in case.arrays]
            check(offload.sparse_copy(*made, CPU))
            assert np.array_equal(content(target), case.expected), number
        """
    )


GATHER = """
me, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
offload.uninitialize()
config.device_id, config.scene, config.world_size, config.rank_id = me, offload.SHARED, world, me
config.store_url = "tcp://127.0.0.1:" + os.environ["MASTER_PORT"]
"""


def test_ranks_gather_entries_of_all_slots() -> None:
    head = HEAD.format(tests=os.fspath(Path(__file__).parent)).replace(
        "assert offload.initialize(config) == 0, get_last_err_msg()\n",
        ranks.dedented(GATHER) + "\nassert offload.initialize(config) == 0, get_last_err_msg()\n",
    )
    source = head + ranks.dedented(
        """
        rows, nbytes = 300, 1001
        table = offload.malloc(GIB - SIZE - 4096)
        base = block - me * GIB
        # The table is at the beginning of the slot.
        slots = [np.random.default_rng(rank).integers(0, 256, rows * nbytes, dtype=np.uint8) for rank in range(world)]
        offload.free(block), offload.free(table)
        table = offload.malloc(rows * nbytes)
        assert table == base + me * GIB
        ctypes.memmove(table, slots[me].ctypes.data, rows * nbytes)
        block = offload.malloc(SIZE)
        assert offload.register_entry_table(nbytes, rows) == 0, get_last_err_msg()
        flag = offload.malloc(8)
        meet(flag)
        chance = np.random.default_rng(20 + me)
        for number in range(500):
            target = on_device(chance)
            case = models.gather_case(chance, slots, target, nbytes, rows)
            made, npu = tensors(case.arrays), Device("npu", me)
            check(offload.entry_gather(target.address, *made, npu))
            wait()
            assert np.array_equal(content(target), case.expected), number
        meet(flag + 4)
        offload.uninitialize()
        """
    )
    meet = """
def meet(flag):
    import time
    until = time.monotonic() + 60
    at = flag - me * GIB
    ctypes.c_uint32.from_address(flag).value = 1
    while not all(ctypes.c_uint32.from_address(at + rank * GIB).value for rank in range(world)):
        assert time.monotonic() < until, "a rank is missing"

"""
    machine = {
        "MF_DEVICE": "sim", "ASCEND_SIM_DEVICES": "2", "ASCEND_SIM_SESSION": f"offload-{ranks.free_port()}",
        "ASCEND_SIM_KERNELS": "eager",
    }
    ranks.run_code(source.replace("rows, nbytes = 300, 1001", meet + "rows, nbytes = 300, 1001"), 2, machine)
