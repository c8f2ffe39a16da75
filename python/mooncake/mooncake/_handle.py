# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`BufferHandle`: a received value in memory."""

from __future__ import annotations

import ctypes


class BufferHandle(bytearray):
    """Copy of a value in this process. Supports the buffer protocol."""

    def ptr(self) -> int:
        """Returns the address of the bytes, valid for the life of this object; 0 for an empty value."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self)) if len(self) else 0

    def size(self) -> int:
        """Returns the number of bytes."""
        return len(self)
