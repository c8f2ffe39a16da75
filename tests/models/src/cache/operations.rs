// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations of programs, step by step.

use super::{BLOCKS, Block, Cache, Entry, HOST, Kind, MEMBERS, Next, Operation, Phase, Set, State, bit, has};
use crate::check::Step;
use crate::list::List;

impl Cache {
    /// The step that a member's operation takes next; none if it waits, or there is no operation.
    pub(super) fn operation_step(&self, state: &State, by: u8) -> Option<Kind> {
        let operation = self.operation(state, by)?;
        let worker = &state.workers[usize::from(by)];
        let home = Self::home(worker.view);
        let is_at_home = matches!(
            worker.next,
            Next::Lock | Next::ReadEntries | Next::Expose | Next::TakeSlot | Next::Leave | Next::Unlock
        );
        if is_at_home && has(state.dead, home) {
            // It reads the membership, and one thread of a member does so at a time.
            return (!state.walks[usize::from(by)].is_walking).then_some(Kind::Redirect);
        }
        match worker.next {
            Next::Begin => self.first_step(state, by, operation),
            Next::Lock => {
                let waits = self.guards.puts_wait && has(state.lost, by);
                (!waits && self.may_lock(state, home)).then_some(Kind::Lock)
            }
            Next::ReadEntries => Some(Kind::ReadEntries),
            Next::Expose => Some(Kind::Expose),
            Next::TakeSlot => Some(Kind::TakeSlot),
            Next::Leave => {
                let entry = worker.entries[usize::from(worker.at)];
                let is_named =
                    state.indexes[usize::from(home)].slots[usize::from(entry.slot)] == Some(entry.block);
                Some(if is_named { Kind::Clear } else { Kind::Retire })
            }
            Next::Unlock => Some(Kind::Unlock),
            Next::ReadSlots => Some(Kind::ReadSlots),
            Next::Examine => Some(Kind::Examine),
            Next::Copy => Some(Kind::Copy),
            Next::Verify => Some(Kind::Verify),
            Next::WriteLease => Some(Kind::WriteLease),
            Next::ConfirmLease => Some(Kind::ConfirmLease),
            Next::MarkLeaving => Some(Kind::MarkLeaving),
            Next::ReadLease => Some(Kind::ReadLease),
            Next::Forget => Some(Kind::Forget),
            Next::Free => Some(Kind::Free),
        }
    }

    fn first_step(&self, state: &State, by: u8, operation: Operation) -> Option<Kind> {
        match operation {
            Operation::Put { .. } => (!has(state.lost, by) || !self.guards.puts_wait).then_some(Kind::Fill),
            // It waits until the index of a dead member is rebuilt.
            Operation::Remove => (!has(state.lost, by) || !self.guards.removal_waits).then_some(Kind::Remove),
            Operation::Get | Operation::Lease => Some(Kind::ReadSlots),
            Operation::Evict => Some(Kind::ReadVictim),
        }
    }

    pub(super) fn may_lock(&self, state: &State, home: u8) -> bool {
        match state.indexes[usize::from(home)].lock {
            None => true,
            Some(holder) if has(state.dead, holder) => self.guards.takes_from_dead,
            Some(_) => !self.guards.takes_from_dead_only,
        }
    }

    /// A block that the member may write to, at `host` if possible.
    fn allocate(state: &State, by: u8, is_at: impl Fn(u8) -> bool) -> Option<u8> {
        let is_free = |block: &u8| {
            let now = &state.blocks[usize::from(*block)];
            let is_free = now.phase == Phase::Free || now.phase == Phase::Retired && !now.is_leased;
            now.manager == by && is_free && !state.is_gone(*block) && is_at(HOST[usize::from(*block)])
        };
        (0..BLOCKS as u8).find(is_free)
    }

    /// Blocks of the member that may be evicted.
    pub(super) fn evictable(state: &State, by: u8) -> impl Iterator<Item = u8> {
        (0..BLOCKS as u8).filter(move |block| {
            let now = &state.blocks[usize::from(*block)];
            now.manager == by && now.phase == Phase::Live && !now.is_leased && !state.is_gone(*block)
        })
    }

    /// Writes to a block that no reader takes for a value.
    pub(super) fn write(state: &mut State, block: u8, value: u8, wants: u8, version: u8) {
        let manager = state.blocks[usize::from(block)].manager;
        *state.block(block) =
            Block { phase: Phase::Writing, version, value, wants, manager, ..Block::default() };
    }

    /// Slots of the key at a home that name a value.
    pub(super) fn entries(state: &State, home: u8) -> List<Entry, 4> {
        let slots = (0u8..).zip(state.indexes[usize::from(home)].slots);
        let entry = |(slot, block): (u8, Option<u8>)| {
            let block = block.filter(|block| !state.is_gone(*block))?;
            let now = &state.blocks[usize::from(block)];
            let is_value = matches!(now.phase, Phase::Live | Phase::Leaving);
            is_value.then_some(Entry { slot, block, version: now.version })
        };
        slots.filter_map(entry).collect()
    }

    /// Puts a block into the slot of a replaced one, a free one, or one without a value.
    pub(super) fn take_slot(state: &mut State, home: u8, block: u8, former: &[Entry], used: &mut u8) {
        let is_value = |block: &u8| {
            !state.is_gone(*block)
                && matches!(state.blocks[usize::from(*block)].phase, Phase::Live | Phase::Leaving)
        };
        let slots = &state.indexes[usize::from(home)].slots;
        let mut place = None;
        while let (None, Some(entry)) = (place, former.get(usize::from(*used))) {
            *used += 1;
            place = (slots[usize::from(entry.slot)] == Some(entry.block)).then_some(usize::from(entry.slot));
        }
        let place = place.or_else(|| slots.iter().position(Option::is_none));
        let place = place.or_else(|| slots.iter().position(|slot| !slot.as_ref().is_some_and(is_value)));
        if let Some(place) = place {
            state.indexes[usize::from(home)].slots[place] = Some(block);
        }
    }

    /// Retires a block of this version, after the blocks that it replaced.
    pub(super) fn retire(&self, state: &mut State, block: u8, version: u8) {
        let now = state.blocks[usize::from(block)];
        if state.is_gone(block) || now.version != version {
            return;
        }
        if self.guards.retires_replaced {
            self.retire_replaced(state, block);
        }
        // Otherwise the adopter of a block that was leaving would bring it back.
        let is_leaving = now.phase == Phase::Leaving && self.guards.retires_leaving;
        if now.phase == Phase::Live || is_leaving {
            state.block(block).phase = Phase::Retired;
        }
    }

    fn retire_replaced(&self, state: &mut State, block: u8) {
        let replaced = state.blocks[usize::from(block)].replaced;
        for older in replaced.iter() {
            if matches!(state.blocks[usize::from(older.block)].phase, Phase::Live | Phase::Leaving) {
                self.retire(state, older.block, older.version);
            }
        }
    }

    /// The member learns of all deaths.
    pub(super) fn learn(state: &mut State, by: u8) {
        if state.known[usize::from(by)] != state.dead {
            state.known[usize::from(by)] = state.dead;
            state.lost |= bit(by);
        }
    }

    fn is_put(&self, state: &State, by: u8) -> bool {
        matches!(self.operation(state, by), Some(Operation::Put { .. }))
    }

    /// Takes the next step of a member's operation.
    pub(super) fn operate(&self, state: &mut State, step: Step<Kind>) {
        let Step { kind, by, on } = step;
        let mut worker = state.workers[usize::from(by)];
        let home = Self::home(worker.view);
        match kind {
            Kind::Fill => {
                worker.view = state.known[usize::from(by)];
                let Some(Operation::Put { replicas, far }) = self.operation(state, by) else { return };
                let change = self.change(state, by);
                let mut hosts = 0;
                state.clock += 1;
                (worker.version, worker.before) = (state.clock, state.ended);
                state.begun |= bit(change);
                for _ in 0..replicas {
                    let first = |host| if hosts == 0 { (host == by) != far } else { !has(hosts, host) };
                    let any = |host| !has(hosts, host);
                    let Some(block) =
                        Self::allocate(state, by, first).or_else(|| Self::allocate(state, by, any))
                    else {
                        break;
                    };
                    hosts |= bit(HOST[usize::from(block)]);
                    Self::write(state, block, change + 1, replicas, worker.version);
                    worker.blocks.push(block);
                }
                worker.next = Next::Lock;
                if worker.blocks.is_empty() {
                    // There is no room: the put fails.
                    return self.end(state, by);
                }
            }
            Kind::Remove => {
                let change = self.change(state, by);
                state.begun |= bit(change);
                (worker.view, worker.before) = (state.known[usize::from(by)], state.ended);
                worker.next = Next::Lock;
            }
            Kind::Redirect => {
                Self::learn(state, by);
                if !self.is_put(state, by) && has(state.lost, by) && self.guards.removal_waits {
                    worker.next = Next::Begin;
                } else {
                    worker.next = Next::Lock;
                }
                worker.view = state.known[usize::from(by)];
                (worker.at, worker.former, worker.entries) = Default::default();
            }
            Kind::Lock => {
                state.indexes[usize::from(home)].lock = Some(by);
                worker.next = Next::ReadEntries;
            }
            Kind::ReadEntries => {
                worker.entries = Self::entries(state, home);
                if self.guards.keeps_own_slots {
                    // After a death the background may have published a block of a put that begins again.
                    worker.entries.retain(|entry| !worker.blocks.contains(&entry.block));
                }
                worker.next = match (self.is_put(state, by), worker.entries.is_empty()) {
                    // The members that had them have died.
                    (true, _) if worker.blocks.is_empty() => Next::Unlock,
                    (true, _) => Next::Expose,
                    (false, true) => Next::Unlock,
                    (false, false) => Next::Leave,
                };
                let latest = worker.entries.iter().map(|entry| entry.version + 1).max().unwrap_or(0);
                worker.version = worker.version.max(latest);
                state.clock = state.clock.max(worker.version);
            }
            Kind::Expose => {
                let block = worker.blocks[usize::from(worker.at)];
                if !state.is_gone(block) {
                    let change = self.change(state, by);
                    state.exposed |= bit(change);
                    state.hosts[usize::from(change)] |= bit(HOST[usize::from(block)]);
                    let now = state.block(block);
                    (now.phase, now.version) = (Phase::Live, worker.version);
                    if self.guards.records_replaced && !worker.entries.is_empty() {
                        now.replaced =
                            worker.entries.iter().take(2).map(|entry| Entry { slot: 0, ..*entry }).collect();
                    }
                }
                worker.at += 1;
                if usize::from(worker.at) == worker.blocks.len() {
                    worker.at = 0;
                    worker.blocks.retain(|block| !state.is_gone(*block));
                    worker.next = if worker.blocks.is_empty() { Next::Unlock } else { Next::TakeSlot };
                }
            }
            Kind::TakeSlot => {
                let block = worker.blocks[usize::from(worker.at)];
                let is_placed = state.indexes[usize::from(home)].slots.contains(&Some(block));
                if !is_placed || !self.guards.keeps_own_slots {
                    Self::take_slot(state, home, block, &worker.entries, &mut worker.former);
                }
                worker.at += 1;
                if usize::from(worker.at) == worker.blocks.len() {
                    worker.at = 0;
                    worker.next = if worker.entries.is_empty() { Next::Unlock } else { Next::Leave };
                }
            }
            Kind::Clear => {
                let entry = worker.entries[usize::from(worker.at)];
                state.indexes[usize::from(home)].slots[usize::from(entry.slot)] = None;
            }
            Kind::Retire => {
                let entry = worker.entries[usize::from(worker.at)];
                self.retire(state, entry.block, entry.version);
                worker.at += 1;
                if usize::from(worker.at) == worker.entries.len() {
                    worker.next = Next::Unlock;
                }
            }
            Kind::Unlock => {
                let lock = &mut state.indexes[usize::from(home)].lock;
                *lock = lock.filter(|holder| *holder != by);
                // A put that lost its blocks has no result.
                if !self.is_put(state, by) || !worker.blocks.is_empty() {
                    state.ended |= bit(self.change(state, by));
                    state.before[usize::from(self.change(state, by))] = worker.before;
                }
                return self.end(state, by);
            }
            _ => {
                if self.read(state, (by, on), &mut worker, kind) {
                    return self.end(state, by);
                }
            }
        }
        state.workers[usize::from(by)] = worker;
    }

    /// The operation of a member has ended.
    fn end(&self, state: &mut State, by: u8) {
        let worker = &mut state.workers[usize::from(by)];
        *worker = super::Worker { done: worker.done + 1, ..Default::default() };
        debug_assert!(usize::from(by) < MEMBERS);
    }

    /// Steps of reads and evictions. Returns true at the end of the operation.
    fn read(&self, state: &mut State, (by, on): (u8, u8), worker: &mut super::Worker, kind: Kind) -> bool {
        match kind {
            Kind::ReadSlots => {
                if worker.next == Next::Begin {
                    (worker.view, worker.before) = (state.known[usize::from(by)], self.over(state));
                }
                let home = Self::home(worker.view);
                if has(state.dead, home) {
                    return true;
                }
                worker.unread = state.indexes[usize::from(home)].slots.into_iter().flatten().collect();
                (worker.others, worker.is_undecided, worker.found) = (0, false, None);
                worker.next = Next::Examine;
                worker.unread.is_empty()
            }
            Kind::Examine => {
                let block = worker.unread.take_first().unwrap_or_default();
                let now = state.blocks[usize::from(block)];
                match now.phase {
                    _ if state.is_gone(block) => {}
                    Phase::Live => {
                        if worker.found.is_none_or(|found| found.version < now.version) {
                            worker.found = Some(Entry { slot: 0, block, version: now.version });
                        }
                    }
                    Phase::Leaving => worker.is_undecided = true,
                    _ => worker.others |= bit(block),
                }
                if !worker.unread.is_empty() {
                    return false;
                }
                worker.next = match self.operation(state, by) {
                    _ if worker.found.is_none() => Next::ReadSlots,
                    Some(Operation::Lease) => Next::WriteLease,
                    _ => Next::Copy,
                };
                let has_missed = worker.found.is_none()
                    && !worker.is_undecided
                    && (worker.others == 0 || worker.others == worker.former_others);
                worker.former_others = worker.others;
                has_missed
            }
            Kind::Copy => {
                let Some(found) = worker.found else { return true };
                worker.value = state.blocks[usize::from(found.block)].value;
                worker.next = if state.is_gone(found.block) { Next::ReadSlots } else { Next::Verify };
                if !self.guards.verifies_copies && !state.is_gone(found.block) {
                    return self.returned(state, worker);
                }
                false
            }
            Kind::Verify => {
                let Some(found) = worker.found else { return true };
                if Self::is_there(state, found) {
                    return self.returned(state, worker);
                }
                (worker.next, worker.value) = (Next::ReadSlots, 0);
                false
            }
            Kind::WriteLease => {
                let Some(found) = worker.found else { return true };
                let block = state.block(found.block);
                // The word has bits of the block's version.
                if block.version == found.version && block.phase != Phase::Free {
                    block.is_leased = true;
                }
                worker.next = Next::ConfirmLease;
                if !self.guards.confirms_lease {
                    state.held[usize::from(by)] = Some((found, state.blocks[usize::from(found.block)].value));
                    return true;
                }
                false
            }
            Kind::ConfirmLease => {
                let Some(found) = worker.found else { return true };
                let now = state.blocks[usize::from(found.block)];
                worker.next = Next::ReadSlots;
                if !state.is_gone(found.block) && now.version == found.version && now.phase == Phase::Live {
                    state.held[usize::from(by)] = Some((found, now.value));
                    return true;
                }
                false
            }
            Kind::ReadVictim => {
                worker.view = state.known[usize::from(by)];
                let must_wait = has(state.lost, by) && self.guards.eviction_waits;
                let Some(block) = on.checked_sub(1).filter(|_| !must_wait) else { return true };
                worker.found = Some(Entry { slot: 0, block, version: state.block(block).version });
                worker.next = Next::MarkLeaving;
                false
            }
            _ => self.evict(state, worker, kind),
        }
    }

    /// Steps of an eviction after its first. Returns true at its end.
    fn evict(&self, state: &mut State, worker: &mut super::Worker, kind: Kind) -> bool {
        let Some(found) = worker.found.filter(|found| !state.is_gone(found.block)) else { return true };
        match kind {
            Kind::MarkLeaving => {
                let now = state.block(found.block);
                if (now.phase, now.version) != (Phase::Live, found.version) {
                    return true;
                }
                now.phase = Phase::Leaving;
                worker.next = Next::ReadLease;
                false
            }
            Kind::ReadLease => {
                if self.guards.reads_lease_again && state.block(found.block).is_leased {
                    if state.block(found.block).phase == Phase::Leaving {
                        state.block(found.block).phase = Phase::Live;
                    }
                    return true;
                }
                worker.next = Next::Forget;
                false
            }
            Kind::Forget => {
                self.forget(state, found.block, worker.view);
                worker.next = Next::Free;
                false
            }
            _ => {
                Self::free(state, found.block);
                true
            }
        }
    }

    /// Removes an evicted block from the index, and retires the blocks that it replaced before.
    pub(super) fn forget(&self, state: &mut State, evicted: u8, view: Set) {
        if self.guards.evicts_replaced {
            self.retire_replaced(state, evicted);
        }
        for slot in &mut state.indexes[usize::from(Self::home(view))].slots {
            *slot = slot.filter(|block| *block != evicted);
        }
        state.is_evicted = true;
    }

    pub(super) fn free(state: &mut State, block: u8) {
        let manager = state.block(block).manager;
        *state.block(block) = Block { manager, ..Block::default() };
    }

    fn is_there(state: &State, found: Entry) -> bool {
        let now = &state.blocks[usize::from(found.block)];
        !state.is_gone(found.block)
            && now.version == found.version
            && matches!(now.phase, Phase::Live | Phase::Leaving | Phase::Retired)
    }

    /// A get returns a value.
    fn returned(&self, state: &mut State, worker: &super::Worker) -> bool {
        let is_whole = worker.value > 0 && has(state.exposed, worker.value - 1);
        state.has_torn |= !is_whole;
        state.has_stale |= is_whole && has(worker.before & self.over(state), worker.value - 1);
        true
    }
}
