// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rounds of a host in a group over several hosts: the leader collects, and spreads the bytes of the other
//! hosts.

use mf_base::interrupt;
use mf_base::sync::wait::Deadline;
use mf_device::engine;

use super::super::arrival_word::Tag;
use super::super::failure::Failure;
use super::super::page::AREA_BYTES;
use super::IntraHost;

impl IntraHost {
    /// The leader's first half of a round: the piece of every member goes to `block`, in the order of ranks.
    pub(in crate::group) fn collect(
        &self,
        tag: Tag,
        piece: &[u8],
        length: usize,
        block: &mut [u8],
        deadline: &mut Deadline,
    ) -> Result<u32, Failure> {
        debug_assert!(block.len() == piece.len() * self.seats.len());
        let (round, is_new) = self.begin()?;
        if is_new {
            self.own().announce(length, round);
            self.arrive(tag, round);
        }
        let block = block.as_mut_ptr();
        // SAFETY: there is room for a piece of every member.
        unsafe { engine::copy(piece.as_ptr(), block, piece.len()) };
        let mut to = block;
        self.await_all(tag, round, deadline, |seat| {
            self.check_length(seat, round, length)?;
            to = to.wrapping_add(piece.len());
            // SAFETY: the leader is the first, and the others follow in their order: `to` has room for one
            // more piece.
            unsafe { seat.take(round, to, piece.len(), length) };
            Ok(())
        })?;
        Ok(round)
    }

    /// The leader's second half: gives `bytes` to all, and opens its gate.
    pub(in crate::group) fn spread(
        &self,
        tag: Tag,
        mut round: u32,
        bytes: &[u8],
        deadline: &mut Deadline,
    ) -> Result<(), Failure> {
        let mut tag = tag;
        let mut offset = 0;
        loop {
            let chunk = bytes.get(offset..bytes.len().min(offset + AREA_BYTES)).unwrap_or_default();
            let leader = self.leader();
            // SAFETY: a chunk has at most `AREA_BYTES`. All have come to this round, so no member reads this
            // side of the area.
            unsafe { engine::copy(chunk.as_ptr(), leader.area(round), chunk.len()) };
            leader.release(round);
            self.fences.light();
            self.pass(tag, round)?;
            offset += AREA_BYTES;
            if offset >= bytes.len() {
                return Ok(());
            }
            tag = Tag::Spread;
            (round, _) = self.begin()?;
            self.arrive(tag, round);
            // The others are here, for the chunk before this one; a member that leaves here could not come
            // back to this chunk.
            interrupt::without(|| self.await_all(tag, round, deadline, |_| Ok(())))?;
        }
    }

    /// Runs the part of a member that is not the leader: contributes its piece, and receives `total` bytes of
    /// all in chunks: offset, bytes.
    pub(in crate::group) fn contribute(
        &self,
        tag: Tag,
        piece: &[u8],
        length: usize,
        total: usize,
        deadline: &mut Deadline,
        mut get: impl FnMut(usize, &[u8]),
    ) -> Result<(), Failure> {
        let mut tag = tag;
        let mut chunk = vec![0; total.min(AREA_BYTES)];
        let mut offset = 0;
        loop {
            let (round, is_new) = self.begin()?;
            if is_new {
                if tag != Tag::Spread {
                    self.own().announce(length, round);
                    self.own().publish_piece(piece, length, round);
                }
                self.arrive(tag, round);
            }
            self.table().eventcount(round).notify();
            if tag == Tag::Spread {
                // As the leader: a member that leaves between two chunks could not come back.
                interrupt::without(|| self.await_gate(tag, round, deadline))?;
            } else {
                self.await_gate(tag, round, deadline)?;
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
}
