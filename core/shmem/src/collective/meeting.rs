// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Meetings of a team's PEs in a call, and detection of mismatched calls.
//!
//! **Heads.** The data that a PE gives begins with a digest of its call and arguments. If all are on one
//! host, each gives data of its own length: all see in one round if digests or lengths differ, and the round
//! is over. Between hosts lengths that differ would break the group, so there all first give the same number
//! of bytes, with room for few; longer data follows when all digests were equal.
//!
//! **Refusals.** A PE that refuses its arguments gives a head with a refusal mark and the kind of its call,
//! and does not wait for the others, which may take long. They see the head in their next round. If they are
//! in a call of that kind, they fail and name the PE. If they are in another one, the PE was alone with its
//! call: they repeat the round. In either case the PE has taken part in the round, and completes it before
//! its next one ([`Team::settle`]), and so all are in step again.

use std::cell::{Cell, RefCell};
use std::sync::MutexGuard;

use mf_base::{Error, Result, interrupt};
use mf_device::engine;

use super::ring::{RingCast, find_ring};
use super::{Call, Cast, Circle, CollectiveKind};
use crate::access::Access;
use crate::gather_buffer::GatherBuffer;
use crate::team::{HEAD_BYTES, Team, TeamRings};

/// Head of a PE that refuses its arguments, with the kind of its call in the low byte; 0 if unknown.
const REFUSED: u64 = 0x7265_6675_7365_6400;
const KIND: u64 = 0xff;
/// A team in a call.
pub(crate) struct InTeam<'a> {
    access: Access<'a>,
    pub(super) operation: &'static str,
    team: &'a Team,
    rings: RefCell<MutexGuard<'a, TeamRings>>,
    /// The kind of the call, and the root of a broadcast.
    entered: Cell<Option<(CollectiveKind, u64)>>,
    /// True if this PE has announced its call to the others.
    has_met: Cell<bool>,
}

impl<'a> InTeam<'a> {
    /// Enters a call.
    ///
    /// # Errors
    /// `RepeatInvoke` another thread is in one.
    pub(crate) fn new(access: Access<'a>, operation: &'static str, team: &'a Team) -> Result<Self> {
        let rings = RefCell::new(team.enter(operation)?);
        Ok(Self { access, operation, team, rings, entered: Cell::default(), has_met: Cell::default() })
    }

    pub(super) fn access(&self) -> Access<'a> {
        self.access
    }

    /// Returns the index of the team in the list of this PE's teams.
    pub(super) fn index(&self) -> usize {
        self.team.index()
    }

    /// Notifies the others that this PE has failed the call with this error, unless they know its call
    /// already.
    #[cold]
    pub(crate) fn report_failure(&self, error: &Error) {
        let is_refusal = error.kind() == mf_base::Kind::InvalidParam;
        if !is_refusal || self.has_met.get() || self.access.space().pe().check(self.operation).is_err() {
            return;
        }
        let entered = self.entered.get();
        if let (Some((CollectiveKind::Broadcast, _)), TeamRings::Some(ring)) =
            (entered, &mut **self.rings.borrow_mut())
        {
            if let Err(error) = RingCast::new(ring, self).refuse(REFUSED) {
                tracing::debug!("a refusal did not reach the others: {error}");
            }
            return;
        }
        self.team.add_refusal(REFUSED | entered.map_or(0, |(kind, _)| kind as u64));
        // The others may never arrive.
        if let Err(error) = interrupt::unless(|| true, || self.team.settle()) {
            tracing::debug!("others learn later that this PE has refused a call: {error}");
        }
    }

    /// Evaluates the heads of all PEs. Returns true if the round must be repeated.
    fn compare_heads(&self, own: u64, are_equal: bool, all: &[u8], each: usize) -> Result<bool> {
        let mut refused = None;
        for (place, head) in all.chunks_exact(each).filter_map(<[u8]>::first_chunk).enumerate() {
            let head = u64::from_ne_bytes(*head);
            if head & !KIND == REFUSED {
                refused = Some(refused.unwrap_or((place, head & KIND)));
            } else if head != own {
                return Err(self.differs(place));
            }
        }
        let kind = self.entered.get().map_or(0, |(kind, _)| kind as u64);
        match refused {
            Some((place, refused)) if refused == kind || refused == 0 || kind == 0 => {
                Err(self.has_refused(place))
            }
            Some(_) => Ok(true),
            None if are_equal => Ok(false),
            None => Err(self.differs(0)),
        }
    }

    /// Creates the error for a call that differs from a PE's.
    #[cold]
    pub(super) fn differs(&self, place: usize) -> Error {
        Error::invalid(self.operation, "PEs of the team made different calls")
            .with("pe", place)
            .with("rank", self.pe(place))
            .hint("all PEs of a team make the same call with the same arguments, in the same order")
    }

    #[cold]
    fn has_refused(&self, place: usize) -> Error {
        Error::invalid(self.operation, "a PE of the team has refused its arguments of this call")
            .with("pe", place)
            .with("rank", self.pe(place))
            .hint("see its own message; the team is of use as before")
    }

    /// Creates the error for a broadcast digest of another PE that differs from the own one.
    #[cold]
    pub(super) fn other_cast(&self, place: usize, digest: u64) -> Error {
        if digest == REFUSED { self.has_refused(place) } else { self.differs(place) }
    }
}

impl Circle for InTeam<'_> {
    fn place(&self) -> usize {
        self.team.group().place()
    }

    fn count(&self) -> usize {
        self.team.members().len()
    }

    fn pe(&self, place: usize) -> i32 {
        self.team.members().get(place).map_or(-1, |rank| rank.0.cast_signed())
    }

    fn enter(&self, kind: CollectiveKind, arguments: [u64; 2]) {
        self.entered.set(Some((kind, arguments[1])));
    }

    fn meet(&self, stage: usize, digest: u64) -> Result<()> {
        // SAFETY: no bytes.
        unsafe { self.gather(digest ^ stage as u64, std::ptr::null(), 0, |_, _| ()) }
    }

    unsafe fn gather(
        &self,
        digest: u64,
        own: *const u8,
        bytes: usize,
        mut take: impl FnMut(usize, *const u8),
    ) -> Result<()> {
        self.has_met.set(true);
        self.team.settle()?;
        let behind = self.team.payload_bytes();
        let with_head = behind.map_or(bytes, |behind| if bytes <= behind { bytes } else { 0 });
        let (mut given, mut gathered) = (GatherBuffer::new(), GatherBuffer::new());
        let given = given.bytes(HEAD_BYTES + behind.unwrap_or(bytes));
        let (head, body) = given.split_at_mut(HEAD_BYTES);
        head.copy_from_slice(&digest.to_ne_bytes());
        if with_head > 0 {
            // SAFETY: passed on to the caller; the body has so many bytes.
            unsafe { engine::copy(own, body.as_mut_ptr(), with_head) };
        }
        let all = gathered.bytes(given.len() * self.count());
        loop {
            let are_equal = self.team.group().allgather_any_length(given, all, self.team.deadline())?;
            if !self.compare_heads(digest, are_equal, all, given.len())? {
                break;
            }
        }
        if with_head == bytes {
            let bodies = all.chunks_exact(given.len()).filter_map(|found| found.get(HEAD_BYTES..));
            bodies.enumerate().for_each(|(place, body)| take(place, body.as_ptr()));
            return Ok(());
        }
        let (mut given, mut gathered) = (GatherBuffer::new(), GatherBuffer::new());
        let given = given.bytes(bytes);
        // SAFETY: passed on to the caller.
        unsafe { engine::copy(own, given.as_mut_ptr(), bytes) };
        let all = gathered.bytes(bytes * self.count());
        // Must not be interrupted: a repeated call could not skip its first round.
        interrupt::without(|| self.team.group().allgather(given, all, self.team.deadline()))?;
        all.chunks_exact(bytes).enumerate().for_each(|(place, body)| take(place, body.as_ptr()));
        Ok(())
    }

    fn gathers(&self) -> usize {
        4096
    }

    unsafe fn cast(&self, call: &Call<'_, Self>, cast: &Cast) -> Option<Result<()>> {
        match find_ring(&mut self.rings.borrow_mut(), self) {
            Ok(None) => None,
            Ok(Some(ring)) => {
                self.has_met.set(true);
                // SAFETY: passed on to the caller.
                Some(unsafe { RingCast::new(ring, self).broadcast(call, cast) })
            }
            Err(error) => Some(Err(error)),
        }
    }

    fn sum_before(&self, digest: u64, own: u64) -> Result<u64> {
        let (place, mut sum, own) = (self.place(), 0u64, own.to_ne_bytes());
        let take = |other, found: *const u8| {
            if other < place {
                // SAFETY: as many bytes as the own ones.
                sum = sum.saturating_add(unsafe { found.cast::<u64>().read_unaligned() });
            }
        };
        // SAFETY: so many bytes.
        unsafe { self.gather(digest, own.as_ptr(), own.len(), take) }?;
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_heads_hold_every_kind() {
        for kind in [CollectiveKind::Broadcast, CollectiveKind::Alltoalls, CollectiveKind::Scan] {
            let head = REFUSED | kind as u64;
            assert!(head & !KIND == REFUSED && head & KIND == kind as u64 && head != REFUSED);
        }
        assert_eq!(REFUSED & KIND, 0);
    }
}
