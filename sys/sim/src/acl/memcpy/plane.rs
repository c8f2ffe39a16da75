// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies of rows that lie at a distance from each other.

use std::ffi::c_void;

use super::direction::{Direction, End, MemcpyKind};
use super::job::{self, Job};
use crate::acl::arguments::{not_null, not_zero};
use crate::codes::acl;
use crate::context::{current, stream_of};
use crate::fault::{Outcome, ensure};
use crate::memory::transfer::Initiator;

/// The widest row.
const WIDEST: usize = 5_000_000;
/// Most rows.
const HIGHEST: usize = 5_242_880;

crate::exports! {
    /// Copies rows at once, between host and device.
    fn aclrtMemcpy2d(
        dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: u32,
    ) => now(&Rows { dst, dst_pitch: dpitch, src, src_pitch: spitch, width, height }, kind);
    /// Copies rows on a stream, also within a device.
    fn aclrtMemcpy2dAsync(
        dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: u32,
        stream: *mut c_void,
    ) => on_stream(&Rows { dst, dst_pitch: dpitch, src, src_pitch: spitch, width, height }, kind, stream);
}

/// A copy of rows as it was asked for.
struct Rows {
    dst: *mut c_void,
    dst_pitch: usize,
    src: *const c_void,
    src_pitch: usize,
    width: usize,
    height: usize,
}

fn now(rows: &Rows, kind: u32) -> Outcome {
    let kind = rows.check(kind)?;
    let job = rows.plan()?;
    let direction = Direction::from_job(&job, kind)?;
    ensure(is_between(kind, direction), acl::RT_PARAM_INVALID, || {
        format!("the kind {kind:?} is not for rows: only from host to device and back, not {direction:?}")
    })?;
    job.run(Initiator::Device(current()?.device.physical), || false)
}

fn on_stream(rows: &Rows, kind: u32, stream: *mut c_void) -> Outcome {
    let kind = rows.check(kind)?;
    let job = rows.plan()?;
    let stream = stream_of(stream)?;
    let direction = Direction::from_job(&job, kind)?;
    direction.on_stream(kind)?;
    let inside = matches!((direction.from, direction.to), (End::Device(from), End::Device(to)) if from == to);
    ensure(is_between(kind, direction) || inside, acl::RT_PARAM_INVALID, || {
        format!("rows are not copied from device to device: {direction:?}")
    })?;
    job::submit(&stream, "memcpy 2d", vec![job])
}

impl Rows {
    /// Checks the arguments alone (first layer).
    fn check(&self, kind: u32) -> Outcome<MemcpyKind> {
        not_null(self.dst, "dst")?;
        not_null(self.src, "src")?;
        not_zero(self.width, "width")?;
        not_zero(self.height, "height")?;
        MemcpyKind::read(kind)
    }

    fn plan(&self) -> Outcome<Job> {
        let Self { dst, dst_pitch, src, src_pitch, width, height } = *self;
        ensure(width <= WIDEST && height <= HIGHEST, acl::RT_PARAM_INVALID, || {
            format!("{width} × {height}: a row has {WIDEST} bytes at most, a copy {HIGHEST} rows")
        })?;
        ensure(width <= dst_pitch && width <= src_pitch, acl::RT_PARAM_INVALID, || {
            format!("rows of {width} bytes do not fit the distances {dst_pitch} and {src_pitch}")
        })?;
        Ok(Job {
            dst: dst.addr() as u64,
            src: src.addr() as u64,
            width: width as u64,
            height: height as u64,
            dst_pitch: dst_pitch as u64,
            src_pitch: src_pitch as u64,
        })
    }
}

/// Returns true for a copy between host and device, by its addresses and consistent with its kind.
fn is_between(kind: MemcpyKind, direction: Direction) -> bool {
    let by_kind = matches!(kind, MemcpyKind::HostToDevice | MemcpyKind::DeviceToHost | MemcpyKind::Default);
    by_kind && (direction.is_up() || direction.is_down())
}
