// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks of device memory: a memory file that is mapped twice, once where the program may not touch it, and
//! once for the simulator.

use std::ffi::{CStr, c_void};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

use super::physical::{PhysicalMemory, Shadow};
use crate::codes::{Code, Outcome};
use crate::device_key::DeviceKey;
use crate::lock::lock;

/// An allocation, the import of one, or memory that is mapped at chosen addresses.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) place: DeviceKey,
    /// The address for the program.
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    /// Address in the simulator.
    inside: *mut c_void,
    pub(crate) file: OwnedFd,
    /// Of an import: which file it is.
    pub(crate) origin: Option<u64>,
    /// Physical memory, and the simulator's view of the addresses, of a mapping at chosen addresses.
    pub(crate) made: Option<Arc<PhysicalMemory>>,
    pub(crate) shadow: Option<Arc<Shadow>>,
    /// The devices that may use it, a bit each.
    users: Mutex<u64>,
}

// SAFETY: the addresses belong to mappings that live as long as the block; the bytes are copied as raw
// memory, from any thread.
unsafe impl Send for Block {}
// SAFETY: the mappings live as long as the block; its bytes are only copied as raw memory.
unsafe impl Sync for Block {}

impl Block {
    /// Maps a file of so many bytes.
    pub(crate) fn map(
        place: DeviceKey,
        file: OwnedFd,
        bytes: u64,
        origin: Option<u64>,
    ) -> Outcome<Arc<Self>> {
        let inside = view(&file, bytes, libc::PROT_READ | libc::PROT_WRITE)?;
        let outside = view(&file, bytes, libc::PROT_NONE).inspect_err(|_| {
            // SAFETY: mapped above, and known to no one.
            unsafe { libc::munmap(inside, usize::try_from(bytes).unwrap_or(0)) };
        })?;
        let address = outside.expose_provenance() as u64;
        let users = Mutex::new(bit(place));
        Ok(Arc::new(Self { place, address, bytes, inside, file, origin, made: None, shadow: None, users }))
    }

    /// Maps physical memory into reserved addresses; no device has access yet.
    pub(crate) fn mapped(
        made: &Arc<PhysicalMemory>,
        address: u64,
        shadow: &Arc<Shadow>,
    ) -> Outcome<Arc<Self>> {
        let file = made.file.try_clone().map_err(|_| Code::OutOfMemory)?;
        let inside = shadow.show(&file, address, made.bytes)?;
        let (place, bytes, origin) = (made.place, made.bytes, None);
        let (made, shadow, users) = (Some(Arc::clone(made)), Some(Arc::clone(shadow)), Mutex::new(0));
        Ok(Arc::new(Self { place, address, bytes, inside, file, origin, made, shadow, users }))
    }

    /// Lets a device use it.
    pub(crate) fn open_to(&self, place: DeviceKey) {
        *lock(&self.users) |= bit(place);
    }

    /// Returns true if a device has access.
    pub(crate) fn is_open_to(&self, place: DeviceKey) -> bool {
        *lock(&self.users) & bit(place) != 0
    }

    /// Translates an address into the simulator's address.
    pub(crate) fn reach(&self, address: u64) -> *mut u8 {
        let offset = address.saturating_sub(self.address).min(self.bytes);
        self.inside.cast::<u8>().wrapping_add(usize::try_from(offset).unwrap_or(0))
    }

    /// Returns the last address.
    pub(crate) fn last(&self) -> u64 {
        self.address + (self.bytes - 1)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let length = usize::try_from(self.bytes).unwrap_or(0);
        if let Some(shadow) = &self.shadow {
            // The addresses belong to a reservation, and stay reserved.
            shadow.hide(self.address, self.bytes);
            return;
        }
        // SAFETY: mapped by `map`; nothing in flight uses it, as that holds the block.
        unsafe { libc::munmap(self.inside, length) };
        let outside = std::ptr::with_exposed_provenance_mut(usize::try_from(self.address).unwrap_or(0));
        // SAFETY: mapped by `map`; the program was never able to touch it.
        unsafe { libc::munmap(outside, length) };
    }
}

/// A mapping of all of a file.
fn view(file: &OwnedFd, bytes: u64, rights: i32) -> Outcome<*mut c_void> {
    let length = usize::try_from(bytes).map_err(|_| Code::OutOfMemory)?;
    // SAFETY: a new mapping, of a file that the simulator owns.
    let at = unsafe { libc::mmap(null_mut(), length, rights, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if at == libc::MAP_FAILED { Err(Code::OutOfMemory) } else { Ok(at) }
}

fn bit(place: DeviceKey) -> u64 {
    1_u64.checked_shl(place.1).unwrap_or(0)
}

/// A new file of so many bytes, which has this name for people.
pub(crate) fn file(name: &CStr, bytes: u64) -> Outcome<OwnedFd> {
    let length = libc::off_t::try_from(bytes).map_err(|_| Code::OutOfMemory)?;
    // SAFETY: a C string, and flags.
    let file = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if file < 0 {
        return Err(Code::OutOfMemory);
    }
    // SAFETY: made above, with no other owner.
    let mut file = unsafe { OwnedFd::from_raw_fd(file) };
    // While a standard stream is closed, output of the program must not go into the memory: a duplicated
    // descriptor is at least 3.
    if file.as_raw_fd() <= libc::STDERR_FILENO {
        file = file.try_clone().map_err(|_| Code::OutOfMemory)?;
    }
    // SAFETY: an open file.
    let sized = unsafe { libc::ftruncate(file.as_raw_fd(), length) };
    if sized == 0 { Ok(file) } else { Err(Code::OutOfMemory) }
}
