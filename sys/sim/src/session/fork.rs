// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Forked children: they are refused, because the threads of the parent do not exist there, unless the
//! parent has asked for the chip's name alone: then they join the machine by themselves. They keep no
//! descriptors of the parent's session. With them a child would hold the names of a parent that has died,
//! and newcomers would connect to a listener without a process.

use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

/// Set in a forked child that is refused.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Set by the first call that uses the machine.
static USED: AtomicBool = AtomicBool::new(false);

/// Forks that separate this process from the first one, of processes that had not used the machine.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

/// Most generations; further children are refused.
pub(crate) const GENERATIONS: usize = 8;

/// A descriptor, and the inode by which the child makes sure that the number still means it.
struct Kept {
    descriptor: AtomicI32,
    inode: AtomicU64,
}

static KEPT: [Kept; 3] = [const { Kept { descriptor: AtomicI32::new(-1), inode: AtomicU64::new(0) } }; 3];

/// Which one.
#[derive(Clone, Copy)]
pub(super) enum Which {
    Gate = 0,
    Listener = 1,
    Machine = 2,
}

/// From now on a child closes it.
pub(super) fn keep(which: Which, file: BorrowedFd<'_>) {
    let inode = rustix::fs::fstat(file).map_or(0, |facts| facts.st_ino);
    let kept = &KEPT[which as usize];
    kept.inode.store(inode, Ordering::Relaxed);
    kept.descriptor.store(file.as_raw_fd(), Ordering::Release);
}

/// It has been closed.
pub(super) fn forget(which: Which) {
    KEPT[which as usize].descriptor.store(-1, Ordering::Release);
}

/// Returns the generation of this process, below [`GENERATIONS`].
pub(crate) fn generation() -> usize {
    GENERATION.load(Ordering::Relaxed)
}

/// From now on children are refused.
pub(crate) fn note_use() {
    if !USED.load(Ordering::Relaxed) {
        USED.store(true, Ordering::Relaxed);
    }
}

/// Returns true in a forked child that is refused.
pub(crate) fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// From now on a child of this process begins a generation, or is refused if the machine was used.
pub(crate) fn refuse_children() {
    static ONCE: Once = Once::new();
    extern "C" fn in_child() {
        let next = generation() + 1;
        if USED.load(Ordering::Relaxed) || next == GENERATIONS {
            FORKED.store(true, Ordering::Relaxed);
        } else {
            GENERATION.store(next, Ordering::Relaxed);
        }
        close_in_child();
    }
    ONCE.call_once(|| {
        // SAFETY: the handler stores to atomics and closes descriptors, which is allowed in a forked child.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

/// Closes the descriptors in a child, before anything else runs there.
fn close_in_child() {
    for kept in &KEPT {
        let number = kept.descriptor.swap(-1, Ordering::Acquire);
        let mut facts = std::mem::MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: the buffer has the size of the structure; the call is allowed in a forked child and fails
        // for other numbers.
        let found = unsafe { libc::fstat(number, facts.as_mut_ptr()) };
        // SAFETY: zeroed at first, and any content is valid.
        let facts = unsafe { facts.assume_init() };
        if found == 0 && facts.st_ino == kept.inode.load(Ordering::Relaxed) {
            // SAFETY: the number means the descriptor that was kept, which no code of the child uses: calls
            // are refused, or make another machine.
            unsafe { libc::close(number) };
        }
    }
}
