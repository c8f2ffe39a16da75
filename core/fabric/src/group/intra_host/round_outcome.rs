// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Outcome of a round in which a member objects: one consensus for all, passed or failed
//! ([`mf_base::sync::consensus_word`]).

use std::sync::atomic::Ordering;

use mf_base::sync::consensus_word::RoundOutcome;

use super::super::arrival_word::{self, Seen, Tag};
use super::super::failure::{Cause, Failure};
use super::{Goal, IntraHost, MemberSlot};

/// Texts of a failure for a member that its links reported as lost.
pub(super) const DIED: &str = "its process has ended";
pub(super) const LEFT: &str = "it has left the group";

impl IntraHost {
    /// Returns true if this member has seen all arrivals that end the round.
    pub(super) fn is_complete(&self, tag: Tag, round: u32) -> bool {
        match self.goal {
            Goal::Arrivals => self.seats.iter().all(|seat| seat.has_arrived(tag, round)),
            Goal::Gate => self.leader().is_released(round),
        }
    }

    #[inline(always)]
    pub(super) fn is_at_rest(&self) -> bool {
        self.table().verdict.is_at_rest(self.leader().generation, self.fences)
    }

    /// Returns the ruling on the round; `None` if no member objects.
    pub(super) fn outcome(&self, tag: Tag, round: u32) -> Option<RoundOutcome> {
        let complete = || self.is_complete(tag, round);
        self.table().verdict.outcome(self.leader().generation, round, self.fences, complete)
    }

    /// Applies the ruling to a round that this member has seen end, if a member objects.
    #[cold]
    pub(super) fn apply(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        match self.outcome(tag, round) {
            None | Some(RoundOutcome::Passed) => Ok(()),
            Some(ruling) => Err(self.failed(ruling, tag, round)),
        }
    }

    /// Fails the round for all, unless it has passed meanwhile.
    pub(super) fn object(
        &self,
        cause: Cause,
        member: usize,
        tag: Tag,
        round: u32,
        detail: &str,
    ) -> Result<(), Failure> {
        self.settle(Failure::new(cause, member, detail), tag, round, || self.is_complete(tag, round))
    }

    /// Fails a round that cannot pass for any member.
    pub(super) fn force(
        &self,
        cause: Cause,
        member: usize,
        tag: Tag,
        round: u32,
        detail: &str,
    ) -> Result<(), Failure> {
        self.settle(Failure::new(cause, member, detail), tag, round, || false)
    }

    fn settle(
        &self,
        failure: Failure,
        tag: Tag,
        round: u32,
        complete: impl FnMut() -> bool,
    ) -> Result<(), Failure> {
        let packed = failure.cause.pack(failure.member);
        match self.table().verdict.object(self.leader().generation, round, packed, self.fences, complete) {
            RoundOutcome::Passed => Ok(()),
            RoundOutcome::Failed { cause } if cause == packed => {
                self.table().notify_sleepers();
                Err(failure)
            }
            // Another member's cause came first: then that is the cause for all.
            ruling => Err(self.failed(ruling, tag, round)),
        }
    }

    /// Returns the failure of another member's ruling.
    pub(super) fn failed(&self, ruling: RoundOutcome, tag: Tag, round: u32) -> Failure {
        self.table().notify_sleepers();
        let RoundOutcome::Failed { cause } = ruling else {
            return Failure::new(Cause::Lost, self.leader().member, LEFT);
        };
        let (cause, member) = Cause::unpack(cause);
        let detail = match cause {
            Cause::Timeout if tag != Tag::None => self.describe_missing(tag, round),
            _ => "reported by another member".to_owned(),
        };
        Failure::new(cause, member, detail)
    }

    /// Checks that a leader that waits for other hosts may go on. Fails if its own members have ruled
    /// otherwise.
    pub(in crate::group) fn check(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        self.apply(tag, round)?;
        match self.seats.iter().find(|seat| seat.is_lost()) {
            Some(seat) => Err(Failure::new(Cause::Lost, seat.member, DIED)),
            None => Ok(()),
        }
    }

    /// Notifies the members of this host that the group has failed elsewhere.
    pub(in crate::group) fn fail(&self, failure: &Failure) {
        let round = self.round.load(Ordering::Relaxed);
        let leader = self.leader();
        let table = self.table();
        let packed = failure.cause.pack(failure.member);
        // A round that has passed stays passed; then they learn of it in the next one.
        let complete = || leader.is_released(round);
        if table.verdict.object(leader.generation, round, packed, self.fences, complete)
            == RoundOutcome::Passed
        {
            let next = round.wrapping_add(1);
            let _ = table.verdict.object(leader.generation, next, packed, self.fences, || false);
        }
        table.notify_sleepers();
    }

    /// Fails if the member is in another call, or is in another group by now.
    pub(super) fn check_word(&self, seat: &MemberSlot, tag: Tag, round: u32) -> Result<(), Failure> {
        let now = seat.side(round).arrival();
        match arrival_word::seen(now, seat.word(tag, round)) {
            Seen::There | Seen::NotYet => Ok(()),
            Seen::Gone => self.force(Cause::Lost, seat.member, tag, round, LEFT),
            Seen::Otherwise(what) => {
                let detail = format!("it is in {what}, in round {round}");
                self.force(Cause::Mismatch, seat.member, tag, round, &detail)
            }
        }
    }

    #[inline]
    pub(super) fn check_length(&self, seat: &MemberSlot, round: u32, own: usize) -> Result<(), Failure> {
        let theirs = seat.side(round).length();
        if theirs == own as u64 { Ok(()) } else { self.refuse_length(seat, round, theirs, own) }
    }

    #[cold]
    fn refuse_length(&self, seat: &MemberSlot, round: u32, theirs: u64, own: usize) -> Result<(), Failure> {
        let detail = format!("it gives {theirs} bytes, this member {own}");
        self.force(Cause::Mismatch, seat.member, Tag::Allgather, round, &detail)
    }

    #[cold]
    pub(super) fn fail_for_lost(&self, round: u32) -> Result<(), Failure> {
        match self.seats.iter().find(|seat| seat.is_lost()) {
            Some(seat) => self.force(Cause::Lost, seat.member, Tag::None, round, DIED),
            None => Ok(()),
        }
    }
}
