# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures, members and events of a cache."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class CacheDiskStats:
    """Figures of the tier on disk of this process, since it was opened."""

    #: Size of the tier, and bytes and number of the values on it; bytes are whole pages.
    capacity_bytes: int
    bytes: int
    values: int
    #: Gets of this process that read a value from it.
    hits: int
    #: Values that entered its queue, and that it did not keep: full queue, fault, too large.
    admissions: int
    drops: int
    #: Values on disk that were lost: to make room there, or by damage.
    lost: int
    #: Values that left memory for it, and that came back.
    demotions: int
    promotions: int
    #: Bytes in its queue, and bytes written, with heads and padding.
    queue_bytes: int
    written_bytes: int
    #: Disk calls that failed; True: a fault has switched the disk off, and it is tried again.
    faults: int
    is_off: bool = dataclasses.field(kw_only=True)


@dataclasses.dataclass(frozen=True)
class CacheStats:
    """State of a cache, and counters of this process since it opened it."""

    #: Processes that take part.
    members: int
    #: Bytes for values, of all members.
    capacity_bytes: int
    #: Bytes that this process manages, in any contribution, and the unused part of them.
    managed_bytes: int
    free_bytes: int
    #: Values that were got or leased, and keys that had none.
    hits: int
    misses: int
    #: Values that were put, and that were removed.
    puts: int
    removals: int
    #: Values evicted from the memory that this process manages.
    evictions: int
    #: Replicas that found no member, or no room.
    replicas_missing: int
    #: The tier on disk of this process, if it has one.
    disk: CacheDiskStats | None = dataclasses.field(default=None, kw_only=True)


@dataclasses.dataclass(frozen=True)
class CacheMember:
    """A process that takes part in a cache."""

    rank: int
    #: As `Cache` got it: ``host:port``, for example.
    name: str
    #: Bytes for values in its contribution; 0: it keeps none.
    capacity_bytes: int
    #: True if it is on this host.
    is_near: bool


@dataclasses.dataclass(frozen=True)
class CacheEvent:
    """A value that this process removed or evicted."""

    #: ``"removed"`` or ``"evicted"``.
    change: str
    key: bytes


@dataclasses.dataclass(frozen=True)
class CachePrefetchCounts:
    """Results of a prefetch, in keys. The rest of `keys` is not done yet."""

    #: Keys of the call.
    keys: int
    #: Values that were in memory of this host already, and that came from a disk or from another host.
    present: int
    fetched: int
    #: Keys without a value.
    missing: int
    #: Values that did not come: no room in memory, a disk or a process that does not answer, a key that is empty or too long.
    failed: int
    #: Keys that the queue had no room for, or that were not done at the deadline.
    dropped: int
