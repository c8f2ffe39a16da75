# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies, signals and meetings, in the order of a stream: its number, or an object with ``npu_stream``; None is the
default one."""

from __future__ import annotations

import shmem

from .._types import Handle
from .memory import check_instance
from .utils import AclshmemInvalid, Buffer

#: Bytes of a signal, and its alignment.
_SIGNAL_BYTES = 4


def _number(stream: object) -> int:
    if stream is None:
        return 0
    number = getattr(stream, "npu_stream", stream)
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise AclshmemInvalid(f"{stream!r} is not a stream")
    return number


def _needed(stream: object, what: str) -> int:
    if stream is None:
        raise AclshmemInvalid(f"{what} needs a stream")
    return _number(stream)


def _fits(dst: Buffer, src: Buffer) -> int:
    check_instance(dst, src)
    if dst.length < src.length:
        raise AclshmemInvalid(f"{src.length} bytes do not fit into a buffer of {dst.length}")
    return src.length


def _signal(signal_var: Buffer) -> int:
    check_instance(signal_var)
    if signal_var.length < _SIGNAL_BYTES or signal_var.addr % _SIGNAL_BYTES != 0:
        raise AclshmemInvalid(f"a signal has 4 bytes or more at a multiple of 4, and this is {signal_var!r}")
    return signal_var.addr


def put(dst: Buffer, src: Buffer, remote_pe: int, stream: object = None) -> None:
    """Copies `src` to the place of `dst` at a PE. Returns at once."""
    shmem.aclshmemx_putmem_on_stream(dst.addr, src.addr, _fits(dst, src), remote_pe, _number(stream))


def get(dst: Buffer, src: Buffer, remote_pe: int, stream: object = None) -> None:
    """Copies from the place of `src` at a PE to `dst`. Returns at once."""
    shmem.aclshmemx_getmem_on_stream(dst.addr, src.addr, _fits(dst, src), remote_pe, _number(stream))


def put_signal(
    dst: Buffer,
    src: Buffer,
    signal_var: Buffer,
    signal_val: int,
    signal_operation: int,
    remote_pe: int,
    stream: object = None,
) -> None:
    """Copies, then updates a signal there; complete on return. `stream` changes nothing."""
    _number(stream)
    shmem.aclshmemx_putmem_signal(
        dst.addr, src.addr, _fits(dst, src), _signal(signal_var), signal_val, int(signal_operation), remote_pe
    )


def signal_op(
    signal_var: Buffer, signal_val: int, signal_operation: int, remote_pe: int, stream: object = None
) -> None:
    """Updates a signal of a PE. `stream` must be given."""
    number = _needed(stream, "signal_op")
    shmem.aclshmemx_signal_op_on_stream(_signal(signal_var), signal_val, int(signal_operation), remote_pe, number)


def signal_wait(signal_var: Buffer, signal_val: int, comparison: int, stream: object) -> None:
    """Waits for an own signal."""
    number = _needed(stream, "signal_wait")
    shmem.aclshmemx_signal_wait_until_on_stream(_signal(signal_var), int(comparison), signal_val, number)


def quiet(stream: object) -> None:
    """Completes pending operations."""
    shmem.aclshmemx_quiet_on_stream(_needed(stream, "quiet"))


def barrier_on_stream(team: int, stream: object) -> None:
    """Barrier of all PEs of a team; also completes their puts."""
    shmem.aclshmemx_barrier_on_stream(team, _number(stream))


def barrier_all_on_stream(stream: object) -> None:
    """Barrier of all PEs; also completes their puts."""
    shmem.aclshmemx_barrier_all_on_stream(_number(stream))


def handle_wait(handle: Handle, stream: object) -> None:
    """As `shmem.aclshmemx_handle_wait`."""
    shmem.aclshmemx_handle_wait(handle, _number(stream))
