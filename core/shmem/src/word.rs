// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words in symmetric memory through which PEs meet: changed at another PE, and waited for here.

use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use mf_base::sync::wait::{Deadline, nap_until};
use mf_base::{Error, Kind, Rank, Result, interrupt};
use mf_device::engine::Piece;
use mf_fabric::space::Presence;
use mf_fabric::transfer::Until;
use mf_fabric::transport::{Atomic, AtomicKind, Width};

use crate::World;
use crate::context::Direction;
use crate::direct::Waits;
use crate::place::Place;

/// How often a wait checks whether the PEs that it waits for are alive.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How often a wait without a limit says what it waits for.
const REPORT_EVERY: Duration = Duration::from_secs(60);
/// The fact of an error that names a PE that has died.
const DEAD: &str = "dead_rank";

/// How long a wait may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// For the control timeout.
    Control,
    /// For as long as the others live.
    None,
}

impl World {
    /// Adds to an aligned word of 8 bytes at PE `pe`; of a distant one it is only started.
    ///
    /// # Errors
    /// Those of [`atomic_update`](Self::atomic_update).
    pub(crate) fn add(&self, own: *const u8, value: u64, pe: i32) -> Result<()> {
        let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: value, compare: 0 };
        self.atomic_update(own, atomic, pe)
    }

    /// Writes a part of a word, an aligned one of 2 bytes, at PE `pe`.
    ///
    /// # Errors
    /// Those of [`place`](Self::place).
    pub(crate) fn write_half(
        &self,
        operation: &'static str,
        own: *const u8,
        value: u16,
        pe: i32,
    ) -> Result<()> {
        match self.place(operation, own, 2, pe)? {
            Place::Mapped(half) => {
                // SAFETY: mapped until the world ends, and aligned; other accesses to these two bytes are
                // atomic, too, or copies that do not tear them.
                let half = unsafe { AtomicU16::from_ptr(half.cast()) };
                half.store(value, Ordering::Release);
                Ok(())
            }
            Place::Distant(address) => {
                let bytes = value.to_ne_bytes();
                let piece = Piece {
                    src: bytes.as_ptr().cast_mut(),
                    dst: address.as_ptr(),
                    bytes: bytes.len() as u64,
                };
                // SAFETY: the bytes outlive the call, which waits until they may be changed.
                unsafe { self.context().copy(self.pool(), Direction::Put, &piece, Until::Reusable) }
            }
        }
    }

    /// Waits until `poll` finds something. `others`: the PEs for which it waits; `check`: what else ends the
    /// wait, now and then.
    ///
    /// # Errors
    /// `NotConnected` names one of them that is gone · `Timeout`, with a limit · those of `check`.
    #[inline]
    pub(crate) fn await_word<T>(
        &self,
        operation: &'static str,
        limit: Limit,
        mut poll: impl FnMut() -> Option<T>,
        others: impl Fn() -> Vec<u32>,
        check: impl Fn() -> Result<()>,
    ) -> Result<T> {
        if let Some(found) = self.waits().soon(1, &mut poll) {
            return Ok(found);
        }
        self.await_long(operation, limit, poll, others, check)
    }

    #[cold]
    fn await_long<T>(
        &self,
        operation: &'static str,
        limit: Limit,
        mut poll: impl FnMut() -> Option<T>,
        others: impl Fn() -> Vec<u32>,
        check: impl Fn() -> Result<()>,
    ) -> Result<T> {
        let (pace, begun) = (self.pace(), Instant::now());
        self.leave_shared_core();
        let bell = self.table().waits(self.my_pe()).map(Waits::bell);
        let mut reported = begun;
        loop {
            let mut deadline = Deadline::Within(LOOK_EVERY);
            // Who has changed words of others cannot leave the wait and make the call again.
            let waited = interrupt::without(|| nap_until(&mut deadline, pace, bell, &mut poll));
            if let Ok(found) = waited {
                return Ok(found);
            }
            let others = others();
            self.check_alive(operation, &others)?;
            check()?;
            let waited = begun.elapsed();
            if limit == Limit::Control && waited >= self.meeting_limit() {
                return Err(Error::new(Kind::Timeout, operation)
                    .what("PEs did not come in time")
                    .with("waits_for", format!("{others:?}"))
                    .with("waited_ms", waited.as_millis()));
            }
            if reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                tracing::warn!("{operation}: waits for PEs {others:?} since {} s", waited.as_secs());
            }
        }
    }

    /// Refuses to wait for a PE that is gone.
    ///
    /// # Errors
    /// `NotConnected` names it.
    fn check_alive(&self, operation: &'static str, others: &[u32]) -> Result<()> {
        let presence = |pe: u32| self.pool().presence(Rank(pe));
        let Some(gone) = others.iter().copied().find(|pe| presence(*pe) != Presence::Joined) else {
            return Ok(());
        };
        let because = if presence(gone) == Presence::Dead { "its process has ended" } else { "it has left" };
        Err(self.with_dead(
            Error::new(Kind::NotConnected, operation)
                .what("a PE is gone that this one waits for")
                .with("rank", gone)
                .with("because", because),
        ))
    }

    /// Names a PE that has died in the error of an operation that another one could not take part in: that
    /// may have left because of it.
    pub(crate) fn with_dead(&self, error: Error) -> Error {
        if error.kind() != Kind::NotConnected || error.fact(DEAD).is_some() {
            return error;
        }
        let is_dead = |pe: &u32| self.pool().presence(Rank(*pe)) == Presence::Dead;
        match (0..self.n_pes()).find(is_dead) {
            Some(pe) if error.fact("rank") != Some(&*pe.to_string()) => error.with(DEAD, pe),
            _ => error,
        }
    }
}
