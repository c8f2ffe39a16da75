// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_shm.h`: barriers and allgathers of the processes.

use std::ffi::c_char;

use mf_abi::smem::ShmHandle;
use mf_base::{Error, Result};

use super::state::share;
use crate::boundary::{bytes, text};
use crate::smem::shm::objects::check_part;

pub(crate) fn smem_shm_control_barrier(op: &'static str, handle: ShmHandle) -> Result<()> {
    share(op, handle)?.barrier()
}

pub(crate) unsafe fn smem_shm_control_allgather(
    op: &'static str,
    handle: ShmHandle,
    send: *const c_char,
    send_size: u32,
    receive: *mut c_char,
    receive_size: u32,
) -> Result<()> {
    let share = share(op, handle)?;
    let buffers = Buffers::of(op, send, send_size, receive, receive_size)?;
    // SAFETY: the caller passes buffers of these sizes, which nothing else uses meanwhile.
    unsafe { buffers.gather(op, share.rank_size(), |own, all| share.allgather(own, all)) }
}

pub(crate) unsafe fn smem_shm_subgroup_barrier(
    op: &'static str,
    handle: ShmHandle,
    key: *const c_char,
    rank_size: u32,
    rank: u32,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let key = unsafe { text(op, "the key", key) }?;
    share(op, handle)?.subgroup_barrier(key, rank_size, rank)
}

pub(crate) unsafe fn smem_shm_subgroup_allgather(
    op: &'static str,
    handle: ShmHandle,
    key: *const c_char,
    rank_size: u32,
    rank: u32,
    send: *const c_char,
    send_size: u32,
    receive: *mut c_char,
    receive_size: u32,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let key = unsafe { text(op, "the key", key) }?;
    let share = share(op, handle)?;
    let buffers = Buffers::of(op, send, send_size, receive, receive_size)?;
    let gather = |own: &[u8], all: &mut [u8]| share.subgroup_allgather(key, rank_size, rank, own, all);
    // SAFETY: the caller passes buffers of these sizes, which nothing else uses meanwhile.
    unsafe { buffers.gather(op, rank_size, gather) }
}

/// Buffers of an allgather: the own part, and the parts of all ranks.
pub(super) struct Buffers {
    pub(super) send: *const c_char,
    pub(super) send_bytes: u64,
    pub(super) receive: *mut c_char,
    pub(super) receive_bytes: u64,
}

impl Buffers {
    /// Checks the length of the own part against upstream's limit.
    fn of(
        operation: &'static str,
        send: *const c_char,
        send_size: u32,
        receive: *mut c_char,
        receive_size: u32,
    ) -> Result<Self> {
        check_part(operation, send_size)?;
        Ok(Self { send, send_bytes: send_size.into(), receive, receive_bytes: receive_size.into() })
    }

    /// Checks the sizes for `ranks` and runs `gather` on the bytes.
    ///
    /// # Safety
    /// The caller's buffers have these sizes, and nothing else uses them meanwhile.
    pub(super) unsafe fn gather(
        &self,
        operation: &'static str,
        ranks: u32,
        gather: impl FnOnce(&[u8], &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let room = usize::try_from(self.receive_bytes).ok();
        let (Some(all_bytes), true) = (room, fits(self.send_bytes, ranks, self.receive_bytes)) else {
            return Err(Error::invalid(operation, "the receive size is not the send size times the ranks")
                .with("send_size", self.send_bytes)
                .with("receive_size", self.receive_bytes)
                .with("ranks", ranks));
        };
        // SAFETY: the caller passes so many readable bytes.
        let send = unsafe { bytes(operation, "the send buffer", self.send.cast(), self.send_bytes) }?;
        let (start, end) = (self.receive.addr(), self.receive.addr().saturating_add(all_bytes));
        let overlaps = self.send.addr() < end && start < self.send.addr().saturating_add(send.len());
        // Programs gather in place, where the own bytes lie in the receive buffer: then they are borrowed no
        // longer.
        let copied = overlaps.then(|| send.to_vec());
        let own = copied.as_deref().unwrap_or(send);
        // SAFETY: the caller passes so many writable bytes, not null, which `own` does not overlap.
        let all = unsafe { std::slice::from_raw_parts_mut(self.receive.cast(), all_bytes) };
        gather(own, all)
    }
}

/// Returns true if a buffer has room for the parts of all ranks.
fn fits(part: u64, ranks: u32, all: u64) -> bool {
    part > 0 && part.checked_mul(ranks.into()) == Some(all)
}
