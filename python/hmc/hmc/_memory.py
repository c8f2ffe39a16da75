# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory by its type, outside of buffers that peers reach."""

from __future__ import annotations

import sys
import weakref
from typing import SupportsIndex

from mf_smem._unique import Unique

from . import _native
from ._errors import check
from ._numbers import MemoryType, memory_type, signed, status, status_t, unsigned

_TO_DEVICE, _TO_HOST, _ON_DEVICE = 1, 2, 3


def memory_supported() -> MemoryType:
    """The type of the first accelerator that this machine has, else CPU."""
    return memory_type(_native.memory_supported())


class Buffer(Unique, _native.Exporter):
    """Memory that a `Memory` allocated: writable bytes by the buffer protocol, one dimension, where the processor reaches them;
    `BufferError` where it does not. Given back when this object and all that shows its bytes are gone."""

    __slots__ = ("__weakref__", "_block", "memory")

    _block: _native.Block
    #: What allocated it.
    memory: Memory

    @classmethod
    def _of(cls, block: _native.Block, memory: Memory) -> Buffer:
        made: Buffer = cls(block, memory.getMemoryType() == MemoryType.CPU)
        made._block = block
        made.memory = memory
        return made

    @property
    def ptr(self) -> int:
        """Address of the first byte; a device address for device memory."""
        return self._block.address

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self._block.nbytes

    if sys.version_info < (3, 12):

        def __buffer__(self, flags: int, /) -> memoryview:
            """Its bytes, as later versions of Python have it by themselves."""
            return memoryview(self)

    def __len__(self) -> int:
        return self._block.nbytes

    def __repr__(self) -> str:
        return f"<hmc.Buffer of {self.size} bytes at {self.ptr:#x}>"


class Memory:
    """Allocates memory of one type on one device. Any thread may call it."""

    def __init__(self, device_id: SupportsIndex, mem_type: SupportsIndex = MemoryType.DEFAULT) -> None:
        """`device_id` counts the devices of that type. Raises `HMCStatusError`: UNSUPPORT where this machine has no such memory,
        with the reason; INVALID_CONFIG for a number that is no type."""
        self._set(device_id, mem_type)
        #: Live allocations by address.
        self._buffers: weakref.WeakValueDictionary[int, Buffer] = weakref.WeakValueDictionary()

    def init(self) -> status_t:
        """SUCCESS: the constructor has done it."""
        return status_t.SUCCESS

    def free(self) -> status_t:
        """SUCCESS: the object holds nothing; buffers stay until they are gone."""
        return status_t.SUCCESS

    def _set(self, device_id: SupportsIndex, mem_type: SupportsIndex) -> None:
        device, kind = signed("device_id", device_id), signed("mem_type", mem_type)
        code, resolved = _native.memory_check(device, kind)
        check("Memory", code)
        self._device, self._kind = device, resolved

    def getMemoryType(self) -> MemoryType:
        """The type; DEFAULT is resolved."""
        return memory_type(self._kind)

    def getDeviceId(self) -> int:
        """Number of the device."""
        return self._device

    def getInitStatus(self) -> status_t:
        """SUCCESS: an object that cannot be used is not made."""
        return status_t.SUCCESS

    def setDeviceIdAndMemoryType(self, device_id: SupportsIndex, mem_type: SupportsIndex = MemoryType.DEFAULT) -> status_t:
        """Takes another device and type from now on; raises as the constructor, and then nothing changes."""
        self._set(device_id, mem_type)
        return status_t.SUCCESS

    def allocateBuffer(self, size: SupportsIndex) -> tuple[status_t, Buffer | None]:
        """Allocates `size` bytes with undefined contents."""
        return self._allocate(size, False)

    def allocatePeerableBuffer(self, size: SupportsIndex) -> tuple[status_t, Buffer | None]:
        """The same, of memory that other devices and network cards may reach; rounded up to 64 KiB on a device."""
        return self._allocate(size, True)

    def _allocate(self, size: SupportsIndex, peerable: bool) -> tuple[status_t, Buffer | None]:
        code, block = _native.allocate(self._device, self._kind, unsigned("size", size), peerable)
        if block is None:
            return status(code), None
        made = Buffer._of(block, self)
        self._buffers[made.ptr] = made
        return status(code), made

    def freeBuffer(self, addr: object) -> status_t:
        """Frees a buffer of this object, given as such or by its address, once; ERROR for anything else. The memory is given back
        when nothing in Python shows it any more."""
        address = addr.ptr if isinstance(addr, Buffer) else _native.address(addr)
        return status_t.ERROR if self._buffers.pop(address, None) is None else status_t.SUCCESS

    def copyHostToDevice(self, dest: object, src: object, size: SupportsIndex) -> status_t:
        """Copies `size` bytes between addresses (``int`` or PyCapsule); done on return. A null address: ERROR."""
        return self._copy(dest, src, size, _TO_DEVICE)

    def copyDeviceToHost(self, dest: object, src: object, size: SupportsIndex) -> status_t:
        """As `copyHostToDevice`."""
        return self._copy(dest, src, size, _TO_HOST)

    def copyDeviceToDevice(self, dest: object, src: object, size: SupportsIndex) -> status_t:
        """As `copyHostToDevice`."""
        return self._copy(dest, src, size, _ON_DEVICE)

    def _copy(self, dest: object, src: object, size: SupportsIndex, direction: int) -> status_t:
        to, source, nbytes = _native.address(dest), _native.address(src), unsigned("size", size)
        return status(_native.memory_copy(self._device, self._kind, to, source, nbytes, direction))
