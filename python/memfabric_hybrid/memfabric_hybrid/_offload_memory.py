# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory of `offload`: blocks of an arena, which is memory of this process or its part of a pool."""

from __future__ import annotations

import bisect
import ctypes
import mmap
from collections.abc import Callable

from mf_smem import _mf_smem

#: Of huge pages, and what pools are made of.
HUGE = 2 << 20
#: What blocks begin at: a cache line.
_LINE = 64
# Python has a name for it since 3.13.
_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


def rounded(number: int, unit: int) -> int:
    """The next multiple."""
    return -(-number // unit) * unit


class Blocks:
    """Gives out parts of a range of addresses, the lowest that fits. Adjoining free parts are one."""

    def __init__(self, start: int, nbytes: int) -> None:
        self.start = start
        self.end = start + nbytes
        #: (address, length) of free ranges, sorted.
        self._free: list[tuple[int, int]] = [(start, nbytes)] if nbytes else []
        self._taken: dict[int, int] = {}
        self._starts: list[int] = []

    def extend(self, nbytes: int) -> None:
        """Makes the range longer."""
        self._give_back(self.end, nbytes)
        self.end += nbytes

    def take(self, nbytes: int, unit: int) -> int:
        """The address of a block, a multiple of `unit`; 0: none fits."""
        length = rounded(nbytes, _LINE)
        for index, (address, free) in enumerate(self._free):
            place = rounded(address, unit)
            if place + length > address + free:
                continue
            rest = [(address, place - address), (place + length, address + free - place - length)]
            self._free[index : index + 1] = [part for part in rest if part[1]]
            self._taken[place] = nbytes
            bisect.insort(self._starts, place)
            return place
        return 0

    def tail(self) -> int:
        """Free bytes at the end."""
        return self._free[-1][1] if self._free and sum(self._free[-1]) == self.end else 0

    def free(self, address: int) -> bool:
        """Takes a block back; False: none begins there."""
        nbytes = self._taken.pop(address, 0)
        if not nbytes:
            return False
        self._starts.remove(address)
        self._give_back(address, rounded(nbytes, _LINE))
        return True

    def block_at(self, address: int) -> tuple[int, int] | None:
        """Start and length of the block in which the address lies."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index < 0:
            return None
        start = self._starts[index]
        return (start, self._taken[start]) if address < start + self._taken[start] else None

    def _give_back(self, address: int, length: int) -> None:
        index = bisect.bisect(self._free, (address, 0))
        if index < len(self._free) and address + length == self._free[index][0]:
            length += self._free.pop(index)[1]
        if index > 0 and sum(self._free[index - 1]) == address:
            before = self._free.pop(index - 1)
            address, length = before[0], before[1] + length
            index -= 1
        self._free.insert(index, (address, length))


class OwnMemory:
    """Memory of this process alone: addresses for all of it, pages where they are touched.

    Where there is an accelerator it knows the memory, as much of it as is in use.
    """

    def __init__(self, nbytes: int, most: int, has_device: bool) -> None:
        self._map = mmap.mmap(-1, most + HUGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE)
        self._view: ctypes.Array[ctypes.c_char] | None = (ctypes.c_char * len(self._map)).from_buffer(self._map)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            self._map.madvise(mmap.MADV_HUGEPAGE)
        self.start = rounded(ctypes.addressof(self._view), HUGE)
        self.end = self.start
        self._last = self.start + most
        self._has_device = has_device
        self._known: list[int] = []
        self.extend(nbytes)

    def extend(self, nbytes: int) -> bool:
        """Uses more; False: it is all in use."""
        if self.end + nbytes > self._last:
            return False
        if self._has_device and nbytes:
            _mf_smem.device_map_host(self.end, nbytes)
            self._known.append(self.end)
        self.end += nbytes
        return True

    def close(self) -> None:
        """Gives it back."""
        for address in self._known:
            _mf_smem.device_unmap_host(address)
        self._known.clear()
        self._view = None
        self._map.close()


class SharedMemory:
    """This rank's part of a pool: the same addresses in all ranks."""

    def __init__(self, nbytes: int, start: int, extend: Callable[[int], bool], close: Callable[[], None]) -> None:
        self.start = start
        self.end = start + nbytes
        self._extend = extend
        self.close = close

    def extend(self, nbytes: int) -> bool:
        """Contributes more; False: that is not possible."""
        if not self._extend(nbytes):
            return False
        self.end += nbytes
        return True


class Arena:
    """Blocks of a memory that grows when it is full."""

    def __init__(self, memory: OwnMemory | SharedMemory) -> None:
        self.memory = memory
        self._blocks = Blocks(memory.start, memory.end - memory.start)

    def malloc(self, nbytes: int, unit: int = _LINE) -> int:
        """The address of a new block; 0: there is no room."""
        place = self._blocks.take(nbytes, unit)
        if not place:
            more = rounded(max(rounded(nbytes, _LINE) + unit - _LINE - self._blocks.tail(), 1), HUGE)
            if not self.memory.extend(more):
                return 0
            self._blocks.extend(more)
            place = self._blocks.take(nbytes, unit)
        return place

    def free(self, address: int) -> bool:
        """Takes it back; False: no block begins there."""
        return self._blocks.free(address)

    def block_at(self, address: int) -> tuple[int, int] | None:
        """Start and length of the block in which the address lies; None: in none."""
        return self._blocks.block_at(address)

    def has(self, address: int) -> bool:
        """True if it lies in the arena, in a block or not."""
        return self._blocks.start <= address < self._blocks.end
