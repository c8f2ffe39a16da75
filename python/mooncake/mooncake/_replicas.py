# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Replicas of values: descriptors, and tasks for copies and moves."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence

from ._base import coded
from ._codes import FAILED, NO_SEGMENT, NO_TASK, NOT_FOUND, NOT_SUPPORTED, OK
from ._failure import failed
from ._sessions import Sessions
from ._values import Key


class ReplicaStatus(enum.IntEnum):
    """State of a replica. Listed replicas are always COMPLETE."""

    UNDEFINED = 0
    INITIALIZED = 1
    PROCESSING = 2
    COMPLETE = 3
    REMOVED = 4
    FAILED = 5


class TaskType(enum.IntEnum):
    """Kind of a task."""

    REPLICA_COPY = 0
    REPLICA_MOVE = 1


class TaskStatus(enum.IntEnum):
    """State of a task."""

    PENDING = 0
    PROCESSING = 1
    FAILED = 2
    SUCCESS = 3


@dataclasses.dataclass(frozen=True)
class QueryTaskResponse:
    """State of a task. No call returns one, because tasks do not exist here."""

    id: tuple[int, int] = (0, 0)
    type: TaskType = TaskType.REPLICA_COPY
    status: TaskStatus = TaskStatus.PENDING
    created_at_ms_epoch: int = 0
    last_updated_at_ms_epoch: int = 0
    assigned_client: tuple[int, int] = (0, 0)
    message: str = ""


@dataclasses.dataclass(frozen=True)
class Descriptor:
    """Memory of a replica. `buffer_address` is 0 if this process does not map it."""

    size: int
    buffer_address: int
    #: Name of the member that owns the memory.
    transport_endpoint: str


@dataclasses.dataclass(frozen=True)
class MemoryDescriptor:
    """A replica in memory."""

    buffer_descriptor: Descriptor


@dataclasses.dataclass(frozen=True)
class DiskDescriptor:
    """A replica on disk."""

    file_path: str
    object_size: int


@dataclasses.dataclass(frozen=True)
class ReplicaDescriptor:
    """A replica of a value, in memory."""

    status: ReplicaStatus
    _memory: MemoryDescriptor

    def is_memory_replica(self) -> bool:
        """Returns True."""
        return True

    def is_disk_replica(self) -> bool:
        """Returns False."""
        return False

    def is_local_disk_replica(self) -> bool:
        """Returns False."""
        return False

    def get_memory_descriptor(self) -> MemoryDescriptor:
        """Returns the descriptor of the replica's memory."""
        return self._memory

    def get_disk_descriptor(self) -> DiskDescriptor:
        """Raises `RuntimeError`, because replicas are in memory."""
        raise RuntimeError("the replica is in memory, not on disk")


class Replicas(Sessions):
    """Methods for replicas."""

    @coded([])
    def get_replica_desc(self, key: Key) -> list[ReplicaDescriptor]:
        """Returns the replicas of a value. Empty for an absent value."""
        space = self._opened()
        return [
            ReplicaDescriptor(ReplicaStatus.COMPLETE, MemoryDescriptor(Descriptor(size, 0, name)))
            for name, size in space.places(space.keys.of(key))
        ]

    def batch_get_replica_desc(self, keys: Sequence[Key]) -> dict[Key, list[ReplicaDescriptor]]:
        """Returns the replicas of many values by key, without absent values."""
        found = {key: self.get_replica_desc(key) for key in keys}
        return {key: replicas for key, replicas in found.items() if replicas}

    @coded([])
    def batch_replica_clear(self, keys: Sequence[Key], segment_name: str = "") -> list[Key]:
        """Removes values without a read lease. Returns the keys of the removed values.

        `segment_name` limits this to values with a replica on that member; empty for any member.
        """
        self._opened()
        cleared = []
        for key in keys:
            names = [one.get_memory_descriptor().buffer_descriptor.transport_endpoint for one in self.get_replica_desc(key)]
            if names and (not segment_name or segment_name in names) and self.remove(key) == OK:
                cleared.append(key)
        return cleared

    def create_copy_task(self, key: Key, targets: Sequence[str]) -> tuple[tuple[int, int], int]:
        """Returns -1012, because only puts create replicas (`ReplicateConfig.replica_num`)."""
        return (0, 0), self._no_task(key, targets)

    def create_move_task(self, key: Key, source: str, target: str) -> tuple[tuple[int, int], int]:
        """Returns -1012, because values do not move."""
        return (0, 0), self._no_task(key, [source, target])

    @coded()
    def _no_task(self, key: Key, names: Sequence[str]) -> int:
        space = self._opened()
        if space.size_of(space.keys.of(key)) is None:
            return failed(f"there is no value of {key!r}", NOT_FOUND)
        unknown = [name for name in names if space.find(name) is None]
        if unknown:
            return failed(f"no member is named {', '.join(unknown)}", NO_SEGMENT)
        return failed("values are copied by puts with replica_num, and are not moved", NOT_SUPPORTED)

    def query_task(self, task_id: tuple[int, int]) -> tuple[None, int]:
        """Returns -1400, because tasks do not exist; -1 before set-up."""
        return None, failed(f"there is no task {task_id}", NO_TASK if self._space is not None else FAILED)
