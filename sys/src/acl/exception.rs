// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notification of failed tasks.

use super::{Acl, call};
use crate::Result;
use crate::raw::types::{aclrtExceptionInfo, aclrtExceptionInfoCallback};

/// A failed task, as CANN describes it; the largest number where CANN does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Number of the device.
    pub device: u32,
    /// Number of the stream.
    pub stream: u32,
    /// Number of the task in its stream.
    pub task: u32,
    /// Thread that ran the task.
    pub thread: u32,
    /// Error code.
    pub code: u32,
}

impl Acl {
    /// Sets the function that CANN calls for each failed task of the process, on a thread of its own; `None`
    /// for no call. There is one: it replaces the program's.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The function stays loaded until another one is set.
    pub unsafe fn set_exception_callback(&self, callback: aclrtExceptionInfoCallback) -> Result<()> {
        call!(self, aclrtSetExceptionInfoCallback(callback))
    }

    /// Describes a failed task.
    ///
    /// # Safety
    /// `info` is CANN's pointer, inside of the call of the function that was set.
    pub unsafe fn exception(&self, info: *const aclrtExceptionInfo) -> Exception {
        macro_rules! number {
            ($function:ident) => {
                match &self.table.$function {
                    // SAFETY: the signature matches the header; the caller vouches for the pointer.
                    Ok(function) => unsafe { function(info) },
                    Err(_) => u32::MAX,
                }
            };
        }
        Exception {
            device: number!(aclrtGetDeviceIdFromExceptionInfo),
            stream: number!(aclrtGetStreamIdFromExceptionInfo),
            task: number!(aclrtGetTaskIdFromExceptionInfo),
            thread: number!(aclrtGetThreadIdFromExceptionInfo),
            code: number!(aclrtGetErrorCodeFromExceptionInfo),
        }
    }
}
