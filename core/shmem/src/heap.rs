// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heap: allocation, agreement, statistics and growth.
//!
//! * `fit`: the allocator: best fit over free parts; pure.
//! * `call`: encoding of a call on the heap, and comparison between PEs; pure.
//! * `calls`: the calls themselves.
//! * `figures`: statistics of use, for other PEs to read.
//! * `growth`: growth when the heap is too short.

mod call;
#[expect(unsafe_code, reason = "contents of blocks are cleared and moved")]
mod calls;
#[expect(unsafe_code, reason = "words in the library areas of PEs")]
mod figures;
mod fit;
mod growth;

use call::{CALL_BYTES, Call};
pub(crate) use figures::heap_metrics;
pub(crate) use fit::Fit;
pub use fit::Usage;

/// The heap of a world; equal on all PEs.
#[derive(Debug)]
pub(crate) struct Heap {
    fit: Fit,
    /// Digest of all calls that have changed it, in order.
    history: u64,
    /// Buffer for the calls of all PEs.
    calls: Vec<u8>,
    /// True if freed blocks are filled.
    is_poisoned: bool,
    /// True if it has failed to grow, and never grows again.
    is_fixed: bool,
}

impl Heap {
    /// Creates a heap, equal on all `n_pes` PEs.
    pub(crate) fn new(fit: Fit, n_pes: u32, is_poisoned: bool) -> Self {
        let calls = vec![0; CALL_BYTES * n_pes as usize];
        Self { fit, history: 0, calls, is_poisoned, is_fixed: false }
    }

    /// Returns the bytes in use.
    pub(crate) fn taken_bytes(&self) -> u64 {
        self.fit.taken_bytes()
    }

    /// Records a call that all PEs have agreed on.
    fn note(&mut self, call: &Call) {
        self.history = call.digest();
    }
}
