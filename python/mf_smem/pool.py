# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pools in the style of Python: context managers, exceptions, and any object with bytes instead of raw addresses."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

from . import _mf_smem, _views, bm
from ._errors import invalid
from ._job import Job, local_rank
from ._session import SESSION
from ._sizes import Size, contribution
from ._types import Destination, Kind, Source, kind_number

__all__ = ["Pool", "open_pool"]

_NO_RANK = 0xFFFFFFFF
# All of them together leave the choice to the library.
_ANY_ENGINE = sum(set(bm.BmDataOpType))


class Pool:
    """Memory that several processes contribute to and all of them copy to and from. Made by `open_pool`.

    An address is a plain integer and the same in every process: ``pool.address(rank) + offset``. Every method raises a
    subclass of `mf_smem.Error` when it fails, may be called from any thread, and lets other threads run while it waits.

    Copies of one pool are one-sided: the other rank does nothing. When `put` has returned, every rank sees the bytes.
    Who writes where and when is the program's to arrange, for example with `barrier`.
    """

    def __init__(self, memory: bm.BigMemory, pool_id: int) -> None:
        self._memory = memory
        self._id = pool_id
        self._is_open = True
        _OPEN.add(self)

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leaves the pool and gives its memory back. Idempotent; **local**.

        Copies that were queued are waited for. Arrays from `local` have mappings of their own and stay valid; nothing that is
        written to them then reaches other members. The pool can be opened again at once.
        """
        if not self._is_open:
            return
        self._is_open = False
        _OPEN.discard(self)
        self._memory.destroy()
        SESSION.end()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return not self._is_open

    @property
    def id(self) -> int:
        """Number of the pool, the same in all members."""
        return self._id

    @property
    def rank(self) -> int:
        """One's own rank."""
        return _mf_smem.bm_rank_id()

    @property
    def world_size(self) -> int:
        """Largest number of ranks."""
        return _mf_smem.bm_world_size()

    @property
    def device(self) -> str:
        """What its device memory is made of: ``"host"`` where host memory stands in, else for example ``"ascend"``."""
        return _mf_smem.bm_device()

    @property
    def memory(self) -> bm.BigMemory:
        """The same pool with the names of `mf_smem.bm`; its ``handle`` is what C and C++ code takes."""
        return self._memory

    def members(self) -> list[int]:
        """Ranks that are in the pool now, one's own included."""
        return self._memory.members()

    def join(self) -> None:
        """Joins, or joins again after `leave`. When it returns, every member can copy to and from this rank."""
        self._memory.join()

    def leave(self) -> None:
        """Leaves: others can no longer copy to and from this rank, nor this rank at all. `join` comes back."""
        self._memory.leave()

    def extend(self, nbytes: int, kind: Kind = "host") -> None:
        """Grows one's own segment by `nbytes`, a multiple of 2 MiB, at most to the pool's maximum."""
        self._memory.extend_local_mem(kind_number(kind), nbytes)

    def address(self, rank: int | None = None, kind: Kind = "host") -> int:
        """Address of the segment of `rank` (default: one's own), whether or not it has joined."""
        if rank is not None and not 0 <= rank < self.world_size:
            raise invalid(f"{rank} is no rank of this pool: its ranks are 0 to {self.world_size - 1}")
        return self._memory.peer_rank_ptr(self.rank if rank is None else rank, kind_number(kind))

    def local_bytes(self, kind: Kind = "host") -> int:
        """Size of one's own segment in bytes."""
        return self._memory.local_mem_size(kind_number(kind))

    def rank_of(self, address: int) -> int | None:
        """Rank in whose segment `address` lies, or None outside of the pool."""
        rank = self._memory.get_rank_id_by_gva(address)
        return None if rank == _NO_RANK else rank

    def local(self, kind: Kind = "host", dtype: Any = None) -> Any:
        """One's own segment as a writable NumPy array, of bytes or of `dtype`; a memoryview where there is no NumPy.

        Nothing is copied: what is written there, the others read. The array may outlive the pool: it has a mapping of its
        own, and its memory is given back with the last array. An array made before `extend` does not show the new part.
        """
        return _views.view(self._memory.map_segment(kind_number(kind)), dtype)

    def put(self, source: Source, address: int, *, wait: bool = True) -> None:
        """Copies all bytes of `source` to `address`.

        `source` is any object with bytes in one piece: bytes, bytearray, memoryview, a NumPy array, a torch tensor (CPU, or
        NPU where the pool has one), an object with ``__array_interface__`` or DLPack. With ``wait=False`` the copy may only be queued: the pool keeps
        `source` alive until `wait`, and do not change it before.
        """
        self._memory.put(source, address, 0 if wait else bm.ASYNC_COPY)

    def get(self, address: int, destination: Destination, *, wait: bool = True) -> None:
        """Fills `destination`, a writable object with bytes (see `put`), from `address`.

        With ``wait=False`` the copy may only be queued: the bytes are there after `wait`.
        """
        self._memory.get(address, destination, 0 if wait else bm.ASYNC_COPY)

    def read(self, address: int, nbytes: int) -> bytes:
        """`nbytes` bytes at `address`, as a new object. For small things; `get` fills a buffer that exists."""
        buffer = bytearray(nbytes)
        self._memory.get(address, buffer)
        return bytes(buffer)

    def copy(self, source: int, destination: int, nbytes: int, *, wait: bool = True) -> None:
        """Copies `nbytes` bytes between two addresses of the pool, of any two ranks."""
        self._memory.copy_data(source, destination, nbytes, bm.BmCopyType.AUTO, 0 if wait else bm.ASYNC_COPY)

    def put_many(self, pairs: Iterable[tuple[Source, int]], *, wait: bool = True) -> None:
        """`put` of many pairs (source, address) in one call, in any order. All are checked before the first byte moves."""
        self._memory.put_batch(pairs, 0 if wait else bm.ASYNC_COPY)

    def get_many(self, pairs: Iterable[tuple[int, Destination]], *, wait: bool = True) -> None:
        """`get` of many pairs (address, destination) in one call, in any order."""
        self._memory.get_batch(pairs, 0 if wait else bm.ASYNC_COPY)

    def copy_many(self, pieces: Iterable[tuple[int, int, int]], *, wait: bool = True) -> None:
        """`copy` of many triples (source, destination, nbytes) in one call, in any order."""
        listed = list(pieces)
        sources, destinations, sizes = ([piece[i] for piece in listed] for i in range(3))
        flags = 0 if wait else bm.ASYNC_COPY
        self._memory.copy_data_batch(sources, destinations, sizes, len(listed), bm.BmCopyType.AUTO, flags)

    def wait(self) -> None:
        """Waits until everything that was queued with ``wait=False`` is done, and raises its first error."""
        self._memory.wait()

    def register(self, buffer: Destination) -> Registration:
        """Registers the bytes of `buffer` for the life of the result, which may make copies from and to it faster."""
        return Registration(self._memory, _mf_smem.Buffer(buffer, writable=True))

    def barrier(self, name: str | None = None, *, members: int = 0, timeout_s: int = 120) -> None:
        """Waits until `members` ranks (0: the whole world) are at the barrier of this name. **Collective.**

        The default name is one of this pool. Raises `TimedOutError`, which names who did not come.
        """
        _mf_smem.bm_barrier(f"pool-{self._id}" if name is None else name, members, timeout_s)

    def on_event(self, callback: Callable[[int, bm.BmGroupEvent], object] | None) -> None:
        """Has ``callback(rank, event)`` called when a rank joins or leaves; None ends it.

        It runs on a thread of the library, so it should be short. The pool keeps the callback, and a callback that
        refers to the pool keeps it open until `close`.
        """
        self._memory.set_group_event_handler(callback)

    def __repr__(self) -> str:
        if not self._is_open:
            return f"<mf_smem.Pool {self._id}, closed>"
        return f"<mf_smem.Pool {self._id}, rank {self.rank} of {self.world_size}>"


class Registration:
    """Registered memory; ended by `close`, by the end of a ``with`` block, or when collected."""

    def __init__(self, memory: bm.BigMemory, buffer: _mf_smem.Buffer) -> None:
        memory.register(buffer.address, buffer.nbytes)
        self._finish = weakref.finalize(self, _unregister, memory, buffer)
        self._finish.atexit = False

    def close(self) -> None:
        """Ends the registration. Idempotent."""
        self._finish()

    def __enter__(self) -> Registration:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _unregister(memory: bm.BigMemory, buffer: _mf_smem.Buffer) -> None:
    if memory.handle:
        memory.unregister(buffer.address)


def open_pool(
    store_url: str | None = None,
    world_size: int | None = None,
    rank: int | None = None,
    *,
    host_bytes: Size = 0,
    device_bytes: Size = 0,
    max_host_bytes: Size | None = None,
    max_device_bytes: Size | None = None,
    pool_id: int = 0,
    device_id: int | None = None,
    start_store: bool | None = None,
    timeout_s: int = 120,
    join: bool = True,
    engines: int | None = None,
    tag: str = "",
    tag_rules: str = "",
    nic: str = "",
) -> Pool:
    """Creates this process's part of a pool, joins it and returns it; close it with ``with`` or `Pool.close`.

    store_url, world_size, rank
        Where the ranks meet (``tcp://ip:port``), how many there are at most, which one this is (None: given by the
        store). Without a URL all three come from the launcher's environment (``mf run``, torchrun); without a launcher it
        is a world of one.
    host_bytes, device_bytes
        What this rank contributes, multiples of 2 MiB in bytes, or texts such as ``"64MiB"``. Without an NPU device memory is
        host memory, too.
    max_host_bytes, max_device_bytes
        What a rank may contribute at most, the same in all ranks; default: as much as this one does.
    pool_id
        Number of the pool, 0 to 63. A process may have several pools, all in one world.
    device_id
        Number of the NPU; default: LOCAL_RANK.
    start_store
        Whether this process may run the config store; default: yes, in rank 0.
    timeout_s
        Longest wait for joining the world, for creating, and for joins and leaves, in whole seconds.
    join
        False: the caller joins later with `Pool.join`.
    engines
        Values of `bm.BmDataOpType`, combined with ``|``: what copies to ranks on other hosts shall use. Default: whatever is
        best for each. When none of them reaches a rank, the best that does is used, with one warning, or none where
        ``MF_STRICT_ENGINE=1``. What is mapped here is copied in place, whatever is asked for.
    tag, tag_rules
        The tag of this rank (letters, digits and ``_``), and engines by pairs of tags instead of `engines`:
        ``"train:HOST_RDMA:train,train:HOST_TCP:cache"``.
    nic
        Where this process listens for other hosts: an address, a subnet, an interface, or ``tcp://ip:port``. Default: as
        ``MF_NIC`` says. It counts in the first pool of a process.

    Example::

        with mf_smem.open_pool(host_bytes=64 << 20) as pool:
            pool.put(b"hello", pool.address(pool.rank))
            pool.barrier()
            print(pool.read(pool.address(0), 5))
    """
    job: Job | None = None
    if store_url is not None:
        if world_size is None:
            raise invalid("world_size is needed together with store_url")
        job = Job(store_url, world_size, rank)
    elif world_size is not None or rank is not None:
        raise invalid("store_url is needed together with world_size or rank")
    if not timeout_s >= 1:
        raise invalid(f"timeout_s must be at least 1, not {timeout_s}")
    host, device = contribution("host_bytes", host_bytes), contribution("device_bytes", device_bytes)
    max_host = host if max_host_bytes is None else contribution("max_host_bytes", max_host_bytes)
    max_device = device if max_device_bytes is None else contribution("max_device_bytes", max_device_bytes)
    SESSION.begin(job, local_rank() if device_id is None else device_id, timeout_s, start_store, nic)
    try:
        memory = bm.create2(
            pool_id,
            host,
            max_host,
            device,
            max_device,
            data_op_type=_ANY_ENGINE if engines is None else engines,
            tag=tag,
            tag_op_info=tag_rules,
        )
    except BaseException:
        SESSION.end()
        raise
    pool = Pool(memory, pool_id)
    if join:
        try:
            pool.join()
        except BaseException:
            pool.close()
            raise
    return pool


_OPEN: weakref.WeakSet[Pool] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # Others learn at once that this rank left, instead of taking it for dead.
    for pool in list(_OPEN):
        pool.close()
