// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A descriptor for event loops: readable once something has happened.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use mf_base::os::descriptor;
use mf_base::{Error, Result};
use rustix::event::EventfdFlags;

/// Event descriptor: wakes a program that waits on it; without one a ring costs a load.
#[derive(Default)]
pub(super) struct Bell(OnceLock<OwnedFd>);

impl Bell {
    /// Something has happened, and can be seen already.
    pub(super) fn ring(&self) {
        if let Some(descriptor) = self.0.get() {
            // Full only when it is readable anyway.
            let _ = rustix::io::write(descriptor, &1_u64.to_ne_bytes());
        }
    }

    /// Readable from the next ring on, until 8 bytes have been read from it. What happened before the first
    /// call has not rung.
    ///
    /// # Errors
    /// `NoResources` out of descriptors.
    pub(super) fn descriptor(&self) -> Result<BorrowedFd<'_>> {
        if let Some(descriptor) = self.0.get() {
            return Ok(descriptor.as_fd());
        }
        let fresh = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|errno| Error::os("transfer", errno))?;
        // Another thread may have been faster; then this one is closed.
        Ok(self.0.get_or_init(|| fresh).as_fd())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_readable_once_for_all_rings() {
        let bell = Bell::default();
        bell.ring();
        let descriptor = bell.descriptor().unwrap();
        let mut count = [0; 8];
        assert!(rustix::io::read(descriptor, &mut count).is_err(), "nobody waited then");
        bell.ring();
        bell.ring();
        assert_eq!(rustix::io::read(descriptor, &mut count).unwrap(), 8);
        assert!(rustix::io::read(descriptor, &mut count).is_err());
    }
}
