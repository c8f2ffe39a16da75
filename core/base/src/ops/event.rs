// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Event descriptor: wakes a program that waits in an event loop.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::event::EventfdFlags;

use crate::os::descriptor;
use crate::{Error, Result};

/// An eventfd, made at the first request. Before that, a signal costs one load.
#[derive(Debug, Default)]
pub struct EventDescriptor(OnceLock<OwnedFd>);

impl EventDescriptor {
    /// Creates one without a descriptor.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Makes the descriptor readable. Call it when the change can be seen.
    pub fn signal(&self) {
        if let Some(descriptor) = self.0.get() {
            // Fails only if the count is full, and then it is readable.
            let _ = rustix::io::write(descriptor, &1_u64.to_ne_bytes());
        }
    }

    /// Returns the descriptor. It is readable from the next signal on, until 8 bytes have been read from it.
    /// Signals before the first call are lost.
    ///
    /// # Errors
    /// `NoResources` out of descriptors.
    pub fn descriptor(&self, operation: &'static str) -> Result<BorrowedFd<'_>> {
        if let Some(descriptor) = self.0.get() {
            return Ok(descriptor.as_fd());
        }
        let fresh = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|errno| Error::os(operation, errno))?;
        // Another thread may have been faster; then this one is closed.
        Ok(self.0.get_or_init(|| fresh).as_fd())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptor_is_readable_once_after_several_signals() {
        let event = EventDescriptor::new();
        event.signal();
        let descriptor = event.descriptor("test").unwrap();
        let mut count = [0; 8];
        assert!(rustix::io::read(descriptor, &mut count).is_err(), "no descriptor existed then");
        event.signal();
        event.signal();
        assert_eq!(rustix::io::read(descriptor, &mut count).unwrap(), 8);
        assert!(rustix::io::read(descriptor, &mut count).is_err());
    }
}
