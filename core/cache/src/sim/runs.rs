// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Workloads of members in simulated worlds, and the checks of the invariants.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{Kind, Result};
use mf_models::history::values::{self, Call, Did};

use super::disk::MemoryDisk;
use super::{Dice, RANKS, SimMemory, THREAD, World, options};
use crate::counts::Count;
use crate::key::Fingerprints;
use crate::member::Member;
use crate::memory::{Memory, Source, Target};
use crate::options::Options;
use crate::publish::Spares;
use crate::returned::Note;
use crate::write::Put;

/// The calls of all members; a call has no end if its member died, or it failed.
#[derive(Default)]
struct History {
    calls: Vec<Call>,
    /// Replicas of each put; 0 of other calls.
    replicas: Vec<u32>,
}

impl History {
    /// Returns the place of the call.
    fn begin(&mut self, key: u64, did: Did, replicas: u32, began: u64) -> usize {
        self.calls.push(Call { key, did, began, ended: None });
        self.replicas.push(replicas);
        self.calls.len() - 1
    }

    /// A get has ended.
    fn got(&mut self, key: u64, found: Option<Vec<u8>>, began: u64, ended: u64) {
        let place = self.begin(key, Did::Get(found), 0, began);
        self.calls[place].ended = Some(ended);
    }

    /// Panics unless a cache may have given these results. `loses`: it may have lost values; `dies`: members
    /// have died.
    fn judge(&self, loses: bool, dies: bool, context: &str) {
        let order = || if dies { Ok(()) } else { values::judge_order(&self.calls, !loses) };
        if let Err(verdict) = values::judge(&self.calls).and_then(|_| order()) {
            panic!("{context}: {}", values::Shown(&self.calls, verdict));
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Size of a segment.
    bytes: usize,
    value_bytes: u64,
    keys: u64,
    operations: u64,
    /// Strides that are populated at once.
    populated: u32,
    /// Every second member has a disk.
    has_disks: bool,
    /// Members that have died, or have done their work, start again.
    restarts: bool,
}

/// Room for all values.
const ROOMY: Plan = Plan {
    bytes: 512 << 10,
    value_bytes: 3000,
    keys: 6,
    operations: 14,
    populated: 8,
    has_disks: false,
    restarts: false,
};
/// Room for few of them.
const TIGHT: Plan = Plan {
    bytes: 240 << 10,
    value_bytes: 30_000,
    keys: 24,
    operations: 14,
    populated: 8,
    has_disks: false,
    restarts: false,
};

pub(super) fn name(key: u64) -> Vec<u8> {
    format!("key {key}").into_bytes()
}

/// A member's work: puts, gets, removals, leases of few keys.
fn work(world: &World, member: &Member<SimMemory>, history: &Mutex<History>, plan: Plan, seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(77) + 1 + u64::from(member.me.rank));
    let is_alive = || world.is_alive(member.me.rank);
    for _ in 0..plan.operations {
        let (key, begin) = (dice.below(plan.keys), world.now());
        let context = format!("seed {seed} rank {} key {key}", member.me.rank);
        match dice.below(8) {
            0..3 => {
                let bytes = usize::try_from(dice.below(plan.value_bytes)).unwrap() / 8 * 8;
                let replicas = 1 + if plan.restarts { 0 } else { u32::try_from(dice.below(2)).unwrap() };
                let (number, value) = {
                    let mut history = lock(history);
                    let value = (history.calls.len() + 1).to_ne_bytes().repeat(bytes / 8);
                    (history.begin(key, Did::Put(value.clone()), replicas, begin), value)
                };
                let before = member.counts.read(Count::ReplicasMissing);
                let how = Put { replicas: Some(replicas), ..Put::default() };
                let is_pending = dice.below(3) == 0;
                let result = match is_pending {
                    true => write_in_pieces(member, key, &value, how),
                    false => member.put(&name(key), &pieces(&value), how),
                };
                let mut history = lock(history);
                match result {
                    // The member has seen its own death: nothing received this result.
                    Ok(_) if !is_alive() => return,
                    Ok(stored) => {
                        assert!(stored, "{context}");
                        if member.counts.read(Count::ReplicasMissing) > before {
                            history.replicas[number] = 1;
                        }
                        history.calls[number].ended = Some(world.now());
                    }
                    // The members that had the pieces may have died.
                    Err(error) if is_alive() && is_pending && error.kind() == Kind::NotConnected => {}
                    Err(error) if is_alive() => {
                        // A guest may be the first, or the last that is left.
                        let is_full = plan.bytes < ROOMY.bytes || member.view().now.keepers() == 0;
                        assert!(is_full && error.kind() == Kind::NoResources, "{context}: {error}");
                    }
                    Err(_) => return,
                }
            }
            3 => {
                let number = lock(history).begin(key, Did::Remove, 0, begin);
                match member.remove(&name(key), Spares::None) {
                    Ok(_) if !is_alive() => return,
                    Ok(_) => lock(history).calls[number].ended = Some(world.now()),
                    Err(error) => {
                        assert!(!is_alive(), "{context}: {error}");
                        return;
                    }
                }
            }
            // Leased values do not go to disk.
            4 if !plan.restarts => {
                let leased = member.lease(&name(key), Duration::from_secs(3600));
                match leased {
                    Ok(Some(lease)) => {
                        let mut value = vec![0; usize::try_from(lease.bytes).unwrap()];
                        for _ in 0..dice.below(20) {
                            world.step(true);
                        }
                        // SAFETY: the value lives during the call.
                        let target = unsafe { Target::new(value.as_mut_ptr(), lease.bytes) };
                        if member.memory.fetch(lease.value, target).is_ok() {
                            lock(history).got(key, Some(value), begin, world.now());
                        }
                    }
                    Ok(None) => {}
                    Err(error) => {
                        assert!(!is_alive(), "{context}: {error}");
                        return;
                    }
                }
            }
            _ => match get_value(member, key, plan.value_bytes) {
                Ok(found) => lock(history).got(key, found, begin, world.now()),
                Err(error) => {
                    assert!(!is_alive(), "{context}: {error}");
                    return;
                }
            },
        }
    }
}

/// Divides a value into two pieces.
pub(super) fn pieces(value: &[u8]) -> [Source<'_>; 2] {
    let (one, two) = value.split_at(value.len() / 3);
    // SAFETY: the value lives as long as the pieces.
    [one, two].map(|piece| unsafe { Source::new(piece.as_ptr(), piece.len() as u64) })
}

/// Writes a value in two pieces, the second one first.
pub(super) fn write_in_pieces(member: &Member<SimMemory>, key: u64, value: &[u8], how: Put) -> Result<bool> {
    let [one, two] = pieces(value);
    let mut pending = member.begin(&name(key), value.len() as u64, how)?;
    let is_stored = member
        .write_piece(&mut pending, one.bytes(), two)
        .and_then(|()| member.write_piece(&mut pending, 0, one))
        .and_then(|()| member.publish_pending(&mut pending));
    if !matches!(is_stored, Ok(true)) {
        member.give_up(&pending);
    }
    is_stored
}

pub(super) fn get_value(member: &Member<SimMemory>, key: u64, most: u64) -> Result<Option<Vec<u8>>> {
    let mut value = vec![0; usize::try_from(most).unwrap()];
    let (one, two) = value.split_at_mut(1024);
    // SAFETY: the value lives during the call.
    let mut targets = [one, two].map(|part| unsafe { Target::new(part.as_mut_ptr(), part.len() as u64) });
    let found = member.get_scattered(&name(key), &mut targets, Duration::ZERO)?;
    Ok(found.map(|bytes| {
        value.truncate(usize::try_from(bytes).unwrap());
        value
    }))
}

/// Room for few values in memory, and for more on disk.
const DISKS: Plan = Plan { bytes: 368 << 10, keys: 14, operations: 24, has_disks: true, ..TIGHT };

/// Room for few values in memory, and a member that starts again, or two.
const RESTARTS: Plan =
    Plan { value_bytes: 12_000, keys: 40, operations: 60, has_disks: true, restarts: true, ..TIGHT };
/// Processes of a rank, one after the other.
const LIVES: u32 = 3;

/// Returns true if a member keeps no values: one of them in every second world.
fn is_guest(seed: u64, rank: u16) -> bool {
    seed % 2 == 1 && seed / 2 % u64::from(RANKS) == u64::from(rank)
}

/// A member's processes, one after the other, and its disk.
struct Rank<'a> {
    rank: u16,
    world: &'a Arc<World>,
    plan: Plan,
    seed: u64,
    /// The member, for its thread in the background.
    place: &'a Mutex<Option<Arc<Member<SimMemory>>>>,
    all: &'a [Mutex<Option<Arc<Member<SimMemory>>>>],
    disk: MemoryDisk,
    note: Option<Note>,
    /// Number of processes that found their values good.
    returns: &'a AtomicU64,
}

impl Rank<'_> {
    fn open(&mut self, life: u32) -> Result<Arc<Member<SimMemory>>> {
        let Self { rank, world, plan, seed, .. } = *self;
        let memory = SimMemory { world: Arc::clone(world), rank };
        let is_guest = is_guest(seed, rank);
        let options = Options { keeps_values: !is_guest, ..options() };
        let may_have = plan.restarts || !(seed + u64::from(rank)).is_multiple_of(3);
        let has_disk = plan.has_disks && !is_guest && may_have;
        let disk = has_disk.then(|| super::disk::tier(&self.disk, 12).0);
        let has_values = disk.as_ref().is_some_and(|disk| disk.engine().stats().values > 0);
        let incarnation = 100 + u32::from(rank) + 10 * life;
        let mut member = Member::open(memory, incarnation, Fingerprints([3; 16]), &options, disk)?;
        member.turns_max = 400;
        if world.disks.fetch_add(u64::from(has_disk), Ordering::SeqCst) > 0 {
            member.journal.begin();
        }
        member.join(world.joins.fetch_add(1, Ordering::SeqCst) + 1, self.note.as_ref())?;
        let is_good = member.disk.as_ref().is_some_and(|disk| lock(&disk.offer).is_some());
        self.returns.fetch_add(u64::from(is_good && has_values), Ordering::SeqCst);
        let member = Arc::new(member);
        *lock(self.place) = Some(Arc::clone(&member));
        member.wait_until_settled(Duration::from_secs(600)).map(|()| member)
    }

    /// Ends a process that has died, or lets it leave. Nothing of it runs afterwards.
    fn end(&mut self, is_clean: bool) {
        let Some(member) = lock(self.place).take() else { return };
        if is_clean {
            // It may die meanwhile.
            let _ = member.end_journal();
            if let Some(disk) = &member.disk {
                disk.engine().close().unwrap();
            }
            member.close();
            self.world.die(self.rank, self.world.now());
        }
        while Arc::strong_count(&member) > 1 {
            self.world.step(true);
        }
        self.note = member.disk.as_ref().and_then(|disk| lock(&disk.noted).clone());
        // A process takes longer to start than others need to notice that the former one has gone.
        let has_noticed = |other: &Arc<Member<SimMemory>>| {
            let is_idle = other.progress.try_lock().is_ok_and(|progress| progress.former.is_empty());
            is_idle && !other.view().latest().has(member.me)
        };
        let living = |place: &Mutex<Option<Arc<Member<SimMemory>>>>| {
            lock(place).clone().filter(|other| self.world.is_alive(other.me.rank))
        };
        while !self.all.iter().filter_map(living).all(|other| has_noticed(&other)) {
            self.world.step(true);
        }
    }
}

/// Returns the number of processes that a rank has.
fn lives(plan: Plan, seed: u64, rank: u16) -> u32 {
    let turn = (seed / 8 + u64::from(rank)) % u64::from(RANKS);
    if plan.restarts && turn <= seed / 16 % 2 { LIVES } else { 1 }
}

/// Runs one world: members work, the last one joins late, and victims die. Returns their history, and the
/// number of members that started again with good values.
fn run(seed: u64, plan: Plan, kills: usize) -> (History, u64) {
    let mut dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
    let mut kill = || (u16::try_from(dice.below(u64::from(RANKS))).unwrap(), 20 + dice.below(6000));
    let kills: Vec<_> = (0..kills).map(|_| kill()).collect();
    if kills.is_empty() {
        kill();
    }
    let world = World::new(seed, plan.bytes, kills);
    let history = Mutex::new(History::default());
    let workers = usize::from(RANKS);
    let left = AtomicU64::new(u64::from(RANKS));
    let returns = AtomicU64::new(0);
    let members: Vec<Mutex<Option<Arc<Member<SimMemory>>>>> = (0..RANKS).map(|_| Mutex::new(None)).collect();
    let comes_late = dice.below(40);
    std::thread::scope(|scope| {
        let (world, history, members, left, returns) = (&world, &history, &members, &left, &returns);
        lock(&world.turns).runs.fill(true);
        if plan.restarts {
            lock(&world.turns).background = 2;
        }
        for rank in 0..RANKS {
            let place = usize::from(rank);
            scope.spawn(move || {
                world.run(place, || {
                    if rank == RANKS - 1 {
                        (0..comes_late).for_each(|_| world.step(true));
                    }
                    world.joined[place].store(world.now(), Ordering::SeqCst);
                    let (disk, note) = Default::default();
                    let (place, all) = (&members[place], members);
                    let mut me = Rank { rank, world, plan, seed, place, all, disk, note, returns };
                    for life in 0..lives(plan, seed, rank) {
                        if life > 0 {
                            me.end(world.is_alive(rank));
                            (0..world.random_below(100)).for_each(|_| world.step(true));
                            world.revive(rank);
                        }
                        match me.open(life) {
                            Ok(member) => work(world, &member, history, plan, seed + u64::from(life)),
                            Err(error) => assert!(!world.is_alive(rank), "seed {seed} rank {rank}: {error}"),
                        }
                    }
                    if left.fetch_sub(1, Ordering::SeqCst) == 1 {
                        world.work_is_done.store(true, Ordering::SeqCst);
                    }
                });
            });
            scope.spawn(move || {
                world.run(workers + place, || {
                    while !world.work_is_done.load(Ordering::SeqCst) {
                        let member = lock(&members[place]).clone();
                        if let Some(member) = member.filter(|_| world.is_alive(rank))
                            && let Err(error) = member
                                .refresh()
                                .and_then(|_| member.populate(plan.populated))
                                .and_then(|_| member.restore())
                                .and_then(|_| disk_turn(&member))
                        {
                            let is_known = error.kind() == Kind::NotConnected;
                            assert!(is_known, "seed {seed} rank {rank}: {error}");
                        }
                        world.step(true);
                    }
                });
            });
        }
        let mut turns = lock(&world.turns);
        turns.choose();
        world.wakes[turns.turn].notify_one();
    });
    let mut history = std::mem::take(&mut *lock(&history));
    finish(&world, &members, &mut history, plan, seed);
    (history, returns.into_inner())
}

/// Lets the threads of a tier on disk work.
fn disk_turn(member: &Member<SimMemory>) -> Result<bool> {
    if let Some(disk) = &member.disk {
        disk.engine().step();
    }
    member.disk_turn()
}

/// Checks the world after all have done their work and the survivors have settled.
fn finish(
    world: &Arc<World>,
    members: &[Mutex<Option<Arc<Member<SimMemory>>>>],
    history: &mut History,
    plan: Plan,
    seed: u64,
) {
    // No other thread runs, and deaths are noticed.
    let mut turns = lock(&world.turns);
    turns.runs[0] = true;
    turns.turn = 0;
    turns.steps += world.notice + 1;
    drop(turns);
    THREAD.set(0);
    let living: Vec<_> = (0..RANKS)
        .filter(|rank| world.is_alive(*rank))
        .filter_map(|rank| lock(&members[usize::from(rank)]).clone())
        .collect();
    let mut rounds = 0;
    let keep_up = |member: &Arc<Member<SimMemory>>| member.refresh().unwrap() & member.restore().unwrap();
    while !living.iter().map(keep_up).fold(true, |all, settled| all & settled) {
        rounds += 1;
        assert!(rounds < 100, "seed {seed}: members do not settle");
    }
    let waited_for: Vec<_> = living.iter().map(Arc::clone).collect();
    *lock(&world.on_pause) = Some(Box::new(move || {
        waited_for.iter().for_each(|member| {
            disk_turn(member).unwrap();
        });
    }));
    let is_roomy = living.iter().all(|member| member.counts.read(Count::Evictions) == 0);
    let dead = |rank: u16| !world.is_alive(rank);
    let anyone_died = (0..RANKS).any(dead);
    for key in 0..plan.keys {
        let begin = world.now();
        let context = format!("seed {seed} at the end, key {key}");
        let latest: Vec<_> = values::latest(&history.calls, key, begin).collect();
        let replicated = latest.iter().all(|change| history.replicas[*change] > 1);
        let is_put = |change: &usize| matches!(history.calls[*change].did, Did::Put(_));
        let must_be = latest.iter().any(|change| history.calls[*change].ended.is_some())
            && latest.iter().all(is_put)
            && (!anyone_died || replicated);
        if must_be && is_roomy && plan.bytes == ROOMY.bytes && replicated {
            let count = replicas(&living[0], key);
            let keepers = living.iter().filter(|member| !is_guest(seed, member.me.rank)).count();
            assert!(count >= keepers.min(2), "{count} replicas: {context} {latest:?}");
        }
        for member in &living {
            let value = get_value(member, key, plan.value_bytes).unwrap();
            let is_there = value.is_some();
            history.got(key, value, begin, world.now());
            assert!(
                is_there || !must_be || !is_roomy || plan.bytes < ROOMY.bytes,
                "lost: {context} for rank {}: {latest:?}",
                member.me.rank
            );
        }
    }
    *lock(&world.on_pause) = None;
    let _ = world.random_below(2);
    let loses = !is_roomy || plan.bytes < ROOMY.bytes;
    history.judge(loses, anyone_died || plan.restarts, &format!("seed {seed}"));
}

/// Counts the blocks that have the value of a key.
fn replicas(member: &Member<SimMemory>, key: u64) -> usize {
    let view = member.view();
    let index = member.index(&view);
    let print = member.prints.fingerprint("test", &name(key)).unwrap();
    let found = index.find(print).unwrap();
    found.map_or(0, |found| index.replicas(&found.head).unwrap().len())
}

/// Returns the seeds of each test: ten worlds for each of `MF_TEST_SEEDS`.
fn seeds() -> std::ops::Range<u64> {
    let first = std::env::var("MF_TEST_FIRST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let count = std::env::var("MF_TEST_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20u64);
    first..first + 10 * count
}

/// Runs a world for each seed. Returns the number of members that started again with good values.
fn run_all(seeds: impl Iterator<Item = u64>, plan: Plan, kills: impl Fn(u64) -> u64) -> u64 {
    seeds.map(|seed| run(seed, plan, usize::try_from(kills(seed)).unwrap()).1).sum()
}

#[test]
fn keys_and_values_survive_joins() {
    run_all(seeds(), ROOMY, |_| 0);
}

#[test]
fn death_at_any_step_loses_only_the_values_of_that_member() {
    run_all(seeds(), ROOMY, |_| 1);
}

#[test]
fn removal_succeeds_if_a_home_dies_meanwhile() {
    // In world 97 a home that the key had not left yet dies under the removal.
    run_all(std::iter::once(97).chain(seeds()), Plan { populated: 1, ..ROOMY }, |_| 1);
}

#[test]
fn values_stay_whole_during_eviction_and_deaths() {
    run_all(seeds(), TIGHT, |seed| 1 - seed % 2);
}

#[test]
fn values_on_disk_are_whole_and_right_during_deaths() {
    run_all(seeds(), DISKS, |seed| 1 - seed % 2);
}

#[test]
fn folders_of_members_that_start_again_bring_nothing_old_back() {
    let returns = run_all(seeds().step_by(4), RESTARTS, |seed| seed / 4 % 3);
    assert!(returns > 0, "no member started again with good values");
}

#[test]
fn planted_wrong_results_of_a_run_are_rejected() {
    let (history, _) = run(3, ROOMY, 0);
    let is_wrong = |place: usize, did: Did| {
        let mut calls = history.calls.clone();
        calls[place].did = did;
        values::judge(&calls).is_err_and(|verdict| verdict.place == place)
    };
    let (mut torn, mut over) = (0, 0);
    for (place, get) in history.calls.iter().enumerate() {
        let Did::Get(Some(value)) = &get.did else { continue };
        if !value.is_empty() {
            let mut bytes = value.clone();
            *bytes.last_mut().unwrap() ^= 1;
            assert!(is_wrong(place, Did::Get(Some(bytes))), "torn: {get:?}");
            torn += 1;
        }
        let may_be: Vec<_> = values::latest(&history.calls, get.key, get.began).collect();
        for (number, put) in history.calls.iter().enumerate() {
            let is_other = put.key == get.key && put.ended.is_some_and(|ended| ended < get.began);
            if let (Did::Put(former), true) = (&put.did, is_other && !may_be.contains(&number))
                && !former.is_empty()
            {
                assert!(is_wrong(place, Did::Get(Some(former.clone()))), "replaced: {get:?}");
                over += 1;
            }
        }
    }
    assert!(torn > 5 && over > 5, "{torn} {over}");
}
