// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory without an address, and reserved addresses.

use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::{null_mut, with_exposed_provenance_mut};

use crate::codes::{Code, Outcome};
use crate::device_key::DeviceKey;

/// Memory without an address.
#[derive(Debug)]
pub(crate) struct PhysicalMemory {
    pub(crate) place: DeviceKey,
    pub(crate) bytes: u64,
    pub(crate) file: OwnedFd,
    /// PhysicalMemory here, as opposed to imported.
    pub(crate) is_own: bool,
    /// Created as shareable.
    pub(crate) is_shared: bool,
}

impl PhysicalMemory {
    /// Returns the bytes it takes from the memory of a device.
    pub(crate) fn own_bytes(&self, place: DeviceKey) -> u64 {
        if self.is_own && self.place == place { self.bytes } else { 0 }
    }
}

/// Addresses where nothing can be read or written.
pub(crate) fn nothing(at: u64, bytes: usize, flags: c_int) -> Option<u64> {
    let at: *mut c_void =
        if at == 0 { null_mut() } else { with_exposed_provenance_mut(usize::try_from(at).ok()?) };
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, which replaces none, or a part of a shadow that is no longer mapped.
    let got = unsafe { libc::mmap(at, bytes, libc::PROT_NONE, flags, -1, 0) };
    (got != libc::MAP_FAILED).then(|| got.expose_provenance() as u64)
}

/// Unmaps reserved addresses.
pub(crate) fn unreserve(first: u64, bytes: u64) {
    let at: *mut c_void = with_exposed_provenance_mut(usize::try_from(first).unwrap_or(0));
    // SAFETY: addresses that `nothing` mapped for a reservation that ends.
    unsafe { libc::munmap(at, usize::try_from(bytes).unwrap_or(0)) };
}

/// The simulator's view of reserved addresses: adjacent mappings are adjacent here.
#[derive(Debug)]
pub(crate) struct Shadow {
    pub(crate) first: u64,
    pub(crate) bytes: u64,
    pub(crate) inside: u64,
}

impl Shadow {
    fn at(&self, address: u64) -> *mut c_void {
        let place = self.inside + (address - self.first);
        with_exposed_provenance_mut(usize::try_from(place).unwrap_or(0))
    }

    /// Shows all of a file where an address is.
    pub(crate) fn show(&self, file: &OwnedFd, address: u64, bytes: u64) -> Outcome<*mut c_void> {
        let (at, length) = (self.at(address), usize::try_from(bytes).map_err(|_| Code::OutOfMemory)?);
        let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_FIXED);
        // SAFETY: replaces a part of this shadow where nothing is shown.
        let got = unsafe { libc::mmap(at, length, rights, flags, file.as_raw_fd(), 0) };
        if got == libc::MAP_FAILED { Err(Code::OutOfMemory) } else { Ok(got) }
    }

    /// Ends that.
    pub(crate) fn hide(&self, address: u64, bytes: u64) {
        let place = self.inside + (address - self.first);
        nothing(place, usize::try_from(bytes).unwrap_or(0), libc::MAP_FIXED);
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        unreserve(self.inside, self.bytes);
    }
}
