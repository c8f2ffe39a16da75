// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests for values on the disks of other members: a table of slots in the segment of the member with the
//! disk.
//!
//! A requester takes a free slot by one atomic step, names the stub, and makes the slot ready. The thread of
//! the disk's member brings the value back into memory and marks the slot as done. Then the requester frees
//! the slot and reads the index again: a request carries no value and decides nothing, so that a lost,
//! doubled or late one does no harm. Slots of dead requesters are freed by the disk's member. A member that
//! starts again has an empty table: the word of a slot names its requester, and no later one has the same.

use std::sync::atomic::Ordering;

use mf_base::Result;

use crate::atomic_fields::{Holder, Phase, Spot, UNIT};
use crate::block::Head;
use crate::disk::Disk;
use crate::events::read_key;
use crate::index::unless_gone;
use crate::layout::REQUESTS_AT;
use crate::member::Member;
use crate::memory::Memory;
use crate::promote::Promoted;

const SLOTS: u64 = 32;
const SLOT_BYTES: u64 = 64;
const _: () = assert!(REQUESTS_AT + SLOTS * SLOT_BYTES <= 4096);
/// Turns of a wait for the member with the disk: about 5 s.
pub(crate) const TURNS_MAX: u32 = 32_000;

/// Progress of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Writing = 1,
    Ready = 2,
    Done = 3,
    Refused = 4,
}

/// First word of a slot: requester, serial number, stage. 0: free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ticket(u64);

impl Ticket {
    const FREE: Self = Self(0);

    fn new(by: Holder, serial: u64) -> Self {
        let incarnation = u64::from(by.incarnation & 0xff_ffff);
        Self((serial & 0xffff) << 40 | incarnation << 16 | (u64::from(by.rank) + 1))
    }

    fn at(self, stage: Stage) -> Self {
        Self(self.0 & ((1 << 56) - 1) | (stage as u64) << 56)
    }

    fn is_at(self, stage: Stage) -> bool {
        self.0 != 0 && self == self.at(stage)
    }

    /// Returns the requester; its incarnation has the low 24 bits only.
    fn holder(self) -> Option<Holder> {
        let rank = u16::try_from(self.0 & 0xffff).unwrap_or(0).checked_sub(1)?;
        Some(Holder { rank, incarnation: u32::try_from(self.0 >> 16 & 0xff_ffff).unwrap_or(0) })
    }
}

fn slot(rank: u16, number: u64) -> Spot {
    Spot { rank, offset: REQUESTS_AT + number % SLOTS * SLOT_BYTES }
}

/// Empties the table of a member that is about to join.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn reset<M: Memory>(memory: &M, rank: u16) -> Result<()> {
    (0..SLOTS).try_for_each(|number| memory.store(slot(rank, number), Ticket::FREE.0))
}

impl<M: Memory> Member<M> {
    /// Asks the member of a stub to bring the value back into memory, and waits. Returns true if the index
    /// should be read again; false if the value does not come.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn ask(&self, stub: Spot, head: &Head) -> Result<bool> {
        let serial = self.requests.fetch_add(1, Ordering::Relaxed);
        let asked = self.ask_as(Ticket::new(self.me, serial), serial, stub, head);
        Ok(unless_gone(asked)?.unwrap_or(true))
    }

    fn ask_as(&self, ticket: Ticket, serial: u64, stub: Spot, head: &Head) -> Result<bool> {
        let memory = &self.memory;
        let mut taken = None;
        for turn in 0..self.turns_max {
            let Some(at) = taken else {
                taken = self.take_slot(ticket, serial, stub.rank)?;
                match taken {
                    None => memory.pause(turn),
                    Some(at) => {
                        memory.store_all(at.add(8), [stub.word(), head.state.0])?;
                        let (writing, ready) = (ticket.at(Stage::Writing), ticket.at(Stage::Ready));
                        if memory.compare_swap(at, writing.0, ready.0)? != writing.0 {
                            return Ok(true);
                        }
                    }
                }
                continue;
            };
            let now = Ticket(memory.load(at)?);
            if now == ticket.at(Stage::Ready) {
                memory.pause(turn);
                continue;
            }
            let is_refused = now == ticket.at(Stage::Refused);
            if is_refused || now == ticket.at(Stage::Done) {
                memory.compare_swap(at, now.0, Ticket::FREE.0)?;
            }
            return Ok(!is_refused);
        }
        if let Some(at) = taken {
            memory.compare_swap(at, ticket.at(Stage::Ready).0, Ticket::FREE.0)?;
        }
        tracing::warn!(rank = stub.rank, "a member does not bring a value back from its disk: it is missed");
        Ok(false)
    }

    fn take_slot(&self, ticket: Ticket, serial: u64, rank: u16) -> Result<Option<Spot>> {
        for number in 0..SLOTS {
            let at = slot(rank, serial.wrapping_mul(7).wrapping_add(u64::from(self.me.rank) + number));
            let is_free = self.memory.load(at)? == Ticket::FREE.0;
            if is_free && self.memory.compare_swap(at, Ticket::FREE.0, ticket.at(Stage::Writing).0)? == 0 {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Brings back the values that other members ask for. Returns true if it did any.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn serve_requests(&self, disk: &Disk) -> Result<bool> {
        let mut has_served = false;
        let view = self.view();
        let is_alone = view.latest().members().len() == 1;
        let is_settled = view.is_settled();
        drop(view);
        if is_alone {
            return Ok(false);
        }
        for number in 0..SLOTS {
            let at = slot(self.me.rank, number);
            let [word, stub, state] = self.memory.load_all(at)?;
            let ticket = Ticket(word);
            if ticket == Ticket::FREE {
                continue;
            }
            if ticket.is_at(Stage::Ready) && is_settled {
                let stage = match self.serve(disk, Spot::from_word(stub), state)? {
                    Promoted::LookAgain => Stage::Done,
                    Promoted::No => Stage::Refused,
                    Promoted::Later => continue,
                };
                self.memory.compare_swap(at, word, ticket.at(stage).0)?;
                has_served = true;
            } else if let Some(holder) = ticket.holder() {
                let view = self.view();
                if !self.index(&view).is_alive(holder) {
                    self.memory.compare_swap(at, word, Ticket::FREE.0)?;
                }
            }
        }
        Ok(has_served)
    }

    fn serve(&self, disk: &Disk, stub: Spot, state: u64) -> Result<Promoted> {
        let own = self.view().latest().member(self.me.rank).map(|member| member.geometry);
        let is_block = stub.offset.is_multiple_of(UNIT) && stub.rank == self.me.rank;
        if !is_block || own.is_none_or(|own| own.zone_of(stub.offset).is_none()) {
            return Ok(Promoted::LookAgain);
        }
        let head = Head::read(&self.memory, stub)?;
        let is_it = head.state.0 == state && head.state.phase() == Phase::Live && head.holds.is_on_disk;
        let key = if is_it { read_key(&self.memory, stub, &head)? } else { None };
        let Some(key) = key else { return Ok(Promoted::LookAgain) };
        let promoted = self.promote(disk, (stub, &head), &key);
        // A member that has gone meanwhile had the room: the requester reads the index again.
        Ok(unless_gone(promoted)?.unwrap_or(Promoted::Later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticket_names_its_requester_and_its_stage() {
        let holder = Holder { rank: 4095, incarnation: 0xff_ffff };
        let ticket = Ticket::new(holder, u64::MAX);
        for stage in [Stage::Writing, Stage::Ready, Stage::Done, Stage::Refused] {
            assert!(ticket.at(stage).is_at(stage) && ticket.at(stage) != Ticket::new(holder, 1).at(stage));
            assert_eq!(ticket.at(stage).holder(), Some(holder));
        }
        assert!(!Ticket::FREE.is_at(Stage::Ready) && Ticket::FREE.holder().is_none());
    }
}
