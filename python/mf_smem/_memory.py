# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Blocks, arrays and tensors in the memory of a `Pool`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex, Union

from . import _mf_smem, _views, bm
from ._enums import BmMemType
from ._errors import invalid
from ._mappings import Mappings
from ._segment import Segment
from ._sizes import Size, length
from ._types import Kind, Source, kind_number

#: The shape of an array: a number of elements, or one for each dimension.
Shape = Union[SupportsIndex, Sequence[SupportsIndex]]

_ALIGN = 64
_NO_RANK = 0xFFFFFFFF


class PoolMemory:
    """Allocation in the own segments of a pool, and views of memory. All of it is **local**."""

    def __init__(self, memory: bm.BigMemory, pool_id: int) -> None:
        self._memory = memory
        self._id = pool_id
        self._mappings: Mappings[tuple[BmMemType, int | None]] = Mappings(lambda place: memory.map_segment(*place))
        self._segments = {
            kind: Segment(memory, kind, f"the {name} segment of this rank in pool {pool_id}")
            for kind, name in ((BmMemType.HOST, "host"), (BmMemType.DEVICE, "device"))
        }

    @property
    def rank(self) -> int:
        """One's own rank."""
        return _mf_smem.bm_rank_id()

    @property
    def world_size(self) -> int:
        """Largest number of ranks."""
        return _mf_smem.bm_world_size()

    def address(self, rank: int | None = None, kind: Kind = "host") -> int:
        """Address of the segment of `rank` (default: one's own), whether or not it has joined."""
        return self._memory.peer_rank_ptr(self._checked(rank), kind_number(kind))

    def local_bytes(self, kind: Kind = "host") -> int:
        """Size of one's own segment in bytes."""
        return self._memory.local_mem_size(kind_number(kind))

    def free_bytes(self, kind: Kind = "host") -> int:
        """Bytes of one's own segment that `alloc`, `array` and `tensor` have not given out."""
        return self._segments[kind_number(kind)].usage()[1]

    def alloc(self, nbytes: Size, *, align: int = _ALIGN, kind: Kind = "host") -> int:
        """Takes a block of `nbytes` (a number, or a text such as ``"64KiB"``) of one's own segment and returns its address in
        the pool, a multiple of `align`, a power of two up to 2 MiB; less than 64 counts as 64. Its contents are unchanged.

        First fit: ranks that make the same calls get blocks at the same distances from the start of their segments. A program
        that also uses addresses of its own choice takes a block for those first. Raises `OutOfMemoryError`, which reports the
        free bytes; `extend` makes more room.
        """
        number = kind_number(kind)
        base = self._memory.peer_rank_ptr(self.rank, number)
        return base + self._segments[number].alloc(length("nbytes", nbytes), align)

    def free(self, address: int) -> None:
        """Gives the block back that `alloc` returned. Raises `InvalidParamError` for any other address, including one freed
        before; blocks of arrays are given back with the array."""
        for number, segment in self._segments.items():
            nbytes = self._memory.local_mem_size(number)
            offset = address - self._memory.peer_rank_ptr(self.rank, number) if nbytes else -1
            if 0 <= offset < nbytes:
                return segment.free(offset, address)
        rank = self._memory.get_rank_id_by_gva(address) if 0 <= address < 1 << 64 else _NO_RANK
        whose = "outside of the pool" if rank == _NO_RANK else f"in memory of rank {rank}"
        raise invalid(f"free: {address:#x} lies {whose}, and blocks lie in the segments of rank {self.rank}")

    def array(self, shape: Shape, dtype: Any = None, *, align: int = _ALIGN, kind: Kind = "host") -> Any:
        """A new NumPy array in one's own segment, of `dtype` (default: float64), in C order. Its contents are undefined.

        `address_of` gives its address for others. Its memory is given back when the array, and all its views (slices, views,
        tensors by DLPack), is gone; keep it for as long as others use the memory. It stays valid when the pool is closed.
        Raises `OutOfMemoryError`, `InvalidParamError` for a type of Python objects or without NumPy, and `Error` if the
        processor cannot access the memory, such as NPU memory.
        """
        numpy = _views.needed("numpy", "array")
        made = _views.plain(numpy, "float64" if dtype is None else dtype)
        extents = _views.extents(shape)
        buffer = self._block(_views.element_count(extents) * made.itemsize, align, kind)
        return numpy.ndarray(extents, made, buffer=buffer)

    def tensor(self, shape: Shape, dtype: Any = None, *, align: int = _ALIGN, kind: Kind = "host") -> Any:
        """As `array`, a torch tensor on the CPU; `dtype` is torch's, or its name (default: torch's default)."""
        torch = _views.needed("torch", "tensor")
        if isinstance(dtype, str):
            dtype = getattr(torch, dtype, dtype)
        made = torch.get_default_dtype() if dtype is None else dtype
        if not isinstance(made, torch.dtype):
            raise invalid(f"tensor: dtype must be one of torch, not {made!r}")
        extents = _views.extents(shape)
        count = _views.element_count(extents)
        if count == 0:
            return torch.empty(extents, dtype=made)
        buffer = self._block(count * torch.empty(0, dtype=made).element_size(), align, kind)
        return torch.frombuffer(buffer, dtype=made, count=count).reshape(extents)

    def local(self, kind: Kind = "host", dtype: Any = None) -> Any:
        """One's own segment as a writable NumPy array, of bytes or of `dtype`; a memoryview where there is no NumPy.

        Nothing is copied: other ranks read its writes. The array may outlive the pool: it has a mapping of its own, and
        its memory is given back with the last array. An array made before `extend` does not show the new part.
        """
        return _views.view(self._own(kind_number(kind)), dtype)

    def view(self, rank: int, kind: Kind = "host", dtype: Any = None) -> Any:
        """The segment of `rank` as `local` shows one's own, where that rank is on this host: writable, without a copy.

        The array stays valid when that rank leaves, dies or grows, and when the pool is closed; it shows the memory that the
        rank had then. The program must synchronise accesses. Raises `NotConnectedError` if the rank has not joined, and
        `Error` if it is on another host or its memory is an NPU's: use `get` for those.
        """
        number, rank = kind_number(kind), self._checked(rank)
        return _views.view(self._mapped(number, rank), dtype)

    def address_of(self, source: Source) -> int:
        """Address in the pool of the bytes of an array of `array`, `tensor`, `local` or `view`, or of a part of one."""
        address, nbytes = _views.placed(source)
        found = self._mappings.find(address, nbytes)
        if found is not None:
            (kind, rank), offset = found
            return self._memory.peer_rank_ptr(self._checked(rank), kind) + offset
        if self._memory.get_rank_id_by_gva(address) != _NO_RANK:
            return address
        raise invalid(f"address_of: this {type(source).__name__} of {nbytes} bytes does not lie in the pool")

    def _block(self, nbytes: int, align: int, kind: Kind) -> memoryview:
        """A new block as a buffer, which gives it back when nothing shows it any more."""
        number, room = kind_number(kind), max(1, nbytes)
        offset, lease = self._segments[number].lease(room, align)
        return _views.exporter(self._own(number), offset, room, lease)

    def _mapped(self, number: BmMemType, rank: int) -> _mf_smem.MappedPart:
        """A mapping of the segment of a rank."""
        return self._own(number) if rank == self.rank else self._mappings.show((number, rank))

    def _own(self, number: BmMemType) -> _mf_smem.MappedPart:
        """A mapping of one's own segment."""
        return self._mappings.show((number, None), self._memory.local_mem_size(number))

    def _checked(self, rank: int | None) -> int:
        if rank is None:
            return self.rank
        size = self.world_size
        # Without a world the library reports the error.
        if rank < 0 or 0 < size <= rank:
            raise invalid(f"{rank} is not a rank of this pool: its ranks are 0 to {size - 1}")
        return rank
