# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory of the NPU that is in no pool."""

from __future__ import annotations

from types import TracebackType

from . import _mf_smem
from ._errors import invalid
from ._mf_smem import Buffer, DeviceBlock
from ._sizes import Size, length
from ._types import Destination, Source
from ._unique import Unique


class DeviceMemory(Unique):
    """Memory of the NPU for this process alone, for operands that several launches use. Its content is undefined at first.

    Given back by `free`, by the end of a ``with`` block, or when collected. In other processes its address means nothing.
    """

    def __init__(self, nbytes: Size) -> None:
        """Allocates `nbytes`, a number or a text such as ``"64MiB"``.

        Raises `NotInitError` before a pool or a share memory was opened, `NotExistError` without an
        NPU, `OutOfMemoryError`."""
        self._block = DeviceBlock(length("nbytes", nbytes))

    @classmethod
    def of(cls, source: Source) -> DeviceMemory:
        """As much as `source` has bytes, with these bytes."""
        made = cls(Buffer(source).nbytes)
        made.put(source)
        return made

    @property
    def address(self) -> int:
        """Address of the first byte, a multiple of 64; 0 once freed."""
        return self._block.address

    @property
    def nbytes(self) -> int:
        """Length in bytes."""
        return self._block.nbytes

    def put(self, source: Source, offset: int = 0) -> None:
        """Copies all bytes of `source` to `offset`."""
        buffer = Buffer(source)
        _mf_smem.device_copy(buffer.address, self._place(offset, buffer.nbytes), buffer.nbytes)

    def get(self, destination: Destination, offset: int = 0) -> None:
        """Fills `destination` from `offset`."""
        buffer = Buffer(destination, writable=True)
        _mf_smem.device_copy(self._place(offset, buffer.nbytes), buffer.address, buffer.nbytes)

    def read(self, offset: int = 0, nbytes: int | None = None) -> bytes:
        """`nbytes` bytes (default: all that follow) at `offset`, as a new object."""
        room = bytearray(self.nbytes - offset if nbytes is None else nbytes)
        self.get(room, offset)
        return bytes(room)

    def free(self) -> None:
        """Gives it back, after what runs on the device. Idempotent."""
        self._block.free()

    def __enter__(self) -> DeviceMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free()

    def _place(self, offset: int, nbytes: int) -> int:
        if not self.address:
            raise invalid("the memory was freed")
        if offset < 0 or offset + nbytes > self.nbytes:
            raise invalid(f"bytes {offset} to {offset + nbytes} are not inside {self.nbytes} bytes of memory")
        return self.address + offset

    def __repr__(self) -> str:
        return f"<mf_smem.kernels.DeviceMemory of {self.nbytes} bytes at {self.address:#x}>"
