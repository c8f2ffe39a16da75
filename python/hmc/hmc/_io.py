# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A buffer that takes and gives bytes of any object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Optional, SupportsIndex

from mf_smem._unique import Unique

from . import _operands
from ._buffer import ConnBuffer
from ._errors import HMCError, check
from ._numbers import MemoryType, unsigned

#: Kind of an operand: bytes of the processor, a tensor of an accelerator, or an address of the buffer's
#device.
DeviceHint = Optional[Literal["cpu", "cuda", "ptr"]]


@dataclass
class IOBuffer(Unique):
    """A `ConnBuffer` with methods that raise.

    Offsets and sizes are bytes; a negative one is a `TypeError`. Copies are done on return. Any thread may copy distinct ranges.
    """

    core: ConnBuffer

    @classmethod
    def create(cls, device_id: int, buffer_size: int, mem_type: MemoryType = MemoryType.DEFAULT) -> IOBuffer:
        """Allocates `buffer_size` bytes. Raises `HMCStatusError`."""
        return cls(ConnBuffer(device_id, buffer_size, mem_type))

    @property
    def ptr(self) -> int:
        """Address of the first byte; a device address for device memory."""
        return self.core.ptr

    @property
    def mem_type(self) -> MemoryType:
        """The type that was asked for."""
        return self.core.mem_type

    @property
    def device_id(self) -> int:
        """Number of the device."""
        return self.core.device_id

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.core.buffer_size

    # ---- by kind of operand ----

    def put(self, data: Any, *, nbytes: int | None = None, offset: int = 0, device: DeviceHint = None) -> int:
        """Copies the first `nbytes` bytes (default: all) of `data` to `offset`; returns how many those are.

        With ``device="ptr"`` it is an address of the buffer's device, and `nbytes` is needed; with ``"cuda"``, and without a hint
        for a tensor in the memory of an accelerator, as `buffer_put_cuda`; else as `buffer_put_cpu`.
        """
        if device == "ptr":
            address = _operands.pointer(data)
            if nbytes is None:
                raise ValueError("nbytes is needed with device='ptr'")
            self.buffer_put_gpu_ptr(address, nbytes=nbytes, offset=offset)
            return nbytes
        if device == "cuda" or (device is None and _operands.is_on_device(data)):
            return self.buffer_put_cuda(data, nbytes=nbytes, offset=offset)
        return self.buffer_put_cpu(data, nbytes=nbytes, offset=offset)

    def get_into(self, dst: Any, *, nbytes: int, offset: int = 0, device: DeviceHint = None) -> None:
        """Fills the first `nbytes` bytes of `dst` from `offset`; `device` as in `put`."""
        if device == "ptr":
            self.buffer_get_gpu_ptr(_operands.pointer(dst), nbytes=nbytes, offset=offset)
        elif device == "cuda" or (device is None and _operands.is_on_device(dst)):
            self.buffer_get_cuda(dst, nbytes=nbytes, offset=offset)
        else:
            self.buffer_get_cpu_into(dst, nbytes=nbytes, offset=offset)

    # ---- memory of the processor ----

    def buffer_put_cpu(self, src: Any, *, nbytes: int | None = None, offset: int = 0) -> int:
        """Copies from any object with bytes of the processor: ``bytes``, ``bytearray``, ``memoryview``, ``array.array``, arrays
        of NumPy, tensors of torch, what speaks DLPack. Of one with gaps, or in another order, the elements in C order.

        Raises `TypeError` for objects without bytes, `ValueError` for memory of an accelerator and elements that are
        objects, `RuntimeError` for fewer bytes than `nbytes` and a range outside of the buffer.
        """
        operand = _operands.source(src)
        count = operand.nbytes if nbytes is None else unsigned("nbytes", nbytes)
        check("ConnBuffer.writeFromCpu", self.core._write(operand, count, unsigned("offset", offset)))
        return count

    def buffer_get_cpu_into(self, dst: Any, *, nbytes: int, offset: int = 0) -> None:
        """Fills the first `nbytes` bytes of such an object, which must be writable and contiguous in C order (`ValueError`), and
        not shorter (`ValueError`)."""
        count, place = unsigned("nbytes", nbytes), unsigned("offset", offset)
        check("ConnBuffer.readToCpu", self.core.readToCpu(dst, count, place))

    def buffer_get_cpu(self, *, nbytes: int, offset: int = 0) -> bytearray:
        """`nbytes` bytes as a new object."""
        if unsigned("nbytes", nbytes) + unsigned("offset", offset) > self.size:
            raise HMCError("Buffer overflow")
        data = bytearray(nbytes)
        self.buffer_get_cpu_into(data, nbytes=nbytes, offset=offset)
        return data

    # ---- memory of the buffer's device ----

    def buffer_put_gpu_ptr(self, src_ptr: int, *, nbytes: int, offset: int = 0) -> None:
        """Copies from an address of the device. Queued writes to it must have completed: the call waits for no stream. Raises
        `HMCStatusError` for a buffer of the processor, and a range outside of the buffer."""
        check("ConnBuffer.writeFromGpu", self.core.writeFromGpu(src_ptr, nbytes, offset))

    def buffer_get_gpu_ptr(self, dst_ptr: int, *, nbytes: int, offset: int = 0) -> None:
        """Copies to an address of the device, as `buffer_put_gpu_ptr`."""
        check("ConnBuffer.readToGpu", self.core.readToGpu(dst_ptr, nbytes, offset))

    def buffer_put_cuda(self, t: Any, *, nbytes: int | None = None, offset: int = 0) -> int:
        """Copies from a tensor of torch in the memory of an accelerator (CUDA, ROCm, MLU, MUSA, NPU), or an array there with
        ``__cuda_array_interface__`` or DLPack, after queued work of its current stream; returns the number of bytes.

        Raises `TypeError` for a non-tensor, `ValueError` for a tensor in host memory, `RuntimeError` for fewer bytes than
        `nbytes`, `HMCStatusError` for a buffer of the processor.
        """
        operand = _operands.on_device(t, writable=False)
        count = operand.nbytes if nbytes is None else unsigned("nbytes", nbytes)
        if count > operand.nbytes:
            raise HMCError("Source buffer too small")
        self.buffer_put_gpu_ptr(operand.address, nbytes=count, offset=offset)
        return count

    def buffer_get_cuda(self, t: Any, *, nbytes: int | None = None, offset: int = 0) -> int:
        """Fills the first `nbytes` bytes (default: all) of such a tensor, which must be contiguous and not shorter
        (`ValueError`); work queued on its stream afterwards sees them."""
        operand = _operands.on_device(t, writable=True)
        count = operand.nbytes if nbytes is None else unsigned("nbytes", nbytes)
        if count > operand.nbytes:
            raise ValueError(f"the destination has {operand.nbytes} bytes, and {count} are to be read")
        self.buffer_get_gpu_ptr(operand.address, nbytes=count, offset=offset)
        return count

    def buffer_copy_within(self, *, dst_offset: int, src_offset: int, nbytes: int) -> None:
        """Copies a range of the buffer to another place in it; the two may overlap."""
        check("ConnBuffer.copyWithin", self.core.copyWithin(dst_offset, src_offset, nbytes))


def length(data: Any, nbytes: SupportsIndex | None, device: DeviceHint) -> int:
    """`nbytes`, or the full length of the target."""
    if nbytes is not None:
        return unsigned("nbytes", nbytes)
    if device == "ptr":
        raise ValueError("nbytes is needed with device='ptr'")
    return _operands.room(data)
