// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of members that start again with their folders, beside others.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::sync::lock;
use mf_disk::Engine;

use super::disk::{MemoryDisk, get, tier};
use super::runs::name;
use super::single_thread::put;
use super::{SimMemory, THREAD, World, options};
use crate::key::Fingerprints;
use crate::member::Member;
use crate::publish::Spares;
use crate::returned::Note;

const VALUES: u64 = 60;
const BYTES: usize = 20 << 10;

type Peer = Arc<Member<SimMemory>>;

/// A world of members that one thread drives, and the disk of rank 0.
struct Pool {
    world: Arc<World>,
    disk: MemoryDisk,
}

/// Member of rank 0, which has the disk.
struct Keeper {
    member: Peer,
    engine: Arc<Engine>,
}

impl Keeper {
    fn work(&self) {
        while self.member.disk_turn().unwrap() | self.engine.step() {}
    }

    fn note(&self) -> Option<Note> {
        lock(&self.member.disk.as_ref().unwrap().noted).clone()
    }

    /// Returns the keys among these that have values of this length.
    fn found(&self, keys: &[u64], bytes: usize) -> Vec<u64> {
        let has = |key: &u64| get(&self.member, *key).is_some_and(|value| value == vec![7; bytes]);
        keys.iter().copied().filter(has).collect()
    }
}

impl Pool {
    fn new() -> Self {
        let world = World::new(1, 512 << 10, Vec::new());
        {
            let mut turns = lock(&world.turns);
            (turns.runs[0], turns.turn) = (true, 0);
        }
        THREAD.set(0);
        Self { world, disk: MemoryDisk::default() }
    }

    fn open(&self, rank: u16, disk: Option<crate::disk::Disk>, note: Option<&Note>) -> Peer {
        self.world.revive(rank);
        let joins = self.world.joins.fetch_add(1, Ordering::SeqCst) + 1;
        let memory = SimMemory { world: Arc::clone(&self.world), rank };
        let has_disk = u64::from(disk.is_some());
        let incarnation = u32::try_from(joins).unwrap();
        let mut member = Member::open(memory, incarnation, Fingerprints([3; 16]), &options(), disk).unwrap();
        member.turns_max = 100;
        if self.world.disks.fetch_add(has_disk, Ordering::SeqCst) > 0 {
            member.journal.begin();
        }
        member.join(joins, note).unwrap();
        Arc::new(member)
    }

    fn other(&self, rank: u16) -> Peer {
        self.open(rank, None, None)
    }

    fn keeper(&self, note: Option<&Note>) -> Keeper {
        let (tier, engine) = tier(&self.disk, 64);
        Keeper { member: self.open(0, Some(tier), note), engine }
    }

    fn die(&self, rank: u16) {
        self.world.die(rank, self.world.now());
        while self.world.now() < self.world.died[usize::from(rank)].load(Ordering::SeqCst) + self.world.notice
        {
            self.world.step(true);
        }
    }
}

fn settle(members: &[&Peer]) {
    while !members.iter().map(|member| member.refresh().unwrap()).fold(true, |all, settled| all & settled) {}
}

/// A pool of a member with a disk, which has values in memory and on disk, and of others.
fn filled(others: u16) -> (Pool, Keeper, Vec<Peer>) {
    let pool = Pool::new();
    let keeper = pool.keeper(None);
    let others: Vec<_> = (1..=others).map(|rank| pool.other(rank)).collect();
    settle(&others.iter().chain([&keeper.member]).collect::<Vec<_>>());
    // The others are full: values stay with the first member.
    for key in 0..VALUES {
        put(&keeper.member, key, BYTES, false).unwrap();
        keeper.work();
    }
    (pool, keeper, others)
}

/// Keys with values on the disk.
fn on_disk(keeper: &Keeper) -> Vec<u64> {
    (0..VALUES).filter(|key| keeper.engine.contains(&name(*key)).unwrap()).collect()
}

/// Lets the member with the disk die, and start again after `meanwhile`.
fn start_again(pool: &Pool, keeper: Keeper, others: &[Peer], meanwhile: impl FnOnce()) -> Keeper {
    let note = keeper.note();
    pool.die(0);
    drop(keeper);
    let others: Vec<_> = others.iter().filter(|other| pool.world.is_alive(other.me.rank)).collect();
    settle(&others);
    meanwhile();
    let others: Vec<_> = others.into_iter().filter(|other| pool.world.is_alive(other.me.rank)).collect();
    settle(&others);
    let again = pool.keeper(note.as_ref());
    settle(&others.into_iter().chain([&again.member]).collect::<Vec<_>>());
    again.work();
    again
}

#[test]
fn member_offers_values_that_others_have_not_changed() {
    let (pool, keeper, others) = filled(2);
    let [one, two] = &others[..] else { panic!() };
    let before = on_disk(&keeper);
    assert!(before.len() > 12);
    // Before it dies, with and without its knowledge, and while it is away.
    assert!(one.remove(&name(before[0]), Spares::None).unwrap());
    put(two, before[1], 100, false).unwrap();
    keeper.work();
    assert!(!keeper.engine.contains(&name(before[0])).unwrap());
    assert!(!keeper.engine.contains(&name(before[1])).unwrap());
    assert!(one.remove(&name(before[2]), Spares::None).unwrap());
    put(one, before[3], 100, false).unwrap();
    let again = start_again(&pool, keeper, &others, || {
        assert!(!two.remove(&name(before[4]), Spares::None).unwrap());
        put(two, before[5], 100, false).unwrap();
        put(one, before[6], 100, false).unwrap();
        assert!(one.remove(&name(before[6]), Spares::None).unwrap());
    });
    assert_eq!(again.found(&before, BYTES), before[7..]);
    assert_eq!(again.found(&before, 100), [before[1], before[3], before[5]]);
    // And once more.
    let last = start_again(&pool, again, &others, || put(one, before[7], 100, false).map(drop).unwrap());
    assert_eq!(last.found(&before, BYTES), before[8..]);
}

#[test]
fn folder_begins_empty_if_a_member_died_meanwhile() {
    let (pool, keeper, others) = filled(2);
    let before = on_disk(&keeper);
    let again = start_again(&pool, keeper, &others, || {
        assert!(!others[1].remove(&name(before[0]), Spares::None).unwrap());
        pool.die(2);
    });
    assert_eq!(again.found(&before, BYTES), [0; 0]);
    assert!(on_disk(&again).is_empty());
}

#[test]
fn folder_begins_empty_if_a_member_came_and_went_meanwhile() {
    let (pool, keeper, others) = filled(1);
    let before = on_disk(&keeper);
    let again = start_again(&pool, keeper, &others, || {
        let guest = pool.other(3);
        settle(&[&guest, &others[0]]);
        assert!(!guest.remove(&name(before[0]), Spares::None).unwrap());
        guest.end_journal().unwrap();
        guest.close();
        pool.die(3);
    });
    assert_eq!(again.found(&before, BYTES), [0; 0]);
}

#[test]
fn folder_begins_empty_if_a_journal_has_overflowed() {
    let (pool, keeper, others) = filled(1);
    let before = on_disk(&keeper);
    let again = start_again(&pool, keeper, &others, || {
        for _ in 0..1000 {
            others[0].remove(b"a key that has no value", Spares::None).unwrap();
        }
    });
    assert_eq!(again.found(&before, BYTES), [0; 0]);
}

#[test]
fn removal_of_all_keys_leaves_nothing_on_disks() {
    let (pool, keeper, others) = filled(1);
    let before = on_disk(&keeper);
    let again = start_again(&pool, keeper, &others, || {
        others[0].clear(Spares::None).unwrap();
    });
    assert_eq!((again.found(&before, BYTES), on_disk(&again)), (vec![], vec![]));
}

#[test]
fn death_of_a_member_is_made_up_for_by_a_sweep() {
    let (pool, keeper, others) = filled(2);
    let before = on_disk(&keeper);
    // Nobody has read its journal when it dies.
    assert!(others[1].remove(&name(before[0]), Spares::None).unwrap());
    put(&others[1], before[1], 100, false).unwrap();
    pool.die(2);
    settle(&[&keeper.member, &others[0]]);
    assert!(keeper.engine.contains(&name(before[0])).unwrap());
    keeper.work();
    assert!(!keeper.engine.contains(&name(before[0])).unwrap());
    let living = &others[..1];
    let again = start_again(&pool, keeper, living, || {});
    assert_eq!(again.found(&before, BYTES), before[2..]);
}

#[test]
fn member_that_leaves_is_not_needed_later() {
    let (pool, keeper, others) = filled(2);
    let before = on_disk(&keeper);
    assert!(others[1].remove(&name(before[0]), Spares::None).unwrap());
    let reading = Arc::clone(&keeper.member);
    *lock(&pool.world.on_pause) = Some(Box::new(move || {
        reading.disk_turn().unwrap();
    }));
    others[1].end_journal().unwrap();
    *lock(&pool.world.on_pause) = None;
    assert!(others[1].put(&name(before[1]), &[], <_>::default()).is_err(), "it has left");
    others[1].close();
    pool.die(2);
    settle(&[&keeper.member, &others[0]]);
    keeper.work();
    let again = start_again(&pool, keeper, &others[..1], || {});
    assert_eq!(again.found(&before, BYTES), before[1..]);
}
