// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: recording, waiting, asking, sharing.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::time::Duration;

use ascend_acl_sys::raw::types::aclrtIpcEventHandle;

use super::arguments::{answer, give, give_new, known_bits, not_null, sync_timeout};
use super::key::{self, KEY_BYTES};
use super::streams::free_numbers;
use crate::arg::Arg;
use crate::codes::acl;
use crate::context::current;
use crate::context::stream_of;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::session::Pool;
use crate::stream::event::events;
use crate::stream::event::{Event, flag};

exports! {
    /// An event for one record at a time, with times.
    fn aclrtCreateEvent(event: *mut *mut c_void) = create;
    /// The same, with flags.
    fn aclrtCreateEventWithFlag(event: *mut *mut c_void, flag: u32)
        // SAFETY: `make` checks for null; else the program passes a place for a handle.
        => unsafe { make(event, flag, false) };
    /// An event that may be recorded again and again.
    fn aclrtCreateEventExWithFlag(event: *mut *mut c_void, flag: u32)
        // SAFETY: `make` checks for null; else the program passes a place for a handle.
        => unsafe { make(event, flag, true) };
    /// Ends an event; waits that were issued still work.
    fn aclrtDestroyEvent(event: *mut c_void) = destroy;
    /// Records the event behind the tasks issued so far.
    fn aclrtRecordEvent(event: *mut c_void, stream: *mut c_void)
        => event_of(event)?.record(&stream_of(stream)?);
    /// Makes an event as if never recorded.
    fn aclrtResetEvent(event: *mut c_void, stream: *mut c_void)
        => event_of(event)?.reset(&stream_of(stream)?);
    /// Lets a stream wait.
    fn aclrtStreamWaitEvent(stream: *mut c_void, event: *mut c_void)
        => event_of(event)?.wait(&stream_of(stream)?, None);
    /// The same, for a time.
    fn aclrtStreamWaitEventWithTimeout(stream: *mut c_void, event: *mut c_void, timeout: i32) = wait_for;
    /// Waits on the host.
    fn aclrtSynchronizeEvent(event: *mut c_void) => event_of(event)?.synchronize(None);
    /// The same, for a time.
    fn aclrtSynchronizeEventWithTimeout(event: *mut c_void, timeout: i32) = synchronize_for;
    /// 1 when reached.
    fn aclrtQueryEventStatus(event: *mut c_void, status: *mut u32)
        -> status: event_of(event)?.is_reached().into();
    /// 0 when reached: the older form.
    fn aclrtQueryEvent(event: *mut c_void, status: *mut u32)
        -> status: (!event_of(event)?.is_reached()).into();
    /// 0 when all waits are over.
    fn aclrtQueryEventWaitStatus(event: *mut c_void, status: *mut u32)
        -> status: (!event_of(event)?.is_waited()).into();
    /// Milliseconds between two events.
    fn aclrtEventElapsedTime(ms: *mut f32, startEvent: *mut c_void, endEvent: *mut c_void) = elapsed;
    /// When it was reached, in microseconds.
    fn aclrtEventGetTimestamp(event: *mut c_void, timestamp: *mut u64)
        -> timestamp: u64::try_from(event_of(event)?.time()?.as_micros()).unwrap_or(u64::MAX);
    /// Number of the event on its device.
    fn aclrtGetEventId(event: *mut c_void, eventId: *mut u32) -> eventId: event_of(event)?.id();
    /// Returns the number of further events available on the device.
    fn aclrtGetEventAvailNum(eventCount: *mut u32) -> eventCount: free_numbers(Pool::Event)?;
    /// Exports a handle for another process.
    fn aclrtIpcGetEventHandle(event: *mut c_void, handle: *mut aclrtIpcEventHandle) = export;
    /// The event of another process.
    fn aclrtIpcOpenEventHandle(handle: aclrtIpcEventHandle, event: *mut *mut c_void) = import;
}

impl From<aclrtIpcEventHandle> for Arg {
    fn from(_: aclrtIpcEventHandle) -> Self {
        Self::Opaque
    }
}

/// Assumed: a plain event keeps times.
const PLAIN: u32 = flag::SYNC | flag::TIME_LINE;

unsafe fn create(event: *mut *mut c_void) -> Outcome {
    // SAFETY: `make` checks for null; else the program passes a place for a handle.
    unsafe { make(event, PLAIN, false) }
}

unsafe fn make(out: *mut *mut c_void, flags: u32, is_reusable: bool) -> Outcome {
    not_null(out, "event")?;
    known_bits(flags.into(), flag::ALL.into(), "flag")?;
    let context = current()?;
    let event = Event::create(&context.device, flags, is_reusable)?;
    // SAFETY: checked for null above.
    unsafe { give_new(out, events()?, event.handle, &context) }
}

fn event_of(handle: *const c_void) -> Outcome<Arc<Event>> {
    not_null(handle, "event")?;
    events()?.get(handle, acl::RT_PARAM_INVALID)
}

unsafe fn destroy(event: *mut c_void) -> Outcome {
    not_null(event, "event")?;
    events()?.remove(event, acl::RT_PARAM_INVALID).map(drop)
}

unsafe fn wait_for(stream: *mut c_void, event: *mut c_void, timeout: i32) -> Outcome {
    let event = event_of(event)?;
    let timeout = wait_timeout(timeout)?;
    event.wait(&stream_of(stream)?, timeout)
}

/// Assumed: −1 for ever, else milliseconds, as where the host waits.
fn wait_timeout(timeout: i32) -> Outcome<Option<Duration>> {
    event_timeout(timeout)
}

fn event_timeout(timeout: i32) -> Outcome<Option<Duration>> {
    ensure(timeout != 0, acl::RT_PARAM_INVALID, || {
        "a timeout of 0 ms: −1 waits for ever, more than 0 so long".to_owned()
    })?;
    sync_timeout(timeout)
}

unsafe fn synchronize_for(event: *mut c_void, timeout: i32) -> Outcome {
    let event = event_of(event)?;
    event.synchronize(event_timeout(timeout)?)
}

unsafe fn elapsed(out: *mut f32, start: *mut c_void, end: *mut c_void) -> Outcome {
    not_null(out, "ms")?;
    let (start, end) = (event_of(start)?.time()?, event_of(end)?.time()?);
    let time = end.checked_sub(start).ok_or_else(|| {
        Fault::new(
            acl::EVENT_TIMESTAMP_REVERSAL,
            format_args!("the end was reached {:?} before the start", start.saturating_sub(end)),
        )
    })?;
    // SAFETY: checked for null above.
    unsafe { give(out, time.as_secs_f32() * 1e3) }
}

unsafe fn export(event: *mut c_void, handle: *mut aclrtIpcEventHandle) -> Outcome {
    not_null(handle, "handle")?;
    let (number, secret) = event_of(event)?.publish()?;
    let mut bytes = [0; 64];
    bytes[..KEY_BYTES].copy_from_slice(&key::write(number, secret));
    // SAFETY: checked for null above.
    unsafe { give(handle, aclrtIpcEventHandle { reserved: bytes.map(|byte| c_char::from_ne_bytes([byte])) }) }
}

unsafe fn import(handle: aclrtIpcEventHandle, out: *mut *mut c_void) -> Outcome {
    not_null(out, "event")?;
    let bytes: Vec<u8> = handle.reserved.iter().map(|byte| byte.to_ne_bytes()[0]).collect();
    let (number, secret) = key::parse(bytes.get(..KEY_BYTES).unwrap_or_default())?;
    let context = current()?;
    let event = Event::import(&context.device, number, secret)?;
    // SAFETY: checked for null above.
    unsafe { give_new(out, events()?, event.handle, &context) }
}
