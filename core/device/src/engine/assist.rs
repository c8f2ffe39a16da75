// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A second thread for large copies.
//!
//! One helper thread per process, started by the first copy that could use it, sleeps on a futex. [`job`]
//! describes the sharing of a copy between it and the caller; the decision to share is measured: for copies
//! of mapped memory slice by slice ([`super::tuner`]), for others, which are done in whole parts, copy by
//! copy ([`trials`]).
//!
//! **One at a time.** The helper belongs to the thread that holds [`OWNER`]; another large copy meanwhile
//! goes solo.
//!
//! **Fork.** The child has no helper thread. Parts are claimed by the thread that does them, so no part can
//! be claimed by a missing thread; and the child, detected by its process number, does not use the helper at
//! all.

mod job;
mod trials;

use std::sync::Mutex;
use std::time::Instant;

use mf_base::os::{process, thread};
use mf_base::settings::Switch;

use self::job::{Job, Work};
use self::trials::Trials;
use super::config::config;
use super::cpu::{self, Piece};
use super::method::Method;
use super::tuner::{Mode, Tuner};

/// Bytes of one claim: small enough that the last part is a short wait, large against the cost of the claim.
const CHUNK: usize = 1 << 20;

/// From so many bytes on, work in parts may be shared: below, the helper's wake-up takes too much of it.
const SHARED_FROM: usize = 1 << 20;

/// Bounds for a part of such work, which is a call of the kernel that takes over a microsecond for any size.
const PART_BYTES: (usize, usize) = (256 << 10, 1 << 20);

/// Classes of sizes of such work, each twice the one before; the last is 8 MiB and more.
const CLASSES: usize = 4;

static JOB: Job = Job::new();
static OWNER: Mutex<Owner> = Mutex::new(Owner { helper: Helper::None, tuner: Tuner::new() });
static TRIALS: [Mutex<Trials>; CLASSES] = [const { Mutex::new(Trials::new()) }; CLASSES];

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
    /// Returns true if there is a helper in this process; starts it the first time.
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

    /// Splits work into parts of about `wished` bytes for this thread and the helper, which exists.
    fn share(&mut self, bytes: usize, wished: usize, work: Work<'_>) {
        // SAFETY: this is the owner, of which there is one, behind its lock: no other call runs.
        unsafe { JOB.run(bytes, wished, work) };
    }
}

/// Copies with the helper where that pays. Returns false if nothing was done: the caller copies alone.
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
    let whole = Piece { src, dst, bytes: bytes as u64 };
    let both = |owner: &mut Owner, start: usize, bytes: usize| {
        owner.share(bytes, CHUNK, &|at, part| {
            let (from, to) = whole.offset_by(start + at);
            // SAFETY: the parts of a slice lie in the ranges that the caller vouches for.
            unsafe { cpu::bulk(from, to, part, method) };
        });
    };
    if always {
        both(&mut owner, 0, bytes);
        return true;
    }
    owner.tuner.begin(bytes);
    let mut at = 0;
    while at < bytes {
        let slice = owner.tuner.next(bytes - at);
        let start = Instant::now();
        match slice.mode {
            Mode::Solo => {
                let (from, to) = whole.offset_by(at);
                // SAFETY: `at + slice.bytes <= bytes`, for which the caller vouches.
                unsafe { cpu::bulk(from, to, slice.bytes, method) };
            }
            Mode::Assisted => both(&mut owner, at, slice.bytes),
        }
        owner.tuner.report(slice, nanos(start));
        at += slice.bytes;
    }
    true
}

/// Returns true if [`in_parts`] may share work of so many bytes with the helper.
#[inline(always)]
pub fn may_share(bytes: u64) -> bool {
    bytes >= SHARED_FROM as u64 && config().assist != Switch::Off
}

/// Does work on `bytes` bytes: `work` is called for parts that cover them, each once, from this thread and
/// from the helper where that was measured to be faster; otherwise once for all, here.
///
/// Returns when all calls have returned, and their writes are then visible here. A panic of `work` on parts
/// ends the process.
pub fn in_parts(bytes: usize, work: Work<'_>) {
    if !may_share(bytes as u64) {
        return work(0, bytes);
    }
    let share = || {
        let Ok(mut owner) = OWNER.try_lock() else { return false };
        let has_helper = owner.has_helper();
        if has_helper {
            owner.share(bytes, part_bytes(bytes), work);
        }
        has_helper
    };
    if config().assist == Switch::On {
        if !share() {
            work(0, bytes);
        }
        return;
    }
    let Some(trials) = TRIALS.get(class_of(bytes)) else { return work(0, bytes) };
    // A thread never waits for the measurement of another one; it then goes solo.
    let Ok(turn) = trials.try_lock().map(|trials| trials.next()) else { return work(0, bytes) };
    let start = Instant::now();
    if turn.mode == Mode::Solo {
        work(0, bytes);
    } else if !share() {
        // Unmeasured: another copy has the helper.
        return work(0, bytes);
    }
    if let Ok(mut trials) = trials.try_lock() {
        trials.report(turn, bytes, nanos(start));
    }
}

fn nanos(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// About a quarter of the whole, so that each thread has two parts at least and the faster one may have 3.
fn part_bytes(bytes: usize) -> usize {
    (bytes / 4).next_multiple_of(4096).clamp(PART_BYTES.0, PART_BYTES.1)
}

fn class_of(bytes: usize) -> usize {
    ((bytes / SHARED_FROM).max(1).ilog2() as usize).min(CLASSES - 1)
}

#[cfg(test)]
mod tests;
