// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies as tasks of a stream.
//!
//! Pinned memory is accessed only when the task runs, so that a missing synchronization shows in the data.
//! Pageable sources are read before the call returns, and pageable destinations are complete when it returns.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use super::direction::{Direction, End};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::memory::region::regions;
use crate::memory::transfer::{self, Initiator};
use crate::memory::{Access, RegionKind, native};
use crate::stream::{Running, Stream};

/// Bytes between two cancellation checks of a copy.
const PART: usize = 16 << 20;

/// Rows of bytes to copy; a single one for a plain copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) dst: u64,
    pub(super) src: u64,
    /// Bytes of a row.
    pub(super) width: u64,
    /// Rows.
    pub(super) height: u64,
    /// From row to row.
    pub(super) dst_pitch: u64,
    /// As `dst_pitch`.
    pub(super) src_pitch: u64,
}

impl Job {
    /// A plain copy.
    pub(super) fn line(dst: u64, src: u64, bytes: u64) -> Self {
        Self { dst, src, width: bytes, height: 1, dst_pitch: bytes, src_pitch: bytes }
    }

    /// Bytes from the first to the last that rows at this distance touch.
    fn span(&self, pitch: u64) -> Outcome<u64> {
        let before_last = (self.height - 1).checked_mul(pitch);
        before_last.and_then(|bytes| bytes.checked_add(self.width)).ok_or_else(|| {
            Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!(
                    "{} rows at a distance of {pitch} are more than there are addresses",
                    self.height
                ),
            )
        })
    }

    fn bytes(&self) -> u64 {
        self.width.saturating_mul(self.height)
    }

    /// Copies; nothing unless all of it may be.
    ///
    /// # Errors
    /// Also 107023 as soon as it is cancelled.
    pub(super) fn run(&self, by: Initiator, is_cancelled: impl Fn() -> bool) -> Outcome {
        transfer::check(by, self.src, self.span(self.src_pitch)?, Access::Read)?;
        transfer::check(by, self.dst, self.span(self.dst_pitch)?, Access::ReadWrite)?;
        transfer::announce(by, Some(self.dst), Some(self.src), self.bytes())?;
        for (dst, src) in self.rows() {
            for start in (0..self.width).step_by(PART) {
                ensure(!is_cancelled(), acl::STREAM_ABORT, || {
                    "the stream was aborted during a copy".to_owned()
                })?;
                let bytes = (self.width - start).min(PART as u64);
                transfer::copy_part(by, dst + start, src + start, bytes)?;
            }
        }
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = (u64, u64)> {
        let job = *self;
        (0..job.height).map(move |row| (job.dst + row * job.dst_pitch, job.src + row * job.src_pitch))
    }

    /// Takes the bytes of all rows.
    fn take(&self) -> Outcome<Vec<u8>> {
        let mut taken: Vec<u8> = Vec::new();
        let bytes = native(self.bytes());
        taken.try_reserve_exact(bytes).map_err(|_| {
            Fault::new(acl::MEMORY_ALLOCATION, format_args!("the host has no {bytes} bytes for the copy"))
        })?;
        for (_, src) in self.rows() {
            let place = taken.spare_capacity_mut().as_mut_ptr().cast();
            // SAFETY: room for all rows was reserved above, and `len` counts the rows that are there.
            unsafe { transfer::read(Initiator::Host, src, place, self.width) }?;
            // SAFETY: these bytes were just written.
            unsafe { taken.set_len(taken.len() + native(self.width)) };
        }
        Ok(taken)
    }

    /// Writes the bytes that were read.
    fn put(&self, by: Initiator, taken: &[u8]) -> Outcome {
        transfer::announce(by, Some(self.dst), None, self.bytes())?;
        let mut rest = taken;
        for (dst, _) in self.rows() {
            let (row, behind) = rest.split_at(native(self.width).min(rest.len()));
            // SAFETY: the slice is valid for its length.
            unsafe { transfer::write(by, dst, row.as_ptr(), row.len() as u64) }?;
            rest = behind;
        }
        Ok(())
    }
}

/// Makes a task of copies; waits for it when it brings something to pageable memory.
///
/// # Errors
/// 107000 for an end that is nowhere, or on a device that the stream's does not reach. Of the task itself
/// only when it is waited for.
pub(super) fn submit(stream: &Arc<Stream>, name: &'static str, jobs: Vec<Job>) -> Outcome {
    let device = stream.device.physical;
    let mut steps = Vec::with_capacity(jobs.len());
    let (mut waits, mut again) = (false, true);
    for job in jobs {
        check_end(device, job.src, job.span(job.src_pitch)?, Access::Read)?;
        check_end(device, job.dst, job.span(job.dst_pitch)?, Access::ReadWrite)?;
        let direction = Direction { from: End::at(job.src)?, to: End::at(job.dst)? };
        waits |= direction.to == End::Pageable;
        again &= direction.from != End::Pageable;
        let taken = if direction.from == End::Pageable { Some(job.take()?) } else { None };
        steps.push((job, taken));
    }
    let run = move |running: &Running| {
        steps.iter().try_for_each(|(job, taken)| step(running, job, taken.as_deref()))
    };
    if !waits {
        return if again { stream.push_again(name, run) } else { stream.push(name, run) };
    }
    let (done, outcome) = sync_channel(1);
    stream.push(name, move |running| {
        let result = run(running);
        // Without a receiver (the waiting thread has ended) the result is not needed.
        let _ = done.send(result.clone());
        result
    })?;
    outcome.recv().unwrap_or_else(|_| {
        Err(Fault::new(acl::STREAM_ABORT, "the stream dropped the copy before it brought the data"))
    })
}

fn step(running: &Running, job: &Job, taken: Option<&[u8]>) -> Outcome {
    let by = Initiator::Device(running.device.physical);
    match taken {
        Some(taken) => job.put(by, taken),
        None => job.run(by, || running.is_cancelled()),
    }
    .map_err(transfer::in_task)
}

/// Refuses an end of a copy that a stream cannot be given: where nothing is, and allocations of a device that
/// is out of reach. Rights to mappings are checked when the task runs, by hardware too.
pub(super) fn check_end(device: u32, address: u64, bytes: u64, want: Access) -> Outcome {
    transfer::check(Initiator::Host, address, bytes, want)?;
    let region = regions()?.find(address);
    match region.map(|region| region.kind) {
        Some(RegionKind::Malloc | RegionKind::Pooled | RegionKind::Ipc) => {
            transfer::check(Initiator::Device(device), address, bytes, want)
        }
        _ => Ok(()),
    }
}
