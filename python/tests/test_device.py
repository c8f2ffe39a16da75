# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Device memory of an accelerator: raw addresses and DLPack. Run it inside `mf sim --` or on a machine with an NPU."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from typing import Any

import mf_smem
import pytest
from mf_smem.bm import BmCopyType

GIB = 1 << 30
SIZE = 1 << 16
DATA = bytes(range(256)) * (SIZE // 256)


class DeviceTensor:
    """Bytes in device memory, shown by DLPack as torch shows its NPU tensors."""

    class _Tensor(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p),
            ("device_type", ctypes.c_int32),
            ("device_id", ctypes.c_int32),
            ("ndim", ctypes.c_int32),
            ("code", ctypes.c_uint8),
            ("bits", ctypes.c_uint8),
            ("lanes", ctypes.c_uint16),
            ("shape", ctypes.POINTER(ctypes.c_int64)),
            ("strides", ctypes.POINTER(ctypes.c_int64)),
            ("byte_offset", ctypes.c_uint64),
        ]

    def __init__(self, size: int) -> None:
        self._acl = ctypes.CDLL(os.path.join(os.environ["ASCEND_HOME_PATH"], "lib64", "libascendcl.so"))
        self._check(self._acl.aclrtSetDevice(ctypes.c_int32(0)))
        place = ctypes.c_void_p()
        self._check(self._acl.aclrtMalloc(ctypes.byref(place), ctypes.c_size_t(size), 0))
        self.address = place.value or 0
        self.size = size

    @staticmethod
    def _check(code: int) -> None:
        assert code == 0, code

    def free(self) -> None:
        self._check(self._acl.aclrtFree(ctypes.c_void_p(self.address)))

    def __dlpack_device__(self) -> tuple[int, int]:
        return (12, 0)

    def __dlpack__(self, **options: Any) -> Any:
        if options:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        self._shape = (ctypes.c_int64 * 1)(self.size)
        self._tensor = self._Tensor(self.address, 12, 0, 1, 1, 8, 1, self._shape, None, 0)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self._tensor), b"dltensor", None)


@pytest.fixture
def pool() -> Iterator[mf_smem.Pool]:
    with mf_smem.open_pool(device_bytes=GIB, host_bytes=GIB) as pool:
        if pool.device == "host":
            pytest.skip("this machine has no accelerator; run it inside `mf sim --`")
        yield pool


@pytest.fixture
def tensor(pool: mf_smem.Pool) -> Iterator[DeviceTensor]:
    tensor = DeviceTensor(SIZE)
    yield tensor
    tensor.free()


@pytest.mark.parametrize("kind", ["device", "host"])
def test_tensors_enter_by_dlpack(pool: mf_smem.Pool, tensor: DeviceTensor, kind: Any) -> None:
    address, got = pool.address(kind=kind), bytearray(SIZE)
    pool.put(DATA, address)
    pool.get(address, tensor)
    pool.put(tensor, address + SIZE)
    pool.get(address + SIZE, got)
    assert got == DATA


def test_tensors_enter_by_address(pool: mf_smem.Pool, tensor: DeviceTensor) -> None:
    address, got = pool.address(kind="device"), bytearray(SIZE)
    pool.put(DATA, address)
    pool.memory.copy_data(address, tensor.address, SIZE, BmCopyType.G2L)
    pool.memory.copy_data(tensor.address, address + SIZE, SIZE, BmCopyType.L2G)
    pool.get(address + SIZE, got)
    assert got == DATA


def test_copy_type_mismatch_is_refused_and_nothing_is_written(pool: mf_smem.Pool, tensor: DeviceTensor) -> None:
    address, got = pool.address(kind="device"), bytearray(SIZE)
    pool.put(DATA, address)
    with pytest.raises(mf_smem.Error) as refusal:
        pool.memory.copy_data(tensor.address, address, SIZE, BmCopyType.H2G)
    assert refusal.value.code == -2000
    host = ctypes.create_string_buffer(SIZE)
    with pytest.raises(mf_smem.Error) as refusal:
        pool.memory.copy_data(ctypes.addressof(host), address, SIZE, BmCopyType.L2G)
    assert refusal.value.code == -2000
    pool.get(address, got)
    assert got == DATA


def test_registered_tensors_and_asynchronous_copies(pool: mf_smem.Pool, tensor: DeviceTensor) -> None:
    address, got = pool.address(kind="device"), bytearray(SIZE)
    pool.memory.register(tensor.address, SIZE)
    pool.put(DATA, address, wait=False)
    pool.get(address, tensor, wait=False)
    pool.put(tensor, address + SIZE, wait=False)
    pool.memory.wait()
    pool.get(address + SIZE, got)
    assert got == DATA
    pool.memory.unregister(tensor.address)


def test_device_memory_has_no_cpu_view(pool: mf_smem.Pool) -> None:
    with pytest.raises(mf_smem.Error):
        pool.local("device")
    assert len(pool.local("host")) == GIB


def test_quantised_bytes_match_between_accelerator_and_host(pool: mf_smem.Pool) -> None:
    count, unit = 1 << 14, 48
    units = -(-count // unit)
    engines = [mf_smem.TransferEngine() for _ in range(2)]
    for engine, role in zip(engines, ("Prefill", "Decode")):
        assert engine.initialize("", "127.0.0.1", role, 0) == 0, mf_smem.get_last_err_msg()
    one, other = engines
    numbers = (ctypes.c_uint16 * count)(*(at * 40_503 % (1 << 16) for at in range(count)))
    scales = (ctypes.c_float * units)(*(at * 0.21 - 30 for at in range(units)))
    offsets = (ctypes.c_float * units)(*(90 - at * 0.5 for at in range(units)))
    host, device = [ctypes.addressof(array) for array in (numbers, scales, offsets)], []
    tensors = [DeviceTensor(ctypes.sizeof(array)) for array in (numbers, scales, offsets)]
    address = pool.address(kind="device")
    for at, tensor in zip(host, tensors):
        pool.put(ctypes.string_at(at, tensor.size), address)
        pool.get(address, tensor)
        device.append(tensor.address)
    found = []
    for source, scale, offset in (host, device, [device[0], host[1], device[2]], [host[0], device[1], host[2]]):
        target = ctypes.create_string_buffer(count)
        there = ctypes.addressof(target)
        assert other.register_memory(there, count) == 0
        for kind in (0, 1):
            code = one.batch_transfer_write_with_quant(
                f"127.0.0.1:{other.get_rpc_port()}", [source], [there], [2 * count], [scale], [offset], unit, kind
            )
            assert code == 0, mf_smem.get_last_err_msg()
            found.append(target.raw)
        assert other.unregister_memory(there) == 0
    # On a stream, which is through when the bytes are there.
    target, stream, acl = ctypes.create_string_buffer(count), ctypes.c_void_p(), tensors[0]._acl
    there = ctypes.addressof(target)
    assert other.register_memory(there, count) == 0 and acl.aclrtCreateStream(ctypes.byref(stream)) == 0
    code = one.batch_transfer_write_with_quant(
        f"127.0.0.1:{other.get_rpc_port()}", [device[0]], [there], [2 * count], [device[1]], [device[2]], unit, 0, stream.value or 0
    )
    assert code == 0, mf_smem.get_last_err_msg()
    assert acl.aclrtSynchronizeStream(stream) == 0 and acl.aclrtDestroyStream(stream) == 0
    assert target.raw == found[0]
    assert found == found[:2] * 4 and found[0] != found[1]
    for tensor in tensors:
        tensor.free()
    for engine in engines:
        engine.destroy()


def test_a_cache_takes_and_fills_tensors(pool: mf_smem.Pool, tensor: DeviceTensor) -> None:
    with mf_smem.Cache("4MiB") as cache:
        cache.put("host", DATA)
        assert cache.get_into("host", tensor) == SIZE
        assert cache.put("device", tensor) and cache.get("device") == DATA
        assert cache.put_many(["a", "b"], [tensor, DATA]) == [True, True]
        assert cache.get_many(["a", "b"]) == [DATA, DATA]
