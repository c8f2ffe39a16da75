# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`BufferHandle`: a value that was got, as memory."""

from __future__ import annotations

import ctypes


class BufferHandle(bytearray):
    """The bytes of a value, this process's own copy: an object with bytes."""

    def ptr(self) -> int:
        """Their address, which lasts as long as this object."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self)) if len(self) else 0

    def size(self) -> int:
        """Their number."""
        return len(self)
