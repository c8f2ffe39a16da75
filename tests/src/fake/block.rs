// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A block of device memory: a memory file with a head that names who may map it, mapped at an address that
//! only the mover knows. A handle tells where its owner holds the file, so it is worthless when the owner has
//! ended.

use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use mf_base::{Error, Kind, Result};
use rustix::fs::{MemfdFlags, Mode, OFlags};
use rustix::mm::{MapFlags, ProtFlags};

use super::OP;

/// The head: how many may map it, then who; the data begins behind it.
const HEAD_BYTES: u64 = 4096;
const ALLOWED_MAX: u32 = 1000;

/// A mapped block.
pub(super) struct Block {
    file: OwnedFd,
    start: *mut u8,
    bytes: u64,
}

// SAFETY: the mapping belongs to the block; bytes in it are only moved by raw pointers, as memory of a device
// is.
unsafe impl Send for Block {}
// SAFETY: as above; the head consists of atomics.
unsafe impl Sync for Block {}

impl Block {
    /// New memory.
    pub(super) fn new(bytes: u64) -> Result<Self> {
        let os = |errno| Error::os(OP, errno).with("bytes", bytes);
        let file = rustix::fs::memfd_create("mf-fake-device", MemfdFlags::CLOEXEC).map_err(os)?;
        rustix::fs::ftruncate(&file, HEAD_BYTES + bytes).map_err(os)?;
        Self::of(file, bytes)
    }

    fn of(file: OwnedFd, bytes: u64) -> Result<Self> {
        let length = length(bytes);
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping where the kernel likes it.
        let mapped =
            unsafe { rustix::mm::mmap(std::ptr::null_mut(), length, access, MapFlags::SHARED, &file, 0) };
        let start = mapped.map_err(|errno| Error::os(OP, errno).with("bytes", bytes))?.cast();
        Ok(Self { file, start, bytes })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where the mover finds byte `offset`.
    pub(super) fn at(&self, offset: u64) -> *mut u8 {
        self.start.wrapping_add(usize::try_from(HEAD_BYTES + offset).unwrap())
    }

    /// Lets a process map it.
    pub(super) fn allow(&self, process: i32) -> Result<()> {
        if self.is_allowed(process) {
            return Ok(());
        }
        let index = self.count().fetch_add(1, Ordering::AcqRel);
        if index >= ALLOWED_MAX {
            return Err(Error::new(Kind::NoResources, OP).what("too many processes share a block"));
        }
        self.allowed(index).store(process, Ordering::Release);
        Ok(())
    }

    fn is_allowed(&self, process: i32) -> bool {
        let count = self.count().load(Ordering::Acquire).min(ALLOWED_MAX);
        (0..count).any(|index| self.allowed(index).load(Ordering::Acquire) == process)
    }

    fn count(&self) -> &AtomicU32 {
        // SAFETY: the first word of the head, mapped and aligned as long as the block lives.
        unsafe { AtomicU32::from_ptr(self.start.cast()) }
    }

    fn allowed(&self, index: u32) -> &AtomicI32 {
        let word = self.start.cast::<i32>().wrapping_add(1 + index as usize);
        // SAFETY: a word of the head, as `index` is below the most that it holds.
        unsafe { AtomicI32::from_ptr(word) }
    }

    /// What another process needs to map it.
    pub(super) fn handle(&self) -> Vec<u8> {
        let mut handle = std::process::id().to_le_bytes().to_vec();
        handle.extend(self.file.as_raw_fd().to_le_bytes());
        handle
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the mapping is this block's, and nobody else knows it.
        let _ = unsafe { rustix::mm::munmap(self.start.cast(), length(self.bytes)) };
    }
}

fn length(bytes: u64) -> usize {
    usize::try_from(HEAD_BYTES + bytes).unwrap()
}

/// Where the owner of a block holds it.
#[derive(Clone)]
pub(super) struct Handle {
    pid: u32,
    descriptor: i32,
    bytes: u64,
}

impl Handle {
    pub(super) fn read(handle: &[u8], bytes: u64) -> Result<Self> {
        let bad = || Error::invalid(OP, "this is no handle of the device").with("bytes", handle.len());
        let (pid, descriptor) = handle.split_first_chunk::<4>().ok_or_else(bad)?;
        let descriptor: [u8; 4] = descriptor.try_into().map_err(|_| bad())?;
        Ok(Self { pid: u32::from_le_bytes(*pid), descriptor: i32::from_le_bytes(descriptor), bytes })
    }

    fn import(&self, process: i32) -> Result<Block> {
        let path = format!("/proc/{}/fd/{}", self.pid, self.descriptor);
        let file = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        let file = file.map_err(|errno| {
            Error::new(Kind::Failed, OP)
                .what("the owner of a handle is gone")
                .with("pid", self.pid)
                .source(std::io::Error::from(errno))
        })?;
        let size = rustix::fs::fstat(&file).map_err(|errno| Error::os(OP, errno))?.st_size;
        if u64::try_from(size).ok() != Some(HEAD_BYTES + self.bytes) {
            return Err(
                Error::invalid(OP, "a block is not as long as was announced").with("bytes", self.bytes)
            );
        }
        let block = Block::of(file, self.bytes)?;
        if block.is_allowed(process) {
            return Ok(block);
        }
        Err(Error::new(Kind::Failed, OP)
            .what("a handle was not made for this process")
            .with("process", process))
    }
}

/// A piece of a segment.
#[derive(Clone)]
pub(super) enum Piece {
    /// Memory of this device.
    Own(Arc<Block>),
    /// Memory of another member; imported when it is mapped.
    Theirs(Handle),
}

impl Piece {
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Piece::Own(block) => block.bytes(),
            Piece::Theirs(handle) => handle.bytes,
        }
    }

    pub(super) fn block(&self, process: i32) -> Result<Arc<Block>> {
        match self {
            Piece::Own(block) => Ok(Arc::clone(block)),
            Piece::Theirs(handle) => handle.import(process).map(Arc::new),
        }
    }
}
