// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies, at once and on streams.

use std::ffi::c_void;

use crate::operations::NAMES;
use crate::{Driver, Result, Stream};

impl Driver {
    /// Copies to the device. In place on return where the source is pageable; else see
    /// [`stream_wait`](Self::stream_wait) of the default stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The ranges are valid until the copy is done.
    pub unsafe fn to_device(&self, device: u64, host: *const c_void, bytes: usize) -> Result<()> {
        // SAFETY: the ranges are valid until the copy is done, by contract.
        self.check(&NAMES.to_device, unsafe { (self.operations.to_device)(device, host, bytes) })
    }

    /// Copies from the device.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device`](Self::to_device).
    pub unsafe fn to_host(&self, host: *mut c_void, device: u64, bytes: usize) -> Result<()> {
        // SAFETY: the ranges are valid until the copy is done, by contract.
        self.check(&NAMES.to_host, unsafe { (self.operations.to_host)(host, device, bytes) })
    }

    /// Copies between devices, or inside one. May return before it is done.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device`](Self::to_device).
    pub unsafe fn between(&self, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: the ranges are valid until the copy is done, by contract.
        self.check(&NAMES.between, unsafe { (self.operations.between)(to, from, bytes) })
    }

    /// As [`to_device`](Self::to_device), on a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device`](Self::to_device); the stream is alive.
    pub unsafe fn to_device_on(
        &self,
        stream: Stream,
        device: u64,
        host: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the ranges are valid until the copy is done, by contract.
        let status = unsafe { (self.operations.to_device_on)(device, host, bytes, stream.0) };
        self.check(&NAMES.to_device_on, status)
    }

    /// As [`to_host`](Self::to_host), on a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device_on`](Self::to_device_on).
    pub unsafe fn to_host_on(
        &self,
        stream: Stream,
        host: *mut c_void,
        device: u64,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: the ranges are valid until the copy is done, by contract.
        let status = unsafe { (self.operations.to_host_on)(host, device, bytes, stream.0) };
        self.check(&NAMES.to_host_on, status)
    }

    /// As [`between`](Self::between), on a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device_on`](Self::to_device_on).
    pub unsafe fn between_on(&self, stream: Stream, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: the ranges are valid until the copy is done, by contract.
        let status = unsafe { (self.operations.between_on)(to, from, bytes, stream.0) };
        self.check(&NAMES.between_on, status)
    }
}
