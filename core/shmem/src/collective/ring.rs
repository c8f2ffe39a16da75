// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Broadcasts of a team whose PEs have mapped each other: the root writes into its own ring, the others read
//! there, without a meeting.
//!
//! **Problem.** PEs that meet for each broadcast wait for the slowest one each time, which on few cores means
//! a context switch for each PE. But only the root has to be waited for.
//!
//! **Protocol.** All PEs of a team make its broadcasts in the same order, and number them from 1; the number
//! determines the next entry of the root's ring, for any root and any length. The root writes bytes and
//! digest, then the number, with release; a PE that has seen the number there copies the bytes, and then
//! publishes in its own area the number of broadcasts that it has read. A ring has quarters; before a root
//! writes in one again, it waits until all have read its last entry there. Small data is stored next to its
//! number, larger data in a second ring. For still larger data only the number is written: after it the data
//! is at the destinations, or the others read it from the source while the root waits.
//!
//! **Mismatched calls.** A PE that refuses a broadcast, or finds that the root makes another one, writes that
//! into the entry that it would have used as the root. A PE that waits for a root which has passed the
//! broadcast without being its root, or waits in it for another root, detects that; so does a root with more
//! data than a ring holds, which waits until all have passed. Since the number alone determines the entries,
//! all continue with the next one.
//!
//! **Location.** Rings are in the library areas of PEs, at the index of the team in the list of teams; if
//! that differs between PEs, or is too large, or a PE is not mapped, PEs meet instead. They agree on it in
//! the team's first broadcast, and clear the words that a former team has left there before.

use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::{Gva, Result};
use mf_device::engine;

use super::broadcast::PULLED_FROM;
use super::meeting::InTeam;
use super::{Call, Cast, Circle};
use crate::World;
use crate::place::Place;
use crate::segment::FIGURES_OFFSET;
use crate::word::Limit;

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

/// State of a team's rings.
#[derive(Debug, Default)]
pub(crate) enum Rings {
    /// The PEs have not agreed yet.
    #[default]
    Unknown,
    /// The team has no rings.
    None,
    /// The team has rings.
    Some(Ring),
}

impl Rings {
    /// Returns the rings; the first call agrees on them with the other PEs.
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
        let has_room = offset.saturating_add(AREA as u64) <= FIGURES_OFFSET;
        let start = |place: usize| match world.library(circle.pe(place).cast_unsigned()) {
            Ok(Place::Mapped(start)) if has_room => Some(start.addr() as u64 + offset),
            _ => None,
        };
        let starts: Option<Vec<u64>> = (0..circle.count()).map(start).collect();
        let ring = starts.map(|starts| Self { starts, calls: 0, written: Default::default() });
        if let Some(ring) = &ring {
            ring.clear(circle.place());
        }
        // No PE writes before all have cleared their rings.
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

    /// # Safety
    /// As [`World::broadcast`].
    pub(super) unsafe fn broadcast(&mut self, call: &Call<'_, InTeam<'_>>, cast: &Cast) -> Result<()> {
        self.calls += 1;
        let own = call.circle.place();
        let done = if cast.root == own {
            // SAFETY: passed on to the caller.
            unsafe { self.give(call, cast) }
        } else {
            // SAFETY: as above.
            unsafe { self.take(call, cast) }
        };
        // A failed broadcast is over as well.
        self.word(own, 0).store(self.calls, Ordering::Release);
        if cast.root != own || cast.bytes <= MOST || done.is_err() {
            return done;
        }
        self.await_read(call.world, call.circle, self.calls)?;
        // Checked also if the others do not read from the source: it costs little.
        let (head, _) = Self::places(self.calls, 0);
        let is_other =
            |place: &usize| *place != own && self.word(*place, head).load(Ordering::Acquire) == self.calls;
        match (0..call.circle.count()).find(is_other) {
            Some(place) => {
                Err(call.circle.other_cast(place, self.word(place, head + 8).load(Ordering::Relaxed)))
            }
            None => Ok(()),
        }
    }

    /// # Safety
    /// As [`World::broadcast`].
    unsafe fn give(&mut self, call: &Call<'_, InTeam<'_>>, cast: &Cast) -> Result<()> {
        let Cast { root: own, dest, source, bytes } = *cast;
        self.await_room(call.world, call.circle, 0)?;
        if bytes <= MOST {
            if bytes > FEW {
                self.await_room(call.world, call.circle, 1)?;
            }
            let (_, body) = Self::places(self.calls, bytes);
            let body = Gva(self.starts[own] + body as u64).as_ptr();
            // SAFETY: the entry has room, and nobody reads it now; the caller vouches for the source.
            unsafe { engine::copy(source, body, bytes) };
        } else if bytes < PULLED_FROM {
            // SAFETY: passed on to the caller.
            unsafe { call.push_from(own, dest, source, bytes) }?;
        }
        self.publish(own, call.digest);
        // SAFETY: passed on to the caller.
        unsafe { call.copy_own(dest, source, bytes) };
        Ok(())
    }

    /// # Safety
    /// As [`World::broadcast`].
    unsafe fn take(&mut self, call: &Call<'_, InTeam<'_>>, cast: &Cast) -> Result<()> {
        let Cast { root, dest, source, bytes } = *cast;
        let followed = self.follow(call.world, call.circle, root);
        let followed = followed.and_then(|digest| match digest == call.digest {
            true => Ok(()),
            false => Err(call.circle.other_cast(root, digest)),
        });
        if let Err(error) = followed {
            // A root that waits for this PE detects it there.
            self.await_room(call.world, call.circle, 0)?;
            self.publish(call.circle.place(), call.digest);
            return Err(error);
        }
        if bytes <= MOST {
            let (_, body) = Self::places(self.calls, bytes);
            let body = Gva(self.starts[root] + body as u64).as_ptr();
            // SAFETY: the root wrote `bytes` there, and does not write again before this PE has published
            // that it has read them; the caller vouches for the destination.
            unsafe { engine::copy(body, dest, bytes) };
        } else if bytes >= PULLED_FROM {
            // SAFETY: passed on to the caller.
            unsafe { call.pull(root, dest, source, bytes) }?;
        }
        Ok(())
    }

    /// Announces that this PE refuses the next broadcast, by a digest that no broadcast has.
    pub(super) fn refuse(&mut self, world: &World, circle: &InTeam<'_>, digest: u64) -> Result<()> {
        self.calls += 1;
        let own = circle.place();
        let has_room = self.await_room(world, circle, 0);
        if has_room.is_ok() {
            self.publish(own, digest);
        }
        self.word(own, 0).store(self.calls, Ordering::Release);
        has_room
    }

    /// Writes the number of this broadcast, after its digest.
    fn publish(&self, own: usize, digest: u64) {
        let (head, _) = Self::places(self.calls, 0);
        self.word(own, head + 8).store(digest, Ordering::Relaxed);
        // Release: a PE that sees the number sees the digest and the bytes.
        self.word(own, head).store(self.calls, Ordering::Release);
    }

    /// Waits for the root of this broadcast. Returns its digest.
    fn follow(&self, world: &World, circle: &InTeam<'_>, root: usize) -> Result<u64> {
        let (own, call) = (circle.place(), self.calls);
        let (head, _) = Self::places(call, 0);
        let number = self.word(root, head);
        let poll = || (number.load(Ordering::Acquire) == call).then_some(());
        let others = || vec![circle.pe(root).cast_unsigned()];
        let check = || {
            self.word(own, WAITS).store(call, Ordering::Release);
            // A root writes the number before it has passed the broadcast, and does not wait in it.
            let has_passed = self.word(root, 0).load(Ordering::Acquire) >= call;
            let waits = self.word(root, WAITS).load(Ordering::Acquire) == call;
            if (has_passed || waits) && poll().is_none() { Err(circle.differs(root)) } else { Ok(()) }
        };
        world.await_word(circle.operation, Limit::Control, poll, others, check)?;
        Ok(self.word(root, head + 8).load(Ordering::Relaxed))
    }

    /// Waits until all have read the last entry that this PE wrote in this broadcast's quarter of a ring, if
    /// that was in an earlier turn.
    fn await_room(&mut self, world: &World, circle: &InTeam<'_>, ring: usize) -> Result<()> {
        let call = self.calls;
        let turn = |call: u64| (call - 1) / ENTRIES[ring] as u64;
        let quarter = place(ring, call) * QUARTERS / ENTRIES[ring];
        let last = std::mem::replace(&mut self.written[ring][quarter], call);
        if last == 0 || turn(last) == turn(call) {
            return Ok(());
        }
        self.await_read(world, circle, last)
    }

    /// Waits until all have passed a broadcast.
    fn await_read(&self, world: &World, circle: &InTeam<'_>, call: u64) -> Result<()> {
        for place in (0..circle.count()).filter(|place| *place != circle.place()) {
            let read = self.word(place, 0);
            let poll = || (read.load(Ordering::Acquire) >= call).then_some(());
            let others = || vec![circle.pe(place).cast_unsigned()];
            world.await_word(circle.operation, Limit::Control, poll, others, || Ok(()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_lie_apart_and_follow_each_other() {
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
