// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words that other processes may come to share: 64 bytes each, in memory files that hold a thousand.
//!
//! A notify or event may be imported later, so all of them are created in shared slots if possible. A slot
//! that was exported is never reused, because the importer's release of it is unknown.

use std::num::NonZeroUsize;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::descriptor;
use mf_base::sync::lock;
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use rustix::thread::futex;

use crate::codes::acl;
use crate::fault::{Fault, Outcome};

const SLOT_BYTES: usize = 64;
const FILE_BYTES: usize = 64 << 10;

/// A shared mapping. Processes only use atomic operations on it.
#[derive(Debug)]
struct Mapping {
    base: *mut u8,
    bytes: NonZeroUsize,
}

// SAFETY: the memory is only used through atomics.
unsafe impl Send for Mapping {}
// SAFETY: the memory is only used through atomics.
unsafe impl Sync for Mapping {}

impl Mapping {
    fn new(file: impl AsFd, bytes: NonZeroUsize) -> Outcome<Self> {
        let (read_write, shared) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
        // SAFETY: a new mapping, at a place that the kernel chooses; the file cannot shrink.
        let base =
            unsafe { rustix::mm::mmap(std::ptr::null_mut(), bytes.get(), read_write, shared, file, 0) };
        let base = base.map_err(|error| no_memory("map a file of shared words", error))?;
        Ok(Self { base: base.cast(), bytes })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this object's, and a user of its words holds this object.
        // A failure would leave it mapped.
        let _ = unsafe { rustix::mm::munmap(self.base.cast(), self.bytes.get()) };
    }
}

/// 64 bytes, eight words.
#[derive(Debug)]
pub struct Slot {
    mapping: Arc<Mapping>,
    offset: usize,
    /// The file, where the slot is this process's own.
    file: Option<Arc<OwnedFd>>,
    shown: AtomicBool,
}

/// Own slots that are free.
static FREE: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

impl Slot {
    /// A slot of zeros.
    ///
    /// # Errors
    /// 207001 when the host has no memory.
    pub fn fresh() -> Outcome<Self> {
        if let Some(slot) = lock(&FREE).pop() {
            return Ok(slot);
        }
        let file = new_file().map_err(|error| no_memory("make a file of shared words", error))?;
        let mapping = Arc::new(Mapping::new(&file, NonZeroUsize::MIN.saturating_add(FILE_BYTES - 1))?);
        let file = Arc::new(file);
        let slot = |offset| Self {
            mapping: Arc::clone(&mapping),
            offset,
            file: Some(Arc::clone(&file)),
            shown: AtomicBool::new(false),
        };
        let offsets = (SLOT_BYTES..FILE_BYTES).step_by(SLOT_BYTES);
        lock(&FREE).extend(offsets.map(slot));
        Ok(slot(0))
    }

    /// The slot of another process at `offset` of its file.
    ///
    /// # Errors
    /// 507022 when the file holds no such slot · 207001 when the host has no memory.
    pub fn of_file(file: &OwnedFd, offset: u64) -> Outcome<Self> {
        let bytes = rustix::fs::fstat(file).map_or(0, |facts| facts.st_size.cast_unsigned());
        let seals = rustix::fs::fcntl_get_seals(file).unwrap_or(SealFlags::empty());
        let fits = offset.checked_add(SLOT_BYTES as u64).is_some_and(|end| end <= bytes);
        let (offset, bytes) = (usize::try_from(offset).unwrap_or(1), usize::try_from(bytes).unwrap_or(0));
        let right = fits && offset.is_multiple_of(SLOT_BYTES) && seals.contains(SealFlags::SHRINK);
        let bytes = NonZeroUsize::new(bytes).filter(|_| right);
        let Some(bytes) = bytes else {
            return Err(Fault::new(acl::IPC_ERROR, format_args!("no shared words at {offset}")));
        };
        let mapping = Arc::new(Mapping::new(file, bytes)?);
        Ok(Self { mapping, offset, file: None, shown: AtomicBool::new(true) })
    }

    /// File and offset, for another process.
    ///
    /// # Errors
    /// 107000 for a slot of another process.
    pub fn show(&self) -> Outcome<(Arc<OwnedFd>, u64)> {
        let Some(file) = &self.file else {
            return Err(Fault::new(acl::RT_PARAM_INVALID, "it belongs to another process"));
        };
        self.shown.store(true, Ordering::Relaxed);
        Ok((Arc::clone(file), self.offset as u64))
    }

    /// Word `index` of eight.
    pub fn word(&self, index: usize) -> &AtomicU64 {
        let at = self.mapping.base.wrapping_add(self.offset + index % 8 * 8);
        // SAFETY: the slot lies in the mapping, which lives as long as `self`; words are 8-aligned in pages
        // and only used as atomics of this width, by all processes.
        unsafe { AtomicU64::from_ptr(at.cast()) }
    }

    /// The half word at the end of the slot, on which threads of all processes sleep. It shares no bytes with
    /// words 0 to 6.
    pub fn bell(&self) -> &AtomicU32 {
        let at = self.mapping.base.wrapping_add(self.offset + 7 * 8);
        // SAFETY: as in `word`, and word 7 is used by nothing else.
        unsafe { AtomicU32::from_ptr(at.cast()) }
    }

    /// Sleeps while the bell has this value, for `time` at most.
    pub fn sleep(&self, value: u32, time: Duration) {
        let nanos = time.subsec_nanos().into();
        let time = futex::Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: nanos };
        // Waking without reason is allowed, so every outcome means: look again.
        let _ = futex::wait(self.bell(), futex::Flags::empty(), value, Some(&time));
    }

    /// Wakes all that sleep on the bell.
    pub fn wake(&self) {
        // There may be none.
        let _ = futex::wake(self.bell(), futex::Flags::empty(), i32::MAX.cast_unsigned());
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(file) = self.file.take() else { return };
        if *self.shown.get_mut() {
            return;
        }
        for index in 0..8 {
            self.word(index).store(0, Ordering::Relaxed);
        }
        let (mapping, offset) = (Arc::clone(&self.mapping), self.offset);
        lock(&FREE).push(Self { mapping, offset, file: Some(file), shown: AtomicBool::new(false) });
    }
}

fn new_file() -> rustix::io::Result<OwnedFd> {
    let file = descriptor::memfd("ascend-sim-words", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    rustix::fs::ftruncate(&file, FILE_BYTES as u64)?;
    rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    Ok(file)
}

#[cold]
fn no_memory(what: &str, error: rustix::io::Errno) -> Fault {
    Fault::new(acl::MEMORY_ALLOCATION, format_args!("cannot {what}: {error}"))
}
