// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes of the index, under the lock of the key at its home.
//!
//! The member may die at any step; the order of steps makes each of these states valid:
//! * A new value records the blocks that it replaces, becomes live, takes its slot, and only then the
//!   replaced blocks retire. In between both can be found, and readers take the later one.
//! * A live block without a slot is a put that did not return (its member died): the adopter of its zone
//!   [publishes it](Index::republish), unless there is a later one.

use std::ops::ControlFlow;

use mf_base::{Error, Kind, Result};

use crate::atomic_fields::{BlockState, Phase, Slot, Spot};
use crate::block::{self, Blocks, Head, PINNED, REPLICAS_MAX};
use crate::events::{Change, read_key};
use crate::index::{CHAIN, Index, Lock, unless_gone};
use crate::key::Print;
use crate::memory::Memory;
use crate::view::Member;

/// Longest chain of blocks that replaced each other, left by members that died before they retired the former
/// one.
const DEPTH: u32 = 8;

/// A slot that names a block with the value of a key.
pub(crate) struct SlotEntry {
    at: Spot,
    pub(crate) slot: Slot,
    pub(crate) head: Head,
    /// True if the slot is at the key's present home.
    pub(crate) is_home: bool,
}

/// Values that a removal leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spares {
    None,
    /// Values with a lease that ends after `now`, in milliseconds since 1970; pins do not count.
    Leased {
        now: u64,
    },
}

/// Outcome of publishing blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Published, as this version.
    Published(u64),
    /// The key has a value, which was not to be replaced.
    Present,
    /// The members that had the blocks are gone.
    Lost,
}

impl<M: Memory> Index<'_, M> {
    /// Publishes filled blocks, replicas of each other, as the value of a key.
    ///
    /// # Errors
    /// `NotConnected` its home has gone · `Timeout` names the holder of the lock · errors of the pool.
    pub(crate) fn publish(
        &self,
        operation: &'static str,
        (print, key): (Print, &[u8]),
        blocks: &[Spot],
        (version, stamp): (u64, u64),
        replace: bool,
    ) -> Result<Outcome> {
        let home = self.home(operation, print)?;
        let mut lock = self.lock(operation, &home, print)?;
        // An attempt before this one may have made blocks live, and the background may have published them.
        let (mine, old): (Vec<_>, Vec<_>) =
            self.entries(print)?.into_iter().partition(|entry| blocks.contains(&entry.slot.block()));
        if !replace && old.iter().any(|entry| entry.head.state.phase() == Phase::Live) {
            return Ok(Outcome::Present);
        }
        // Clocks differ: the order of holding the lock decides which version is later.
        let later = old.iter().map(|entry| entry.head.state.version() + 1);
        let latest = later.chain(mine.iter().map(|entry| entry.head.state.version())).max().unwrap_or(0);
        let state = BlockState::new(version.max(latest), Phase::Live);
        self.note_change(key, state.version())?;
        let named: Vec<_> =
            old.iter().take(REPLICAS_MAX).map(|e| (e.slot.block(), e.head.state.to(Phase::Live))).collect();
        let mut there = Blocks::default();
        for block in blocks {
            if !named.is_empty()
                && unless_gone(block::set_replaced(self.memory, *block, stamp, &named))?.is_none()
            {
                continue;
            }
            if unless_gone(block::set_state(self.memory, *block, state))?.is_some() {
                there.push(*block);
            }
        }
        if there.is_empty() {
            return Ok(Outcome::Lost);
        }
        self.take_slots(&mut lock, print, &there, (&mine, &old))?;
        for entry in mine.iter().filter(|entry| !entry.is_home) {
            self.clear(entry)?;
        }
        for entry in &old {
            self.leave(entry)?;
        }
        if let Some(disk) = self.disk {
            disk.remove_before((print, key), state.version());
        }
        Ok(Outcome::Published(state.version()))
    }

    /// Removes a value. Returns false if the key had no value.
    ///
    /// # Errors
    /// `InUse` it is leased, and leased ones are spared · as [`publish`](Self::publish).
    pub(crate) fn unpublish(
        &self,
        operation: &'static str,
        (print, key): (Print, Option<&[u8]>),
        spares: Spares,
    ) -> Result<bool> {
        let home = self.home(operation, print)?;
        let _lock = self.lock(operation, &home, print)?;
        let (old, is_all) = self.all_entries(print)?;
        if let Spares::Leased { now } = spares {
            let leases = old.iter().map(|entry| entry.head.lease.number()).filter(|end| *end != PINNED);
            if let Some(until) = leases.max().filter(|end| *end > now) {
                return Err(Error::new(Kind::InUse, operation)
                    .what("the value is leased")
                    .with("for_ms", until - now)
                    .hint("remove it when the lease has ended, or also if it is leased"));
            }
        }
        let ending = old.first().map(|entry| self.ending(entry.slot.block(), &entry.head)).transpose()?;
        let mut found = None;
        if let (None, Some(entry), true) = (key, old.first(), self.disk.is_some() || self.journal.is_on()) {
            found = read_key(self.memory, entry.slot.block(), &entry.head)?;
        }
        if let Some(key) = key.or(found.as_deref()) {
            self.note_change(key, 0)?;
            self.disk.into_iter().for_each(|disk| disk.remove((print, key)));
        } else if !old.is_empty() {
            self.note_change(&[], 0)?;
        }
        for entry in &old {
            self.leave(entry)?;
        }
        if let Some(ending) = ending {
            self.ended(Change::Removed, ending);
        }
        if !is_all {
            // Blocks that only that home listed are published again by their managers.
            return Err(
                Error::new(Kind::NotConnected, operation).what("a home that the key may be at has gone")
            );
        }
        Ok(!old.is_empty())
    }

    /// Publishes a live block that its home may not list: the home has changed, or its member died before it
    /// had published it.
    ///
    /// # Errors
    /// As [`publish`](Self::publish).
    pub(crate) fn republish(&self, operation: &'static str, block: Spot, head: &Head) -> Result<()> {
        let print = head.print;
        let home = self.home(operation, print)?;
        let mut lock = self.lock(operation, &home, print)?;
        if unless_gone(block::state(self.memory, block))? != Some(head.state) {
            return Ok(());
        }
        let all = self.entries(print)?;
        let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|entry| entry.slot.block() == block);
        if others.iter().any(|other| other.head.state.version() > head.state.version()) {
            for entry in &mine {
                self.clear(entry)?;
            }
            return self.retire(block, head, 0);
        }
        let older: Vec<_> =
            others.into_iter().filter(|other| other.head.state.version() < head.state.version()).collect();
        if !mine.iter().any(|entry| entry.is_home) {
            self.take_slots(&mut lock, print, &[block], (&[], &older))?;
        }
        for entry in mine.iter().filter(|entry| !entry.is_home) {
            self.clear(entry)?;
        }
        older.iter().try_for_each(|entry| self.leave(entry))
    }

    /// Returns the blocks of a value at its home, replicas of each other.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn replicas(&self, head: &Head) -> Result<Blocks> {
        let entries = self.entries(head.print)?;
        Ok(replicas(&entries, head))
    }

    /// Publishes a filled block as one more replica of a live block, if that is still the value of its key
    /// and has fewer than `most` replicas. Returns whether it did.
    ///
    /// # Errors
    /// As [`publish`](Self::publish).
    pub(crate) fn add_replica(
        &self,
        operation: &'static str,
        (block, head): (Spot, &Head),
        (replica, stamp): (Spot, u64),
        most: usize,
    ) -> Result<bool> {
        let home = self.home(operation, head.print)?;
        let mut lock = self.lock(operation, &home, head.print)?;
        let entries = self.entries(head.print)?;
        let there = replicas(&entries, head);
        let version = head.state.version();
        let is_latest = entries.iter().all(|entry| entry.head.state.version() <= version);
        let is_wanted = there.len() < most && there.iter().all(|other| other.rank != replica.rank);
        if !there.contains(&block) || !is_latest || !is_wanted {
            return Ok(false);
        }
        let now = unless_gone(Head::read(self.memory, block))?;
        if now.map(|now| (now.state, now.stamp)) != Some((head.state, head.stamp)) {
            return Ok(false);
        }
        let named = unless_gone(block::replaced(self.memory, block, head))?.unwrap_or_default();
        block::set_replaced(self.memory, replica, stamp, &named)?;
        // No other key is evicted for it.
        if !self.place_free(&mut lock, head.print, Slot::new(head.print.tag(), replica))? {
            return Ok(false);
        }
        block::set_state(self.memory, replica, head.state)?;
        // A pin from now on finds both replicas.
        if unless_gone(block::lease(self.memory, block))? == Some(PINNED) {
            let new = Head::read(self.memory, replica)?;
            block::change_lease(self.memory, replica, &new, |_| PINNED)?;
        }
        Ok(true)
    }

    /// Removes a block from all slots of the index that name it.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn forget(&self, block: Spot, print: Print) -> Result<()> {
        let wanted = Slot::new(print.tag(), block);
        for home in self.view.homes(print) {
            let cleared = self.for_each_slot(home, print, |at, slot| {
                if slot != wanted {
                    return Ok(ControlFlow::Continue(()));
                }
                self.memory.compare_swap(at, slot.0, Slot::NONE.0)?;
                Ok(ControlFlow::Break(()))
            });
            unless_gone(cleared)?;
        }
        Ok(())
    }

    /// Retires a live block, after the blocks that it had replaced.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn retire(&self, block: Spot, head: &Head, depth: u32) -> Result<()> {
        self.retire_replaced(block, head, depth)?;
        if unless_gone(self.mark_retired(block, head))? == Some(true) {
            let unpinned = |end| if end == PINNED { 0 } else { end };
            if head.lease.number() == PINNED {
                unless_gone(block::change_lease(self.memory, block, head, unpinned))?;
            }
            unless_gone(self.count_retired(block, head.units))?;
        }
        Ok(())
    }

    /// Marks a block as retired, also while its manager evicts it: if that member died, or kept the value for
    /// a lease, the value would come back. Returns false if it is no value any more.
    fn mark_retired(&self, block: Spot, head: &Head) -> Result<bool> {
        let mut state = head.state.to(Phase::Live);
        loop {
            let now = BlockState(self.memory.compare_swap(block, state.0, state.to(Phase::Retired).0)?);
            if now == state {
                return Ok(true);
            }
            let is_same = now.version() == state.version();
            if !is_same || !matches!(now.phase(), Phase::Live | Phase::Leaving) {
                return Ok(false);
            }
            state = now;
        }
    }

    /// Retires the blocks that a block had replaced, if its member died before it did so.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn retire_replaced(&self, block: Spot, head: &Head, depth: u32) -> Result<()> {
        for (older, state) in unless_gone(block::replaced(self.memory, block, head))?.unwrap_or_default() {
            let found = unless_gone(Head::read(self.memory, older))?;
            let is_it = |found: &Head| is_value(found) && found.state.to(Phase::Live) == state;
            if let Some(found) = found.filter(|found| is_it(found) && depth < DEPTH) {
                self.retire(older, &found, depth + 1)?;
            }
        }
        Ok(())
    }

    pub(crate) fn home(&self, operation: &'static str, print: Print) -> Result<Member> {
        self.view.now.home(print).copied().ok_or_else(|| {
            Error::new(Kind::NotConnected, operation).what("no member of the cache is known yet")
        })
    }

    /// Pins or unpins all replicas of a value. Returns false if the key has no value.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn pin(&self, print: Print, pinned: bool) -> Result<bool> {
        let entries = self.entries(print)?;
        for SlotEntry { slot, head, .. } in &entries {
            let end = |end| match pinned {
                true => PINNED,
                false if end == PINNED => 0,
                false => end,
            };
            unless_gone(block::change_lease(self.memory, slot.block(), head, end))?;
        }
        Ok(!entries.is_empty())
    }

    /// Returns all slots, at all homes, that name blocks with the value of a key.
    pub(crate) fn entries(&self, print: Print) -> Result<Vec<SlotEntry>> {
        self.all_entries(print).map(|(entries, _)| entries)
    }

    /// Like `entries`; also returns whether all homes were read.
    fn all_entries(&self, print: Print) -> Result<(Vec<SlotEntry>, bool)> {
        let (mut entries, mut is_all) = (Vec::new(), true);
        for (number, home) in self.view.homes(print).enumerate() {
            let seen = self.for_each_slot(home, print, |at, slot| {
                if slot != Slot::NONE && slot.tag() == print.tag() {
                    let head = unless_gone(Head::read(self.memory, slot.block()))?;
                    if let Some(head) = head.filter(|head| head.print == print && is_value(head)) {
                        entries.push(SlotEntry { at, slot, head, is_home: number == 0 });
                    }
                }
                Ok(ControlFlow::Continue(()))
            });
            // The present home exists; a former one may have gone.
            match number {
                0 => seen?,
                _ => is_all &= unless_gone(seen)?.is_some(),
            }
        }
        Ok((entries, is_all))
    }

    pub(crate) fn clear(&self, entry: &SlotEntry) -> Result<()> {
        unless_gone(self.memory.compare_swap(entry.at, entry.slot.0, Slot::NONE.0)).map(drop)
    }

    /// Removes an entry from the index, and retires its block.
    fn leave(&self, entry: &SlotEntry) -> Result<()> {
        self.clear(entry)?;
        self.retire(entry.slot.block(), &entry.head, 0)
    }

    /// Puts blocks into slots at the home, except for those that have one: in place of the blocks that they
    /// replace, else into free slots, else into slots whose blocks are gone, else in place of a key that was
    /// not read lately.
    fn take_slots(
        &self,
        lock: &mut Lock<'_, M>,
        print: Print,
        blocks: &[Spot],
        (placed, old): (&[SlotEntry], &[SlotEntry]),
    ) -> Result<()> {
        let mut former = old.iter().filter(|entry| entry.is_home);
        let has_slot =
            |block: &Spot| placed.iter().any(|entry| entry.is_home && entry.slot.block() == *block);
        for block in blocks.iter().filter(|block| !has_slot(block)) {
            let slot = Slot::new(print.tag(), *block);
            let replaced = loop {
                let Some(entry) = former.next() else { break false };
                if self.memory.compare_swap(entry.at, entry.slot.0, slot.0)? == entry.slot.0 {
                    break true;
                }
            };
            let is_stale = |head: Option<&Head>| !head.is_some_and(is_value);
            let is_idle =
                |head: Option<&Head>| head.is_some_and(|head| !head.is_used() && head.lease.number() == 0);
            let is_free_to_go = |head: Option<&Head>| head.is_some_and(|head| head.lease.number() == 0);
            let is_placed = replaced
                || self.place_free(lock, print, slot)?
                || self.take_over_slot(print, slot, blocks, is_stale)?
                || self.take_over_slot(print, slot, blocks, is_idle)?
                || self.take_over_slot(print, slot, blocks, is_free_to_go)?;
            if !is_placed {
                return Err(Error::new(Kind::NoResources, "cache put")
                    .what("the index has no room for this key beside pinned and leased ones")
                    .hint("ask for more index entries"));
            }
        }
        Ok(())
    }

    pub(crate) fn place_free(&self, lock: &mut Lock<'_, M>, print: Print, slot: Slot) -> Result<bool> {
        for step in 0..CHAIN {
            let mut is_placed = false;
            self.bucket(&lock.home, print, step, |at, found| {
                is_placed = found == Slot::NONE && self.memory.compare_swap(at, 0, slot.0)? == 0;
                Ok(if is_placed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            if is_placed {
                lock.overflows |= step > 0;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes over a slot in the key's own bucket from another block, if `may_go` allows it.
    fn take_over_slot(
        &self,
        print: Print,
        slot: Slot,
        blocks: &[Spot],
        may_go: impl Fn(Option<&Head>) -> bool,
    ) -> Result<bool> {
        let home = self.home("cache put", print)?;
        let mut is_placed = false;
        self.bucket(&home, print, 0, |at, found| {
            let block = found.block();
            let head = unless_gone(Head::read(self.memory, block))?;
            let is_candidate = !blocks.contains(&block) && may_go(head.as_ref());
            if is_candidate && self.memory.compare_swap(at, found.0, slot.0)? == found.0 {
                is_placed = true;
                // The block may hold the value of another key, which is evicted with it.
                if let Some(head) = head.filter(is_value) {
                    let ending = self.ending(block, &head)?;
                    self.retire(block, &head, 0)?;
                    self.ended(Change::Evicted, ending);
                }
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(is_placed)
    }
}

/// Returns the blocks at the home that have the same version of a value.
fn replicas(entries: &[SlotEntry], head: &Head) -> Blocks {
    let mut blocks = Blocks::default();
    let is_same = |entry: &&SlotEntry| entry.is_home && entry.head.state == head.state;
    entries.iter().filter(is_same).for_each(|entry| blocks.push(entry.slot.block()));
    blocks
}

fn is_value(head: &Head) -> bool {
    matches!(head.state.phase(), Phase::Live | Phase::Leaving)
}
