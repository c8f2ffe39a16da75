// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Statistics of each PE's heap, readable by all others: words near the end of its library area, written
//! after each call on the heap. Reading them needs no step of the owner.
//!
//! The first word is a sequence count, odd during a change. Two equal readings in a row with an even count
//! are a consistent state (a seqlock).

use std::array;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use mf_base::os::per_process::PerProcess;
use mf_base::{Gva, Result};
use mf_device::engine::Piece;
use mf_fabric::transfer::Until;
use mf_job::metrics::{Sheet, table};

use super::{Heap, Usage};
use crate::World;
use crate::context::Direction;
use crate::place::Place;
use crate::segment::{FIGURES_BYTES, FIGURES_OFFSET};
use crate::word::Limit;

/// The heaps of this process, by the number of their pool, for readers other than the callers of their world.
static HEAPS: PerProcess<BTreeMap<u32, Usage>> = PerProcess::new(BTreeMap::new());

/// Adds the heaps of this process to its metrics.
pub(crate) fn heap_metrics(sheet: &mut Sheet) {
    for (pool, usage) in HEAPS.lock().iter() {
        let heap = || ("heap", pool.to_string());
        for (state, bytes) in [("used", usage.used), ("free", usage.free), ("quarantined", usage.quarantined)]
        {
            sheet.number(table::HEAP_BYTES, vec![heap(), ("state", state.to_owned())], bytes);
        }
        sheet.number(table::HEAP_PEAK_BYTES, vec![heap()], usage.peak);
        sheet.number(table::HEAP_BLOCKS, vec![heap()], usage.blocks);
    }
}

const USAGE: &str = "symmetric heap usage";

/// Sequence count, and figures.
const WORDS: usize = 7;
const _: () = assert!(WORDS as u64 * 8 <= FIGURES_BYTES);

impl World {
    /// Returns the use of a PE's heap after its last call on the heap. **One-sided.** Works for a PE that is
    /// gone, too, if its memory is mapped here.
    ///
    /// # Errors
    /// `InvalidParam` no such PE · `NotInit` · `NotConnected`, `Timeout` of the network, or a PE that has
    /// died while it wrote them.
    pub fn heap_usage_of(&self, pe: i32) -> Result<Usage> {
        self.check(USAGE)?;
        let pe = self.rank_of(USAGE, pe)?.0;
        let place = self.library(pe)?.add(FIGURES_OFFSET);
        let mut before = None;
        let poll = || match self.figures(place) {
            Ok(found) => {
                // 0: the PE has not written the first ones yet.
                let is_even = found[0] > 0 && found[0].is_multiple_of(2);
                let is_whole = before.replace(found) == Some(found) && is_even;
                is_whole.then(|| Ok(Usage::of(found)))
            }
            Err(error) => Some(Err(error)),
        };
        self.await_word(USAGE, Limit::Control, poll, || vec![pe], || Ok(()))?
    }

    /// Publishes the own figures, and shows the blocks to kernels. The lock of the heap must be held.
    pub(crate) fn show_usage(&self, heap: &Heap) {
        let Usage { used, peak, free, largest_free, quarantined, blocks } = heap.fit.usage();
        let figures = [used, peak, free, largest_free, quarantined, blocks];
        let words = words(Gva(self.own_library().addr() as u64 + FIGURES_OFFSET).as_ptr());
        let (changes, number) = (words[0], words[0].load(Ordering::Relaxed));
        changes.store(number + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, figure) in words[1..].iter().zip(figures) {
            word.store(figure, Ordering::Relaxed);
        }
        changes.store(number + 2, Ordering::Release);
        HEAPS.lock().insert(self.pool().id(), heap.fit.usage());
        self.show_blocks_to_kernels(heap.fit.blocks());
    }

    /// Withdraws them, since the heap ends.
    pub(crate) fn hide_usage(&self) {
        HEAPS.lock().remove(&self.pool().id());
    }

    /// Reads the present words.
    fn figures(&self, place: Place) -> Result<[u64; WORDS]> {
        match place {
            Place::Mapped(start) => Ok(words(start).map(|word| word.load(Ordering::Acquire))),
            Place::Distant(address) => {
                let mut found = [0u64; WORDS];
                let piece = Piece {
                    src: address.as_ptr(),
                    dst: found.as_mut_ptr().cast(),
                    bytes: size_of_val(&found) as u64,
                };
                // SAFETY: the words outlive the call, which is done when it returns.
                unsafe { self.context().copy(self.pool(), Direction::Get, &piece, Until::Done) }?;
                Ok(found)
            }
        }
    }
}

impl Usage {
    fn of([_, used, peak, free, largest_free, quarantined, blocks]: [u64; WORDS]) -> Self {
        Self { used, peak, free, largest_free, quarantined, blocks }
    }
}

/// Returns the words of a PE that is mapped here.
fn words<'a>(start: *mut u8) -> [&'a AtomicU64; WORDS] {
    array::from_fn(|index| {
        let word = Gva(start.addr() as u64 + index as u64 * 8).as_ptr();
        // SAFETY: inside of the library area of a PE, mapped until the world ends, and aligned; accesses to
        // these words are atomic, or copies of a transport, which are validated by reading again.
        unsafe { AtomicU64::from_ptr(word.cast()) }
    })
}
