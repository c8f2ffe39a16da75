# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meeting of the processes of a group: by torch.distributed if it is initialised, else by the config store of the job."""

from __future__ import annotations

import atexit
import contextlib
import json
import socket
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import mf_smem
from mf_smem._job import Job

from ._errors import HMCError
from ._lives import DEADLINE_S, PAUSE_S, Lives, may_pass

#: Longest wait for an answer of the store before it is found out whether rank 0 is there.
_ANSWER_S = 2.0
#: Interval of liveness checks of awaited members: first, and at most.
_CHECKED_S, _CHECKED_MOST_S = 0.5, 2.0
#: Longest attempt to reach a store that runs.
_REACHED_S = 30.0
#: How long the process that runs the store waits for the others to leave it.
_LEAVING_S = 5.0


class Meeting(Protocol):
    """Meeting of processes. Waits raise `HMCError` if an awaited process has died, or does not come."""

    rank: int
    world: int

    def gather(self, value: dict[str, Any]) -> list[dict[str, Any]]:
        """The values of all, ordered by rank. **Collective.**"""

    def barrier(self) -> None:
        """Returns when all are here. **Collective.**"""

    def fail(self, why: str) -> None:
        """Has the others know that this process does not go on."""

    def check(self) -> None:
        """Raises `HMCError` when one of the others does not."""


class TorchMeeting:
    """By torch.distributed."""

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

    def fail(self, why: str) -> None:
        """Torch has no word for it."""

    def check(self) -> None:
        """The others cannot say so."""

    def by_store(self, ip: str, own: str, name: str) -> Meeting:
        """The same over a store that rank 0 starts at its address `ip`: a barrier of torch over gloo takes milliseconds. By torch all
        the same where a process does not reach that store. `own` is one's own address."""
        store, server, lives = None, None, None
        if self.rank == 0:
            with contextlib.suppress(mf_smem.Error, OSError):
                server = mf_smem.StoreServer(f"tcp://{ip}:{_free_port(ip)}")
        url: str | None = self.gather({"url": None if server is None else server.url})[0]["url"]
        if url is not None:
            with contextlib.suppress(mf_smem.Error, HMCError):
                # It runs already.
                store = _connected(url, within=_REACHED_S)
                lives = Lives(store, self.rank, own)
        reached = [answer["reached"] for answer in self.gather({"reached": lives is not None})]
        if store is None or lives is None or not all(reached):
            if server is not None:
                server.close()
            return self
        atexit.register(_end, store, server, self.world)
        return _StoreMeeting(store, lives, self.world, self.rank, f"torch/{name}")


def _free_port(ip: str) -> int:
    with socket.socket() as probe:
        probe.bind((ip, 0))
        port: int = probe.getsockname()[1]
        return port


class _StoreMeeting:
    """Meets by keys of the store, as its guest: the process may be a member of the job by another interface as well.

    Meetings have numbers, which all members count alike. One that Ctrl-C has left is begun again by the next call.
    """

    def __init__(self, store: mf_smem.Store, lives: Lives, world: int, rank: int, name: str) -> None:
        self._store, self._lives = store, lives
        self._prefix = f"hmc/{name}"
        #: Where one says that it does not go on; a group that is made later has another place.
        self._failed = f"{self._place()}/failed"
        #: Keys of past barriers that are still there.
        self._past: list[str] = []
        #: Where this process may have come already.
        self._begun = ""
        self.rank, self.world = rank, world

    def _place(self) -> str:
        return f"{self._prefix}/{_NUMBERS.setdefault(self._prefix, 0)}"

    def gather(self, value: dict[str, Any]) -> list[dict[str, Any]]:
        place = self._place()
        keys = [f"{place}/{rank}" for rank in range(self.world)]

        def missing() -> list[int]:
            here = {entry.key for entry in self._store.list(f"{place}/")}
            return [rank for rank, key in enumerate(keys) if key not in here]

        self._lives.answer(lambda: self._store.set(keys[self.rank], json.dumps(value)))
        self._wait(place, keys, missing)
        gathered = [json.loads(self._lives.answer(lambda: self._store.get(key))) for key in keys]
        _NUMBERS[self._prefix] += 1
        # The last to leave clears up. A store that is gone needs no clearing up.
        with contextlib.suppress(mf_smem.Error):
            if self._store.add(f"{place}/left", 1) == self.world:
                for key in (f"{place}/left", *keys):
                    self._store.delete_key(key)
        return gathered

    def barrier(self) -> None:
        """Each process adds its rank to a list; the last one opens for all."""
        if self.world == 1:
            return
        place = self._place()
        came, opened = f"{place}/came", f"{place}/open"

        def missing() -> list[int]:
            here = _ranks(self._store.get(came))
            late = [rank for rank in range(self.world) if rank not in here]
            if not late:
                # The last one may have gone since.
                self._store.set(opened, b"1")
            return late

        count = self._lives.answer(lambda: self._come(came))
        if count == 1:
            # All have passed the barrier before the last one; the first to arrive cleans up.
            for key in self._past[:-2]:
                self._lives.answer(lambda: self._store.delete_key(key))
        if count == self.world:
            self._lives.answer(lambda: self._store.set(opened, b"1"))
        else:
            self._wait(place, [opened], missing)
        self._past = [*self._past[-2:], came, opened]
        _NUMBERS[self._prefix] += 1

    def fail(self, why: str) -> None:
        """Leaves it at the store, where others find it while they wait."""
        if self._store.is_connected:
            with contextlib.suppress(mf_smem.Error):
                self._store.compare_set(self._failed, "", f"rank {self.rank} does not go on: {why}")

    def check(self) -> None:
        """Asks the store, which may have gone with a rank 0 that has all it needs."""
        failed = None
        if self._store.is_connected:
            with contextlib.suppress(mf_smem.Error):
                failed = self._store.entry(self._failed)
        if failed is not None:
            raise HMCError(failed.value.decode())

    def _wait(self, place: str, keys: Sequence[str], missing: Callable[[], list[int]]) -> None:
        """Waits until keys exist that the `missing` members set."""
        end, pause = time.monotonic() + DEADLINE_S, _CHECKED_S
        while True:
            left = max(end - time.monotonic(), 0.0)
            try:
                self._store.wait(keys, min(left, pause))
                return
            except mf_smem.Error as error:
                if not may_pass(error):
                    raise
                if not isinstance(error, mf_smem.TimedOutError):
                    time.sleep(PAUSE_S)
                late = self._lives.answer(missing)
                if left <= pause and late:
                    raise HMCError(f"ranks {late} of {self.world} did not come to meeting {place}") from error
                self._lives.check(late)
            pause = min(2 * pause, _CHECKED_MOST_S)

    def _come(self, key: str) -> int:
        """Adds one's own rank to a list, once; returns how many are in it."""
        if self._begun == key:
            entry = self._store.entry(key)
            ranks = [] if entry is None else _ranks(entry.value)
            if self.rank in ranks:
                return len(ranks)
        self._begun = key
        return self._store.append(key, self.rank.to_bytes(_RANK_BYTES, "little")) // _RANK_BYTES


def _ranks(found: bytes) -> list[int]:
    return [int.from_bytes(found[at : at + _RANK_BYTES], "little") for at in range(0, len(found), _RANK_BYTES)]


#: Length of a rank in a list of them.
_RANK_BYTES = 4
#: Numbers of the next meeting, by the name of the group; all members count alike.
_NUMBERS: dict[str, int] = {}
#: This process as a guest of its job's store, made once.
_STORE: tuple[mf_smem.Store, Lives] | None = None


def meeting(group_id: str, ip: str) -> Meeting:
    """Meeting of this process at an address. Raises `RuntimeError` outside of a job."""
    torch: Any = sys.modules.get("torch.distributed")
    if torch is not None and torch.is_available() and torch.is_initialized():
        return TorchMeeting(torch)
    job = Job.from_environment()
    if job.rank is None:
        raise RuntimeError(
            "no group of processes: call torch.distributed.init_process_group first, or start the processes with a launcher, for "
            "example `mf run -n 2 -- python program.py`"
        )
    store, lives = _store(job, job.rank, ip)
    return _StoreMeeting(store, lives, job.world_size, job.rank, group_id)


def _store(job: Job, rank: int, ip: str) -> tuple[mf_smem.Store, Lives]:
    global _STORE
    if _STORE is None or _STORE[0].closed:
        servers: list[mf_smem.StoreServer] = []

        def serve() -> None:
            # Elsewhere it runs already: in this process, or in one of its own; or another program holds the
            # port, for a while.
            if rank == 0 and not servers:
                with contextlib.suppress(mf_smem.Error):
                    servers.append(mf_smem.StoreServer(job.store_url))

        store = _connected(job.store_url, serve)
        _STORE = store, Lives(store, rank, ip)
        atexit.register(_end, store, servers[0] if servers else None, job.world_size)
    return _STORE


def _connected(url: str, before: Callable[[], None] = lambda: None, within: float = DEADLINE_S) -> mf_smem.Store:
    """A guest of a store that may start later, with short deadlines of its calls if the store is gone. `before` is called
    before each attempt; a slow store has twice as long in each."""
    end, attempt = time.monotonic() + within, _ANSWER_S
    while True:
        before()
        left = end - time.monotonic()
        try:
            return mf_smem.Store(url, timeout=_ANSWER_S, connect_timeout=max(min(attempt, left), 0.0))
        except mf_smem.Error as error:
            if not may_pass(error) or time.monotonic() > end:
                raise
            time.sleep(min(PAUSE_S, max(left, 0.0)))
        attempt *= 2


def _end(store: mf_smem.Store, server: mf_smem.StoreServer | None, world: int) -> None:
    """Leaves the store; if it runs in this process, waits for the others first, which may still read values of the
    last meeting."""
    end = time.monotonic() + _LEAVING_S
    with contextlib.suppress(mf_smem.Error):
        gone = store.add("hmc/gone", 1)
        while server is not None and gone < world and time.monotonic() < end:
            time.sleep(0.01)
            gone = store.add("hmc/gone", 0)
        store.close()
    if server is not None:
        server.close()
