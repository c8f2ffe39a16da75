# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arguments of a kernel: numbers as they are, arrays by the address of a copy in memory of the NPU."""

from __future__ import annotations

import ctypes
import operator
import struct
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from . import _mf_smem
from ._device_memory import DeviceMemory
from ._errors import invalid
from ._mf_smem import Buffer, DeviceBlock

_SLOT_BYTES = 8


class Operands:
    """The arguments of one launch, packed; holds the copies of arrays until the end of the ``with`` block."""

    def __init__(self, values: Sequence[Any], *, may_copy: bool) -> None:
        self._may_copy = may_copy
        # By address and length, so that one array given twice is one operand.
        self._copies: dict[tuple[int, int], tuple[Buffer, DeviceBlock]] = {}
        self._held: list[Buffer] = []
        try:
            self.arguments = b"".join(self._slots(number, value) for number, value in enumerate(values))
        except BaseException:
            self._free()
            raise

    def copy_back(self) -> None:
        """Copies the kernel's results to the writable arrays."""
        for buffer, block in self._copies.values():
            if not buffer.readonly:
                _mf_smem.device_copy(block.address, buffer.address, buffer.nbytes)

    def __enter__(self) -> Operands:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._free()

    def _free(self) -> None:
        for _, block in self._copies.values():
            block.free()
        self._copies.clear()

    def _slots(self, number: int, value: Any) -> bytes:
        data = _scalar(number, value)
        if data is None:
            data = struct.pack("=Q", self._address(number, value))
        return data.ljust(-(-len(data) // _SLOT_BYTES) * _SLOT_BYTES, b"\0")

    def _address(self, number: int, value: Any) -> int:
        try:
            buffer = Buffer(value)
        except TypeError as error:
            raise TypeError(f"argument {number} of the kernel: {error}") from None
        if buffer.nbytes == 0:
            return 0
        if _mf_smem.is_device_memory(buffer.address):
            self._held.append(buffer)
            return buffer.address
        if not self._may_copy:
            raise invalid(
                f"argument {number} of the kernel is not in memory of the NPU; a launch on a stream copies nothing: use "
                "kernels.DeviceMemory"
            )
        place = (buffer.address, buffer.nbytes)
        if place not in self._copies:
            block = DeviceBlock(buffer.nbytes)
            self._copies[place] = (buffer, block)
            _mf_smem.device_copy(buffer.address, block.address, buffer.nbytes)
        return self._copies[place][1].address


def _scalar(number: int, value: Any) -> bytes | None:
    """The bytes of a value passed itself; None for a value passed by address."""
    if value is None:
        return bytes(_SLOT_BYTES)
    # Before float, because numpy.float64 is one.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        data: bytes = value.tobytes()
        return data
    if isinstance(value, ctypes._SimpleCData):
        return bytes(value)
    if isinstance(value, float):
        return struct.pack("=f", value)
    if isinstance(value, DeviceMemory):
        if not value.address:
            raise invalid(f"argument {number} of the kernel is memory that was freed")
        return struct.pack("=Q", value.address)
    # Before index, because tensors of one element have one.
    if hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"):
        return None
    try:
        whole = operator.index(value)
    except TypeError:
        return None
    if not -(1 << 63) <= whole < 1 << 64:
        raise invalid(f"argument {number} of the kernel has more than 64 bits: {whole}")
    return (whole & 0xFFFFFFFFFFFFFFFF).to_bytes(_SLOT_BYTES, sys.byteorder)
