# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This process's part in the world, shared by its pools and by its share memories: begun by the first and ended with the last.

Each of the two interfaces has a session of its own. Both take part in one world: where the environment has to say which,
the second asks the first.
"""

from __future__ import annotations

import dataclasses
import threading

from . import _mf_smem, bm, shm
from ._errors import error_from_code, invalid
from ._job import Job

_NO_RANK = 0xFFFFFFFF
_LOCK = threading.Lock()


class _PoolConfig(bm.BmConfig):
    """Ranks of pools come and go: no call waits for all of them."""

    _ordered_ranks = False


class Session:
    """Counts the objects that need an interface to be initialised. This one is big memory's."""

    #: Name of the objects in errors.
    _objects = "pools are open"

    def __init__(self) -> None:
        self._count = 0
        self._is_ours = False
        self._job: Job | None = None

    def begin(self, job: Job | None, device_id: int, timeout_s: int, start_store: bool | None, nic: str = "") -> None:
        """One object more; initialises for the first. `job` None means: as the environment says."""
        with _LOCK:
            if self._rank() == _NO_RANK:
                job = job or self._job_of_the_other() or Job.from_environment()
                self._initialize(job, device_id, timeout_s, start_store, nic)
                self._job, self._is_ours, self._count = job, True, 0
            elif job is not None and self._is_ours and job != self._job:
                raise invalid(
                    f"this process takes part in {self._job}, because its {self._objects}, and cannot take part in {job} too"
                )
            self._count += 1

    def end(self) -> None:
        """One object less; ends the interface with the last, if it was begun here."""
        with _LOCK:
            self._count -= 1
            if self._count == 0 and self._is_ours:
                self._end()

    def job(self) -> Job | None:
        """The job with the rank that this process got in it; None where it has not begun here, or is over."""
        rank = self._rank()
        if self._job is None or not self._is_ours or rank == _NO_RANK:
            return None
        return dataclasses.replace(self._job, rank=rank)

    def _job_of_the_other(self) -> Job | None:
        return SHARES.job()

    def _rank(self) -> int:
        return _mf_smem.bm_rank_id()

    def _initialize(self, job: Job, device_id: int, timeout_s: int, start_store: bool | None, nic: str) -> None:
        config = _PoolConfig()
        config.init_timeout = config.create_timeout = config.operation_timeout = timeout_s
        config.auto_ranking = job.rank is None
        config.rank_id = -1 if job.rank is None else job.rank
        config.set_nic(nic)
        if start_store is not None:
            config.start_store = start_store
        code = bm.initialize(job.store_url, job.world_size, device_id, config)
        if code != 0:
            raise error_from_code(code, _mf_smem.get_last_err_msg())

    def _end(self) -> None:
        self._is_ours = False
        bm.uninitialize()


class ShareSession(Session):
    """The session of share memory."""

    _objects = "share memories are open"

    def _job_of_the_other(self) -> Job | None:
        return SESSION.job()

    def _rank(self) -> int:
        return _mf_smem.shm_rank_id()

    def _initialize(self, job: Job, device_id: int, timeout_s: int, start_store: bool | None, nic: str) -> None:
        rank = job.rank
        if rank is None:
            if job.world_size > 1:
                raise invalid(f"share memory needs a given rank, and none is set for this process in {job}; give rank=, "
                              "or start the program with mf run or torchrun")
            rank = 0
        config = shm.ShmConfig()
        config.init_timeout = config.create_timeout = config.operation_timeout = timeout_s
        if start_store is not None:
            config.start_store = start_store
        code = shm.initialize(job.store_url, job.world_size, rank, device_id, config)
        if code != 0:
            raise error_from_code(code, _mf_smem.get_last_err_msg())

    def _end(self) -> None:
        self._is_ours = False
        shm.uninitialize()


SESSION = Session()
SHARES = ShareSession()
