// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members of a group on one host: how they meet in their control pages.
//!
//! **A round.** Every member writes what it gives into its own page, then its word of arrival. It has passed the round when it
//! has seen the words of all others and nobody objected. Nobody writes what others poll but their own words, so members that
//! have a core each meet in the time of one cache line each way. Rejected by reasoning, not by measurement: a counter that all
//! add to (two lines one after the other), and rounds of pairs (as many context switches as rounds when cores are short).
//!
//! **Two sides.** Rounds take turns on two sides of the seat. A member writes a side again two rounds later; it has passed the
//! round in between then, so all others have come there and have read the side.
//!
//! **A leader.** When the group has other hosts, members do not look at each other: the leader (of the lowest rank) looks at
//! all, does its part between hosts, and then opens its gate; the others wait for that. The leader's area carries what comes
//! back.
//!
//! **Who leaves a wait** because its program asks for it has arrived all the same: others go on without
//! waiting for its return. The round stays its round ([`Room::begin`]): the same call, made again, waits on
//! in it. Until it has passed, others can be one round ahead at most, and write the other side.
//!
//! **The table** is the one in the leader's page: the bell for who sleeps, the verdict when somebody gives up
//! ([`mf_base::sync`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::Instant;

use mf_base::interrupt::{self, Asker};
use mf_base::sync::fences::Fences;
use mf_base::sync::verdict::Ruling;

use super::failure::{Cause, Failure};
use super::page::{AREA_BYTES, ControlPage, SMALL_BYTES, Side, Slot, left_mark};
use super::patience::{Patience, Pause, Strangers, spins_for};
use super::word::{self, Seen, Tag};
use crate::engine;

/// A member of the room.
pub(super) struct Seat {
    page: Arc<ControlPage>,
    slot: usize,
    generation: u16,
    /// Its place in the list of the group's members.
    pub(super) member: usize,
    /// Whether it is known to have died.
    is_lost: AtomicBool,
}

impl Seat {
    pub(super) fn new(page: Arc<ControlPage>, slot: usize, generation: u16, member: usize) -> Self {
        Self { page, slot, generation, member, is_lost: AtomicBool::new(false) }
    }

    #[inline(always)]
    fn slot(&self) -> &Slot {
        self.page.slot(self.slot)
    }

    #[inline(always)]
    fn side(&self, round: u32) -> &Side {
        &self.slot().sides[usize::from(round & 1 == 1)]
    }

    #[inline(always)]
    fn area(&self, round: u32) -> *mut u8 {
        self.page.area(self.slot, usize::from(round & 1 == 1))
    }

    #[inline(always)]
    fn word(&self, tag: Tag, round: u32) -> u64 {
        word::arrival(self.generation, tag, round)
    }

    #[inline(always)]
    fn has_arrived(&self, tag: Tag, round: u32) -> bool {
        // Pairs with the release in `arrive`.
        self.side(round).arrived.load(Ordering::Acquire) == self.word(tag, round)
    }

    fn has_left(&self) -> bool {
        self.slot().gate.left.load(Ordering::Acquire) == left_mark(self.generation)
    }

    /// Whether it will not look at this group's words any more.
    fn is_done(&self) -> bool {
        let now = self.slot().sides[0].arrived.load(Ordering::Acquire);
        self.is_lost.load(Ordering::Relaxed) || self.has_left() || now >> 48 != u64::from(self.generation)
    }
}

/// What ends a wait in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The words of all members.
    Arrivals,
    /// The leader's gate.
    Gate,
}

/// The members of one host; one thread at a time calls what takes a round.
pub(super) struct Room {
    /// In the order of ranks; the first is the leader.
    seats: Vec<Seat>,
    own: usize,
    /// What members of this room wait for: the gate when there are other hosts.
    goal: Goal,
    fences: Fences,
    spins: u32,
    strangers: Strangers,
    round: AtomicU32,
    /// This member has arrived in the round, and left its wait.
    is_left: AtomicBool,
    /// How many of the members are lost.
    lost: AtomicUsize,
}

impl Room {
    /// `seats` in the order of ranks, `own` the place of this member in it; not empty.
    pub(super) fn new(seats: Vec<Seat>, own: usize, has_other_hosts: bool, fences: Fences) -> Self {
        let spins = spins_for(seats.len());
        let goal = if has_other_hosts { Goal::Gate } else { Goal::Arrivals };
        let (round, lost) = (AtomicU32::new(0), AtomicUsize::new(0));
        let (strangers, is_left) = (Strangers::default(), AtomicBool::new(false));
        Self { seats, own, goal, fences, spins, strangers, round, is_left, lost }
    }

    pub(super) fn seats(&self) -> &[Seat] {
        &self.seats
    }

    fn own(&self) -> &Seat {
        &self.seats[self.own]
    }

    fn leader(&self) -> &Seat {
        &self.seats[0]
    }

    /// A barrier of the room alone.
    #[inline]
    pub(super) fn barrier(&self, deadline: Instant) -> Result<(), Failure> {
        let (round, is_new) = self.begin()?;
        if is_new {
            self.arrive(Tag::Barrier, round);
        }
        self.await_all(Tag::Barrier, round, deadline, |_| Ok(()))?;
        self.pass(Tag::Barrier, round)
    }

    /// An allgather of the room alone; `all` has room for the bytes of all members of the group. `progress`:
    /// how far an earlier call came that was left; and this one, when it is.
    pub(super) fn allgather(
        &self,
        own: &[u8],
        all: &mut [u8],
        deadline: Instant,
        progress: &mut usize,
    ) -> Result<(), Failure> {
        debug_assert!(self.seats.iter().all(|seat| (seat.member + 1) * own.len() <= all.len()));
        let all = all.as_mut_ptr();
        loop {
            let offset = *progress;
            let piece = own.get(offset..own.len().min(offset + AREA_BYTES)).unwrap_or_default();
            let (round, is_new) = self.begin()?;
            if is_new {
                self.give(piece, own.len(), round);
                self.arrive(Tag::Allgather, round);
            }
            let to = |seat: &Seat| all.wrapping_add(seat.member * own.len() + offset);
            // SAFETY: there is room for `own.len()` bytes of every member, and `offset + piece.len()` is at most that.
            unsafe { engine::copy(piece.as_ptr(), to(self.own()), piece.len()) };
            self.await_all(Tag::Allgather, round, deadline, |seat| {
                self.check_length(seat, round, own.len())?;
                // SAFETY: as above.
                unsafe { take(seat, round, to(seat), piece.len(), own.len()) };
                Ok(())
            })?;
            self.pass(Tag::Allgather, round)?;
            *progress += AREA_BYTES;
            if *progress >= own.len() {
                return Ok(());
            }
        }
    }

    /// The leader's first half of a round: the piece of every member goes to `block`, in the order of ranks.
    pub(super) fn collect(
        &self,
        tag: Tag,
        piece: &[u8],
        length: usize,
        block: &mut [u8],
        deadline: Instant,
    ) -> Result<u32, Failure> {
        debug_assert!(block.len() == piece.len() * self.seats.len());
        let (round, is_new) = self.begin()?;
        if is_new {
            self.own().side(round).length.store(length as u64, Ordering::Relaxed);
            self.arrive(tag, round);
        }
        let block = block.as_mut_ptr();
        // SAFETY: there is room for a piece of every member.
        unsafe { engine::copy(piece.as_ptr(), block, piece.len()) };
        let mut to = block;
        self.await_all(tag, round, deadline, |seat| {
            self.check_length(seat, round, length)?;
            to = to.wrapping_add(piece.len());
            // SAFETY: the leader is the first, and the others follow in their order: `to` has room for one more piece.
            unsafe { take(seat, round, to, piece.len(), length) };
            Ok(())
        })?;
        Ok(round)
    }

    /// The leader's second half: gives `bytes` to all, and opens its gate.
    pub(super) fn spread(
        &self,
        tag: Tag,
        mut round: u32,
        bytes: &[u8],
        deadline: Instant,
    ) -> Result<(), Failure> {
        let mut tag = tag;
        let mut offset = 0;
        loop {
            let chunk = bytes.get(offset..bytes.len().min(offset + AREA_BYTES)).unwrap_or_default();
            let leader = self.leader();
            // SAFETY: a chunk has at most `AREA_BYTES`. All have come to this round, so nobody reads this side of the area.
            unsafe { engine::copy(chunk.as_ptr(), leader.area(round), chunk.len()) };
            // Release: who sees the gate open sees the chunk, and that all members of all hosts were here.
            leader.slot().gate.released.store(leader.word(Tag::Spread, round), Ordering::Release);
            self.fences.light();
            self.pass(tag, round)?;
            offset += AREA_BYTES;
            if offset >= bytes.len() {
                return Ok(());
            }
            tag = Tag::Spread;
            (round, _) = self.begin()?;
            self.arrive(tag, round);
            // The others are here, for the chunk before this one; who leaves here could not come back to this
            // chunk.
            interrupt::without(|| self.await_all(tag, round, deadline, |_| Ok(())))?;
        }
    }

    /// What another member than the leader does: gives its piece, and gets `total` bytes of all in chunks: offset, bytes.
    pub(super) fn hand_in(
        &self,
        tag: Tag,
        piece: &[u8],
        length: usize,
        total: usize,
        deadline: Instant,
        mut get: impl FnMut(usize, &[u8]),
    ) -> Result<(), Failure> {
        let mut tag = tag;
        let mut chunk = vec![0; total.min(AREA_BYTES)];
        let mut offset = 0;
        loop {
            let (round, is_new) = self.begin()?;
            if tag != Tag::Spread && is_new {
                self.give(piece, length, round);
            }
            if is_new {
                self.arrive(tag, round);
            }
            let table = &self.leader().slot().table;
            table.bell.ring_if_asleep();
            let mut spins = self.spins;
            while !self.is_released(round) {
                if spins == 0 {
                    let wait = || self.wait(None, tag, round, deadline);
                    // As the leader: who leaves between two chunks could not come back.
                    if tag == Tag::Spread { interrupt::without(wait) } else { wait() }?;
                    break;
                }
                spins -= 1;
                std::hint::spin_loop();
            }
            let bytes = chunk.len().min(total - offset);
            // SAFETY: an area has `AREA_BYTES`, and a chunk is not longer.
            unsafe { engine::copy(self.leader().area(round), chunk.as_mut_ptr(), bytes) };
            self.pass(tag, round)?;
            get(offset, chunk.get(..bytes).unwrap_or_default());
            offset += AREA_BYTES;
            if offset >= total {
                return Ok(());
            }
            tag = Tag::Spread;
        }
    }

    /// Whether a leader that waits for other hosts may go on: the error when its own members have ruled otherwise.
    pub(super) fn check(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        let leader = self.leader();
        let verdict = &leader.slot().table.verdict;
        match verdict.ruling(leader.generation, round, self.fences, || self.is_complete(tag, round)) {
            None | Some(Ruling::Passed) => {}
            Some(ruling) => return Err(self.failed(ruling, tag, round)),
        }
        match self.seats.iter().find(|seat| is_lost(seat)) {
            Some(seat) => Err(Failure::new(Cause::Lost, seat.member, "its process has ended")),
            None => Ok(()),
        }
    }

    /// Tells the members of this host that the group has failed elsewhere.
    pub(super) fn fail(&self, failure: &Failure) {
        let round = self.round.load(Ordering::Relaxed);
        let leader = self.leader();
        let table = &leader.slot().table;
        let packed = failure.cause.pack(failure.member);
        // A round that has passed stays passed; then they hear of it in the next one.
        let complete = || self.is_released(round);
        if table.verdict.object(leader.generation, round, packed, self.fences, complete) == Ruling::Passed {
            let next = round.wrapping_add(1);
            let _ = table.verdict.object(leader.generation, next, packed, self.fences, || false);
        }
        table.bell.ring();
    }

    /// Begins the next round, or goes on with the one whose wait was left; says whether it is new.
    #[inline]
    fn begin(&self) -> Result<(u32, bool), Failure> {
        let before = self.round.load(Ordering::Relaxed);
        if self.is_left.load(Ordering::Relaxed) {
            self.is_left.store(false, Ordering::Relaxed);
            return Ok((before, false));
        }
        let round = before.wrapping_add(1);
        self.round.store(round, Ordering::Relaxed);
        if self.lost.load(Ordering::Relaxed) > 0 {
            self.fail_for_lost(round).map(|()| (round, true))
        } else {
            Ok((round, true))
        }
    }

    /// Puts the own piece where others find it.
    #[inline]
    fn give(&self, piece: &[u8], length: usize, round: u32) {
        let own = self.own();
        let side = own.side(round);
        side.length.store(length as u64, Ordering::Relaxed);
        if length <= SMALL_BYTES {
            for (word, bytes) in side.small.iter().zip(piece.chunks(8)) {
                let mut value = [0; 8];
                value[..bytes.len()].copy_from_slice(bytes);
                word.store(u64::from_ne_bytes(value), Ordering::Relaxed);
            }
        } else {
            // SAFETY: a piece has at most `AREA_BYTES`; others only read the own area, and not this side of it now.
            unsafe { engine::copy(piece.as_ptr(), own.area(round), piece.len().min(AREA_BYTES)) };
        }
    }

    #[inline]
    fn arrive(&self, tag: Tag, round: u32) {
        let own = self.own();
        // Release: who sees the word sees the piece, and that this member has read what others gave two rounds ago.
        own.side(round).arrived.store(own.word(tag, round), Ordering::Release);
        // Pairs with the heavy fence of who goes to sleep.
        self.fences.light();
    }

    /// Waits for each other member in turn, and calls `take` for it.
    #[inline]
    fn await_all(
        &self,
        tag: Tag,
        round: u32,
        deadline: Instant,
        mut take: impl FnMut(&Seat) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (before, after) = self.seats.split_at(self.own);
        let mut spins = self.spins;
        for seat in after.iter().skip(1).chain(before) {
            while !seat.has_arrived(tag, round) {
                if spins == 0 {
                    self.wait(Some(seat), tag, round, deadline)?;
                    break;
                }
                spins -= 1;
                std::hint::spin_loop();
            }
            take(seat)?;
        }
        Ok(())
    }

    /// Ends a round in which this member has seen what it waits for.
    #[inline]
    fn pass(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        let table = &self.leader().slot().table;
        if !table.verdict.is_at_rest(self.leader().generation, self.fences) {
            self.rule(tag, round)?;
        }
        table.bell.ring_if_asleep();
        Ok(())
    }

    /// What holds for a round whose end this member has seen, when somebody objects.
    #[cold]
    fn rule(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        let leader = self.leader();
        let verdict = &leader.slot().table.verdict;
        let ruling = verdict.ruling(leader.generation, round, self.fences, || self.is_complete(tag, round));
        match ruling {
            None | Some(Ruling::Passed) => Ok(()),
            Some(ruling) => Err(self.failed(ruling, tag, round)),
        }
    }

    fn is_complete(&self, tag: Tag, round: u32) -> bool {
        match self.goal {
            Goal::Arrivals => self.seats.iter().all(|seat| seat.has_arrived(tag, round)),
            Goal::Gate => self.is_released(round),
        }
    }

    fn is_released(&self, round: u32) -> bool {
        let leader = self.leader();
        // Pairs with the release in `release`.
        leader.slot().gate.released.load(Ordering::Acquire) == leader.word(Tag::Spread, round)
    }

    /// Waits with patience for one member, or for the gate.
    #[cold]
    fn wait(&self, seat: Option<&Seat>, tag: Tag, round: u32, deadline: Instant) -> Result<(), Failure> {
        let leader = self.leader();
        let table = &leader.slot().table;
        let mut patience = Patience::until(deadline, &self.strangers);
        let mut asker = Asker::new();
        let is_there = || match seat {
            Some(seat) => seat.has_arrived(tag, round),
            None => self.is_released(round),
        };
        loop {
            if is_there() {
                return Ok(());
            }
            if !table.verdict.is_at_rest(leader.generation, self.fences) {
                let complete = || self.is_complete(tag, round);
                match table.verdict.ruling(leader.generation, round, self.fences, complete) {
                    None => {}
                    Some(Ruling::Passed) => continue,
                    Some(ruling) => return Err(self.failed(ruling, tag, round)),
                }
            }
            if let Some(seat) = seat {
                self.check_word(seat, tag, round)?;
            }
            if self.lost.load(Ordering::Acquire) > 0 {
                self.check_lost(tag, round)?;
            }
            if let Some(left) = self.missing(tag, round).find(|seat| seat.has_left()) {
                // It may have arrived before it left: then the objection is dismissed.
                self.object(Cause::Lost, left.member, tag, round, "it has left the group")?;
                continue;
            }
            if asker.is_left() {
                self.is_left.store(true, Ordering::Relaxed);
                return Err(Failure::left());
            }
            match patience.pause() {
                Pause::Done => {}
                Pause::Late => {
                    let first = self.missing(tag, round).next().unwrap_or(leader).member;
                    let missing = self.describe_missing(tag, round);
                    return self.object(Cause::Timeout, first, tag, round, &missing);
                }
                Pause::Sleep => {
                    table.bell.sleep_unless(self.fences, asker.until(patience.deadline()), || {
                        is_there()
                            || !table.verdict.is_at_rest(leader.generation, self.fences)
                            || self.missing(tag, round).any(|seat| is_lost(seat) || seat.has_left())
                    });
                }
            }
        }
    }

    /// A member that does something else, or is in another group by now.
    fn check_word(&self, seat: &Seat, tag: Tag, round: u32) -> Result<(), Failure> {
        let now = seat.side(round).arrived.load(Ordering::Acquire);
        match word::seen(now, seat.word(tag, round)) {
            Seen::There | Seen::NotYet => Ok(()),
            Seen::Gone => self.force(Cause::Lost, seat.member, tag, round, "it has left the group"),
            Seen::Otherwise(what) => {
                let detail = format!("it is in {what}, in round {round}");
                self.force(Cause::Mismatch, seat.member, tag, round, &detail)
            }
        }
    }

    fn check_length(&self, seat: &Seat, round: u32, own: usize) -> Result<(), Failure> {
        let theirs = seat.side(round).length.load(Ordering::Relaxed);
        if theirs == own as u64 {
            return Ok(());
        }
        let detail = format!("it gives {theirs} bytes, this member {own}");
        self.force(Cause::Mismatch, seat.member, Tag::Allgather, round, &detail)
    }

    /// A lost member that has not arrived ends the round.
    fn check_lost(&self, tag: Tag, round: u32) -> Result<(), Failure> {
        match self.missing(tag, round).find(|seat| is_lost(seat)) {
            Some(seat) => self.object(Cause::Lost, seat.member, tag, round, "its process has ended"),
            None => Ok(()),
        }
    }

    #[cold]
    fn fail_for_lost(&self, round: u32) -> Result<(), Failure> {
        match self.seats.iter().find(|seat| is_lost(seat)) {
            Some(seat) => self.force(Cause::Lost, seat.member, Tag::None, round, "its process has ended"),
            None => Ok(()),
        }
    }

    /// The others that have not done their part in this round: a leader's is to open its gate.
    fn missing(&self, tag: Tag, round: u32) -> impl Iterator<Item = &Seat> {
        self.seats.iter().enumerate().filter_map(move |(place, seat)| {
            let has_done = match self.goal {
                Goal::Gate if place == 0 => self.is_released(round),
                _ => seat.has_arrived(tag, round),
            };
            (place != self.own && !has_done).then_some(seat)
        })
    }

    /// The members that have not arrived, and where each was last seen.
    fn describe_missing(&self, tag: Tag, round: u32) -> String {
        let describe = |seat: &Seat| {
            let sides = &seat.slot().sides;
            let words = [0, 1].map(|side: usize| sides[side].arrived.load(Ordering::Relaxed));
            format!("@{} {}", seat.member, word::last_seen(words, seat.generation))
        };
        self.missing(tag, round).map(describe).collect::<Vec<_>>().join(", ")
    }

    /// Fails the round for all, unless it has passed meanwhile.
    fn object(&self, cause: Cause, member: usize, tag: Tag, round: u32, detail: &str) -> Result<(), Failure> {
        let complete = || self.is_complete(tag, round);
        let leader = self.leader();
        let table = &leader.slot().table;
        let packed = cause.pack(member);
        match table.verdict.object(leader.generation, round, packed, self.fences, complete) {
            Ruling::Passed => Ok(()),
            Ruling::Failed { cause: ruled } if ruled == packed => {
                table.bell.ring();
                Err(Failure::new(cause, member, detail))
            }
            ruling => Err(self.failed(ruling, tag, round)),
        }
    }

    /// Fails a round that cannot pass for anybody.
    fn force(&self, cause: Cause, member: usize, tag: Tag, round: u32, detail: &str) -> Result<(), Failure> {
        let leader = self.leader();
        let table = &leader.slot().table;
        let packed = cause.pack(member);
        let ruling = table.verdict.object(leader.generation, round, packed, self.fences, || false);
        table.bell.ring();
        // Another member's cause came first: then that is the cause for all.
        if ruling == (Ruling::Failed { cause: packed }) {
            return Err(Failure::new(cause, member, detail));
        }
        Err(self.failed(ruling, tag, round))
    }

    /// What another member ruled.
    fn failed(&self, ruling: Ruling, tag: Tag, round: u32) -> Failure {
        let leader = self.leader();
        leader.slot().table.bell.ring();
        let Ruling::Failed { cause } = ruling else {
            return Failure::new(Cause::Lost, leader.member, "it has left the group");
        };
        let (cause, member) = Cause::unpack(cause);
        let detail = match cause {
            Cause::Timeout if tag != Tag::None => self.describe_missing(tag, round),
            _ => "told by another member".to_owned(),
        };
        Failure::new(cause, member, detail)
    }

    /// A member died. Whoever waits for it in this process hears of it now.
    pub(super) fn lost(&self, member: usize) {
        for seat in self.seats.iter().filter(|seat| seat.member == member) {
            if !seat.is_lost.swap(true, Ordering::SeqCst) {
                self.lost.fetch_add(1, Ordering::SeqCst);
            }
        }
        self.leader().slot().table.bell.ring();
    }
}

/// Leaves: who waits for this member hears of it, and its slot can be used again once nobody looks at it.
impl Drop for Room {
    fn drop(&mut self) {
        let own = self.own();
        own.slot().gate.left.store(left_mark(own.generation), Ordering::SeqCst);
        self.leader().slot().table.bell.ring();
        let (page, slot) = (Arc::clone(&own.page), own.slot);
        let others: Vec<Seat> = std::mem::take(&mut self.seats);
        // The own seat has left, so it is quiet too.
        page.give_slot(slot, Box::new(move || others.iter().all(Seat::is_done)));
    }
}

fn is_lost(seat: &Seat) -> bool {
    seat.is_lost.load(Ordering::Acquire)
}

/// Copies a piece of a member's out of its page.
///
/// # Safety
/// `to` is writable for `bytes` bytes.
#[inline]
unsafe fn take(seat: &Seat, round: u32, to: *mut u8, bytes: usize, length: usize) {
    if length > SMALL_BYTES {
        // SAFETY: an area has `AREA_BYTES`, and the caller vouches for `to`.
        return unsafe { engine::copy(seat.area(round), to, bytes.min(AREA_BYTES)) };
    }
    let mut value = [0u8; SMALL_BYTES];
    for (word, part) in seat.side(round).small.iter().zip(value.chunks_exact_mut(8)).take(bytes.div_ceil(8)) {
        part.copy_from_slice(&word.load(Ordering::Relaxed).to_ne_bytes());
    }
    // SAFETY: at most `SMALL_BYTES` are taken, and the caller vouches for `to`.
    unsafe { engine::copy(value.as_ptr(), to, bytes.min(SMALL_BYTES)) };
}
