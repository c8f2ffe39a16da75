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


def test_the_wrong_kind_is_refused_and_nothing_is_written(pool: mf_smem.Pool, tensor: DeviceTensor) -> None:
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


def test_the_processor_gets_no_view_of_device_memory(pool: mf_smem.Pool) -> None:
    with pytest.raises(mf_smem.Error):
        pool.local("device")
    assert len(pool.local("host")) == GIB
