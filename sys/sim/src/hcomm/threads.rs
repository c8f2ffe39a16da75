// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads: queues of work for channels. Work is done when it is issued, so a thread is only a name.

use std::ffi::c_void;
use std::sync::LazyLock;

use super::{MOST, entries, expect, not_null};
use crate::acl::arguments::give;
use crate::fault::Outcome;
use crate::handles::HandleTable;
use crate::hccl::code;

crate::exports! {
    /// Makes threads.
    fn HcommThreadAlloc(engine: i32, num: u32, notifyNumPerThread: *const u32, threads: *mut u64) = allocate;
    /// Ends threads.
    fn HcommThreadFree(threads: *const u64, num: u32) = free;
}

/// Numbers of engines: CPU 0, CPU_TS, AICPU, AICPU_TS, AIV, CCU 5.
pub(super) const ENGINES: std::ops::RangeInclusive<i32> = 0..=5;

static THREADS: LazyLock<HandleTable<()>> = LazyLock::new(|| HandleTable::new("thread"));

/// Checks a thread of a copy; 0 is the calling thread of the host.
///
/// # Errors
/// `HCCL_E_PARA` for an unknown one.
pub(super) fn check(thread: u64) -> Outcome {
    if thread == 0 { Ok(()) } else { THREADS.get(pointer(thread), code::PARA).map(drop) }
}

/// A handle that is a number, as the table has it.
pub(super) fn pointer(handle: u64) -> *const c_void {
    std::ptr::without_provenance(crate::memory::native(handle))
}

unsafe fn allocate(engine: i32, count: u32, notifies: *const u32, threads: *mut u64) -> Outcome {
    not_null(threads, "threads")?;
    expect(ENGINES.contains(&engine), || format!("invalid engine {engine}: must be 0 to 5"))?;
    if notifies.is_null() {
        expect(count > 0 && count <= MOST, || format!("{count} threads: must be 1 to {MOST}"))?;
    } else {
        // SAFETY: not null; the program passes one number a thread.
        unsafe { entries(notifies, count, "notifyNumPerThread") }?;
    }
    for index in 0..count as usize {
        let (handle, _) = THREADS.insert_with(|_| ());
        // SAFETY: not null; the program has room for `num` handles.
        unsafe { give(threads.wrapping_add(index), handle.addr() as u64) }?;
    }
    Ok(())
}

unsafe fn free(threads: *const u64, count: u32) -> Outcome {
    // SAFETY: null is refused; the program passes `num` handles.
    let threads = unsafe { entries(threads, count, "threads") }?;
    threads.iter().try_for_each(|thread| THREADS.remove(pointer(*thread), code::PARA).map(drop))
}
