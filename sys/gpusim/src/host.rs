// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory that drivers know.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::contexts::current;
use crate::lock::lock;
use crate::machine::{Machine, machine, started};
use crate::state::pinned::Pinned;

impl Machine {
    /// Returns the pinned range around an address.
    pub(crate) fn pinned_at(&self, vendor: Vendor, address: u64) -> Option<(u64, &Pinned)> {
        let (last, pinned) = self.pinned.range(address..).next()?;
        (pinned.first <= address && pinned.place.0 == vendor).then_some((*last, pinned))
    }

    /// Returns true if the whole range is pinned.
    pub(crate) fn is_pinned(&self, vendor: Vendor, address: u64, bytes: usize) -> bool {
        let last = address + (bytes.max(1) - 1) as u64;
        self.pinned_at(vendor, address).is_some_and(|(end, _)| last <= end)
    }
}

/// Allocates pinned memory.
pub(crate) fn allocate(vendor: Vendor, bytes: usize) -> Outcome<*mut c_void> {
    let place = current(vendor)?;
    if bytes == 0 {
        return Err(Code::InvalidValue);
    }
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new anonymous memory.
    let at = unsafe { libc::mmap(null_mut(), bytes, rights, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if at == libc::MAP_FAILED {
        return Err(Code::OutOfMemory);
    }
    let first = at.expose_provenance() as u64;
    lock(machine()).pinned.insert(first + (bytes as u64 - 1), Pinned { place, first, made: true });
    Ok(at)
}

/// Gives it back.
pub(crate) fn free(vendor: Vendor, address: *mut c_void) -> Outcome {
    current(vendor)?;
    let mut machine = lock(machine());
    let first = address.addr() as u64;
    let found = machine.pinned_at(vendor, first).filter(|(_, pinned)| pinned.first == first && pinned.made);
    let last = found.map(|(last, _)| last).ok_or(Code::InvalidValue)?;
    if let Some(pinned) = machine.pinned.remove(&last) {
        pinned.end(last);
    }
    Ok(())
}

/// Pins memory of the program.
pub(crate) fn register(vendor: Vendor, address: *mut c_void, bytes: usize) -> Outcome {
    let place = current(vendor)?;
    if address.is_null() || bytes == 0 {
        return Err(Code::InvalidValue);
    }
    let mut machine = lock(machine());
    let first = address.addr() as u64;
    let last = first.checked_add(bytes as u64 - 1).ok_or(Code::InvalidValue)?;
    if machine.is_device(first, bytes) {
        return Err(Code::InvalidValue);
    }
    if machine.pinned.range(first..).next().is_some_and(|(_, pinned)| pinned.first <= last) {
        return Err(Code::AlreadyRegistered);
    }
    machine.pinned.insert(last, Pinned { place, first, made: false });
    Ok(())
}

/// Ends that.
pub(crate) fn unregister(vendor: Vendor, address: *mut c_void) -> Outcome {
    current(vendor)?;
    let mut machine = lock(machine());
    let first = address.addr() as u64;
    let found = machine.pinned_at(vendor, first).filter(|(_, pinned)| pinned.first == first && !pinned.made);
    let last = found.map(|(last, _)| last).ok_or(Code::NotRegistered)?;
    machine.pinned.remove(&last);
    Ok(())
}

/// Returns an attribute of an address: kind of memory (2), device (9).
pub(crate) fn attribute(vendor: Vendor, which: i32, address: u64) -> Outcome<i32> {
    started(vendor)?;
    let machine = lock(machine());
    let block = machine.block(vendor, address).ok();
    let pinned = machine.pinned_at(vendor, address).is_some();
    match (which, block) {
        (2, Some(_)) => Ok(2),
        (9, Some(block)) => Ok(block.place.1.cast_signed()),
        (2, None) if pinned => Ok(1),
        (9, None) if pinned => Ok(0),
        (2 | 9, None) => Err(Code::InvalidValue),
        _ => Err(Code::NotSupported),
    }
}
