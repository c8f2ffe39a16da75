// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Checked interface of a GPU driver: one method per operation. This file has the driver itself; `memory`,
//! `copies`, `streams`, `sharing` and `mapping` have the methods of their operations.
//!
//! Methods that take addresses of memory are `unsafe`, because drivers read, write and free there. The
//! caller has [selected](Driver::select) a device in the calling thread.

mod copies;
mod mapping;
mod memory;
mod sharing;
mod streams;

use std::ffi::{CStr, c_char, c_int};
use std::path::{Path, PathBuf};
use std::ptr::null;

use mf_base::loader::{Report, Version};

pub use memory::{AddressKind, Memory};
pub use streams::Stream;

use crate::operations::{NAMES, Operations};
use crate::{Class, GpuError, Primary, Result, Vendor};

/// An opened driver.
#[derive(Debug)]
pub struct Driver {
    pub(crate) vendor: Vendor,
    pub(crate) operations: Operations,
    pub(crate) file: PathBuf,
    pub(crate) version: Option<Version>,
    pub(crate) simulator: Option<String>,
    pub(crate) missing: Vec<&'static str>,
    pub(crate) report: Report,
}

impl Driver {
    /// Returns the vendor of the driver.
    pub fn vendor(&self) -> Vendor {
        self.vendor
    }

    /// The file that the loader took.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The version of its interface, if it reports one.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Returns the version text of the simulator, or `None` for a real driver.
    pub fn simulator(&self) -> Option<&str> {
        self.simulator.as_deref()
    }

    /// The optional functions that it lacks.
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// Its functions.
    pub fn operations(&self) -> &Operations {
        &self.operations
    }

    /// Returns the report of the search for the driver.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Initialises the driver; again is nothing.
    ///
    /// # Errors
    /// The driver's: no device, no kernel module.
    pub fn init(&self) -> Result<()> {
        // SAFETY: a plain number.
        self.check(&NAMES.init, unsafe { (self.operations.init)(0) })
    }

    /// Number of devices.
    ///
    /// # Errors
    /// The driver's.
    pub fn device_count(&self) -> Result<i32> {
        let mut count = 0;
        // SAFETY: writes one number.
        self.check(&NAMES.device_count, unsafe { (self.operations.device_count)(&raw mut count) })?;
        Ok(count)
    }

    /// Returns the name of a device, or `None` if the driver does not report one.
    pub fn device_name(&self, device: &Primary) -> Option<String> {
        let (narrow, wide) = (self.operations.device_name, self.operations.wide_device_name);
        text(|at, bytes| match (narrow, wide) {
            // SAFETY: writes at most so many bytes.
            (Some(name), _) => unsafe { name(at, bytes, device.device()) },
            // SAFETY: writes at most so many bytes.
            (_, Some(name)) => unsafe { name(at, bytes.unsigned_abs(), device.wide) },
            _ => 1,
        })
    }

    /// Returns the PCI bus address of a device, or `None` if the driver does not report one.
    pub fn bus(&self, device: &Primary) -> Option<String> {
        let (narrow, wide) = (self.operations.bus, self.operations.wide_bus);
        text(|at, bytes| match (narrow, wide) {
            // SAFETY: writes at most so many bytes.
            (Some(bus), _) => unsafe { bus(at, bytes, device.device()) },
            // SAFETY: writes at most so many bytes.
            (_, Some(bus)) => unsafe { bus(at, bytes, device.wide) },
            _ => 1,
        })
    }

    /// Free and total bytes of the selected device.
    ///
    /// # Errors
    /// The driver's.
    pub fn memory_info(&self) -> Result<(u64, u64)> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: writes two numbers.
        let status = unsafe { (self.operations.memory_info)(&raw mut free, &raw mut total) };
        self.check(&NAMES.memory_info, status)?;
        Ok((free as u64, total as u64))
    }

    /// The result of a call of the function with these names.
    pub(crate) fn check(&self, names: &[&'static str; 4], status: c_int) -> Result<()> {
        if status == 0 { Ok(()) } else { Err(self.refused(names, status)) }
    }

    #[cold]
    pub(crate) fn refused(&self, names: &[&'static str; 4], code: c_int) -> GpuError {
        let mut name = null();
        let status = self.operations.error_name.map(|error_name| {
            // SAFETY: writes one pointer.
            unsafe { error_name(code, &raw mut name) }
        });
        let name = (status == Some(0) && !name.is_null()).then(|| {
            // SAFETY: the driver gave a C string that it never frees.
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        });
        GpuError { vendor: self.vendor, function: names[self.vendor.index()], code, name }
    }

    /// Something that the driver was used for did not come to its end.
    #[cold]
    pub fn failed(&self, what: &'static str) -> GpuError {
        GpuError { vendor: self.vendor, function: what, code: -1, name: None }
    }

    /// Builds the error for a function that the driver lacks.
    #[cold]
    pub(crate) fn lacks(&self, what: &'static str) -> GpuError {
        let code = self.vendor.code(Class::NotSupported);
        GpuError { vendor: self.vendor, function: what, code, name: Some("the driver lacks it".into()) }
    }
}

/// The text that a function writes.
fn text(write: impl FnOnce(*mut c_char, c_int) -> c_int) -> Option<String> {
    const BYTES: usize = 128;
    let mut bytes = [0_u8; BYTES];
    let status = write(bytes.as_mut_ptr().cast(), 127);
    if status != 0 {
        return None;
    }
    let text = CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}
