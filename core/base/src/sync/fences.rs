// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fences between processes that cost nothing on the side that runs often.
//!
//! One thread stores a word and then loads another, a second thread does the reverse; at least one must see
//! the other's store. Where all processes have registered with the kernel, the side that runs seldom puts a
//! barrier on every running thread of all of them (`membarrier`), and the other side needs none. Else both
//! take a full fence.

#[cfg(loom)]
use loom::sync::atomic::{Ordering, fence};
#[cfg(not(loom))]
use std::sync::atomic::{Ordering, compiler_fence, fence};

/// Fences of two sides; all participants use the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fences {
    asymmetric: bool,
}

impl Fences {
    /// Both sides take a full fence; always right.
    pub const FULL: Self = Self { asymmetric: false };

    /// The seldom side fences for all. Every process that takes part must have [`register`]ed.
    pub const ASYMMETRIC: Self = Self { asymmetric: true };

    /// The side that runs often.
    #[inline(always)]
    pub fn light(self) {
        #[cfg(not(loom))]
        if self.asymmetric {
            // Pairs with the membarrier in `heavy`.
            return compiler_fence(Ordering::SeqCst);
        }
        // Pairs with the fence in `heavy`.
        fence(Ordering::SeqCst);
    }

    /// Fence of the rare side. Returns false when the kernel refused: then the other side may have missed the
    /// stores before it.
    #[must_use]
    pub fn heavy(self) -> bool {
        fence(Ordering::SeqCst);
        #[cfg(not(loom))]
        if self.asymmetric {
            return rustix::thread::membarrier(rustix::thread::MembarrierCommand::GlobalExpedited).is_ok();
        }
        true
    }
}

/// Registers this process for [`Fences::ASYMMETRIC`]; false when the kernel does not offer it. May be
/// repeated.
#[cfg(not(loom))]
pub fn register() -> bool {
    use rustix::thread::{MembarrierCommand, membarrier};
    // Miri's kernel has no such call; it ends the program instead of returning an error.
    !cfg!(miri)
        && membarrier(MembarrierCommand::RegisterGlobalExpedited).is_ok()
        && membarrier(MembarrierCommand::GlobalExpedited).is_ok()
}
