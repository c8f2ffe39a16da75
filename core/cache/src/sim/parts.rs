// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios of values that are put, written and read in parts, of leases, and of watches.

use std::time::Duration;

use mf_base::{Kind, Result};

use super::SimMemory;
use super::runs::{name, pieces, write_in_pieces};
use super::single_thread::{alone, put, world};
use crate::counts::Count;
use crate::events::{Change, Event};
use crate::member::Member;
use crate::memory::{Part, Source, Target};
use crate::publish::Spares;
use crate::write::Put;

const HOUR: Duration = Duration::from_secs(3600);

fn value(bytes: u8) -> Vec<u8> {
    (0..bytes).collect()
}

/// Reads parts of a value: offset and length of each.
fn parts(member: &Member<SimMemory>, key: u64, wanted: &[(u64, usize)]) -> Result<Option<Vec<Vec<u8>>>> {
    let mut buffers: Vec<Vec<u8>> = wanted.iter().map(|(_, bytes)| vec![0; *bytes]).collect();
    let part = |(buffer, (offset, _)): (&mut Vec<u8>, &(u64, usize))| {
        // SAFETY: the buffer lives during the call.
        let target = unsafe { Target::new(buffer.as_mut_ptr(), buffer.len() as u64) };
        Part { offset: *offset, target }
    };
    let mut parts: Vec<_> = buffers.iter_mut().zip(wanted).map(part).collect();
    let found = member.get_parts(&name(key), &mut parts, Duration::ZERO)?;
    Ok(found.map(|_| buffers))
}

fn scattered(member: &Member<SimMemory>, key: u64, cuts: &[usize]) -> Result<Option<(u64, Vec<u8>)>> {
    let mut buffer = vec![0; cuts.iter().sum()];
    let (mut rest, mut targets) = (&mut buffer[..], Vec::new());
    for cut in cuts {
        let (first, others) = rest.split_at_mut(*cut);
        // SAFETY: the buffer lives during the call.
        targets.push(unsafe { Target::new(first.as_mut_ptr(), first.len() as u64) });
        rest = others;
    }
    let found = member.get_scattered(&name(key), &mut targets, Duration::ZERO)?;
    Ok(found.map(|bytes| (bytes, buffer)))
}

#[test]
fn value_is_read_in_other_parts_than_it_was_put() {
    let member = alone(512 << 10);
    assert!(member.put(&name(0), &pieces(&value(90)), Put::default()).unwrap());
    for cuts in [&[90][..], &[45, 45], &[0, 1, 0, 89], &[60, 40]] {
        let (bytes, buffer) = scattered(&member, 0, cuts).unwrap().unwrap();
        assert_eq!((bytes, &buffer[..90]), (90, &value(90)[..]), "{cuts:?}");
    }
    let error = scattered(&member, 0, &[45, 44]).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert_eq!(scattered(&member, 1, &[9]).unwrap(), None);
}

#[test]
fn parts_are_read_by_offset_and_refused_beyond_the_end() {
    let member = alone(512 << 10);
    assert!(member.put(&name(0), &pieces(&value(90)), Put::default()).unwrap());
    let read = parts(&member, 0, &[(80, 10), (0, 3), (90, 0), (1, 2)]).unwrap().unwrap();
    assert_eq!(read, [&value(90)[80..], &[0, 1, 2], &[], &[1, 2]]);
    for wanted in [(80, 11), (91, 0), (u64::MAX, 2)] {
        assert_eq!(parts(&member, 0, &[(0, 3), wanted]).unwrap_err().kind(), Kind::InvalidParam);
    }
    assert_eq!(parts(&member, 1, &[(0, 1)]).unwrap(), None);
}

#[test]
fn unfinished_value_is_invisible_and_gives_its_room_up() {
    let members = world(2, 512 << 10);
    let [one, two] = &members[..] else { unreachable!() };
    let bytes = value(90);
    let [first, second] = pieces(&bytes);
    put(one, 0, 8, false).unwrap();
    let mut pending = one.begin(&name(0), 90, Put::default()).unwrap();
    one.write_piece(&mut pending, 0, first).unwrap();
    one.write_piece(&mut pending, first.bytes(), second).unwrap();
    assert_eq!(one.write_piece(&mut pending, 61, second).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(two.size(&name(0)).unwrap(), Some(8));
    assert!(one.publish_pending(&mut pending).unwrap());
    one.give_up(&pending);
    assert_eq!(scattered(two, 0, &[90]).unwrap().unwrap().1, bytes);
    // Given up, also because a value is kept.
    let free = one.manager.bytes(&one.memory).1;
    let keep = Put { replace: false, ..Put::default() };
    assert!(!write_in_pieces(one, 0, &value(50), keep).unwrap());
    one.give_up(&one.begin(&name(7), 5000, Put::default()).unwrap());
    assert_eq!(one.manager.bytes(&one.memory).1, free);
    assert_eq!(two.size(&name(7)).unwrap(), None);
}

#[test]
fn unfinished_value_is_not_evicted() {
    let member = alone(512 << 10);
    let mut pending = member.begin(&name(0), 20_000, Put::default()).unwrap();
    for key in 1..200 {
        put(&member, key, 20 << 10, false).unwrap();
    }
    assert!(member.counts.read(Count::Evictions) > 100);
    let bytes = vec![9; 20_000];
    // SAFETY: the value lives during the call.
    let source = unsafe { Source::new(bytes.as_ptr(), 20_000) };
    member.write_piece(&mut pending, 0, source).unwrap();
    assert!(member.publish_pending(&mut pending).unwrap());
    assert_eq!(scattered(&member, 0, &[20_000]).unwrap().unwrap().1, bytes);
}

#[test]
fn value_of_a_reader_is_not_removed_before_its_lease_ends() {
    let members = world(2, 512 << 10);
    for key in 0..3 {
        put(&members[0], key, 64, key == 2).unwrap();
    }
    let mut buffer = [0; 64];
    // SAFETY: the buffer lives during the call.
    let target = unsafe { Target::new(buffer.as_mut_ptr(), 64) };
    assert_eq!(members[1].get(&name(0), target, HOUR).unwrap(), Some(64));
    let removed = |key| members[0].remove(&name(key), members[0].leased_now());
    let error = removed(0).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse);
    assert!(error.fact("for_ms").is_some(), "{error}");
    // A pin is no lease.
    assert_eq!(members[0].clear(members[0].leased_now()).unwrap(), 2);
    assert_eq!(members[0].size(&name(0)).unwrap(), Some(64));
    members[0].memory.world.set_clock(2 * 3_600_000_000);
    assert!(removed(0).unwrap() && !removed(0).unwrap());
    put(&members[0], 0, 64, false).unwrap();
    members[1].lease(&name(0), HOUR).unwrap().unwrap();
    assert!(removed(0).is_err() && members[0].remove(&name(0), Spares::None).unwrap());
}

#[test]
fn watch_reports_removed_and_evicted_keys() {
    let member = alone(512 << 10);
    put(&member, 1000, 64, false).unwrap();
    let watch = member.events.watch(1000);
    assert!(member.remove(&name(1000), Spares::None).unwrap());
    assert!(!member.remove(&name(1000), Spares::None).unwrap());
    for key in 0..100 {
        put(&member, key, 20 << 10, false).unwrap();
    }
    put(&member, 99, 8, false).unwrap();
    let (events, lost) = watch.take(1000, usize::MAX);
    assert_eq!(events[0], Event { change: Change::Removed, key: name(1000) });
    let evicted: Vec<_> = events[1..].iter().map(|event| event.key.clone()).collect();
    assert!(events[1..].iter().all(|event| event.change == Change::Evicted) && lost == 0);
    let gone: Vec<_> = (0..100).map(name).filter(|key| member.size(key).unwrap().is_none()).collect();
    assert!(!gone.is_empty() && evicted.len() == gone.len());
    assert!(gone.iter().all(|key| evicted.contains(key)));
}
