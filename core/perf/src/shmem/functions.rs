// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of OpenSHMEM that are measured, as symbols of the C library.

use std::ffi::{c_int, c_long, c_void};

use mf_base::{Error, Kind, Result};
use mf_library::library;

use super::OPERATION;

/// A pointer that means something to the library only.
pub(super) type Handle = *mut c_void;

/// The handle of all PEs.
pub(super) const TEAM_WORLD: usize = 1;
/// "Equal", of waits.
pub(super) const EQUAL: c_int = 0;
/// "Set", of signals.
pub(super) const SIGNAL_SET: c_int = 0;
/// "Add", of signals.
pub(super) const SIGNAL_ADD: c_int = 1;

mf_base::functions! {
    /// Resolved functions. Each group is complete or absent.
    pub(super) struct Functions {
        required {
            shmem15_init: fn();
            shmem15_finalize: fn();
            shmem15_my_pe: fn() -> c_int;
            shmem15_n_pes: fn() -> c_int;
            shmem15_ptr: fn(*const c_void, c_int) -> *mut c_void;
            shmem15_malloc: fn(usize) -> *mut c_void;
            shmem15_free: fn(*mut c_void);
            shmem15_fence: fn();
            shmem15_quiet: fn();
            shmem15_barrier_all: fn();
            shmem15_sync_all: fn();
            shmem15_long_p: fn(*mut c_long, c_long, c_int);
            shmem15_long_g: fn(*const c_long, c_int) -> c_long;
            shmem15_long_put: fn(*mut c_long, *const c_long, usize, c_int);
            shmem15_long_get: fn(*mut c_long, *const c_long, usize, c_int);
            shmem15_putmem: fn(*mut c_void, *const c_void, usize, c_int);
            shmem15_putmem_nbi: fn(*mut c_void, *const c_void, usize, c_int);
            shmem15_getmem: fn(*mut c_void, *const c_void, usize, c_int);
            shmem15_long_iput: fn(*mut c_long, *const c_long, isize, isize, usize, c_int);
            shmem15_long_iget: fn(*mut c_long, *const c_long, isize, isize, usize, c_int);
        }
        optional {
            shmem15_long_atomic_fetch: fn(*const c_long, c_int) -> c_long;
            shmem15_long_atomic_add: fn(*mut c_long, c_long, c_int);
            shmem15_long_atomic_fetch_add: fn(*mut c_long, c_long, c_int) -> c_long;
            shmem15_long_atomic_swap: fn(*mut c_long, c_long, c_int) -> c_long;
            shmem15_long_atomic_compare_swap: fn(*mut c_long, c_long, c_long, c_int) -> c_long;
            shmem15_long_put_signal: fn(*mut c_long, *const c_long, usize, *mut u64, u64, c_int, c_int);
            shmem15_long_wait_until: fn(*mut c_long, c_int, c_long);
            shmem15_team_sync: fn(Handle) -> c_int;
            shmem15_team_split_strided: fn(Handle, c_int, c_int, c_int, *const c_void, c_long, *mut Handle) -> c_int;
            shmem15_team_destroy: fn(Handle);
            shmem15_ctx_create: fn(c_long, *mut Handle) -> c_int;
            shmem15_ctx_destroy: fn(Handle);
            shmem15_ctx_long_p: fn(Handle, *mut c_long, c_long, c_int);
            shmem15_ctx_quiet: fn(Handle);
            shmem15_ctx_putmem: fn(Handle, *mut c_void, *const c_void, usize, c_int);
            shmem15_ctx_putmem_nbi: fn(Handle, *mut c_void, *const c_void, usize, c_int);
            shmem15_broadcastmem: fn(Handle, *mut c_void, *const c_void, usize, c_int) -> c_int;
            shmem15_fcollectmem: fn(Handle, *mut c_void, *const c_void, usize) -> c_int;
            shmem15_alltoallmem: fn(Handle, *mut c_void, *const c_void, usize) -> c_int;
            shmem15_long_sum_reduce: fn(Handle, *mut c_long, *const c_long, usize) -> c_int;
            shmem15_barrier: fn(c_int, c_int, c_int, *mut c_long);
            shmem15_broadcast64: fn(*mut c_void, *const c_void, usize, c_int, c_int, c_int, c_int, *mut c_long);
            shmem15_fcollect64: fn(*mut c_void, *const c_void, usize, c_int, c_int, c_int, *mut c_long);
            shmem15_alltoall64: fn(*mut c_void, *const c_void, usize, c_int, c_int, c_int, *mut c_long);
            shmem15_long_sum_to_all: fn(*mut c_long, *const c_long, c_int, c_int, c_int, c_int, *mut c_long, *mut c_long);
            shmem15_set_lock: fn(*mut c_long);
            shmem15_clear_lock: fn(*mut c_long);
        }
    }
}

impl Functions {
    /// Opens the library that belongs to this program.
    ///
    /// # Errors
    /// `Failed` it is not there, or lacks a function.
    pub(super) fn open() -> Result<Self> {
        let loaded = library()?.loaded();
        Self::resolve(loaded).map_err(|error| Error::new(Kind::Failed, OPERATION).source(error))
    }
}
