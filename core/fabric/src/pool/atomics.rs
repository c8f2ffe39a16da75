// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of the pool that several members change: atomics, and signals that follow data.
//!
//! On mapped memory the processor does it here; on another host the target's processor does, so all see one order.

use std::sync::Arc;

use mf_base::sync::pin::Pinned;
use mf_base::{ByteLen, Error, Gva, MemKind, Result};

use super::copies::{Mode, Obstacle, Side};
use super::{Pool, Presence};
use crate::engine::Piece;
use crate::space::{Access, Place};
use crate::transport::{Atomic, Completion, Operation, Remote, SegmentKey, SignalKind, Span, Width};

const OP: &str = "pool atomic";

impl Pool {
    /// Changes the word at `address`, a multiple of its width in host memory of the pool, and gives its old value
    /// (zero-extended). Sequentially consistent among all members. **One-sided.** Blocks for a round trip when the word is on
    /// another host.
    ///
    /// # Errors
    /// `InvalidParam` misaligned, not in the pool, an accelerator's memory, or its transport has no such atomic ·
    /// `NotStarted`, `NotConnected`, `NotInit`, `Timeout` as for copies.
    pub fn atomic(&self, section: &Pinned, address: Gva, atomic: Atomic) -> Result<u64> {
        self.check_process(OP)?;
        let place = self.word(address, atomic.width)?;
        if self.extents.covers(place, atomic.width.bytes(), Access::Write) {
            // SAFETY: the word is aligned and lies in mapped host memory, which stays mapped during the section.
            return Ok(unsafe { atomic.apply(address.as_ptr()) });
        }
        let mut old = 0u64;
        let result = &raw mut old;
        self.carry_one(section, place, atomic.width.bytes(), |key| Operation::Atomic {
            at: Remote { key, address: address.0 },
            atomic,
            old: result,
        })?;
        Ok(old)
    }

    /// Copies `bytes` from private memory at `source` to `address` (0 bytes: nothing), then changes the signal, a word of
    /// 64 bits in host memory of the same member: who sees the signal sees the data. **One-sided.** Blocks until both are
    /// visible.
    ///
    /// # Errors
    /// Those of [`Pool::atomic`] and of copies; `InvalidParam` when data and signal belong to different members. The signal
    /// is unchanged then.
    ///
    /// # Safety
    /// The source is readable for `bytes` until the call returns.
    pub unsafe fn put_signal(
        &self,
        section: &Pinned,
        piece: Piece,
        signal: Gva,
        kind: SignalKind,
        value: u64,
    ) -> Result<()> {
        self.check_process(OP)?;
        let place = self.word(signal, Width::W64)?;
        let target = self.layout.locate(piece.dst.addr() as u64);
        if piece.bytes > 0 && target.is_none_or(|target| target.rank != place.rank) {
            return Err(Error::invalid(OP, "data and signal must belong to the same member")
                .with("dst", format!("{:#x}", piece.dst.addr()))
                .with("signal", signal));
        }
        let is_mapped = self.extents.covers(place, Width::W64.bytes(), Access::Write);
        let is_device = target.is_some_and(|target| target.kind == MemKind::Device);
        if is_mapped || (is_device && self.devices.mover().is_some()) {
            if piece.bytes > 0 {
                // SAFETY: passed on to the caller.
                unsafe { self.copy(section, piece, (Side::Local, Side::Global), Mode::Sync) }?;
            }
            let atomic = kind.atomic(Width::W64, value);
            return self.atomic(section, signal, atomic).map(|_| ());
        }
        let span = Span { local: piece.src.cast_mut(), address: piece.dst.addr() as u64, bytes: piece.bytes };
        let spans = if piece.bytes > 0 { std::slice::from_ref(&span) } else { &[] };
        if let Some(target) = target
            && self.remote_member(target, piece.bytes).is_none()
        {
            return Err(self.explain(&piece, (Side::Local, Side::Global)));
        }
        self.carry_one(section, place, Width::W64.bytes(), |key| Operation::Signal {
            key,
            spans,
            signal: signal.0,
            width: Width::W64,
            kind,
            value,
        })
    }

    /// Posts one operation on remote memory and waits for it.
    fn carry_one<'a>(
        &self,
        section: &Pinned,
        place: Place,
        bytes: u64,
        operation: impl Fn(SegmentKey) -> Operation<'a>,
    ) -> Result<()> {
        let (Some(mut member), Some(network)) = (self.remote_member(place, bytes), self.remote.network())
        else {
            return Err(self.refused_word(place, bytes));
        };
        let _pool = self.share();
        loop {
            let way = self.way(&member)?;
            let completion = Arc::new(Completion::new());
            let operation = operation(member.key);
            let deadline = network.deadline(bytes);
            // SAFETY: whatever local memory it names is valid until the completion was waited for, below.
            unsafe { way.transport.post(way.peer, &operation, &completion, deadline) }?;
            // SAFETY: nothing that was found in the section is used; the pool is held by the share.
            let outcome = unsafe { section.suspend(|| way.transport.wait(&completion)) };
            let Err(error) = outcome else { return Ok(()) };
            member = self.came_back(&member, &error).ok_or(error)?;
        }
    }

    fn word(&self, address: Gva, width: Width) -> Result<Place> {
        let bad = |what: &str| {
            Error::invalid(OP, what)
                .with("address", address)
                .with("bytes", width.bytes())
                .with("pool", self.id)
        };
        if !self.is_joined() {
            return Err(self.not_joined(OP));
        }
        if !address.0.is_multiple_of(width.bytes()) {
            return Err(bad("the address is not a multiple of the word's size"));
        }
        let place = self.layout.locate(address.0).ok_or_else(|| bad("the address is not in the pool"))?;
        if place.kind == MemKind::Device && self.devices.mover().is_some() {
            return Err(bad("atomics need host memory, and this is an accelerator's"));
        }
        Ok(place)
    }

    /// Why a word in the pool cannot be changed.
    #[cold]
    fn refused_word(&self, place: Place, bytes: u64) -> Error {
        let obstacle = self.obstacle(place, bytes, Access::Write);
        // It knows nobody any more when it has left meanwhile.
        if !self.is_joined() {
            return self.not_joined(OP);
        }
        match obstacle {
            Some(Obstacle::EndAt(present)) => {
                Error::invalid(OP, "the word does not lie inside the member's segment")
                    .with("rank", place.rank)
                    .with("kind", place.kind)
                    .with("offset", place.offset)
                    .with("segment", ByteLen(present))
                    .with("pool", self.id)
            }
            Some(Obstacle::Owner(presence)) => self.unreachable(place.rank, presence),
            // It has joined since it was refused.
            None => self.unreachable(place.rank, Presence::Absent),
        }
    }
}
