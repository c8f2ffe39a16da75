// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copying, filling and combining memory, at once or on streams.
//!
//! * `direction`: in which direction a copy goes, and whether its kind agrees.
//! * `job`: copies as tasks; what pinned and pageable memory make of them.
//! * `plane`: copies of rows. `batch`: many copies in a call. `combine`: sums and their like.

mod batch;
mod combine;
mod direction;
mod job;
pub(crate) mod numbers;
mod plane;

pub use batch::*;
pub use combine::*;
pub use plane::*;

use std::ffi::c_void;

use super::arguments::not_null;
use super::graph::refuse_during_capture;
use crate::codes::acl;
use crate::context::{current, stream_of};
use crate::fault::{Outcome, ensure};
use crate::memory::transfer::{self, Initiator};
use direction::{Direction, MemcpyKind};
use job::Job;

crate::exports! {
    /// Copies at once; streams are not waited for.
    fn aclrtMemcpy(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: u32) = memcpy;
    /// Copies on a stream.
    fn aclrtMemcpyAsync(
        dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: u32, stream: *mut c_void,
    ) = memcpy_async;
    /// As [`aclrtMemcpyAsync`], which waits by itself where that is needed.
    fn aclrtMemcpyAsyncWithCondition(
        dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: u32, stream: *mut c_void,
    ) = memcpy_async;
    /// Sets bytes at once.
    fn aclrtMemset(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize) = memset;
    /// Sets bytes on a stream.
    fn aclrtMemsetAsync(
        devPtr: *mut c_void, maxCount: usize, value: i32, count: usize, stream: *mut c_void,
    ) = memset_async;
}

unsafe fn memcpy(dst: *mut c_void, most: usize, src: *const c_void, bytes: usize, kind: u32) -> Outcome {
    let (job, kind) = arguments(dst, most, src, bytes, kind)?;
    if bytes == 0 {
        return Ok(());
    }
    refuse_during_capture("aclrtMemcpy")?;
    let by = Initiator::Device(current()?.device.physical);
    transfer::copy_if(by, job.dst, job.src, job.width, |from, to| {
        Direction::between(from, to).check(&job, kind)
    })
}

pub(crate) unsafe fn memcpy_async(
    dst: *mut c_void,
    most: usize,
    src: *const c_void,
    bytes: usize,
    kind: u32,
    stream: *mut c_void,
) -> Outcome {
    let (job, kind) = arguments(dst, most, src, bytes, kind)?;
    let stream = stream_of(stream)?;
    if bytes == 0 {
        return Ok(());
    }
    Direction::from_job(&job, kind)?.on_stream(kind)?;
    job::submit(&stream, "memcpy", vec![job])
}

unsafe fn memset(dst: *mut c_void, most: usize, value: i32, bytes: usize) -> Outcome {
    check_room(dst, most, bytes)?;
    if bytes == 0 {
        return Ok(());
    }
    refuse_during_capture("aclrtMemset")?;
    let by = Initiator::Device(current()?.device.physical);
    transfer::fill(by, dst.addr() as u64, low_byte(value), bytes as u64)
}

unsafe fn memset_async(
    dst: *mut c_void,
    most: usize,
    value: i32,
    bytes: usize,
    stream: *mut c_void,
) -> Outcome {
    check_room(dst, most, bytes)?;
    let stream = stream_of(stream)?;
    let (address, bytes) = (dst.addr() as u64, bytes as u64);
    if bytes == 0 {
        return Ok(());
    }
    job::check_end(stream.device.physical, address, bytes, crate::memory::Access::ReadWrite)?;
    stream.push_again("memset", move |running| {
        let by = Initiator::Device(running.device.physical);
        transfer::fill(by, address, low_byte(value), bytes).map_err(transfer::in_task)
    })
}

fn arguments(
    dst: *mut c_void,
    most: usize,
    src: *const c_void,
    bytes: usize,
    kind: u32,
) -> Outcome<(Job, MemcpyKind)> {
    not_null(src, "src")?;
    not_null(dst, "dst")?;
    let kind = MemcpyKind::read(kind)?;
    check_room(dst, most, bytes)?;
    Ok((Job::line(dst.addr() as u64, src.addr() as u64, bytes as u64), kind))
}

fn check_room(dst: *mut c_void, most: usize, bytes: usize) -> Outcome {
    not_null(dst, "dst")?;
    ensure(bytes <= most, acl::RT_PARAM_INVALID, || {
        format!("{bytes} bytes do not fit the destination's {most}")
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low byte, as memset does")]
fn low_byte(value: i32) -> u8 {
    value as u8
}
