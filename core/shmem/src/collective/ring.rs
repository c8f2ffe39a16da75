// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Small broadcasts of a team whose PEs have mapped each other: the root writes into a ring of its own and
//! goes on, the others read there.
//!
//! **Problem.** PEs that meet for each broadcast wait for the slowest one each time, which on few cores is a
//! change of threads for each PE. But only the root has to be waited for.
//!
//! **Protocol.** All PEs of a team make its broadcasts in the same order, and number them from 1. So each
//! knows which entry of the root's ring is next. The root writes bytes and digest, then the number, with
//! release; a PE that has seen the number there copies the bytes, and then says in its own area that it has
//! read so many broadcasts. A ring has quarters; before a root writes in one again, it waits until all have
//! read what it wrote there last. Few bytes lie beside their number; for more there is a second ring, whose
//! numbers are apart, since what a program gives may look like any number.
//!
//! **Where.** Rings lie in the library areas of PEs, at the place of the team in the list of teams; where
//! that is not the same on all PEs, or too far behind, or a PE is not mapped, PEs meet instead. They find
//! that out together, in the team's first broadcast, and clear the words that a former team has left there
//! before.

use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::{Error, Gva, Result};
use mf_fabric::engine;

use super::{Circle, InTeam};
use crate::World;
use crate::place::Place;
use crate::segment::LIBRARY_BYTES;
use crate::word::Limit;

/// What has lines of its own: number and digest, and few bytes behind them.
const LINE: usize = 128;
const HEAD: usize = 16;
/// Most bytes behind a number.
const FEW: usize = LINE - HEAD;
/// Most bytes that go through a ring.
pub(super) const MOST: usize = 4096;
/// Entries of the rings for few bytes and for more.
const ENTRIES: [usize; 2] = [64, 8];
const QUARTERS: usize = 4;
/// Where the first ring begins, behind the line in which the PE says what it has read; where the second one;
/// and where its bytes.
const FIRST: usize = LINE;
const SECOND: usize = FIRST + ENTRIES[0] * LINE;
const BYTES: usize = SECOND + ENTRIES[1] * LINE;
const AREA: usize = BYTES + ENTRIES[1] * MOST;

/// The rings of a team, as a PE knows them.
#[derive(Debug)]
pub(crate) struct Ring {
    /// Where those of all PEs are mapped here.
    starts: Vec<u64>,
    /// The next entry of each root, in both rings.
    next: Vec<[usize; 2]>,
    /// How many broadcasts there were.
    calls: u64,
    /// The last one that this PE wrote in each quarter.
    written: [[u64; QUARTERS]; 2],
}

/// What a team knows of its rings.
#[derive(Debug, Default)]
pub(crate) enum Rings {
    /// Its PEs have not found out yet.
    #[default]
    Unknown,
    /// It has none.
    None,
    /// It has.
    Some(Ring),
}

impl Rings {
    /// The rings, which the PEs look for together the first time.
    pub(super) fn find(&mut self, world: &World, circle: &InTeam<'_>) -> Result<Option<&mut Ring>> {
        if matches!(self, Self::Unknown) {
            *self = Ring::make(world, circle)?.map_or(Self::None, Self::Some);
        }
        match self {
            Self::Some(ring) => Ok(Some(ring)),
            _ => Ok(None),
        }
    }
}

impl Ring {
    fn make(world: &World, circle: &InTeam<'_>) -> Result<Option<Self>> {
        let index = circle.index();
        let offset = index.saturating_mul(AREA) as u64;
        let has_room = offset.saturating_add(AREA as u64) <= LIBRARY_BYTES;
        let start = |place: usize| match world.library(circle.pe(place).cast_unsigned()) {
            Ok(Place::Mapped(start)) if has_room => Some(start.addr() as u64 + offset),
            _ => None,
        };
        let starts: Option<Vec<u64>> = (0..circle.count()).map(start).collect();
        let ring = starts.map(|starts| Self {
            next: vec![[0; 2]; starts.len()],
            starts,
            calls: 0,
            written: [[0; QUARTERS]; 2],
        });
        if let Some(ring) = &ring {
            ring.clear(circle.place());
        }
        // Nobody writes before all have cleared theirs.
        let own = ring.as_ref().map_or(u64::MAX, |_| index as u64).to_ne_bytes();
        let mut is_same = ring.is_some();
        let take = |_, found: *const u8| {
            // SAFETY: as many bytes as the own ones.
            is_same &= unsafe { found.cast::<[u8; 8]>().read_unaligned() } == own;
        };
        // SAFETY: so many bytes.
        unsafe { circle.gather(u64::MAX, own.as_ptr(), own.len(), take) }?;
        Ok(ring.filter(|_| is_same))
    }

    /// A word of a PE.
    fn word(&self, place: usize, at: usize) -> &AtomicU64 {
        let start = self.starts.get(place).copied().unwrap_or(self.starts[0]);
        let word = Gva(start + at as u64).as_ptr();
        // SAFETY: inside of the library area of a PE, which is mapped until the world ends, and aligned; all
        // accesses to these words are atomic.
        unsafe { AtomicU64::from_ptr(word.cast()) }
    }

    fn clear(&self, own: usize) {
        self.word(own, 0).store(0, Ordering::Relaxed);
        for line in 0..ENTRIES[0] + ENTRIES[1] {
            self.word(own, FIRST + line * LINE).store(0, Ordering::Relaxed);
        }
    }

    /// The next entry of a root: which ring, and its place there.
    fn take(&mut self, root: usize, bytes: usize) -> (usize, usize) {
        let ring = usize::from(bytes > FEW);
        let next = &mut self.next[root][ring];
        let index = *next;
        *next = (index + 1) % ENTRIES[ring];
        self.calls += 1;
        (ring, index)
    }

    /// Where number and bytes of an entry lie.
    fn places(ring: usize, index: usize) -> (usize, usize) {
        match ring {
            0 => (FIRST + index * LINE, FIRST + index * LINE + HEAD),
            _ => (SECOND + index * LINE, BYTES + index * MOST),
        }
    }

    /// # Safety
    /// As [`World::broadcast`], of at most [`MOST`] bytes.
    pub(super) unsafe fn broadcast(
        &mut self,
        world: &World,
        circle: &InTeam<'_>,
        digest: u64,
        root: usize,
        (dest, source, bytes): (*mut u8, *const u8, usize),
    ) -> Result<()> {
        let own = circle.place();
        let (ring, index) = self.take(root, bytes);
        let ((entry, body), call) = (Self::places(ring, index), self.calls);
        let body = Gva(self.starts[root] + body as u64).as_ptr();
        if root != own {
            let number = self.word(root, entry);
            let poll = || (number.load(Ordering::Acquire) == call).then_some(());
            let others = || vec![circle.pe(root).cast_unsigned()];
            world.await_word(circle.operation, Limit::Control, poll, others, || Ok(()))?;
            if self.word(root, entry + 8).load(Ordering::Relaxed) != digest {
                self.word(own, 0).store(call, Ordering::Release);
                return Err(circle.differs(root));
            }
            // SAFETY: the root wrote so many bytes there, and does not before this PE says that it has read
            // them; the caller vouches for the destination.
            unsafe { engine::copy(body, dest, bytes) };
            self.word(own, 0).store(call, Ordering::Release);
            return Ok(());
        }
        self.await_room(world, circle, ring, index)?;
        self.word(own, entry + 8).store(digest, Ordering::Relaxed);
        // SAFETY: the entry has room, and nobody reads it now; the caller vouches for the source.
        unsafe { engine::copy(source, body, bytes) };
        self.word(own, entry).store(call, Ordering::Release);
        self.word(own, 0).store(call, Ordering::Release);
        self.written[ring][index * QUARTERS / ENTRIES[ring]] = call;
        if !std::ptr::eq(dest, source) {
            // SAFETY: passed on to the caller.
            unsafe { engine::copy(source, dest, bytes) };
        }
        Ok(())
    }

    /// Waits until all have read what this PE has written in the quarter of an entry, when it begins there
    /// again.
    fn await_room(&mut self, world: &World, circle: &InTeam<'_>, ring: usize, index: usize) -> Result<()> {
        let each = ENTRIES[ring] / QUARTERS;
        if !index.is_multiple_of(each) {
            return Ok(());
        }
        let last = self.written[ring][index / each];
        for place in (0..circle.count()).filter(|place| *place != circle.place()) {
            let read = self.word(place, 0);
            let poll = || (read.load(Ordering::Acquire) >= last).then_some(());
            let others = || vec![circle.pe(place).cast_unsigned()];
            world.await_word(circle.operation, Limit::Control, poll, others, || Ok(()))?;
        }
        Ok(())
    }
}

impl InTeam<'_> {
    /// Why this call is not that of a PE.
    pub(super) fn differs(&self, place: usize) -> Error {
        Error::invalid(self.operation, "PEs of the team made different calls")
            .with("pe", place)
            .with("rank", self.pe(place))
            .hint("all PEs of a team make the same call with the same arguments, in the same order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_lie_apart_and_follow_each_other() {
        let mut ring = Ring { starts: vec![0], next: vec![[0; 2]], calls: 0, written: [[0; QUARTERS]; 2] };
        for (bytes, expected) in [(8, (0, 0)), (FEW, (0, 1)), (FEW + 1, (1, 0)), (0, (0, 2)), (MOST, (1, 1))]
        {
            assert_eq!(ring.take(0, bytes), expected);
        }
        assert_eq!(ring.calls, 5);
        let mut ranges = vec![(0, 8)];
        for (which, entries) in ENTRIES.into_iter().enumerate() {
            assert!(entries.is_multiple_of(QUARTERS));
            for index in 0..entries {
                let (head, body) = Ring::places(which, index);
                ranges.push((head, head + HEAD));
                ranges.push((body, body + if which == 0 { FEW } else { MOST }));
            }
        }
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0) && ranges.last().unwrap().1 <= AREA);
        assert!(AREA as u64 * 4 <= LIBRARY_BYTES);
    }
}
