# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Big memory: pools that many processes share, under the names that upstream gave them.

Functions that return a code return 0 for success and never raise for a failure; the text of the failure is
``mf_smem.get_last_err_msg()``. The methods of `BigMemory` raise. ``mf_smem.open_pool`` is shorter.
"""

from __future__ import annotations

import dataclasses

from . import _mf_smem
from ._config import BmConfig
from ._enums import BmCopyType, BmDataOpType, BmGroupEvent, BmMemType
from ._mf_smem import BigMemory
from ._sizes import Size, number

__all__ = [
    "ASYNC_COPY",
    "BigMemory",
    "BmConfig",
    "BmCopyType",
    "BmDataOpType",
    "BmGroupEvent",
    "BmMemType",
    "CopyData2DParams",
    "bm_rank_id",
    "create",
    "create2",
    "initialize",
    "initialize_mpi",
    "initialize_unique_id",
    "uninitialize",
    "update_store_url",
]

#: Flag bit of a copy that may only be queued; `BigMemory.wait` waits for it.
ASYNC_COPY = 1


@dataclasses.dataclass(slots=True)
class CopyData2DParams:
    """Shape of `BigMemory.copy_data_2d`: `height` rows of `width` bytes, from address `src` to address `dest`; rows begin
    `spitch` and `dpitch` bytes apart."""

    src: int = 0
    spitch: int = 0
    dest: int = 0
    dpitch: int = 0
    width: int = 0
    height: int = 0


def initialize(store_url: str, world_size: int, device_id: int, config: BmConfig) -> int:
    """Takes part in a world of `world_size` ranks (1 to 16384) that meet at `store_url` (``tcp://ip:port``).

    Waits at most `config.init_timeout` seconds. `device_id` is the number of the NPU, ignored without one. Returns
    a code. A second call changes nothing and returns 0.
    """
    return _mf_smem.bm_initialize(store_url, world_size, device_id, config)


def initialize_unique_id(unique_id: bytes, world_size: int, device_id: int, config: BmConfig) -> int:
    """As `initialize`, with the bytes of ``mf_smem.create_unique_id`` in the place of the URL. Returns a code."""
    return _mf_smem.bm_initialize_unique_id(unique_id, world_size, device_id, config)


def initialize_mpi(device_id: int, config: BmConfig) -> int:
    """As `initialize`, with rank and world size of MPI_COMM_WORLD in the MPI that this program has initialised (mpi4py, for
    example), and a store that rank 0 starts. **Collective** over MPI_COMM_WORLD. `config.rank_id` and `config.start_store` are
    ignored. Returns a code: -2003 where no MPI is initialised."""
    return _mf_smem.bm_initialize_mpi(device_id, config)


def uninitialize(flags: int = 0) -> None:
    """Leaves and destroys every pool of this process and ends its part in the world. Views of segments stay (`Pool.local`)."""
    _mf_smem.bm_uninitialize(flags)


def bm_rank_id() -> int:
    """One's own rank; 4294967295 before `initialize`."""
    return _mf_smem.bm_rank_id()


def update_store_url(store_url: str) -> int:
    """Moves this process to the store at another URL; rank and world size stay. Returns a code, at once."""
    return _mf_smem.bm_update_store_url(store_url)


def create(
    id: int,
    local_dram_size: Size,
    local_hbm_size: Size = 0,
    data_op_type: int = BmDataOpType.SDMA,
    flags: int = 0,
) -> BigMemory:
    """Creates this process's part of the pool `id`, contributing so many bytes of host and device memory.

    Sizes are multiples of 2 MiB, or texts such as ``"64MiB"``. Not collective: the memory is in the pool after `BigMemory.join`. Raises `Error`.
    """
    host, device = number("local_dram_size", local_dram_size), number("local_hbm_size", local_hbm_size)
    return _mf_smem.bm_create(id, host, device, data_op_type, flags)


def create2(
    id: int,
    local_dram_size: Size,
    max_dram_size: Size,
    local_hbm_size: Size = 0,
    max_hbm_size: Size = 0,
    data_op_type: int = BmDataOpType.SDMA,
    enable_56bits_gva: bool = False,
    flags: int = 0,
    shm_fd: int = -1,
    tag: str = "",
    tag_op_info: str = "",
) -> BigMemory:
    """As `create`, with room: every rank of the pool may contribute up to the maxima, the same for all, and grow to them
    with `BigMemory.extend_local_mem`. A contribution of 0 uses the pool without adding to it. Raises `Error`."""
    return _mf_smem.bm_create2(
        id,
        number("local_dram_size", local_dram_size),
        number("max_dram_size", max_dram_size),
        number("local_hbm_size", local_hbm_size),
        number("max_hbm_size", max_hbm_size),
        data_op_type,
        enable_56bits_gva,
        flags,
        shm_fd,
        tag,
        tag_op_info,
    )
