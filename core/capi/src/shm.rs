// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_shm.h`: objects, and what is asked of one without waiting for others.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use mf_base::{Error, Kind, Rank, Result};
use mf_smem::shm::{DATA_OP_MTE, Options, ShareMemory};

use crate::abi::ShmHandle;
use crate::boundary::{bytes, code, not_null, value};
use crate::shm_init::{SHARES, context, no_share, number, share};

/// Most bytes that a rank hands to its kernels, or to an allgather.
pub(crate) const PART_BYTES_MAX: u32 = 65536;

/// What the functions that tell a rank say when they fail.
const NO_RANK: u32 = u32::MAX;

#[unsafe(no_mangle)]
extern "C" fn smem_shm_query_support_data_operation() -> u32 {
    DATA_OP_MTE
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_shm_create(
    id: u32,
    rank_size: u32,
    rank: u32,
    local_size: u64,
    data_ops: u32,
    _flags: u32,
    gva: *mut *mut c_void,
) -> ShmHandle {
    const OP: &str = "shm create";
    value(OP, std::ptr::null_mut(), || {
        not_null(OP, "gva", gva)?;
        let options = Options { id, rank_size, rank: Rank(rank), local_bytes: local_size, data_ops };
        let share = context(OP)?.create(options)?;
        let base = share.base().as_ptr().cast();
        let handle = publish(share)?;
        // SAFETY: not null; the caller passes room for a pointer.
        unsafe { gva.write(base) };
        Ok(handle)
    })
}

/// Gives an object its handle.
fn publish(share: ShareMemory) -> Result<ShmHandle> {
    let share = Arc::new(share);
    let handle = SHARES.insert(Arc::clone(&share)).ok_or_else(|| {
        share.destroy();
        Error::new(Kind::NoResources, "shm create").what("this process has 64 objects already")
    })?;
    Ok(std::ptr::without_provenance_mut(usize::try_from(handle.0).unwrap_or(0)))
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_destroy(handle: ShmHandle, _flags: u32) -> i32 {
    const OP: &str = "shm destroy";
    code(OP, || {
        if let Some(share) = SHARES.get(number(handle)) {
            // What is the parent's of a forked child is not the child's to destroy.
            share.check_process(OP)?;
        }
        let share = SHARES.remove(number(handle)).ok_or_else(|| no_share(OP, handle, Kind::NotExist))?;
        share.destroy();
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_get_symmetric_size(handle: ShmHandle) -> u64 {
    const OP: &str = "shm symmetric size";
    value(OP, 0, || Ok(share(OP, handle)?.symmetric_bytes()))
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_get_global_rank(handle: ShmHandle) -> u32 {
    const OP: &str = "shm rank";
    value(OP, NO_RANK, || Ok(share(OP, handle)?.rank().0))
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_get_global_rank_size(handle: ShmHandle) -> u32 {
    const OP: &str = "shm rank size";
    value(OP, NO_RANK, || Ok(share(OP, handle)?.rank_size()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_shm_set_extra_context(handle: ShmHandle, context: *const c_void, size: u32) -> i32 {
    const OP: &str = "shm set context";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        not_null(OP, "the context", context)?;
        let share = share(OP, handle)?;
        check_part(OP, size)?;
        // SAFETY: the caller passes `size` readable bytes.
        let context = unsafe { bytes(OP, "the context", context, u64::from(size)) }?;
        share.set_context(context)
    })
}

/// Refuses sizes outside 1 … 65536.
pub(crate) fn check_part(operation: &'static str, size: u32) -> Result<()> {
    if (1..=PART_BYTES_MAX).contains(&size) {
        return Ok(());
    }
    Err(Error::invalid(operation, "the size must be from 1 to 65536 bytes").with("size", size))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_shm_topology_can_reach(
    handle: ShmHandle,
    remote_rank: u32,
    reach_info: *mut u32,
) -> i32 {
    const OP: &str = "shm reach";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        not_null(OP, "the result", reach_info)?;
        let reach = share(OP, handle)?.reach(Rank(remote_rank))?;
        // SAFETY: not null; the caller passes room for a number.
        unsafe { reach_info.write(reach) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_shm_atomic_alloc_value(handle: ShmHandle, limit: u32, number: *mut i32) -> i32 {
    const OP: &str = "shm alloc value";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        not_null(OP, "the result", number)?;
        let taken = share(OP, handle)?.alloc_value(limit)?;
        // SAFETY: not null; the caller passes room for a number.
        unsafe { number.write(taken.cast_signed()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_atomic_release_value(handle: ShmHandle, number: i32) -> i32 {
    const OP: &str = "shm release value";
    code(OP, || {
        let share = share(OP, handle)?;
        let number = u32::try_from(number).map_err(|_| {
            Error::new(Kind::NotExist, OP).what("no such number was taken").with("value", number)
        })?;
        share.release_value(number)
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_register_exit(handle: ShmHandle, exit: Option<extern "C" fn(c_int)>) -> i32 {
    const OP: &str = "shm register exit";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        let exit = exit.ok_or_else(|| crate::boundary::null(OP, "the function"))?;
        share(OP, handle)?.on_exit(Box::new(move |status| exit(status)))
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_shm_global_exit(handle: ShmHandle, status: c_int) {
    const OP: &str = "shm global exit";
    code(OP, || share(OP, handle)?.exit_all(status));
}
