# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Symmetric memory as buffers."""

from __future__ import annotations

from collections.abc import Callable

import shmem

from .._types import MemType
from .instances import SEVERAL, current_id
from .utils import AclshmemError, AclshmemInvalid, Buffer, whole_number


def _new(take: Callable[[MemType], int], size: int, mem_type: int) -> Buffer:
    try:
        kind = MemType(mem_type)
    except ValueError as error:
        raise AclshmemInvalid(f"mem_type is {mem_type}; HOST_SIDE is 0, DEVICE_SIDE 1") from error
    if size <= 0:
        raise AclshmemInvalid(f"a buffer has at least one byte, not {size}")
    address = take(kind)
    if address == 0:
        raise AclshmemError(f"no symmetric memory of {size} bytes")
    return Buffer._allocated(address, size, kind, current_id())


def buffer(
    size: int, release: bool = False, except_on_del: bool = True, mem_type: int = MemType.DEVICE_SIDE
) -> Buffer:
    """A new block of the heap. **Collective.** It lives until `free`; `release` and `except_on_del` change nothing."""
    del release, except_on_del
    whole_number(size, "size")
    return _new(lambda kind: shmem.aclshmemx_malloc(size, kind), size, mem_type)


def calloc(count: int, size: int, mem_type: int = MemType.DEVICE_SIDE) -> Buffer:
    """A new block of `count` elements of `size` bytes, zeroed. **Collective.**"""
    bytes_ = whole_number(count, "count") * whole_number(size, "size")
    return _new(lambda kind: shmem.aclshmemx_calloc(count, size, kind), bytes_, mem_type)


def align(alignment: int, size: int, mem_type: int = MemType.DEVICE_SIDE) -> Buffer:
    """A new block at a multiple of a power of two. **Collective.**"""
    whole_number(size, "size")
    if whole_number(alignment, "alignment") <= 0 or alignment & (alignment - 1) != 0:
        raise AclshmemInvalid(f"alignment is {alignment}, and must be a power of two")
    return _new(lambda kind: shmem.aclshmemx_align(alignment, size, kind), size, mem_type)


def free(buf: Buffer) -> None:
    """Gives a block back. **Collective.**

    Raises:
        AclshmemInvalid: not a block of `buffer`, `calloc` or `align`, freed before, or of another instance.
    """
    if not isinstance(buf, Buffer) or not buf.owned:
        raise AclshmemInvalid("free takes a buffer that buffer, calloc or align returned")
    if buf.release_called:
        raise AclshmemInvalid(f"the buffer at {buf.addr:#x} was freed before")
    check_instance(buf)
    buf._release()
    shmem.aclshmemx_free(buf.addr, buf.mem_type)


def get_peer_buffer(buf: Buffer, pe: int) -> Buffer:
    """The same block of another PE, where it is mapped here. It is not freed."""
    check_instance(buf)
    address = shmem.aclshmem_ptr(buf.addr, pe)
    if address == 0:
        raise AclshmemError(f"the memory of PE {pe} is not mapped here")
    return Buffer._of_peer(address, buf)


def check_instance(*buffers: Buffer) -> None:
    """Refuses buffers of another instance than the current one.

    Raises:
        AclshmemInvalid: such a buffer.
    """
    if not SEVERAL.seen:
        return
    current = current_id()
    for buf in buffers:
        if buf.instance_id is not None and buf.instance_id != current:
            raise AclshmemInvalid(f"the buffer at {buf.addr:#x} is of instance {buf.instance_id}; instance {current} is current")


malloc = shmem.aclshmemx_malloc
