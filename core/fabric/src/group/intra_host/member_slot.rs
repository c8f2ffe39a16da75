// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A member of a room: its words in its control page, and the bytes that it gives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::sync::barrier_state::{SMALL_BYTES, Side};
use mf_device::engine;

use super::super::arrival_word::{self, Tag};
use super::super::page::{AREA_BYTES, ControlPage, Slot};

/// Number of bytes copied to two places at a time: they stay in the nearest cache for the second.
const BOTH_BYTES: usize = 8 << 10;

/// A member on this host, in any group.
#[derive(Clone)]
pub(in crate::group) struct Neighbour {
    pub(in crate::group) page: Arc<ControlPage>,
    pub(in crate::group) cores: Arc<[u16]>,
}

/// A member of the room.
pub(in crate::group) struct MemberSlot {
    page: Arc<ControlPage>,
    slot: usize,
    pub(super) generation: u16,
    /// Its place in the list of the group's members.
    pub(in crate::group) member: usize,
    /// The cores that its process may use; empty: as many as there are members.
    cores: Arc<[u16]>,
    /// True if it is known to have died.
    is_lost: AtomicBool,
}

impl MemberSlot {
    pub(in crate::group) fn new(neighbour: Neighbour, (slot, generation): (u16, u16), member: usize) -> Self {
        let Neighbour { page, cores } = neighbour;
        Self { page, slot: usize::from(slot), generation, member, cores, is_lost: AtomicBool::new(false) }
    }

    /// Returns the part that other groups with this member share.
    pub(in crate::group) fn neighbour(&self) -> Neighbour {
        Neighbour { page: Arc::clone(&self.page), cores: Arc::clone(&self.cores) }
    }

    pub(super) fn page(&self) -> &Arc<ControlPage> {
        &self.page
    }

    pub(super) fn cores(&self) -> &[u16] {
        &self.cores
    }

    #[inline(always)]
    pub(super) fn slot(&self) -> &Slot {
        self.page.slot(self.slot)
    }

    #[inline(always)]
    pub(super) fn side(&self, round: u32) -> &Side {
        &self.slot().sides[usize::from(round & 1 == 1)]
    }

    #[inline(always)]
    pub(super) fn area(&self, round: u32) -> *mut u8 {
        self.page.area(self.slot, usize::from(round & 1 == 1))
    }

    #[inline(always)]
    pub(super) fn word(&self, tag: Tag, round: u32) -> u64 {
        arrival_word::arrival(self.generation, tag, round)
    }

    /// Publishes the arrival of the owner.
    #[inline(always)]
    pub(super) fn arrive(&self, tag: Tag, round: u32) {
        self.side(round).arrive(self.word(tag, round));
    }

    #[inline(always)]
    pub(super) fn has_arrived(&self, tag: Tag, round: u32) -> bool {
        self.side(round).arrival() == self.word(tag, round)
    }

    /// Opens the gate of a round; for the leader.
    pub(super) fn release(&self, round: u32) {
        self.slot().gate.release(self.word(Tag::Spread, round));
    }

    pub(super) fn is_released(&self, round: u32) -> bool {
        self.slot().gate.released() == self.word(Tag::Spread, round)
    }

    /// The owner leaves the group; then the slot can be used again once no member polls it.
    pub(super) fn leave(&self) {
        self.slot().gate.leave(self.generation);
    }

    pub(super) fn has_left(&self) -> bool {
        self.slot().gate.has_left(self.generation)
    }

    /// Gives the slot back when all others are done with it.
    pub(super) fn give_back(&self, others: Vec<MemberSlot>) {
        // The own seat has left, so it is done too.
        self.page.give_slot(self.slot, Box::new(move || others.iter().all(MemberSlot::is_done)));
    }

    /// Returns true if the member will not read this group's words any more.
    fn is_done(&self) -> bool {
        let now = self.slot().sides[0].arrival();
        self.is_lost() || self.has_left() || now >> 48 != u64::from(self.generation)
    }

    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Acquire)
    }

    /// Notes that it died; whether that is new.
    pub(super) fn mark_dead(&self) -> bool {
        !self.is_lost.swap(true, Ordering::SeqCst)
    }

    /// Publishes the number of bytes in all pieces of a call of the owner.
    #[inline]
    pub(super) fn announce(&self, length: usize, round: u32) {
        self.side(round).announce(length as u64);
    }

    /// Brings a number to a round, where a length would be.
    #[inline(always)]
    pub(super) fn publish_number(&self, number: u64, round: u32) {
        self.side(round).announce(number);
    }

    /// Returns the owner's number, for a member that has seen its arrival.
    #[inline(always)]
    pub(super) fn number_at(&self, round: u32) -> u64 {
        self.side(round).length()
    }

    /// Publishes a piece of the owner's, of `length` bytes in all its pieces. No other member reads this side
    /// now.
    pub(super) fn publish_piece(&self, piece: &[u8], length: usize, round: u32) {
        if length <= SMALL_BYTES {
            return self.side(round).publish(piece);
        }
        // SAFETY: at most the size of the area, which only the owner writes.
        unsafe { engine::copy(piece.as_ptr(), self.area(round), piece.len().min(AREA_BYTES)) };
    }

    /// [`publish_piece`](Self::publish_piece), and the same bytes to `own`.
    ///
    /// # Safety
    /// `own` is writable for the bytes of the piece.
    #[inline]
    pub(super) unsafe fn publish_piece_and_copy(
        &self,
        piece: &[u8],
        length: usize,
        round: u32,
        own: *mut u8,
    ) {
        if length <= SMALL_BYTES {
            self.side(round).publish(piece);
            // SAFETY: the caller vouches for `own`.
            return unsafe { engine::copy(piece.as_ptr(), own, piece.len()) };
        }
        let area = self.area(round);
        for (number, part) in piece.chunks(BOTH_BYTES).take(AREA_BYTES / BOTH_BYTES).enumerate() {
            let at = number * BOTH_BYTES;
            // SAFETY: the parts that are taken fit into the area, which only the owner writes.
            unsafe { engine::copy(part.as_ptr(), area.wrapping_add(at), part.len()) };
            // SAFETY: the caller vouches for `own`.
            unsafe { engine::copy(part.as_ptr(), own.wrapping_add(at), part.len()) };
        }
    }

    /// Copies a piece of a member's out of its page.
    ///
    /// # Safety
    /// `to` is writable for `bytes` bytes.
    #[inline]
    pub(super) unsafe fn take(&self, round: u32, to: *mut u8, bytes: usize, length: usize) {
        if length > SMALL_BYTES {
            // SAFETY: an area has `AREA_BYTES`, and the caller vouches for `to`.
            return unsafe { engine::copy(self.area(round), to, bytes.min(AREA_BYTES)) };
        }
        let value = self.side(round).take(bytes);
        // SAFETY: at most `SMALL_BYTES` are taken, and the caller vouches for `to`.
        unsafe { engine::copy(value.as_ptr(), to, bytes.min(SMALL_BYTES)) };
    }
}
