// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of the pool that several members change: atomics, and signals that follow data.
//!
//! Host memory that is mapped is changed by the processor here; memory on another host by its owner. Words of
//! device memory have one order because one process, the owner, reads, changes and writes them: members of
//! its host send it a request over their link.

use std::time::Instant;

use mf_base::sync::rcu::ReadGuard;
use mf_base::{ByteLen, Error, Gva, Kind, Result};
use mf_device::Access;
use mf_device::engine::Piece;
use mf_net::Contributor;
use mf_net::link::{Asker, Outcome};
use mf_transport::{Atomic, Width};

use super::Pool;
use super::protocol::{self, Reply, Request};
use super::refusal::Obstacle;
use super::side::Side;
use crate::space::{PoolPlace, Presence};
use crate::transfer::{Signal, Until};

const OP: &str = "pool atomic";
/// Words lie in the pool.
const WORDS: (Side, Side) = (Side::Global, Side::Global);

impl Pool {
    /// Changes the word at `address`, a multiple of its width in the pool, and returns its old value
    /// (zero-extended). Sequentially consistent among all members; for an accelerator's memory not with
    /// concurrent accesses of kernels. **One-sided.** Blocks for a round trip if the word is on another host,
    /// or in an accelerator's memory of another member.
    ///
    /// # Errors
    /// `InvalidParam` misaligned, not in the pool, or its transport has no such atomic · `NotStarted`,
    /// `NotConnected`, `NotInit`, `Timeout` as for copies.
    pub fn atomic(&self, section: &ReadGuard, address: Gva, atomic: Atomic) -> Result<u64> {
        self.check_process(OP)?;
        self.remote_lane.atomic(&self.resolver(WORDS), section, address.0, atomic)
    }

    /// Copies a piece of private memory into the pool (0 bytes: nothing), then changes the signal, a word of
    /// the same member: a reader that sees the signal also sees the data. **One-sided.** Blocks until both
    /// are visible.
    ///
    /// # Errors
    /// As [`Pool::atomic`] and copies; `InvalidParam` if data and signal belong to different members. The
    /// signal is unchanged then.
    ///
    /// # Safety
    /// The source is readable for `bytes` until the call returns.
    pub unsafe fn put_signal(&self, section: &ReadGuard, piece: Piece, signal: Signal) -> Result<()> {
        self.check_process(OP)?;
        let place = self.word(Gva(signal.address), signal.width)?;
        let target = self.segments.layout.locate(piece.dst.addr() as u64);
        if piece.bytes > 0 && target.is_none_or(|target| target.rank != place.rank) {
            return Err(Error::invalid(OP, "data and signal must belong to the same member")
                .with("dst", format!("{:#x}", piece.dst.addr()))
                .with("signal", Gva(signal.address)));
        }
        let resolver = self.resolver((Side::Local, Side::Global));
        // SAFETY: passed on to the caller.
        unsafe { self.remote_lane.put_signal(&resolver, section, &piece, signal, Until::Done) }
    }

    /// Locates a word.
    ///
    /// # Errors
    /// `InvalidParam`, `NotStarted`: it can never be changed.
    fn word(&self, address: Gva, width: Width) -> Result<PoolPlace> {
        let bad = |what: &str| {
            Error::invalid(OP, what)
                .with("address", address)
                .with("bytes", width.bytes())
                .with("pool", self.me().id)
        };
        if !self.is_joined() {
            return Err(self.me().not_joined(OP));
        }
        if !address.0.is_multiple_of(width.bytes()) {
            return Err(bad("the address is not a multiple of the word's size"));
        }
        self.segments.layout.locate(address.0).ok_or_else(|| bad("the address is not in the pool"))
    }

    /// Changes a word of this member's memory for another one.
    ///
    /// # Errors
    /// As [`Contributor::access`] · `InvalidParam` misaligned · errors of the device.
    pub(super) fn change_own(&self, address: u64, atomic: Atomic) -> Result<u64> {
        let mut old = Ok(0);
        self.access(address, atomic.width.bytes(), Access::Write, &mut |spot| {
            // SAFETY: the spot is valid during the call.
            old = unsafe { atomic.change(spot) };
        })?;
        old
    }

    /// Asks the member that owns the word's device memory to change it. Waits outside of the section.
    ///
    /// # Errors
    /// Errors of the owner · `NotConnected` the owner has ended · `Timeout` it does not reply ·
    /// `Interrupted`; after the last two the word may be changed.
    pub(super) fn change_lent(&self, section: &ReadGuard, address: Gva, atomic: Atomic) -> Result<u64> {
        let rank = self.word(address, atomic.width)?.rank;
        let request = |_| Ok((Request::Change { address: address.0, atomic }, Vec::new()));
        let ask = || {
            self.local_peers.request_all(
                &Asker::current()?,
                &[rank],
                request,
                Instant::now() + self.me().control_timeout,
            )
        };
        let _kept = self.share();
        // SAFETY: this pool is kept by its share, and no reference from the section is used afterwards.
        let outcome = unsafe { section.suspend(ask) }?.pop().map(|(_, outcome)| outcome);
        let error = |kind, what: &str| {
            Error::new(kind, OP)
                .what(what)
                .with("rank", rank)
                .with("pool", self.me().id)
                .with("address", address)
        };
        match outcome {
            Some(Outcome::Done(reply)) => match protocol::decode(&reply.bytes)? {
                Reply::Changed(old) => Ok(old),
                other => Err(error(Kind::Failed, "an unexpected reply").with("reply", format!("{other:?}"))),
            },
            Some(Outcome::Refused { code, text }) => {
                let kind = Kind::from_code(code).unwrap_or(Kind::Failed);
                Err(error(kind, "the owner of the word refuses to change it").with("reason", text))
            }
            Some(Outcome::TimedOut) => {
                Err(error(Kind::Timeout, "the owner of the word does not reply, and may still change it")
                    .with("timeout_ms", self.me().control_timeout.as_millis()))
            }
            Some(Outcome::Closed) | None => Err(self.me().unreachable(rank, Presence::Left)),
        }
    }

    /// Returns the error of a refused word.
    #[cold]
    pub(super) fn refused_word(&self, address: u64, width: Width) -> Error {
        let place = match self.word(Gva(address), width) {
            Ok(place) => place,
            Err(error) => return error,
        };
        let obstacle = self.refusals().find_obstacle(place, width.bytes(), Access::Write);
        // A member that has left meanwhile has dropped its list of members.
        if !self.is_joined() {
            return self.me().not_joined(OP);
        }
        match obstacle {
            Some(Obstacle::EndAt(present)) => {
                Error::invalid(OP, "the word does not lie inside the member's segment")
                    .with("rank", place.rank)
                    .with("kind", place.kind)
                    .with("offset", place.offset)
                    .with("segment", ByteLen(present))
                    .with("pool", self.me().id)
            }
            Some(Obstacle::Owner(presence)) => self.me().unreachable(place.rank, presence),
            // It has joined since it was refused.
            None => self.me().unreachable(place.rank, Presence::Absent),
        }
    }
}
