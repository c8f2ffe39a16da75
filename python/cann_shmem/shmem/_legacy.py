# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The names of the first releases."""

from __future__ import annotations

import os

from . import _calls
from ._types import InitAttr


def shmem_set_attributes(my_rank: int, n_ranks: int, local_mem_size: int, ip_port: str, attributes: InitAttr) -> int:
    """Fills attributes. 0."""
    attributes.my_rank, attributes.n_ranks = my_rank, n_ranks
    attributes.local_mem_size, attributes.ip_port = local_mem_size, ip_port
    return 0


def shmem_set_data_op_engine_type(attributes: InitAttr, vaue: int | None = None, *, value: int | None = None) -> int:
    """Which engines move data. 0."""
    given = vaue if value is None else value
    if given is None:
        raise TypeError("shmem_set_data_op_engine_type() misses the value")
    attributes.option_attr.data_op_engine_type = given
    return 0


def shmem_set_timeout(attributes: InitAttr, vaue: int | None = None, *, value: int | None = None) -> int:
    """All timeouts, in seconds. 0."""
    given = vaue if value is None else value
    if given is None:
        raise TypeError("shmem_set_timeout() misses the value")
    option = attributes.option_attr
    option.shm_init_timeout = option.shm_create_timeout = option.control_operation_timeout = given
    return 0


def shmem_init_using_unique_id(mype: int, npes: int, mem_size: int, uid: bytes | None = None) -> int:
    """As `aclshmem_init_using_unique_id`. Without an id the PEs meet where ``SHMEM_MASTER_ADDR`` and
    ``SHMEM_MASTER_PORT`` say, or 11 behind ``MASTER_PORT`` of ``MASTER_ADDR``."""
    if uid:
        return _calls.aclshmem_init_using_unique_id(mype, npes, mem_size, uid)
    host = os.environ.get("SHMEM_MASTER_ADDR") or os.environ.get("MASTER_ADDR", "127.0.0.1")
    port = os.environ.get("SHMEM_MASTER_PORT")
    number = int(port) if port else int(os.environ.get("MASTER_PORT", "8655")) + 11
    return _calls.aclshmem_init(InitAttr(mype, npes, f"tcp://{host}:{number}", mem_size))
