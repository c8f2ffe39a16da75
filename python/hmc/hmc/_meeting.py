# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How the processes of a group meet: by torch.distributed where it is initialised, else by the config store of the job."""

from __future__ import annotations

import atexit
import contextlib
import json
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

import mf_smem
from mf_smem._job import Job

from ._errors import HMCError


#: So often it is checked whether who is waited for is there.
_CHECKED_S = 0.5
#: How long the process that runs the store waits for the others to leave it.
_LEAVING_S = 5.0


class Meeting(Protocol):
    """Calls that all processes make. **Collective.**"""

    rank: int
    world: int

    def gather(self, value: dict[str, Any], check: Callable[[int], None] | None = None) -> list[dict[str, Any]]:
        """The values of all, ordered by rank. `check` is called with ranks that are waited for, and raises for one that is gone."""

    def barrier(self) -> None:
        """Returns when all are here."""


class TorchMeeting:
    """By torch.distributed."""

    def __init__(self, distributed: Any) -> None:
        self._distributed = distributed
        self.rank: int = distributed.get_rank()
        self.world: int = distributed.get_world_size()

    def gather(self, value: dict[str, Any], check: Callable[[int], None] | None = None) -> list[dict[str, Any]]:
        gathered: list[Any] = [None] * self.world
        self._distributed.all_gather_object(gathered, value)
        return gathered

    def barrier(self) -> None:
        self._distributed.barrier()

    def by_store(self, ip: str, name: str) -> Meeting:
        """The same over a store that rank 0 starts at its address: a barrier of torch over gloo takes milliseconds. By torch all
        the same where a process does not reach that store."""
        store, server = None, None
        if self.rank == 0:
            with contextlib.suppress(mf_smem.Error, OSError):
                server = mf_smem.StoreServer(f"tcp://{ip}:{_free_port(ip)}")
        url: str | None = self.gather({"url": None if server is None else server.url})[0]["url"]
        if url is not None:
            with contextlib.suppress(mf_smem.Error):
                store = mf_smem.Store(url)
        reached = [answer["reached"] for answer in self.gather({"reached": store is not None})]
        if store is None or not all(reached):
            if server is not None:
                server.close()
            return self
        atexit.register(_end, store, server, self.world)
        return _StoreMeeting(store, Job(store.url, self.world, self.rank), self.rank, f"torch/{name}")


def _free_port(ip: str) -> int:
    with socket.socket() as probe:
        probe.bind((ip, 0))
        port: int = probe.getsockname()[1]
        return port


class _StoreMeeting:
    """Meets by keys of the store, as its guest: the process may be a member of the job by another interface as well.

    Meetings have numbers, which all members count alike. One that Ctrl-C has left is begun again by the next call.
    """

    def __init__(self, store: mf_smem.Store, job: Job, rank: int, name: str) -> None:
        self._store = store
        self._prefix = f"hmc/{name}"
        #: Keys of past barriers that are still there.
        self._past: list[str] = []
        #: Where this process may have come already.
        self._begun = ""
        self.rank = rank
        self.world = job.world_size

    def _place(self) -> str:
        return f"{self._prefix}/{_NUMBERS.setdefault(self._prefix, 0)}"

    def gather(self, value: dict[str, Any], check: Callable[[int], None] | None = None) -> list[dict[str, Any]]:
        place = self._place()
        keys = [f"{place}/{rank}" for rank in range(self.world)]
        self._store.set(keys[self.rank], json.dumps(value))
        end = time.monotonic() + self._store.timeout.total_seconds()
        while True:
            left = max(end - time.monotonic(), 0.0)
            try:
                self._store.wait(keys, left if check is None else min(left, _CHECKED_S))
                break
            except mf_smem.TimedOutError as error:
                if check is not None:
                    # The store goes with it, as a rule, and is waited for.
                    check(0)
                missing = [rank for rank, key in enumerate(keys) if self._store.entry(key) is None]
                if check is None or left <= _CHECKED_S:
                    raise self._absent(place, missing) from error
            for rank in missing:
                check(rank)
        gathered = [json.loads(self._store.get(key)) for key in keys]
        _NUMBERS[self._prefix] += 1
        # The last to leave clears up.
        if self._store.add(f"{place}/left", 1) == self.world:
            for key in (f"{place}/left", *keys):
                self._store.delete_key(key)
        return gathered

    def barrier(self) -> None:
        """Who comes adds its rank to a list; who is last opens for all."""
        if self.world == 1:
            return
        place = self._place()
        came, opened = f"{place}/came", f"{place}/open"
        count = self._come(came)
        if count == 1:
            # All are behind the barrier before the last one; who is first has the time to clear up.
            for key in self._past[:-2]:
                self._store.delete_key(key)
        if count == self.world:
            self._store.set(opened, b"1")
        else:
            try:
                self._store.wait([opened])
            except mf_smem.TimedOutError as error:
                here = _ranks(self._store.get(came))
                raise self._absent(place, [rank for rank in range(self.world) if rank not in here]) from error
        self._past = [*self._past[-2:], came, opened]
        _NUMBERS[self._prefix] += 1

    def _come(self, key: str) -> int:
        """Adds one's own rank to a list, once; returns how many are in it."""
        if self._begun == key:
            entry = self._store.entry(key)
            ranks = [] if entry is None else _ranks(entry.value)
            if self.rank in ranks:
                return len(ranks)
        self._begun = key
        return self._store.append(key, self.rank.to_bytes(_RANK_BYTES, "little")) // _RANK_BYTES

    def _absent(self, place: str, missing: list[int]) -> HMCError:
        return HMCError(f"ranks {missing} of {self.world} did not come to meeting {place}")


def _ranks(found: bytes) -> list[int]:
    return [int.from_bytes(found[at : at + _RANK_BYTES], "little") for at in range(0, len(found), _RANK_BYTES)]


#: Length of a rank in a list of them.
_RANK_BYTES = 4
#: Numbers of the next meeting, by the name of the group; all members count alike.
_NUMBERS: dict[str, int] = {}
#: This process as a guest of its job's store, made once.
_STORE: mf_smem.Store | None = None


def meeting(group_id: str) -> Meeting:
    """That of this process. Raises `RuntimeError` where it belongs to no job."""
    torch: Any = sys.modules.get("torch.distributed")
    if torch is not None and torch.is_available() and torch.is_initialized():
        return TorchMeeting(torch)
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
