// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work in the background after a death: blocks are adopted, published at their homes, and replicated again.

use super::{BLOCKS, Cache, Entry, HOST, Kind, Phase, State, Walk, bit, has};

impl Cache {
    /// Adds the steps that a member may take in the background.
    pub(super) fn upkeep_steps(&self, state: &State, by: u8, mut add: impl FnMut(Kind)) {
        let member = usize::from(by);
        let (known, walk, worker) = (state.known[member], &state.walks[member], &state.workers[member]);
        if walk.replica.is_some() {
            if walk.has_lock || self.may_lock(state, Self::home(known)) || has(state.dead, Self::home(known))
            {
                add(Kind::AddReplica);
            }
            return;
        }
        if walk.is_walking {
            let home = Self::home(known);
            let is_free = walk.has_lock || has(state.dead, home) || self.may_lock(state, home);
            match walk.queue.is_empty() {
                true => add(Kind::Settle),
                false if is_free => add(Kind::Republish),
                false => {}
            }
            return;
        }
        if known != state.dead {
            add(Kind::Refresh);
        }
        // Operations with a former view do not follow the state that is published.
        let is_former = worker.next != super::Next::Begin && worker.view != known;
        if state.settled[member] != known && !is_former {
            add(Kind::Adopt);
        }
        if has(state.lost, by) {
            let mut living = (0u8..3).filter(|other| !has(known, *other));
            let is_settled =
                |other: u8| !has(state.dead, other) && state.settled[usize::from(other)] == known;
            if living.all(is_settled) {
                add(Kind::SeeSettled);
            }
        } else if Self::leaving(state, by).is_some() {
            add(Kind::FinishLeaving);
        } else if state.settled[member] == known && self.lacking(state, by).is_some() {
            add(Kind::CopyBlock);
        }
    }

    /// A block with an eviction that a dead manager began.
    fn leaving(state: &State, by: u8) -> Option<u8> {
        let own = state.workers[usize::from(by)].found.map(|found| found.block);
        let is_it = |block: &u8| {
            let now = &state.blocks[usize::from(*block)];
            now.manager == by && now.phase == Phase::Leaving && !state.is_gone(*block) && own != Some(*block)
        };
        (0..BLOCKS as u8).find(is_it)
    }

    /// A block of this member with too few replicas, and a free one on another member.
    fn lacking(&self, state: &State, by: u8) -> Option<(u8, u8)> {
        let entries = Self::entries(state, Self::home(state.known[usize::from(by)]));
        let lacks = |block: &u8| {
            let now = &state.blocks[usize::from(*block)];
            let replicas = entries.iter().filter(|entry| entry.version == now.version);
            let is_first = replicas.clone().map(|entry| entry.block).min() == Some(*block);
            let has_few = replicas.count() < usize::from(now.wants);
            now.manager == by && now.phase == Phase::Live && !state.is_gone(*block) && is_first && has_few
        };
        let block = (0..BLOCKS as u8).find(lacks)?;
        let is_free = |other: &u8| {
            let now = &state.blocks[usize::from(*other)];
            let version = state.blocks[usize::from(block)].version;
            let mut hosts = entries.iter().filter(|entry| entry.version == version);
            let is_elsewhere = hosts.all(|entry| HOST[usize::from(entry.block)] != HOST[usize::from(*other)]);
            now.manager == by && now.phase == Phase::Free && is_elsewhere && !state.is_gone(*other)
        };
        Some((block, (0..BLOCKS as u8).find(is_free)?))
    }

    /// Takes a step in the background.
    pub(super) fn keep_up(&self, state: &mut State, by: u8, kind: Kind) {
        let member = usize::from(by);
        match kind {
            Kind::Refresh => Self::learn(state, by),
            Kind::Adopt => self.adopt(state, by),
            Kind::Republish => self.republish(state, by),
            Kind::Settle => {
                state.walks[member] = Walk::default();
                state.settled[member] = state.known[member];
            }
            Kind::FinishLeaving => {
                let Some(block) = Self::leaving(state, by) else { return };
                self.forget(state, block, state.known[member]);
                Self::free(state, block);
            }
            Kind::SeeSettled => state.lost &= !bit(by),
            Kind::CopyBlock => {
                let Some((block, replica)) = self.lacking(state, by) else { return };
                let now = state.blocks[usize::from(block)];
                state.clock += 1;
                Self::write(state, replica, now.value, now.wants, state.clock);
                let entry = Entry { slot: 0, block, version: now.version };
                state.walks[member].replica = Some((entry, replica));
            }
            _ => self.add_replica(state, by),
        }
    }

    fn adopt(&self, state: &mut State, by: u8) {
        let known = state.known[usize::from(by)];
        let former = Self::home(state.settled[usize::from(by)]);
        let has_moved = former != Self::home(known);
        let mut walk = Walk { is_walking: true, ..Walk::default() };
        for number in 0..BLOCKS as u8 {
            let is_orphan =
                HOST[usize::from(number)] == by && has(known, state.blocks[usize::from(number)].manager);
            state.is_evicted |= is_orphan && state.block(number).phase == Phase::Leaving;
            let block = state.block(number);
            if is_orphan {
                block.manager = by;
                match block.phase {
                    // Its slot may be cleared, and the key removed since: the eviction goes on.
                    Phase::Leaving if self.guards.finishes_evictions => {}
                    Phase::Leaving => block.phase = Phase::Live,
                    // A process that only seemed dead may still be writing there.
                    Phase::Writing if self.guards.gives_up_unfinished => {
                        (block.phase, block.is_leased) = (Phase::Retired, true);
                    }
                    Phase::Writing => block.phase = Phase::Live,
                    _ => {}
                }
            }
            let entry = Entry { slot: 0, block: number, version: block.version };
            if block.manager == by
                && block.phase == Phase::Live
                && (is_orphan || has_moved)
                && !state.is_gone(number)
            {
                walk.queue.push(entry);
            }
        }
        state.walks[usize::from(by)] = walk;
    }

    fn unlock(state: &mut State, by: u8, home: u8) {
        let lock = &mut state.indexes[usize::from(home)].lock;
        *lock = lock.filter(|holder| *holder != by);
    }

    fn republish(&self, state: &mut State, by: u8) {
        let mut walk = state.walks[usize::from(by)];
        let home = Self::home(state.known[usize::from(by)]);
        let Some(entry) = walk.queue.first().copied() else { return };
        let next = |walk: &mut Walk| {
            walk.queue.take_first();
            (walk.has_lock, walk.has_slot, walk.older) = Default::default();
        };
        let now = state.blocks[usize::from(entry.block)];
        let is_same = (now.phase, now.version) == (Phase::Live, entry.version);
        let all = Self::entries(state, home);
        let others = || all.iter().filter(|other| other.block != entry.block).copied();
        let mine = all.iter().find(|other| other.block == entry.block).copied();
        if has(state.dead, home) || state.is_gone(entry.block) {
            // The next view finds it.
            next(&mut walk);
            Self::unlock(state, by, home);
        } else if !walk.has_lock {
            state.indexes[usize::from(home)].lock = Some(by);
            walk.has_lock = true;
        } else if walk.has_slot {
            for older in walk.older.iter() {
                let slot = &mut state.indexes[usize::from(home)].slots[usize::from(older.slot)];
                *slot = slot.filter(|block| *block != older.block);
                self.retire(state, older.block, older.version);
            }
            next(&mut walk);
            Self::unlock(state, by, home);
        } else if !is_same {
            next(&mut walk);
            Self::unlock(state, by, home);
        } else if self.guards.yields_to_later && others().any(|other| other.version > entry.version) {
            if let Some(mine) = mine {
                state.indexes[usize::from(home)].slots[usize::from(mine.slot)] = None;
            }
            self.retire(state, entry.block, entry.version);
            next(&mut walk);
            Self::unlock(state, by, home);
        } else {
            walk.older = others().filter(|other| other.version < entry.version).collect();
            if mine.is_none() {
                Self::take_slot(state, home, entry.block, &walk.older, &mut 0);
            }
            walk.has_slot = true;
        }
        state.walks[usize::from(by)] = walk;
    }

    fn add_replica(&self, state: &mut State, by: u8) {
        let member = usize::from(by);
        let home = Self::home(state.known[member]);
        let Some((entry, replica)) = state.walks[member].replica else { return };
        let can_go_on = !has(state.dead, home) && !state.is_gone(entry.block) && !state.is_gone(replica);
        if can_go_on && !state.walks[member].has_lock {
            state.indexes[usize::from(home)].lock = Some(by);
            state.walks[member].has_lock = true;
            return;
        }
        let now = state.blocks[usize::from(entry.block)];
        let entries = Self::entries(state, home);
        let is_there =
            entries.iter().any(|other| (other.block, other.version) == (entry.block, entry.version));
        let is_latest = entries.iter().all(|other| other.version <= entry.version);
        let is_same = (now.phase, now.version) == (Phase::Live, entry.version);
        let is_wanted = is_there && is_latest && is_same || !self.guards.adds_to_latest_only;
        if can_go_on && state.walks[member].has_slot {
            let new = state.block(replica);
            (new.phase, new.version, new.replaced) = (Phase::Live, entry.version, now.replaced);
            let change = usize::from(new.value - 1);
            state.hosts[change] |= bit(HOST[usize::from(replica)]);
        } else if can_go_on && is_wanted {
            Self::take_slot(state, home, replica, &[], &mut 0);
            state.walks[member].has_slot = true;
            return;
        } else if !state.is_gone(replica) {
            let block = state.block(replica);
            *block = super::Block { manager: block.manager, ..super::Block::default() };
        }
        Self::unlock(state, by, home);
        state.walks[member] = Walk::default();
    }
}
