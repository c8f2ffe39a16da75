# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Share memory in the style of Python: context managers, exceptions, arrays, groups of ranks."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from . import _mf_smem, _views, shm
from ._collectives import ShareCollectives
from ._errors import invalid
from ._job import Job, local_rank
from ._mappings import Mappings
from ._session import SHARES
from ._sizes import Size, contribution, length, number
from ._times import milliseconds, whole
from ._types import Destination, Source
from ._unique import Unique

__all__ = ["ShareGroup", "SharedMemory", "open_share"]


class ShareGroup(Unique):
    """Some ranks of a `SharedMemory` that meet by themselves. Made by `SharedMemory.group`; **local**, without waiting."""

    def __init__(self, memory: shm.ShareMemory, key: str, ranks: tuple[int, ...]) -> None:
        self._memory = memory
        self._key = key
        self._ranks = ranks
        self._rank = ranks.index(memory.local_rank)

    @property
    def key(self) -> str:
        """Name of the object among the ranks."""
        return self._key

    @property
    def ranks(self) -> tuple[int, ...]:
        """Its ranks, in its order."""
        return self._ranks

    @property
    def rank(self) -> int:
        """One's own place in it."""
        return self._rank

    def barrier(self) -> None:
        """Waits until all its ranks have called. **Collective** over them."""
        self._memory.subgroup_barrier(self._key, len(self._ranks), self._rank)

    def allgather(self, data: Source) -> list[bytes]:
        """The bytes of all its ranks, in its order; every rank gives as many, 1 to 65536. **Collective** over them."""
        return _parts(self._memory.subgroup_all_gather(self._key, len(self._ranks), self._rank, data), len(self._ranks))

    def all_gather(self, data: Source) -> list[bytes]:
        """`allgather` by its other name."""
        return self.allgather(data)

    def __repr__(self) -> str:
        return f"<mf_smem.ShareGroup {self._key!r} of ranks {', '.join(map(str, self._ranks))}>"


class SharedMemory(Unique, ShareCollectives):
    """As many bytes of each of several ranks, which kernels on the NPUs, and processors, reach directly. Made by `open_share`.

    An address is a plain integer and the same in every process: ``share.address(rank) + offset``. Without an NPU the memory
    is the host's. Every method raises a subclass of `mf_smem.Error` when it fails, may be called from any thread, and lets
    other threads run while it waits.
    """

    def __init__(self, memory: shm.ShareMemory, share_id: int) -> None:
        self._memory = memory
        self._id = share_id
        self._is_open = True
        self._stride = memory.symmetric_size
        self._bytes = memory.local_mem_size
        self._rank = memory.local_rank
        self._size = memory.rank_size
        self._device = _mf_smem.shm_device()
        self._mappings = Mappings(memory.map_part)
        self._kernels: Any = None
        _OPEN.add(self)

    def __enter__(self) -> SharedMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives up this rank's side. Idempotent; **local**; waits for kernels that use it.

        Arrays from `local` and `view` stay valid: they have mappings of their own.
        """
        if not self._is_open:
            return
        self._is_open = False
        _OPEN.discard(self)
        loaded, self._kernels = self._kernels, None
        try:
            self._memory.destroy()
            if loaded is not None:
                loaded.close()
        finally:
            SHARES.end()

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return not self._is_open

    @property
    def id(self) -> int:
        """Its number, the same in all ranks; what kernels know it by."""
        return self._id

    @property
    def rank(self) -> int:
        """One's own place among its ranks."""
        return self._rank

    @property
    def rank_size(self) -> int:
        """Number of its ranks."""
        return self._size

    @property
    def local_bytes(self) -> int:
        """Bytes of each rank."""
        return self._bytes

    @property
    def symmetric_bytes(self) -> int:
        """Bytes from one rank's part to the next."""
        return self._stride

    @property
    def device(self) -> str:
        """Backing memory: ``"host"`` for host memory, else for example ``"ascend"``."""
        return self._device

    @property
    def memory(self) -> shm.ShareMemory:
        """The same object with the names of `mf_smem.shm`; its ``handle`` is what C and C++ code takes."""
        return self._memory

    def address(self, rank: int | None = None, offset: int = 0) -> int:
        """Address of the byte at `offset` in the part of `rank` (default: one's own)."""
        return self._memory.gva + self._checked(rank) * self._stride + offset

    def local(self, dtype: Any = None) -> Any:
        """One's own part as a writable NumPy array, of bytes or of `dtype`; a memoryview where there is no NumPy.

        Nothing is copied: other ranks read its writes. Raises for memory of an NPU, which `put`, `get` and `read` copy.
        """
        return self.view(self._rank, dtype)

    def view(self, rank: int, dtype: Any = None) -> Any:
        """The part of `rank` as `local` shows one's own. The array stays valid when that rank leaves or dies."""
        return _views.view(self._mappings.show(self._checked(rank)), dtype)

    def array(self, rank: int | None = None, dtype: Any = None) -> Any:
        """The part of `rank` (default: one's own) as an array: the memory itself as in `view` if the processor can access
        it, else a read-only copy of its present contents."""
        rank = self._checked(rank)
        if self._device == "host":
            return self.view(rank, dtype)
        return _views.shaped(memoryview(self.read(self.address(rank), self._bytes)), dtype)

    def put(self, source: Source, address: int) -> None:
        """Copies all bytes of `source`, any object with bytes in one piece (see `Pool.put`), to `address`.

        **One-sided.** Every rank, and every kernel launched afterwards, sees them when this returns.
        """
        self._memory.put(source, address)

    def get(self, address: int, destination: Destination) -> None:
        """Fills `destination`, a writable object with bytes, from `address`. **One-sided.**"""
        self._memory.get(address, destination)

    def read(self, address: int, nbytes: Size) -> bytes:
        """`nbytes` bytes at `address`, as a new object. For small things; `get` fills a buffer that exists."""
        buffer = bytearray(length("nbytes", nbytes))
        self._memory.get(address, buffer)
        return bytes(buffer)

    def copy(self, source: int, destination: int, nbytes: Size) -> None:
        """Copies `nbytes` bytes between two addresses, of any two ranks. **One-sided.**"""
        self._memory.copy_data(source, destination, number("nbytes", nbytes))

    def barrier(self, timeout: float | None = None) -> None:
        """Waits until all ranks have called, at most `timeout` seconds (default: the one of `open_share`). **Collective.**
        Raises `TimedOutError`, which names the missing ranks, and `NotConnectedError` when a rank died or left."""
        if timeout is None:
            self._memory.barrier()
        else:
            self._memory.barrier_within(milliseconds("timeout", timeout))

    def allgather(self, data: Source) -> list[bytes]:
        """The bytes of all ranks, by rank; every rank gives as many, 1 to 65536. **Collective.** `allgather_into` takes more."""
        return _parts(self._memory.all_gather(data), self._size)

    def all_gather(self, data: Source) -> list[bytes]:
        """`allgather` by its other name."""
        return self.allgather(data)

    def group(self, key: str, ranks: Sequence[int]) -> ShareGroup:
        """Some ranks that meet by themselves; all of them name the same `key` (1 to 63 bytes) and `ranks`, in one order."""
        members = tuple(ranks)
        if self._rank not in members:
            raise invalid(f"rank {self._rank} is not one of the ranks {members} of the group {key!r}")
        if len(set(members)) < len(members) or not all(0 <= rank < self._size for rank in members):
            raise invalid(f"the ranks of the group {key!r} must be different ones below {self._size}, not {members}")
        return ShareGroup(self._memory, key, members)

    def set_context(self, context: Source) -> None:
        """Copies 1 to 65536 bytes to the area that kernels of this rank read. Replaces the former context."""
        self._memory.set_context(context)

    def reach(self, rank: int) -> int:
        """Access of kernels on this rank to the memory of `rank`: a set of `shm.ShmDataOpType`."""
        return self._memory.reach(self._checked(rank))

    def alloc_value(self, limit: int = 1024) -> int:
        """Takes the smallest number below `limit` (1 to 1024) that no rank has; it is taken until `release_value`."""
        return self._memory.alloc_value(limit)

    def release_value(self, value: int) -> None:
        """Gives a number back; any rank may. Raises `NotExistError` when no rank has it."""
        self._memory.release_value(value)

    def on_exit(self, callback: Callable[[int], object]) -> None:
        """Has ``callback(status)`` called, on a thread of the library, when a rank calls `exit_all`. Once."""
        self._memory.register_exit(callback)

    def exit_all(self, status: int) -> None:
        """Has the callbacks of all ranks called with `status`. **One-sided**: does not wait for them."""
        self._memory.global_exit(status)

    def _checked(self, rank: int | None) -> int:
        if rank is None:
            return self._rank
        if not 0 <= rank < self._size:
            raise invalid(f"share memory {self._id} has ranks 0 to {self._size - 1} and no rank {rank}")
        return rank

    def __repr__(self) -> str:
        if not self._is_open:
            return f"<mf_smem.SharedMemory {self._id}, closed>"
        return f"<mf_smem.SharedMemory {self._id}, rank {self._rank} of {self._size}>"


def _parts(data: bytes, count: int) -> list[bytes]:
    length = len(data) // count
    return [data[start * length:(start + 1) * length] for start in range(count)]


def open_share(
    store_url: str | None = None,
    world_size: int | None = None,
    rank: int | None = None,
    *,
    local_bytes: Size,
    share_id: int = 0,
    ranks: Sequence[int] | None = None,
    device_id: int | None = None,
    start_store: bool | None = None,
    timeout: float | None = None,
    timeout_s: float | None = None,
    data_ops: int = shm.ShmDataOpType.MTE,
) -> SharedMemory:
    """Creates an object of share memory together with its other ranks; close it with ``with`` or `SharedMemory.close`.

    **Collective**: returns when every rank has the memory of all.

    store_url, world_size, rank
        URL of the store (``tcp://ip:port``), the number of ranks, this rank. Without a URL all three come from the launcher's
        environment (``mf run``, torchrun); without a launcher it is a world of one. Pools of this process are in the same
        world.
    local_bytes
        Bytes of each rank, a multiple of 2 MiB or a text such as ``"64MiB"``, the same in all.
    share_id
        Its number, 0 to 63, the same in all ranks. A process may have several.
    ranks
        Ranks of the world that take part, in the order in which they count; default: all.
    device_id
        Number of the NPU; default: LOCAL_RANK.
    start_store
        True if this process may run the config store; default: yes, in rank 0.
    timeout
        Longest wait for the world, for creating, and for barriers and gathers, in seconds, rounded up to whole ones (default:
        120); the value of a process's first object counts. `timeout_s` is its older name.
    data_ops
        Values of `shm.ShmDataOpType`, combined with ``|``: access of kernels to the memory of others.

    Example::

        with mf_smem.open_share(local_bytes=2 << 20) as share:
            share.put(b"hello", share.address((share.rank + 1) % share.rank_size))
            share.barrier()
            print(share.read(share.address(), 5))
    """
    job: Job | None = None
    if store_url is not None:
        if world_size is None:
            raise invalid("world_size is needed together with store_url")
        job = Job(store_url, world_size, rank)
    elif world_size is not None or rank is not None:
        raise invalid("store_url is needed together with world_size or rank")
    longest = whole(timeout, timeout_s)
    nbytes = contribution("local_bytes", local_bytes)
    SHARES.begin(job, local_rank() if device_id is None else device_id, longest, start_store)
    try:
        own = _mf_smem.shm_rank_id()
        members = list(range(_mf_smem.shm_world_size())) if ranks is None else list(ranks)
        if own not in members:
            raise invalid(f"rank {own} is not one of the ranks {members} of share memory {share_id}")
        memory = shm.create(share_id, len(members), members.index(own), nbytes, data_ops)
    except BaseException:
        SHARES.end()
        raise
    return SharedMemory(memory, share_id)


_OPEN: weakref.WeakSet[SharedMemory] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # Others learn at once that this rank left, instead of taking it for dead.
    for share in list(_OPEN):
        share.close()
