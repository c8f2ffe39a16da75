// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Books of the machine: owners of memory and numbers. Accessible under the lock only.
//!
//! The entries are authoritative; the derived sums (`used`, `first_free`) are recomputed after the holder of
//! the lock died. Resources of dead processes are collected when a process joins, when a resource is used up,
//! when a fetch finds no process, and when a call queries the remaining amount.

use std::os::fd::BorrowedFd;
use std::sync::atomic::Ordering;

use super::kinds::{Location, Pool};
use super::layout::{Budget, BudgetEntry, CLAIMS, Layout, PROCESSES, PoolHead, Slot, decode, encode};
use super::lease;
use super::lock::SessionGuard;
use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// A claim: where its entry is, and which of all claims it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClaimId {
    pub(super) index: usize,
    pub(super) id: u64,
}

/// Description of a joining process.
#[derive(Clone, Copy)]
pub(super) struct Newcomer {
    pub(super) server: u32,
    /// See [`Slot::started`].
    pub(super) started: u64,
}

/// The open books.
pub(super) struct Books<'a> {
    layout: &'a Layout,
    file: BorrowedFd<'a>,
    /// Slot of the writing process; `None` while it has none.
    own: Option<usize>,
    _held: SessionGuard<'a>,
}

impl<'a> Books<'a> {
    /// Opens them.
    pub(super) fn open(layout: &'a Layout, file: BorrowedFd<'a>, own: Option<usize>) -> Outcome<Self> {
        let held = layout.lock.acquire(|| repair(layout))?;
        if let Some(slot) = own
            && !lease::take(file, slot)
        {
            return Err(Fault::internal(
                "this process has lost its place in the machine; does it close descriptors that it did not open?",
            ));
        }
        Ok(Self { layout, file, own, _held: held })
    }

    /// Takes a free slot whose listener `bind` can open, and records the process.
    pub(super) fn enter<T>(
        &self,
        newcomer: Newcomer,
        process: impl FnOnce(u64) -> i32,
        bind: impl Fn(usize) -> Option<T>,
    ) -> Outcome<(usize, u64, T)> {
        self.collect();
        for (index, slot) in self.layout.slots.iter().enumerate() {
            if slot.state.load(Ordering::Acquire) != 0 || !lease::take(self.file, index) {
                continue;
            }
            // A process that is just ending may have lost its lease but not yet its listener.
            let Some(listener) = bind(index) else { continue };
            let incarnation = super::number::next_incarnation(self.layout.joined.load(Ordering::Relaxed));
            self.layout.joined.store(incarnation, Ordering::Relaxed);
            slot.server.store(newcomer.server, Ordering::Relaxed);
            slot.started.store(newcomer.started, Ordering::Relaxed);
            slot.incarnation.store(incarnation, Ordering::Relaxed);
            slot.process.store(process(incarnation), Ordering::Relaxed);
            slot.state.store(1, Ordering::Release);
            return Ok((index, incarnation, listener));
        }
        Err(Fault::new(
            acl::RESOURCE_ALLOC_FAIL,
            format_args!("the machine has {PROCESSES} processes already, and room for no more"),
        ))
    }

    /// Returns true if this process is already a member through another copy of the simulator: a lease
    /// belongs to the process, so the two would consider each other dead.
    pub(super) fn has(&self, process: i32, started: u64) -> bool {
        self.layout.slots.iter().any(|slot| {
            slot.state.load(Ordering::Acquire) != 0
                && slot.process.load(Ordering::Relaxed) == process
                && slot.started.load(Ordering::Relaxed) == started
        })
    }

    /// Takes memory.
    pub(super) fn claim(&self, slot: usize, location: Location, bytes: u64) -> Outcome<ClaimId> {
        let place = self.layout.place(location)?;
        let budget = &self.layout.budgets[place];
        if free_bytes(budget) < bytes {
            self.collect();
        }
        let free = free_bytes(budget);
        if free < bytes {
            let limit = budget.limit.load(Ordering::Relaxed);
            return Err(Fault::new(
                acl::MEMORY_ALLOCATION,
                format_args!("{bytes} bytes asked of {location:?}, which has {free} of {limit} bytes free"),
            ));
        }
        let index = self.free_entry().or_else(|| {
            self.collect();
            self.free_entry()
        });
        let index = index.ok_or_else(|| {
            Fault::new(
                acl::RESOURCE_ALLOC_FAIL,
                format_args!("the machine has {CLAIMS} allocations, its most"),
            )
        })?;
        let entry = &self.layout.claims[index];
        for word in &entry.holders {
            word.store(0, Ordering::Relaxed);
        }
        hold_bit(entry, slot, true);
        entry.location.store(encode(location), Ordering::Relaxed);
        entry.bytes.store(bytes, Ordering::Relaxed);
        let id = self.layout.claimed.load(Ordering::Relaxed).wrapping_add(1).max(1);
        self.layout.claimed.store(id, Ordering::Relaxed);
        entry.id.store(id, Ordering::Release);
        budget.used.store(budget.used.load(Ordering::Relaxed).saturating_add(bytes), Ordering::Relaxed);
        Ok(ClaimId { index, id })
    }

    /// Adds a holder to a claim and returns its location and bytes; `None` if it has ended.
    pub(super) fn hold(&self, claim: ClaimId, slot: usize) -> Option<(Location, u64)> {
        let entry = self.entry(claim)?;
        hold_bit(entry, slot, true);
        Some((decode(entry.location.load(Ordering::Relaxed)), entry.bytes.load(Ordering::Relaxed)))
    }

    /// Takes a holder away; the last one gives the bytes back.
    pub(super) fn release(&self, claim: ClaimId, slot: usize) {
        if let Some(entry) = self.entry(claim) {
            hold_bit(entry, slot, false);
            self.end_if_unheld(claim.index, entry);
        }
    }

    /// Free and total bytes, without what dead processes had.
    pub(super) fn budget(&self, location: Location) -> Outcome<(u64, u64)> {
        self.collect();
        let budget = &self.layout.budgets[self.layout.place(location)?];
        Ok((free_bytes(budget), budget.limit.load(Ordering::Relaxed)))
    }

    /// Sets how much memory there is.
    pub(super) fn set_limit(&self, location: Location, bytes: u64) -> Outcome {
        self.layout.budgets[self.layout.place(location)?].limit.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Takes the lowest free number.
    pub(super) fn number(&self, slot: usize, device: u32, pool: Pool) -> Outcome<u32> {
        let index = self.layout.device(device)?;
        let head = &self.layout.pools[index][pool as usize];
        let owners = self.layout.owners[index].numbers(pool);
        let limit = limit_of(head, pool);
        let find = || {
            let first = head.first_free.load(Ordering::Relaxed) as usize;
            (first..limit).find(|number| owners[*number].load(Ordering::Relaxed) == 0)
        };
        let free = find().or_else(|| {
            self.collect();
            find()
        });
        let number = free.and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
            Fault::new(
                pool.exhausted(),
                format_args!(
                    "device {device} has {limit} {} for all processes, and none is free",
                    pool.plural()
                ),
            )
        })?;
        head.high.fetch_max(number + 1, Ordering::Relaxed);
        owners[number as usize].store(owner(slot), Ordering::Relaxed);
        head.first_free.store(number + 1, Ordering::Relaxed);
        Ok(number)
    }

    /// Returns the count of free numbers, after collecting those of dead processes.
    pub(super) fn free_numbers(&self, device: u32, pool: Pool) -> Outcome<usize> {
        self.collect();
        let index = self.layout.device(device)?;
        let head = &self.layout.pools[index][pool as usize];
        let limit = limit_of(head, pool);
        // Reading beyond the numbers ever used would touch pages of the file.
        let used = limit.min(head.high.load(Ordering::Relaxed) as usize);
        let owners = &self.layout.owners[index].numbers(pool)[..used];
        let taken = owners.iter().filter(|owner| owner.load(Ordering::Relaxed) != 0).count();
        Ok(limit - taken)
    }

    /// Gives a number back.
    pub(super) fn free_number(&self, slot: usize, device: u32, pool: Pool, number: u32) {
        let Ok(index) = self.layout.device(device) else { return };
        let cell = self.layout.owners[index].numbers(pool).get(number as usize);
        if let Some(cell) = cell.filter(|cell| cell.load(Ordering::Relaxed) == owner(slot)) {
            cell.store(0, Ordering::Relaxed);
            self.layout.pools[index][pool as usize].first_free.fetch_min(number, Ordering::Relaxed);
        }
    }

    /// Lets a device have fewer numbers than the hardware; 0 for all.
    pub(super) fn set_pool_limit(&self, device: u32, pool: Pool, numbers: u32) -> Outcome {
        let index = self.layout.device(device)?;
        self.layout.pools[index][pool as usize].limit.store(numbers, Ordering::Relaxed);
        Ok(())
    }

    /// Takes back what dead processes have.
    pub(super) fn collect(&self) {
        let mut dead = [0_u64; PROCESSES / 64];
        let mut bodies: Vec<&Slot> = Vec::new();
        for (index, slot) in self.layout.slots.iter().enumerate() {
            let valid = slot.state.load(Ordering::Acquire) != 0;
            if valid && Some(index) != self.own && lease::holder(self.file, index).is_none() {
                dead[index / 64] |= 1 << (index % 64);
                bodies.push(slot);
            }
        }
        if bodies.is_empty() {
            return;
        }
        let high = self.layout.high_claim.load(Ordering::Relaxed);
        for (index, entry) in self.layout.claims.iter().enumerate().take(usize::try_from(high).unwrap_or(0)) {
            if entry.id.load(Ordering::Acquire) != 0 {
                for (holders, dead) in entry.holders.iter().zip(dead) {
                    holders.fetch_and(!dead, Ordering::Relaxed);
                }
                self.end_if_unheld(index, entry);
            }
        }
        for (heads, owners) in self.layout.pools.iter().zip(&self.layout.owners) {
            for pool in Pool::ALL {
                let head = &heads[pool as usize];
                for (number, cell) in (0..head.high.load(Ordering::Relaxed)).zip(owners.numbers(pool)) {
                    let slot = usize::from(cell.load(Ordering::Relaxed));
                    if slot > 0 && dead[(slot - 1) / 64] & (1 << ((slot - 1) % 64)) != 0 {
                        cell.store(0, Ordering::Relaxed);
                        head.first_free.fetch_min(number, Ordering::Relaxed);
                    }
                }
            }
        }
        // Last: if we die before, the next one finds them dead again.
        for slot in bodies {
            slot.state.store(0, Ordering::Release);
        }
    }

    fn entry(&self, claim: ClaimId) -> Option<&'a BudgetEntry> {
        self.layout.claims.get(claim.index).filter(|entry| entry.id.load(Ordering::Acquire) == claim.id)
    }

    fn free_entry(&self) -> Option<usize> {
        let (first, high) = (&self.layout.first_free_claim, &self.layout.high_claim);
        let start = usize::try_from(first.load(Ordering::Relaxed)).ok()?;
        let index =
            (start..CLAIMS).find(|index| self.layout.claims[*index].id.load(Ordering::Relaxed) == 0)?;
        high.fetch_max(index as u64 + 1, Ordering::Relaxed);
        first.store(index as u64 + 1, Ordering::Relaxed);
        Some(index)
    }

    fn end_if_unheld(&self, index: usize, entry: &BudgetEntry) {
        if entry.holders.iter().any(|word| word.load(Ordering::Relaxed) != 0) {
            return;
        }
        entry.id.store(0, Ordering::Release);
        self.layout.first_free_claim.fetch_min(index as u64, Ordering::Relaxed);
        if let Some(budget) = budget_of(self.layout, entry) {
            let used = budget.used.load(Ordering::Relaxed);
            budget.used.store(used.saturating_sub(entry.bytes.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
    }
}

fn limit_of(head: &PoolHead, pool: Pool) -> usize {
    match head.limit.load(Ordering::Relaxed) {
        0 => pool.size(),
        fewer => pool.size().min(fewer as usize),
    }
}

fn free_bytes(budget: &Budget) -> u64 {
    budget.limit.load(Ordering::Relaxed).saturating_sub(budget.used.load(Ordering::Relaxed))
}

fn budget_of<'a>(layout: &'a Layout, entry: &BudgetEntry) -> Option<&'a Budget> {
    layout.budgets.get(layout.place(decode(entry.location.load(Ordering::Relaxed))).ok()?)
}

fn hold_bit(entry: &BudgetEntry, slot: usize, set: bool) {
    let bit = 1 << (slot % 64);
    match set {
        true => entry.holders[slot / 64].fetch_or(bit, Ordering::Relaxed),
        false => entry.holders[slot / 64].fetch_and(!bit, Ordering::Relaxed),
    };
}

fn owner(slot: usize) -> u16 {
    u16::try_from(slot + 1).unwrap_or(0)
}

/// Makes the sums afresh, from the entries.
fn repair(layout: &Layout) {
    for budget in &layout.budgets {
        budget.used.store(0, Ordering::Relaxed);
    }
    let high = usize::try_from(layout.high_claim.load(Ordering::Relaxed)).unwrap_or(0);
    for entry in layout.claims.iter().take(high).filter(|entry| entry.id.load(Ordering::Acquire) != 0) {
        if let Some(budget) = budget_of(layout, entry) {
            budget.used.fetch_add(entry.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
    layout.first_free_claim.store(0, Ordering::Relaxed);
    for head in layout.pools.iter().flatten() {
        head.first_free.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::{AsFd, OwnedFd};

    use super::*;
    use crate::config::MachineSettings;

    const HBM: Location = Location::Device(1);

    fn machine() -> (OwnedFd, &'static Layout) {
        let (soc, topology) = ("Ascend910_9382".to_owned(), String::new());
        let facts = MachineSettings { soc, devices: 2, hbm_bytes: 100, host_bytes: 100, topology };
        Layout::create(&facts, 0, 7).unwrap()
    }

    #[test]
    fn sums_are_recomputed_after_a_writer_died() {
        let (file, layout) = machine();
        let books = Books::open(layout, file.as_fd(), None).unwrap();
        let claims = [10, 20, 30].map(|bytes| books.claim(3, HBM, bytes).unwrap());
        let numbers = [0, 1, 2].map(|_| books.number(3, 1, Pool::Event).unwrap());
        assert_eq!(numbers, [0, 1, 2]);
        drop(books);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let books = Books::open(layout, file.as_fd(), None).unwrap();
                // As if it died in the middle of releases, with the lock.
                layout.claims[claims[1].index].id.store(0, Ordering::Relaxed);
                layout.owners[1].numbers(Pool::Event)[1].store(0, Ordering::Relaxed);
                std::mem::forget(books);
            });
        });
        let books = Books::open(layout, file.as_fd(), None).unwrap();
        assert_eq!(free_bytes(&layout.budgets[layout.place(HBM).unwrap()]), 60);
        assert_eq!(books.claim(3, HBM, 60).unwrap().index, claims[1].index);
        assert_eq!(books.number(3, 1, Pool::Event).unwrap(), 1);
    }

    #[test]
    fn claim_ends_with_its_last_holder_and_its_entry_is_reused_safely() {
        let (file, layout) = machine();
        let books = Books::open(layout, file.as_fd(), None).unwrap();
        let claim = books.claim(0, HBM, 100).unwrap();
        assert_eq!(books.hold(claim, 511), Some((HBM, 100)));
        books.release(claim, 0);
        assert_eq!(books.claim(0, HBM, 1).unwrap_err().code, acl::MEMORY_ALLOCATION);
        books.release(claim, 511);
        let next = books.claim(0, HBM, 100).unwrap();
        assert_eq!(next.index, claim.index);
        assert_eq!(books.hold(claim, 1), None);
        books.release(claim, 0);
        assert!(books.hold(next, 1).is_some(), "an old claim does not end the new one");
    }

    #[test]
    fn only_the_owner_can_free_a_number() {
        let (file, layout) = machine();
        let books = Books::open(layout, file.as_fd(), None).unwrap();
        let number = books.number(5, 0, Pool::Stream).unwrap();
        books.free_number(6, 0, Pool::Stream, number);
        assert_eq!(books.free_numbers(0, Pool::Stream).unwrap(), 1983);
        books.free_number(5, 0, Pool::Stream, number);
        assert_eq!(books.free_numbers(0, Pool::Stream).unwrap(), 1984);
    }
}
