// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Types of C that the rows of the tables name.

use std::ffi::{c_int, c_void};

/// A context, as programs have it: opaque.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ctx(pub(crate) *mut c_void);

/// A team, as programs have it: opaque.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Team(pub(crate) *mut c_void);

/// Configuration of a team.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TeamConfig {
    pub(crate) num_contexts: c_int,
}

/// Usage of the heap of a PE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeapUsage {
    pub(crate) heap_bytes: u64,
    pub(crate) most_heap_bytes: u64,
    pub(crate) used: u64,
    pub(crate) peak: u64,
    pub(crate) free: u64,
    pub(crate) largest_free: u64,
    pub(crate) quarantined: u64,
    pub(crate) blocks: u64,
}

/// The hints of a session.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CtxSessionConfig {
    pub(crate) total_ops: usize,
}
