// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A call that a driver refused.

use std::fmt;

use crate::Vendor;

/// Meaning of a status for callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An argument is not acceptable; of an address: the driver does not know it.
    InvalidValue,
    /// The device has no room.
    OutOfMemory,
    /// There is no such device.
    NoDevice,
    /// Not done yet; no error of a query.
    NotReady,
    /// The driver has ended, as it does when the process ends.
    Ended,
    /// The context was destroyed (at process exit or by a device reset), or none is current.
    ContextGone,
    /// This memory is registered.
    AlreadyRegistered,
    /// The device or driver does not do this.
    NotSupported,
    /// Anything else.
    Other,
}

/// A status that is not success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuError {
    /// Vendor of the driver.
    pub vendor: Vendor,
    /// The function.
    pub function: &'static str,
    /// The status.
    pub code: i32,
    /// Its name, where the driver says one.
    pub name: Option<String>,
}

impl GpuError {
    /// Returns the meaning of the status.
    pub fn class(&self) -> Class {
        self.vendor.class(self.code).unwrap_or(Class::Other)
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answers {}", self.function, self.code)?;
        match &self.name {
            Some(name) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for GpuError {}

/// Result of a call into a driver.
pub type Result<T, E = GpuError> = std::result::Result<T, E>;
