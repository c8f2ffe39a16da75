# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The calls of `openshmem` under names, and with arguments in an order, that users of NVSHMEM4Py know.

The heap is host memory and calls are complete on return, or at the next `quiet`: there are no streams. Where a stream could
be given, None is all that may be.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from . import _collectives, _functions, _life, _memory
from ._collectives import barrier_all, sync_all
from ._life import finalize, my_pe, n_pes
from ._teams import TEAM_INVALID, TEAM_SHARED, TEAM_WORLD, Team
from ._types import CMP, OP, SIGNAL, Array, Destination, SigAddr, Source, Symmetric

__all__ = [
    "ComparisonType",
    "SignalOp",
    "Teams",
    "alltoall",
    "array",
    "barrier",
    "barrier_all",
    "broadcast",
    "buffer",
    "bytetensor",
    "fcollect",
    "fence",
    "finalize",
    "free",
    "free_array",
    "free_buffer",
    "free_tensor",
    "get",
    "get_peer_array",
    "get_peer_buffer",
    "get_peer_tensor",
    "get_version",
    "init",
    "my_pe",
    "n_pes",
    "put",
    "put_signal",
    "quiet",
    "reduce",
    "signal_op",
    "signal_wait",
    "sync",
    "sync_all",
    "team_my_pe",
    "team_n_pes",
    "tensor",
]

#: A torch tensor. Torch is not needed to check this package's types.
Tensor = Any


class Teams:
    """The teams that are there from the beginning."""

    TEAM_INVALID = TEAM_INVALID
    TEAM_WORLD = TEAM_WORLD
    TEAM_SHARED = TEAM_SHARED


class SignalOp:
    """Operation on a signal."""

    SIGNAL_SET = SIGNAL.SET
    SIGNAL_ADD = SIGNAL.ADD


class ComparisonType:
    """Comparisons of waits."""

    CMP_EQ = CMP.EQ
    CMP_NE = CMP.NE
    CMP_GT = CMP.GT
    CMP_GE = CMP.GE
    CMP_LT = CMP.LT
    CMP_LE = CMP.LE


def _no_stream(stream: None) -> None:
    if stream is not None:
        raise ValueError("calls on host memory have no stream; leave it out, and complete by quiet or a barrier")


def init(*, initializer_method: str = "", mpi_comm: Any = None) -> None:
    """As `openshmem.init`: rank, size and meeting point come from the launcher. A communicator of MPI may be given; it has to
    have the launcher's numbers."""
    if initializer_method not in ("", "mpi"):
        raise ValueError(f"initializer_method is {initializer_method!r}; PEs begin by their launcher: leave it out")
    _life.init()
    if mpi_comm is not None:
        given, found = (mpi_comm.Get_rank(), mpi_comm.Get_size()), (my_pe(), n_pes())
        if given != found:
            raise ValueError(f"the communicator has rank {given[0]} of {given[1]}, and the job PE {found[0]} of {found[1]}")


def get_version() -> str:
    """Standard and library."""
    major, minor = _life.info_get_version()
    return f"openshmem={major}.{minor} library={_life.info_get_name()}"


def team_my_pe(team: Team = TEAM_WORLD) -> int:
    """The number of this PE in a team."""
    return team.my_pe()


def team_n_pes(team: Team = TEAM_WORLD) -> int:
    """Number of a team's PEs."""
    return team.n_pes()


def buffer(size: int) -> Array:
    """New bytes on the heap. **Collective.**"""
    return _memory.new_array(size, "uint8", clear=False)


def array(shape: int | tuple[int, ...], dtype: npt.DTypeLike = "float32") -> Array:
    """A new array on the heap. **Collective.**"""
    return _memory.new_array(shape, dtype, clear=False)


def _torch() -> Any:
    return importlib.import_module("torch")


def tensor(shape: int | tuple[int, ...], dtype: Any = None) -> Tensor:
    """A new torch tensor on the heap, on the processor. **Collective.**"""
    torch = _torch()
    kind = torch.float32 if dtype is None else dtype
    if kind == torch.bfloat16:
        return torch.from_numpy(array(shape, "int16")).view(kind)
    return torch.from_numpy(array(shape, str(kind).rpartition(".")[2]))


def bytetensor(shape: int | tuple[int, ...]) -> Tensor:
    """A new torch tensor of bytes on the heap. **Collective.**"""
    return tensor(math.prod(shape) if isinstance(shape, tuple) else shape, _torch().uint8)


free: Callable[[Symmetric | None], None] = _memory.free
free_buffer: Callable[[Symmetric | None], None] = _memory.free
free_array: Callable[[Symmetric | None], None] = _memory.free
free_tensor: Callable[[Symmetric | None], None] = _memory.free


def get_peer_array(array: Array, pe: int) -> Array:
    """The same array of another PE, for loads and stores. An error, where it is not mapped here. **Local.**"""
    found = _memory.ptr(array, pe)
    if found is None:
        raise RuntimeError(f"the memory of PE {pe} is not mapped here; use put and get")
    return found


def get_peer_buffer(buffer: Array, pe: int) -> Array:
    """As `get_peer_array`."""
    return get_peer_array(buffer, pe)


def get_peer_tensor(tensor: Tensor, pe: int) -> Tensor:
    """As `get_peer_array`, for a tensor."""
    torch = _torch()
    if tensor.dtype == torch.bfloat16:
        return get_peer_tensor(tensor.view(torch.int16), pe).view(torch.bfloat16)
    return torch.from_numpy(get_peer_array(tensor.numpy(), pe))


def put(dst: Symmetric, src: Source, remote_pe: int = -1, stream: None = None) -> None:
    """Copies all elements of `src` to `dst` of a PE."""
    _no_stream(stream)
    _functions.put(dst, src, remote_pe)


def get(dst: Destination, src: Symmetric, remote_pe: int = -1, stream: None = None) -> None:
    """Copies all elements of `src` of a PE to `dst`."""
    _no_stream(stream)
    _functions.get(dst, src, remote_pe)


def put_signal(
    dst: Symmetric,
    src: Source,
    signal_var: SigAddr,
    signal_val: int,
    signal_op: int,
    remote_pe: int = -1,
    stream: None = None,
) -> None:
    """As `put`, and then updates a signal of that PE."""
    _no_stream(stream)
    _functions.put_signal(dst, src, remote_pe, signal_var, signal_val, signal_op)


def signal_op(
    signal_var: SigAddr, signal_val: int, signal_op: int, remote_pe: int = -1, stream: None = None
) -> None:
    """Updates a signal of a PE."""
    _no_stream(stream)
    update = _functions.signal_add if SIGNAL(signal_op) is SIGNAL.ADD else _functions.signal_set
    update(signal_var, signal_val, remote_pe)


def signal_wait(signal_var: SigAddr, signal_val: int, signal_op: int = CMP.EQ, stream: None = None) -> int:
    """Waits for an own signal; `signal_op` is the comparison. Returns it."""
    _no_stream(stream)
    return _functions.signal_wait_until(signal_var, signal_op, signal_val)


def quiet(stream: None = None) -> None:
    """Completes pending operations."""
    _no_stream(stream)
    _functions.quiet()


def fence(stream: None = None) -> None:
    """Orders earlier puts before later ones."""
    _no_stream(stream)
    _functions.fence()


def barrier(team: Team = TEAM_WORLD, stream: None = None) -> None:
    """Completes pending operations, and waits for all PEs of a team. **Collective** over it."""
    _no_stream(stream)
    if team == TEAM_WORLD:
        barrier_all()
    else:
        _functions.quiet()
        team.sync()


def sync(team: Team = TEAM_WORLD, stream: None = None) -> None:
    """Waits for all PEs of a team. **Collective** over it."""
    _no_stream(stream)
    team.sync()


def reduce(team: Team, dst: Symmetric, src: Symmetric, op: OP | str = "sum", stream: None = None) -> None:
    """As `openshmem.reduce`. **Collective** over the team."""
    _no_stream(stream)
    _collectives.reduce(dst, src, op, None, team)


def broadcast(team: Team, dst: Symmetric, src: Symmetric, root: int = 0, stream: None = None) -> None:
    """As `openshmem.broadcast`. **Collective** over the team."""
    _no_stream(stream)
    _collectives.broadcast(dst, src, root, None, team)


def fcollect(team: Team, dst: Symmetric, src: Symmetric, stream: None = None) -> None:
    """As `openshmem.fcollect`. **Collective** over the team."""
    _no_stream(stream)
    _collectives.fcollect(dst, src, None, team)


def alltoall(team: Team, dst: Symmetric, src: Symmetric, stream: None = None) -> None:
    """As `openshmem.alltoall`. **Collective** over the team."""
    _no_stream(stream)
    _collectives.alltoall(dst, src, None, team)
