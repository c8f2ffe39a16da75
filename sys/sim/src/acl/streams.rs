// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: making, destroying and waiting for them.

use std::ffi::c_void;
use std::sync::Arc;

use super::arguments::{give, give_handle, known_bits, not_null, sync_timeout};
use crate::codes::acl;
use crate::device::context::stream_of;
use crate::device::current;
use crate::exports;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::session::Pool;
use crate::stream::{Options, Stream, flag};

exports! {
    /// A stream of the current context.
    fn aclrtCreateStream(stream: *mut *mut c_void) = create;
    /// The same, with priority and flags.
    fn aclrtCreateStreamWithConfig(stream: *mut *mut c_void, priority: u32, flag: u32) = create_with;
    /// Waits for what is queued and ends the stream.
    fn aclrtDestroyStream(stream: *mut c_void) = destroy;
    /// Drops what is queued and ends the stream.
    fn aclrtDestroyStreamForce(stream: *mut c_void) = destroy_force;
    /// Waits for what is queued.
    fn aclrtSynchronizeStream(stream: *mut c_void) = synchronize;
    /// The same, for a time.
    fn aclrtSynchronizeStreamWithTimeout(stream: *mut c_void, timeout: i32) = synchronize_for;
    /// Whether all is done.
    fn aclrtStreamQuery(stream: *mut c_void, status: *mut u32) = query;
    /// Drops what is queued and runs; the stream can be used again.
    fn aclrtStreamAbort(stream: *mut c_void) = abort;
    /// Makes the running task give up; those behind it run.
    fn aclrtStreamStop(stream: *mut c_void) = stop;
    /// How many more streams the device can have.
    fn aclrtGetStreamAvailableNum(streamCount: *mut u32) = available;
    /// Number of the stream on its device.
    fn aclrtStreamGetId(stream: *mut c_void, streamId: *mut i32) = id;
}

/// The lowest priority; the highest is 0.
pub(crate) const LEAST_PRIORITY: u32 = 7;

unsafe fn create(stream: *mut *mut c_void) -> Outcome {
    // SAFETY: passed on to the caller.
    unsafe { create_with(stream, 0, 0) }
}

unsafe fn create_with(stream: *mut *mut c_void, priority: u32, flags: u32) -> Outcome {
    not_null(stream, "stream")?;
    known_bits(flags.into(), flag::ALL.into(), "flag")?;
    check_priority(priority)?;
    let new = Stream::create(&current()?, Options { priority, flags }, false)?;
    // SAFETY: checked for null above.
    unsafe { give_handle(stream, new.handle) }
}

/// Assumed: a priority that does not exist is refused by the runtime.
pub(super) fn check_priority(priority: u32) -> Outcome {
    ensure(priority <= LEAST_PRIORITY, acl::RT_PARAM_INVALID, || {
        format!("priority {priority}: 0, the highest, to {LEAST_PRIORITY}")
    })
}

unsafe fn destroy(stream: *mut c_void) -> Outcome {
    let stream = owned(stream)?;
    stream.forget()?;
    stream.close();
    machine()?.devices.reports.forget(&stream);
    Ok(())
}

unsafe fn destroy_force(stream: *mut c_void) -> Outcome {
    let stream = owned(stream)?;
    stream.forget()?;
    stream.kill(acl::STREAM_ABORT);
    machine()?.devices.reports.forget(&stream);
    stream.wait_quiet(Stream::timeout())
}

/// A stream that a program made.
fn owned(handle: *mut c_void) -> Outcome<Arc<Stream>> {
    not_null(handle, "stream")?;
    let stream = stream_of(handle)?;
    refuse_default(&stream)?;
    Ok(stream)
}

/// Assumed: the default stream ends with its context alone.
fn refuse_default(stream: &Stream) -> Outcome {
    ensure(!stream.is_default(), acl::STREAM_CONTEXT, || {
        "the default stream of a context cannot be destroyed".to_owned()
    })
}

unsafe fn synchronize(stream: *mut c_void) -> Outcome {
    stream_of(stream)?.synchronize(None)
}

unsafe fn synchronize_for(stream: *mut c_void, timeout: i32) -> Outcome {
    let timeout = sync_timeout(timeout)?;
    stream_of(stream)?.synchronize(timeout)
}

unsafe fn query(stream: *mut c_void, status: *mut u32) -> Outcome {
    not_null(status, "status")?;
    let is_done = stream_of(stream)?.is_done();
    // SAFETY: checked for null above.
    unsafe { give(status, u32::from(!is_done)) }
}

unsafe fn id(stream: *mut c_void, id: *mut i32) -> Outcome {
    not_null(id, "streamId")?;
    let number = stream_of(stream)?.id().cast_signed();
    // SAFETY: checked for null above.
    unsafe { give(id, number) }
}

unsafe fn abort(stream: *mut c_void) -> Outcome {
    stream_of(stream)?.abort(acl::STREAM_ABORT, Stream::timeout())
}

/// Assumed: only the running task ends, without an error; what is queued goes on.
unsafe fn stop(stream: *mut c_void) -> Outcome {
    let stream = stream_of(stream)?;
    stream.cancel_running();
    stream.wait_quiet(Stream::timeout())
}

unsafe fn available(count: *mut u32) -> Outcome {
    not_null(count, "streamCount")?;
    let device = current()?.device.physical;
    let free = machine()?.session.free_numbers(device, Pool::Stream)?;
    // SAFETY: checked for null above.
    unsafe { give(count, u32::try_from(free).unwrap_or(u32::MAX)) }
}
