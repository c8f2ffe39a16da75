// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: marks in a stream that other streams, or the host, wait for.

use std::time::Duration;

use super::{Acl, Event, Stream, call, milliseconds};
use crate::Result;
use crate::raw::types::{ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_RECORDED_STATUS_NOT_READY};

impl Acl {
    /// Makes an event that is recorded once, until [`reset_event`](Self::reset_event), with flags
    /// (`ACL_EVENT_…`).
    ///
    /// # Errors
    /// [`OutOfResources`](crate::Class::OutOfResources).
    pub fn create_event(&self, flags: u32) -> Result<Event> {
        let mut event = std::ptr::null_mut();
        call!(self, aclrtCreateEventWithFlag(&raw mut event, flags))?;
        Ok(Event::new(event))
    }

    /// Makes an event that may be recorded again and again and is never reset, with flags (`ACL_EVENT_…`).
    ///
    /// # Errors
    /// [`OutOfResources`](crate::Class::OutOfResources).
    pub fn create_reusable_event(&self, flags: u32) -> Result<Event> {
        let mut event = std::ptr::null_mut();
        call!(self, aclrtCreateEventExWithFlag(&raw mut event, flags))?;
        Ok(Event::new(event))
    }

    /// Ends an event; waits that were queued before still work.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The event is not used again.
    pub unsafe fn destroy_event(&self, event: Event) -> Result<()> {
        call!(self, aclrtDestroyEvent(event.as_raw()))
    }

    /// Marks the tasks that a stream has so far.
    ///
    /// # Errors
    /// ACL's.
    pub fn record_event(&self, event: Event, stream: Stream) -> Result<()> {
        call!(self, aclrtRecordEvent(event.as_raw(), stream.as_raw()))
    }

    /// Makes an event of [`create_event`](Self::create_event) fresh again.
    ///
    /// # Errors
    /// ACL's.
    pub fn reset_event(&self, event: Event, stream: Stream) -> Result<()> {
        call!(self, aclrtResetEvent(event.as_raw(), stream.as_raw()))
    }

    /// Lets a stream wait for the latest record of an event at the time of this call.
    ///
    /// # Errors
    /// ACL's.
    pub fn wait_event(&self, stream: Stream, event: Event) -> Result<()> {
        call!(self, aclrtStreamWaitEvent(stream.as_raw(), event.as_raw()))
    }

    /// Waits on the host for the latest record of an event; without a timeout as long as it takes.
    ///
    /// # Errors
    /// [`TimedOut`](crate::Class::TimedOut) · the error of a task.
    pub fn synchronize_event(&self, event: Event, timeout: Option<Duration>) -> Result<()> {
        match timeout {
            None => call!(self, aclrtSynchronizeEvent(event.as_raw())),
            Some(timeout) => {
                call!(self, aclrtSynchronizeEventWithTimeout(event.as_raw(), milliseconds(timeout)))
            }
        }
    }

    /// Returns true if the latest record of an event is reached, or if the event was never recorded.
    ///
    /// # Errors
    /// ACL's.
    pub fn event_is_reached(&self, event: Event) -> Result<bool> {
        let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        call!(self, aclrtQueryEventStatus(event.as_raw(), &raw mut status))?;
        Ok(status == ACL_EVENT_RECORDED_STATUS_COMPLETE)
    }

    /// Milliseconds between two recorded events that were made with `ACL_EVENT_TIME_LINE`.
    ///
    /// # Errors
    /// ACL's; the function is optional.
    pub fn elapsed_ms(&self, start: Event, end: Event) -> Result<f32> {
        let mut elapsed = 0.0;
        call!(self, aclrtEventElapsedTime(&raw mut elapsed, start.as_raw(), end.as_raw()))?;
        Ok(elapsed)
    }
}
