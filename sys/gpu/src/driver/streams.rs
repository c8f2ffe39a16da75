// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams, and stream operations other than copies.

use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;

use crate::operations::{HostFunction, NAMES, RawStream};
use crate::{Driver, Result, Vendor};

/// A stream; the default one unless made by [`Driver::stream_create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(pub RawStream);

impl Stream {
    /// The default stream of the selected device.
    pub const DEFAULT: Stream = Stream(null_mut());
}

// SAFETY: a name; the code that uses it guarantees that the stream is valid then.
unsafe impl Send for Stream {}
// SAFETY: as for `Send`.
unsafe impl Sync for Stream {}

/// A stream that does not wait for the default one.
const NON_BLOCKING: c_uint = 1;

impl Driver {
    /// A stream of the selected device that does not wait for the default one.
    ///
    /// # Errors
    /// The driver's.
    pub fn stream_create(&self) -> Result<Stream> {
        let flags = if self.vendor == Vendor::Cambricon { 0 } else { NON_BLOCKING };
        let mut stream = null_mut();
        // SAFETY: writes one pointer.
        let status = unsafe { (self.operations.stream_create)(&raw mut stream, flags) };
        self.check(&NAMES.stream_create, status)?;
        Ok(Stream(stream))
    }

    /// Ends a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The stream is one of [`stream_create`](Self::stream_create) and is no longer in use.
    pub unsafe fn stream_destroy(&self, stream: Stream) -> Result<()> {
        // SAFETY: the stream is one of `stream_create` and no longer in use, by contract.
        self.check(&NAMES.stream_destroy, unsafe { (self.operations.stream_destroy)(stream.0) })
    }

    /// Waits until everything on the stream is done.
    ///
    /// # Errors
    /// Errors of the driver, including deferred errors of work on the stream.
    ///
    /// # Safety
    /// The stream is alive.
    pub unsafe fn stream_wait(&self, stream: Stream) -> Result<()> {
        // SAFETY: the stream is alive, by contract.
        self.check(&NAMES.stream_wait, unsafe { (self.operations.stream_wait)(stream.0) })
    }

    /// Waits for everything on the selected device.
    ///
    /// # Errors
    /// Errors of the driver, including deferred errors of work on its streams.
    pub fn device_wait(&self) -> Result<()> {
        // SAFETY: takes nothing.
        self.check(&NAMES.device_wait, unsafe { (self.operations.device_wait)() })
    }

    /// Puts a function of the host on a stream.
    ///
    /// # Errors
    /// The driver's, or that it has no such function; the function is never called then.
    ///
    /// # Safety
    /// The stream is alive; the function may be called with the argument once, by any thread.
    pub unsafe fn host_function(
        &self,
        stream: Stream,
        function: HostFunction,
        argument: *mut c_void,
    ) -> Result<()> {
        let launch = self.operations.host_function.ok_or_else(|| self.lacks("functions on streams"))?;
        // SAFETY: the stream is alive and the function may be called with its argument, by contract.
        self.check(&NAMES.host_function, unsafe { launch(stream.0, function, argument) })
    }
}
