# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copied pieces: validation, and the copying agent: kernels, the mover of the NPU, the processor, the pool."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator
from typing import Any

from mf_smem import _mf_smem
from mf_smem import bm as _bm

from ._offload_lists import Refused, whole
from ._offload_state import NO_RANK, State

#: Bytes of the buffer through which the processor exchanges pieces.
_EXCHANGE_BYTES = 1 << 20
#: Bytes worth a block of a kernel, and how many blocks every product has cores for.
_BYTES_OF_A_BLOCK, _MOST_BLOCKS = 64 << 10, 8


class Pieces:
    """Checked pieces: three lists of as many numbers."""

    def __init__(self, to: array[int], of: array[int], lengths: array[int]) -> None:
        self.to, self.of, self.lengths = to, of, lengths

    def nbytes(self) -> int:
        """Of all."""
        return sum(self.lengths)


def check_ranges(state: State, name: str, starts: array[int], lengths: array[int]) -> None:
    """Ranges that begin in the arena must lie in one block; none is null or runs over the end of all addresses."""
    arena = state.arena
    for index, (start, length) in enumerate(zip(starts, lengths)):
        if length == 0:
            continue
        if start == 0:
            raise Refused(f"{name}[{index}] is null")
        if start + length > 1 << 64:
            raise Refused(f"{name}[{index}] has {length} bytes, which run over the end of all addresses")
        if not arena.has(start):
            continue
        block = arena.block_at(start)
        if block is None:
            raise Refused(f"{name}[{index}] at {start:#x} is in no block of offload.malloc")
        if start + length > block[0] + block[1]:
            rest = block[0] + block[1] - start
            raise Refused(f"{name}[{index}] has {length} bytes, and the block at {block[0]:#x} {rest} from there")


def check_overlap(to: array[int], of: array[int], lengths: array[int]) -> None:
    """Sources and targets of pieces must be disjoint."""
    for index, (dst, src, length) in enumerate(zip(to, of, lengths)):
        if dst < src + length and src < dst + length and length:
            raise Refused(f"piece {index} overlaps itself: {length} bytes from {src:#x} to {dst:#x}")


def _wants_processor(state: State, device: Any) -> bool:
    """True if the caller excludes kernels by ``"cpu"``. Otherwise it must be the device of `initialize`, as a number, a text
    or torch's."""
    kind, index = getattr(device, "type", None), getattr(device, "index", None)
    if kind is None and isinstance(device, str):
        kind, _, text = device.partition(":")
        index = text or None
    if kind is None:
        kind, index = "npu", device
    if kind == "cpu":
        return True
    if kind not in ("npu", "cuda", "privateuseone"):
        raise Refused(f"device must be cpu, npu, or the number of an NPU, not {device!r}")
    if index is not None:
        if isinstance(index, str) and index.isdecimal():
            index = int(index)
        number = whole("device", index, 0, 0xFFFFFFFF)
        if number != state.device_id:
            raise Refused(f"device is {number}, offload was initialised for {state.device_id}")
    return False


def by_kernels(state: State, device: Any, *lists: tuple[array[int], array[int]]) -> bool:
    """True if kernels copy: an end is memory of the NPU, and they reach all others."""
    is_processor = _wants_processor(state, device)
    if is_processor or not state.has_device:
        return False
    has_device_end = False
    for starts, lengths in lists:
        for start, length in zip(starts, lengths):
            if length == 0:
                continue
            if _mf_smem.is_device_memory(start):
                has_device_end = True
            elif state.arena.block_at(start) is None:
                return False
    return has_device_end


def blocks(nbytes: int) -> int:
    """Number of kernel blocks for as many bytes."""
    return min(max(nbytes // _BYTES_OF_A_BLOCK, 1), _MOST_BLOCKS)


def copy(state: State, pieces: Pieces, device: Any) -> None:
    """Copies, by whom it is best."""
    count = len(pieces.lengths)
    if by_kernels(state, device, (pieces.to, pieces.lengths), (pieces.of, pieces.lengths)):
        wanted = blocks(pieces.nbytes())
        lists = [list_.tobytes() for list_ in (pieces.to, pieces.of, pieces.lengths)]
        state.kernels().launch("mf_copy_pieces", wanted, *lists, ctypes.c_uint32(count))
        return
    copy_here(state, pieces)


def copy_here(state: State, pieces: Pieces) -> None:
    """Copies by the mover and the processor; other ranks' memory goes by the pool."""
    if state.pool is not None:
        pieces = _by_pool(state.pool, pieces)
    if len(pieces.lengths):
        of, to, lengths = (list_.buffer_info()[0] for list_ in (pieces.of, pieces.to, pieces.lengths))
        _mf_smem.device_copy_batch(of, to, lengths, len(pieces.lengths))


def _by_pool(pool: _bm.BigMemory, pieces: Pieces) -> Pieces:
    """Copies pieces with an end in the pool; gives the others."""
    inside: tuple[list[int], list[int], list[int]] = ([], [], [])
    outside = (array("Q"), array("Q"), array("Q"))
    for piece in zip(pieces.of, pieces.to, pieces.lengths):
        is_inside = piece[2] and any(pool.get_rank_id_by_gva(end) != NO_RANK for end in piece[:2])
        for list_, number in zip(inside if is_inside else outside, piece):
            list_.append(number)
    sources, destinations, sizes = inside
    if sizes:
        pool.copy_data_batch(sources, destinations, sizes, len(sizes), _bm.BmCopyType.AUTO)
    return Pieces(outside[1], outside[0], outside[2])


def _batches(
    one: array[int], other: array[int], given: array[int]
) -> Iterator[tuple[array[int], array[int], array[int]]]:
    """The pairs, cut so that each batch fits into the buffer of the processor."""
    batch, room = (array("Q"), array("Q"), array("Q")), _EXCHANGE_BYTES
    for first, second, length in zip(one, other, given):
        done = 0
        while done < length:
            now = min(length - done, room)
            for list_, number in zip(batch, (first + done, second + done, now)):
                list_.append(number)
            done, room = done + now, room - now
            if room == 0:
                yield batch
                batch, room = (array("Q"), array("Q"), array("Q")), _EXCHANGE_BYTES
    if len(batch[2]):
        yield batch


def exchange_here(state: State, one: array[int], other: array[int], given: array[int]) -> None:
    """Exchanges pairs without kernels, through a buffer."""
    for batch in _batches(one, other, given):
        _exchange_batch(state, *batch)


def _exchange_batch(state: State, one: array[int], other: array[int], given: array[int]) -> None:
    buffer = (ctypes.c_char * sum(given))()
    start, places = ctypes.addressof(buffer), array("Q")
    for length in given:
        places.append(start)
        start += length
    for to, of in ((places, one), (one, other), (other, places)):
        copy_here(state, Pieces(to, of, given))
