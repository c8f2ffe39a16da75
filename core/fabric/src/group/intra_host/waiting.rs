// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wait of a member in a round, and the events that end it early.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::sync::consensus_word::RoundOutcome;
use mf_base::sync::wait::{Deadline, WaitFailure, sleep_until, spin_until};

use super::super::arrival_word::{self, Tag};
use super::super::failure::{Cause, Failure};
use super::super::slow_wait::SlowWait;
use super::round_outcome::{DIED, LEFT};
use super::{Goal, IntraHost, MemberSlot};

/// Time past its deadline that a member waits for its leader's, since the leader knows the missing host.
/// Deadlines of members that arrived together differ by less.
const LEADER_NAMES_WITHIN: Duration = Duration::from_secs(1);

impl IntraHost {
    /// Waits for each other member in turn, and calls `take` for it.
    #[inline]
    pub(super) fn await_all(
        &self,
        tag: Tag,
        round: u32,
        deadline: &mut Deadline,
        mut take: impl FnMut(&MemberSlot) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (before, after) = self.seats.split_at(self.own);
        let mut spins = self.pace().spins();
        for seat in after.iter().skip(1).chain(before) {
            if !spin_until(&mut spins, || seat.has_arrived(tag, round)) {
                self.wait(Some(seat), tag, round, deadline)?;
            }
            take(seat)?;
        }
        Ok(())
    }

    /// Waits for the leader's gate.
    pub(super) fn await_gate(&self, tag: Tag, round: u32, deadline: &mut Deadline) -> Result<(), Failure> {
        let mut spins = self.pace().spins();
        if spin_until(&mut spins, || self.leader().is_released(round)) {
            return Ok(());
        }
        self.wait(None, tag, round, deadline)
    }

    /// Sleeps until one member has arrived, or the gate opens (`None`), or the round fails.
    #[cold]
    fn wait(
        &self,
        seat: Option<&MemberSlot>,
        tag: Tag,
        round: u32,
        deadline: &mut Deadline,
    ) -> Result<(), Failure> {
        let eventcount = Some((self.table().eventcount(round), self.fences));
        let (mut end, mut lasting) = (deadline.fix(), SlowWait::new(&self.reporter));
        let mut may_ask_leader = seat.is_none();
        self.leave_shared_core();
        loop {
            let mut until = Deadline::At(lasting.next().min(end));
            match sleep_until(&mut until, self.pace(), eventcount, || self.poll(seat, tag, round)) {
                Ok(ended) => return ended,
                Err(WaitFailure::Interrupted) => {
                    self.interrupted.keep(round);
                    return Err(Failure::left());
                }
                Err(WaitFailure::Late) if Instant::now() < end => {
                    let missing = || self.missing(tag, round).map(|seat| seat.member).collect();
                    lasting.report(tag.text(), missing, || self.describe_missing(tag, round));
                }
                Err(WaitFailure::Late) if may_ask_leader && self.leader_waits_elsewhere(tag, round) => {
                    may_ask_leader = false;
                    end = Instant::now() + LEADER_NAMES_WITHIN;
                }
                Err(WaitFailure::Late) => {
                    let first = self.missing(tag, round).next().unwrap_or(self.leader()).member;
                    let missing = self.describe_missing(tag, round);
                    return self.object(Cause::Timeout, first, tag, round, &missing);
                }
            }
        }
    }

    /// Returns the outcome of the wait; `None` while it continues.
    fn poll(&self, seat: Option<&MemberSlot>, tag: Tag, round: u32) -> Option<Result<(), Failure>> {
        let is_there = match seat {
            Some(seat) => seat.has_arrived(tag, round),
            None => self.leader().is_released(round),
        };
        if is_there {
            return Some(Ok(()));
        }
        if !self.is_at_rest() {
            match self.outcome(tag, round) {
                // Passed: the next poll sees the words of all members.
                None | Some(RoundOutcome::Passed) => {}
                Some(ruling) => return Some(Err(self.failed(ruling, tag, round))),
            }
        }
        let checked = seat.map_or(Ok(()), |seat| self.check_word(seat, tag, round));
        let checked = checked.and_then(|()| {
            // A member may have arrived before it left: then the objection is dismissed.
            let gone = |seat: &&MemberSlot| {
                seat.has_left() || self.lost.load(Ordering::Acquire) > 0 && seat.is_lost()
            };
            match self.missing(tag, round).find(gone) {
                Some(seat) => {
                    let detail = if seat.is_lost() { DIED } else { LEFT };
                    self.object(Cause::Lost, seat.member, tag, round, detail)
                }
                None => Ok(()),
            }
        });
        let checked = checked.and_then(|()| match self.dead_on_other_host(tag, round) {
            Some(member) => self.force(Cause::Lost, member, tag, round, DIED),
            None => Ok(()),
        });
        checked.err().map(Err)
    }

    /// Returns a lost member of another host, in a round before the leader has sent its messages: it cannot
    /// pass.
    fn dead_on_other_host(&self, tag: Tag, round: u32) -> Option<usize> {
        let member = self.lost_elsewhere.load(Ordering::Acquire).checked_sub(1)?;
        let is_sent = tag == Tag::Spread || self.own != 0 && self.leader().has_arrived(tag, round);
        (!is_sent).then_some(member)
    }

    /// The others that have not done their part in this round: a leader's is to open its gate.
    fn missing(&self, tag: Tag, round: u32) -> impl Iterator<Item = &MemberSlot> {
        self.seats.iter().enumerate().filter_map(move |(place, seat)| {
            let has_done = match self.goal {
                Goal::Gate if place == 0 => seat.is_released(round),
                _ => seat.has_arrived(tag, round),
            };
            (place != self.own && !has_done).then_some(seat)
        })
    }

    /// All members of this host have come: their leader waits for another host.
    fn leader_waits_elsewhere(&self, tag: Tag, round: u32) -> bool {
        self.seats.iter().all(|seat| seat.has_arrived(tag, round))
    }

    /// The members that have not arrived, and where each was last seen.
    pub(super) fn describe_missing(&self, tag: Tag, round: u32) -> String {
        let describe = |seat: &MemberSlot| {
            let sides = &seat.slot().sides;
            let words = [0, 1].map(|side: usize| sides[side].arrival());
            format!("@{} {}", seat.member, arrival_word::last_seen(words, seat.generation))
        };
        self.missing(tag, round).map(describe).collect::<Vec<_>>().join(", ")
    }

    /// A member died. Ends all waits for it in this process.
    pub(in crate::group) fn mark_lost(&self, member: usize) {
        for seat in self.seats.iter().filter(|seat| seat.member == member) {
            if seat.mark_dead() {
                self.lost.fetch_add(1, Ordering::SeqCst);
            }
        }
        self.table().notify_sleepers();
    }

    /// A member of another host died.
    pub(in crate::group) fn mark_dead_on_other_host(&self, member: usize) {
        let first = self.lost_elsewhere.compare_exchange(0, member + 1, Ordering::AcqRel, Ordering::Relaxed);
        if first.is_ok() {
            self.table().notify_sleepers();
        }
    }
}
