# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Share memory in upstream's style: functions and methods that have a code to return return it and do not raise.

`create`, `ShareMemory.all_gather` and `ShareMemory.set_context` have none and raise a ``RuntimeError``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import overload

from mf_smem import shm as _shm
from mf_smem._errors import Error as _Error
from mf_smem._types import Source as _Source
from mf_smem._unique import Unique as _Unique
from mf_smem.shm import ShmConfig, ShmDataOpType, initialize, uninitialize

__all__ = [
    "ShareMemory",
    "ShmConfig",
    "ShmDataOpType",
    "create",
    "initialize",
    "uninitialize",
]


def _code(call: Callable[[], object]) -> int:
    try:
        call()
    except _Error as error:
        return error.code
    return 0


class ShareMemory(_Unique):
    """An object of share memory under upstream's names. The text of the last failure is `get_last_err_msg()`."""

    def __init__(self, memory: _shm.ShareMemory) -> None:
        """Shows `memory` in the style of codes; both are the same object."""
        self._memory = memory

    @property
    def raising(self) -> _shm.ShareMemory:
        """The same object in the style of exceptions."""
        return self._memory

    @property
    def handle(self) -> int:
        """The ``smem_shm_t`` as an integer, for C and C++ code in this process; 0 once destroyed."""
        return self._memory.handle

    @property
    def gva(self) -> int:
        """Address of rank 0's part, the same in all ranks."""
        return self._memory.gva

    @property
    def local_rank(self) -> int:
        """One's own place among the ranks of the object; 4294967295 once destroyed."""
        try:
            return self._memory.local_rank
        except _Error:
            return 0xFFFFFFFF

    @property
    def rank_size(self) -> int:
        """Number of ranks of the object; 4294967295 once destroyed."""
        try:
            return self._memory.rank_size
        except _Error:
            return 0xFFFFFFFF

    def barrier(self) -> int:
        """Waits for all ranks. **Collective.**"""
        return _code(self._memory.barrier)

    def all_gather(self, local_data: _Source) -> bytes:
        """The bytes of all ranks, one behind the other; every rank gives as many. **Collective.** Raises."""
        return self._memory.all_gather(local_data)

    def set_context(self, context: _Source) -> None:
        """Copies 1 to 65536 bytes to where kernels of this rank find them. Raises."""
        self._memory.set_context(context)

    def query_support_data_operation(self) -> int:
        """Set of `ShmDataOpType` that every object supports."""
        return self._memory.query_support_data_operation()

    @overload
    def topology_can_reach(self, remote_rank: int, reach_info: None = None) -> tuple[int, int]: ...
    @overload
    def topology_can_reach(self, remote_rank: int, reach_info: int) -> int: ...
    def topology_can_reach(self, remote_rank: int, reach_info: int | None = None) -> int | tuple[int, int]:
        """Access of kernels on this rank to the memory of a rank, a set of `ShmDataOpType`: (code, set).

        With `reach_info`, the address of a 32-bit number, the set is written there and the code alone is returned.
        """
        info = 0
        try:
            info = self._memory.reach(remote_rank)
            code = 0
        except _Error as error:
            code = error.code
        if reach_info is None:
            return code, info
        if code == 0:
            if not reach_info:
                return -2000
            ctypes.c_uint32.from_address(reach_info).value = info
        return code

    def destroy(self, flags: int = 0) -> int:
        """Gives up this rank's side of the object. Idempotent."""
        return _code(lambda: self._memory.destroy(flags))

    def __repr__(self) -> str:
        return f"<memfabric_hybrid.shm.ShareMemory handle {self.handle:#x}>"


def create(
    id: int,
    rank_size: int,
    rank_id: int,
    local_mem_size: int,
    data_op_type: int = ShmDataOpType.MTE,
    flags: int = 0,
) -> ShareMemory:
    """Creates the object `id` together with its other ranks; see ``mf_smem.shm.create``."""
    return ShareMemory(_shm.create(id, rank_size, rank_id, local_mem_size, data_op_type, flags))
