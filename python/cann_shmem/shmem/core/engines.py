# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Staging buffers and cycle counts of kernels."""

from __future__ import annotations

import shmem

from .._types import ProfData
from .utils import AclshmemError, AclshmemInvalid, whole_number

#: Least staging buffer of the engines of networks.
LEAST_BYTES = 128


def _set(engine: str, least: int, offset: int, ub_size: int, sync_id: int) -> None:
    given = {"offset": offset, "ub_size": ub_size, "sync_id": sync_id}
    for name, value in given.items():
        if whole_number(value, name) < 0:
            raise AclshmemInvalid(f"{name} is {value}, and may not be negative")
    if ub_size < least:
        raise AclshmemInvalid(f"ub_size is {ub_size}; {engine} stages in {least} bytes or more")
    code = int(shmem._calls.function(f"aclshmemx_set_{engine}_config")(offset, ub_size, sync_id))
    if code != 0:
        raise AclshmemError(f"set_{engine}_config failed with {code}")


def set_mte_config(offset: int, ub_size: int, sync_id: int) -> None:
    """Staging buffer of kernels for MTE: bytes from the start of the unified buffer, length, number of the event."""
    _set("mte", 0, offset, ub_size, sync_id)


def set_sdma_config(offset: int, ub_size: int, sync_id: int) -> None:
    """As `set_mte_config`, for SDMA."""
    _set("sdma", 0, offset, ub_size, sync_id)


def set_rdma_config(offset: int, ub_size: int, sync_id: int) -> None:
    """As `set_mte_config`, for RDMA; at least 128 bytes."""
    _set("rdma", LEAST_BYTES, offset, ub_size, sync_id)


def set_udma_config(offset: int, ub_size: int, sync_id: int) -> None:
    """As `set_mte_config`, for UDMA; at least 128 bytes."""
    _set("udma", LEAST_BYTES, offset, ub_size, sync_id)


def get_prof(verbose: bool = False) -> ProfData | None:
    """Cycle counts of kernels at the PE ``SHMEM_CYCLE_PROF_PE``; None on another PE. `verbose` prints them as well."""
    return shmem._calls.prof_data(verbose)


def show_prof() -> None:
    """Prints the cycle counts of kernels at the PE ``SHMEM_CYCLE_PROF_PE``."""
    shmem.show_prof()
