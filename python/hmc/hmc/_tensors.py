# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tensors of torch, and arrays in the memory of accelerators. Torch is never imported: without it there is no tensor."""

from __future__ import annotations

import sys
from typing import Any

from . import _native
from ._errors import check
from ._numbers import MemoryType

#: Types of torch's devices with accelerator memory. ROCm calls its devices cuda, too.
_ACCELERATORS = {
    "cuda": MemoryType.NVIDIA_GPU,
    "mlu": MemoryType.CAMBRICON_MLU,
    "musa": MemoryType.MOORE_GPU,
    "npu": MemoryType.HUAWEI_ASCEND_NPU,
}
#: Always in processor memory.
_PLAIN = (bytes, bytearray, memoryview)
#: Types of DLPack's devices with accelerator memory, and their numbers of the default stream: CUDA, ROCm,
#devices without a number (NPU), managed memory of CUDA.
_OF_DLPACK = {
    2: (MemoryType.NVIDIA_GPU, 1),
    10: (MemoryType.AMD_GPU, 0),
    12: (MemoryType.HUAWEI_ASCEND_NPU, None),
    13: (MemoryType.NVIDIA_GPU, 1),
}


def is_tensor(value: object) -> bool:
    """True for a tensor of torch."""
    tensor = getattr(sys.modules.get("torch"), "Tensor", None)
    return isinstance(tensor, type) and isinstance(value, tensor)


def is_on_device(value: object) -> bool:
    """True for a tensor, or an array with CuPy's interface or DLPack, in the memory of an accelerator."""
    if type(value) in _PLAIN:
        return False
    if is_tensor(value):
        device: Any = value
        return device.device.type in _ACCELERATORS
    return hasattr(value, "__cuda_array_interface__") or _dlpack_device(value) is not None


def _dlpack_device(value: Any) -> tuple[MemoryType, int, int | None] | None:
    """Type, number and default stream of the accelerator that holds it according to DLPack, or None."""
    device = getattr(value, "__dlpack_device__", None)
    if device is None or not hasattr(value, "__dlpack__"):
        return None
    kind, number = device()
    found = _OF_DLPACK.get(int(kind))
    return None if found is None else (found[0], int(number), found[1])


def memory_type_from_torch_tensor(t: Any, *, default: MemoryType | None = None) -> MemoryType:
    """The type of memory that a tensor is in: CPU; NVIDIA_GPU, or AMD_GPU where torch is built with ROCm; CAMBRICON_MLU,
    MOORE_GPU, HUAWEI_ASCEND_NPU; `default` (DEFAULT) for any other. Raises `TypeError` for other objects."""
    if not is_tensor(t):
        raise TypeError(f"a torch.Tensor is needed, not {type(t).__name__}")
    other = MemoryType.DEFAULT if default is None else default
    kind: str = t.device.type
    if kind == "cpu":
        return MemoryType.CPU
    if kind != "cuda":
        return _ACCELERATORS.get(kind, other)
    version = getattr(sys.modules["torch"], "version", None)
    if getattr(version, "hip", None):
        return MemoryType.AMD_GPU
    return MemoryType.NVIDIA_GPU if getattr(version, "cuda", None) else other


def packed(t: Any, *, writable: bool) -> Any:
    """The tensor itself, or for reading a contiguous copy of it in C order."""
    torch: Any = sys.modules["torch"]
    if t.layout is not torch.strided:
        raise ValueError(f"a tensor with the layout {t.layout} has no plain bytes; call .to_dense()")
    if writable:
        if not t.is_contiguous():
            raise ValueError("the destination must be contiguous: fill a new tensor, and copy that into this one")
        if t.is_conj() or t.is_neg():
            raise ValueError("the destination is a lazy conjugate or negative, whose memory holds other values")
        return t
    return t.detach().resolve_conj().resolve_neg().contiguous()


def length(t: Any) -> int:
    """Bytes of the elements of a tensor."""
    count: int = t.numel()
    size: int = t.element_size()
    return count * size


def wait_for_stream(t: Any) -> None:
    """Waits for queued work of the current stream of the tensor's device, which may still write it, or read it."""
    device: Any = getattr(sys.modules["torch"], t.device.type)
    device.current_stream(t.device).synchronize()


def array_on_device(value: Any, *, writable: bool) -> tuple[int, int, object]:
    """Address and bytes of an array in the memory of an accelerator, after its stream, and its owner. Raises `TypeError` for
    other objects, `ValueError` for an array with gaps."""
    if hasattr(value, "__cuda_array_interface__"):
        return _by_interface(value.__cuda_array_interface__, writable)
    device = _dlpack_device(value)
    if device is None:
        raise TypeError(f"a tensor in the memory of an accelerator is needed, not {type(value).__name__}")
    kind, number, stream = device
    address, nbytes, is_readonly, keep = _native.dlpack_on_device(value, stream)
    _check_writable(writable, is_readonly)
    if nbytes:
        # Its owner has put what writes it in front of this stream.
        check("synchronising the default stream of the array's device", _native.stream_synchronize(number, kind, 0))
    return address, nbytes, keep


def _check_writable(is_wanted: bool, is_readonly: bool) -> None:
    if is_wanted and is_readonly:
        raise ValueError("the destination is read-only")


def _by_interface(described: dict[str, Any], writable: bool) -> tuple[int, int, object]:
    address, is_readonly = described["data"]
    _check_writable(writable, is_readonly)
    if described["typestr"][1] == "O" or described.get("mask") is not None:
        raise ValueError("an array of objects, or with a mask, has no plain bytes")
    item = int(described["typestr"][2:])
    nbytes, strides = item, described.get("strides")
    shape: tuple[int, ...] = tuple(described["shape"])
    for axis in reversed(range(len(shape))):
        if strides is not None and shape[axis] > 1 and 0 not in shape and strides[axis] != nbytes:
            raise ValueError("an array in the memory of an accelerator must be contiguous in C order: copy it first")
        nbytes *= shape[axis]
    # Before version 3 an array said nothing about streams; 1 is the default stream.
    stream = described.get("stream", 1 if described.get("version", 0) < 3 else None)
    if stream is not None and nbytes:
        code, kind, device = _native.memory_kind(address)
        check("the type of the array's memory: it", code)
        check("synchronising the array's stream", _native.stream_synchronize(device, kind, 0 if stream == 1 else stream))
    return address, nbytes, described
