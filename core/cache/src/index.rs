// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Index: from a key to the block that holds its value.
//!
//! A key's home has a bucket for it: a control word and 15 slots, each one word that names a block. If its
//! bucket is full, a key goes to one of the three buckets behind it.
//!
//! **Readers** take no lock: they read the bucket, then the heads of the blocks that its slots name, and
//! decide by the heads. A slot is ignored if its block has been reused meanwhile.
//!
//! **Writers** hold the lock of the key's bucket at its home (`publish.rs`). Each slot changes by one atomic
//! step, so a holder of the lock may die anywhere: a waiter takes the lock over from a dead holder.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result, Retry};

use crate::atomic_fields::{Control, Holder, Phase, Slot, Spot};
use crate::block::Head;
use crate::disk::Disk;
use crate::events::Events;
use crate::journal::{Change, Journal};
use crate::key::Print;
use crate::layout::{BUCKET_BYTES, Geometry, SLOTS};
use crate::memory::Memory;
use crate::view::{Member, View};

/// Buckets that a key may be in.
pub(crate) const CHAIN: u64 = 4;
/// Attempts at reading a key that others change meanwhile.
const TRIES: u32 = 64;
/// Pauses between two examinations of a lock's holder.
const EXAMINED_EVERY: u32 = 64;
/// Longest wait for a lock with a live holder.
const LOCK_DEADLINE: Duration = Duration::from_secs(30);

/// The index as one member sees it during one operation.
pub(crate) struct Index<'a, M> {
    pub(crate) memory: &'a M,
    pub(crate) view: &'a View,
    pub(crate) me: Holder,
    pub(crate) events: &'a Events,
    /// The disk of this member.
    pub(crate) disk: Option<&'a Disk>,
    /// The journal of this member.
    pub(crate) journal: &'a Journal,
}

/// A block that holds the value of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) block: Spot,
    pub(crate) head: Head,
}

enum Examined {
    Value(Head),
    /// Its manager is deciding whether it stays.
    Undecided,
    Other,
}

/// Returns true if an operation may be redirected to another member: this one is gone, or its connection was
/// given up.
pub(crate) fn is_unreached(error: &Error) -> bool {
    error.kind() == Kind::NotConnected || error.retry_class() == Retry::AtOnce
}

/// Returns `None` if the member of the operation is gone or out of reach.
///
/// # Errors
/// All others.
pub(crate) fn unless_gone<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_unreached(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

impl<M: Memory> Index<'_, M> {
    /// Finds a value: the latest of several versions, the nearest of several replicas, a block rather than a
    /// stub.
    ///
    /// # Errors
    /// Errors of the pool, when no replica can be reached.
    #[inline]
    pub(crate) fn find(&self, print: Print) -> Result<Option<Found>> {
        let mut former = 0;
        for turn in 0..TRIES {
            let (mut best, mut others, mut undecided, mut failure) = (None, 0u64, false, None);
            for home in self.view.homes(print) {
                let seen = self.for_each_slot(home, print, |_, slot| {
                    if slot == Slot::NONE || slot.tag() != print.tag() {
                        return Ok(ControlFlow::Continue(()));
                    }
                    match unless_gone(self.examine(slot.block(), print)) {
                        Ok(Some(Examined::Value(head))) => {
                            self.prefer(&mut best, Found { block: slot.block(), head });
                        }
                        Ok(Some(Examined::Other)) => others = others.rotate_left(9) ^ slot.0,
                        Ok(Some(Examined::Undecided)) => undecided = true,
                        Ok(None) => {}
                        Err(error) => failure = Some(error),
                    }
                    Ok(ControlFlow::Continue(()))
                });
                if let Err(error) = unless_gone(seen) {
                    failure = Some(error);
                }
            }
            if best.is_some() {
                return Ok(best);
            }
            // A block that has vanished may have been replaced: then the slots have changed.
            if !undecided && (others == 0 || others == former) {
                return failure.map_or(Ok(None), Err);
            }
            former = others;
            self.memory.pause(turn);
        }
        Ok(None)
    }

    /// Prefetches the bucket of a key that is about to be changed.
    #[inline]
    pub(crate) fn prefetch(&self, print: Print) {
        if let Some(Member { holder, geometry, .. }) = self.view.now.home(print) {
            let bucket = geometry.bucket(holder.rank, print.bucket(geometry.buckets));
            self.memory.prefetch(bucket);
            self.memory.prefetch(bucket.add(BUCKET_BYTES / 2));
        }
    }

    /// Calls `visit` for every slot that may hold a key at that home, until it breaks.
    ///
    /// # Errors
    /// Errors of the pool and of `visit`.
    #[inline]
    pub(crate) fn for_each_slot(
        &self,
        home: &Member,
        print: Print,
        mut visit: impl FnMut(Spot, Slot) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        for step in 0..CHAIN {
            let control = self.bucket(home, print, step, &mut visit)?;
            if control.is_none_or(|control| !control.overflows()) && step == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Calls `visit` for every slot of one of the buckets of a key. Returns `None` if it broke.
    ///
    /// # Errors
    /// Errors of the pool and of `visit`.
    #[inline]
    pub(crate) fn bucket(
        &self,
        Member { holder, geometry, .. }: &Member,
        print: Print,
        step: u64,
        mut visit: impl FnMut(Spot, Slot) -> Result<ControlFlow<()>>,
    ) -> Result<Option<Control>> {
        const { assert!(BUCKET_BYTES == 8 * (SLOTS as u64 + 1)) };
        let at = geometry.bucket(holder.rank, print.bucket(geometry.buckets) + step);
        let [control, slots @ ..]: [u64; SLOTS + 1] = self.memory.load_all(at)?;
        for (number, slot) in (1..).zip(slots) {
            if visit(at.add(number * 8), Slot(slot))?.is_break() {
                return Ok(None);
            }
        }
        Ok(Some(Control(control)))
    }

    fn examine(&self, block: Spot, print: Print) -> Result<Examined> {
        let head = Head::read(self.memory, block)?;
        Ok(match head.state.phase() {
            Phase::Live if head.print == print => Examined::Value(head),
            Phase::Leaving if head.print == print => Examined::Undecided,
            _ => Examined::Other,
        })
    }

    fn prefer(&self, best: &mut Option<Found>, found: Found) {
        let rank = |found: &Found| {
            let rank = found.block.rank;
            let is_near = self.view.latest().member(rank).is_some_and(|member| member.is_near);
            (found.head.state.version(), !found.head.holds.is_on_disk, rank == self.me.rank, is_near)
        };
        if best.as_ref().is_none_or(|best| rank(&found) > rank(best)) {
            *best = Some(found);
        }
    }

    /// Takes the lock of a key at its home.
    ///
    /// # Errors
    /// `Timeout` names the rank that holds it · errors of the pool.
    pub(crate) fn lock(&self, operation: &'static str, home: &Member, print: Print) -> Result<Lock<'_, M>> {
        let at = home.geometry.bucket(home.holder.rank, print.bucket(home.geometry.buckets));
        let mut deadline = None;
        for turn in 0.. {
            let now = Control(self.memory.load(at)?);
            let holder = now.holder();
            let is_due = turn % EXAMINED_EVERY == EXAMINED_EVERY - 1;
            let may_take = match holder {
                None => true,
                Some(holder) => is_due && !self.is_alive(holder),
            };
            let mine = now.locked(self.me);
            if may_take && self.memory.compare_swap(at, now.0, mine.0)? == now.0 {
                return Ok(Lock { memory: self.memory, at, control: mine, overflows: false, home: *home });
            }
            if is_due {
                let begun = *deadline.get_or_insert_with(Instant::now);
                if let Some(holder) = holder.filter(|_| begun.elapsed() >= LOCK_DEADLINE) {
                    return Err(Error::new(Kind::Timeout, operation)
                        .what("another member changes this key, or one beside it, and does not end")
                        .with("rank", holder.rank)
                        .with("waited_ms", begun.elapsed().as_millis()));
                }
            }
            self.memory.pause(turn);
        }
        Err(Error::new(Kind::Timeout, operation).what("the lock of a key stays taken"))
    }

    /// Returns true if the process that a lock names is still a member.
    pub(crate) fn is_alive(&self, holder: Holder) -> bool {
        let incarnation = Spot { rank: holder.rank, offset: 8 };
        self.memory.is_member(holder.rank)
            && self.memory.load(incarnation).is_ok_and(|now| now & 0xff_ffff == u64::from(holder.incarnation))
    }

    /// Returns true if exactly this process is a member, also if the view does not know it yet.
    pub(crate) fn is_present(&self, holder: Holder) -> bool {
        let incarnation = self.memory.load(Spot { rank: holder.rank, offset: 8 });
        self.memory.is_member(holder.rank)
            && incarnation.is_ok_and(|now| now == u64::from(holder.incarnation))
    }

    /// Notes a change of a key, before it can be seen, for members with a tier on disk. An empty key stands
    /// for all keys, version 0 for no value.
    ///
    /// # Errors
    /// Errors of the pool.
    #[inline]
    pub(crate) fn note_change(&self, key: &[u8], version: u64) -> Result<()> {
        let own = self.view.latest().member(self.me.rank).map(|own| &own.geometry);
        let append = |own| self.journal.append(self.memory, (self.me.rank, own), Change { key, version });
        own.map_or(Ok(()), append)
    }

    /// Counts units of that member's zone that its manager may reclaim.
    pub(crate) fn count_retired(&self, block: Spot, units: u64) -> Result<()> {
        let zone =
            self.view.latest().member(block.rank).and_then(|member| member.geometry.zone_of(block.offset));
        match zone {
            Some(zone) => self.memory.add(Geometry::retired(block.rank, zone), units),
            None => Ok(()),
        }
    }
}

/// Guard of the lock of a bucket.
pub(crate) struct Lock<'a, M: Memory> {
    memory: &'a M,
    at: Spot,
    control: Control,
    /// A key of this bucket was put into a later bucket.
    pub(crate) overflows: bool,
    pub(crate) home: Member,
}

impl<M: Memory> Drop for Lock<'_, M> {
    fn drop(&mut self) {
        let after = self.control.unlocked(self.overflows);
        // If the home is gone, so is the lock; if another process has taken it over (taking this one for
        // dead), it keeps it.
        let _ = self.memory.compare_swap(self.at, self.control.0, after.0);
    }
}
