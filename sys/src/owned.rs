// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RAII owners: release their objects when dropped.
//!
//! Each borrows the library that made it. Its handle is only given out to `unsafe` code, because a copy of it
//! could outlive the owner. An error while dropping is lost; a caller that wants it uses the function of the
//! checked floor. Owners are made and dropped on threads that have set the device.

mod data;

pub use data::{DataBuffer, Dataset, ModelDescription};

use std::ffi::c_void;
use std::time::Duration;

use crate::acl::{Context, CopyKind, Event, Stream};
use crate::raw::types::{ACL_EVENT_SYNC, ACL_MEM_MALLOC_HUGE_FIRST};
use crate::{Acl, Result};

/// Stream. Dropping it waits for the queued tasks.
#[derive(Debug)]
pub struct OwnedStream<'a> {
    acl: &'a Acl,
    stream: Stream,
}

impl<'a> OwnedStream<'a> {
    /// A stream of the current context.
    ///
    /// # Errors
    /// ACL's: no device is set · streams are used up.
    pub fn new(acl: &'a Acl) -> Result<Self> {
        Ok(Self { acl, stream: acl.create_stream()? })
    }

    /// The handle.
    ///
    /// # Safety
    /// It is not used after the owner is gone.
    pub unsafe fn handle(&self) -> Stream {
        self.stream
    }

    /// Waits for the queued tasks, for `timeout` or without limit.
    ///
    /// # Errors
    /// [`TimedOut`](crate::Class::TimedOut) · the failure of a task.
    pub fn synchronize(&self, timeout: Option<Duration>) -> Result<()> {
        self.acl.synchronize_stream(self.stream, timeout)
    }

    /// Returns true if all tasks have finished.
    ///
    /// # Errors
    /// ACL's.
    pub fn is_done(&self) -> Result<bool> {
        self.acl.stream_is_done(self.stream)
    }

    /// Records the event behind the tasks queued so far.
    ///
    /// # Errors
    /// ACL's.
    pub fn record(&self, event: &OwnedEvent<'_>) -> Result<()> {
        self.acl.record_event(event.event, self.stream)
    }

    /// Makes later tasks wait for the event.
    ///
    /// # Errors
    /// ACL's.
    pub fn wait(&self, event: &OwnedEvent<'_>) -> Result<()> {
        self.acl.wait_event(self.stream, event.event)
    }
}

impl Drop for OwnedStream<'_> {
    fn drop(&mut self) {
        // SAFETY: no other owner of the handle exists.
        let _ = unsafe { self.acl.destroy_stream(self.stream) };
    }
}

/// An event.
#[derive(Debug)]
pub struct OwnedEvent<'a> {
    acl: &'a Acl,
    event: Event,
}

impl<'a> OwnedEvent<'a> {
    /// An event that may be recorded again and again.
    ///
    /// # Errors
    /// ACL's: no device is set · events are used up.
    pub fn new(acl: &'a Acl) -> Result<Self> {
        Ok(Self { acl, event: acl.create_reusable_event(ACL_EVENT_SYNC)? })
    }

    /// The handle.
    ///
    /// # Safety
    /// It is not used after the owner is gone.
    pub unsafe fn handle(&self) -> Event {
        self.event
    }

    /// Waits until the stream got to the latest record, for `timeout` or for ever.
    ///
    /// # Errors
    /// [`TimedOut`](crate::Class::TimedOut) · the failure of a task.
    pub fn synchronize(&self, timeout: Option<Duration>) -> Result<()> {
        self.acl.synchronize_event(self.event, timeout)
    }

    /// Returns true if the stream has reached the latest record.
    ///
    /// # Errors
    /// ACL's.
    pub fn is_reached(&self) -> Result<bool> {
        self.acl.event_is_reached(self.event)
    }
}

impl Drop for OwnedEvent<'_> {
    fn drop(&mut self) {
        // SAFETY: as for streams.
        let _ = unsafe { self.acl.destroy_event(self.event) };
    }
}

/// A context.
#[derive(Debug)]
pub struct OwnedContext<'a> {
    acl: &'a Acl,
    context: Context,
}

impl<'a> OwnedContext<'a> {
    /// Creates a context of a device and makes it current in the calling thread.
    ///
    /// # Safety
    /// Objects created in the context must be dropped before it.
    ///
    /// # Errors
    /// ACL's: no such device.
    pub unsafe fn new(acl: &'a Acl, device: i32) -> Result<Self> {
        Ok(Self { acl, context: acl.create_context(device)? })
    }

    /// Makes the context current in the calling thread.
    ///
    /// # Errors
    /// ACL's.
    pub fn enter(&self) -> Result<()> {
        self.acl.set_context(self.context)
    }
}

impl Drop for OwnedContext<'_> {
    fn drop(&mut self) {
        // SAFETY: the caller of `new` vouched that no objects of the context are left.
        let _ = unsafe { self.acl.destroy_context(self.context) };
    }
}

/// Memory of the current device. Dropping waits for the device first.
#[derive(Debug)]
pub struct DeviceMemory<'a> {
    acl: &'a Acl,
    address: *mut c_void,
    bytes: usize,
}

impl<'a> DeviceMemory<'a> {
    /// So many bytes, aligned to 64, all 0.
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Class::OutOfMemory)
    /// · [`InvalidArgument`](crate::Class::InvalidArgument) for no bytes.
    pub fn zeroed(acl: &'a Acl, bytes: usize) -> Result<Self> {
        let memory = Self { acl, address: acl.malloc(bytes, ACL_MEM_MALLOC_HUGE_FIRST)?, bytes };
        // SAFETY: the memory has this size and is not shared yet.
        unsafe { acl.memset(memory.address, bytes, 0, bytes) }?;
        Ok(memory)
    }

    /// Returns the device address.
    pub fn address(&self) -> *mut c_void {
        self.address
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Copies bytes of the host to the start, at once.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::Class::InvalidArgument) for more than there is room · ACL's.
    pub fn fill_from(&mut self, from: &[u8]) -> Result<()> {
        // SAFETY: the slice may be read; ACL refuses what exceeds the memory, which is ours alone.
        unsafe {
            self.acl.memcpy(
                self.address,
                self.bytes,
                from.as_ptr().cast(),
                from.len(),
                CopyKind::HostToDevice,
            )
        }
    }

    /// Copies bytes from the start to the host, at once.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::Class::InvalidArgument) for more than there are · ACL's.
    pub fn copy_to(&self, to: &mut [u8]) -> Result<()> {
        let bytes = to.len();
        if bytes > self.bytes {
            let text = format!("{bytes} bytes wanted of memory of {}", self.bytes);
            let (library, class) = (crate::Library::Acl, crate::Class::InvalidArgument);
            return Err(crate::AclError::refused(library, "aclrtMemcpy", class, text));
        }
        // SAFETY: both have so many bytes, as checked above, and the slice may be written.
        unsafe { self.acl.memcpy(to.as_mut_ptr().cast(), bytes, self.address, bytes, CopyKind::DeviceToHost) }
    }
}

impl Drop for DeviceMemory<'_> {
    fn drop(&mut self) {
        // Tasks may still use it.
        let _ = self.acl.synchronize_device(None);
        // SAFETY: no queued task uses the memory, and no other code that may use it has the address.
        let _ = unsafe { self.acl.free(self.address) };
    }
}
