// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words in symmetric memory through which PEs meet: changed at another PE, waited for here.

use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use mf_base::sync::wait::{Deadline, nap_until};
use mf_base::{Error, Kind, Rank, Result, interrupt};
use mf_device::engine::Piece;
use mf_fabric::space::Presence;
use mf_fabric::transfer::Until;
use mf_net::{Atomic, AtomicKind, Width};

use crate::World;
use crate::context::Direction;
use crate::direct::Waits;
use crate::place::Place;

/// Pause between two liveness checks of the PEs that a wait depends on.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Pause between two reports of a wait without a limit.
const REPORT_EVERY: Duration = Duration::from_secs(60);
/// Key of the PE that has died, in the context of an error.
const DEAD: &str = "dead_rank";

/// Limit of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The control timeout.
    Control,
    /// As long as the others live.
    None,
}

impl World {
    /// Adds to an aligned word of 8 bytes at PE `pe`; for a remote PE the addition is only started.
    ///
    /// # Errors
    /// Errors of [`atomic_update`](Self::atomic_update).
    pub(crate) fn add(&self, own: *const u8, value: u64, pe: i32) -> Result<()> {
        let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: value, compare: 0 };
        self.atomic_update(own, atomic, pe)
    }

    /// Writes an aligned part of 2 bytes of a word at PE `pe`.
    ///
    /// # Errors
    /// Errors of [`place`](Self::place).
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

    /// Waits until `poll` returns a value. `others`: the PEs that it waits for; `check`: called now and then,
    /// its error ends the wait.
    ///
    /// # Errors
    /// `NotConnected` names a PE of `others` that is gone · `Timeout`, with a limit · errors of `check`.
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
            // Not interruptible: a call that has changed words of others cannot be repeated.
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

    /// Fails if a PE is gone.
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

    /// Adds a PE that has died to the error of an operation that another PE left: it may have left because of
    /// the death.
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
