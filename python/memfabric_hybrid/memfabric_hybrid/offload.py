# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies of many pieces between host memory and memory of the NPU, which kernels do where both ends are theirs.

`initialize` makes an arena of host memory, of which `malloc` and `empty` give out blocks. `sparse_copy`, `group_pack_copy`,
`kv_exchange_copy` and `entry_gather` take lists of addresses: of blocks, of other memory of this process, of memory of the NPU.

Copies are made by kernels if an end is memory of the NPU and all others are NPU memory or blocks, unless the device is
``"cpu"``; else the NPU's mover for pieces with such an end, and the processor for the rest. Everything is done when a function
returns; one call works at a time.

Lists are lists, tuples, NumPy arrays or tensors of whole numbers, or the address of `count` numbers of 64 bits. Functions that
return an int do not raise: negative is a code, and `memfabric_hybrid.get_last_err_msg` has its text. **Local**; any thread.

The arguments of `sparse_copy`, `malloc`, `free`, `get_dva` and `register_entry_table` follow upstream's release 1.3. It
publishes no others: the arguments of `group_pack_copy`, `kv_exchange_copy`, `entry_gather` and `empty` are this library's
own.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import math
import threading
import weakref
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from mf_smem import _mf_smem
from mf_smem._codes import INVALID, NOT_EXIST, NOT_INIT, failed
from mf_smem._errors import Error as _Error

from ._offload_copies import Pieces, blocks, by_kernels, check_overlap, check_ranges, copy, copy_here, exchange_here
from ._offload_lists import Refused, count_of, numbers, whole
from ._offload_memory import HUGE, rounded
from ._offload_state import MOST, Coded, OffloadConfig, Scene, State

__all__ = [
    "OFFLOAD_FLAG_GIANT_PAGE",
    "OffloadConfig",
    "Scene",
    "empty",
    "entry_gather",
    "free",
    "get_dva",
    "group_pack_copy",
    "initialize",
    "kv_exchange_copy",
    "malloc",
    "register_entry_table",
    "sparse_copy",
    "uninitialize",
]

#: For `malloc`: the block begins at a multiple of 2 MiB and is a multiple of that, so that huge pages back it where the machine
#: has them.
OFFLOAD_FLAG_GIANT_PAGE = 1

_NO_MEMORY, _IN_USE, _REPEATED = -2001, -2009, -2005
#: Tables that can be registered.
_TABLES = 1024


_lock = threading.RLock()
_state: State | None = None


def _guarded(name: str, work: Callable[[], int]) -> int:
    """Result of `work`, or a code, with a text that begins with the function."""
    try:
        return work()
    except Refused as error:
        return failed(f"offload {name}: {error}", INVALID)
    except Coded as error:
        return error.code
    except _Error as error:
        return failed(f"offload {name}: {error}", error.code)
    except MemoryError:
        return failed(f"offload {name}: there is no memory", _NO_MEMORY)
    except OSError as error:
        return failed(f"offload {name}: {error}", _NO_MEMORY)


def _present() -> State:
    if _state is None:
        raise Coded(failed("offload: it is not initialised: call offload.initialize first", NOT_INIT))
    return _state


def initialize(config: OffloadConfig) -> int:
    """Makes the arena, and opens the NPU where there is one. A code; −2005 when it is initialised already. With
    `Scene.SHARED` **collective**: all ranks of the job call it."""

    def work() -> int:
        global _state
        if not isinstance(config, OffloadConfig):
            raise Refused(f"config must be an OffloadConfig, not {type(config).__name__}")
        with _lock:
            if _state is not None:
                return failed("offload initialize: it is initialised already", _REPEATED)
            _state = State(config)
        return 0

    return _guarded("initialize", work)


def uninitialize() -> int:
    """Gives everything back: addresses of blocks are invalid from then on. A code; −2009 while arrays of `empty` are alive.
    Nothing to end is no error."""

    def work() -> int:
        global _state
        with _lock:
            if _state is None:
                return 0
            if _state.arrays:
                return failed(f"offload uninitialize: {_state.arrays} arrays of offload.empty are in use", _IN_USE)
            ended, _state = _state, None
        ended.close()
        return 0

    return _guarded("uninitialize", work)


def malloc(size: int, flags: int = 0) -> int:
    """The address of a new block of `size` bytes (not 0) of the arena, aligned to 64 bytes, with any content; 0: a failure.

    flags
        0, or `OFFLOAD_FLAG_GIANT_PAGE`.
    """

    def work() -> int:
        nbytes = whole("size", size, 1, MOST)
        is_huge = whole("flags", flags, 0, OFFLOAD_FLAG_GIANT_PAGE) == OFFLOAD_FLAG_GIANT_PAGE
        with _lock:
            state = _present()
            unit = (HUGE,) if is_huge else ()
            address = state.arena.malloc(rounded(nbytes, HUGE) if is_huge else nbytes, *unit)
        if address == 0:
            failed(f"offload malloc: no {nbytes} bytes are free; raise reserve_size", _NO_MEMORY)
        return address

    return max(_guarded("malloc", work), 0)


def free(ptr: int, flags: int = 0) -> int:
    """Gives a block of `malloc` back. A code; 0 for the address 0. `flags` are as for `malloc`, and change nothing."""

    def work() -> int:
        address = whole("ptr", ptr, 0, (1 << 64) - 1)
        whole("flags", flags, 0, OFFLOAD_FLAG_GIANT_PAGE)
        with _lock:
            if address == 0 or _present().arena.free(address):
                return 0
        return failed(f"offload free: no block begins at {address:#x}", NOT_EXIST)

    return _guarded("free", work)


def get_dva(ptr: int) -> int:
    """The address by which kernels reach what is at `ptr`, in a block or in memory of the NPU: the same; 0: it is neither."""

    def work() -> int:
        address = whole("ptr", ptr, 1, (1 << 64) - 1)
        with _lock:
            state = _present()
            if state.arena.block_at(address) or (state.has_device and _mf_smem.is_device_memory(address)):
                return address
        failed(f"offload get_dva: {address:#x} is neither in a block nor in memory of the NPU", NOT_EXIST)
        return 0

    return max(_guarded("get_dva", work), 0)


def empty(size: int | Sequence[int], dtype: Any = None, flags: int = 0) -> Any:
    """An array in a block of the arena, with any content: a tensor for a dtype of torch, else a NumPy array (None: of bytes).

    The block is given back when the array is collected. Raises ``RuntimeError`` when there is no memory or `offload` is not
    initialised, ``ValueError`` for a negative size, ``TypeError`` for an invalid dtype.
    """
    shape = (size,) if isinstance(size, int) else tuple(size)
    if any(length < 0 for length in shape):
        raise ValueError(f"size must not be negative: {shape}")
    is_torch = type(dtype).__module__.partition(".")[0] == "torch"
    if is_torch:
        item = int(dtype.itemsize)
    else:
        import numpy

        dtype = numpy.dtype(numpy.uint8 if dtype is None else dtype)
        if dtype.hasobject:
            raise TypeError("dtype must not hold objects of Python")
        item = dtype.itemsize
    nbytes = math.prod(shape) * item
    address = malloc(max(nbytes, 1), flags)
    if address == 0:
        raise RuntimeError(_mf_smem.get_last_err_msg())
    memory = (ctypes.c_char * nbytes).from_address(address)
    with _lock:
        state = _present()
        state.arrays += 1
    weakref.finalize(memory, _collected, state, address)
    if is_torch:
        torch = importlib.import_module("torch")
        if nbytes == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(memory, dtype=dtype).reshape(shape)
    return numpy.ndarray(shape, dtype, buffer=memoryview(memory))


def _collected(state: State, address: int) -> None:
    with _lock:
        state.arena.free(address)
        state.arrays -= 1


def sparse_copy(src_ptrs: Any, dst_ptrs: Any, lengths: Any, count: int, device: Any) -> int:
    """Copies ``lengths[i]`` bytes from ``src_ptrs[i]`` to ``dst_ptrs[i]``, for `count` pieces.

    device
        Number of the NPU of `initialize`, ``"npu"`` with or without it, or ``"cpu"``: without kernels.

    Targets must not overlap any other target or source. Returns a code; nothing is copied when an argument is refused.
    """

    def work() -> int:
        number = count_of(count)
        pieces = Pieces(
            numbers("dst_ptrs", dst_ptrs, number), numbers("src_ptrs", src_ptrs, number), numbers("lengths", lengths, number)
        )
        with _lock:
            state = _present()
            check_ranges(state, "src_ptrs", pieces.of, pieces.lengths)
            check_ranges(state, "dst_ptrs", pieces.to, pieces.lengths)
            check_overlap(pieces.to, pieces.of, pieces.lengths)
            copy(state, pieces, device)
        return 0

    return _guarded("sparse_copy", work)


def group_pack_copy(src_ptrs: Any, dst_ptrs: Any, lengths: Any, group_sizes: Any, count: int, device: Any) -> int:
    """Packs groups of pieces: the pieces of group g are contiguous from ``dst_ptrs[g]`` on.

    src_ptrs, lengths
        Of all pieces, the first group's first.
    group_sizes
        Number of pieces in each of the `count` groups.

    As `sparse_copy` in all else.
    """

    def work() -> int:
        groups = count_of(count)
        sizes = numbers("group_sizes", group_sizes, groups)
        pieces = count_of(sum(sizes))
        of, given = numbers("src_ptrs", src_ptrs, pieces), numbers("lengths", lengths, pieces)
        starts = numbers("dst_ptrs", dst_ptrs, groups)
        to, sums, first = array("Q"), array("Q"), 0
        for start, size in zip(starts, sizes):
            done = 0
            for length in given[first : first + size]:
                if start + done + length > 1 << 64:
                    raise Refused(f"the group at {start:#x} runs over the end of all addresses")
                to.append(start + done if length else 0)
                done += length
            sums.append(done)
            first += size
        with _lock:
            state = _present()
            check_ranges(state, "src_ptrs", of, given)
            check_ranges(state, "dst_ptrs", starts, sums)
            check_overlap(to, of, given)
            copy(state, Pieces(to, of, given), device)
        return 0

    return _guarded("group_pack_copy", work)


def kv_exchange_copy(src_ptrs: Any, dst_ptrs: Any, lengths: Any, count: int, device: Any) -> int:
    """Exchanges ``lengths[i]`` bytes at ``src_ptrs[i]`` and at ``dst_ptrs[i]``, for `count` pairs, for example a block of a
    key-value cache in memory of the NPU and one that waits in host memory.

    No two ranges may overlap. As `sparse_copy` in all else.
    """

    def work() -> int:
        number = count_of(count)
        one, other = numbers("src_ptrs", src_ptrs, number), numbers("dst_ptrs", dst_ptrs, number)
        given = numbers("lengths", lengths, number)
        with _lock:
            state = _present()
            check_ranges(state, "src_ptrs", one, given)
            check_ranges(state, "dst_ptrs", other, given)
            check_overlap(other, one, given)
            if by_kernels(state, device, (one, given), (other, given)):
                lists = [list_.tobytes() for list_ in (other, one, given)]
                state.kernels().launch("mf_exchange_pieces", blocks(sum(given)), *lists, ctypes.c_uint32(number))
            else:
                exchange_here(state, one, other, given)
        return 0

    return _guarded("kv_exchange_copy", work)


def register_entry_table(entryBytes: int, rowsPerSlot: int) -> int:
    """Says how tables are laid out: entries of `entryBytes` bytes each, `rowsPerSlot` of them in a row in each slot. Returns
    the number by which `entry_gather` knows it, from 0; negative: a code."""

    def work() -> int:
        shape = whole("entryBytes", entryBytes, 1, (1 << 32) - 1), whole("rowsPerSlot", rowsPerSlot, 1, (1 << 32) - 1)
        with _lock:
            state = _present()
            if shape not in state.tables:
                if len(state.tables) == _TABLES:
                    return failed(f"offload register_entry_table: there are {_TABLES} tables already", -2002)
                state.tables.append(shape)
            return state.tables.index(shape)

    return _guarded("register_entry_table", work)


def entry_gather(table: int, slot_ptrs: Any, entries: Any, dst_ptr: int, count: int, device: Any) -> int:
    """Gathers entries of a table: row i at `dst_ptr` becomes entry ``entries[i]``, for `count` entries.

    table
        What `register_entry_table` returned. Entry e is row ``e % rowsPerSlot`` of slot ``e // rowsPerSlot``.
    slot_ptrs
        Where the slots begin: a list, an array or a tensor.

    As `sparse_copy` in all else.
    """

    def work() -> int:
        number = count_of(count)
        wanted = numbers("entries", entries, number)
        if isinstance(slot_ptrs, int):
            raise Refused("slot_ptrs must be a list, an array or a tensor, which has a length")
        slots = numbers("slot_ptrs", slot_ptrs, len(slot_ptrs))
        to = whole("dst_ptr", dst_ptr, 1 if number else 0, (1 << 64) - 1)
        with _lock:
            state = _present()
            known = len(state.tables)
            if not isinstance(table, int) or not 0 <= table < known:
                raise Refused(f"there is no table {table!r}; register_entry_table has given {known}")
            nbytes, rows = state.tables[table]
            most = min(rows * len(slots), 1 << 32)
            wrong = next((entry for entry in wanted if entry >= most), None)
            if wrong is not None:
                raise Refused(f"there is no entry {wrong} in {len(slots)} slots of {rows}")
            used = array("Q", sorted({slots[entry // rows] for entry in wanted}))
            slot_bytes, row_bytes = array("Q", [nbytes * rows] * len(used)), array("Q", [nbytes * number])
            start = array("Q", [to])
            check_ranges(state, "slot_ptrs", used, slot_bytes)
            check_ranges(state, "dst_ptr", start, row_bytes)
            if by_kernels(state, device, (used, slot_bytes), (start, row_bytes)):
                lists = slots.tobytes(), array("I", wanted).tobytes()
                shape = ctypes.c_uint32(number), ctypes.c_uint32(nbytes), ctypes.c_uint32(rows)
                state.kernels().launch("mf_gather_entries", blocks(nbytes * number), to, *lists, *shape)
            else:
                of = array("Q", [slots[entry // rows] + entry % rows * nbytes for entry in wanted])
                rows_to = array("Q", [to + row * nbytes for row in range(number)])
                lengths = array("Q", [nbytes]) * number
                check_overlap(rows_to, of, lengths)
                copy_here(state, Pieces(rows_to, of, lengths))
        return 0

    return _guarded("entry_gather", work)
