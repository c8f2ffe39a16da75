# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The memory of one process that its peers read and write."""

from __future__ import annotations

from typing import Any, SupportsIndex

from mf_smem._unique import Unique

from . import _native, _operands
from ._errors import HMCError, check
from ._numbers import MemoryType, memory_type, signed, status, status_t, unsigned


class ConnBuffer(Unique):
    """One allocation with a fixed address, which every communicator of it opens to its peers.

    Nothing is locked: a peer may write at any time. Coordinate accesses by messages. Methods return a status; the text of a
    failure is ``mf_smem.get_last_err_msg()``.
    """

    def __init__(
        self, device_id: SupportsIndex, buffer_size: SupportsIndex, mem_type: SupportsIndex = MemoryType.DEFAULT
    ) -> None:
        """`buffer_size` bytes of this type. Raises `HMCStatusError` where they cannot be had."""
        device, kind = signed("device_id", device_id), signed("mem_type", mem_type)
        code, made = _native.buffer_create(device, kind, unsigned("buffer_size", buffer_size))
        check("ConnBuffer", code)
        assert made is not None
        self._native = made
        code, info = made.info()
        check("ConnBuffer.info", code)
        self._ptr, self._size, self._kind, self._resolved, self._device = info

    @property
    def ptr(self) -> int:
        """Address of the first byte; a device address for device memory."""
        return self._ptr

    @property
    def buffer_size(self) -> int:
        """Length in bytes."""
        return self._size

    @property
    def mem_type(self) -> MemoryType:
        """The type that was asked for."""
        return memory_type(self._kind)

    @property
    def device_id(self) -> int:
        """Number of the device."""
        return self._device

    @property
    def resolved_type(self) -> MemoryType:
        """The type that it has: what DEFAULT became."""
        return memory_type(self._resolved)

    def writeFromCpu(self, src: Any, size: SupportsIndex, bias: SupportsIndex = 0) -> status_t:
        """Copies the first `size` bytes of `src`, any object with bytes of the processor, to `bias`. Done on return.

        Raises `RuntimeError` for fewer bytes than that, or a range outside of the buffer; then nothing is copied."""
        return self._write(_operands.source(src), unsigned("size", size), unsigned("bias", bias))

    def _write(self, operand: _operands.Operand, nbytes: int, offset: int) -> status_t:
        if nbytes > operand.nbytes:
            raise HMCError("Source buffer too small")
        self._inside(nbytes, offset)
        return status(self._native.write_at(operand.address, nbytes, offset, False))

    def readToCpu(self, dest: Any, size: SupportsIndex, bias: SupportsIndex = 0) -> status_t:
        """Fills the first `size` bytes of `dest` from `bias`. Raises `ValueError` for fewer bytes than that, or what cannot be
        filled; `RuntimeError` for a range outside of the buffer; then nothing is copied."""
        nbytes, offset = unsigned("size", size), unsigned("bias", bias)
        operand = _operands.destination(dest)
        if nbytes > operand.nbytes:
            raise ValueError(f"the destination has {operand.nbytes} bytes, and {nbytes} are to be read")
        self._inside(nbytes, offset)
        return status(self._native.read_at(operand.address, nbytes, offset, False))

    def writeFromGpu(self, src_ptr: object, size: SupportsIndex, bias: SupportsIndex = 0) -> status_t:
        """Copies from an address (``int`` or PyCapsule) in memory of the buffer's device. ERROR for a buffer of the processor."""
        nbytes, offset = unsigned("size", size), unsigned("bias", bias)
        return status(self._native.write_at(_native.address(src_ptr), nbytes, offset, True))

    def readToGpu(self, dest_ptr: object, size: SupportsIndex, bias: SupportsIndex = 0) -> status_t:
        """Copies to such an address."""
        nbytes, offset = unsigned("size", size), unsigned("bias", bias)
        return status(self._native.read_at(_native.address(dest_ptr), nbytes, offset, True))

    def copyWithin(self, dst_bias: SupportsIndex, src_bias: SupportsIndex, size: SupportsIndex) -> status_t:
        """Copies a range of the buffer to another place in it; the two may overlap."""
        to, source = unsigned("dst_bias", dst_bias), unsigned("src_bias", src_bias)
        return status(self._native.copy_within(to, source, unsigned("size", size)))

    def _inside(self, nbytes: int, offset: int) -> None:
        if offset + nbytes > self._size:
            raise HMCError("Buffer overflow")

    def __repr__(self) -> str:
        return f"<hmc.ConnBuffer of {self._size} bytes, {self.resolved_type.name}, device {self._device}>"
