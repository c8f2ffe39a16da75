// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rings of a team for its broadcasts: the words of each PE's ring, and the entries of this PE. The protocol
//! is in `crate::collective`.

use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::Gva;

use crate::segment::FIGURES_OFFSET;

/// Bytes of an entry, on cache lines of its own: number and digest, followed by small data.
const LINE: usize = 128;
const HEAD: usize = 16;
/// Most bytes stored next to a number.
const FEW: usize = LINE - HEAD;
/// Most bytes that go through a ring.
const MOST: usize = 4096;
/// Entries of the first ring, and of the ring for larger data.
const ENTRIES: [usize; 2] = [64, 8];
const QUARTERS: usize = 4;
/// Offset of the broadcast in which the PE waits for a root, in the line with the number of broadcasts read.
const WAITS: usize = 8;
/// Offset of the first ring, behind that line, and of the second one.
const FIRST: usize = LINE;
const SECOND: usize = FIRST + ENTRIES[0] * LINE;
const AREA: usize = SECOND + ENTRIES[1] * MOST;

/// State of a team's rings.
#[derive(Debug, Default)]
pub(crate) enum TeamRings {
    /// The PEs have not agreed yet.
    #[default]
    Unknown,
    /// The team has no rings.
    None,
    /// The team has rings.
    Some(Ring),
}

/// The rings of a team, as a PE knows them.
#[derive(Debug)]
pub(crate) struct Ring {
    /// Start of each PE's rings as mapped here.
    starts: Vec<u64>,
    /// Number of broadcasts so far.
    calls: u64,
    /// The last one that this PE wrote in each quarter.
    written: [[u64; QUARTERS]; 2],
}

/// Returns the offset of a broadcast's entry in a ring.
fn place(ring: usize, call: u64) -> usize {
    usize::try_from((call - 1) % ENTRIES[ring] as u64).unwrap_or(0)
}

impl Ring {
    /// Bytes that may lie next to a number.
    pub(crate) const FEW: usize = FEW;
    /// Bytes that may go through a ring.
    pub(crate) const MOST: usize = MOST;

    /// Creates the rings of a team with an index, and the own one, cleared; `None` if there is no room, or a
    /// PE's library area, which `library` returns, is not mapped here.
    pub(crate) fn new(
        index: usize,
        own: usize,
        libraries: impl Iterator<Item = Option<u64>>,
    ) -> Option<Self> {
        let offset = index.saturating_mul(AREA) as u64;
        let has_room = offset.saturating_add(AREA as u64) <= FIGURES_OFFSET;
        let start = |library: Option<u64>| library.filter(|_| has_room).map(|library| library + offset);
        let starts = libraries.map(start).collect::<Option<Vec<u64>>>()?;
        let ring = Self { starts, calls: 0, written: Default::default() };
        ring.clear(own);
        Some(ring)
    }

    /// Begins the next broadcast.
    pub(crate) fn start_call(&mut self) {
        self.calls += 1;
    }

    /// Returns the number of this broadcast.
    pub(crate) fn call(&self) -> u64 {
        self.calls
    }

    /// Returns a word of a PE.
    fn word(&self, place: usize, at: usize) -> &AtomicU64 {
        let start = self.starts.get(place).copied().unwrap_or(self.starts[0]);
        let word = Gva(start + at as u64).as_ptr();
        // SAFETY: inside of the library area of a PE, which is mapped until the world ends, and aligned; all
        // accesses to these words are atomic.
        unsafe { AtomicU64::from_ptr(word.cast()) }
    }

    fn clear(&self, own: usize) {
        let numbers = (FIRST..SECOND).step_by(LINE);
        numbers.chain([0, WAITS]).for_each(|at| self.word(own, at).store(0, Ordering::Relaxed));
    }

    /// Returns the offsets of a broadcast's number and data.
    fn places(call: u64, bytes: usize) -> (usize, usize) {
        let at = |ring: usize| place(ring, call);
        let head = FIRST + at(0) * LINE;
        (head, if bytes <= FEW { head + HEAD } else { SECOND + at(1) * MOST })
    }

    /// Returns the place of this broadcast's `bytes` in a PE's ring.
    pub(crate) fn body(&self, place: usize, bytes: usize) -> *mut u8 {
        let (_, body) = Self::places(self.calls, bytes);
        Gva(self.starts[place] + body as u64).as_ptr()
    }

    /// Writes the number of this broadcast, after its digest.
    pub(crate) fn publish(&self, own: usize, digest: u64) {
        let (head, _) = Self::places(self.calls, 0);
        self.word(own, head + 8).store(digest, Ordering::Relaxed);
        // Release: a PE that sees the number sees the digest and the bytes.
        self.word(own, head).store(self.calls, Ordering::Release);
    }

    /// Returns true if a PE has published this broadcast.
    #[inline]
    pub(crate) fn is_published(&self, place: usize) -> bool {
        let (head, _) = Self::places(self.calls, 0);
        self.word(place, head).load(Ordering::Acquire) == self.calls
    }

    /// Returns the digest that a PE has [published](Self::is_published).
    pub(crate) fn digest(&self, place: usize) -> u64 {
        let (head, _) = Self::places(self.calls, 0);
        self.word(place, head + 8).load(Ordering::Relaxed)
    }

    /// Announces that this PE has passed this broadcast.
    pub(crate) fn pass(&self, own: usize) {
        self.word(own, 0).store(self.calls, Ordering::Release);
    }

    /// Returns true if a PE has passed a broadcast.
    #[inline]
    pub(crate) fn has_passed(&self, place: usize, call: u64) -> bool {
        self.word(place, 0).load(Ordering::Acquire) >= call
    }

    /// Announces that this PE waits in this broadcast for its root.
    pub(crate) fn announce_wait(&self, own: usize) {
        self.word(own, WAITS).store(self.calls, Ordering::Release);
    }

    /// Returns true if a PE waits in this broadcast for a root.
    pub(crate) fn is_waiting(&self, place: usize) -> bool {
        self.word(place, WAITS).load(Ordering::Acquire) == self.calls
    }

    /// Takes this broadcast's quarter of a ring. Returns the broadcast that all must have read before, if
    /// that was in an earlier turn.
    pub(crate) fn take_quarter(&mut self, ring: usize) -> Option<u64> {
        let call = self.calls;
        let turn = |call: u64| (call - 1) / ENTRIES[ring] as u64;
        let quarter = place(ring, call) * QUARTERS / ENTRIES[ring];
        let last = std::mem::replace(&mut self.written[ring][quarter], call);
        (last != 0 && turn(last) != turn(call)).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_do_not_overlap_and_repeat() {
        let mut ranges = vec![(0, WAITS + 8)];
        for call in 1..=ENTRIES[0] as u64 {
            let (head, few) = Ring::places(call, FEW);
            assert_eq!((head + HEAD, Ring::places(call + ENTRIES[0] as u64, 0)), (few, (head, few)));
            ranges.push((head, few + FEW));
        }
        for call in 1..=ENTRIES[1] as u64 {
            let (_, body) = Ring::places(call, FEW + 1);
            assert_eq!(Ring::places(call + ENTRIES[1] as u64, MOST).1, body);
            ranges.push((body, body + MOST));
        }
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0) && ranges.last().unwrap().1 <= AREA);
        assert!(ENTRIES.iter().all(|entries| entries % QUARTERS == 0));
        assert!(AREA as u64 * 6 <= FIGURES_OFFSET, "figures and the eventcount are behind them");
    }
}
