// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: queues of tasks.

use std::time::Duration;

use super::{Acl, Stream, call, milliseconds};
use crate::Result;
use crate::raw::types::{ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY};

impl Acl {
    /// Makes a stream of the context of the calling thread.
    ///
    /// # Errors
    /// [`OutOfResources`](crate::Class::OutOfResources) · [`NoContext`](crate::Class::NoContext).
    pub fn create_stream(&self) -> Result<Stream> {
        let mut stream = std::ptr::null_mut();
        call!(self, aclrtCreateStream(&raw mut stream))?;
        Ok(Stream::new(stream))
    }

    /// Makes a stream of a priority (0 is the highest) with flags (`ACL_STREAM_…`).
    ///
    /// # Errors
    /// As [`create_stream`](Self::create_stream).
    pub fn create_stream_with(&self, priority: u32, flags: u32) -> Result<Stream> {
        let mut stream = std::ptr::null_mut();
        call!(self, aclrtCreateStreamWithConfig(&raw mut stream, priority, flags))?;
        Ok(Stream::new(stream))
    }

    /// Waits for the tasks of a stream and ends it.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The stream is not used again.
    pub unsafe fn destroy_stream(&self, stream: Stream) -> Result<()> {
        if self.is_serving(stream) {
            // Functions of the host that are queued are still to be called, for which the stream must be
            // served.
            call!(self, aclrtSynchronizeStream(stream.as_raw()))?;
        }
        self.unsubscribe(stream);
        call!(self, aclrtDestroyStream(stream.as_raw()))
    }

    /// Drops the tasks of a stream and ends it. Host functions that were queued do not run.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The stream is not used again.
    pub unsafe fn destroy_stream_force(&self, stream: Stream) -> Result<()> {
        self.unsubscribe(stream);
        call!(self, aclrtDestroyStreamForce(stream.as_raw()))
    }

    /// Waits for the tasks of a stream; without a timeout as long as it takes. After a timeout the stream
    /// goes on.
    ///
    /// # Errors
    /// [`TimedOut`](crate::Class::TimedOut) · the error of a task, once.
    pub fn synchronize_stream(&self, stream: Stream, timeout: Option<Duration>) -> Result<()> {
        match timeout {
            None => call!(self, aclrtSynchronizeStream(stream.as_raw())),
            Some(timeout) => {
                call!(self, aclrtSynchronizeStreamWithTimeout(stream.as_raw(), milliseconds(timeout)))
            }
        }
    }

    /// Returns true if all tasks of a stream have finished.
    ///
    /// # Errors
    /// ACL's.
    pub fn stream_is_done(&self, stream: Stream) -> Result<bool> {
        let mut status = ACL_STREAM_STATUS_NOT_READY;
        call!(self, aclrtStreamQuery(stream.as_raw(), &raw mut status))?;
        Ok(status == ACL_STREAM_STATUS_COMPLETE)
    }

    /// The number of a stream.
    ///
    /// # Errors
    /// ACL's.
    pub fn stream_id(&self, stream: Stream) -> Result<i32> {
        let mut id = 0;
        call!(self, aclrtStreamGetId(stream.as_raw(), &raw mut id))?;
        Ok(id)
    }
}
