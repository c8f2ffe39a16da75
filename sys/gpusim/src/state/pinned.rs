// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pinned host memory.

use crate::device_key::DeviceKey;

/// Pinned host memory.
pub(crate) struct Pinned {
    pub(crate) place: DeviceKey,
    pub(crate) first: u64,
    /// Allocated by the driver; otherwise by the program.
    pub(crate) made: bool,
}

impl Pinned {
    /// Gives the memory up that the driver made.
    pub(crate) fn end(&self, last: u64) {
        let at = std::ptr::with_exposed_provenance_mut(usize::try_from(self.first).unwrap_or(0));
        if self.made {
            // SAFETY: mapped by `allocate` with this length; later accesses by the program fault.
            unsafe { libc::munmap(at, usize::try_from(last - self.first + 1).unwrap_or(0)) };
        }
    }
}
