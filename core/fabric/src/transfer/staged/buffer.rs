// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory between an accelerator and a transport.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use mf_base::{Error, Kind, Result};
use mf_device::Devices;

use super::chunks::{CHUNK_BYTES, at};

const PAGE_BYTES: usize = 4096;

/// Chunks of host memory that the accelerator copies from and to fast.
pub(super) struct Buffer {
    start: NonNull<u8>,
    layout: Layout,
    devices: Devices,
    registered: bool,
    pinned: bool,
}

// SAFETY: the memory belongs to the buffer, and is only ever touched through raw pointers.
unsafe impl Send for Buffer {}
// SAFETY: as for `Send`; the user of the buffer assigns the chunks.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A buffer of `chunks` chunks, at least one.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(super) fn new(devices: &Devices, chunks: usize) -> Result<Self> {
        let none = || Error::new(Kind::OutOfMemory, "staging buffer").with("chunks", chunks);
        let chunk_bytes = usize::try_from(CHUNK_BYTES).map_err(|_| none())?;
        let bytes = chunk_bytes.checked_mul(chunks.max(1)).ok_or_else(none)?;
        let layout = Layout::from_size_align(bytes, PAGE_BYTES).map_err(|_| none())?;
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(none)?;
        let mut buffer = Self { start, layout, devices: devices.clone(), registered: false, pinned: false };
        if let Some(mover) = devices.mover() {
            // Without registration copies are only slower.
            let registered = mover.register(buffer.address(), buffer.bytes());
            (buffer.registered, buffer.pinned) = (registered.is_ok(), registered.unwrap_or(false));
        }
        Ok(buffer)
    }

    pub(super) fn chunk(&self, index: usize) -> *mut u8 {
        at(self.start.as_ptr(), index as u64 * CHUNK_BYTES)
    }

    /// Returns true if copies on a stream read or write the buffer asynchronously, in stream order.
    pub(super) fn is_pinned(&self) -> bool {
        self.pinned
    }

    fn address(&self) -> u64 {
        self.start.as_ptr().addr() as u64
    }

    fn bytes(&self) -> u64 {
        self.layout.size() as u64
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let (Some(mover), true) = (self.devices.mover(), self.registered) {
            mover.unregister(self.address(), self.bytes());
        }
        // SAFETY: allocated with this layout, and not used any more.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}
