// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of another process, by handle: which process, which of its files, and a number of that file.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::contexts::current;
use crate::lock::lock;
use crate::machine::machine;
use crate::settings::settings;
use crate::state::block::Block;

/// Process (32 bits), descriptor (16), end of the file's number (16).
fn word(descriptor: i32, inode: u64) -> Outcome<u64> {
    let descriptor = u16::try_from(descriptor).map_err(|_| Code::OutOfMemory)?;
    Ok(u64::from(std::process::id()) << 32 | u64::from(descriptor) << 16 | inode & 0xffff)
}

/// Names an allocation of this process.
pub(crate) fn export(vendor: Vendor, address: u64) -> Outcome<u64> {
    current(vendor)?;
    if !settings().ipc {
        return Err(Code::NotSupported);
    }
    let block = lock(machine()).block(vendor, address)?;
    if block.address != address || block.origin.is_some() || block.made.is_some() {
        return Err(Code::InvalidValue);
    }
    let file = File::from(block.file.try_clone().map_err(|_| Code::OutOfMemory)?);
    let inode = file.metadata().map_err(|_| Code::MapFailed)?.ino();
    word(block.file.as_raw_fd(), inode)
}

/// Maps what another process has named.
pub(crate) fn open(vendor: Vendor, handle: u64) -> Outcome<u64> {
    let place = current(vendor)?;
    if !settings().ipc {
        return Err(Code::NotSupported);
    }
    let (process, descriptor, end) = (handle >> 32, handle >> 16 & 0xffff, handle & 0xffff);
    if process == u64::from(std::process::id()) {
        return Err(Code::InvalidContext);
    }
    let path = format!("/proc/{process}/fd/{descriptor}");
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(|_| Code::MapFailed)?;
    let facts = file.metadata().map_err(|_| Code::MapFailed)?;
    if facts.ino() & 0xffff != end || facts.len() == 0 {
        return Err(Code::MapFailed);
    }
    let mut machine = lock(machine());
    let same = |block: &Block| block.origin == Some(facts.ino()) && block.place == place;
    if machine.blocks.values().any(|block| same(block)) {
        return Err(Code::AlreadyMapped);
    }
    let block = Block::map(place, OwnedFd::from(file), facts.len(), Some(facts.ino()))?;
    Ok(machine.keep(block))
}

/// Ends that.
pub(crate) fn close(vendor: Vendor, address: u64) -> Outcome {
    let place = current(vendor)?;
    let mut machine = lock(machine());
    let block = machine.block(vendor, address)?;
    if block.address != address || block.origin.is_none() || block.place != place {
        return Err(Code::InvalidValue);
    }
    machine.forget(&block);
    Ok(())
}
