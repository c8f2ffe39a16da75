# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arrays in the memory of GPUs, as frameworks show them, made by the functions of the vendors' drivers."""

from __future__ import annotations

import ctypes
import types
from typing import Any

import hmc

#: How many copies stand before what fills an array: each begins late on the simulator.
_DEPTH = 20


class Gpu:
    """Memory and streams of the first device of a vendor."""

    def __init__(self, kind: hmc.MemoryType) -> None:
        is_nvidia = kind is hmc.MemoryType.NVIDIA_GPU
        self.kind = kind
        self.prefix = "cu" if is_nvidia else "hip"
        names = ["libcuda.so.1"] if is_nvidia else [f"libamdhip64.so.{major}" for major in (7, 6, 5)]
        self._driver = next(filter(None, map(_opened, names)))
        self.call("Init", 0)
        if is_nvidia:
            context = ctypes.c_void_p()
            self.call("DevicePrimaryCtxRetain", ctypes.byref(context), 0)
            self.call("CtxSetCurrent", context)
        else:
            self.call("SetDevice", 0)
        self._behind = self.allocate(64)

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the driver, with the version that CUDA adds to names."""
        for suffix in ("_v2", ""):
            function = getattr(self._driver, f"{self.prefix}{name}{suffix}", None)
            if function is not None:
                assert function(*arguments) == 0, name
                return
        raise AttributeError(name)

    def allocate(self, nbytes: int) -> int:
        address = ctypes.c_uint64()
        named = "MemAlloc" if self.prefix == "cu" else "Malloc"
        self.call(named, ctypes.byref(address), ctypes.c_size_t(nbytes))
        return address.value

    def stream(self) -> int:
        """A stream that does not wait for the default one."""
        made = ctypes.c_void_p()
        self.call("StreamCreate" if self.prefix == "cu" else "StreamCreateWithFlags", ctypes.byref(made), 1)
        return made.value or 0

    def upload(self, address: int, data: bytes) -> None:
        self.call("MemcpyHtoD", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def download(self, address: int, nbytes: int) -> bytes:
        room = ctypes.create_string_buffer(nbytes)
        self.call("MemcpyDtoH", room, ctypes.c_uint64(address), ctypes.c_size_t(nbytes))
        return room.raw

    def copy(self, to: int, source: int, nbytes: int, stream: int) -> None:
        """A copy on a stream, done some time."""
        ends = ctypes.c_uint64(to), ctypes.c_uint64(source)
        self.call("MemcpyDtoDAsync", *ends, ctypes.c_size_t(nbytes), ctypes.c_void_p(stream))

    def fill_late(self, address: int, data: bytes, stream: int) -> None:
        """Fills memory on a stream, behind much else."""
        source = self.allocate(len(data))
        self.upload(source, data)
        for _ in range(_DEPTH):
            self.copy(self._behind + 32, self._behind, 32, stream)
        self.copy(address, source, len(data), stream)

    def synchronize(self, stream: int) -> None:
        self.call("StreamSynchronize", ctypes.c_void_p(stream))


def _opened(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def torch_of(gpu: Gpu, current: int) -> Any:
    """A module torch as far as it is used, with a current stream, and tensors of 2 bytes an element."""
    torch: Any = types.ModuleType("torch")

    class Tensor:
        is_cuda, layout, device = True, "strided", types.SimpleNamespace(type="cuda", index=0)

        def __init__(self, address: int, count: int, contiguous: bool = True) -> None:
            self._address, self._count, self._contiguous = address, count, contiguous

        def is_contiguous(self) -> bool:
            return self._contiguous

        def is_conj(self) -> bool:
            return False

        is_neg = is_conj

        def detach(self) -> Tensor:
            return self

        resolve_conj = resolve_neg = detach

        def contiguous(self) -> Tensor:
            """A copy is queued on the current stream, of every second element."""
            if self._contiguous:
                return self
            made = Tensor(gpu.allocate(2 * self._count), self._count)
            for at in range(self._count):
                gpu.copy(made._address + 2 * at, self._address + 4 * at, 2, current)
            return made

        def data_ptr(self) -> int:
            return self._address

        def numel(self) -> int:
            return self._count

        def element_size(self) -> int:
            return 2

    torch.Tensor, torch.strided = Tensor, "strided"
    is_nvidia = gpu.kind is hmc.MemoryType.NVIDIA_GPU
    torch.version = types.SimpleNamespace(cuda="12" if is_nvidia else None, hip=None if is_nvidia else "6")
    stream = types.SimpleNamespace(synchronize=lambda: gpu.synchronize(current), cuda_stream=current)
    torch.cuda = types.SimpleNamespace(current_stream=lambda device: stream)
    return torch


class CupyArray:
    """An array as CuPy shows it."""

    def __init__(self, address: int, nbytes: int, **more: Any) -> None:
        described = {"shape": (nbytes // 2,), "typestr": "<f2", "data": (address, False), "version": 3}
        self.__cuda_array_interface__ = {**described, **more}


class DlpackArray:
    """An array as DLPack shows it; `streams` are those for which it was asked."""

    class _Versioned(ctypes.Structure):
        _fields_ = [
            ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
            ("flags", ctypes.c_uint64), ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
            ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
            ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
            ("byte_offset", ctypes.c_uint64),
        ]  # fmt: skip

    def __init__(
        self, device: int, address: int, shape: tuple[int, ...], strides: tuple[int, ...] | None = None, read_only: bool = False
    ) -> None:
        self._device, self.streams = device, list[Any]()
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        self._strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        # Elements of bfloat16, for which NumPy has no name.
        self._made = self._Versioned(
            1, 0, None, None, int(read_only), address - 6, device, 0, len(shape), 4, 16, 1, self._shape, self._strides, 6
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None) -> Any:
        assert max_version == (1, 0)
        self.streams.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self._made), b"dltensor_versioned", None)
