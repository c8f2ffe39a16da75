# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How the processes of a group meet: by torch.distributed where it is initialised, else by the config store of the job."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import sys
import time
from collections.abc import Iterator
from typing import Any, Protocol

import mf_smem
from mf_smem._job import Job

from ._errors import HMCError


#: How long the process that runs the store waits for the others to leave it.
_LEAVING_S = 5.0


class Meeting(Protocol):
    """Calls that all processes make. **Collective.**"""

    rank: int
    world: int

    def gather(self, value: dict[str, Any]) -> list[dict[str, Any]]:
        """The values of all, ordered by rank."""

    def barrier(self) -> None:
        """Returns when all are here."""


class _TorchMeeting:
    def __init__(self, distributed: Any) -> None:
        self._distributed = distributed
        self.rank: int = distributed.get_rank()
        self.world: int = distributed.get_world_size()

    def gather(self, value: dict[str, Any]) -> list[dict[str, Any]]:
        gathered: list[Any] = [None] * self.world
        self._distributed.all_gather_object(gathered, value)
        return gathered

    def barrier(self) -> None:
        self._distributed.barrier()


class _StoreMeeting:
    """Meets by keys of the store, as its guest: the process may be a member of the job by another interface as well."""

    def __init__(self, store: mf_smem.Store, job: Job, rank: int, name: str) -> None:
        self._store = store
        self._prefix = f"hmc/{name}"
        self.rank = rank
        self.world = job.world_size

    def gather(self, value: dict[str, Any]) -> list[dict[str, Any]]:
        number = next(_NUMBERS.setdefault(self._prefix, itertools.count()))
        place = f"{self._prefix}/{number}"
        keys = [f"{place}/{rank}" for rank in range(self.world)]
        self._store.set(keys[self.rank], json.dumps(value))
        try:
            self._store.wait(keys)
        except mf_smem.TimedOutError as error:
            missing = [rank for rank, key in enumerate(keys) if self._store.entry(key) is None]
            raise HMCError(f"ranks {missing} of {self.world} did not come to meeting {number} of {self._prefix}") from error
        gathered = [json.loads(self._store.get(key)) for key in keys] if value else []
        # The last to leave clears up.
        if self._store.add(f"{place}/left", 1) == self.world:
            for key in (f"{place}/left", *keys):
                self._store.delete_key(key)
        return gathered

    def barrier(self) -> None:
        self.gather({})


#: Numbers of the next meeting, by the name of the group; all members count alike.
_NUMBERS: dict[str, Iterator[int]] = {}
#: This process as a guest of its job's store, made once.
_STORE: mf_smem.Store | None = None


def meeting(group_id: str) -> Meeting:
    """That of this process. Raises `RuntimeError` where it belongs to no job."""
    torch: Any = sys.modules.get("torch.distributed")
    if torch is not None and torch.is_available() and torch.is_initialized():
        return _TorchMeeting(torch)
    job = Job.from_environment()
    if job.rank is None:
        raise RuntimeError(
            "no group of processes: call torch.distributed.init_process_group first, or start the processes with a launcher, for "
            "example `mf run -n 2 -- python program.py`"
        )
    return _StoreMeeting(_store(job), job, job.rank, group_id)


def _store(job: Job) -> mf_smem.Store:
    global _STORE
    if _STORE is None or _STORE.closed:
        server = None
        if job.rank == 0:
            # Elsewhere it runs already: in this process, or in one of its own.
            with contextlib.suppress(mf_smem.Error):
                server = mf_smem.StoreServer(job.store_url)
        _STORE = mf_smem.Store(job.store_url)
        atexit.register(_end, _STORE, server, job.world_size)
    return _STORE


def _end(store: mf_smem.Store, server: mf_smem.StoreServer | None, world: int) -> None:
    """Leaves the store; where it runs here, behind the others, which may still read what the last meeting left."""
    end = time.monotonic() + _LEAVING_S
    with contextlib.suppress(mf_smem.Error):
        gone = store.add("hmc/gone", 1)
        while server is not None and gone < world and time.monotonic() < end:
            time.sleep(0.01)
            gone = store.add("hmc/gone", 0)
        store.close()
    if server is not None:
        server.close()
