// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The symmetric heap. All are collective.

use std::ffi::{c_long, c_void};

use mf_base::Result;

use super::world;

pub(crate) fn malloc(op: &'static str, size: usize) -> Result<*mut c_void> {
    Ok(world::get(op)?.malloc(size)?.cast())
}

/// Hints change nothing: every block is as good for atomics and signals.
pub(crate) fn malloc_with_hints(op: &'static str, size: usize, _hints: c_long) -> Result<*mut c_void> {
    malloc(op, size)
}

pub(crate) fn calloc(op: &'static str, count: usize, size: usize) -> Result<*mut c_void> {
    Ok(world::get(op)?.calloc(count, size)?.cast())
}

pub(crate) fn align(op: &'static str, alignment: usize, size: usize) -> Result<*mut c_void> {
    Ok(world::get(op)?.align(alignment, size)?.cast())
}

pub(crate) fn realloc(op: &'static str, ptr: *mut c_void, size: usize) -> Result<*mut c_void> {
    Ok(world::get(op)?.realloc(ptr.cast(), size)?.cast())
}

pub(crate) fn free(op: &'static str, ptr: *mut c_void) -> Result<()> {
    world::get(op)?.free(ptr.cast())
}

pub(crate) use {align as shmemalign, free as shfree, malloc as shmalloc, realloc as shrealloc};
