// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Intra-host barrier: the members of a group on one host meet in their control pages.
//!
//! **A round.** Every member writes its bytes into its own page, then its arrival word. It has passed the
//! round when it has seen the words of all others and no member objected. Of the polled lines, a member
//! writes only its own words, so members that have a core each meet in the time of one cache line per
//! direction. Rejected by reasoning, not by measurement: a counter that all add to (two lines one after the
//! other), and rounds of pairs (as many context switches as rounds when cores are short).
//!
//! **Two sides.** Rounds take turns on two sides of the seat. A member writes a side again two rounds later;
//! it has passed the round in between then, so all others have arrived there and have read the side.
//!
//! **A leader.** If the group has other hosts, members do not poll each other: the leader (of the lowest
//! rank) polls all, does its part between hosts, and then opens its gate; the others wait for that. The
//! leader's area carries the result.
//!
//! **A member that leaves a wait** because its program interrupts it has arrived all the same: others go on
//! without waiting for its return. The round stays its round (`saved_call`): the same call, made again,
//! waits on in it. Until it has passed, others can be one round ahead at most, and write the other side.
//!
//! **The table** is in the leader's page: the eventcounts for sleeping members, and the consensus word for a
//! member that gives up ([`mf_base::sync`]).

mod cores;
mod leader_rounds;
mod member_slot;
mod round_outcome;
mod waiting;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use mf_base::sync::fences::Fences;
use mf_base::sync::pace::{AWAKE, Pace, Taken};
use mf_base::sync::wait::Deadline;

use super::arrival_word::Tag;
use super::failure::Failure;
use super::page::{AREA_BYTES, ControlPage, GroupTable};
use super::saved_call::InterruptedRound;
use super::wait_report::Reporter;
pub(super) use member_slot::{MemberSlot, Neighbour};

/// The condition that ends a wait in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The words of all members.
    Arrivals,
    /// The leader's gate.
    Gate,
}

/// The members of one host; one thread at a time makes calls that take a round.
pub(super) struct IntraHost {
    /// In the order of ranks; the first is the leader.
    seats: Vec<MemberSlot>,
    own: usize,
    /// The condition that members of this room wait for: the gate if there are other hosts.
    goal: Goal,
    fences: Fences,
    /// True if all members can run at once.
    has_core: bool,
    reporter: Arc<Reporter>,
    round: AtomicU32,
    interrupted: InterruptedRound,
    /// Number of lost members.
    lost: AtomicUsize,
    /// A lost member of another host, counted from 1; 0: no member is lost.
    lost_elsewhere: AtomicUsize,
}

impl IntraHost {
    /// `seats` in the order of ranks, `own` the place of this member in it; not empty.
    pub(super) fn new(
        seats: Vec<MemberSlot>,
        own: usize,
        has_other_hosts: bool,
        fences: Fences,
        reporter: Arc<Reporter>,
    ) -> Self {
        let has_core = cores::are_enough(seats.iter().map(MemberSlot::cores));
        let goal = if has_other_hosts { Goal::Gate } else { Goal::Arrivals };
        let (round, lost, lost_elsewhere) = (AtomicU32::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let interrupted = InterruptedRound::default();
        Self { seats, own, goal, fences, has_core, reporter, round, interrupted, lost, lost_elsewhere }
    }

    pub(super) fn member_slots(&self) -> &[MemberSlot] {
        &self.seats
    }

    /// The control page of this member.
    pub(super) fn own_page(&self) -> &Arc<ControlPage> {
        self.own().page()
    }

    /// The seat of a member, by its place in the group's list.
    pub(super) fn member_slot(&self, member: usize) -> Option<&MemberSlot> {
        let is_it = |seat: &&MemberSlot| seat.member == member;
        self.seats.get(member).filter(is_it).or_else(|| self.seats.iter().find(is_it))
    }

    fn own(&self) -> &MemberSlot {
        &self.seats[self.own]
    }

    fn leader(&self) -> &MemberSlot {
        &self.seats[0]
    }

    fn table(&self) -> &GroupTable {
        &self.leader().slot().table
    }

    /// Returns the pace of waits: spin, yield or sleep.
    fn pace(&self) -> Pace<'_> {
        Pace::new(self.has_core, AWAKE, self.core_losses())
    }

    /// When other work last took a core from a member.
    pub(super) fn core_losses(&self) -> &Taken {
        &self.table().taken
    }

    /// A barrier of the room alone.
    #[inline]
    pub(super) fn barrier(&self, deadline: &mut Deadline) -> Result<(), Failure> {
        let (round, is_new) = self.begin()?;
        if is_new {
            self.arrive(Tag::Barrier, round);
        }
        self.await_all(Tag::Barrier, round, deadline, |_| Ok(()))?;
        self.pass(Tag::Barrier, round)
    }

    /// A barrier of the room alone to which each member brings a number; whether all brought this one.
    #[inline]
    pub(super) fn compare(&self, number: u64, deadline: &mut Deadline) -> Result<bool, Failure> {
        let (round, is_new) = self.begin()?;
        if is_new {
            self.own().publish_number(number, round);
            self.arrive(Tag::Compare, round);
        }
        let mut are_equal = true;
        self.await_all(Tag::Compare, round, deadline, |seat| {
            are_equal &= seat.number_at(round) == number;
            Ok(())
        })?;
        self.pass(Tag::Compare, round)?;
        Ok(are_equal)
    }

    /// Allgather of the room alone; `all` holds the bytes of all members of the group. `progress`: the
    /// progress of an earlier call that was interrupted; updated if this one is. `are_equal`: lengths may
    /// differ, and the result of their comparison is stored there; if they differ, only the first piece of
    /// each member is complete.
    #[inline]
    pub(super) fn allgather(
        &self,
        own: &[u8],
        all: &mut [u8],
        deadline: &mut Deadline,
        progress: &mut usize,
        mut are_equal: Option<&mut bool>,
    ) -> Result<(), Failure> {
        debug_assert!(self.seats.iter().all(|seat| (seat.member + 1) * own.len() <= all.len()));
        let all = all.as_mut_ptr();
        loop {
            let offset = *progress;
            let piece = own.get(offset..own.len().min(offset + AREA_BYTES)).unwrap_or_default();
            let (round, is_new) = self.begin()?;
            let to = |seat: &MemberSlot| all.wrapping_add(seat.member * own.len() + offset);
            if is_new {
                self.own().announce(own.len(), round);
                // SAFETY: there is room for `own.len()` bytes of every member, and `offset + piece.len()` is
                // at most that.
                unsafe { self.own().publish_piece_and_copy(piece, own.len(), round, to(self.own())) };
                self.arrive(Tag::Allgather, round);
            }
            self.await_all(Tag::Allgather, round, deadline, |seat| {
                if let Some(are_equal) = &mut are_equal
                    && seat.number_at(round) != own.len() as u64
                {
                    **are_equal = false;
                    let theirs = usize::try_from(seat.number_at(round)).unwrap_or(usize::MAX);
                    // SAFETY: as above, and no more than a piece is taken.
                    unsafe { seat.take(round, to(seat), piece.len().min(theirs), theirs) };
                    return Ok(());
                }
                self.check_length(seat, round, own.len())?;
                // SAFETY: as above.
                unsafe { seat.take(round, to(seat), piece.len(), own.len()) };
                Ok(())
            })?;
            self.pass(Tag::Allgather, round)?;
            *progress += AREA_BYTES;
            let is_over = are_equal.as_ref().is_some_and(|are_equal| !**are_equal);
            if is_over || *progress >= own.len() {
                return Ok(());
            }
        }
    }

    /// Begins the next round, or resumes the interrupted one. Returns its number, and true if it is new.
    #[inline]
    fn begin(&self) -> Result<(u32, bool), Failure> {
        if let Some(round) = self.interrupted.resume() {
            return Ok((round, false));
        }
        let round = self.round.load(Ordering::Relaxed).wrapping_add(1);
        self.round.store(round, Ordering::Relaxed);
        if self.lost.load(Ordering::Relaxed) > 0 {
            self.fail_for_lost(round)?;
        }
        Ok((round, true))
    }

    #[inline]
    fn arrive(&self, tag: Tag, round: u32) {
        self.own().arrive(tag, round);
        // Pairs with the heavy fence of a member that goes to sleep.
        self.fences.light();
    }

    /// Ends a round after this member has seen its condition.
    #[inline]
    fn pass(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        if !self.is_at_rest() {
            self.apply(tag, round)?;
        }
        self.table().eventcount(round).notify();
        Ok(())
    }
}

/// Leaves: members that wait for this one are notified.
impl Drop for IntraHost {
    fn drop(&mut self) {
        self.own().leave();
        // As after an arrival: a member that is not asleep yet sees that this one has left.
        self.fences.light();
        for side in 0..2 {
            self.table().eventcount(side).notify();
        }
        let mut others = std::mem::take(&mut self.seats);
        let own = others.swap_remove(self.own);
        own.give_back(others);
    }
}
