// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Broadcasts of a team whose PEs have mapped each other: the root writes into a ring of its own, the others
//! read there, and nobody meets.
//!
//! **Problem.** PEs that meet for each broadcast wait for the slowest one each time, which on few cores is a
//! change of threads for each PE. But only the root has to be waited for.
//!
//! **Protocol.** All PEs of a team make its broadcasts in the same order, and number them from 1; the number
//! says which entry of the root's ring is next, of any root and any length of the broadcast. The root
//! writes bytes and digest, then the number, with release; a PE that has seen the number there copies the
//! bytes, and then says in its own area that it has read so many broadcasts. A ring has quarters; before a
//! root writes in one again, it waits until all have read what it wrote there last. Few bytes lie behind
//! their number, more in a second ring. Of still more only the number is written: behind it they are at
//! their destinations, or the others read them from the source while the root waits.
//!
//! **Who does something else.** A PE that refuses a broadcast, or finds that the root makes another one,
//! writes that where it would have written as the root. A PE that waits for one which has passed the
//! broadcast without being its root, or waits in it for another root, finds that out; so does a root of more
//! than a ring holds, which waits until all have passed. Since the number alone says where entries lie, all
//! go on with the next one.
//!
//! **Where.** Rings lie in the library areas of PEs, at the place of the team in the list of teams; where
//! that is not the same on all PEs, or too far behind, or a PE is not mapped, PEs meet instead. They find
//! that out together, in the team's first broadcast, and clear the words that a former team has left there
//! before.

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

/// What has lines of its own: number and digest, and few bytes behind them.
const LINE: usize = 128;
const HEAD: usize = 16;
/// Most bytes behind a number.
const FEW: usize = LINE - HEAD;
/// Most bytes that go through a ring.
const MOST: usize = 4096;
/// Entries of the ring of numbers, and of that for more than few bytes.
const ENTRIES: [usize; 2] = [64, 8];
const QUARTERS: usize = 4;
/// In which broadcast the PE waits for a root, in the line in which it says what it has read.
const WAITS: usize = 8;
/// Where the first ring begins, behind that line, and where the second one.
const FIRST: usize = LINE;
const SECOND: usize = FIRST + ENTRIES[0] * LINE;
const AREA: usize = SECOND + ENTRIES[1] * MOST;

/// The rings of a team, as a PE knows them.
#[derive(Debug)]
pub(crate) struct Ring {
    /// Where those of all PEs are mapped here.
    starts: Vec<u64>,
    /// How many broadcasts there were.
    calls: u64,
    /// The last one that this PE wrote in each quarter.
    written: [[u64; QUARTERS]; 2],
}

/// The place of a broadcast in a ring.
fn place(ring: usize, call: u64) -> usize {
    usize::try_from((call - 1) % ENTRIES[ring] as u64).unwrap_or(0)
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
        let numbers = (FIRST..SECOND).step_by(LINE);
        numbers.chain([0, WAITS]).for_each(|at| self.word(own, at).store(0, Ordering::Relaxed));
    }

    /// Where number and bytes of a broadcast lie.
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
        // Also one that has failed is over.
        self.word(own, 0).store(self.calls, Ordering::Release);
        if cast.root != own || cast.bytes <= MOST || done.is_err() {
            return done;
        }
        self.await_read(call.world, call.circle, self.calls)?;
        // Also where the others do not read from the source it is worth the time to find this out.
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
            // A root that waits for this PE finds it there.
            self.await_room(call.world, call.circle, 0)?;
            self.publish(call.circle.place(), call.digest);
            return Err(error);
        }
        if bytes <= MOST {
            let (_, body) = Self::places(self.calls, bytes);
            let body = Gva(self.starts[root] + body as u64).as_ptr();
            // SAFETY: the root wrote so many bytes there, and does not before this PE says that it has read
            // them; the caller vouches for the destination.
            unsafe { engine::copy(body, dest, bytes) };
        } else if bytes >= PULLED_FROM {
            // SAFETY: passed on to the caller.
            unsafe { call.pull(root, dest, source, bytes) }?;
        }
        Ok(())
    }

    /// Says that this PE refuses the next broadcast, by a digest that no broadcast has.
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

    /// Writes the number of this broadcast, behind its digest.
    fn publish(&self, own: usize, digest: u64) {
        let (head, _) = Self::places(self.calls, 0);
        self.word(own, head + 8).store(digest, Ordering::Relaxed);
        // Who sees the number sees the digest and the bytes.
        self.word(own, head).store(self.calls, Ordering::Release);
    }

    /// Waits for the root of this broadcast, and gives its digest.
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

    /// Waits until all have read what this PE has written last in the quarter of a ring where this broadcast
    /// lies, when that was in an earlier turn.
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
        assert!(AREA as u64 * 6 <= FIGURES_OFFSET, "figures and the bell are behind them");
    }
}
