// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_shm.h`: objects, and their local calls.

use std::ffi::{c_int, c_void};

use mf_abi::smem::{ExitFn, ShmHandle};
use mf_base::{Error, Kind, Rank, Result};
use mf_smem::shm::{DATA_OP_MTE, Options};

use super::state::{STATE, share};
use crate::boundary::{bytes, call_program};

/// Most bytes that a rank hands to its kernels, or to an allgather.
pub(crate) const PART_BYTES_MAX: u32 = 65536;

pub(crate) fn smem_shm_query_support_data_operation(_op: &'static str) -> Result<u32> {
    Ok(DATA_OP_MTE)
}

pub(crate) unsafe fn smem_shm_create(
    op: &'static str,
    id: u32,
    rank_size: u32,
    rank: u32,
    local_size: u64,
    data_ops: u32,
    _flags: u32,
    gva: *mut *mut c_void,
) -> Result<ShmHandle> {
    let options = Options { id, rank_size, rank: Rank(rank), local_bytes: local_size, data_ops };
    let share = STATE.context(op)?.create(options)?;
    let base = share.base().as_ptr().cast();
    let handle = STATE.publish(op, share)?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { gva.write(base) };
    Ok(handle)
}

pub(crate) fn smem_shm_destroy(op: &'static str, handle: ShmHandle, _flags: u32) -> Result<()> {
    match STATE.end_object(op, handle)? {
        true => Ok(()),
        false => Err(STATE.refusal(op, handle, Kind::NotExist)),
    }
}

pub(crate) fn smem_shm_get_symmetric_size(op: &'static str, handle: ShmHandle) -> Result<u64> {
    Ok(share(op, handle)?.symmetric_bytes())
}

pub(crate) fn smem_shm_get_global_rank(op: &'static str, handle: ShmHandle) -> Result<u32> {
    Ok(share(op, handle)?.rank().0)
}

pub(crate) fn smem_shm_get_global_rank_size(op: &'static str, handle: ShmHandle) -> Result<u32> {
    Ok(share(op, handle)?.rank_size())
}

pub(crate) unsafe fn smem_shm_set_extra_context(
    op: &'static str,
    handle: ShmHandle,
    context: *const c_void,
    size: u32,
) -> Result<()> {
    let share = share(op, handle)?;
    check_part(op, size)?;
    // SAFETY: the caller passes `size` readable bytes.
    let context = unsafe { bytes(op, "the context", context, u64::from(size)) }?;
    share.set_context(context)
}

/// Refuses sizes outside 1 … 65536.
pub(crate) fn check_part(operation: &'static str, size: u32) -> Result<()> {
    if (1..=PART_BYTES_MAX).contains(&size) {
        return Ok(());
    }
    Err(Error::invalid(operation, "the size must be from 1 to 65536 bytes").with("size", size))
}

pub(crate) unsafe fn smem_shm_topology_can_reach(
    op: &'static str,
    handle: ShmHandle,
    remote_rank: u32,
    reach_info: *mut u32,
) -> Result<()> {
    let reach = share(op, handle)?.reach(Rank(remote_rank))?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { reach_info.write(reach) };
    Ok(())
}

pub(crate) unsafe fn smem_shm_atomic_alloc_value(
    op: &'static str,
    handle: ShmHandle,
    limit: u32,
    number: *mut i32,
) -> Result<()> {
    let taken = share(op, handle)?.alloc_value(limit)?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { number.write(taken.cast_signed()) };
    Ok(())
}

pub(crate) fn smem_shm_atomic_release_value(op: &'static str, handle: ShmHandle, number: i32) -> Result<()> {
    let share = share(op, handle)?;
    let number = u32::try_from(number)
        .map_err(|_| Error::new(Kind::NotExist, op).what("no such number was taken").with("value", number))?;
    share.release_value(number)
}

pub(crate) fn smem_shm_register_exit(op: &'static str, handle: ShmHandle, exit: ExitFn) -> Result<()> {
    share(op, handle)?.on_exit(Box::new(move |status| {
        // SAFETY: the interface asks for a function that any thread may call until the process ends.
        call_program("the exit of smem_shm_register_exit", || unsafe { exit(status) });
    }))
}

pub(crate) fn smem_shm_global_exit(op: &'static str, handle: ShmHandle, status: c_int) -> Result<()> {
    share(op, handle)?.exit_all(status)
}
