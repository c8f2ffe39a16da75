// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The symmetric heap, and a second one in host memory, created on first use. All calls are collective.
//!
//! Differences from the standard: the PEs synchronise also for 0 bytes, unless a number of elements is 0 or
//! their product too large; alignments may be smaller than a pointer's; a failed call always returns null.

use std::ffi::{c_int, c_void};

use mf_base::{Error, Kind, Result};
use mf_shmem::World;

use super::instances::{self, Instance};
use super::types::MemType;
use super::watch;

/// Least alignment that the heap itself takes.
const LEAST_ALIGNMENT: usize = size_of::<usize>();

/// The first heap: where there is an accelerator its memory is meant, and else there is only one kind.
const DEVICE_SIDE: MemType = 1;
const HOST_SIDE: MemType = 0;

/// The heap of a kind of memory.
fn heap(op: &'static str, kind: MemType) -> Result<&'static World> {
    let instance = instances::get(op)?;
    match kind {
        DEVICE_SIDE => Ok(&instance.world),
        HOST_SIDE => instance.second_or_begin(),
        kind => Err(no_kind(op, kind)),
    }
}

#[cold]
fn no_kind(op: &'static str, kind: MemType) -> Error {
    Error::invalid(op, "unknown kind of memory").with("mem_type", kind).hint("HOST_SIDE is 0, DEVICE_SIDE 1")
}

/// Allocates nothing. The PEs synchronise, as in other calls on the heap.
fn allocate_nothing(heap: &World) -> Result<*mut c_void> {
    heap.barrier_all()?;
    Ok(std::ptr::null_mut())
}

/// A block, for which the heap may have grown.
fn allocate(heap: &World, take: impl FnOnce(&World) -> Result<*mut u8>) -> Result<*mut c_void> {
    let before = heap.heap_bytes();
    let block = take(heap)?;
    if heap.heap_bytes() != before {
        instances::current().inspect(|instance| instance.show_second());
        watch::changed();
    }
    Ok(block.cast())
}

pub(crate) fn aclshmemx_malloc(op: &'static str, size: usize, kind: MemType) -> Result<*mut c_void> {
    let heap = heap(op, kind)?;
    if size == 0 { allocate_nothing(heap) } else { allocate(heap, |heap| heap.malloc(size)) }
}

pub(crate) fn aclshmemx_calloc(
    op: &'static str,
    count: usize,
    size: usize,
    kind: MemType,
) -> Result<*mut c_void> {
    instances::get(op)?;
    if count == 0 || size == 0 {
        return Ok(std::ptr::null_mut());
    }
    if count.checked_mul(size).is_none() {
        return Err(Error::new(Kind::OutOfMemory, op)
            .what("the elements have more bytes than there are addresses")
            .with("count", count)
            .with("size", size));
    }
    allocate(heap(op, kind)?, |heap| heap.calloc(count, size))
}

pub(crate) fn aclshmemx_align(
    op: &'static str,
    alignment: usize,
    size: usize,
    kind: MemType,
) -> Result<*mut c_void> {
    if !alignment.is_power_of_two() {
        instances::get(op)?;
        return Err(Error::invalid(op, "the alignment is not a power of two").with("alignment", alignment));
    }
    let heap = heap(op, kind)?;
    if size == 0 {
        return allocate_nothing(heap);
    }
    allocate(heap, |heap| heap.align(alignment.max(LEAST_ALIGNMENT), size))
}

pub(crate) fn aclshmemx_free(op: &'static str, ptr: *mut c_void, kind: MemType) -> Result<()> {
    let instance = instances::get(op)?;
    if ptr.is_null() {
        return Ok(());
    }
    match kind {
        DEVICE_SIDE => instance.world.free(ptr.cast()),
        HOST_SIDE => match instance.second() {
            Some(heap) => heap.free(ptr.cast()),
            None => {
                Err(Error::invalid(op, "no host memory has been taken").with("address", format!("{ptr:p}")))
            }
        },
        kind => Err(no_kind(op, kind)),
    }
}

pub(crate) fn aclshmem_malloc(op: &'static str, size: usize) -> Result<*mut c_void> {
    aclshmemx_malloc(op, size, DEVICE_SIDE)
}

pub(crate) fn aclshmem_calloc(op: &'static str, count: usize, size: usize) -> Result<*mut c_void> {
    aclshmemx_calloc(op, count, size, DEVICE_SIDE)
}

pub(crate) fn aclshmem_align(op: &'static str, alignment: usize, size: usize) -> Result<*mut c_void> {
    aclshmemx_align(op, alignment, size, DEVICE_SIDE)
}

pub(crate) fn aclshmem_free(op: &'static str, ptr: *mut c_void) -> Result<()> {
    aclshmemx_free(op, ptr, DEVICE_SIDE)
}

pub(crate) fn aclshmemx_get_heap_base(_op: &'static str, kind: MemType) -> Result<*mut c_void> {
    let instance = instances::current();
    let heap = match kind {
        DEVICE_SIDE => instance.map(|instance| &*instance.world),
        HOST_SIDE => instance.and_then(Instance::second),
        _ => None,
    };
    if let (DEVICE_SIDE, Some(heap)) = (kind, heap) {
        heap.show_base_to_kernels();
    }
    Ok(heap.map_or(std::ptr::null_mut(), |heap| heap.heap_start().cast()))
}

pub(crate) fn aclshmem_ptr(_op: &'static str, ptr: *mut c_void, pe: c_int) -> Result<*mut c_void> {
    let own = ptr.cast::<u8>();
    Ok(instances::current().map_or(std::ptr::null_mut(), |it| it.world_of(own).ptr(own, pe).cast()))
}

pub(crate) unsafe fn aclshmem_get_memory_stats(
    op: &'static str,
    total: *mut u64,
    used: *mut u64,
    available: *mut u64,
) -> Result<c_int> {
    let heap = &instances::get(op)?.world;
    let taken = heap.taken_bytes();
    for (to, bytes) in
        [(total, heap.heap_bytes()), (used, taken), (available, heap.heap_bytes().saturating_sub(taken))]
    {
        if !to.is_null() {
            // SAFETY: not null; the caller passes numbers of 64 bits.
            unsafe { to.write(bytes) };
        }
    }
    Ok(0)
}

pub(crate) use {
    aclshmem_align as shmem_align, aclshmem_calloc as shmem_calloc, aclshmem_free as shmem_free,
    aclshmem_malloc as shmem_malloc, aclshmem_ptr as shmem_ptr,
};
