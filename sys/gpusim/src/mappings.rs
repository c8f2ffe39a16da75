// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory at chosen addresses: reservations, physical memory, and mappings between them. The name of a
//! memory's file identifies its owner.

use std::ffi::{CString, c_int};
use std::fs::File;
use std::os::fd::{BorrowedFd, IntoRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use gpu_sys::{Access, AllocationProperties, MemoryPlace, Vendor};

use crate::codes::{Code, Outcome};
use crate::device_key::DeviceKey;
use crate::lock::lock;
use crate::machine::{Machine, device, machine, started};
use crate::settings::settings;
use crate::state::block::{Block, file};
use crate::state::physical::{PhysicalMemory, Shadow, nothing, unreserve};

/// Everything is a multiple of this.
pub(crate) const UNIT_BYTES: usize = 2 << 20;
/// Addresses are taken in such pieces; where one wishes, they begin at a multiple.
const PIECE_BYTES: u64 = 32 << 20;

/// The name of files, and the number of the device behind it.
const NAME: &str = "gpusim-made-";
/// Contents of new memory at both ends.
const DIRT: [u8; 4096] = [0xd7; 4096];

fn units(bytes: usize) -> Outcome<u64> {
    if bytes == 0 || !bytes.is_multiple_of(UNIT_BYTES) { Err(Code::InvalidValue) } else { Ok(bytes as u64) }
}

/// The device that is described.
fn place(vendor: Vendor, place: MemoryPlace) -> Outcome<DeviceKey> {
    if place.kind == 1 { Ok((vendor, device(vendor, place.number)?)) } else { Err(Code::InvalidValue) }
}

/// Returns the location for a kind of memory.
pub(crate) fn place_of(vendor: Vendor, sort: &AllocationProperties) -> Outcome<DeviceKey> {
    started(vendor)?;
    let known =
        sort.kind == 1 && (0..2).contains(&sort.shared) && sort.security.is_null() && sort.wishes == 0;
    if known { place(vendor, sort.place) } else { Err(Code::InvalidValue) }
}

/// Reserves addresses.
pub(crate) fn reserve(vendor: Vendor, bytes: usize, wished: u64) -> Outcome<u64> {
    started(vendor)?;
    let length = units(bytes)?;
    let mut machine = lock(machine());
    let inside = nothing(0, bytes, 0).ok_or(Code::OutOfMemory)?;
    let mut shadow = Shadow { first: 0, bytes: length, inside };
    let taken = length.next_multiple_of(PIECE_BYTES);
    let whole = usize::try_from(taken).map_err(|_| Code::OutOfMemory)?;
    let wish = (wished != 0 && wished.is_multiple_of(PIECE_BYTES) && length >= PIECE_BYTES).then_some(wished);
    let first = match wish.and_then(|wish| nothing(wish, whole, libc::MAP_FIXED_NOREPLACE)) {
        Some(first) => first,
        None => {
            // More than is needed, as it may begin anywhere; the rest goes again.
            let spare = taken + UNIT_BYTES as u64;
            let whole = usize::try_from(spare).map_err(|_| Code::OutOfMemory)?;
            let got = nothing(0, whole, 0).ok_or(Code::OutOfMemory)?;
            let first = got.next_multiple_of(UNIT_BYTES as u64);
            unreserve(got, first - got);
            unreserve(first + taken, got + spare - (first + taken));
            first
        }
    };
    shadow.first = first;
    machine.reserved.insert(first, Arc::new(shadow));
    Ok(first)
}

/// Gives a whole reservation back, in which nothing is mapped.
pub(crate) fn give_back(vendor: Vendor, first: u64, bytes: usize) -> Outcome {
    started(vendor)?;
    let mut machine = lock(machine());
    let is_it = machine.reserved.get(&first).is_some_and(|shadow| shadow.bytes == bytes as u64);
    if !is_it || machine.is_device(first, bytes) {
        return Err(Code::InvalidValue);
    }
    machine.reserved.remove(&first);
    unreserve(first, (bytes as u64).next_multiple_of(PIECE_BYTES));
    Ok(())
}

impl Machine {
    fn hand_out(&mut self, made: PhysicalMemory) -> u64 {
        self.handles_given += 1;
        let handle = 0x6770_2000_0000 + self.handles_given * 16;
        self.made.insert(handle, Arc::new(made));
        handle
    }

    fn made(&self, handle: u64) -> Outcome<Arc<PhysicalMemory>> {
        self.made.get(&handle).cloned().ok_or(Code::InvalidValue)
    }

    /// Returns the mapping of exactly this range.
    fn mapped(&self, vendor: Vendor, address: u64, bytes: usize) -> Outcome<Arc<Block>> {
        let block = self.block(vendor, address)?;
        let is_it = block.made.is_some() && block.address == address && block.bytes == bytes as u64;
        if is_it { Ok(block) } else { Err(Code::InvalidValue) }
    }
}

/// Makes memory, which holds anything.
pub(crate) fn make(vendor: Vendor, bytes: usize, sort: &AllocationProperties) -> Outcome<u64> {
    let (place, length) = (place_of(vendor, sort)?, units(bytes)?);
    let mut machine = lock(machine());
    if machine.used(place) + length > settings().memory_bytes {
        return Err(Code::OutOfMemory);
    }
    let name = CString::new(format!("{NAME}{}", place.1)).map_err(|_| Code::InvalidValue)?;
    let file = file(&name, length)?;
    let file = File::from(file);
    for at in [0, length - DIRT.len() as u64] {
        file.write_all_at(&DIRT, at).map_err(|_| Code::OutOfMemory)?;
    }
    let file = OwnedFd::from(file);
    Ok(machine.hand_out(PhysicalMemory {
        place,
        bytes: length,
        file,
        is_own: true,
        is_shared: sort.shared == 1,
    }))
}

/// Gives a handle up.
pub(crate) fn release(vendor: Vendor, handle: u64) -> Outcome {
    started(vendor)?;
    lock(machine()).made.remove(&handle).map(drop).ok_or(Code::InvalidValue)
}

/// Maps all memory of a handle into reserved addresses.
pub(crate) fn map(vendor: Vendor, address: u64, bytes: usize, handle: u64) -> Outcome {
    started(vendor)?;
    let mut machine = lock(machine());
    let (made, length) = (machine.made(handle)?, units(bytes)?);
    let end = address.checked_add(length).ok_or(Code::InvalidValue)?;
    let around = machine.reserved.range(..=address).next_back().map(|(_, shadow)| Arc::clone(shadow));
    let shadow = around.filter(|shadow| end <= shadow.first + shadow.bytes).ok_or(Code::InvalidValue)?;
    let fits = made.bytes == length && address.is_multiple_of(UNIT_BYTES as u64);
    if !fits || machine.is_device(address, bytes) {
        return Err(Code::InvalidValue);
    }
    let block = Block::mapped(&made, address, &shadow)?;
    machine.keep(block);
    Ok(())
}

/// Ends that.
pub(crate) fn unmap(vendor: Vendor, address: u64, bytes: usize) -> Outcome {
    started(vendor)?;
    let mut machine = lock(machine());
    let block = machine.mapped(vendor, address, bytes)?;
    machine.forget(&block);
    Ok(())
}

/// Gives a device read and write access to mapped memory.
pub(crate) fn open_to(vendor: Vendor, address: u64, bytes: usize, whom: &Access) -> Outcome {
    let place = place(vendor, whom.who)?;
    let block = lock(machine()).mapped(vendor, address, bytes)?;
    if whom.rights != 3 {
        return Err(Code::InvalidValue);
    }
    block.open_to(place);
    Ok(())
}

/// A descriptor of memory that was made to be shared.
pub(crate) fn export(vendor: Vendor, handle: u64) -> Outcome<c_int> {
    started(vendor)?;
    let made = lock(machine()).made(handle)?;
    if !settings().ipc {
        return Err(Code::NotSupported);
    }
    if !made.is_shared {
        return Err(Code::InvalidValue);
    }
    made.file.try_clone().map(IntoRawFd::into_raw_fd).map_err(|_| Code::OutOfMemory)
}

/// Imports the memory named by a descriptor as a handle. The descriptor stays with the program.
pub(crate) fn import(vendor: Vendor, descriptor: usize) -> Outcome<u64> {
    started(vendor)?;
    let number = c_int::try_from(descriptor).map_err(|_| Code::InvalidValue)?;
    let named = std::fs::read_link(format!("/proc/self/fd/{number}")).map_err(|_| Code::InvalidValue)?;
    let named = named.to_string_lossy().into_owned();
    let name = named.strip_prefix("/memfd:").and_then(|name| name.strip_suffix(" (deleted)"));
    let owner = name.and_then(|name| name.strip_prefix(NAME)?.parse().ok()).ok_or(Code::InvalidValue)?;
    // SAFETY: it is open, as its name was found; the program holds it during the call.
    let given = unsafe { BorrowedFd::borrow_raw(number) };
    let file = File::from(given.try_clone_to_owned().map_err(|_| Code::OutOfMemory)?);
    let bytes = file.metadata().map_err(|_| Code::InvalidValue)?.len();
    let file = OwnedFd::from(file);
    let made = PhysicalMemory {
        place: (vendor, device(vendor, owner)?),
        bytes,
        file,
        is_own: false,
        is_shared: false,
    };
    Ok(lock(machine()).hand_out(made))
}
