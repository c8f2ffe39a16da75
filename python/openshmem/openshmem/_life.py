# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Begin and end, and identity of PEs.

The job begins with `init`, or with the first call that needs it, and ends with `finalize`, or with the program: at the end of
a program that no exception ended, all PEs meet once more, so that none leaves while another still accesses its memory.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from typing import NoReturn

from mf_smem import NotInitError
from mf_smem._errors import ErrorKind

from . import _functions
from ._types import THREAD, HeapUsage, Source

_function = _functions.function
_c_my_pe, _c_n_pes = _function("shmem_my_pe"), _function("shmem_n_pes")


class _Life:
    """State begun by this process."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.has_begun = False
        #: Why nothing begins by itself any more.
        self.over = ""
        self.is_watched = False


_life = _Life()


def init() -> None:
    """Begins, for calls of any thread. **Collective.** Where it has begun already nothing happens; the first call that needs
    it does it, too."""
    init_thread(THREAD.MULTIPLE)


def init_thread(requested: int = THREAD.MULTIPLE) -> THREAD:
    """As `init`, for those threads. Returns the granted level."""
    with _life.lock:
        if _life.has_begun:
            return query_thread()
        provided = ctypes.c_int(0)
        _function("shmem_init_thread")(int(requested), ctypes.addressof(provided))
        _life.has_begun, _life.over = True, ""
        if not _life.is_watched:
            _life.is_watched = True
            atexit.register(_end_with_program)
            os.register_at_fork(after_in_child=_forked)
        return THREAD(provided.value)


def begun() -> None:
    """Begins, unless that has been."""
    if _life.has_begun:
        return
    if _life.over:
        raise NotInitError(ErrorKind.NOT_INIT, f"openshmem: {_life.over}")
    init()


def finalize() -> None:
    """Completes pending operations, waits for all PEs and releases the heap: its arrays can no longer be used in
    calls. **Collective.** A second call changes nothing; `init` begins anew."""
    with _life.lock:
        if not _life.has_begun:
            return
        _life.has_begun, _life.over = False, "OpenSHMEM has ended in this process; init starts it again"
        try:
            _function("shmem_finalize")()
        except NotInitError:
            # A handler of a signal had it begin once more, or C code has ended it.
            pass
        finally:
            _functions.forget_all()
            _functions.release_pending()


def _end_with_program() -> None:
    # A failed PE must not wait for the others, which may wait forever: its launcher ends them.
    if hasattr(sys, "last_value") or not _life.has_begun:
        return
    finalize()


def _forked() -> None:
    global _life
    had_begun = _life.has_begun
    _life = _Life()
    _life.is_watched = True
    if had_begun:
        _functions.forget_all()
        _life.over = "this process was forked by a PE and is not one; call from the PE itself"


def global_exit(status: int = 0) -> NoReturn:
    """Ends the programs of all PEs. Does not return."""
    begun()
    sys.stdout.flush()
    sys.stderr.flush()
    _function("shmem_global_exit")(status)
    raise AssertionError("the process goes on behind its end")


def query_thread() -> THREAD:
    """Which threads may make calls."""
    begun()
    provided = ctypes.c_int(0)
    _function("shmem_query_thread")(ctypes.addressof(provided))
    return THREAD(provided.value)


def my_pe() -> int:
    """The number of this PE."""
    number: int = _c_my_pe()
    if number < 0:
        begun()
        number = _c_my_pe()
    return number


def n_pes() -> int:
    """The number of PEs."""
    number: int = _c_n_pes()
    if number < 0:
        begun()
        number = _c_n_pes()
    return number


def pe_accessible(pe: int) -> bool:
    """True if the PE exists and can be accessed."""
    begun()
    return bool(_function("shmem_pe_accessible")(pe))


def addr_accessible(mem: Source, pe: int) -> bool:
    """True if an array is symmetric and can be accessed at a PE."""
    begun()
    return bool(_function("shmem_addr_accessible")(_functions.address_of(mem), pe))


def info_get_version() -> tuple[int, int]:
    """The version of the standard."""
    major, minor = ctypes.c_int(0), ctypes.c_int(0)
    _function("shmem_info_get_version")(ctypes.addressof(major), ctypes.addressof(minor))
    return major.value, minor.value


def info_get_name() -> str:
    """The name of the library."""
    room = ctypes.create_string_buffer(256)
    _function("shmem_info_get_name")(ctypes.addressof(room))
    return room.value.decode()


def pcontrol(level: int = 1) -> None:
    """For profilers, which replace it."""
    begun()
    _function("shmem_pcontrol")(level)


def heap_usage(pe: int | None = None) -> HeapUsage:
    """State of a PE's heap after its last call on it; default: this PE."""
    begun()
    figures = (ctypes.c_uint64 * 8)()
    _function("shmemx_heap_usage")(my_pe() if pe is None else pe, ctypes.addressof(figures))
    return HeapUsage(*figures)
