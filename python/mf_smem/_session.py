# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This process's part in the world, shared by its pools: begun by the first and ended with the last."""

from __future__ import annotations

import threading

from . import _mf_smem, bm
from ._errors import error_from_code, invalid
from ._job import Job

_NO_RANK = 0xFFFFFFFF


class Session:
    """Counts the pools that need big memory to be initialised."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools = 0
        self._is_ours = False
        self._job: Job | None = None

    def begin(self, job: Job | None, device_id: int, timeout_s: int, start_store: bool | None, nic: str) -> None:
        """One pool more; initialises for the first. `job` None means: as the environment says."""
        with self._lock:
            if _mf_smem.bm_resume():
                # The last pool is closed, but arrays of its segment kept this process in its world.
                self._is_ours = True
            if _mf_smem.bm_rank_id() == _NO_RANK:
                job = job or Job.from_environment()
                self._initialize(job, device_id, timeout_s, start_store, nic)
                self._job, self._is_ours, self._pools = job, True, 0
            elif job is not None and self._is_ours and job != self._job:
                why = "its pools are open" if self._pools else "arrays from Pool.local are alive"
                if not self._pools:
                    self._end()
                raise invalid(f"this process takes part in {self._job}, because {why}, and cannot take part in {job} too")
            self._pools += 1

    @staticmethod
    def _initialize(job: Job, device_id: int, timeout_s: int, start_store: bool | None, nic: str) -> None:
        config = bm.BmConfig()
        config.init_timeout = config.create_timeout = config.operation_timeout = timeout_s
        config.auto_ranking = job.rank is None
        config.rank_id = -1 if job.rank is None else job.rank
        config.set_nic(nic)
        if start_store is not None:
            config.start_store = start_store
        code = bm.initialize(job.store_url, job.world_size, device_id, config)
        if code != 0:
            raise error_from_code(code, _mf_smem.get_last_err_msg())

    def end(self) -> None:
        """One pool less; ends big memory with the last, if it was begun here."""
        with self._lock:
            self._pools -= 1
            if self._pools == 0 and self._is_ours:
                self._end()

    def _end(self) -> None:
        self._is_ours = False
        bm.uninitialize()


SESSION = Session()
