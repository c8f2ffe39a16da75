// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The symmetric heap. All are collective but its figures.

use std::ffi::{c_int, c_long, c_void};

use mf_base::Result;

use super::types::HeapUsage;
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

pub(crate) unsafe fn shmemx_heap_usage(op: &'static str, pe: c_int, usage: *mut HeapUsage) -> Result<c_int> {
    let place = mf_boundary::present(op, "the place of the figures", usage)?;
    let world = world::get(op)?;
    let found = world.heap_usage_of(pe)?;
    let figures = HeapUsage {
        heap_bytes: found.heap_bytes(),
        most_heap_bytes: world.most_heap_bytes(),
        used: found.used,
        peak: found.peak,
        free: found.free,
        largest_free: found.largest_free,
        quarantined: found.quarantined,
        blocks: found.blocks,
    };
    // SAFETY: not null; the caller passes room for one.
    unsafe { place.write(figures) };
    Ok(0)
}

pub(crate) use {align as shmemalign, free as shfree, malloc as shmalloc, realloc as shrealloc};
