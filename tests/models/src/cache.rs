// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cache: one key of the cache, its slots at the home, and the blocks that have had its value.
//!
//! Three members, of which up to two die. The home of the key is the first living member. Every access to
//! memory that others may change meanwhile is a step; work on own memory is part of the step before it.
//! A *change* is a put or a removal; its number is the value that it puts.

mod operations;
mod scenes;
mod upkeep;

use stateright::{Model, Property};

use crate::check::{Protocol, Step, Taken};
use crate::list::List;
use crate::steps;

pub use scenes::{GUARDS, scenes};

/// Number of members.
pub const MEMBERS: usize = 3;
/// Number of blocks.
const BLOCKS: usize = 5;
/// The member that has the memory of each block.
const HOST: [u8; BLOCKS] = [1, 2, 2, 1, 0];
/// The member that allocates each block at first.
const MANAGER: [u8; BLOCKS] = [1, 1, 2, 2, 1];

/// Set of members or changes, by bits.
type Set = u8;

const fn bit(number: u8) -> Set {
    1 << number
}

const fn has(set: Set, number: u8) -> bool {
    set & bit(number) != 0
}

steps! {
    /// Steps of members.
    Kind {
        /// Writes a value into blocks.
        Fill = "core/cache/src/write.rs", "write";
        /// Takes the lock of the key.
        Lock = "core/cache/src/index.rs", "lock";
        /// Turns to another home after the home has died.
        Redirect = "core/cache/src/write.rs", "run_at_home";
        /// Reads the slots of the key and the heads of their blocks.
        ReadEntries = "core/cache/src/publish.rs", "all_entries";
        /// Records the replaced blocks in a block and makes it live.
        Expose = "core/cache/src/publish.rs", "publish";
        /// Puts a block into a slot.
        TakeSlot = "core/cache/src/publish.rs", "take_slots";
        /// Clears the slot of a replaced or removed block.
        Clear = "core/cache/src/publish.rs", "clear";
        /// Retires a block, after the blocks that it replaced.
        Retire = "core/cache/src/publish.rs", "retire";
        /// Gives the lock back.
        Unlock = "core/cache/src/index.rs", "drop";
        /// Begins a removal.
        Remove = "core/cache/src/write.rs", "remove_named";
        /// Reads the slots of the key.
        ReadSlots = "core/cache/src/index.rs", "find";
        /// Reads the head of a block.
        Examine = "core/cache/src/index.rs", "examine";
        /// Copies the value.
        Copy = "core/cache/src/read.rs", "read";
        /// Compares the head with the one before the copy.
        Verify = "core/cache/src/block.rs", "is_there";
        /// Writes a lease into the head.
        WriteLease = "core/cache/src/block.rs", "change_lease";
        /// Reads the head again after that.
        ConfirmLease = "core/cache/src/read.rs", "lease";
        /// Reads the head of a block that is to be evicted.
        ReadVictim = "core/cache/src/arena.rs", "sweep";
        /// Marks a block as leaving.
        MarkLeaving = "core/cache/src/evict.rs", "evict";
        /// Reads the lease once more; the block stays if there is one.
        ReadLease = "core/cache/src/block.rs", "lease";
        /// Clears the slots of an evicted block.
        Forget = "core/cache/src/publish.rs", "forget";
        /// Frees an evicted block.
        Free = "core/cache/src/arena.rs", "frees";
        /// Finishes an eviction that a dead member began.
        FinishLeaving = "core/cache/src/arena.rs", "finish_leaving";
        /// Reads the membership.
        Refresh = "core/cache/src/rebalance.rs", "refresh";
        /// Adopts blocks, and begins to walk over all.
        Adopt = "core/cache/src/manager/zones.rs", "adopt";
        /// Publishes a block at the home, or retires it.
        Republish = "core/cache/src/publish.rs", "republish";
        /// Publishes that all blocks are at their homes.
        Settle = "core/cache/src/rebalance.rs", "settle";
        /// Sees that all have settled.
        SeeSettled = "core/cache/src/rebalance.rs", "all_published";
        /// Copies a block for one more replica.
        CopyBlock = "core/cache/src/restore.rs", "copy_block";
        /// Publishes the copy.
        AddReplica = "core/cache/src/publish.rs", "add_replica";
        /// Dies.
        Die = "core/cache/src/index.rs", "is_alive";
    }
}

/// Phase of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Free.
    #[default]
    Free,
    /// Being filled.
    Writing,
    /// A value.
    Live,
    /// Being evicted.
    Leaving,
    /// Removed or replaced.
    Retired,
}

/// A block at a version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    slot: u8,
    block: u8,
    version: u8,
}

/// Head and value of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    phase: Phase,
    version: u8,
    /// The change that wrote it, plus 1.
    value: u8,
    wants: u8,
    replaced: List<Entry, 2>,
    is_leased: bool,
    manager: u8,
}

/// Index of one member: slots with a block each, and the holder of the lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index {
    slots: [Option<u8>; 4],
    lock: Option<u8>,
}

/// Operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Puts a value in so many replicas; the first one on another member if `far`.
    Put {
        /// Number of replicas.
        replicas: u8,
        /// On another member first.
        far: bool,
    },
    /// Removes the value.
    Remove,
    /// Reads the value.
    Get,
    /// Leases the value, for ever.
    Lease,
    /// Evicts a value from an own block.
    Evict,
}

/// The next step of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Next {
    #[default]
    Begin,
    Lock,
    ReadEntries,
    Expose,
    TakeSlot,
    Leave,
    Unlock,
    ReadSlots,
    Examine,
    Copy,
    Verify,
    WriteLease,
    ConfirmLease,
    MarkLeaving,
    ReadLease,
    Forget,
    Free,
}

/// Progress of a member's program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Worker {
    done: u8,
    next: Next,
    /// Members that the operation takes for dead.
    view: Set,
    /// Changes that had ended before the operation began, or that a get may not return.
    before: Set,
    version: u8,
    blocks: List<u8, 2>,
    at: u8,
    former: u8,
    entries: List<Entry, 4>,
    unread: List<u8, 4>,
    others: Set,
    former_others: Set,
    is_undecided: bool,
    found: Option<Entry>,
    value: u8,
}

/// Progress of a member's work in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Walk {
    is_walking: bool,
    /// Blocks to publish again, with the versions at which they were read.
    queue: List<Entry, BLOCKS>,
    has_lock: bool,
    /// The first block has its slot: older ones go.
    has_slot: bool,
    older: List<Entry, 4>,
    /// A copy of a block, to be published.
    replica: Option<(Entry, u8)>,
}

/// State of all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    dead: Set,
    /// Members that each member takes for dead.
    known: [Set; MEMBERS],
    /// Members that wait for the index of a dead one.
    lost: Set,
    /// The view that each member has settled.
    settled: [Set; MEMBERS],
    walks: [Walk; MEMBERS],
    workers: [Worker; MEMBERS],
    /// Leases: the block and its value.
    held: [Option<(Entry, u8)>; MEMBERS],
    blocks: [Block; BLOCKS],
    indexes: [Index; MEMBERS],
    clock: u8,
    /// Changes that have begun, have ended, were made visible.
    begun: Set,
    ended: Set,
    exposed: Set,
    /// Changes before each change that has ended.
    before: [Set; 6],
    /// Members that had a replica of each change.
    hosts: [Set; 6],
    is_evicted: bool,
    /// A get returned a value that was not whole, or was over when it began.
    has_torn: bool,
    has_stale: bool,
}

/// Conditions of the real code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guards {
    pub(crate) records_replaced: bool,
    pub(crate) retires_replaced: bool,
    pub(crate) evicts_replaced: bool,
    pub(crate) verifies_copies: bool,
    pub(crate) takes_from_dead_only: bool,
    pub(crate) takes_from_dead: bool,
    pub(crate) reads_lease_again: bool,
    pub(crate) confirms_lease: bool,
    pub(crate) eviction_waits: bool,
    pub(crate) removal_waits: bool,
    pub(crate) yields_to_later: bool,
    pub(crate) adds_to_latest_only: bool,
    pub(crate) gives_up_unfinished: bool,
    pub(crate) keeps_own_slots: bool,
    pub(crate) finishes_evictions: bool,
    pub(crate) retires_leaving: bool,
    /// Not in the real code: a put waits until the index of a dead member is rebuilt, as a removal does.
    pub(crate) puts_wait: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            records_replaced: true,
            retires_replaced: true,
            evicts_replaced: true,
            verifies_copies: true,
            takes_from_dead_only: true,
            takes_from_dead: true,
            reads_lease_again: true,
            confirms_lease: true,
            eviction_waits: true,
            removal_waits: true,
            yields_to_later: true,
            adds_to_latest_only: true,
            gives_up_unfinished: true,
            keeps_own_slots: true,
            finishes_evictions: true,
            retires_leaving: true,
            puts_wait: false,
        }
    }
}

/// Programs of the members, and the number of deaths.
pub struct Cache {
    /// Name in tables.
    pub name: &'static str,
    programs: [&'static [Operation]; MEMBERS],
    deaths: u32,
    /// Replaced values stay away, too, if all members with the new value have died.
    is_strict: bool,
    guards: Guards,
    taken: Taken,
}

/// Of a key without a value, and of a get that returned one.
pub const WHOLE: &str = "a get returns a value that was put, whole";
/// A removed or replaced value does not come back.
pub const NOT_OVER: &str = "a get returns no value that was replaced or removed before it began";
/// A lease keeps the bytes.
pub const LEASED: &str = "a leased block keeps its value";
/// Values survive the deaths of others.
pub const FOUND: &str = "at rest a value that was put and not removed is found";
/// Nothing waits for ever.
pub const ENDS: &str = "operations of living members end";

impl Cache {
    fn home(view: Set) -> u8 {
        (!view).trailing_zeros() as u8
    }

    fn operation(&self, state: &State, by: u8) -> Option<Operation> {
        self.programs[usize::from(by)].get(usize::from(state.workers[usize::from(by)].done)).copied()
    }

    /// The number of the present change of a member.
    fn change(&self, state: &State, by: u8) -> u8 {
        let before: usize = self.programs[..usize::from(by)].iter().map(|program| changes(program)).sum();
        let done = usize::from(state.workers[usize::from(by)].done);
        (before + changes(&self.programs[usize::from(by)][..done])) as u8
    }

    fn is_at_rest(&self, state: &State) -> bool {
        state.lost == 0
            && (0..MEMBERS as u8).filter(|m| !has(state.dead, *m)).all(|m| {
                let member = usize::from(m);
                self.operation(state, m).is_none()
                    && state.known[member] == state.dead
                    && state.settled[member] == state.dead
                    && state.walks[member] == Walk::default()
            })
    }

    /// The value that a get finds at rest.
    fn found(state: &State) -> Option<u8> {
        let slots = state.indexes[usize::from(Self::home(state.dead))].slots;
        let live = slots.into_iter().flatten().filter(|block| !state.is_gone(*block));
        let live =
            live.map(|block| state.blocks[usize::from(block)]).filter(|block| block.phase == Phase::Live);
        live.max_by_key(|block| block.version).map(|block| block.value)
    }

    fn keeps_values(&self, state: &State) -> bool {
        if !self.is_at_rest(state) || state.is_evicted || state.dead == 7 {
            return true;
        }
        let found = Self::found(state);
        let over = self.over(state);
        let fits = found.is_none_or(|value| !has(over, value - 1));
        let removals = self.removals();
        let latest = state.begun & !over & (state.exposed | removals);
        let has_block = |change: u8| state.hosts[usize::from(change)] & !state.dead != 0;
        let must_be = latest & state.ended != 0
            && latest & removals == 0
            && (0..6).filter(|change| has(latest, *change)).all(has_block);
        fits && (found.is_some() || !must_be)
    }

    /// Changes that were surely removed, or replaced by a value that was put since and has a replica.
    fn over(&self, state: &State) -> Set {
        let removals = self.removals();
        let stays = |change: &u8| {
            self.is_strict || has(removals, *change) || state.hosts[usize::from(*change)] & !state.dead != 0
        };
        (0..6).filter(stays).fold(0, |over, change| over | state.before[usize::from(change)])
    }

    fn removals(&self) -> Set {
        let changes = self.programs.iter().flat_map(|program| program.iter());
        let changes = changes.filter(|operation| is_change(operation));
        (0u8..)
            .zip(changes)
            .filter(|(_, operation)| **operation == Operation::Remove)
            .fold(0, |set, (n, _)| set | bit(n))
    }
}

fn is_change(operation: &Operation) -> bool {
    matches!(operation, Operation::Put { .. } | Operation::Remove)
}

fn changes(program: &[Operation]) -> usize {
    program.iter().filter(|operation| is_change(operation)).count()
}

impl State {
    /// The memory of the block is gone.
    fn is_gone(&self, block: u8) -> bool {
        has(self.dead, HOST[usize::from(block)])
    }

    fn block(&mut self, block: u8) -> &mut Block {
        &mut self.blocks[usize::from(block)]
    }

    fn die(&mut self, member: u8) {
        let at = usize::from(member);
        self.dead |= bit(member);
        self.lost &= !bit(member);
        (self.workers[at], self.walks[at], self.held[at]) = Default::default();
        (self.known[at], self.settled[at]) = (0, 0);
        self.indexes[at] = Index::default();
        for (block, host) in self.blocks.iter_mut().zip(HOST) {
            if host == member {
                *block = Block::default();
            }
        }
    }
}

impl Model for Cache {
    type State = State;
    type Action = Step<Kind>;

    fn init_states(&self) -> Vec<State> {
        let block = |manager| Block { manager, ..Block::default() };
        vec![State {
            dead: 0,
            known: [0; MEMBERS],
            lost: 0,
            settled: [0; MEMBERS],
            walks: Default::default(),
            workers: Default::default(),
            held: Default::default(),
            blocks: MANAGER.map(block),
            indexes: Default::default(),
            clock: 0,
            begun: 0,
            ended: 0,
            exposed: 0,
            before: [0; 6],
            hosts: [0; 6],
            is_evicted: false,
            has_torn: false,
            has_stale: false,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step<Kind>>) {
        for by in (0..MEMBERS as u8).filter(|member| !has(state.dead, *member)) {
            let step = |kind| Step { kind, by, on: 0 };
            match self.operation_step(state, by) {
                // Any of its values may be the next to go.
                Some(Kind::ReadVictim) => {
                    let before = steps.len();
                    steps.extend(
                        Self::evictable(state, by).map(|on| Step { on: on + 1, ..step(Kind::ReadVictim) }),
                    );
                    if steps.len() == before {
                        steps.push(step(Kind::ReadVictim));
                    }
                }
                kind => steps.extend(kind.map(step)),
            }
            self.upkeep_steps(state, by, |kind| steps.push(step(kind)));
            if state.dead.count_ones() < self.deaths {
                steps.push(step(Kind::Die));
            }
        }
    }

    fn next_state(&self, last: &State, step: Step<Kind>) -> Option<State> {
        let mut state = *last;
        self.taken.note(step.kind);
        match step.kind {
            Kind::Die => state.die(step.by),
            Kind::Refresh
            | Kind::Adopt
            | Kind::Republish
            | Kind::Settle
            | Kind::SeeSettled
            | Kind::FinishLeaving
            | Kind::CopyBlock
            | Kind::AddReplica => self.keep_up(&mut state, step.by, step.kind),
            _ => self.operate(&mut state, step),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(WHOLE, |_, state: &State| !state.has_torn),
            Property::always(NOT_OVER, |_, state: &State| !state.has_stale),
            Property::always(LEASED, |_, state: &State| {
                state.held.iter().flatten().all(|(entry, value)| {
                    let block = state.blocks[usize::from(entry.block)];
                    state.is_gone(entry.block) || (block.version, block.value) == (entry.version, *value)
                })
            }),
            Property::always(FOUND, Self::keeps_values),
            Property::always(ENDS, |model, state| {
                let mut steps = Vec::new();
                model.actions(state, &mut steps);
                steps.iter().any(|step| step.kind != Kind::Die) || model.is_at_rest(state) || state.dead == 7
            }),
        ]
    }
}

impl Protocol for Cache {
    type Kind = Kind;

    fn taken(&self) -> &Taken {
        &self.taken
    }
}
