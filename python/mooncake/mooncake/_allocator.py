# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Allocator of host memory for buffers of engines."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import threading
from pathlib import Path

from ._codes import OK
from ._failure import failed

_libc = ctypes.CDLL(None)
_MPOL_PREFERRED = 1
_SYS_SET_MEMPOLICY = {"x86_64": 238, "aarch64": 237}.get(os.uname().machine)


class MooncakeHostMemAllocator:
    """Allocates zeroed pages of host memory. The pages are freed with this object."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks: dict[int, mmap.mmap] = {}

    def alloc(self, size: int) -> int:
        """Allocates `size` bytes, 1 or more, aligned to pages. Returns the address, or 0 if the allocation fails."""
        try:
            block = mmap.mmap(-1, size)
        except (OSError, ValueError, OverflowError) as error:
            failed(f"{size} bytes of memory: {error}")
            return 0
        address = ctypes.addressof(ctypes.c_char.from_buffer(block))
        with self._lock:
            self._blocks[address] = block
        return address

    def free(self, ptr: int) -> int:
        """Frees memory of `alloc`. Returns 0, or -1 if `ptr` is not an address from `alloc`."""
        with self._lock:
            block = self._blocks.pop(ptr, None)
        if block is None:
            return failed(f"no memory was allocated at {ptr:#x}")
        block.close()
        return OK


def get_alloc_func_addr() -> int:
    """Returns the address of a C function (size, device, stream), which allocates host memory.

    The function fits torch's pluggable allocators.
    """
    return ctypes.cast(_libc.malloc, ctypes.c_void_p).value or 0


def get_free_func_addr() -> int:
    """Returns the address of a C function (pointer, size, device, stream), which frees that memory."""
    return ctypes.cast(_libc.free, ctypes.c_void_p).value or 0


def bind_to_numa_node(node: int) -> None:
    """Binds this thread to the processors of a NUMA node, and prefers the node's memory. Ignores an unknown node."""
    try:
        text = Path(f"/sys/devices/system/node/node{int(node)}/cpulist").read_text()
    except OSError:
        return
    processors: set[int] = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        if first:
            processors.update(range(int(first), int(last or first) + 1))
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, processors)
    if _SYS_SET_MEMPOLICY is not None:
        mask = (ctypes.c_ulong * (node // 64 + 1))()
        mask[node // 64] = 1 << node % 64
        _libc.syscall(_SYS_SET_MEMPOLICY, _MPOL_PREFERRED, mask, ctypes.c_ulong(len(mask) * 64 + 1))
