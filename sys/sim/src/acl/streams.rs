// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: making, destroying and waiting for them.

use std::ffi::c_void;
use std::sync::Arc;

use super::arguments::{answer, give_handle, known_bits, not_null, sync_timeout};
use crate::codes::acl;
use crate::context::current;
use crate::context::stream_of;
use crate::exports;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::session::Pool;
use crate::stream::report::reports;
use crate::stream::{Options, Stream, flag};

exports! {
    /// A stream of the current context.
    fn aclrtCreateStream(stream: *mut *mut c_void)
        // SAFETY: null is refused; else the program passes a place for a handle.
        => unsafe { create_with(stream, 0, 0) };
    /// The same, with priority and flags.
    fn aclrtCreateStreamWithConfig(stream: *mut *mut c_void, priority: u32, flag: u32) = create_with;
    /// Waits for the queued tasks and ends the stream.
    fn aclrtDestroyStream(stream: *mut c_void) = destroy;
    /// Drops the queued tasks and ends the stream.
    fn aclrtDestroyStreamForce(stream: *mut c_void) = destroy_force;
    /// Waits for the queued tasks.
    fn aclrtSynchronizeStream(stream: *mut c_void) => stream_of(stream)?.synchronize(None);
    /// The same, for a time.
    fn aclrtSynchronizeStreamWithTimeout(stream: *mut c_void, timeout: i32) = synchronize_for;
    /// Reports if all tasks have finished.
    fn aclrtStreamQuery(stream: *mut c_void, status: *mut u32)
        -> status: u32::from(!stream_of(stream)?.is_done());
    /// Drops queued and running tasks; the stream stays usable.
    fn aclrtStreamAbort(stream: *mut c_void)
        => stream_of(stream)?.abort(acl::STREAM_ABORT, Stream::timeout());
    /// Makes the running task give up; those behind it run.
    fn aclrtStreamStop(stream: *mut c_void) = stop;
    /// Returns the number of further streams available on the device.
    fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> streamCount: free_numbers(Pool::Stream)?;
    /// Number of the stream on its device.
    fn aclrtStreamGetId(stream: *mut c_void, streamId: *mut i32)
        -> streamId: stream_of(stream)?.id().cast_signed();
}

/// The lowest priority; the highest is 0.
pub(crate) const LEAST_PRIORITY: u32 = 7;

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
    reports()?.forget(&stream);
    Ok(())
}

unsafe fn destroy_force(stream: *mut c_void) -> Outcome {
    let stream = owned(stream)?;
    stream.forget()?;
    stream.kill(acl::STREAM_ABORT);
    reports()?.forget(&stream);
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

unsafe fn synchronize_for(stream: *mut c_void, timeout: i32) -> Outcome {
    let timeout = sync_timeout(timeout)?;
    stream_of(stream)?.synchronize(timeout)
}

/// Assumed: only the running task ends, without an error; queued tasks continue.
unsafe fn stop(stream: *mut c_void) -> Outcome {
    let stream = stream_of(stream)?;
    stream.cancel_running();
    stream.wait_quiet(Stream::timeout())
}

/// Returns the number of further objects of this kind available on the current device.
pub(super) fn free_numbers(pool: Pool) -> Outcome<u32> {
    let device = current()?.device.physical;
    Ok(u32::try_from(machine()?.session.free_numbers(device, pool)?).unwrap_or(u32::MAX))
}
