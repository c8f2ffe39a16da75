// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who has which part of the heap.
//!
//! * `fit`: the parts, and which one is taken next; pure.
//! * `call`: what PEs say of a call, and which differ; pure.
//! * `calls`: the calls themselves.
//! * `figures`: how much is in use, for other PEs to read.
//! * `growth`: what happens when the heap is too short.

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

/// The heap of a world, as this PE knows it; the same on all PEs.
#[derive(Debug)]
pub(crate) struct Heap {
    fit: Fit,
    /// Stands for all calls that have changed it, in their order.
    history: u64,
    /// Room for the calls of all PEs.
    calls: Vec<u8>,
    /// Whether blocks that are given back are filled.
    is_poisoned: bool,
    /// Whether it has failed to grow, and does not any more.
    is_fixed: bool,
}

impl Heap {
    /// A heap of these parts, the same on all of so many PEs.
    pub(crate) fn new(fit: Fit, n_pes: u32, is_poisoned: bool) -> Self {
        let calls = vec![0; CALL_BYTES * n_pes as usize];
        Self { fit, history: 0, calls, is_poisoned, is_fixed: false }
    }

    /// Bytes that are taken.
    pub(crate) fn taken_bytes(&self) -> u64 {
        self.fit.taken_bytes()
    }

    /// Notes a call that all PEs have agreed on.
    fn note(&mut self, call: &Call) {
        self.history = call.digest();
    }
}
