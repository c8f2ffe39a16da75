# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pools in the style of Python: context managers, exceptions, and any object with bytes instead of raw addresses."""

from __future__ import annotations

import atexit
import json
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import Any

from . import _mf_smem, bm
from ._copies import PoolCopies
from ._errors import Error, invalid
from ._job import Job, local_rank
from ._memory import PoolMemory
from ._queued import Queue
from ._session import SESSION
from ._sizes import Size, contribution, number
from ._times import whole
from ._types import Destination, Kind, kind_number
from ._unique import Unique
from ._words import PoolWords

__all__ = ["Pool", "open_pool"]

_NO_RANK = 0xFFFFFFFF
_MAX_OF_POOL = 1 << 30
# All of them together leave the choice to the library.
_ANY_ENGINE = sum(set(bm.BmDataOpType))


class Pool(Unique, PoolMemory, PoolCopies, PoolWords):
    """Memory that several processes contribute to and all of them copy to and from. Made by `open_pool`.

    An address is a plain integer and the same in every process: ``pool.address(rank) + offset``. Every method raises a
    subclass of `mf_smem.Error` when it fails, may be called from any thread, and lets other threads run while it waits.

    Copies of one pool are one-sided: the other rank does nothing. When `put` has returned, every rank sees the bytes.
    The program must synchronise accesses, for example with `barrier`.
    """

    def __init__(self, memory: bm.BigMemory, pool_id: int) -> None:
        super().__init__(memory, pool_id)
        self._queue = Queue(memory.wait, f"pool {pool_id}", lambda: _reaches_far(memory))
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

        Copies that were queued are waited for. Arrays of `array`, `local` and `view`, and tensors, have mappings of their own:
        they stay valid, and nothing that is written to them then reaches other members; their memory is given back with the last
        of them. The pool can be opened again at once.
        """
        if not self._is_open:
            return
        self._is_open = False
        _OPEN.discard(self)
        try:
            # So that transfers end as their copies do.
            self._queue.end_rounds()
        finally:
            self._memory.destroy()
            SESSION.end()

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return not self._is_open

    @property
    def id(self) -> int:
        """Number of the pool, the same in all members."""
        return self._id

    @property
    def device(self) -> str:
        """Backing of its device memory: ``"host"`` if host memory substitutes it, else for example ``"ascend"``."""
        return _mf_smem.bm_device()

    @property
    def memory(self) -> bm.BigMemory:
        """The same pool with the names of `mf_smem.bm`; its ``handle`` is what C and C++ code takes."""
        return self._memory

    def members(self) -> list[int]:
        """Ranks that are in the pool now, one's own included."""
        return self._memory.members()

    def stats(self) -> dict[str, Any]:
        """Counters of this process's copies in the pool between mapped memory, and the pool's members: ``pool``, ``rank``,
        ``world_size``; for ``host`` and ``device`` memory and ``put``, ``get``, ``between`` (into the pool, out of it, within
        it) the number of ``copies`` and of ``bytes``; and ``members`` with ``rank``, ``presence`` ("joined", "left", "dead"),
        and the ``host_bytes`` and ``device_bytes`` of its segment that this process has mapped. Local. Raises `Error` once the
        pool is closed."""
        stats: dict[str, Any] = json.loads(self._memory.stats_json())
        return stats

    def join(self) -> None:
        """Joins, or joins again after `leave`. When it returns, every member can copy to and from this rank."""
        self._memory.join()

    def leave(self) -> None:
        """Leaves: others can no longer copy to and from this rank, nor this rank at all. `join` comes back."""
        self._memory.leave()

    def extend(self, nbytes: Size, kind: Kind = "host") -> None:
        """Grows one's own segment by `nbytes`, a multiple of 2 MiB or a text such as ``"64MiB"``, at most to the pool's
        maximum."""
        self._memory.extend_local_mem(kind_number(kind), number("nbytes", nbytes))

    def rank_of(self, address: int) -> int | None:
        """Rank of the segment with `address`, or None outside of the pool."""
        rank = self._memory.get_rank_id_by_gva(address)
        return None if rank == _NO_RANK else rank

    def register(self, buffer: Destination) -> Registration:
        """Registers the bytes of `buffer` for the life of the result, which may make copies from and to it faster."""
        return Registration(self._memory, _mf_smem.Buffer(buffer, writable=True))

    def barrier(
        self,
        name: str | None = None,
        *,
        members: int = 0,
        timeout: float | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """Waits until `members` ranks (0: the whole world) are at the barrier of this name. **Collective.**

        The default name is one of this pool. Waits at most `timeout` seconds (120; rounded up to whole ones; `timeout_s` is its
        older name). Raises `TimedOutError`, which names the missing ranks.
        """
        _mf_smem.bm_barrier(f"pool-{self._id}" if name is None else name, members, whole(timeout, timeout_s))

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


def _reaches_far(memory: bm.BigMemory) -> bool:
    """True if some member's memory is not mapped here."""
    own, kind = _mf_smem.bm_rank_id(), bm.BmMemType.HOST
    try:
        if memory.local_mem_size(kind) == 0:
            kind = bm.BmMemType.DEVICE
        for rank in memory.members():
            if rank != own:
                memory.gva_to_va(memory.peer_rank_ptr(rank, kind))
    except Error:
        return True
    return False


class Registration(Unique):
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
    timeout: float | None = None,
    timeout_s: float | None = None,
    join: bool = True,
    engines: int | None = None,
    tag: str = "",
    tag_rules: str = "",
    nic: str = "",
) -> Pool:
    """Creates this process's part of a pool, joins it and returns it; close it with ``with`` or `Pool.close`.

    store_url, world_size, rank
        URL of the store (``tcp://ip:port``), the largest number of ranks, this rank (None: given by the store). Without a URL
        all three come from the launcher's environment (``mf run``, torchrun); without a launcher it is a world of one.
    host_bytes, device_bytes
        Contribution of this rank, multiples of 2 MiB in bytes, or texts such as ``"64MiB"``. Without an NPU device memory is
        host memory, too.
    max_host_bytes, max_device_bytes
        Largest contribution of a rank, the same in all ranks; default: as much as this one does. ``"any"`` (host memory): that of
        the pool, which its first rank chooses: 16 TiB of addresses for all ranks, where so many are free. Ranks may contribute
        different amounts then.
    pool_id
        Number of the pool, 0 to 63. A process may have several pools, all in one world.
    device_id
        Number of the NPU; default: LOCAL_RANK.
    start_store
        True if this process may run the config store; default: yes, in rank 0.
    timeout
        Longest wait for joining the world, for creating, and for joins and leaves, in seconds, rounded up to whole ones;
        default: 120. `timeout_s` is its older name.
    join
        False: the caller joins later with `Pool.join`.
    engines
        Values of `bm.BmDataOpType`, combined with ``|``: engines for copies to ranks on other hosts. Default: the best for
        each. If none of them reaches a rank, the best available is used, with one warning; with ``MF_STRICT_ENGINE=1`` the
        call fails. Mapped memory is copied in place in any case.
    tag, tag_rules
        The tag of this rank (letters, digits and ``_``), and engines by pairs of tags instead of `engines`:
        ``"train:HOST_RDMA:train,train:HOST_TCP:cache"``.
    nic
        Listen address for other hosts: an address, a subnet, an interface, or ``tcp://ip:port``. Default: as ``MF_NIC`` says.
        It counts in the first pool of a process.

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
    longest = whole(timeout, timeout_s)
    host, device = contribution("host_bytes", host_bytes), contribution("device_bytes", device_bytes)
    if max_host_bytes is None or max_host_bytes == "any":
        max_host = host
    else:
        max_host = contribution("max_host_bytes", max_host_bytes)
    max_device = device if max_device_bytes is None else contribution("max_device_bytes", max_device_bytes)
    SESSION.begin(job, local_rank() if device_id is None else device_id, longest, start_store, nic)
    try:
        memory = bm.create2(
            pool_id,
            host,
            max_host,
            device,
            max_device,
            data_op_type=_ANY_ENGINE if engines is None else engines,
            flags=_MAX_OF_POOL if max_host_bytes == "any" else 0,
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
