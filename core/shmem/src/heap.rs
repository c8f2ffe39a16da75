// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heap: allocation, agreement, statistics and growth.
//!
//! * `fit`: the allocator: best fit over free parts; pure.
//! * `call`: encoding of a call on the heap, and comparison between PEs; pure.
//! * `calls`: the calls themselves, `blocks`: their effects on blocks.
//! * `figures`: statistics of use, for other PEs to read.
//! * `growth`: growth when the heap is too short.

#[expect(unsafe_code, reason = "contents of blocks are cleared and moved")]
mod blocks;
mod call;
#[expect(unsafe_code, reason = "contents of blocks are cleared and moved")]
mod calls;
#[expect(unsafe_code, reason = "words in the library areas of PEs")]
mod figures;
mod fit;
mod growth;

use std::sync::{Mutex, MutexGuard};

use mf_base::Result;
use mf_base::sync::lock;

use crate::access::Access;
use crate::kernels::Kernels;
use crate::space::Space;
use call::{CALL_BYTES, Call};
pub(crate) use calls::Request;
pub(crate) use figures::{heap_metrics, hide_usage, usage_of};
pub(crate) use fit::Fit;
pub use fit::Usage;

/// State of a heap; equal on all PEs.
#[derive(Debug)]
struct Blocks {
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

impl Blocks {
    fn new(fit: Fit, n_pes: u32, is_poisoned: bool) -> Self {
        let calls = vec![0; CALL_BYTES * n_pes as usize];
        Self { fit, history: 0, calls, is_poisoned, is_fixed: false }
    }

    /// Records a call that all PEs have agreed on.
    fn note(&mut self, call: &Call) {
        self.history = call.digest();
    }
}

/// The symmetric heap of a world.
pub(crate) struct Heap {
    blocks: Mutex<Blocks>,
    /// The largest alignment that blocks can have on all PEs.
    most_alignment: u64,
}

impl Heap {
    /// Creates a heap, equal on all `n_pes` PEs.
    pub(crate) fn new(fit: Fit, n_pes: u32, is_poisoned: bool, most_alignment: u64) -> Self {
        Self { blocks: Mutex::new(Blocks::new(fit, n_pes, is_poisoned)), most_alignment }
    }

    /// Returns the bytes in use; the same on all PEs between calls on it.
    pub(crate) fn taken_bytes(&self) -> u64 {
        lock(&self.blocks).fit.used_bytes()
    }

    /// Returns the use of each PE's heap, as this PE knows it.
    pub(crate) fn usage(&self) -> Usage {
        lock(&self.blocks).fit.usage()
    }

    /// Begins a call: excludes other threads of this PE until it is dropped.
    ///
    /// # Errors
    /// `NotInit` after the end, or in a forked child.
    pub(crate) fn call<'w>(
        &'w self,
        name: &'static str,
        access: Access<'w>,
        kernels: &'w Kernels,
    ) -> Result<HeapCall<'w>> {
        access.space().pe().check(name)?;
        Ok(self.session(name, access, kernels))
    }

    /// Publishes the statistics of the heap when a world begins.
    pub(crate) fn show_usage<'w>(&'w self, name: &'static str, access: Access<'w>, kernels: &'w Kernels) {
        self.session(name, access, kernels).show_usage();
    }

    fn session<'w>(&'w self, name: &'static str, access: Access<'w>, kernels: &'w Kernels) -> HeapCall<'w> {
        HeapCall { name, access, kernels, blocks: lock(&self.blocks), most_alignment: self.most_alignment }
    }
}

/// A collective call on the heap.
pub(crate) struct HeapCall<'w> {
    name: &'static str,
    access: Access<'w>,
    kernels: &'w Kernels,
    blocks: MutexGuard<'w, Blocks>,
    most_alignment: u64,
}

impl<'w> HeapCall<'w> {
    fn space(&self) -> &'w Space {
        self.access.space()
    }
}
