// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This thread and the scheduler: which core it runs on, and how soon it gets one after a sleep.
//!
//! **Problem.** A thread that wakes on a core where another thread computes waits until that one has used up
//! its time slice: 1.5 ms on two cores, 3 ms on eight, for every thread that is ahead of it. Threads that
//! wait for each other pay that for each message.
//!
//! **Protocol.** Linux 6.12 and later give a thread with a shorter slice the core at once, as long as it has
//! not used more than its share. [`ShortSlice`] asks for one during a sleep and takes it back afterwards, so
//! the thread computes with the slice it had. Shares of processor time stay as they are. Earlier kernels
//! ignore the request, and it is not made again.

use std::sync::atomic::{AtomicBool, Ordering};

use rustix::thread::CpuSet;

/// The slice of a thread that sleeps, in nanoseconds: the shortest that the kernel takes.
const SHORT_NANOSECONDS: u64 = 100_000;

/// True if the kernel takes a length for the slice.
static IS_SUPPORTED: AtomicBool = AtomicBool::new(true);

/// While it lives, this thread gets a core soon after it wakes.
pub struct ShortSlice {
    /// Attributes to restore; None where nothing was changed.
    former: Option<libc::sched_attr>,
}

impl ShortSlice {
    /// Asks for a short time slice for this thread. Does nothing where the kernel has none, a system call
    /// filter refuses it, or the thread runs under another policy than `SCHED_OTHER`.
    pub fn begin() -> Self {
        // Miri's kernel has no such calls.
        let former = (!cfg!(miri) && IS_SUPPORTED.load(Ordering::Relaxed)).then(shorten).flatten();
        Self { former }
    }
}

/// Shortens the slice of this thread; the attributes it had, or None where it stays as it is.
fn shorten() -> Option<libc::sched_attr> {
    let unsupported = || IS_SUPPORTED.store(false, Ordering::Relaxed);
    let Some(former) = attributes() else {
        unsupported();
        return None;
    };
    if former.sched_policy != libc::SCHED_OTHER.cast_unsigned() {
        return None;
    }
    let is_shorter = set_attributes(&libc::sched_attr { sched_runtime: SHORT_NANOSECONDS, ..former });
    // Kernels without slices report none.
    if former.sched_runtime == 0 || !is_shorter {
        unsupported();
    }
    is_shorter.then_some(former)
}

impl Drop for ShortSlice {
    fn drop(&mut self) {
        if let Some(former) = &self.former {
            set_attributes(former);
        }
    }
}

/// The attributes of this thread; None where a filter refuses the call.
fn attributes() -> Option<libc::sched_attr> {
    // SAFETY: integers, for which zeroes are values.
    let mut found: libc::sched_attr = unsafe { std::mem::zeroed() };
    let room = size_of_val(&found);
    // SAFETY: the kernel writes at most `room` bytes to `found`.
    let done = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut found, room, 0) };
    (done == 0).then_some(found)
}

/// Sets the attributes of this thread; false where the kernel refuses.
fn set_attributes(wanted: &libc::sched_attr) -> bool {
    // SAFETY: the kernel reads one structure, and changes nothing of this process but the thread's
    // scheduling.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::from_ref(wanted), 0) == 0 }
}

/// The core that this thread runs on at this moment.
pub fn current_core() -> u16 {
    u16::try_from(rustix::thread::sched_getcpu()).unwrap_or(u16::MAX)
}

/// Moves this thread to another core than these, or at least than the one it runs on, where it may run on
/// another; then it may run on all of them again as before. False: it has stayed.
pub fn leave_core(occupied: impl Iterator<Item = u16>) -> bool {
    let Ok(allowed) = rustix::thread::sched_getaffinity(None) else { return false };
    let mut free = allowed;
    occupied.map(usize::from).filter(|core| *core < CpuSet::MAX_CPU).for_each(|core| free.unset(core));
    let mut others = allowed;
    others.unset(usize::from(current_core()).min(CpuSet::MAX_CPU - 1));
    let moved = [free, others]
        .iter()
        .any(|cores| cores.count() > 0 && rustix::thread::sched_setaffinity(None, cores).is_ok());
    // A thread that may run on fewer cores than before would be the program's problem for ever.
    moved && rustix::thread::sched_setaffinity(None, &allowed).is_ok()
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn short_slice_restores_scheduling_attributes() {
        let runtime =
            || attributes().map(|found| (found.sched_policy, found.sched_nice, found.sched_runtime));
        let before = runtime();
        {
            let slice = ShortSlice::begin();
            if slice.former.is_some_and(|former| former.sched_runtime > 0) {
                assert_eq!(runtime(), before.map(|(policy, nice, _)| (policy, nice, SHORT_NANOSECONDS)));
            }
        }
        assert_eq!(runtime(), before);
    }

    #[test]
    fn thread_moves_off_its_core_and_regains_all_cores() {
        std::thread::spawn(|| {
            let before = rustix::thread::sched_getaffinity(None).unwrap();
            let core = current_core();
            let moved = leave_core([core].into_iter());
            assert_eq!(moved, before.count() > 1);
            assert_eq!(rustix::thread::sched_getaffinity(None).unwrap(), before);
            // Bound to one core it stays there.
            let mut one = CpuSet::new();
            one.set(usize::from(core));
            rustix::thread::sched_setaffinity(None, &one).unwrap();
            assert!(!leave_core([core].into_iter()));
            assert_eq!(current_core(), core);
        })
        .join()
        .unwrap();
    }
}
