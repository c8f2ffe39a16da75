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

use mf_base::Result;
use mf_device::engine;

use super::broadcast::PULLED_FROM;
use super::meeting::InTeam;
use super::{Call, Cast, Circle};
use crate::space::PeAddress;
use crate::team::{Ring, TeamRings};
use crate::wait::Limit;

/// Returns the rings of a team; the first call agrees on them with the other PEs.
pub(super) fn find_ring<'r>(rings: &'r mut TeamRings, circle: &InTeam<'_>) -> Result<Option<&'r mut Ring>> {
    if matches!(rings, TeamRings::Unknown) {
        *rings = agree(circle)?.map_or(TeamRings::None, TeamRings::Some);
    }
    match rings {
        TeamRings::Some(ring) => Ok(Some(ring)),
        _ => Ok(None),
    }
}

/// Creates the rings of a team; `None` if not all of its PEs can.
fn agree(circle: &InTeam<'_>) -> Result<Option<Ring>> {
    let (index, space) = (circle.index(), circle.access().space());
    let library = |place: usize| match space.library(circle.pe(place).cast_unsigned()) {
        Ok(PeAddress::Mapped(start)) => Some(start.addr() as u64),
        _ => None,
    };
    let ring = Ring::new(index, circle.place(), (0..circle.count()).map(library));
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

/// A broadcast of a team through its rings.
pub(super) struct RingCast<'r, 'a> {
    ring: &'r mut Ring,
    circle: &'r InTeam<'a>,
}

impl<'r, 'a> RingCast<'r, 'a> {
    pub(super) fn new(ring: &'r mut Ring, circle: &'r InTeam<'a>) -> Self {
        Self { ring, circle }
    }

    /// # Safety
    /// As a broadcast.
    pub(super) unsafe fn broadcast(mut self, call: &Call<'_, InTeam<'_>>, cast: &Cast) -> Result<()> {
        self.ring.start_call();
        let own = self.circle.place();
        let done = if cast.root == own {
            // SAFETY: passed on to the caller.
            unsafe { self.send_as_root(call, cast) }
        } else {
            // SAFETY: as above.
            unsafe { self.take(call, cast) }
        };
        // A failed broadcast is over as well.
        self.ring.pass(own);
        if cast.root != own || cast.bytes <= Ring::MOST || done.is_err() {
            return done;
        }
        self.await_read(self.ring.call())?;
        // Checked also if the others do not read from the source: it costs little.
        let is_other = |place: &usize| *place != own && self.ring.is_published(*place);
        match (0..self.circle.count()).find(is_other) {
            Some(place) => Err(self.circle.other_cast(place, self.ring.digest(place))),
            None => Ok(()),
        }
    }

    /// # Safety
    /// As a broadcast.
    unsafe fn send_as_root(&mut self, call: &Call<'_, InTeam<'_>>, cast: &Cast) -> Result<()> {
        let Cast { root: own, dest, source, bytes } = *cast;
        self.await_room(0)?;
        if bytes <= Ring::MOST {
            if bytes > Ring::FEW {
                self.await_room(1)?;
            }
            let body = self.ring.body(own, bytes);
            // SAFETY: the entry has room, and nobody reads it now; the caller vouches for the source.
            unsafe { engine::copy(source, body, bytes) };
        } else if bytes < PULLED_FROM {
            // SAFETY: passed on to the caller.
            unsafe { call.push_from(own, dest, source, bytes) }?;
        }
        self.ring.publish(own, call.digest);
        // SAFETY: passed on to the caller.
        unsafe { call.copy_own(dest, source, bytes) };
        Ok(())
    }

    /// # Safety
    /// As a broadcast.
    unsafe fn take(&mut self, call: &Call<'_, InTeam<'_>>, cast: &Cast) -> Result<()> {
        let Cast { root, dest, source, bytes } = *cast;
        let followed = self.wait_for_root(root).and_then(|digest| match digest == call.digest {
            true => Ok(()),
            false => Err(self.circle.other_cast(root, digest)),
        });
        if let Err(error) = followed {
            // A root that waits for this PE detects it there.
            self.await_room(0)?;
            self.ring.publish(self.circle.place(), call.digest);
            return Err(error);
        }
        if bytes <= Ring::MOST {
            // SAFETY: the root wrote `bytes` there, and does not write again before this PE has published
            // that it has read them; the caller vouches for the destination.
            unsafe { engine::copy(self.ring.body(root, bytes), dest, bytes) };
        } else if bytes >= PULLED_FROM {
            // SAFETY: passed on to the caller.
            unsafe { call.pull(root, dest, source, bytes) }?;
        }
        Ok(())
    }

    /// Announces that this PE refuses the next broadcast, by a digest that no broadcast has.
    pub(super) fn refuse(mut self, digest: u64) -> Result<()> {
        self.ring.start_call();
        let own = self.circle.place();
        let has_room = self.await_room(0);
        if has_room.is_ok() {
            self.ring.publish(own, digest);
        }
        self.ring.pass(own);
        has_room
    }

    /// Waits for the root of this broadcast. Returns its digest.
    fn wait_for_root(&self, root: usize) -> Result<u64> {
        let (ring, own) = (&*self.ring, self.circle.place());
        let poll = || ring.is_published(root).then_some(());
        let check = || {
            ring.announce_wait(own);
            // A root writes the number before it has passed the broadcast, and does not wait in it.
            let has_passed = ring.has_passed(root, ring.call());
            let waits = ring.is_waiting(root);
            if (has_passed || waits) && poll().is_none() { Err(self.circle.differs(root)) } else { Ok(()) }
        };
        self.wait(root, poll, check)?;
        Ok(ring.digest(root))
    }

    /// Waits until this PE may write its entry of this broadcast in a ring.
    fn await_room(&mut self, ring: usize) -> Result<()> {
        self.ring.take_quarter(ring).map_or(Ok(()), |call| self.await_read(call))
    }

    /// Waits until all have passed a broadcast.
    fn await_read(&self, call: u64) -> Result<()> {
        for place in (0..self.circle.count()).filter(|place| *place != self.circle.place()) {
            self.wait(place, || self.ring.has_passed(place, call).then_some(()), || Ok(()))?;
        }
        Ok(())
    }

    /// Waits for a PE until `poll` returns a value.
    fn wait(
        &self,
        place: usize,
        poll: impl FnMut() -> Option<()>,
        check: impl Fn() -> Result<()>,
    ) -> Result<()> {
        let (access, circle) = (self.circle.access(), self.circle);
        let others = || vec![circle.pe(place).cast_unsigned()];
        access.waits().await_word(access.space(), circle.operation, Limit::Control, poll, others, check)
    }
}
