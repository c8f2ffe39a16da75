// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies, and words of device memory that streams write and wait for.

use std::ffi::c_void;
use std::time::Duration;

use super::{Acl, Key, Notify, PidCheck, Stream, call, seconds};
use crate::Result;
use crate::raw::types::*;

/// Comparison that a stream waits for on a word of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Condition {
    /// The word has reached the value; both may wrap around.
    AtLeast = ACL_STREAM_WAIT_VALUE_GEQ,
    /// The word is the value.
    Equal = ACL_STREAM_WAIT_VALUE_EQ,
    /// The word has a bit of the value.
    AnyBit = ACL_STREAM_WAIT_VALUE_AND,
    /// Word and value both lack some bit.
    NotAllBits = ACL_STREAM_WAIT_VALUE_NOR,
}

impl Acl {
    /// Makes a notify.
    ///
    /// # Errors
    /// [`OutOfResources`](crate::Class::OutOfResources).
    pub fn create_notify(&self) -> Result<Notify> {
        let mut notify = std::ptr::null_mut();
        call!(self, aclrtCreateNotify(&raw mut notify, 0))?;
        Ok(Notify::new(notify))
    }

    /// Ends a notify for this process; it is gone when every process that has it ended it.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The notify is not used again.
    pub unsafe fn destroy_notify(&self, notify: Notify) -> Result<()> {
        call!(self, aclrtDestroyNotify(notify.as_raw()))
    }

    /// Sets a notify as a task of a stream.
    ///
    /// # Errors
    /// ACL's.
    pub fn record_notify(&self, notify: Notify, stream: Stream) -> Result<()> {
        call!(self, aclrtRecordNotify(notify.as_raw(), stream.as_raw()))
    }

    /// Lets a stream wait for a notify and clear it. The timeout counts in whole seconds; without one it
    /// waits forever.
    ///
    /// # Errors
    /// ACL's; when the time is over, an error of the stream.
    pub fn wait_notify(&self, notify: Notify, stream: Stream, timeout: Option<Duration>) -> Result<()> {
        let timeout = timeout.map_or(0, seconds);
        call!(self, aclrtWaitAndResetNotify(notify.as_raw(), stream.as_raw(), timeout))
    }

    /// Makes a key of a notify for other processes.
    ///
    /// # Errors
    /// ACL's.
    pub fn export_notify(&self, notify: Notify, check: PidCheck) -> Result<Key> {
        let flags = match check {
            PidCheck::Named => ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT,
            PidCheck::Anyone => ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION,
        };
        let mut key = Key::empty();
        call!(self, aclrtNotifyGetExportKey(notify.as_raw(), key.as_mut_ptr(), Key::BYTES, flags))?;
        Ok(key.closed())
    }

    /// Opens a notify of another process, to record it.
    ///
    /// # Errors
    /// ACL's.
    pub fn import_notify(&self, key: &Key, enable_peer: bool) -> Result<Notify> {
        let flags = if enable_peer {
            ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS
        } else {
            ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT
        };
        let mut notify = std::ptr::null_mut();
        call!(self, aclrtNotifyImportByKey(&raw mut notify, key.as_ptr(), flags))?;
        Ok(Notify::new(notify))
    }

    /// Writes 8 bytes of device memory, aligned to 8, as a task of a stream.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::Class::InvalidArgument) when misaligned.
    ///
    /// # Safety
    /// The word may be written until the task is done.
    pub unsafe fn write_value(&self, address: *mut c_void, value: u64, stream: Stream) -> Result<()> {
        call!(self, aclrtValueWrite(address, value, 0, stream.as_raw()))
    }

    /// Lets a stream wait until 8 bytes of device memory, aligned to 8, fulfil a condition.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::Class::InvalidArgument) when misaligned.
    ///
    /// # Safety
    /// The word may be read until the task is done.
    pub unsafe fn wait_value(
        &self,
        address: *mut c_void,
        value: u64,
        condition: Condition,
        stream: Stream,
    ) -> Result<()> {
        call!(self, aclrtValueWait(address, value, condition as u32, stream.as_raw()))
    }
}
