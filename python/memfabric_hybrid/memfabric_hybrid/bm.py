# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Big memory in upstream's style. Only `create` and `create2` raise, a ``RuntimeError``."""

from __future__ import annotations

from typing import Any as _Any

from mf_smem import bm as _bm
from mf_smem._config import Flag as _Flag
from mf_smem._config import NO_RANK_ID as _NO_RANK_ID
from mf_smem._config import Whole as _Whole
from mf_smem._mf_smem import CodedBigMemory as BigMemory
from mf_smem.bm import (
    BmCopyType,
    BmDataOpType,
    BmGroupEvent,
    BmMemType,
    bm_rank_id,
    initialize,
    uninitialize,
    update_store_url,
)

from ._numbers import Unsigned as _Unsigned

__all__ = [
    "BigMemory",
    "BmConfig",
    "BmCopyType",
    "BmDataOpType",
    "BmGroupEvent",
    "BmMemType",
    "bm_rank_id",
    "create",
    "create2",
    "initialize",
    "uninitialize",
    "update_store_url",
]


class BmConfig(_bm.BmConfig):
    """Configuration of a process in big memory; as ``mf_smem.bm.BmConfig`` with upstream's newer defaults."""

    operation_timeout = _Whole(900)
    auto_ranking = _Flag(True)
    # In the superclass -1 means none, which would hide a wrong rank here.
    rank_id: _Any = _Unsigned(32, _NO_RANK_ID)

    # Upstream's newer releases hand out the next free number.
    _ordered_ranks = False


def create(
    id: int,
    local_dram_size: int,
    local_hbm_size: int = 0,
    data_op_type: int = BmDataOpType.SDMA,
    flags: int = 0,
) -> BigMemory:
    """Creates this process's part of the pool `id`; see ``mf_smem.bm.create``."""
    return BigMemory(_bm.create(id, local_dram_size, local_hbm_size, data_op_type, flags))


def create2(
    id: int,
    local_dram_size: int,
    max_dram_size: int,
    local_hbm_size: int = 0,
    max_hbm_size: int = 0,
    data_op_type: int = BmDataOpType.SDMA,
    enable_56bits_gva: bool = False,
    flags: int = 0,
    shm_fd: int = -1,
    tag: str = "",
    tag_op_info: str = "",
) -> BigMemory:
    """Creates this process's part of the pool `id`, with room to grow; see ``mf_smem.bm.create2``."""
    return BigMemory(
        _bm.create2(
            id,
            local_dram_size,
            max_dram_size,
            local_hbm_size,
            max_hbm_size,
            data_op_type,
            enable_56bits_gva,
            flags,
            shm_fd,
            tag,
            tag_op_info,
        )
    )
