// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Types of `ascend_sim_kernel.h`, the interface between the simulator and kernel binaries.

use std::ffi::{c_char, c_int, c_void};

/// Version of the interface.
pub const VERSION: u32 = 2;

/// `struct mfk_host`.
#[repr(C)]
pub struct Host {
    pub(super) version: u32,
    pub(super) bytes: u32,
    pub(super) block_index: extern "C" fn() -> u32,
    pub(super) block_count: extern "C" fn() -> u32,
    pub(super) core_count: extern "C" fn() -> u32,
    pub(super) ub_bytes: extern "C" fn() -> u64,
    pub(super) dynamic_ub_bytes: extern "C" fn() -> u64,
    pub(super) device: extern "C" fn() -> u32,
    pub(super) kernel_name: extern "C" fn() -> *const c_char,
    pub(super) seed: extern "C" fn() -> u64,
    pub(super) is_strict: extern "C" fn() -> c_int,
    pub(super) report_fault: unsafe extern "C" fn(*const c_char, i32),
    pub(super) is_cancelled: extern "C" fn() -> c_int,
    pub(super) progress: extern "C" fn(),
    pub(super) sync_all: extern "C" fn() -> c_int,
    pub(super) extent: extern "C" fn(u64) -> u64,
    pub(super) translate: extern "C" fn(u64, u64, c_int) -> *mut c_void,
    pub(super) visit: unsafe extern "C" fn(u64, u64, c_int, Option<Visitor>, *mut c_void) -> c_int,
    pub(super) name_address: unsafe extern "C" fn(u64, *mut c_char, usize) -> usize,
    pub(super) is_eager: extern "C" fn() -> c_int,
    pub(super) block: extern "C" fn() -> *mut c_void,
    pub(super) enter: unsafe extern "C" fn(*mut c_void),
    pub(super) leave: extern "C" fn(),
    pub(super) launch: extern "C" fn() -> u64,
    pub(super) waits: unsafe extern "C" fn(*const c_char),
}

/// `struct mfk_kernel`.
#[repr(C)]
pub struct Description {
    /// Version it was written for.
    pub version: u32,
    /// Its size there.
    pub bytes: u32,
    /// 0 AI core, 1 cube, 2 vector, 3 mix.
    pub kind: i32,
    /// Vector cores for each cube core.
    pub ratio: i32,
    /// 1: all blocks at once or not at all.
    pub schedule: i32,
    /// Number of arguments.
    pub arguments: u32,
    /// The size of each.
    pub argument_bytes: *const u32,
}

pub(super) type Visitor = unsafe extern "C" fn(*mut c_void, *mut c_void);
