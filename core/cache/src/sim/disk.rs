// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of members with a tier on disk, and the disk in memory that they use.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::sync::lock;
use mf_disk::{Area, Engine, EngineOptions};
use rustix::io::Errno;

use super::runs::{get_value, name};
use super::single_thread::{put, world_with};
use super::{SimMemory, options};
use crate::counts::Count;
use crate::disk::{Admission, Disk, Storage};
use crate::events::Change;
use crate::member::Member;
use crate::publish::Spares;
use crate::returned::Note;
use crate::save::Saved;
use crate::write::Put;

const SEGMENT: u64 = 128 << 10;

#[derive(Default)]
struct Contents {
    areas: BTreeMap<Area, Vec<u8>>,
    fails: bool,
}

/// A disk in memory; clones share their contents.
#[derive(Clone, Default)]
pub(super) struct MemoryDisk(Arc<Mutex<Contents>>);

impl MemoryDisk {
    /// Lets all later calls fail, or succeed again.
    pub(super) fn fail(&self, fails: bool) {
        lock(&self.0).fails = fails;
    }

    fn bytes<T>(&self, area: Area, end: u64, act: impl FnOnce(&mut [u8]) -> T) -> Result<T, Errno> {
        let mut disk = lock(&self.0);
        if disk.fails {
            return Err(Errno::IO);
        }
        let bytes = disk.areas.entry(area).or_default();
        let end = usize::try_from(end).unwrap();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        Ok(act(&mut bytes[..end]))
    }
}

impl mf_disk::Disk for MemoryDisk {
    fn read(&self, area: Area, at: u64, into: &mut [u8]) -> Result<(), Errno> {
        let (start, end) = (usize::try_from(at).unwrap(), at + into.len() as u64);
        self.bytes(area, end, |bytes| into.copy_from_slice(&bytes[start..]))
    }

    fn write(&self, area: Area, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        let (start, end) = (usize::try_from(at).unwrap(), at + bytes.len() as u64);
        self.bytes(area, end, |all| all[start..].copy_from_slice(bytes))
    }

    fn sync(&self, area: Area) -> Result<(), Errno> {
        self.bytes(area, 0, |_| ())
    }

    fn allocate(&self, _: u64, _: u64) -> Result<(), Errno> {
        Ok(())
    }

    fn discard(&self, _: u64, _: u64) -> Result<(), Errno> {
        Ok(())
    }
}

/// Opens an engine over a disk, and the tier of a member over that.
pub(super) fn tier(disk: &MemoryDisk, slots: u32) -> (Disk, Arc<Engine>) {
    let options = EngineOptions {
        set: 5,
        secret: [3; 16],
        segment_bytes: SEGMENT,
        slots,
        tombstones_max: 1000,
        batch_bytes: 64 << 10,
        retry_after: Duration::ZERO,
        slow_after: Duration::from_secs(600),
        ..EngineOptions::default()
    };
    let engine = Arc::new(Engine::open(vec![Box::new(disk.clone())], options).unwrap());
    (Disk::new(Storage::Simulated(Arc::clone(&engine)), SEGMENT, Admission::All), engine)
}

/// A member with a disk, alone.
pub(super) struct Alone {
    pub(super) member: Member<SimMemory>,
    pub(super) engine: Arc<Engine>,
    pub(super) disk: MemoryDisk,
}

impl Alone {
    fn new(bytes: usize) -> Self {
        Self::over(MemoryDisk::default(), bytes)
    }

    fn over(disk: MemoryDisk, bytes: usize) -> Self {
        let (tier, engine) = tier(&disk, 64);
        let member = world_with(vec![(options(), Some(tier))], bytes).pop().unwrap();
        Self { member, engine, disk }
    }

    /// Lets the threads of the tier and of its engine work until there is nothing left to do.
    pub(super) fn work(&self) {
        while self.member.disk_turn().unwrap() | self.engine.step() {}
    }

    fn put(&self, key: u64) {
        assert!(put(&self.member, key, 20 << 10, false).unwrap());
        self.work();
    }

    pub(super) fn is_on_disk(&self, key: u64) -> bool {
        is_on_disk(&self.member, key)
    }

    /// Joins as number `joins`, with the note of a former process. Returns the note of this one.
    fn join(&self, joins: u64, former: Option<&Note>) -> Option<Note> {
        self.member.join(joins, former).unwrap();
        note(&self.member)
    }
}

fn note(member: &Member<SimMemory>) -> Option<Note> {
    lock(&member.disk.as_ref().unwrap().noted).clone()
}

pub(super) fn is_on_disk(member: &Member<SimMemory>, key: u64) -> bool {
    let view = member.view();
    let print = member.prints.fingerprint("test", &name(key)).unwrap();
    member.index(&view).find(print).unwrap().is_some_and(|found| found.head.holds.is_on_disk)
}

pub(super) fn get(member: &Member<SimMemory>, key: u64) -> Option<Vec<u8>> {
    get_value(member, key, 64 << 10).unwrap()
}

pub(super) const VALUES: u64 = 60;

/// A member with more values than its memory has room for.
pub(super) fn filled() -> Alone {
    let alone = Alone::new(512 << 10);
    alone.join(1, None);
    (0..VALUES).for_each(|key| alone.put(key));
    alone
}

#[test]
fn evicted_values_are_found_on_disk() {
    let alone = filled();
    let member = &alone.member;
    assert!(alone.is_on_disk(0) && !alone.is_on_disk(VALUES - 1));
    assert_eq!(member.counts.read(Count::Evictions), 0);
    for key in 0..VALUES {
        assert_eq!(member.size(&name(key)).unwrap(), Some(20 << 10), "key {key}");
        assert!(get(member, key).is_some_and(|value| value == vec![7; 20 << 10]), "key {key}");
    }
    assert_eq!(member.keys(0, 99, 1 << 20).unwrap().0.len(), usize::try_from(VALUES).unwrap());
    assert!(member.counts.read(Count::DiskHits) > 0);
    // Values that are read again come back.
    get(member, 0);
    alone.work();
    assert!(!alone.is_on_disk(0) && member.counts.read(Count::Promotions) > 0);
}

#[test]
fn value_on_disk_is_removed_replaced_leased_and_pinned() {
    let alone = filled();
    let member = &alone.member;
    let watch = member.events.watch(99);
    assert!(member.remove(&name(0), Spares::None).unwrap());
    assert_eq!((get(member, 0), member.size(&name(0)).unwrap()), (None, None));
    assert!(!alone.engine.contains(&name(0)).unwrap());
    let (events, _) = watch.take(9, 999);
    assert_eq!((events[0].change, &events[0].key), (Change::Removed, &name(0)));
    assert!(put(member, 1, 100, false).unwrap());
    assert_eq!(get(member, 1), Some(vec![7; 100]));
    assert!(!alone.engine.contains(&name(1)).unwrap());
    let keep = Put { replace: false, ..Put::default() };
    assert!(alone.is_on_disk(2) && !member.put(&name(2), &[], keep).unwrap());
    let lease = member.lease(&name(2), Duration::from_secs(3600)).unwrap().unwrap();
    assert!(!alone.is_on_disk(2) && member.is_held(&lease.held).unwrap());
    assert!(alone.is_on_disk(3) && member.pin(&name(3), true).unwrap() && !alone.is_on_disk(3));
    (100..100 + 3 * VALUES).for_each(|key| alone.put(key));
    assert!(!alone.is_on_disk(3) && get(member, 3).is_some() && member.is_held(&lease.held).unwrap());
    // A put between leased values may have found no room in one piece.
    let gone = member.counts.read(Count::Evictions) + member.counts.read(Count::DiskLost);
    assert!(gone < 3);
    assert_eq!(member.clear(Spares::None).unwrap(), 3 * VALUES + VALUES - 1 - gone);
    assert_eq!(alone.engine.stats().values, 0);
}

#[test]
fn failed_disk_loses_values_and_comes_back() {
    let alone = filled();
    let member = &alone.member;
    alone.disk.fail(true);
    for key in 100..100 + VALUES {
        assert!(put(member, key, 20 << 10, false).unwrap());
        member.disk_turn().unwrap();
        alone.engine.step();
    }
    assert!(member.disk_stats().unwrap().is_off);
    assert!(get(member, 100 + VALUES - 1).is_some() && get(member, 0).is_none());
    alone.disk.fail(false);
    alone.work();
    for key in 200..200 + VALUES {
        alone.put(key);
    }
    assert!(!member.disk_stats().unwrap().is_off && alone.is_on_disk(200));
    // All that is listed is there.
    let listed = member.keys(0, 999, 1 << 20).unwrap().0.len();
    let is_there = |key: &u64| {
        alone.work();
        get(member, *key).is_some()
    };
    assert_eq!(listed, (0..200 + VALUES).filter(is_there).count());
}

#[test]
fn full_disk_forgets_its_oldest_values() {
    let (tier, engine) = tier(&MemoryDisk::default(), 4);
    let member = world_with(vec![(options(), Some(tier))], 512 << 10).pop().unwrap();
    for key in 0..3 * VALUES {
        assert!(put(&member, key, 20 << 10, false).unwrap());
        while member.disk_turn().unwrap() | engine.step() {}
    }
    let listed = member.keys(0, 999, 1 << 20).unwrap().0.len() as u64;
    let there = (0..3 * VALUES).filter(|key| get(&member, *key).is_some()).count() as u64;
    assert!(listed == there && there < 3 * VALUES, "{listed} {there}");
    assert!(member.counts.read(Count::DiskLost) > 0 && get(&member, 0).is_none());
}

#[test]
fn member_that_starts_again_offers_what_was_not_removed() {
    let alone = Alone::new(512 << 10);
    let first = alone.join(1, None);
    (0..VALUES).for_each(|key| alone.put(key));
    assert!(alone.member.remove(&name(0), Spares::None).unwrap());
    assert!(put(&alone.member, 1, 100, false).unwrap());
    let (disk, in_memory) = (alone.disk.clone(), !alone.is_on_disk(VALUES - 1));
    drop(alone);
    let again = Alone::over(disk.clone(), 512 << 10);
    again.join(2, first.as_ref());
    again.work();
    assert!(in_memory && get(&again.member, VALUES - 1).is_none());
    assert_eq!((get(&again.member, 0), get(&again.member, 1)), (None, None));
    assert!((2..20).all(|key| get(&again.member, key) == Some(vec![7; 20 << 10])));
    // A later value is newer than one of the former process.
    assert!(put(&again.member, 2, 100, false).unwrap());
    assert_eq!(get(&again.member, 2), Some(vec![7; 100]));
    drop(again);
    // Another member has been there meanwhile.
    let other = Alone::over(disk, 512 << 10);
    other.join(3, first.as_ref());
    other.work();
    assert!((0..VALUES).all(|key| get(&other.member, key).is_none()));
}

#[test]
fn saved_values_are_offered_after_a_restart() {
    let alone = filled();
    let member = &alone.member;
    let in_memory: Vec<u64> = (0..VALUES).filter(|key| !alone.is_on_disk(*key)).collect();
    let read = in_memory[0];
    assert!(in_memory.len() > 4 && get(member, read).is_some());
    assert!(member.pin(&name(in_memory[1]), true).unwrap());
    // The value that was read, and then time is over.
    let calls = Cell::new(0);
    let saved = member.save(&|| calls.replace(calls.get() + 1) > 0).unwrap();
    assert_eq!((saved.values, saved.bytes, saved.left), (1, 20 << 10, in_memory.len() as u64 - 1));
    assert!(alone.is_on_disk(read) && !alone.is_on_disk(in_memory[1]));
    let first = note(&alone.member);
    let saved = member.save(&|| false).unwrap();
    assert_eq!((saved.values, saved.left), (in_memory.len() as u64 - 1, 0));
    assert_eq!(member.save(&|| false).unwrap(), Saved::default());
    alone.work();
    let disk = alone.disk.clone();
    drop(alone);
    let again = Alone::over(disk, 512 << 10);
    again.join(2, first.as_ref());
    again.work();
    assert!((0..VALUES).all(|key| get(&again.member, key) == Some(vec![7; 20 << 10])));
    // A disk that is off takes nothing.
    again.disk.fail(true);
    (0..9).for_each(|key| drop(get(&again.member, key)));
    put(&again.member, 100, 20 << 10, false).unwrap();
    let left = again.member.save(&|| again.member.disk_stats().unwrap().is_off).unwrap().left;
    assert!(left > 0 || !again.member.disk_stats().unwrap().is_off);
}

#[test]
fn member_reads_a_value_on_the_disk_of_another_one() {
    let disk = MemoryDisk::default();
    let (tier, engine) = tier(&disk, 64);
    let mut members = world_with(vec![(options(), Some(tier)), (options(), None)], 512 << 10);
    let two = &members.pop().unwrap();
    let one = &Arc::new(members.pop().unwrap());
    let keys = 2 * VALUES;
    for key in 0..keys {
        assert!(put(one, key, 20 << 10, false).unwrap());
        while one.disk_turn().unwrap() | engine.step() {}
    }
    let first_on_disk = || (0..keys).find(|key| is_on_disk(two, *key)).unwrap();
    let on_disk = first_on_disk();
    // The member with the disk works while the other one waits.
    let working = Arc::clone(one);
    *lock(&two.memory.world.on_pause) = Some(Box::new(move || {
        working.disk_turn().unwrap();
    }));
    assert_eq!(get(two, on_disk), Some(vec![7; 20 << 10]));
    assert!(!is_on_disk(one, on_disk));
    // Nobody serves the request: a miss.
    *lock(&two.memory.world.on_pause) = None;
    let on_disk = first_on_disk();
    assert_eq!(get(two, on_disk), None);
    // A removal by another member.
    assert!(two.remove(&name(on_disk), Spares::None).unwrap());
    assert_eq!((get(one, on_disk), get(two, on_disk)), (None, None));
    // A member without a disk has gone with its memory; the other one has its values.
    one.memory.world.died[1].store(1, Ordering::SeqCst);
    while !one.refresh().unwrap() {}
    assert!((0..keys).any(|key| get(one, key).is_some()));
}
