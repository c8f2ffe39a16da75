// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Distinguishes objects that were made before a fork from those made after it.
//!
//! A child inherits the memory of its parent but not the threads of the library. Using or destroying an
//! inherited pool there would wait for threads that do not exist, or leave the pool in the parent's name. So
//! an object records the generation in which it was made, and in a later one it only refuses.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

static GENERATION: AtomicU32 = AtomicU32::new(0);

/// When an object was made: how many forks lie between the first process and its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation(u32);

impl Generation {
    /// Identity of this process.
    #[inline]
    pub(crate) fn now() -> Self {
        // Relaxed: the child has one thread when the number changes, and every later thread starts after
        // that.
        Self(GENERATION.load(Ordering::Relaxed))
    }

    /// True if the object came from the parent process.
    #[inline]
    pub(crate) fn is_inherited(self) -> bool {
        self != Self::now()
    }
}

/// Counts forks from now on.
pub(crate) fn watch() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(|| {
        // SAFETY: `in_child` only touches an atomic, which is allowed between fork and exec.
        let _no_memory_leaves_forks_uncounted = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}
