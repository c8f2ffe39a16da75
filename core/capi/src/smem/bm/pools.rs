// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_bm.h`: making pools and all that concerns a pool, apart from copies.

use std::ffi::c_void;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

use mf_abi::smem::{
    BmCreateOption, BmHandle, GroupEventCallback, MFX_BM_FLAG_MAX_OF_POOL, NO_RANK,
    SMEM_BM_BIND_NUMA_AUTO_AFFINITY_FLAG, SMEM_BM_BIND_NUMA_FLAG_LEN, SMEM_BM_FLAG_CREATE_WITH_SHM,
    SMEM_BM_PERFORMANCE_MODE_FLAG_INDEX, SMEM_GROUP_EVENT_JOIN, SMEM_GROUP_EVENT_LEAVE, SMEM_MEM_TYPE_DEVICE,
    SMEM_MEM_TYPE_HOST, SMEM_MEM_TYPE_LOCAL_DEVICE, SMEM_MEM_TYPE_LOCAL_HOST,
};
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_smem::bm::{EngineSet, GroupEvent, Pool, PoolOptions};

use super::state::STATE;
use crate::boundary::{array_text, call_program, null};

/// Flag of create: the NUMA field in the low seven bits counts.
const PERFORMANCE_MODE: u32 = 1 << SMEM_BM_PERFORMANCE_MODE_FLAG_INDEX;
/// The NUMA field.
const NUMA_MASK: u32 = (1 << SMEM_BM_BIND_NUMA_FLAG_LEN) - 1;

/// The window that a memory type names; local types name none.
pub(crate) fn window(operation: &'static str, mem_type: u32) -> Result<MemKind> {
    match mem_type {
        SMEM_MEM_TYPE_DEVICE => Ok(MemKind::Device),
        SMEM_MEM_TYPE_HOST => Ok(MemKind::Host),
        _ => Err(Error::invalid(operation, "the memory type names no window of the pool")
            .with("type", mem_type)
            .hint("SMEM_MEM_TYPE_DEVICE (2) or SMEM_MEM_TYPE_HOST (3)")),
    }
}

/// The pool of a handle, for calls that take long.
///
/// # Errors
/// Null: `InvalidParam`; not initialised, or made by the parent of this process: `NotInit`; stale or made up:
/// `unknown`.
pub(crate) fn pool(op: &'static str, handle: BmHandle, unknown: Kind) -> Result<Arc<Pool>> {
    STATE.object(op, handle, unknown)
}

pub(crate) fn smem_bm_create(
    op: &'static str,
    id: u32,
    _member_size: u32,
    data_op: u32,
    local_dram_size: u64,
    local_hbm_size: u64,
    flags: u32,
) -> Result<BmHandle> {
    let context = STATE.context(op)?;
    let engines = EngineSet::from_bits(op, data_op)?;
    let options = PoolOptions::new(id).host(local_dram_size).device(local_hbm_size).engines(engines);
    STATE.publish(op, context.create(on_node(options, flags))?)
}

pub(crate) unsafe fn smem_bm_create2(
    op: &'static str,
    id: u32,
    option: *const BmCreateOption,
) -> Result<BmHandle> {
    let context = STATE.context(op)?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let option = unsafe { &*option };
    let engines = EngineSet::from_bits(op, option.data_op_type)?;
    let tag = array_text(op, "tag", &option.tag)?;
    let tag_rules = array_text(op, "tagOpInfo", &option.tag_op_info)?;
    if option.local_dram_size > option.max_dram_size || option.local_hbm_size > option.max_hbm_size {
        return Err(Error::invalid(op, "a local size is larger than its maximum")
            .with("localDRAMSize", option.local_dram_size)
            .with("maxDramSize", option.max_dram_size)
            .with("localHBMSize", option.local_hbm_size)
            .with("maxHbmSize", option.max_hbm_size));
    }
    let mut options = PoolOptions::new(id)
        .host(option.local_dram_size)
        .max_host(option.max_dram_size)
        .device(option.local_hbm_size)
        .max_device(option.max_hbm_size)
        .engines(engines)
        .tag(tag)
        .tag_rules(tag_rules);
    if option.flags & MFX_BM_FLAG_MAX_OF_POOL != 0 {
        options = options.max_host_of_pool();
    }
    if option.flags & SMEM_BM_FLAG_CREATE_WITH_SHM != 0 {
        options = options.host_descriptor(duplicate(op, option.dram_shm_fd)?);
    }
    STATE.publish(op, context.create(on_node(options, option.flags))?)
}

/// The NUMA node that the create flags ask for.
fn on_node(options: PoolOptions, flags: u32) -> PoolOptions {
    match flags & NUMA_MASK {
        node if flags & PERFORMANCE_MODE != 0 && node != SMEM_BM_BIND_NUMA_AUTO_AFFINITY_FLAG => {
            options.numa_node(node)
        }
        _ => options,
    }
}

fn duplicate(operation: &'static str, descriptor: i32) -> Result<std::os::fd::OwnedFd> {
    let bad = || Error::invalid(operation, "dramShmFd is not an open descriptor").with("fd", descriptor);
    if descriptor < 0 {
        return Err(bad());
    }
    // SAFETY: borrowed only for the duplication, which fails for a number that is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    borrowed.try_clone_to_owned().map_err(|error| bad().source(error))
}

pub(crate) fn smem_bm_destroy(op: &'static str, handle: BmHandle) -> Result<()> {
    STATE.end_object(op, handle).map(drop)
}

pub(crate) fn smem_bm_join(op: &'static str, handle: BmHandle, _flags: u32) -> Result<()> {
    pool(op, handle, Kind::NotInit)?.join()
}

pub(crate) fn smem_bm_leave(op: &'static str, handle: BmHandle, _flags: u32) -> Result<()> {
    pool(op, handle, Kind::NotInit)?.leave()
}

pub(crate) fn smem_bm_extend_local_mem(
    op: &'static str,
    handle: BmHandle,
    mem_type: u32,
    size: u64,
) -> Result<()> {
    let (pool, window) = (pool(op, handle, Kind::InvalidParam)?, window(op, mem_type)?);
    // Upstream reports a size that does not fit by its general code; mfx_bm_extend distinguishes it.
    pool.extend(window, size).map_err(|error| match error.kind() {
        Kind::InvalidParam => error.as_kind(Kind::Failed),
        _ => error,
    })
}

pub(crate) fn mfx_bm_extend(op: &'static str, handle: BmHandle, mem_type: u32, size: u64) -> Result<()> {
    pool(op, handle, Kind::InvalidParam)?.extend(window(op, mem_type)?, size)
}

pub(crate) fn smem_bm_get_local_mem_size_by_mem_type(
    op: &'static str,
    handle: BmHandle,
    mem_type: u32,
) -> Result<u64> {
    Ok(pool(op, handle, Kind::InvalidParam)?.local_bytes(window(op, mem_type)?))
}

pub(crate) fn smem_bm_ptr_by_mem_type(
    op: &'static str,
    handle: BmHandle,
    mem_type: u32,
    peer: u16,
) -> Result<*mut c_void> {
    let address =
        pool(op, handle, Kind::InvalidParam)?.address(window(op, mem_type)?, Rank(u32::from(peer)))?;
    Ok(address.as_ptr().cast())
}

pub(crate) unsafe fn smem_bm_gva_to_va(
    op: &'static str,
    handle: BmHandle,
    gva: *mut c_void,
    mem_type: u32,
    va: *mut *mut c_void,
) -> Result<()> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    if !matches!(mem_type, SMEM_MEM_TYPE_LOCAL_DEVICE | SMEM_MEM_TYPE_LOCAL_HOST) {
        return Err(Error::invalid(op, "the memory type must be a local one").with("type", mem_type));
    }
    let address = pool.local_address(Gva(gva.addr() as u64))?;
    if mem_type == SMEM_MEM_TYPE_LOCAL_HOST && !pool.is_host_memory(address) {
        return Err(Error::new(Kind::Failed, op)
            .what("memory of an accelerator has no address for the processor")
            .with("address", address)
            .hint("copy it, or ask for SMEM_MEM_TYPE_LOCAL_DEVICE (0)"));
    }
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { va.write(address.as_ptr().cast()) };
    Ok(())
}

pub(crate) fn smem_bm_register_user_mem(
    op: &'static str,
    handle: BmHandle,
    address: u64,
    size: u64,
) -> Result<()> {
    if handle.is_null() || address == 0 || size == 0 {
        return Err(null(op, "the handle, the address or the size"));
    }
    pool(op, handle, Kind::InvalidParam)?.register(address, size)
}

pub(crate) fn smem_bm_unregister_user_mem(op: &'static str, handle: BmHandle, address: u64) -> Result<()> {
    if handle.is_null() || address == 0 {
        return Err(null(op, "the handle or the address"));
    }
    pool(op, handle, Kind::InvalidParam)?.unregister(address)
}

/// Failures come back as codes, too, cast to the type of a rank: that is what callers of this function know.
pub(crate) fn smem_bm_get_rank_id_by_gva(
    op: &'static str,
    handle: BmHandle,
    gva: *mut c_void,
) -> Result<u32> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    Ok(pool.rank_of(Gva(gva.addr() as u64)).map_or(NO_RANK, |rank| rank.0))
}

pub(crate) fn smem_bm_set_group_event_handler(
    op: &'static str,
    handle: BmHandle,
    callback: GroupEventCallback,
    user: *mut c_void,
) -> Result<()> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    let Some(callback) = callback else {
        pool.ignore_events();
        return Ok(());
    };
    let (handle, user) = (handle.expose_provenance(), user.expose_provenance());
    pool.on_event(move |rank, event| {
        let event = match event {
            GroupEvent::Join => SMEM_GROUP_EVENT_JOIN,
            GroupEvent::Leave => SMEM_GROUP_EVENT_LEAVE,
        };
        let handle = std::ptr::with_exposed_provenance_mut(handle);
        // SAFETY: the program vouches for its function and the context, from any thread, until it sets
        // another.
        call_program("smem_bm_group_event_cb", || unsafe {
            callback(handle, rank.0, event, std::ptr::with_exposed_provenance_mut(user));
        });
    });
    Ok(())
}
