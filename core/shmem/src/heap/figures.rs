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
use mf_fabric::pool::Pool;
use mf_fabric::transfer::Until;
use mf_job::metrics::{Sheet, table};

use super::{HeapCall, Usage};
use crate::access::Access;
use crate::context::Direction;
use crate::segment::{FIGURES_BYTES, FIGURES_OFFSET};
use crate::space::PeAddress;
use crate::wait::Limit;

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

/// Returns the use of a PE's heap after its last call on the heap.
///
/// # Errors
/// `InvalidParam` no such PE · `NotInit` · `NotConnected`, `Timeout` of the network, or a PE that has died
/// while it wrote them.
pub(crate) fn usage_of(access: Access<'_>, pe: i32) -> Result<Usage> {
    let space = access.space();
    space.pe().check(USAGE)?;
    let pe = space.pe().rank_of(USAGE, pe)?.0;
    let place = space.library(pe)?.add(FIGURES_OFFSET);
    let mut before = None;
    let poll = || match figures(access, place) {
        Ok(found) => {
            // 0: the PE has not written the first ones yet.
            let is_even = found[0] > 0 && found[0].is_multiple_of(2);
            let is_whole = before.replace(found) == Some(found) && is_even;
            is_whole.then(|| Ok(Usage::from_words(found)))
        }
        Err(error) => Some(Err(error)),
    };
    access.waits().await_word(space, USAGE, Limit::Control, poll, || vec![pe], || Ok(()))?
}

/// Reads the present words.
fn figures(access: Access<'_>, place: PeAddress) -> Result<[u64; WORDS]> {
    match place {
        PeAddress::Mapped(start) => Ok(words(start).map(|word| word.load(Ordering::Acquire))),
        PeAddress::Remote(address) => {
            let mut found = [0u64; WORDS];
            let piece = Piece {
                src: address.as_ptr(),
                dst: found.as_mut_ptr().cast(),
                bytes: size_of_val(&found) as u64,
            };
            let pool = access.space().pe().pool();
            // SAFETY: the words outlive the call, which is done when it returns.
            unsafe { access.context().remote_copy(pool, Direction::Get, &piece, Until::Done) }?;
            Ok(found)
        }
    }
}

impl HeapCall<'_> {
    /// Publishes the own figures, and shows the blocks to kernels.
    pub(super) fn show_usage(&self) {
        let (space, fit) = (self.space(), &self.blocks.fit);
        let Usage { used, peak, free, largest_free, quarantined, blocks } = fit.usage();
        let figures = [used, peak, free, largest_free, quarantined, blocks];
        let words = words(Gva(space.own_library().addr() as u64 + FIGURES_OFFSET).as_ptr());
        let (changes, number) = (words[0], words[0].load(Ordering::Relaxed));
        changes.store(number + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, figure) in words[1..].iter().zip(figures) {
            word.store(figure, Ordering::Relaxed);
        }
        changes.store(number + 2, Ordering::Release);
        HEAPS.lock().insert(space.pe().pool().id(), fit.usage());
        self.kernels.show_blocks(space.heap_bytes(), fit.blocks());
    }
}

/// Withdraws the figures of a pool's heap, since it ends.
pub(crate) fn hide_usage(pool: &Pool) {
    HEAPS.lock().remove(&pool.id());
}

impl Usage {
    fn from_words([_, used, peak, free, largest_free, quarantined, blocks]: [u64; WORDS]) -> Self {
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
