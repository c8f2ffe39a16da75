// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of the pool that several members change: atomics, and signals that follow data.
//!
//! On mapped memory the processor does it here; on another host the target's processor does, so all see one
//! order.

use mf_base::sync::pin::Pinned;
use mf_base::{ByteLen, Error, Gva, MemKind, Result};

use super::copies::{Obstacle, Side};
use super::{Pool, Presence};
use crate::engine::Piece;
use crate::space::{Access, Place};
use crate::transfer::{Signal, Until};
use crate::transport::{Atomic, SignalKind, Width};

const OP: &str = "pool atomic";
/// Words lie in the pool.
const WORDS: (Side, Side) = (Side::Global, Side::Global);

impl Pool {
    /// Changes the word at `address`, a multiple of its width in host memory of the pool, and gives its old
    /// value (zero-extended). Sequentially consistent among all members. **One-sided.** Blocks for a round
    /// trip when the word is on another host.
    ///
    /// # Errors
    /// `InvalidParam` misaligned, not in the pool, an accelerator's memory, or its transport has no such
    /// atomic · `NotStarted`, `NotConnected`, `NotInit`, `Timeout` as for copies.
    pub fn atomic(&self, section: &Pinned, address: Gva, atomic: Atomic) -> Result<u64> {
        self.check_process(OP)?;
        self.carried.atomic(&self.ends(WORDS), section, address.0, atomic)
    }

    /// Copies `bytes` from private memory at `source` to `address` (0 bytes: nothing), then changes the
    /// signal, a word of 64 bits in host memory of the same member: who sees the signal sees the data.
    /// **One-sided.** Blocks until both are visible.
    ///
    /// # Errors
    /// Those of [`Pool::atomic`] and of copies; `InvalidParam` when data and signal belong to different
    /// members. The signal is unchanged then.
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
        let signal = Signal { address: signal.0, kind, value, width: Width::W64 };
        let ends = self.ends((Side::Local, Side::Global));
        // SAFETY: passed on to the caller.
        unsafe { self.carried.put_signal(&ends, section, &piece, signal, Until::Done) }
    }

    /// Where a word is.
    ///
    /// # Errors
    /// `InvalidParam`, `NotStarted`: it can never be changed.
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
    pub(super) fn refused_word(&self, address: u64, width: Width) -> Error {
        let place = match self.word(Gva(address), width) {
            Ok(place) => place,
            Err(error) => return error,
        };
        let obstacle = self.obstacle(place, width.bytes(), Access::Write);
        // It knows no member any more when it has left meanwhile.
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
