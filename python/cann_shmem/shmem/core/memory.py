# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Symmetric memory as buffers."""

from __future__ import annotations

import shmem

from .utils import AclshmemError, AclshmemInvalid, Buffer


def buffer(size: int, release: bool = False, except_on_del: bool = True) -> Buffer:
    """A new block of the heap. **Collective.** It lives until `free`; the other arguments change nothing."""
    del release, except_on_del
    if size <= 0:
        raise AclshmemInvalid(f"a buffer has at least one byte, not {size}")
    try:
        return Buffer(shmem.aclshmem_malloc(size), size)
    except RuntimeError as error:
        raise AclshmemError(str(error)) from error


def free(buf: Buffer) -> None:
    """Gives a block back. **Collective.**"""
    shmem.aclshmem_free(buf.addr)


def get_peer_buffer(buf: Buffer, pe: int) -> Buffer:
    """The same block of another PE, where it is mapped here."""
    address = shmem.aclshmem_ptr(buf.addr, pe)
    if address == 0:
        raise AclshmemError(f"the memory of PE {pe} is not mapped here")
    return Buffer(address, buf.length)


malloc, calloc, align = shmem.aclshmemx_malloc, shmem.aclshmemx_calloc, shmem.aclshmemx_align
