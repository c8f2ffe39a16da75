// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of few members that one thread drives.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{Kind, Result, Retry};

use super::runs::name;
use super::{SimMemory, THREAD, World, options};
use crate::arena::Walk;
use crate::atomic_fields::Phase;
use crate::counts::Count;
use crate::disk::Disk;
use crate::key::Fingerprints;
use crate::member::Member;
use crate::memory::Source;
use crate::options::Options;
use crate::publish::Spares;
use crate::write::Put;

/// Creates a world of `members` members that one thread drives.
pub(super) fn world(members: u16, bytes: usize) -> Vec<Member<SimMemory>> {
    world_of(&vec![options(); members.into()], bytes)
}

/// Creates a world of members with these options.
pub(super) fn world_of(members: &[Options], bytes: usize) -> Vec<Member<SimMemory>> {
    world_with(members.iter().map(|options| (options.clone(), None)).collect(), bytes)
}

/// Like [`world_of`], with tiers on disk.
pub(super) fn world_with(members: Vec<(Options, Option<Disk>)>, bytes: usize) -> Vec<Member<SimMemory>> {
    let world = World::new(1, bytes, Vec::new());
    {
        let mut turns = lock(&world.turns);
        (turns.runs[0], turns.turn) = (true, 0);
    }
    THREAD.set(0);
    let open = |(rank, (options, disk)): (u16, (Options, Option<Disk>))| {
        world.joined[usize::from(rank)].store(1, Ordering::SeqCst);
        let memory = SimMemory { world: Arc::clone(&world), rank };
        let mut member =
            Member::open(memory, u32::from(rank) + 1, Fingerprints([3; 16]), &options, disk).unwrap();
        member.turns_max = 100;
        member
    };
    let members: Vec<_> = (0..).zip(members).map(open).collect();
    // All settle when each has seen the others several times.
    let refresh = |member: &Member<SimMemory>| member.refresh().unwrap();
    while !members.iter().map(refresh).fold(true, |all, settled| all & settled) {}
    members
}

pub(super) fn alone(bytes: usize) -> Member<SimMemory> {
    world(1, bytes).pop().unwrap()
}

pub(super) fn put(member: &Member<SimMemory>, key: u64, bytes: usize, pin: bool) -> Result<bool> {
    let value = vec![7; bytes];
    // SAFETY: the value lives during the call.
    let source = unsafe { Source::new(value.as_ptr(), bytes as u64) };
    member.put(&name(key), &[source], Put { pin, ..Put::default() })
}

#[test]
fn disconnected_member_stays_in_the_view() {
    let members = world(2, 512 << 10);
    let died = &members[0].memory.world.died[1];
    // The member does not answer, but the pool still lists it.
    died.store(u64::MAX / 2, Ordering::SeqCst);
    for _ in 0..3 {
        let _ = members[0].refresh();
        assert_eq!(members[0].capacity().1, 2);
    }
    died.store(0, Ordering::SeqCst);
    assert!(members[0].refresh().unwrap() && put(&members[0], 0, 8, false).unwrap());
}

#[test]
fn oversized_value_claims_nothing() {
    let member = alone(512 << 10);
    let error = put(&member, 0, 1 << 20, false).unwrap_err();
    assert_eq!((error.kind(), error.retry_class()), (Kind::NoResources, Retry::Never));
    assert!(error.to_string().contains("larger than what any member contributes"), "{error}");
    assert_eq!(member.manager.bytes(&member.memory), (0, 0));
    assert!(put(&member, 0, 300 << 10, false).unwrap(), "it fits into zones that lie side by side");
}

#[test]
fn lease_ends_by_the_members_clock() {
    let member = alone(512 << 10);
    put(&member, 0, 20 << 10, false).unwrap();
    let lease = member.lease(&name(0), Duration::from_secs(3600)).unwrap().unwrap();
    assert!(member.is_held(&lease.held).unwrap());
    // The clock was set forward: the others ignore the lease from now on.
    member.memory.world.set_clock((lease.held.until_ms + 1) * 1000);
    assert!(!member.is_held(&lease.held).unwrap());
    for key in 1..100 {
        put(&member, key, 20 << 10, false).unwrap();
    }
    // And back, after the memory was reused.
    member.memory.world.set_clock(0);
    assert!(!member.is_held(&lease.held).unwrap());
}

#[test]
fn pinned_and_leased_values_are_not_evicted() {
    let member = alone(512 << 10);
    put(&member, 0, 20 << 10, true).unwrap();
    put(&member, 1, 20 << 10, false).unwrap();
    let lease = member.lease(&name(1), Duration::from_secs(3600)).unwrap().unwrap();
    for key in 2..200 {
        put(&member, key, 20 << 10, false).unwrap();
    }
    assert!(member.counts.read(Count::Evictions) > 100);
    assert_eq!(member.size(&name(0)).unwrap(), Some(20 << 10));
    assert!(member.is_held(&lease.held).unwrap());
    // Unpinned, it is evicted like any other.
    assert!(member.pin(&name(0), false).unwrap());
    for key in 200..400 {
        put(&member, key, 20 << 10, false).unwrap();
    }
    assert_eq!(member.size(&name(0)).unwrap(), None);
}

#[test]
fn put_fails_if_all_values_are_pinned() {
    let member = alone(512 << 10);
    let mut keys = 0;
    let error = loop {
        match put(&member, keys, 30 << 10, true) {
            Ok(_) => keys += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), Kind::NoResources);
    assert!((0..keys).all(|key| member.size(&name(key)).unwrap().is_some()));
    assert!(member.remove(&name(0), Spares::None).unwrap());
    assert!(put(&member, keys, 30 << 10, true).unwrap());
}

#[test]
fn room_of_removed_values_is_reused_before_eviction() {
    let member = alone(512 << 10);
    for round in 0..50u64 {
        for key in 0..4 {
            put(&member, 10 * round + key, 50 << 10, false).unwrap();
        }
        for key in 0..4 {
            assert!(member.remove(&name(10 * round + key), Spares::None).unwrap());
        }
    }
    assert_eq!(member.counts.read(Count::Evictions), 0);
}

#[test]
fn value_with_an_unresponsive_home_is_evicted_later() {
    let member = alone(512 << 10);
    for key in 0..40 {
        put(&member, key, 20 << 10, false).unwrap();
    }
    let silence = |below| member.memory.world.silent_below.store(below, Ordering::SeqCst);
    silence(member.view().now.members()[0].geometry.data_at);
    assert_eq!(put(&member, 40, 20 << 10, false).unwrap_err().kind(), Kind::Timeout);
    let leaving = || {
        member.manager.begin_walk(&member.memory, Walk::Restore);
        let blocks = member.manager.walk(&member.memory, Walk::Restore, 1000).unwrap();
        blocks.iter().filter(|(_, head, _)| head.state.phase() == Phase::Leaving).count()
    };
    assert_eq!(leaving(), 1);
    silence(0);
    assert!(member.refresh().unwrap());
    assert_eq!(leaving(), 0);
    assert!(put(&member, 40, 20 << 10, false).unwrap());
}

#[test]
fn all_keys_are_listed_in_parts_and_removed_at_once() {
    let member = alone(2 << 20);
    let mut names: Vec<Vec<u8>> = (0..100).map(name).collect();
    for key in 0..100 {
        put(&member, key, 100, key == 7).unwrap();
        put(&member, key, 200, key == 7).unwrap();
    }
    let (mut keys, mut from) = (Vec::new(), 0);
    loop {
        let (some, next) = member.keys(from, 7, 4096).unwrap();
        assert!(some.len() == 7 || next == 0);
        keys.extend(some);
        if next == 0 {
            break;
        }
        from = next;
    }
    keys.sort();
    names.sort();
    assert_eq!(keys, names);
    assert!(member.keys(0, 0, 4096).is_err() && member.keys(0, 1, 4095).is_err());
    assert_eq!(member.clear(Spares::None).unwrap(), 100);
    assert_eq!(member.keys(0, 7, 4096).unwrap(), (Vec::new(), 0));
    assert_eq!(member.clear(Spares::None).unwrap(), 0);
}

#[test]
fn last_writer_finds_room_in_its_own_segment() {
    let members = world(3, 1 << 20);
    for key in 0..400 {
        for member in &members[..2] {
            put(member, key + 1000 * u64::from(member.me.rank), 30 << 10, false).unwrap();
        }
    }
    for key in 0..20 {
        assert!(put(&members[2], key, 60 << 10, false).unwrap());
        assert_eq!(members[0].size(&name(key)).unwrap(), Some(60 << 10));
    }
}
