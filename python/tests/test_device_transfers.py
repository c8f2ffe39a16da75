# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfers from and to device memory of other processes. Run it inside `mf sim --devices 2 --` or on a machine with NPUs."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import mf_smem
import pytest

SIZE = 9 << 20
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


class Device:
    """Memory of one device, by CANN's own calls."""

    def __init__(self, number: int) -> None:
        self._acl = ctypes.CDLL(os.path.join(os.environ["ASCEND_HOME_PATH"], "lib64", "libascendcl.so"))
        self.check("aclrtSetDevice", ctypes.c_int32(number))

    def check(self, name: str, *arguments: Any) -> None:
        code = getattr(self._acl, name)(*arguments)
        assert code == 0, f"{name}: {code}"

    def malloc(self, size: int) -> int:
        place = ctypes.c_void_p()
        self.check("aclrtMalloc", ctypes.byref(place), ctypes.c_size_t(size), 0)
        return place.value or 0

    def free(self, address: int) -> None:
        self.check("aclrtFree", ctypes.c_void_p(address))

    def write(self, address: int, data: bytes) -> None:
        size = ctypes.c_size_t(len(data))
        self.check("aclrtMemcpy", ctypes.c_void_p(address), size, data, size, HOST_TO_DEVICE)

    def read(self, address: int, size: int) -> bytes:
        data = ctypes.create_string_buffer(size)
        self.check("aclrtMemcpy", data, ctypes.c_size_t(size), ctypes.c_void_p(address), ctypes.c_size_t(size), DEVICE_TO_HOST)
        return data.raw


def begun(role: str, device: int) -> mf_smem.TransferEngine:
    mf_smem.set_conf_store_tls(False, "")
    engine = mf_smem.TransferEngine()
    assert engine.initialize("", "127.0.0.1", role, device) == 0, mf_smem.get_last_err_msg()
    return engine


def owner(orders: Any) -> None:
    """A process with device memory that obeys: name of a method and its arguments; each is answered."""
    device, engine = Device(1), begun("Decode", 1)
    orders.send(f"127.0.0.1:{engine.get_rpc_port()}")
    while (order := orders.recv()) is not None:
        name, *arguments = order
        method = getattr(device, name, None) or getattr(engine, name)
        orders.send(method(*arguments))
    engine.destroy()


class Owner:
    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.orders, there = context.Pipe()
        self.process = context.Process(target=owner, args=(there,), daemon=True)
        self.process.start()
        there.close()
        self.name = self.orders.recv()

    def __call__(self, *order: Any) -> Any:
        self.orders.send(order)
        return self.orders.recv()


@pytest.fixture(scope="module")
def device() -> Device:
    if "ASCEND_HOME_PATH" not in os.environ:
        pytest.skip("there is no accelerator here")
    return Device(0)


@pytest.fixture
def engine(device: Device) -> Iterator[mf_smem.TransferEngine]:
    engine = begun("Prefill", 0)
    yield engine
    engine.destroy()


@pytest.fixture
def there(device: Device) -> Iterator[Owner]:
    other = Owner()
    yield other
    if other.process.is_alive():
        other.orders.send(None)
    other.process.join(30)
    assert not other.process.is_alive()


def pattern(seed: int, size: int = SIZE) -> bytes:
    block = bytes((seed * 131 + i * 7 + (i >> 8)) & 0xFF for i in range(4096))
    return (block * (size // 4096 + 1))[:size]


@pytest.mark.parametrize("here", ["device", "host"])
def test_bytes_arrive_in_both_directions(device: Device, engine: mf_smem.TransferEngine, there: Owner, here: str) -> None:
    remote = there("malloc", SIZE)
    assert there("register_memory", remote, SIZE) == 0
    buffer = ctypes.create_string_buffer(SIZE)
    local = device.malloc(SIZE) if here == "device" else ctypes.addressof(buffer)

    def content() -> bytes:
        return device.read(local, SIZE) if here == "device" else buffer.raw

    def fill(data: bytes) -> None:
        device.write(local, data) if here == "device" else ctypes.memmove(local, data, SIZE)

    expected = bytearray(pattern(1))
    there("write", remote, bytes(expected))
    fill(pattern(2))
    for at, size in [(0, 1), (7, 8), (4096, 4096), (12345, 1 << 20), (0, SIZE), (SIZE - 3, 3)]:
        assert engine.transfer_sync_write(there.name, local + at, remote + at, size) == 0, mf_smem.get_last_err_msg()
        expected[at : at + size] = pattern(2)[at : at + size]
        assert there("read", remote, SIZE) == expected, (at, size)
    there("write", remote, pattern(3))
    pieces = [(0, 100), (5000, 64 << 10), (1 << 20, 3 << 20), (SIZE - 9, 9)]
    locals_, remotes, sizes = ([base + at for at, _ in pieces] for base in (local, remote, 0))
    sizes = [size for _, size in pieces]
    assert engine.batch_transfer_sync_read(there.name, locals_, remotes, sizes) == 0, mf_smem.get_last_err_msg()
    wanted = bytearray(pattern(2))
    for at, size in pieces:
        wanted[at : at + size] = pattern(3)[at : at + size]
    assert content() == wanted
    assert engine.transfer_sync_write(there.name, local, remote + SIZE - 8, 9) != 0
    assert there("unregister_memory", remote) == 0
    there("free", remote)
    if here == "device":
        device.free(local)


def test_two_engines_of_one_process_reach_the_same_device_memory(device: Device, engine: mf_smem.TransferEngine, there: Owner) -> None:
    second = begun("Prefill", 0)
    mine, other = device.malloc(4096), there("malloc", 4096)
    try:
        assert there("register_memory", other, 4096) == 0
        there("write", other, pattern(5, 4096))
        # The same memory of another process, imported once for both.
        for one in (engine, second):
            device.write(mine, bytes(4096))
            assert one.transfer_sync_read(there.name, mine, other, 4096) == 0, mf_smem.get_last_err_msg()
            assert device.read(mine, 4096) == pattern(5, 4096)
        # Memory of this very process.
        near = device.malloc(4096)
        device.write(near, pattern(6, 4096))
        assert second.register_memory(near, 4096) == 0
        name = f"127.0.0.1:{second.get_rpc_port()}"
        assert engine.transfer_sync_read(name, mine, near, 4096) == 0, mf_smem.get_last_err_msg()
        assert device.read(mine, 4096) == pattern(6, 4096)
    finally:
        second.destroy()


def test_reused_memory_gets_no_byte_after_withdrawal(device: Device, engine: mf_smem.TransferEngine, there: Owner) -> None:
    size, rounds = 256 << 10, int(os.environ.get("MF_TEST_WITHDRAWALS", "40"))
    local = device.malloc(size)
    device.write(local, b"\xff" * size)
    remote, ends, went_well = [there("malloc", size)], threading.Event(), threading.Event()

    def load() -> None:
        while not ends.is_set():
            if engine.transfer_sync_write(there.name, local, remote[0], size) == 0:
                went_well.set()

    threads = [threading.Thread(target=load) for _ in range(2)]
    assert there("register_memory", remote[0], size) == 0
    for thread in threads:
        thread.start()
    try:
        assert went_well.wait(30)
        for number in range(rounds):
            assert there("unregister_memory", remote[0]) == 0
            # Once unregistered, it belongs to the owner alone; so does any later mapping in its place.
            if number % 2:
                there("free", remote[0])
                remote[0] = there("malloc", size)
            there("write", remote[0], bytes(size))
            assert there("read", remote[0], size) == bytes(size), f"round {number}"
            assert there("register_memory", remote[0], size) == 0
    finally:
        ends.set()
        for thread in threads:
            thread.join()
    assert there("unregister_memory", remote[0]) == 0
    assert engine.transfer_sync_write(there.name, local, remote[0], size) != 0
    assert there("register_memory", remote[0], size) == 0
    device.write(local, pattern(8, size))
    assert engine.transfer_sync_write(there.name, local, remote[0], size) == 0, mf_smem.get_last_err_msg()
    assert there("read", remote[0], size) == pattern(8, size)


def test_killed_owner_fails_transfers_and_can_be_replaced(device: Device, engine: mf_smem.TransferEngine, there: Owner) -> None:
    local, remote = device.malloc(4096), there("malloc", 4096)
    assert there("register_memory", remote, 4096) == 0
    assert engine.transfer_sync_write(there.name, local, remote, 4096) == 0, mf_smem.get_last_err_msg()
    there.process.kill()
    there.process.join(30)
    # One-sided: memory shared by the dead process accepts bytes until its connection is seen to be closed.
    deadline = time.monotonic() + 30
    while engine.transfer_sync_write(there.name, local, remote, 4096) == 0:
        assert time.monotonic() < deadline, "the death was not noticed"
    other = Owner()
    try:
        remote = other("malloc", 4096)
        assert other("register_memory", remote, 4096) == 0
        device.write(local, pattern(9, 4096))
        assert engine.transfer_sync_write(other.name, local, remote, 4096) == 0, mf_smem.get_last_err_msg()
        assert other("read", remote, 4096) == pattern(9, 4096)
    finally:
        other.process.kill()
        other.process.join(30)


#: Writes 60 pieces of an accelerator's numbers, with scales of the host.
QUANTISED = """
import ctypes, os, mf_smem
from test_device_transfers import Device, begun
device, one, other = Device(0), begun("Prefill", 0), begun("Decode", 0)
PIECES, NUMBERS = 60, 128
memory, numbers = ctypes.create_string_buffer(PIECES * NUMBERS), device.malloc(2 * PIECES * NUMBERS)
device.write(numbers, b"\\x00\\x3c" * PIECES * NUMBERS)
scales = (ctypes.c_float * PIECES)(*range(PIECES))
at = ctypes.addressof(memory)
assert other.register_memory(at, len(memory)) == 0
name = f"127.0.0.1:{other.get_rpc_port()}"
assert one.transfer_sync_read(name, at, at + NUMBERS, NUMBERS) == 0, mf_smem.get_last_err_msg()
code = one.batch_transfer_write_with_quant(
    name, [numbers + 2 * NUMBERS * i for i in range(PIECES)], [at + NUMBERS * i for i in range(PIECES)],
    [2 * NUMBERS] * PIECES, [ctypes.addressof(scales) + 4 * i for i in range(PIECES)], [], 0, 1)
assert code == 0, mf_smem.get_last_err_msg()
assert memory.raw == b"".join(bytes([i]) * NUMBERS for i in range(PIECES))
"""


def test_a_quantised_batch_is_one_launch(device: Device, tmp_path: Any) -> None:
    trace = tmp_path / "calls"
    environment = {**os.environ, "ASCEND_SIM_TRACE": str(trace), "PYTHONPATH": os.path.dirname(__file__)}
    done = subprocess.run([sys.executable, "-c", QUANTISED], env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done
    if not trace.exists():
        pytest.skip("only the simulator writes down which calls it gets")
    calls = [json.loads(line)["call"] for line in trace.read_text().splitlines()]
    if "numbers of the accelerator become bytes on the processor" in done.stderr:
        pytest.skip("this build has no kernels")
    assert calls.count("aclrtLaunchKernelWithHostArgs") == 1, done.stderr
