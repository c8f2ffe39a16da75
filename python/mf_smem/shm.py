# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Share memory: the same number of bytes of every rank, in one address space that kernels load from and store to; under the
names that upstream gave it.

Functions that return a code return 0 for success and never raise for a failure; the text of the failure is
``mf_smem.get_last_err_msg()``. The methods of `ShareMemory` raise. ``mf_smem.open_share`` is shorter.
"""

from __future__ import annotations

from . import _mf_smem
from ._config import ShmConfig
from ._enums import ShmDataOpType
from ._mf_smem import ShareMemory

__all__ = [
    "ShareMemory",
    "ShmConfig",
    "ShmDataOpType",
    "create",
    "initialize",
    "initialize_mpi",
    "initialize_unique_id",
    "uninitialize",
]


def initialize(store_url: str, world_size: int, rank_id: int, device_id: int, config: ShmConfig) -> int:
    """Takes part as `rank_id` in a world of `world_size` ranks (1 to 16384) that meet at `store_url` (``tcp://ip:port``).

    Waits at most `config.init_timeout` seconds. `device_id` is the number of the NPU, ignored without one. Big memory
    at the same URL is the same membership. Returns a code. A second call changes nothing and returns 0.
    """
    return _mf_smem.shm_initialize(store_url, world_size, rank_id, device_id, config)


def initialize_unique_id(
    unique_id: bytes, world_size: int, rank_id: int, device_id: int, config: ShmConfig
) -> int:
    """As `initialize`, with the bytes of ``mf_smem.create_unique_id`` in the place of the URL. Returns a code."""
    return _mf_smem.shm_initialize_unique_id(unique_id, world_size, rank_id, device_id, config)


def initialize_mpi(device_id: int, config: ShmConfig) -> int:
    """As `initialize`, with rank and world size by MPI; see ``mf_smem.bm.initialize_mpi``. Returns a code."""
    return _mf_smem.shm_initialize_mpi(device_id, config)


def uninitialize(flags: int = 0) -> None:
    """Destroys every object of this process and ends its part in the world, unless big memory still takes part in it."""
    _mf_smem.shm_uninitialize(flags)


def create(
    id: int,
    rank_size: int,
    rank_id: int,
    local_mem_size: int,
    data_op_type: int = ShmDataOpType.MTE,
    flags: int = 0,
) -> ShareMemory:
    """Creates the object `id` (0 to 63) of `rank_size` ranks, among which this one has the place `rank_id`.

    `local_mem_size` is the number of bytes of each rank, a multiple of 2 MiB, at most 64 GiB. **Collective**: returns when
    all ranks have the memory of all, at most after `create_timeout`. Raises `Error`.
    """
    return _mf_smem.shm_create(id, rank_size, rank_id, local_mem_size, data_op_type, flags)
