# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Collectives over the memory of a `SharedMemory`: by kernels where it is an NPU's, else by the processors."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple, Union

from . import _views, shm
from ._enums import DataType, ReduceOp
from ._errors import invalid
from ._mappings import Mappings
from ._types import Source

#: How many bytes a processor takes at a time.
_CHUNK_BYTES = 1 << 20
#: Cores that a kernel runs on.
_BLOCKS = 8
#: Bytes of an element of each type.
_ITEM_BYTES = {DataType.FP16: 2, DataType.BF16: 2, DataType.FP32: 4}
_BY_NAME = {"float16": DataType.FP16, "bfloat16": DataType.BF16, "float32": DataType.FP32}


class _Span(NamedTuple):
    """Bytes at one place of every rank's part."""

    offset: int
    nbytes: int
    dtype: DataType | None


class ShareCollectives:
    """Collectives of share memory. All are **collective**: every rank makes the same calls in the same order.

    An operand is an array or a tensor in one's own part (`SharedMemory.local`, `view`), at the same place in all ranks; on an
    NPU, whose memory no array shows, its address and a number of bytes or elements. A call begins when all ranks have come, and
    ends when all is there. Different calls give `InvalidParamError` on all ranks; `TimedOutError` names a missing rank.
    """

    _memory: shm.ShareMemory
    _id: int
    _rank: int
    _size: int
    _stride: int
    _bytes: int
    _device: str
    _mappings: Mappings[int]
    _kernels: Any

    def all_reduce(
        self,
        data: Union[Source, int],
        op: Union[ReduceOp, str] = ReduceOp.SUM,
        *,
        count: int | None = None,
        dtype: Union[DataType, str, None] = None,
    ) -> None:
        """Replaces the elements at `data` by the sum (or the maximum) over all ranks, in place.

        op
            A `ReduceOp`, or ``"sum"``, ``"max"``.
        count, dtype
            Number of elements, and a `DataType` or its name (``"float16"``, ``"bfloat16"``, ``"float32"``), where `data` is an
            address; of an array, where it does not know its type.

        Ranks count in their order, sums are accumulated in 32 bits and rounded once: every rank gets the same bits, every time.
        """
        span, reduce = self._span("all_reduce", data, count, dtype), _op(op)
        self._agree("all_reduce", [span], reduce)
        if self._device != "host":
            self._launch("mf_allreduce_two_shot", span.offset, span.offset, _elements(span), _type(span), reduce)
            return
        # Each reduces a share of its own and writes it to all.
        for start, nbytes in self._own_chunks(span):
            result = self._reduced(span.offset + start, nbytes, _type(span), reduce)
            for rank in self._others_last():
                self._memory.put(result, self._at(rank, span.offset + start))
        self._memory.barrier()

    def reduce_scatter(
        self,
        destination: Union[Source, int],
        source: Union[Source, int],
        op: Union[ReduceOp, str] = ReduceOp.SUM,
        *,
        count: int | None = None,
        dtype: Union[DataType, str, None] = None,
    ) -> None:
        """Reduces as `all_reduce`: `source` has as many pieces as there are ranks, of `count` elements each, as `destination`
        has, which gets the reduced piece of this rank. They must not overlap."""
        into = self._span("reduce_scatter", destination, count, dtype)
        pieces = None if count is None else count * self._size
        of, reduce = self._span("reduce_scatter", source, pieces, dtype), _op(op)
        self._fits("reduce_scatter", of, into)
        self._agree("reduce_scatter", [into, of], reduce)
        if self._device != "host":
            self._launch("mf_reduce_scatter", into.offset, of.offset, _elements(into), _type(into), reduce)
            return
        mine = of.offset + self._rank * into.nbytes
        for start, nbytes in _chunks(0, into.nbytes):
            result = self._reduced(mine + start, nbytes, _type(into), reduce)
            self._memory.put(result, self._at(self._rank, into.offset + start))
        self._memory.barrier()

    def all_to_all(
        self, destination: Union[Source, int], source: Union[Source, int], *, nbytes: int | None = None
    ) -> None:
        """Sends piece j of `source` to rank j; its `destination` receives the pieces of all ranks in their order. Both have as
        many bytes, a multiple of the number of ranks (`nbytes`, where they are addresses), and must not overlap."""
        into, of = self._bytes_of("all_to_all", destination, nbytes), self._bytes_of("all_to_all", source, nbytes)
        if into.nbytes != of.nbytes or of.nbytes % self._size:
            raise invalid(
                f"all_to_all: destination and source must have the same number of bytes, a multiple of the {self._size} ranks, "
                f"and have {into.nbytes} and {of.nbytes}"
            )
        self._agree("all_to_all", [into, of])
        piece = of.nbytes // self._size
        if self._device != "host":
            self._launch("mf_all_to_all", into.offset, of.offset, piece)
            return
        for rank in self._others_last():
            self._move(rank, of.offset + self._rank * piece, into.offset + rank * piece, piece)
        self._memory.barrier()

    def allgather_into(
        self, destination: Union[Source, int], source: Union[Source, int], *, nbytes: int | None = None
    ) -> None:
        """Brings the bytes of `source` of all ranks to `destination` of all, in the order of ranks: of any length, where
        `allgather` has at most 65536. `nbytes` is the length of `source` if it is an address. They must not overlap."""
        of = self._bytes_of("allgather_into", source, nbytes)
        into = self._bytes_of("allgather_into", destination, of.nbytes * self._size)
        self._fits("allgather_into", into, of)
        self._agree("allgather_into", [into, of])
        if self._device != "host":
            self._launch("mf_allgather", into.offset, of.offset, of.nbytes)
            return
        for rank in self._others_last():
            self._move(rank, of.offset, into.offset + rank * of.nbytes, of.nbytes)
        self._memory.barrier()

    def _at(self, rank: int, offset: int) -> int:
        return self._memory.gva + rank * self._stride + offset

    def _move(self, rank: int, there: int, here: int, nbytes: int) -> None:
        if nbytes:
            self._memory.copy_data(self._at(rank, there), self._at(self._rank, here), nbytes)

    def _others_last(self) -> list[int]:
        """All ranks, beginning with one's own, so that not all go to one at once."""
        return [(self._rank + step) % self._size for step in range(self._size)]

    def _own_chunks(self, span: _Span) -> Iterator[tuple[int, int]]:
        """This rank's share of a span, in pieces."""
        item = _ITEM_BYTES[_type(span)]
        count = span.nbytes // item
        first, last = (count * place // self._size * item for place in (self._rank, self._rank + 1))
        return _chunks(first, last)

    def _reduced(self, offset: int, nbytes: int, dtype: DataType, op: ReduceOp) -> Any:
        """The elements at a place of all ranks as one."""
        numpy = _views.needed("numpy", "a reduction on host memory")
        buffer, total = bytearray(nbytes), None
        for rank in range(self._size):
            self._memory.get(self._at(rank, offset), buffer)
            wide = _widened(numpy, buffer, dtype)
            if total is None:
                total = wide
            else:
                (numpy.add if op == ReduceOp.SUM else numpy.maximum)(total, wide, out=total)
        return _narrowed(numpy, total, dtype)

    def _agree(self, name: str, spans: list[_Span], op: ReduceOp | None = None) -> None:
        """Meets all ranks, and finds out when they want different things."""
        said = [value for span in spans for value in (span.offset, span.nbytes, -1 if span.dtype is None else span.dtype)]
        call = struct.pack(f"=16sq{len(said)}q", name.encode(), -1 if op is None else op, *said).ljust(128, b"\0")
        calls = self._memory.all_gather(call)
        for rank in range(self._size):
            if calls[rank * len(call):][: len(call)] != call:
                raise invalid(
                    f"{name}: rank {rank} of share memory {self._id} makes another call than rank {self._rank}: another "
                    f"collective, place, length, type or operation; here it is {', '.join(map(str, spans))}"
                )

    def _launch(self, kernel: str, *arguments: int) -> None:
        if self._kernels is None:
            # Which imports share memory.
            from . import kernels

            self._kernels = kernels.load()
        self._kernels.launch(kernel, _BLOCKS, self._id, *arguments, memory=self._memory)

    def _fits(self, name: str, large: _Span, small: _Span) -> None:
        if large.nbytes != small.nbytes * self._size or large.dtype != small.dtype:
            raise invalid(
                f"{name}: one side must be as long as the other for each of the {self._size} ranks, and of its type: they have "
                f"{large.nbytes} and {small.nbytes} bytes"
            )

    def _bytes_of(self, name: str, data: Union[Source, int], nbytes: int | None) -> _Span:
        if isinstance(data, int):
            if nbytes is None:
                raise invalid(f"{name}: nbytes is needed together with an address")
            return self._checked_span(name, data - self._at(self._rank, 0), nbytes, None)
        offset, found = self._place(name, data)
        return self._checked_span(name, offset, found, None)

    def _span(
        self, name: str, data: Union[Source, int], count: int | None, dtype: Union[DataType, str, None]
    ) -> _Span:
        chosen = None if dtype is None else _data_type(name, dtype)
        if isinstance(data, int):
            if count is None or chosen is None:
                raise invalid(f"{name}: count and dtype are needed together with an address")
            return self._checked_span(name, data - self._at(self._rank, 0), count * _ITEM_BYTES[chosen], chosen)
        chosen = _data_type(name, getattr(data, "dtype", None)) if chosen is None else chosen
        offset, nbytes = self._place(name, data)
        if count is not None and nbytes != count * _ITEM_BYTES[chosen]:
            raise invalid(f"{name}: the array has {nbytes} bytes, which are not {count} elements of {chosen.name.lower()}")
        return self._checked_span(name, offset, nbytes, chosen)

    def _place(self, name: str, data: Source) -> tuple[int, int]:
        """Offset and length of an array in one's own part."""
        address, nbytes = _views.placed(data, writable=True)
        found = self._mappings.find(address, nbytes)
        if found is not None and found[0] == self._rank:
            return found[1], nbytes
        if found is None and 0 <= address - self._at(self._rank, 0) < self._bytes:
            return address - self._at(self._rank, 0), nbytes
        where = "outside of it" if found is None else f"in that of rank {found[0]}"
        raise invalid(
            f"{name}: this {type(data).__name__} must lie in the part of rank {self._rank} of share memory {self._id}, and lies "
            f"{where}: take a part of SharedMemory.local, or copy it there"
        )

    def _checked_span(self, name: str, offset: int, nbytes: int, dtype: DataType | None) -> _Span:
        item = 1 if dtype is None else _ITEM_BYTES[dtype]
        if nbytes < 0 or offset < 0 or offset + nbytes > self._bytes or nbytes % item or offset % item:
            raise invalid(
                f"{name}: {nbytes} bytes at {offset} is not a whole number of elements of {item} bytes in the part of rank {self._rank}, which has "
                f"{self._bytes} bytes"
            )
        return _Span(offset, nbytes, dtype)


def _chunks(first: int, last: int) -> Iterator[tuple[int, int]]:
    """A range of bytes in pieces: where each begins, and its length."""
    for start in range(first, last, _CHUNK_BYTES):
        yield start, min(_CHUNK_BYTES, last - start)


def _type(span: _Span) -> DataType:
    assert span.dtype is not None
    return span.dtype


def _elements(span: _Span) -> int:
    return span.nbytes // _ITEM_BYTES[_type(span)]


def _op(op: Union[ReduceOp, str]) -> ReduceOp:
    for known in ReduceOp:
        if op is known or op == known.name.lower():
            return known
    raise invalid(f"op must be one of {', '.join(repr(known.name.lower()) for known in ReduceOp)}, not {op!r}")


def _data_type(name: str, dtype: object) -> DataType:
    if isinstance(dtype, DataType):
        return dtype
    # "float32", numpy.float32, numpy.dtype("float32") and torch.float32 end so, all of them.
    word = str(getattr(dtype, "__name__", dtype)).rpartition(".")[2]
    if word not in _BY_NAME:
        raise invalid(f"{name}: the type must be one of {', '.join(_BY_NAME)}, not {dtype}")
    return _BY_NAME[word]


def _widened(numpy: Any, data: bytearray, dtype: DataType) -> Any:
    """Elements as 32-bit ones, in memory of their own."""
    if dtype == DataType.BF16:
        return (numpy.frombuffer(data, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    return numpy.frombuffer(data, numpy.float16 if dtype == DataType.FP16 else numpy.float32).astype(numpy.float32)


def _narrowed(numpy: Any, wide: Any, dtype: DataType) -> Any:
    """The same, rounded to the nearest, ties to even."""
    if dtype != DataType.BF16:
        return wide.astype(numpy.float16 if dtype == DataType.FP16 else numpy.float32)
    bits = wide.view(numpy.uint32)
    rounded = ((bits.astype(numpy.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
    # NaN stays NaN.
    return numpy.where(numpy.isnan(wide), ((bits >> 16) | 0x40).astype(numpy.uint16), rounded)
