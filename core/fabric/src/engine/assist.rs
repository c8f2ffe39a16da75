// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A second thread for large copies.
//!
//! One helper thread per process, started by the first copy that could use it, sleeps on a futex. A copy is
//! published as a *job*; caller and helper claim its chunks from one atomic word until none is left, so the
//! caller never waits for anything but the chunk that the helper is in the middle of, and a helper that does
//! not wake up costs nothing.
//!
//! **The claim.** `cursor` holds the job's number and how many chunks are unclaimed; the job's fields are
//! rewritten only while that count is 0. A claiming thread reads the cursor, then the fields, then moves the
//! cursor by compare-exchange: if that succeeds, the job was open all the time and the fields were its own;
//! if they were mixed, the cursor has changed and the claim is tried anew.
//!
//! **One at a time.** The helper belongs to the thread that holds [`OWNER`]; another large copy meanwhile
//! goes solo.
//!
//! **Fork.** The child has no helper thread. Chunks are claimed by the thread that copies them, so none can
//! be claimed by a thread that is not there; and the child, seen by its process number, does not use the
//! helper at all.

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use mf_base::os::{process, thread};
use rustix::thread::futex;

use super::cpu;
use super::method::Method;
use super::tuner::{Mode, Tuner};

/// What is claimed at once, in bytes: small enough that the last chunk is a short wait, large against the
/// claim.
const CHUNK: usize = 1 << 20;

/// How often the caller polls the helper's progress before it sleeps; together some microseconds.
const SPINS: u32 = 200;

static JOB: Job = Job::new();
static OWNER: Mutex<Owner> = Mutex::new(Owner { helper: Helper::None, tuner: Tuner::new() });

enum Helper {
    /// Not started yet.
    None,
    /// Runs in this process.
    Of(process::Owner),
    /// Could not be started; not tried again.
    Refused,
}

struct Owner {
    helper: Helper,
    tuner: Tuner,
}

impl Owner {
    /// Whether there is a helper in this process; starts it the first time.
    fn has_helper(&mut self) -> bool {
        if let Helper::None = self.helper {
            self.helper = match thread::spawn("mf-copy-assist", || JOB.help()) {
                Ok(_) => Helper::Of(process::Owner::current()),
                Err(error) => {
                    tracing::debug!(%error, "the helper thread for large copies could not be started");
                    Helper::Refused
                }
            };
        }
        matches!(&self.helper, Helper::Of(process) if process.is_current())
    }
}

/// Copies with the helper where that pays; false: nothing was done, the caller copies alone.
///
/// `always` skips the measurement. Blocks for the time of the copy.
///
/// # Safety
/// `src` is readable and `dst` writable for `bytes` bytes and the ranges do not overlap.
pub(super) unsafe fn copy(src: *const u8, dst: *mut u8, bytes: usize, method: Method, always: bool) -> bool {
    let Ok(mut owner) = OWNER.try_lock() else { return false };
    if !owner.has_helper() {
        return false;
    }
    if always {
        // SAFETY: the caller vouches for the ranges; holding the owner's lock, this is the only job.
        unsafe { JOB.run(src, dst, bytes, method) };
        return true;
    }
    let tuner = &mut owner.tuner;
    tuner.begin(bytes);
    let mut at = 0;
    while at < bytes {
        let slice = tuner.next(bytes - at);
        let (from, to) = (src.wrapping_add(at), dst.wrapping_add(at));
        let start = Instant::now();
        match slice.mode {
            // SAFETY: `at + slice.bytes <= bytes`, for which the caller vouches.
            Mode::Solo => unsafe { cpu::bulk(from, to, slice.bytes, method) },
            // SAFETY: as above; holding the owner's lock, this is the only job.
            Mode::Assisted => unsafe { JOB.run(from, to, slice.bytes, method) },
        }
        tuner.report(slice, u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
        at += slice.bytes;
    }
    true
}

/// The copy that caller and helper share.
struct Job {
    src: AtomicPtr<u8>,
    dst: AtomicPtr<u8>,
    bytes: AtomicUsize,
    method: AtomicU8,
    /// Number of the job in the upper half, unclaimed chunks in the lower.
    cursor: AtomicU64,
    /// Changes with every job; the helper sleeps on it.
    published: AtomicU32,
    /// Chunks that the helper has finished since it started; the caller sleeps on it.
    helped: AtomicU32,
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
const fn unclaimed(cursor: u64) -> usize {
    cursor as u32 as usize
}

struct Claim {
    src: *const u8,
    dst: *mut u8,
    bytes: usize,
    method: Method,
}

impl Claim {
    /// # Safety
    /// The memory of the job is still vouched for: the caller of [`Job::run`] has not returned.
    unsafe fn copy(self) {
        // SAFETY: a claimed chunk lies in the ranges of its job.
        unsafe { cpu::bulk(self.src, self.dst, self.bytes, self.method) };
    }
}

impl Job {
    const fn new() -> Self {
        Self {
            src: AtomicPtr::new(ptr::null_mut()),
            dst: AtomicPtr::new(ptr::null_mut()),
            bytes: AtomicUsize::new(0),
            method: AtomicU8::new(Method::Cached as u8),
            cursor: AtomicU64::new(0),
            published: AtomicU32::new(0),
            helped: AtomicU32::new(0),
        }
    }

    /// Copies with the helper; returns when all is in place.
    ///
    /// # Safety
    /// As [`copy`], and no other call of this function runs.
    unsafe fn run(&self, src: *const u8, dst: *mut u8, bytes: usize, method: Method) {
        let chunks = u32::try_from(bytes.div_ceil(CHUNK)).unwrap_or(u32::MAX);
        // Quiet now: the last job's chunks were all finished before its `run` returned.
        let before = self.helped.load(Ordering::Relaxed);
        self.src.store(src.cast_mut(), Ordering::Relaxed);
        self.dst.store(dst, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.method.store(method as u8, Ordering::Relaxed);
        let number = (self.cursor.load(Ordering::Relaxed) >> 32).wrapping_add(1);
        // Pairs with the acquire in `claim`: who sees this job sees its fields, and what `src` holds.
        self.cursor.store(number << 32 | u64::from(chunks), Ordering::Release);
        // Pairs with the acquire in `help`: who sees the new number sees the new cursor.
        self.published.fetch_add(1, Ordering::Release);
        let _ = futex::wake(&self.published, futex::Flags::PRIVATE, 1);
        let mut mine = 0;
        while let Some(claim) = self.claim() {
            // SAFETY: this call has not returned.
            unsafe { claim.copy() };
            mine += 1;
        }
        self.wait_for(before.wrapping_add(chunks - mine));
    }

    fn claim(&self) -> Option<Claim> {
        loop {
            // Pairs with the release in `run`.
            let cursor = self.cursor.load(Ordering::Acquire);
            let left = unclaimed(cursor);
            if left == 0 {
                return None;
            }
            let src = self.src.load(Ordering::Relaxed);
            let dst = self.dst.load(Ordering::Relaxed);
            let bytes = self.bytes.load(Ordering::Relaxed);
            let method = Method::from_number(self.method.load(Ordering::Relaxed));
            // The release keeps the loads above from moving below the exchange that proves them right.
            let exchanged =
                self.cursor.compare_exchange(cursor, cursor - 1, Ordering::AcqRel, Ordering::Relaxed);
            if exchanged.is_ok() {
                let at = (bytes.div_ceil(CHUNK) - left) * CHUNK;
                return Some(Claim {
                    src: src.cast_const().wrapping_add(at),
                    dst: dst.wrapping_add(at),
                    bytes: CHUNK.min(bytes - at),
                    method,
                });
            }
        }
    }

    /// Waits until the helper has finished `chunks` in all: at most the one it is in.
    fn wait_for(&self, chunks: u32) {
        let mut spins = 0;
        loop {
            // Pairs with the release in `help`: the bytes of the finished chunks are visible.
            let helped = self.helped.load(Ordering::Acquire);
            if helped == chunks {
                return;
            }
            if spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            } else {
                // Returns at once when the count has changed meanwhile; interruptions only cost a turn.
                let _ = futex::wait(&self.helped, futex::Flags::PRIVATE, helped, None);
            }
        }
    }

    /// The helper's life.
    fn help(&self) {
        loop {
            // Read before the claims: a job published after they failed makes the wait return at once.
            let seen = self.published.load(Ordering::Acquire);
            let mut helped = false;
            while let Some(claim) = self.claim() {
                // SAFETY: the caller of `run` waits for every chunk that it has not claimed itself.
                unsafe { claim.copy() };
                // Pairs with the acquire in `wait_for`.
                self.helped.fetch_add(1, Ordering::Release);
                helped = true;
            }
            if helped {
                // The caller sleeps only when no chunk is unclaimed, and then this line is still to come.
                let _ = futex::wake(&self.helped, futex::Flags::PRIVATE, 1);
            }
            let _ = futex::wait(&self.published, futex::Flags::PRIVATE, seen, None);
        }
    }
}

#[cfg(test)]
mod tests;
