# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A cache of values by key in a pool that the processes of a job share."""

from __future__ import annotations

import atexit
import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Union

from . import _mf_smem, _sigterm
from ._cache_figures import CacheDiskStats, CacheEvent, CacheMember, CachePrefetchCounts, CacheStats
from ._cache_objects import CacheLease, CachePrefetch, CacheWriter
from ._errors import invalid
from ._job import setting
from ._sizes import Size, contribution as contributed, length, shown
from ._types import Destination, Source
from ._unique import Unique
from .pool import Pool, open_pool

__all__ = [
    "Cache",
    "CacheDiskStats",
    "CacheEvent",
    "CacheLease",
    "CacheMember",
    "CachePrefetch",
    "CachePrefetchCounts",
    "CacheStats",
    "CacheWriter",
]

#: A text, which counts as its UTF-8, or bytes: 1 to 4096 of them.
Key = Union[str, bytes]

#: One folder, or several.
Folders = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

#: Default pool number of a cache: far from numbers that programs count from 0.
_POOL_ID = 63
_LONGEST_LEASE_S = 86400.0
_LONGEST_PREFETCH_S = 3600.0
_LONGEST_SAVE_S = 3600.0
#: Ranks of a world, where nobody says how many.
_WORLD_SIZE = 256
#: Contribution of a process that keeps no values.
_GUEST_BYTES = 2 << 20
#: Least size of a tier on disk.
_DISK_BYTES_MIN = 16 << 20
_CHANGES = ("removed", "evicted")


class Cache(Unique):
    """A cache that all processes of a job share: each contributes host memory, each puts and gets values by key.

    There is no server: a lookup is two reads of the index and of the value's head, a get one copy more, and no other
    process acts for it. Values that were not used for long are evicted where memory is short. Values of a process that dies are
    lost unless they have replicas; see docs/kv-cache.md.

    A key is a str (its UTF-8) or bytes, 1 to 4096 of them. A value is any object with bytes in one piece: bytes, bytearray,
    memoryview, a NumPy array, a torch tensor, also on the accelerator of the pool. Every method may be called from any thread,
    lets other threads run meanwhile, and raises a subclass of `Error` when it fails: `InvalidParamError` for a bad key or a
    buffer that is too small, `NoResourcesError` for a value that does not fit.

    Several of them with one `id` in a process share the contribution, the name and the index of the first, and are one member,
    which leaves with the last.
    """

    def __init__(
        self,
        contribution: Size = "256MiB",
        *,
        replicas: int = 1,
        index_entries: int | None = None,
        read_lease: float = 0,
        name: str | None = None,
        disk: Folders | None = None,
        disk_bytes: Size | None = None,
        disk_admission: str | None = None,
        save_on_sigterm: float | None = None,
        id: int = _POOL_ID,
        store_url: str | None = None,
        world_size: int | None = None,
        rank: int | None = None,
        max_contribution: Size | None = None,
        device_id: int | None = None,
        start_store: bool | None = None,
        timeout: float | None = None,
        nic: str = "",
    ) -> None:
        """Makes this process's part of the cache and joins it; close it with ``with`` or `close`.

        contribution
            Host memory that this process gives, 2 MiB to 2 TiB, a multiple of 2 MiB in bytes or a text such as ``"64GiB"``; processes
            may give different amounts. 0: this process keeps nothing; about 20 KiB of memory are used.
        max_contribution
            The most that any process gives: the same in all that pass it, of which one is the first. Default: that of the pool, else
            16 TiB divided by the size of the world, or as much as this one gives. Addresses cost no memory.
        replicas
            Copies of each value, on different processes, 1 to 4; the same in all of them.
        index_entries
            Keys that the index of this process has room for; default: one for each 2 KiB of its contribution.
        read_lease
            Seconds for which each get keeps the value where it is, and from `remove` with `unless_leased`; 0: a get leases nothing.
        name
            Name of this process in the cache, 1 to 255 bytes, such as ``"host:port"``; default: the name of the host, a colon, the rank.
        disk
            Folder on a local disk, or a list of them, for a tier below the memory: values that leave it stay there, and gets find
            them. Folders are made where absent, contain no colon, and belong to one process at a time, which uses ``rank-N`` in
            each, with its rank. Default: the setting ``MF_CACHE_DISK``, without which there is no tier.
        disk_bytes
            Size of the tier, all folders together, 16 MiB or more, in bytes or as ``"1TiB"``; folders that exist keep their size.
            Default: ``MF_CACHE_DISK_BYTES``, 64 GiB.
        disk_admission
            Values that the tier takes: ``"all"``, or ``"reused"`` for those that were read or replaced an earlier one. Default:
            ``MF_CACHE_DISK_ADMISSION``, all. A process without contribution takes none of these three.
        save_on_sigterm
            Seconds for which this object saves values to its disk, as `close` with `save`, when the process gets SIGTERM; it is
            closed then, and the handler that the program had before is called, by default the one that ends the process. 0: it
            does not. Default: ``MF_CACHE_SAVE_ON_SIGTERM``, 0. Python installs the handler when the first such object is made
            by the main thread, and logs a warning where it cannot.
        id
            Number of the pool that the cache lies in, 0 to 63, the same in all processes. Caches of one job have different ones.
        store_url, world_size, rank, device_id, start_store, timeout, nic
            As for `open_pool`; with a `store_url` the default of `world_size`, the most processes at once, is 256 in all processes.
        """
        if not 1 <= replicas <= 4:
            raise invalid(f"replicas must be 1 to 4, and is {replicas}")
        if index_entries is not None and index_entries < 1:
            raise invalid(f"index_entries must be at least 1, and is {index_entries}")
        lease_ms = _milliseconds("read_lease", read_lease)
        nbytes = contributed("contribution", contribution)
        folders = None if disk is None else _joined(disk)
        disk_length = 0 if disk_bytes is None else _disk_length(disk_bytes)
        if disk_admission not in (None, "all", "reused"):
            raise invalid(f"disk_admission must be 'all' or 'reused', and is {disk_admission!r}")
        if save_on_sigterm is None:
            save_on_sigterm = float(setting("MF_CACHE_SAVE_ON_SIGTERM") or 0)
        if not 0 <= save_on_sigterm <= _LONGEST_SAVE_S:
            raise invalid(f"save_on_sigterm must be 0 to {_LONGEST_SAVE_S:.0f} seconds, not {save_on_sigterm}")
        disk_reused = None if disk_admission is None else disk_admission == "reused"
        if store_url is not None and world_size is None:
            world_size = _WORLD_SIZE

        def made() -> Pool:
            return open_pool(
                store_url, world_size, rank, host_bytes=nbytes or _GUEST_BYTES,
                max_host_bytes="any" if max_contribution is None else max_contribution, pool_id=id,
                device_id=device_id, start_store=start_store, timeout=timeout, nic=nic,
            )

        self._shared = _SharedPool.of(id, nbytes, store_url, made)
        try:
            self._session = _mf_smem.CacheSession(
                self.pool.memory, replicas, index_entries or 0, lease_ms, self._shared.nbytes == 0, name,
                folders, disk_length, disk_reused,
            )
        except BaseException:
            self._shared.give_back()
            raise
        # Also when this object is collected.
        self._finish = weakref.finalize(self, _end, self._session, self._shared)
        self._finish.atexit = False
        _OPEN.add(self)
        if save_on_sigterm > 0:
            _sigterm.save(self, save_on_sigterm)

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self, *, save: bool = False, save_seconds: float = 10) -> int:
        """Closes this object. With the last of this process with this `id` the process leaves the cache and gives its memory
        back: values that lie here and have no replica are lost. Idempotent; **local**. Views of leases have mappings of their
        own and stay valid.

        With `save` that last one moves values from memory to its tier on disk before, for at most `save_seconds` (an hour at
        most): recently read values first, then the newest. Another start with the same folders may offer them.
        Values that wait in the queue of the disk, 256 MiB at most, are written after that. Returns the number of saved
        values: 0 without `save` or without a tier.
        """
        saved = 0
        if save:
            if not 0 <= save_seconds <= _LONGEST_SAVE_S:
                raise invalid(f"save_seconds must be 0 to {_LONGEST_SAVE_S:.0f}, not {save_seconds}")
            saved = self._session.close_saving(math.ceil(save_seconds * 1000))
        _OPEN.discard(self)
        self._finish()
        return saved

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return self._session.closed

    @property
    def pool(self) -> Pool:
        """The pool that the cache lies in. Its memory is the cache's alone."""
        return self._shared.pool

    def put(
        self,
        key: Key,
        value: Source,
        *,
        replicas: int | None = None,
        replace: bool = True,
        pin: bool = False,
        prefer: int | str | None = None,
    ) -> bool:
        """Puts a value; returns whether it was stored, which is False only where `replace` is False and there was one.

        `replicas` is for this value alone. With `pin` it is not evicted before `unpin`, `remove` or another put of the key. A
        process that reads the key meanwhile gets the old value or the new one, whole. Raises `NoResourcesError` if the value
        does not fit beside pinned and leased values.

        `prefer` is the rank, the name or the host of the process that should hold the value (`members`), if it has room; one that
        is not there does not count.
        """
        return self._session.put(key, value, replicas or 0, replace, pin, self._rank_of(prefer))

    def put_pieces(
        self,
        key: Key,
        values: Sequence[Source],
        *,
        replicas: int | None = None,
        replace: bool = True,
        pin: bool = False,
        prefer: int | str | None = None,
    ) -> bool:
        """Puts the bytes of all these objects, one behind the other, as one value, without a copy of them; as `put`."""
        return _mf_smem.cache_put_pieces(
            self._session, key, values, replicas or 0, replace, pin, self._rank_of(prefer)
        )

    def begin(
        self,
        key: Key,
        nbytes: Size,
        *,
        replicas: int | None = None,
        replace: bool = True,
        pin: bool = False,
        prefer: int | str | None = None,
    ) -> CacheWriter:
        """Begins a value of `nbytes` that is written in pieces, in any order, and that nobody sees before `CacheWriter.publish`.
        Takes room for all of it at once; as `put`."""
        native = _mf_smem.CacheWriter(
            self._session, key, length("nbytes", nbytes), replicas or 0, replace, pin, self._rank_of(prefer)
        )
        return CacheWriter(native)

    def get(self, key: Key) -> bytes | None:
        """The value as a new object, or None. `get_into` saves making one."""
        return self._session.get(key)

    def get_into(self, key: Key, out: Destination) -> int | None:
        """Copies the value to the start of `out`, a writable object with bytes, also a tensor on the accelerator of the pool;
        returns its length, or None. Raises `InvalidParamError` where `out` is too small; the text has both lengths."""
        return self._session.get_into(key, out)

    def get_pieces(self, key: Key, outs: Sequence[Destination], *, lease: float = 0) -> int | None:
        """Copies the value to these objects, which it fills one behind the other, wherever it was cut when it was put; returns
        its length, or None. With `lease` it stays where it is for so many seconds (0: `read_lease`). Raises `InvalidParamError`
        where all of them together are too small."""
        return _mf_smem.cache_get_pieces(self._session, key, outs, None, _milliseconds("lease", lease))

    def get_ranges(
        self, key: Key, outs: Sequence[Destination], offsets: Sequence[int], *, lease: float = 0
    ) -> int | None:
        """Copies parts of the value, all of the same one: to each object as many bytes as it has, from its offset on; returns the
        length of the whole value, or None. `lease` as in `get_pieces`. Raises `InvalidParamError` where a part ends beyond the
        value; nothing is copied then."""
        return _mf_smem.cache_get_pieces(self._session, key, outs, offsets, _milliseconds("lease", lease))

    def exists(self, key: Key) -> bool:
        """True if a value exists; it may be evicted at once: `lease` keeps it."""
        return self._session.exists(key)

    def __contains__(self, key: object) -> bool:
        return self._session.exists(key)  # type: ignore[arg-type]

    def size_of(self, key: Key) -> int | None:
        """Length of the value in bytes, or None."""
        return self._session.size_of(key)

    def remove(self, key: Key, *, unless_leased: bool = False) -> bool:
        """Removes the value and its replicas; returns whether there was one. With `unless_leased` it raises `InUseError` if the
        value is leased, by `lease` or a get; a pin is no lease, and hides those of its value."""
        return self._session.remove(key, unless_leased)

    def clear(self, *, unless_leased: bool = False) -> int:
        """Removes all values, including pinned ones and other processes', with `unless_leased` those that are not leased; returns
        their number. Concurrent puts may stay or go. Takes about a microsecond for each value."""
        return self._session.clear(unless_leased)

    def keys(self, prefix: Key = b"") -> Iterator[bytes]:
        """The keys that have values, as bytes, in no order; filtered by `prefix`. They are read from the cache a part at a time
        while this goes on: concurrent changes may be included or not, and while processes come or go a key may come twice."""
        wanted, part, next_part = prefix.encode() if isinstance(prefix, str) else prefix, 0, 1
        while next_part:
            keys, next_part = self._session.keys(part)
            yield from (key for key in keys if key.startswith(wanted))
            part = next_part

    def pin(self, key: Key) -> bool:
        """Keeps the value from being evicted; returns whether there is one."""
        return self._session.pin(key, True)

    def unpin(self, key: Key) -> bool:
        """Ends `pin`; returns whether there is a value."""
        return self._session.pin(key, False)

    def put_many(
        self,
        keys: Sequence[Key],
        values: Sequence[Source],
        *,
        replicas: int | None = None,
        replace: bool = True,
        pin: bool = False,
        prefer: int | str | None = None,
        skip_errors: bool = False,
    ) -> list[bool]:
        """`put` for many keys in one call of the library. All are tried; then the first error is raised, or, with
        `skip_errors`, values that failed are False."""
        return _mf_smem.cache_put_many(
            self._session, keys, values, replicas or 0, replace, pin, self._rank_of(prefer), skip_errors
        )

    def get_many(self, keys: Sequence[Key], *, skip_errors: bool = False) -> list[bytes | None]:
        """`get` for many keys in two calls of the library; errors as in `put_many`, where None stands for a failure."""
        return _mf_smem.cache_get_many(self._session, keys, skip_errors)

    def get_many_into(
        self, keys: Sequence[Key], outs: Sequence[Destination], *, skip_errors: bool = False
    ) -> list[int | None]:
        """`get_into` for many keys in one call of the library; errors as in `get_many`."""
        return _mf_smem.cache_get_many_into(self._session, keys, outs, skip_errors)

    def exists_many(self, keys: Sequence[Key], *, skip_errors: bool = False) -> list[bool]:
        """`exists` for many keys in one call of the library; errors as in `put_many`."""
        return _mf_smem.cache_exists_many(self._session, keys, skip_errors)

    def count_prefix(self, keys: Sequence[Key]) -> int:
        """Number of leading keys with a value: the length of a cached prefix."""
        return _mf_smem.cache_count_prefix(self._session, keys)

    def prefetch(self, keys: Sequence[Key], *, deadline: float = 30) -> CachePrefetch:
        """Starts to bring values into memory of this host, from disks and from other hosts, on threads of the library: call it
        where it is known which values will be got soon. Does not wait; the returned object may be dropped.

        At most 65,536 keys of this process wait, and after `deadline` seconds, at most 3600, the rest of these keys is dropped. A
        key that waits already is not queued again; a value that is in memory here costs a lookup. A value of another host gets a
        copy in free room of this process; a process without contribution lets values come back from disks, and copies none.
        Keys that fail are counted, not raised.
        """
        if not 0 <= deadline <= _LONGEST_PREFETCH_S:
            raise invalid(f"deadline must be 0 to {_LONGEST_PREFETCH_S:.0f} seconds, not {deadline}")
        return CachePrefetch(_mf_smem.CachePrefetch(self._session, keys, math.ceil(deadline * 1000)))

    def lease(self, key: Key, seconds: float) -> CacheLease | None:
        """Keeps the value where it is for so many seconds (at most a day): it is not evicted, and its bytes are not overwritten,
        also when the key is removed or put again. None where there is no value. The clocks of the members must agree to less
        than that."""
        if not 0 < seconds <= _LONGEST_LEASE_S:
            raise invalid(f"seconds must be more than 0 and at most {_LONGEST_LEASE_S:.0f}, not {seconds}")
        # Counted from before the call, so that it ends here no later than there.
        begun = time.monotonic()
        leased = self._session.lease(key, math.ceil(seconds * 1000))
        return None if leased is None else CacheLease(self.pool, self._session, begun + seconds, *leased)

    def members(self) -> list[CacheMember]:
        """The processes that take part, by rank."""
        return [CacheMember(*member) for member in _mf_smem.cache_members(self._session)]

    def locate(self, key: Key) -> list[int]:
        """Ranks of the processes that hold the value, ascending; empty for an absent value. The value may be evicted at once."""
        found = _mf_smem.cache_locate(self._session, key)
        return [] if found is None else found[0]

    def watch(self, most: int) -> None:
        """Starts to record events: removals by this process, and evictions by its puts. At most `most` events wait for
        `events`; later events are counted as lost. Replacement, and loss of a process, cause no event. 0 stops the recording.
        A second call discards the recorded events and starts again. **Local.**"""
        if most < 0:
            raise invalid(f"most must not be negative, and is {most}")
        _mf_smem.cache_watch(self._session, most)

    def events(self) -> tuple[list[CacheEvent], int]:
        """Returns and removes the oldest events, at most 1024. Also returns the number of lost events, 0 as long as recorded
        events remain. **Local**, non-blocking. Raises `NotStartedError` without `watch`."""
        events, lost = _mf_smem.cache_events(self._session)
        return [CacheEvent(_CHANGES[change], key) for change, key in events], lost

    def _rank_of(self, prefer: int | str | None) -> int | None:
        return _mf_smem.cache_find_member(self._session, prefer) if isinstance(prefer, str) else prefer

    def stats(self) -> CacheStats:
        """State of the cache, and counters of this process. **Local.**"""
        found = self._session.disk_stats()
        disk = None if found is None else CacheDiskStats(*found[0], is_off=found[1])
        return CacheStats(*self._session.stats(), disk=disk)

    def __repr__(self) -> str:
        if self.closed:
            return "<mf_smem.Cache, closed>"
        return f"<mf_smem.Cache in pool {self.pool.id}, rank {self.pool.rank} of {self.pool.world_size}>"


def _joined(disk: Folders) -> str:
    """Folders as the library takes them."""
    folders = [os.fspath(folder) for folder in ([disk] if isinstance(disk, (str, os.PathLike)) else disk)]
    if not folders or "" in folders:
        raise invalid(f"disk must be a folder or a list of folders, and is {disk!r}")
    for folder in folders:
        if ":" in folder:
            raise invalid(f"a folder of the disk must not contain a colon, and {folder!r} does")
    return ":".join(folders)


def _disk_length(disk_bytes: Size) -> int:
    nbytes = length("disk_bytes", disk_bytes)
    if nbytes < _DISK_BYTES_MIN:
        raise invalid(f"disk_bytes must be at least 16 MiB, and is {shown(nbytes)}")
    return nbytes


def _milliseconds(name: str, seconds: float) -> int:
    if not 0 <= seconds <= _LONGEST_LEASE_S:
        raise invalid(f"{name} must be 0 to {_LONGEST_LEASE_S:.0f} seconds, not {seconds}")
    return math.ceil(seconds * 1000)


def _end(session: _mf_smem.CacheSession, shared: _SharedPool) -> None:
    session.close()
    shared.give_back()


#: Guards the table of pools. Held while a pool is opened or closed.
_LOCK = threading.RLock()


class _SharedPool:
    """The pool of all caches of this process with one id."""

    _all: dict[int, _SharedPool] = {}

    def __init__(self, id: int, nbytes: int, store_url: str | None, pool: Pool) -> None:
        self.id, self.nbytes, self.store_url, self.pool = id, nbytes, store_url, pool
        self._users = 0

    @classmethod
    def of(cls, id: int, nbytes: int, store_url: str | None, made: Callable[[], Pool]) -> _SharedPool:
        """The one with that id, opened by the first call; each is given back by `give_back`."""
        with _LOCK:
            shared = cls._all.get(id)
            if shared is None or shared.pool.closed:
                shared = cls._all[id] = cls(id, nbytes, store_url, made())
            elif nbytes > shared.nbytes:
                raise invalid(
                    f"this process has a cache with id {id} and a contribution of {shown(shared.nbytes)}, which all of them share, "
                    f"and cannot contribute {shown(nbytes)}: open the one with the largest contribution first"
                )
            elif store_url is not None and store_url != shared.store_url:
                raise invalid(f"this process has a cache with id {id} at {shared.store_url}, not at {store_url}")
            shared._users += 1
            return shared

    def give_back(self) -> None:
        with _LOCK:
            self._users -= 1
            if self._users == 0:
                if self._all.get(self.id) is self:
                    del self._all[self.id]
                self.pool.close()


_OPEN: weakref.WeakSet[Cache] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # Before the pools, which were registered earlier and are closed later.
    for cache in list(_OPEN):
        cache.close()
