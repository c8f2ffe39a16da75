# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc.IOBuffer``: supported and refused operands; with buffers of the processor and, inside `mf sim --gpus`, of GPUs."""

from __future__ import annotations

import array
import contextlib
import ctypes
import mmap
import subprocess
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import hmc
import mf_smem
import pytest

import ranks
from with_torch import python_with

SIZE = 64 << 10


def kinds_of_memory() -> list[hmc.MemoryType]:
    """The processor's, and the GPUs of this machine."""
    found = []
    for kind in (hmc.MemoryType.CPU, hmc.MemoryType.NVIDIA_GPU, hmc.MemoryType.AMD_GPU):
        with contextlib.suppress(hmc.HMCStatusError):
            hmc.Memory(0, kind)
            found.append(kind)
    return found


@pytest.fixture(scope="module", params=kinds_of_memory(), ids=lambda kind: kind.name)
def buffer(request: pytest.FixtureRequest) -> hmc.IOBuffer:
    return hmc.IOBuffer.create(0, SIZE, request.param)


@pytest.fixture(scope="module")
def host() -> hmc.IOBuffer:
    """One of the processor, where that makes a difference."""
    return hmc.IOBuffer.create(0, SIZE, hmc.MemoryType.CPU)


def there_and_back(buffer: hmc.IOBuffer, source: Any, wanted: bytes) -> None:
    """Puts a source, and compares the buffer with `wanted`."""
    buffer.put(b"\xee" * (len(wanted) + 2))
    assert buffer.put(source, offset=1) == len(wanted)
    assert buffer.buffer_get_cpu(nbytes=len(wanted) + 2) == b"\xee" + wanted + b"\xee"


def test_properties(host: hmc.IOBuffer) -> None:
    assert host.size == host.core.buffer_size == SIZE and host.ptr == host.core.ptr != 0
    assert host.mem_type is hmc.MemoryType.CPU and host.device_id == 0
    host.put(b"seen", offset=SIZE - 4)
    assert ctypes.string_at(host.ptr + SIZE - 4, 4) == b"seen"


@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview", "array", "mmap", "ctypes"])
def test_objects_with_bytes(buffer: hmc.IOBuffer, kind: str) -> None:
    data = bytes(range(96))
    made: Any = {
        "bytes": lambda: data,
        "bytearray": lambda: bytearray(data),
        "memoryview": lambda: memoryview(data).cast("i"),
        "array": lambda: array.array("d", data),
        "mmap": lambda: mmap.mmap(-1, 96),
        "ctypes": lambda: (ctypes.c_uint32 * 24).from_buffer(bytearray(data)),
    }[kind]()
    if kind == "mmap":
        made[:] = data
    there_and_back(buffer, made, data)
    if kind in ("bytes", "memoryview"):
        with pytest.raises(ValueError, match="read-only"):
            buffer.get_into(made, nbytes=96)
        return
    buffer.put(bytes(reversed(data)))
    buffer.get_into(made, nbytes=90)
    assert bytes(memoryview(made).cast("B")) == bytes(reversed(data))[:90] + data[90:]


def test_views_with_gaps_and_shapes(buffer: hmc.IOBuffer) -> None:
    data = bytes(range(96))
    there_and_back(buffer, memoryview(data)[::2], data[::2])
    there_and_back(buffer, memoryview(data)[::-1], data[::-1])
    there_and_back(buffer, memoryview(data).cast("B", (8, 12)), data)
    there_and_back(buffer, memoryview(b""), b"")
    with pytest.raises(ValueError, match="contiguous"):
        buffer.get_into(memoryview(bytearray(8))[::2], nbytes=4)


@pytest.mark.parametrize("wrong", ["text", 5, [1, 2], None, 1.5, {}, object()])
def test_rejects_objects_without_buffer(buffer: hmc.IOBuffer, wrong: Any) -> None:
    with pytest.raises(TypeError):
        buffer.put(wrong)
    with pytest.raises(TypeError):
        buffer.get_into(wrong, nbytes=1)
    with pytest.raises(TypeError):
        buffer.buffer_put_cuda(wrong)


def test_buffer_lengths_and_offsets_are_checked(buffer: hmc.IOBuffer) -> None:
    with pytest.raises(ValueError):
        buffer.get_into(bytearray(4), nbytes=5)
    with pytest.raises(RuntimeError, match="^Source buffer too small$"):
        buffer.put(b"four", nbytes=5)
    top = (1 << 64) - 1
    for offset, nbytes in ((SIZE - 3, 4), (SIZE + 1, 0), (SIZE, 1), (top, 4), (top - 3, 4)):
        with pytest.raises(RuntimeError, match="^Buffer overflow$"):
            buffer.put(b"four", nbytes=nbytes, offset=offset)
        with pytest.raises(RuntimeError, match="^Buffer overflow$"):
            buffer.get_into(bytearray(4), nbytes=nbytes, offset=offset)
        with pytest.raises(RuntimeError, match="^Buffer overflow$"):
            buffer.buffer_get_cpu(nbytes=nbytes, offset=offset)
        with pytest.raises(hmc.HMCStatusError, match="^ConnBuffer.copyWithin failed"):
            buffer.buffer_copy_within(dst_offset=0, src_offset=offset, nbytes=nbytes or 1)
    with pytest.raises(RuntimeError, match="^Buffer overflow$"):
        buffer.buffer_get_cpu(nbytes=1 << 62)
    for wrong in (-1, 1.0, "1", 1 << 64):
        for call in (
            lambda: buffer.put(b"four", offset=wrong),
            lambda: buffer.put(b"four", nbytes=wrong),
            lambda: buffer.get_into(bytearray(4), nbytes=wrong),
            lambda: buffer.buffer_get_cpu(nbytes=1, offset=wrong),
            lambda: buffer.buffer_copy_within(dst_offset=wrong, src_offset=0, nbytes=1),
            lambda: buffer.core.writeFromCpu(b"four", 1, wrong),
        ):
            with pytest.raises(TypeError):
                call()
    assert buffer.put(b"", offset=SIZE) == 0 and buffer.buffer_get_cpu(nbytes=0, offset=SIZE) == b""


def test_copies_within_may_overlap(buffer: hmc.IOBuffer) -> None:
    data = bytes(range(200))
    for to, source in ((0, 50), (50, 0), (3, 3), (100, 0)):
        buffer.put(data)
        buffer.buffer_copy_within(dst_offset=to, src_offset=source, nbytes=100)
        wanted = bytearray(data)
        wanted[to : to + 100] = data[source : source + 100]
        assert buffer.buffer_get_cpu(nbytes=200) == wanted


def test_core_calls_return_statuses(buffer: hmc.IOBuffer) -> None:
    core = buffer.core
    assert core.writeFromCpu(b"core", 4) is hmc.status_t.SUCCESS
    out = bytearray(4)
    assert core.readToCpu(out, 4, 0) is hmc.status_t.SUCCESS and out == b"core"
    assert core.copyWithin(10, 0, 4) is hmc.status_t.SUCCESS
    assert core.copyWithin(SIZE - 3, 0, 4) is hmc.status_t.ERROR


def test_core_calls_check_addresses(host: hmc.IOBuffer) -> None:
    core = host.core
    room = ctypes.create_string_buffer(8)
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    for address in (ctypes.addressof(room), capsule(ctypes.addressof(room), b"a name", None), capsule(8, None, None)):
        # This buffer is the processor's.
        assert core.writeFromGpu(address, 4) is hmc.status_t.ERROR and core.readToGpu(address, 4) is hmc.status_t.ERROR
    for wrong in ("1", 1.0, -1, b"\0" * 8):
        with pytest.raises(TypeError):
            core.writeFromGpu(wrong, 4)


def test_device_hint_ptr_requires_address_and_length(host: hmc.IOBuffer) -> None:
    for wrong in (b"bytes", "1", None):
        with pytest.raises(TypeError):
            host.put(wrong, nbytes=1, device="ptr")
        with pytest.raises(TypeError):
            host.get_into(wrong, nbytes=1, device="ptr")
    with pytest.raises(ValueError):
        host.put(4096, device="ptr")
    # This buffer is the processor's.
    for call in (
        lambda: host.put(4096, nbytes=1, device="ptr"),
        lambda: host.get_into(4096, nbytes=1, device="ptr"),
        lambda: host.buffer_put_gpu_ptr(4096, nbytes=1),
    ):
        with pytest.raises(hmc.HMCStatusError) as caught:
            call()
        assert caught.value.status is hmc.status_t.ERROR
    other: Any = "no such hint"
    assert host.put(b"bytes", device=other) == 5 and host.put(b"bytes", device="cpu") == 5


# ---- NumPy ----


@pytest.mark.parametrize("dtype", ["uint8", "bool", "float16", "float64", "complex64", "datetime64[s]", ">i4", "i4,f8", "S3"])
def test_arrays_of_every_type_and_layout(buffer: hmc.IOBuffer, dtype: str) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
    kind = numpy.dtype(dtype)
    raw = bytes(at % 2 if dtype == "bool" else at * 7 % 251 for at in range(24 * kind.itemsize))
    plain = numpy.frombuffer(raw, kind).reshape(4, 6)
    layouts = {
        "C": plain, "Fortran": numpy.asfortranarray(plain), "columns": plain[:, ::2], "backwards": plain[::-1],
        "transposed": plain.T, "scalar": plain[0, 0, ...], "empty": plain[:0], "broadcast": numpy.broadcast_to(plain[0], (3, 6)),
    }  # fmt: skip
    for name, array_ in layouts.items():
        there_and_back(buffer, array_, array_.tobytes()), name
    target = numpy.zeros((4, 6), kind)
    buffer.put(raw)
    buffer.get_into(target, nbytes=target.nbytes)
    assert target.tobytes() == raw
    read_only = target.copy()
    read_only.flags.writeable = False
    for wrong in (numpy.asfortranarray(target), target[:, ::2], read_only, plain):
        with pytest.raises(ValueError):
            buffer.get_into(wrong, nbytes=1)


def test_arrays_of_objects_are_refused(buffer: hmc.IOBuffer) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
    refused = [numpy.array([[object(), 1], [2, 3]]), numpy.array([[object(), 1], [2, 3]]).T[::-1]]
    if hasattr(numpy, "dtypes") and hasattr(numpy.dtypes, "StringDType"):
        # Its elements refer to texts elsewhere.
        refused += [numpy.array(["long" * 20, "s"], numpy.dtypes.StringDType()), numpy.array(["s"] * 4, numpy.dtypes.StringDType())[::2]]
    for wrong in refused:
        with pytest.raises((ValueError, TypeError)):
            buffer.put(wrong)
        with pytest.raises((ValueError, TypeError)):
            buffer.get_into(wrong, nbytes=1)


# ---- torch ----


TORCH = """
    import hmc, pytest_free as check, torch
    buffer = hmc.IOBuffer.create(0, 65536, hmc.MemoryType.CPU)
    kinds = ["uint8", "bool", "int64", "float16", "bfloat16", "float32", "complex64"]
    for name in kinds:
        dtype = getattr(torch, name)
        plain = (torch.arange(24) % 2 if name == "bool" else torch.arange(24)).reshape(4, 6).to(dtype)
        def raw(t):
            return bytes(t.contiguous().reshape(-1).view(torch.uint8).tolist())
        assert hmc.memory_type_from_torch_tensor(plain) is hmc.MemoryType.CPU
        tensors = [plain, plain.t(), plain[:, ::2], plain[0, 0], plain[:0], plain[:1].expand(3, 6)]
        for tensor in tensors:
            nbytes = tensor.numel() * tensor.element_size()
            assert buffer.put(tensor, offset=3) == nbytes
            assert buffer.buffer_get_cpu(nbytes=nbytes, offset=3) == raw(tensor) if nbytes else True
        target = torch.zeros(4, 6, dtype=dtype)
        buffer.put(plain)
        buffer.get_into(target, nbytes=target.numel() * target.element_size())
        assert torch.equal(target, plain), name
        for wrong in (target.t(), target[:, ::2]):
            check.raises(ValueError, lambda: buffer.get_into(wrong, nbytes=1))
        check.raises(ValueError, lambda: buffer.get_into(target, nbytes=target.numel() * target.element_size() + 1))
        check.raises(ValueError, lambda: buffer.buffer_put_cuda(target))
    # Lazy operations of torch are done before the bytes are read.
    number = torch.tensor([1 + 2j, 3 - 4j], dtype=torch.complex64)
    buffer.put(number.conj())
    back = torch.zeros(2, dtype=torch.complex64)
    buffer.get_into(back, nbytes=16)
    assert torch.equal(back, torch.tensor([1 - 2j, 3 + 4j])), back
    check.raises(ValueError, lambda: buffer.get_into(number.conj(), nbytes=16))
    grad = torch.ones(3, requires_grad=True)
    assert buffer.put(grad) == 12
    check.raises(ValueError, lambda: buffer.put(torch.eye(3).to_sparse()))
    check.raises(ValueError, lambda: buffer.put(torch.empty(3, device="meta")))
    check.raises(TypeError, lambda: hmc.memory_type_from_torch_tensor([1]))
    other = torch.empty(3, device="meta")
    assert hmc.memory_type_from_torch_tensor(other) is hmc.MemoryType.DEFAULT
    assert hmc.memory_type_from_torch_tensor(other, default=hmc.MemoryType.CPU) is hmc.MemoryType.CPU
    print("torch", torch.__version__)
"""
CHECK = """
def raises(kind, call):
    try:
        call()
    except kind:
        return
    raise SystemExit(f"no {kind.__name__}")
"""


def test_tensors_of_the_processor(tmp_path: Path) -> None:
    """By whatever torch is installed for this Python or the system's."""
    python = python_with(tmp_path, mf_smem, hmc)
    (tmp_path / "pytest_free.py").write_text(CHECK)
    done = subprocess.run(
        [python, "-c", textwrap.dedent(TORCH)], env=ranks.plain_environment(PYTHONPATH=str(tmp_path)),
        capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    print(done.stdout)


@pytest.fixture
def torch_with_accelerators(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module torch with tensors on devices that this machine lacks."""
    torch: Any = types.ModuleType("torch")
    waits: list[str] = []

    class Stream:
        def __init__(self, device: Any) -> None:
            self.device = device

        def synchronize(self) -> None:
            waits.append(self.device.type)

    class Tensor:
        def __init__(self, kind: str, contiguous: bool = True) -> None:
            self.device = types.SimpleNamespace(type=kind, index=0)
            self.layout = torch.strided
            self._contiguous = contiguous
            self.room = bytearray(b"12345678")

        def is_contiguous(self) -> bool:
            return self._contiguous

        def is_conj(self) -> bool:
            return False

        is_neg = is_conj

        def detach(self) -> Tensor:
            return self

        resolve_conj = resolve_neg = detach

        def contiguous(self) -> Tensor:
            self._contiguous = True
            return self

        def data_ptr(self) -> int:
            return ctypes.addressof((ctypes.c_char * 8).from_buffer(self.room))

        def numel(self) -> int:
            return 4

        def element_size(self) -> int:
            return 2

    torch.Tensor, torch.strided, torch.waits = Tensor, object(), waits
    torch.version = types.SimpleNamespace(cuda="12", hip=None)
    for kind in ("cuda", "npu", "mlu", "musa"):
        setattr(torch, kind, types.SimpleNamespace(current_stream=Stream))
    monkeypatch.setitem(sys.modules, "torch", torch)
    return torch


def test_tensors_of_accelerators_wait_for_their_stream(
    host: hmc.IOBuffer, torch_with_accelerators: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = torch_with_accelerators
    types_ = {"cuda": 2, "mlu": 4, "musa": 5, "npu": 6, "cpu": 1, "xpu": 0}
    for kind, wanted in types_.items():
        assert hmc.memory_type_from_torch_tensor(torch.Tensor(kind)) == wanted
    torch.version = types.SimpleNamespace(cuda=None, hip="6.0")
    assert hmc.memory_type_from_torch_tensor(torch.Tensor("cuda")) is hmc.MemoryType.AMD_GPU
    for kind in ("cuda", "npu", "mlu", "musa"):
        torch.waits.clear()
        # The buffer is the processor's, which is refused behind the wait.
        for call in (
            lambda: host.put(torch.Tensor(kind)),
            lambda: host.put(torch.Tensor(kind, contiguous=False)),
            lambda: host.get_into(torch.Tensor(kind), nbytes=8),
            lambda: host.buffer_get_cuda(torch.Tensor(kind)),
        ):
            with pytest.raises(hmc.HMCStatusError):
                call()
        assert torch.waits == [kind] * 4
        for refused in (
            lambda: host.get_into(torch.Tensor(kind, contiguous=False), nbytes=1),
            lambda: host.get_into(torch.Tensor(kind), nbytes=9),
            lambda: host.buffer_put_cpu(torch.Tensor(kind)),
            lambda: host.put(torch.Tensor(kind), device="cpu"),
        ):
            with pytest.raises(ValueError):
                refused()
        with pytest.raises(RuntimeError, match="^Source buffer too small$"):
            host.put(torch.Tensor(kind), nbytes=9)


def test_cuda_array_interface_is_validated(host: hmc.IOBuffer) -> None:
    def made(**more: Any) -> Any:
        described = {"shape": (2, 4), "typestr": "<f2", "data": (4096, False), "version": 3, **more}
        return types.SimpleNamespace(__cuda_array_interface__=described)

    for wrong in (made(strides=(16, 2)), made(data=(4096, True))):
        with pytest.raises(ValueError):
            host.get_into(wrong, nbytes=1)
    for right in (made(), made(strides=(8, 2)), made(strides=None)):
        with pytest.raises(ValueError):
            host.get_into(right, nbytes=17)
        with pytest.raises(hmc.HMCStatusError, match="^ConnBuffer.readToGpu failed"):
            host.get_into(right, nbytes=16)


DEVICE = """
    import hmc
    kind = hmc.MemoryType.HUAWEI_ASCEND_NPU
    memory = hmc.Memory(0)
    assert memory.getMemoryType() is kind and hmc.memory_supported() == kind
    status, block = memory.allocatePeerableBuffer(1 << 16)
    assert status == 0 and block.ptr
    check.raises(BufferError, lambda: memoryview(block))
    data = bytes(range(256)) * 256
    buffer = hmc.IOBuffer.create(0, 1 << 20, kind)
    assert buffer.mem_type is kind
    assert buffer.put(data, offset=5) == len(data) and buffer.buffer_get_cpu(nbytes=len(data), offset=5) == data
    buffer.get_into(block.ptr, nbytes=len(data), offset=5, device="ptr")
    buffer.put(bytes(1 << 20))
    assert buffer.put(block.ptr, nbytes=len(data), offset=100, device="ptr") == len(data)
    buffer.buffer_copy_within(dst_offset=90, src_offset=100, nbytes=len(data))
    assert buffer.buffer_get_cpu(nbytes=len(data) + 10, offset=90) == data + data[-10:]

    # The used part of a tensor of torch.
    class Tensor:
        layout, device = torch.strided, types.SimpleNamespace(type="npu", index=0)
        data_ptr, numel, element_size = lambda self: block.ptr, lambda self: 1 << 15, lambda self: 2
        is_contiguous, is_conj, is_neg = lambda self: True, lambda self: False, lambda self: False
        detach = resolve_conj = resolve_neg = contiguous = lambda self: self
    torch.Tensor = Tensor
    assert hmc.memory_type_from_torch_tensor(Tensor()) is kind
    buffer.put(data[::-1])
    buffer.get_into(Tensor(), nbytes=len(data))
    assert buffer.put(Tensor(), offset=1 << 17) == len(data)
    assert buffer.buffer_get_cpu(nbytes=len(data), offset=1 << 17) == data[::-1]
    check.raises(hmc.HMCStatusError, lambda: buffer.put(Tensor(), offset=(1 << 20) - 1))
    assert waits == ["npu"] * 3, waits
    print("done")
"""


def test_memory_of_an_accelerator(tmp_path: Path) -> None:
    """On the simulator of NPUs."""
    (tmp_path / "pytest_free.py").write_text(CHECK)
    prelude = """
    import sys, types
    import pytest_free as check
    waits = []
    def stream(device):
        return types.SimpleNamespace(synchronize=lambda: waits.append(device.type))
    torch = sys.modules["torch"] = types.ModuleType("torch")
    torch.strided, torch.npu = object(), types.SimpleNamespace(current_stream=stream)
    """
    source = textwrap.dedent(prelude) + textwrap.dedent(DEVICE)
    done = ranks.run_alone(source, {"MF_DEVICE": "sim", "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr
