// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of values that are removed while they are evicted, and of puts that begin again.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::SimMemory;
use super::runs::{name, pieces};
use super::single_thread::world;
use crate::atomic_fields::{Phase, Spot};
use crate::block::{self, Blocks, Head};
use crate::member::Member;
use crate::memory::Memory;
use crate::publish::{Outcome, Spares};
use crate::write::Put;

/// Two members, and a value that the first one put into the memory of the second and begins to evict.
fn world_with_a_leaving_value() -> (Vec<Member<SimMemory>>, Spot, Head) {
    let members = world(2, 512 << 10);
    assert!(members[0].put(&name(0), &pieces(&[7; 8]), Put { prefer: Some(1), ..Put::default() }).unwrap());
    let view = members[0].view();
    let print = members[0].prints.fingerprint("test", &name(0)).unwrap();
    let found = members[0].index(&view).find(print).unwrap().unwrap();
    assert_eq!(found.block.rank, 1);
    let leaving = found.head.state.to(Phase::Leaving);
    assert!(block::change_state(&members[0].memory, found.block, found.head.state, leaving).unwrap());
    (members, found.block, found.head)
}

/// The first member dies, and the second one adopts its blocks.
fn die(members: &[Member<SimMemory>]) {
    let world = Arc::clone(&members[0].memory.world);
    world.died[0].store(1, Ordering::SeqCst);
    while !members[1].refresh().unwrap() || members[1].capacity().1 > 1 {}
}

#[test]
fn removed_value_stays_away_if_its_manager_dies_while_evicting() {
    let (members, ..) = world_with_a_leaving_value();
    assert!(members[1].remove(&name(0), Spares::None).unwrap());
    die(&members);
    assert_eq!(members[1].size(&name(0)).unwrap(), None);
}

#[test]
fn value_stays_away_if_its_manager_dies_after_it_left_the_index() {
    let (members, at, head) = world_with_a_leaving_value();
    members[0].index(&members[0].view()).forget(at, head.print).unwrap();
    assert!(!members[1].remove(&name(0), Spares::None).unwrap());
    die(&members);
    assert_eq!(members[1].size(&name(0)).unwrap(), None);
    // Its room is free again, after one more round.
    assert!(members[1].refresh().unwrap());
    assert_eq!(block::state(&members[1].memory, at).unwrap().phase(), Phase::Free);
}

#[test]
fn removal_ends_an_eviction_that_a_lease_would_stop() {
    let (members, at, head) = world_with_a_leaving_value();
    assert!(members[1].remove(&name(0), Spares::None).unwrap());
    let leaving = head.state.to(Phase::Leaving);
    assert!(!block::change_state(&members[0].memory, at, leaving, head.state).unwrap());
    assert_eq!(block::state(&members[0].memory, at).unwrap().phase(), Phase::Retired);
}

#[test]
fn put_that_begins_again_keeps_the_slot_of_its_block() {
    let members = world(2, 512 << 10);
    let member = &members[0];
    let print = member.prints.fingerprint("test", &name(0)).unwrap();
    let view = member.view();
    let (index, mut blocks) = (member.index(&view), Blocks::default());
    member.write(&view, (print, &name(0)), 8, (2, Put::default()), &mut blocks, |_, _| Ok(())).unwrap();
    let version = member.manager.next_version(member.memory.now());
    // Again as after the death of a home: the background has published the blocks at the new one.
    for _ in 0..2 {
        let published =
            index.publish("test", (print, &name(0)), &blocks, (version, member.stamp(0)), true).unwrap();
        assert_eq!(published, Outcome::Published(version));
        assert_eq!(members[1].size(&name(0)).unwrap(), Some(8));
        let found = index.find(print).unwrap().unwrap();
        assert_eq!(index.replicas(&found.head).unwrap().len(), 2);
    }
    assert!(members[1].remove(&name(0), Spares::None).unwrap());
    assert_eq!(member.size(&name(0)).unwrap(), None);
}
