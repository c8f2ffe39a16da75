// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which sessions keep replicas, and which are notified.

use super::*;
use crate::state::keys::{Keys, cost};

/// Checks that what mirrors each other does.
pub(super) fn check_consistent(keys: &Keys, sessions: &[SessionId]) {
    let records = keys.records.iter().map(|(name, record)| (name, &record.keeping, record.entry.value.len()));
    let tombstones = keys.tombstones.iter().map(|(name, keeping)| (name, keeping, 0));
    let all: Vec<_> = records.chain(tombstones).collect();
    let bytes: usize = all.iter().map(|(name, _, value)| cost(name) + value).sum();
    assert_eq!(bytes, keys.bytes());
    for session in sessions {
        let listed: Vec<_> = keys.keepers.keys_of(*session).cloned().collect();
        let mut found: Vec<_> = all.iter().filter(|(_, keeping, _)| keeping.of(*session).is_some()).collect();
        found.sort_by_key(|(name, ..)| Arc::clone(name));
        let found: Vec<_> = found.into_iter().map(|(name, ..)| Arc::clone(name)).collect();
        assert_eq!(listed, found);
    }
}

fn delete(key: &str) -> Request {
    Request::Delete { key: key.to_owned() }
}

fn append(key: &str, value: &str) -> Request {
    Request::Append { key: key.to_owned(), value: value.into() }
}

fn deleted(revision: u64, remember: bool) -> Result<Answer, Failure> {
    Ok(Answer::Deleted { revision: Some(revision), remember })
}

fn forgot(bench: &mut Bench, link: LinkId, keys: &[(&str, u64)]) {
    let keys = keys.iter().map(|(key, revision)| ((*key).to_owned(), *revision)).collect();
    bench.one_way(link, OneWay::Forgotten(keys));
}

#[test]
fn writer_is_notified_once_of_a_superseded_key() {
    let mut bench = Bench::with_members(2);
    bench.put(1, "k", "a");
    bench.put(1, "k", "b");
    assert_eq!(bench.superseded(), []);
    bench.put(2, "k", "c");
    let last = bench.put(2, "k", "d");
    assert_eq!(bench.superseded(), [(1, vec![("k".to_owned(), last)])]);
    forgot(&mut bench, 1, &[("k", last)]);
    bench.put(2, "k", "e");
    assert_eq!(bench.superseded(), []);
    check_consistent(&bench.machine.keys, &[(1 << 32) | 1, (1 << 32) | 2]);
}

#[test]
fn superseded_keys_are_gathered_by_number_and_time() {
    let mut bench = Bench::with_members(2);
    for n in 0..70 {
        bench.put(1, &format!("k{n:02}"), "");
    }
    for n in 0..70 {
        bench.put(2, &format!("k{n:02}"), "");
    }
    let sizes = |notices: Vec<(LinkId, Notice)>| -> Vec<usize> {
        let sizes = notices.into_iter().map(|(_, notice)| match notice {
            Notice::Superseded(keys) => keys.len(),
            other => panic!("{other:?}"),
        });
        sizes.collect()
    };
    assert_eq!(sizes(bench.take_notices()), [64]);
    assert_eq!(bench.machine.next_deadline(), Some(bench.now + 200_000));
    bench.tick();
    assert_eq!(sizes(bench.take_notices()), [6]);
}

#[test]
fn latest_writer_keeps_its_replica() {
    let mut bench = Bench::with_members(2);
    bench.put(1, "k", "a");
    bench.put(2, "k", "b");
    let last = bench.put(1, "k", "c");
    assert_eq!(bench.superseded(), [(2, vec![("k".to_owned(), last)])]);
}

#[test]
fn deletion_is_kept_until_all_have_dropped_their_replicas() {
    let mut bench = Bench::with_members(3);
    bench.put(1, "k", "a");
    assert_eq!(bench.answer(1, delete("k")), deleted(2, false));
    bench.put(1, "k", "a");
    assert_eq!(bench.answer(2, delete("k")), deleted(4, true));
    assert_eq!(bench.superseded(), [(1, vec![("k".to_owned(), 4)])]);
    assert_eq!(bench.machine.keys.tombstones.len(), 1);
    forgot(&mut bench, 1, &[("k", 4)]);
    assert_eq!(bench.machine.keys.tombstones.len(), 0);
    // Now the session that deleted it may drop that, too.
    assert_eq!(bench.superseded(), [(2, vec![("k".to_owned(), 5)])]);
    assert_eq!(bench.machine.keys.bytes(), 0);
}

#[test]
fn key_set_again_takes_over_its_tombstone() {
    let mut bench = Bench::with_members(3);
    bench.put(1, "k", "a");
    bench.answer(2, delete("k")).unwrap();
    bench.put(3, "k", "b");
    assert_eq!(bench.machine.keys.tombstones.len(), 0);
    let expected = [(1, vec![("k".to_owned(), 3)]), (2, vec![("k".to_owned(), 3)])];
    assert_eq!(bench.superseded(), expected);
    assert_eq!(bench.answer(3, delete("k")), deleted(4, true));
}

#[test]
fn keys_of_a_dead_member_are_handed_over_at_once() {
    let mut bench = Bench::with_members(2);
    bench.put(1, "b", "2");
    bench.put(1, "a", "1");
    bench.set(1, "session", "", Lifetime::Session);
    bench.end(1, Cause::Lost);
    assert_eq!(bench.kept(), [(2, vec![value(2, "a", "1"), value(1, "b", "2")])]);
    // There is no keeper left but the store.
    bench.join(3, Some(0));
    bench.end(2, Cause::Lost);
    assert_eq!(bench.kept(), [(3, vec![value(2, "a", "1"), value(1, "b", "2")])]);
    check_consistent(&bench.machine.keys, &[(1 << 32) | 1, (1 << 32) | 2, (1 << 32) | 3]);
}

#[test]
fn keys_of_a_leaver_are_handed_over_unless_the_job_ends() {
    let mut bench = Bench::with_members(3);
    bench.put(1, "a", "1");
    bench.end(1, Cause::Left);
    assert_eq!(bench.kept(), []);
    bench.tick();
    assert_eq!(bench.kept().len(), 1);
    for link in [2, 3] {
        bench.end(link, Cause::Left);
    }
    assert_eq!(bench.kept(), []);
    assert_eq!(bench.machine.keys.records.len(), 0);
}

#[test]
fn keys_of_a_guest_wait_for_the_first_member() {
    let mut bench = Bench::new(1);
    bench.join_guest(8);
    bench.put(8, "a", "1");
    bench.end(8, Cause::Left);
    bench.join(1, Some(0));
    assert_eq!(bench.kept(), [(1, vec![value(1, "a", "1")])]);
}

#[test]
fn heir_is_never_the_store_host() {
    let mut bench = Bench::new(3);
    for rank in 0..3 {
        let mut arrival = arrival(3, Some(rank));
        arrival.join.hosts_store = rank == 0;
        bench.arrive(u64::from(rank) + 1, arrival);
    }
    for _ in 0..4 {
        bench.put(2, "a", "1");
        bench.end(2, Cause::Lost);
        let kept = bench.kept();
        assert_eq!(kept.iter().map(|(link, _)| *link).collect::<Vec<_>>(), [3]);
        bench.join(2, Some(1));
    }
}

#[test]
fn pieces_of_a_dead_member_are_handed_over_as_one_value() {
    let mut bench = Bench::with_members(3);
    bench.answer(1, append("k", "ab")).unwrap();
    bench.answer(2, append("k", "cd")).unwrap();
    bench.answer(3, append("k", "ef")).unwrap();
    bench.end(1, Cause::Lost);
    let kept = bench.kept();
    let [(heir, entries)] = &kept[..] else { panic!("{kept:?}") };
    let [Kept { revision, what: Memory::Value { bytes, .. }, .. }] = &entries[..] else {
        panic!("{entries:?}")
    };
    assert_eq!(bytes, b"abcdef");
    // Also for the member that has the last piece: the whole value replaces it.
    assert_eq!(*revision, 3);
    // Members that have pieces keep them, for the heir may be gone when they are needed.
    let others = [2, 3].into_iter().filter(|link| link != heir);
    for link in others {
        let session = bench.session_of(link);
        let record = &bench.machine.keys.records["k"];
        assert!(record.keeping.of(session).is_some());
    }
    assert_eq!(bench.superseded(), []);
}

#[test]
fn replica_is_kept_until_the_new_writer_confirms_its_own() {
    let mut bench = Bench::with_grace(2);
    bench.put(1, "k", "a");
    bench.send(2, 7, set("k", "b"));
    bench.pass(SECOND_US);
    let message = vec![(2, Notice::Superseded(vec![("k".to_owned(), 2)]))];
    assert_eq!(bench.take_notices(), message);
    // The reply is lost with the link, and so may be the question; an answer proves nothing before the reply
    // is given again.
    bench.relink(2, 11);
    bench.pass(SECOND_US);
    assert_eq!(bench.take_notices(), [(11, message[0].1.clone())]);
    forgot(&mut bench, 11, &[("k", 2)]);
    bench.pass(SECOND_US);
    assert_eq!(bench.take_notices(), []);
    bench.send(11, 7, set("k", "b"));
    bench.pass(SECOND_US);
    assert_eq!(bench.take_notices(), [(11, message[0].1.clone())]);
    forgot(&mut bench, 11, &[("k", 2)]);
    bench.pass(SECOND_US);
    assert_eq!(bench.take_notices(), [(1, message[0].1.clone())]);
}

#[test]
fn append_after_a_deletion_makes_the_older_value_old() {
    let mut bench = Bench::with_members(2);
    bench.put(1, "k", "a");
    bench.answer(2, delete("k")).unwrap();
    bench.answer(2, append("k", "b")).unwrap();
    assert_eq!(bench.superseded(), [(1, vec![("k".to_owned(), 3)])]);
}

#[test]
fn sum_added_to_a_session_key_is_kept_by_its_owner() {
    let mut bench = Bench::with_members(2);
    bench.set(1, "n", "5", Lifetime::Session);
    bench.answer(2, Request::Add { key: "n".to_owned(), delta: 2 }).unwrap();
    let what = Memory::Value { bytes: b"7".to_vec(), lifetime: Lifetime::Session };
    assert_eq!(bench.kept(), [(1, vec![Kept { key: "n".to_owned(), revision: 2, what }])]);
    assert_eq!(bench.superseded(), [(2, vec![("n".to_owned(), 3)])]);
    forgot(&mut bench, 2, &[("n", 3)]);
    bench.end(1, Cause::Lost);
    assert_eq!(bench.value(2, "n"), None);
    assert_eq!(bench.kept(), []);
    assert_eq!(bench.machine.keys.bytes(), 0);
}

#[test]
fn key_removed_with_its_session_stays_removed() {
    let mut bench = Bench::with_members(3);
    bench.put(1, "k", "a");
    bench.set(2, "k", "b", Lifetime::Session);
    bench.end(2, Cause::Lost);
    assert_eq!(bench.superseded(), [(1, vec![("k".to_owned(), 3)])]);
    forgot(&mut bench, 1, &[("k", 3)]);
    assert_eq!(bench.machine.keys.bytes(), 0);
}

#[test]
fn stored_bytes_are_bounded() {
    let mut bench = Bench::with_members(1);
    let large = vec![0; 8 << 20];
    let set =
        |n: u32| Request::Set { key: format!("k{n}"), value: large.clone(), lifetime: Lifetime::Permanent };
    let failed = (0..128).map(|n| bench.answer(1, set(n))).filter(Result::is_err).count();
    assert_eq!(failed, 1);
    assert_eq!(bench.answer(1, set(127)).unwrap_err().kind(), Kind::NoResources);
    assert!(bench.answer(1, set(126)).is_ok());
}
