// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of members that keep nothing, and of values that are put to a member of choice.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mf_base::Kind;

use super::options;
use super::runs::name;
use super::single_thread::{put, world_of};
use crate::memory::Source;
use crate::options::Options;
use crate::publish::Spares;
use crate::write::Put;

fn guest() -> Options {
    Options { keeps_values: false, ..options() }
}

fn named(name: &str) -> Options {
    Options { name: Some(name.to_owned()), ..options() }
}

#[test]
fn guest_puts_and_gets_values_of_others() {
    let members = world_of(&[guest(), options(), guest()], 512 << 10);
    for key in 0..50 {
        put(&members[0], key, 1000, false).unwrap();
    }
    let lease = members[2].lease(&name(3), Duration::from_secs(1)).unwrap().unwrap();
    assert_eq!((lease.bytes, lease.value.rank), (1000, 1));
    assert_eq!(members[2].keys(0, 99, 1 << 20).unwrap().0.len(), 50);
    assert!(members[2].remove(&name(3), Spares::None).unwrap());
    assert_eq!(members[1].size(&name(3)).unwrap(), None);
    assert_eq!((members[0].capacity().1, members[1].view().now.keepers()), (3, 1));
    // Two replicas are wanted, and one member has room.
    let value = [1; 8];
    // SAFETY: the value lives during the call.
    let source = unsafe { Source::new(value.as_ptr(), 8) };
    let how = Put { replicas: Some(2), ..Put::default() };
    assert!(members[0].put(&name(0), &[source], how).unwrap());
    assert!(members.iter().all(|member| member.refresh().unwrap() && member.restore().unwrap()));
}

#[test]
fn guests_alone_have_no_values_and_no_room() {
    let members = world_of(&[guest(), guest()], 512 << 10);
    let error = put(&members[0], 0, 8, false).unwrap_err();
    assert_eq!(error.kind(), Kind::NoResources);
    assert!(error.to_string().contains("no member keeps values"), "{error}");
    assert_eq!(members[1].size(&name(0)).unwrap(), None);
    assert!(!members[1].remove(&name(0), Spares::None).unwrap());
    assert_eq!(members[1].clear(Spares::None).unwrap(), 0);
}

#[test]
fn last_keeper_dies_under_guests() {
    let members = world_of(&[guest(), options()], 512 << 10);
    put(&members[0], 0, 8, false).unwrap();
    let world = Arc::clone(&members[0].memory.world);
    world.died[1].store(1, Ordering::SeqCst);
    while members[0].view().now.keepers() > 0 || !members[0].refresh().unwrap() {
        members[0].refresh().unwrap();
    }
    assert_eq!(members[0].size(&name(0)).unwrap(), None);
    assert!(!members[0].remove(&name(0), Spares::None).unwrap());
}

#[test]
fn value_goes_to_the_preferred_member_while_it_has_room() {
    let members = world_of(&[named("a:1"), named("b:1"), named("b:2")], 512 << 10);
    let value = [1; 4096];
    for (key, (wanted, rank)) in (0..).zip([("b:2", 2), ("b", 1), ("a", 0), ("c", 0)]) {
        let prefer = members[0].find_member(wanted).unwrap();
        assert_eq!(prefer, (wanted != "c").then_some(u32::from(rank)));
        // SAFETY: the value lives during the call.
        let source = unsafe { Source::new(value.as_ptr(), 4096) };
        assert!(members[0].put(&name(key), &[source], Put { prefer, ..Put::default() }).unwrap());
        let lease = members[1].lease(&name(key), Duration::from_secs(1)).unwrap().unwrap();
        assert_eq!(lease.value.rank, rank, "{wanted}");
    }
    let names: Vec<_> = members[2].members().unwrap().into_iter().map(|member| member.name).collect();
    assert_eq!(names, ["a:1", "b:1", "b:2"]);
    // More than there is room for there, also for a rank that nobody has.
    for (key, rank) in [(10, 2), (11, 77), (12, u32::MAX)] {
        for step in 0..40 {
            // SAFETY: the value lives during the call.
            let source = unsafe { Source::new(value.as_ptr(), 4096) };
            let how = Put { prefer: Some(rank), ..Put::default() };
            assert!(members[0].put(&name(100 * key + step), &[source], how).unwrap());
        }
    }
}
