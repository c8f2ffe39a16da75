// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locks of the whole job: one symmetric `long` each, zero on all PEs before the first use.
//!
//! **Problem.** PEs get a lock in the order in which they request it. They wait locally, in their own word,
//! and the lock costs uninvolved PEs nothing.
//!
//! **The word.** PEs are stored as number + 1, so that 0 means no PE.
//!
//! | bytes | contents | at which PE | writer |
//! |---|---|---|---|
//! | 0 | the successor: the PE waiting behind this one | each | the successor |
//! | 2 | state: this PE waits or holds | each | this PE; its predecessor, at the hand-over |
//! | 4 | the tail of the queue | the home of the lock | all, by atomics |
//!
//! The home is found from the place of the word, so that the homes of an array of locks are spread.
//!
//! **Protocol** (MCS queue lock, of Mellor-Crummey and Scott). Acquire: swap the own number into the tail; if
//! that was 0 the lock is held, else write the own number into "successor" of the former tail, and wait for
//! "holds". Release: if there is no successor, replace the tail by 0 if it is still the own number; else wait
//! for the successor and write "holds" there. So an uncontended pair costs two atomics at the home, and a
//! contended one costs one atomic and two puts.
//!
//! **A PE that dies** in the queue breaks the lock: its successor detects that, marks its own word as broken,
//! and fails; so does each further successor. A broken lock stays broken.

use std::sync::atomic::{AtomicU16, Ordering};

use mf_base::{Error, Kind, Result};
use mf_transport::{Atomic, AtomicKind, Width};

use crate::access::Access;
use crate::wait::Limit;

const SET: &str = "symmetric lock";
const CLEAR: &str = "symmetric unlock";

const BEHIND: usize = 0;
const STATE: usize = 2;
const LAST: usize = 4;

/// States of a PE.
const NONE: u16 = 0;
const WAITS: u16 = 1;
const HOLDS: u16 = 2;
const BROKEN: u16 = 3;

/// A lock, as one PE has it.
pub(crate) struct Lock<'a> {
    access: Access<'a>,
    operation: &'static str,
    own: *mut u8,
    home: i32,
}

impl<'a> Lock<'a> {
    /// Acquires the lock at the own symmetric address; waits for earlier PEs, as long as they live.
    pub(crate) fn set(access: Access<'a>, own: *mut i64) -> Result<()> {
        Self::find(access, SET, own)?.take().map_err(|error| access.space().pe().with_dead(error))
    }

    /// Acquires the lock if no PE has it. Returns whether it did.
    pub(crate) fn test(access: Access<'a>, own: *mut i64) -> Result<bool> {
        let lock = Self::find(access, SET, own)?;
        lock.enlist()?;
        let before = lock.replace_last(0, lock.number()).inspect_err(|_| lock.set_state(NONE))?;
        lock.set_state(if before == 0 { HOLDS } else { NONE });
        Ok(before == 0)
    }

    /// Completes this PE's puts, and releases the lock to the next PE.
    pub(crate) fn clear(access: Access<'a>, own: *mut i64) -> Result<()> {
        let lock = Self::find(access, CLEAR, own)?;
        if lock.half(STATE).load(Ordering::Acquire) != HOLDS {
            return Err(Error::invalid(CLEAR, "this PE does not hold the lock")
                .with("lock", format!("{:p}", lock.own))
                .hint("the PE that has set a lock clears it; nothing has changed"));
        }
        let quiet = access.completed()?;
        lock.pass_to_next()?;
        quiet
    }

    fn find(access: Access<'a>, operation: &'static str, own: *mut i64) -> Result<Self> {
        let (space, n_pes) = (access.space(), access.space().pe().n_pes());
        space.pe().check(operation)?;
        let own = own.cast::<u8>();
        if !own.addr().is_multiple_of(8) {
            return Err(Error::invalid(operation, "the lock is not aligned")
                .with("lock", format!("{own:p}"))
                .hint("a lock is a long at a multiple of 8"));
        }
        if n_pes >= u32::from(u16::MAX) {
            return Err(Error::invalid(operation, "locks are for at most 65,534 PEs").with("n_pes", n_pes));
        }
        let pe = space.pe().my_pe();
        space.check_host_memory(operation)?;
        let distance = space.distance_of(own, 8, pe);
        let (_, distance) = distance.ok_or_else(|| space.not_symmetric(operation, own, 8, pe))?;
        let home = i32::try_from(distance / 8 % u64::from(n_pes)).unwrap_or(0);
        Ok(Self { access, operation, own, home })
    }

    fn my_pe(&self) -> u32 {
        self.access.space().pe().my_pe()
    }

    /// Returns this PE's number as stored in words.
    fn number(&self) -> u16 {
        u16::try_from(self.my_pe() + 1).unwrap_or(u16::MAX)
    }

    /// Returns a half of the own word.
    fn half(&self, at: usize) -> &AtomicU16 {
        // SAFETY: inside of the own word, symmetric memory until the world ends, and aligned; all accesses to
        // these two bytes are atomic, or copies that do not tear them.
        unsafe { AtomicU16::from_ptr(self.own.wrapping_add(at).cast()) }
    }

    fn set_state(&self, state: u16) {
        self.half(STATE).store(state, Ordering::Release);
    }

    fn take(&self) -> Result<()> {
        self.enlist()?;
        let before = self.swap_last(self.number()).inspect_err(|_| self.set_state(NONE))?;
        if before == 0 {
            self.set_state(HOLDS);
            return Ok(());
        }
        self.await_turn(before - 1)
    }

    /// Marks this PE as waiting for the lock.
    fn enlist(&self) -> Result<()> {
        let Err(state) = self.half(STATE).compare_exchange(NONE, WAITS, Ordering::AcqRel, Ordering::Acquire)
        else {
            return Ok(());
        };
        Err(match state {
            WAITS => Error::new(Kind::RepeatInvoke, self.operation)
                .what("another thread of this PE waits for the lock"),
            HOLDS => Error::invalid(self.operation, "this PE holds the lock already"),
            BROKEN => self.holder_lost(),
            _ => Error::invalid(self.operation, "invalid lock word: not a lock, or overwritten"),
        }
        .with("lock", format!("{:p}", self.own)))
    }

    fn last(&self, kind: AtomicKind, operand: u16, compare: u16) -> Result<u16> {
        let atomic =
            Atomic { kind, width: Width::W32, operand: u64::from(operand), compare: u64::from(compare) };
        let old = self.access.atomic(self.own.wrapping_add(LAST), atomic, self.home)?;
        u16::try_from(old).map_err(|_| Error::invalid(self.operation, "invalid lock word").with("found", old))
    }

    fn swap_last(&self, number: u16) -> Result<u16> {
        self.last(AtomicKind::Swap, number, 0)
    }

    fn replace_last(&self, old: u16, new: u16) -> Result<u16> {
        self.last(AtomicKind::CompareSwap, new, old)
    }

    /// Waits behind PE `before`.
    fn await_turn(&self, before: u16) -> Result<()> {
        let pe = i32::from(before);
        let behind = self.own.wrapping_add(BEHIND);
        let poll = || (self.half(STATE).load(Ordering::Acquire) == HOLDS).then_some(());
        let others = || vec![u32::from(before)];
        let announced = self.access.write_half(self.operation, behind, self.number(), pe);
        let waited = announced.and_then(|()| self.wait(poll, others, || self.check_whole(pe)));
        if waited.is_err() {
            // Read by the successor.
            self.set_state(BROKEN);
        }
        waited
    }

    /// Waits until `poll` returns a value, as long as `others` live and `check` succeeds.
    fn wait<T>(
        &self,
        poll: impl FnMut() -> Option<T>,
        others: impl Fn() -> Vec<u32>,
        check: impl Fn() -> Result<()>,
    ) -> Result<T> {
        let (waits, space) = (self.access.waits(), self.access.space());
        waits.await_word(space, self.operation, Limit::None, poll, others, check)
    }

    /// Fails if the predecessor has given up.
    fn check_whole(&self, before: i32) -> Result<()> {
        let fetch = Atomic { kind: AtomicKind::Fetch, width: Width::W32, operand: 0, compare: 0 };
        let low = u32::try_from(self.access.atomic(self.own, fetch, before)?).unwrap_or(0).to_ne_bytes();
        if u16::from_ne_bytes([low[STATE], low[STATE + 1]]) == BROKEN {
            return Err(self.holder_lost());
        }
        Ok(())
    }

    fn holder_lost(&self) -> Error {
        Error::new(Kind::NotConnected, self.operation)
            .what("the lock is lost: a PE that had it, or waited for it, is gone")
    }

    fn pass_to_next(&self) -> Result<()> {
        let behind = || Some(self.half(BEHIND).load(Ordering::Acquire)).filter(|behind| *behind != 0);
        let next = match behind() {
            Some(next) => next,
            None => {
                if self.replace_last(self.number(), 0)? == self.number() {
                    self.set_state(NONE);
                    return Ok(());
                }
                // A successor has entered the queue, and will write its number.
                let n_pes = self.access.space().pe().n_pes();
                let others = || (0..n_pes).filter(|pe| *pe != self.my_pe()).collect();
                self.wait(behind, others, || Ok(()))?
            }
        };
        self.half(BEHIND).store(0, Ordering::Relaxed);
        self.set_state(NONE);
        self.access.write_half(self.operation, self.own.wrapping_add(STATE), HOLDS, i32::from(next - 1))
    }
}
