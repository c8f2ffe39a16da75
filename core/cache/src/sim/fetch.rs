// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of values that are fetched before a get.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::sync::lock;

use super::disk::{MemoryDisk, VALUES, filled, get, is_on_disk, tier};
use super::runs::name;
use super::single_thread::{put, world, world_of, world_with};
use super::{SimMemory, options};
use crate::counts::Count;
use crate::fetch::Fetched;
use crate::member::Member;
use crate::options::Options;
use crate::publish::Spares;

fn fetch(member: &Member<SimMemory>, key: u64) -> Fetched {
    member.fetch_value(&name(key)).unwrap()
}

fn place(member: &Member<SimMemory>, key: u64) -> u16 {
    let view = member.view();
    let print = member.prints.fingerprint("test", &name(key)).unwrap();
    member.index(&view).find(print).unwrap().unwrap().block.rank
}

#[test]
fn value_on_the_own_disk_is_fetched_into_memory() {
    let alone = filled();
    let member = &alone.member;
    assert!(alone.is_on_disk(0) && alone.is_on_disk(1));
    assert_eq!((fetch(member, 0), alone.is_on_disk(0)), (Fetched::Moved, false));
    let hits = member.counts.read(Count::DiskHits);
    assert!(get(member, 0).is_some() && member.counts.read(Count::DiskHits) == hits);
    assert_eq!((fetch(member, 0), fetch(member, 9999)), (Fetched::Present, Fetched::Missing));
    assert!(member.fetch_value(b"").is_err());
    // The engine switches off at the third failed read.
    alone.disk.fail(true);
    assert_ne!(fetch(member, 1), Fetched::Moved);
    assert!(alone.is_on_disk(1) || fetch(member, 1) == Fetched::Missing);
}

#[test]
fn value_on_the_disk_of_another_member_is_fetched() {
    let (tier, engine) = tier(&MemoryDisk::default(), 64);
    let mut members = world_with(vec![(options(), Some(tier)), (options(), None)], 512 << 10);
    let two = &members.pop().unwrap();
    let one = &Arc::new(members.pop().unwrap());
    for key in 0..2 * VALUES {
        assert!(put(one, key, 20 << 10, false).unwrap());
        while one.disk_turn().unwrap() | engine.step() {}
    }
    let key = (0..2 * VALUES).find(|key| is_on_disk(two, *key)).unwrap();
    // Nobody serves the request.
    assert_eq!(fetch(two, key), Fetched::Failed);
    let working = Arc::clone(one);
    *lock(&two.memory.world.on_pause) = Some(Box::new(move || {
        working.disk_turn().unwrap();
    }));
    assert_eq!((fetch(two, key), is_on_disk(one, key)), (Fetched::Moved, false));
    assert_eq!(fetch(two, key), Fetched::Present);
    *lock(&two.memory.world.on_pause) = None;
}

#[test]
fn value_of_another_host_is_copied_into_free_room() {
    let members = world(2, 512 << 10);
    let [one, two] = &members[..] else { unreachable!() };
    put(one, 0, 1000, false).unwrap();
    assert_eq!((fetch(two, 0), place(two, 0)), (Fetched::Present, 0));
    one.memory.world.is_spread.store(true, Ordering::Relaxed);
    assert_eq!((fetch(two, 0), place(two, 0), place(one, 0)), (Fetched::Moved, 1, 0));
    assert_eq!((fetch(two, 0), fetch(one, 0)), (Fetched::Present, Fetched::Present));
    // A put replaces both copies, a removal removes both.
    put(one, 0, 500, false).unwrap();
    assert_eq!((place(two, 0), get(two, 0)), (0, Some(vec![7; 500])));
    assert_eq!(fetch(two, 0), Fetched::Moved);
    assert!(one.remove(&name(0), Spares::None).unwrap());
    assert_eq!((get(two, 0), fetch(two, 0)), (None, Fetched::Missing));
    // No value is evicted for a copy.
    put(one, 1, 100 << 10, false).unwrap();
    while two.counts.read(Count::Evictions) == 0 {
        put(two, 1000 + two.counts.read(Count::Puts), 20 << 10, false).unwrap();
    }
    let evictions = two.counts.read(Count::Evictions);
    assert_eq!(fetch(two, 1), Fetched::Failed);
    assert_eq!((place(two, 1), two.counts.read(Count::Evictions)), (0, evictions));
}

#[test]
fn guest_copies_no_values() {
    let guest = Options { keeps_values: false, ..options() };
    let members = world_of(&[options(), guest], 512 << 10);
    put(&members[0], 0, 1000, false).unwrap();
    members[0].memory.world.is_spread.store(true, Ordering::Relaxed);
    assert_eq!((fetch(&members[1], 0), place(&members[1], 0)), (Fetched::Present, 0));
}
