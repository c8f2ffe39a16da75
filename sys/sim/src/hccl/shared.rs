// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory that the ranks of a communicator share.
//!
//! A sparse memory file: a head, a slot for each rank, and two channels for each ordered pair of ranks. It is
//! made with the head alone; the first rank sets how many ranks there are, and every rank makes the
//! file long enough for them. Everything in it is atomic, apart from the bytes of messages, which belong to
//! the sender until they are published and to the receiver until they are taken.

use std::os::fd::OwnedFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, AtomicU64, Ordering};

use mf_base::os::descriptor;
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

use super::channel::Line;
use super::code::{self, Progress, Trouble};
use crate::device_ids::MOST_DEVICES;
use crate::fault::{Fault, Outcome, ensure};
use crate::memory::native;

const MAGIC: u64 = u64::from_le_bytes(*b"ASCsimHC");
/// Most ranks of a communicator: each has a device of the simulated machine.
pub const MOST_RANKS: u32 = MOST_DEVICES;
/// Bytes of a communicator's name, with the final 0.
pub const NAME_BYTES: usize = 128;
/// Subsets that may be coming together at once.
pub const SUBSETS: usize = 32;
const TEXT_BYTES: usize = 512;
/// Words that describe an operation.
pub const WORDS: usize = 6;

/// Header of the file.
#[repr(C)]
pub struct Head {
    magic: AtomicU64,
    /// Number of ranks; 0 until the first has joined.
    ranks: AtomicU32,
    /// Outcome of the join: all ranks have joined (1) or will not (2).
    pub(super) decision: AtomicU32,
    /// Rung whenever something changes that a rank may wait for.
    pub(super) bell: AtomicU32,
    /// Number of ranks sleeping until the decision.
    pub(super) sleepers: AtomicU32,
    failure: Failure,
    pub(super) subsets: [Subset; SUBSETS],
}

/// Why the communicator is lost.
#[repr(C)]
struct Failure {
    /// 1 while a rank writes, 2 when the rest is valid.
    state: AtomicU32,
    code: AtomicI32,
    rank: AtomicU32,
    /// The failure is the rank's own; otherwise the others are only notified.
    own: AtomicU32,
    text: [AtomicU8; TEXT_BYTES],
}

/// Subset with a communicator in creation.
#[repr(C)]
pub struct Subset {
    /// 0 free, 1 being written, 2 valid.
    pub(super) state: AtomicU32,
    /// The number that its ranks gave, and what identifies its list of ranks.
    pub(super) id: AtomicU64,
    pub(super) members: AtomicU64,
    /// Number under which its memory file is offered.
    pub(super) number: AtomicU64,
    pub(super) secret: AtomicU64,
}

/// A rank.
#[repr(C)]
pub struct Slot {
    /// 0 absent, 1 arriving, 2 present, 3 gone.
    pub(super) state: AtomicU32,
    /// Its device, by physical number.
    pub(super) device: AtomicU32,
    /// Its process, for texts.
    pub(super) process: AtomicI32,
    /// Member id of its process in the session.
    pub(super) member: AtomicU64,
    /// The name that it wants for the communicator.
    name: [AtomicU8; NAME_BYTES],
    posted: [Posted; 2],
}

/// The collective that a rank is about to do.
#[repr(C)]
struct Posted {
    number: AtomicU64,
    words: [AtomicU64; WORDS],
}

/// The memory, as this process maps it.
#[derive(Debug)]
pub struct CommunicatorFile {
    base: NonNull<u8>,
    bytes: usize,
    ranks: u32,
}

// SAFETY: the mapping lives as long as the value, and its contents are accessed only as atomics or by their
// owner.
unsafe impl Send for CommunicatorFile {}
// SAFETY: the contents are accessed only as atomics or by their owner.
unsafe impl Sync for CommunicatorFile {}

/// A file for a new communicator.
///
/// # Errors
/// `HCCL_E_INTERNAL` when the system has none.
pub fn create() -> Outcome<OwnedFd> {
    let made = descriptor::memfd("ascend-sim-hccl", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING);
    let file = made.and_then(|file| {
        rustix::fs::ftruncate(&file, slots_at())?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK)?;
        Ok(file)
    });
    let file = file.map_err(|error| system("no memory file for a communicator", error))?;
    let shared = CommunicatorFile::map(&file, slots_at(), 0)?;
    shared.head().magic.store(MAGIC, Ordering::Release);
    Ok(file)
}

const fn slots_at() -> u64 {
    (size_of::<Head>() as u64).next_multiple_of(4096)
}

fn lines_at(ranks: u32) -> u64 {
    (slots_at() + u64::from(ranks) * size_of::<Slot>() as u64).next_multiple_of(4096)
}

impl CommunicatorFile {
    /// Maps a communicator's file for one of `ranks` ranks.
    ///
    /// # Errors
    /// `HCCL_E_PARA` when others gave another number of ranks · `HCCL_E_INTERNAL` for another sort of file.
    pub fn open(file: &OwnedFd, ranks: u32) -> Outcome<Self> {
        let size = rustix::fs::fstat(file).map_err(|error| system("a communicator's file", error))?.st_size;
        ensure(u64::try_from(size).unwrap_or(0) >= slots_at(), code::INTERNAL, || {
            format!("the file of a communicator has {size} bytes only")
        })?;
        let start = Self::map(file, slots_at(), 0)?;
        ensure(start.head().magic.load(Ordering::Acquire) == MAGIC, code::INTERNAL, || {
            "the file is not that of a communicator".to_owned()
        })?;
        let stated = start.head().ranks.compare_exchange(0, ranks, Ordering::AcqRel, Ordering::Acquire);
        if let Err(others) = stated {
            ensure(others == ranks, code::PARA, || format!("{ranks} ranks; others gave {others}"))?;
        }
        let bytes = lines_at(ranks) + 2 * u64::from(ranks) * u64::from(ranks) * size_of::<Line>() as u64;
        if u64::try_from(size).unwrap_or(0) < bytes {
            // Another that does this at the same time makes it as long.
            rustix::fs::ftruncate(file, bytes).map_err(|error| system("memory for a communicator", error))?;
        }
        Self::map(file, bytes, ranks)
    }

    fn map(file: &OwnedFd, bytes: u64, ranks: u32) -> Outcome<Self> {
        let bytes = native(bytes);
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED | MapFlags::NORESERVE;
        // SAFETY: a fresh mapping at an address of the kernel's choice.
        let base = unsafe { rustix::mm::mmap(std::ptr::null_mut(), bytes, access, flags, file, 0) };
        let base = base.map_err(|error| system("mapping a communicator", error))?;
        let base = NonNull::new(base.cast())
            .ok_or_else(|| Fault::new(code::INTERNAL, "a communicator was mapped at 0"))?;
        Ok(Self { base, bytes, ranks })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Returns the header.
    pub fn head(&self) -> &Head {
        // SAFETY: the file is at least as long, and all of it is atomic and valid as zeroes.
        unsafe { &*self.base.as_ptr().cast::<Head>() }
    }

    /// The slot of a rank.
    pub fn slot(&self, rank: u32) -> &Slot {
        let offset = slots_at() + u64::from(rank.min(self.ranks)) * size_of::<Slot>() as u64;
        // SAFETY: the file was made long enough for all ranks, with the lines behind the slots.
        let at = unsafe { self.base.as_ptr().add(native(offset)) };
        // SAFETY: in the file, at a multiple of its alignment; all of it is atomic and valid as zeroes.
        unsafe { &*at.cast::<Slot>() }
    }

    /// The channel from one rank to another: for collectives, or for what programs send themselves.
    pub fn line(&self, collective: bool, from: u32, to: u32) -> &Line {
        let last = self.ranks.saturating_sub(1);
        let pair = u64::from(from.min(last)) * u64::from(self.ranks) + u64::from(to.min(last));
        let offset = lines_at(self.ranks) + (pair * 2 + u64::from(collective)) * size_of::<Line>() as u64;
        // SAFETY: the file was made long enough for two lines a pair.
        let at = unsafe { self.base.as_ptr().add(native(offset)) };
        // SAFETY: in the file, at a multiple of its alignment; its words are atomic and its bytes are in a
        // cell.
        unsafe { &*at.cast::<Line>() }
    }

    /// Why the communicator is lost, as `rank` sees it.
    pub fn failure(&self, rank: u32) -> Option<Trouble> {
        let failure = &self.head().failure;
        if failure.state.load(Ordering::Acquire) != 2 {
            return None;
        }
        let (failed, code) = (failure.rank.load(Ordering::Relaxed), failure.code.load(Ordering::Relaxed));
        let text = read_text(&failure.text);
        let own = failure.own.load(Ordering::Relaxed) != 0;
        Some(match own && failed != rank {
            true => Trouble::shared(code::REMOTE, format_args!("rank {failed} failed: {text}")),
            false => Trouble::shared(code, text),
        })
    }

    /// Refuses when the communicator is lost.
    ///
    /// # Errors
    /// Why.
    pub fn check(&self, rank: u32) -> Progress {
        self.failure(rank).map_or(Ok(()), Err)
    }

    /// The communicator is lost because of what happened to `rank`. The first reason counts.
    pub fn fail(&self, rank: u32, trouble: &Trouble) {
        let failure = &self.head().failure;
        if failure.state.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            failure.code.store(trouble.code, Ordering::Relaxed);
            failure.rank.store(rank, Ordering::Relaxed);
            failure.own.store(trouble.own.into(), Ordering::Relaxed);
            write_text(&failure.text, &trouble.text);
            failure.state.store(2, Ordering::Release);
        }
        self.ring();
    }
}

impl Slot {
    /// The name that the rank wants.
    pub fn name(&self) -> String {
        read_text(&self.name)
    }

    /// Sets it.
    pub fn set_name(&self, name: &str) {
        write_text(&self.name, name);
    }

    /// Publishes the operation of the rank's collective `number`.
    pub fn post(&self, number: u64, words: &[u64; WORDS]) {
        let posted = &self.posted[usize::from(number % 2 == 1)];
        for (to, word) in posted.words.iter().zip(words) {
            to.store(*word, Ordering::Relaxed);
        }
        posted.number.store(number, Ordering::Release);
    }

    /// Returns the operation of its collective `number`, or `None` if it is not published yet. A rank cannot
    /// be more than one collective ahead until all have read this one.
    pub fn posted(&self, number: u64) -> Option<[u64; WORDS]> {
        let posted = &self.posted[usize::from(number % 2 == 1)];
        (posted.number.load(Ordering::Acquire) == number)
            .then(|| std::array::from_fn(|word| posted.words[word].load(Ordering::Relaxed)))
    }
}

impl Drop for CommunicatorFile {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping, and no reference into it is left. On an error the mapping
        // stays.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

fn system(what: &str, error: rustix::io::Errno) -> Fault {
    Fault::new(code::INTERNAL, format_args!("{what}: {error}"))
}

fn write_text(to: &[AtomicU8], text: &str) {
    let bytes = text.bytes().take(to.len() - 1).chain(std::iter::once(0));
    for (to, byte) in to.iter().zip(bytes) {
        to.store(byte, Ordering::Relaxed);
    }
}

fn read_text(from: &[AtomicU8]) -> String {
    let bytes: Vec<u8> =
        from.iter().map(|byte| byte.load(Ordering::Relaxed)).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
