# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The functions of CANN SHMEM, with the arguments and results that Python's callers expect.

Functions that are not written down here have the names and the arguments of C (`function`): addresses and streams are
integers. They let the GIL go, leave waits for Ctrl-C, and raise `mf_smem.Error` when they fail and have no code.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable
from typing import Any

from mf_smem import _mf_smem, get_last_err_msg
from mf_smem._mf_smem import ShmemFunction

from ._types import Handle, InitAttr, InitMode, InitStatus, InstanceContext, MemType, ProfData, TeamConfig, UNIQUE_ID_BYTES


def function(name: str, parameters: list[str] | None = None) -> ShmemFunction:
    """A function of C, perhaps with other names for its arguments."""
    return _mf_smem.shmem_function(name, parameters)


NAMES: frozenset[str] = frozenset(_mf_smem.shmem_function_names())

_DEFAULT, _UNIQUE_ID = int(InitMode.DEFAULT), int(InitMode.UNIQUEID)
#: Blocks and frames of cycle counts.
_BLOCKS, _FRAMES = 64, 1024


def _held(memory: bytearray) -> ctypes.Array[ctypes.c_char]:
    """Memory pinned against resizing as long as the result lives, for a call that waits; `ctypes.addressof` gives its
    address."""
    return (ctypes.c_char * len(memory)).from_buffer(memory)


def _init(method: int, attributes: bytearray) -> int:
    held = _held(attributes)
    code: int = function("aclshmemx_init_attr")(method, ctypes.addressof(held))
    return code


def _checked(address: int, what: str) -> int:
    if address == 0:
        raise RuntimeError(get_last_err_msg() or f"{what}: no memory")
    return address


def check_addresses(is_checked: bool) -> bool:
    """Sets if calls refuse memory that does not fit into its block, or was freed; returns the former value. Default: on,
    unless ``SHMEM_CHECK_ADDRESSES`` is 0."""
    return _mf_smem.shmem_check_addresses(is_checked)


def aclshmem_init(attributes: InitAttr) -> int:
    """Begins. **Collective.** 0, or a negative code."""
    return _init(_DEFAULT, attributes.packed())


def aclshmemx_init_attr(bootstrap_flags: InitMode | int, attributes: InitAttr | int) -> int:
    """Begins by one of the methods; `attributes` may also be the address of an object of C. **Collective.** 0, or a
    negative code."""
    if not isinstance(attributes, InitAttr):
        return int(function("aclshmemx_init_attr")(int(bootstrap_flags), attributes))
    if not attributes.unique_id:
        return _init(int(bootstrap_flags), attributes.packed())
    held = _held(bytearray(attributes.unique_id))
    return _init(int(bootstrap_flags), attributes.packed(ctypes.addressof(held)))


def aclshmem_get_unique_id() -> bytes:
    """Makes the unique id of a job, for one PE to give to the others."""
    room = bytearray(UNIQUE_ID_BYTES)
    if function("aclshmemx_get_uniqueid")(room) != 0:
        raise RuntimeError(get_last_err_msg())
    return bytes(room)


def aclshmem_init_using_unique_id(mype: int, npes: int, mem_size: int, uid: bytes, instance_id: int = 0) -> int:
    """Begins by a unique id; bytes behind its own are ignored. **Collective.** 0, or a negative code."""
    attributes = InitAttr(instance_id=instance_id).packed()
    code = set_attr_uniqueid_args(mype, npes, mem_size, uid, attributes)
    return code if code != 0 else _init(_UNIQUE_ID, attributes)


def set_attr_uniqueid_args(rank: int, nranks: int, mem_size: int, uid: bytes, attr: InitAttr | bytearray) -> int:
    """Fills attributes (or the bytes of `InitAttr.packed`) for init by unique id. 0, or a negative code."""
    if isinstance(attr, InitAttr):
        code = set_attr_uniqueid_args(rank, nranks, mem_size, uid, attr.packed())
        if code == 0:
            attr.my_rank, attr.n_ranks, attr.local_mem_size = rank, nranks, mem_size
            attr.unique_id = bytes(uid[:UNIQUE_ID_BYTES])
        return code
    if len(uid) < UNIQUE_ID_BYTES:
        raise ValueError(f"a unique id has {UNIQUE_ID_BYTES} bytes, and this one {len(uid)}")
    return int(
        function("aclshmemx_set_attr_uniqueid_args")(rank, nranks, mem_size, bytearray(uid[:UNIQUE_ID_BYTES]), attr)
    )


def aclshmem_malloc(size: int) -> int:
    """Allocates on every PE. **Collective.** The own address."""
    return _checked(_malloc(size), "aclshmem_malloc")


def aclshmem_calloc(nmemb: int, size: int) -> int:
    """Allocates zeroed memory on every PE. **Collective.** The own address."""
    return _checked(_calloc(nmemb, size), "aclshmem_calloc")


def aclshmem_align(alignment: int, size: int) -> int:
    """Allocates at a multiple of a power of two. **Collective.** The own address."""
    return _checked(_align(alignment, size), "aclshmem_align")


def _side(mem_type: int | None) -> int:
    return MemType.DEVICE_SIDE if mem_type is None else int(mem_type)


def aclshmemx_malloc(size: int, mem_type: int | None = None) -> int:
    """As `aclshmem_malloc`, in that heap; 0 when it cannot."""
    return int(function("aclshmemx_malloc")(size, _side(mem_type)))


def aclshmemx_calloc(count: int, size: int, mem_type: int | None = None) -> int:
    """As `aclshmem_calloc`, in that heap; 0 when it cannot."""
    return int(function("aclshmemx_calloc")(count, size, _side(mem_type)))


def aclshmemx_align(alignment: int, size: int, mem_type: int | None = None) -> int:
    """As `aclshmem_align`, in that heap; 0 when it cannot."""
    return int(function("aclshmemx_align")(alignment, size, _side(mem_type)))


def aclshmemx_free(ptr: int, mem_type: int | None = None) -> None:
    """Frees a block of that heap. **Collective.**"""
    function("aclshmemx_free")(ptr, _side(mem_type))


def aclshmemx_get_heap_base(mem_type: int | None = None) -> int:
    """Start of the local heap; 0 before init."""
    return int(function("aclshmemx_get_heap_base")(_side(mem_type)))


def my_pe(team: int | None = None) -> int:
    """The number of this PE, in a team if one is given; -1 before init, or out of it."""
    return int(_my_pe() if team is None else _team_my_pe(team))


def pe_count(team: int | None = None) -> int:
    """The number of PEs, of a team if one is given; -1 before init, or out of it."""
    return int(_n_pes() if team is None else _team_n_pes(team))


def team_split_strided(parent: int, start: int, stride: int, size: int) -> int:
    """Makes a team of the PEs ``start + i * stride``. **Collective** over the parent. Its number; -1 for a PE that is not
    in it; a negative code."""
    team = ctypes.c_int(-1)
    code: int = function("aclshmem_team_split_strided")(parent, start, stride, size, ctypes.addressof(team))
    return code if code != 0 else team.value


def team_split_2d(parent: int, x_range: int) -> tuple[int, int]:
    """Makes teams of the rows and columns of a grid. **Collective** over the parent. Their numbers."""
    row, column = ctypes.c_int(-1), ctypes.c_int(-1)
    places = ctypes.addressof(row), ctypes.addressof(column)
    code: int = function("aclshmem_team_split_2d")(parent, x_range, *places)
    return (row.value, column.value) if code == 0 else (code, code)


def aclshmem_team_get_config(team: int) -> TeamConfig:
    """The configuration of a team."""
    room = bytearray(64)
    if function("aclshmem_team_get_config")(team, room) != 0:
        raise RuntimeError(get_last_err_msg())
    return TeamConfig(struct.unpack_from("<i", room, 4)[0])


def set_conf_store_tls(enable: bool, tls_info: str) -> int:
    """Configures encryption of connections. Call before init. Returns 0, or a negative code."""
    text = tls_info.encode()
    return int(function("aclshmemx_set_conf_store_tls")(enable, text, len(text)))


def set_conf_store_tls_key(
    tls_pk: str, tls_pk_pw: str, py_decrypt_func: Callable[[str], str] | None = None
) -> int:
    """The private key for encrypted connections. Before init. 0, or a negative code."""
    return _mf_smem.shmem_set_tls_key(tls_pk, tls_pk_pw, py_decrypt_func)


def set_log_level(level: int) -> int:
    """The lowest level that is logged: 0 debug, 1 info, 2 warn, 3 error, 4 fatal."""
    return int(function("aclshmemx_set_log_level")(level))


def set_extern_logger(func: Callable[[int, str], object]) -> int:
    """Gives log lines to ``func(level, text)``. The first one stays."""
    return _mf_smem.shmem_set_extern_logger(func)


def aclshmem_info_get_version() -> tuple[int, int]:
    """The version of the interface."""
    major, minor = bytearray(4), bytearray(4)
    function("aclshmem_info_get_version")(major, minor)
    return struct.unpack("<i", major)[0], struct.unpack("<i", minor)[0]


def aclshmem_info_get_name() -> str:
    """The name of the library."""
    room = bytearray(256)
    function("aclshmem_info_get_name")(room)
    return room.split(b"\0", 1)[0].decode()


def aclshmemx_init_status() -> InitStatus:
    """Membership status of this process."""
    return InitStatus(function("aclshmemx_init_status")())


def instance_ctx_get() -> int:
    """Address of the current instance; 0 before init."""
    return int(function("aclshmemx_instance_ctx_get")())


def aclshmemx_instance_ctx_get() -> InstanceContext | None:
    """The current instance; None before init."""
    address = instance_ctx_get()
    return None if address == 0 else InstanceContext(ctypes.c_uint64.from_address(address).value)


def living_team(team: int) -> int:
    """A team of this PE, after init.

    Raises:
        ValueError: there is no such team, or this PE is not in it.
    """
    if _n_pes() > 0 and _team_n_pes(team) < 0:
        raise ValueError(f"there is no team {team}, or this PE is not in it")
    return team


def aclshmem_barrier(team: int) -> None:
    """Barrier of all PEs of a team, which completes pending operations. ValueError for a team that is not alive."""
    function("aclshmem_barrier")(living_team(team))


def aclshmem_sync(team: int) -> None:
    """Waits for all PEs of a team. ValueError for a team that is not alive."""
    function("aclshmem_sync")(living_team(team))


def aclshmemx_barrier_on_stream(team: int, stream: int) -> None:
    """Barrier of all PEs of a team, in stream order. ValueError for a team that is not alive."""
    function("aclshmemx_barrier_on_stream")(living_team(team), stream)


def aclshmemx_handle_wait(handle: Handle, stream: int) -> None:
    """Completes pending operations, then enters a barrier of the handle's team, in stream order. ValueError for a team
    that is not alive."""
    function("aclshmemx_handle_wait")(living_team(handle.team_id), stream)


def _counts(verbose: bool) -> tuple[int, ctypes.Array[ctypes.c_int64]] | None:
    """The PE, and the counts of its kernels in the order of C; None on another PE than ``SHMEM_CYCLE_PROF_PE``."""
    room = bytearray(8)
    function("aclshmemx_get_prof")(room, verbose)
    (address,) = struct.unpack("<Q", room)
    if address == 0:
        return None
    counts = (ctypes.c_int64 * (2 * _FRAMES * _BLOCKS)).from_address(address + 8)
    return ctypes.c_int32.from_address(address).value, counts


def prof_data(verbose: bool = False) -> ProfData | None:
    """Cycle counts of kernels at the PE ``SHMEM_CYCLE_PROF_PE``; None on another PE."""
    found = _counts(verbose)
    if found is None:
        return None
    pe, counts = found
    parts = [counts[start : start + _FRAMES] for start in range(0, len(counts), _FRAMES)]
    return ProfData(pe, parts[0::2], parts[1::2])


def aclshmemx_get_prof(out: object = None, verbose: bool = False) -> list[tuple[int, int, int, int]] | None:
    """Cycle counts of kernels at the PE ``SHMEM_CYCLE_PROF_PE``: (block, frame, count, cycles) of each frame that was
    used; None on another PE."""
    del out
    found = prof_data(verbose)
    if found is None:
        return None
    frames = ((block, frame) for block in range(_BLOCKS) for frame in range(_FRAMES))
    entries = ((block, frame, found.ccount[block][frame], found.cycles[block][frame]) for block, frame in frames)
    return [entry for entry in entries if entry[2] != 0]


_malloc, _calloc, _align = function("aclshmem_malloc"), function("aclshmem_calloc"), function("aclshmem_align")
_my_pe, _n_pes = function("aclshmem_my_pe"), function("aclshmem_n_pes")
_team_my_pe, _team_n_pes = function("aclshmem_team_my_pe"), function("aclshmem_team_n_pes")

if os.environ.get("SHMEM_CHECK_ADDRESSES", "").strip().lower() in ("0", "false", "off", "no"):
    check_addresses(False)
