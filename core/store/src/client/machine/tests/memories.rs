// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the replicas that a member sends to an empty store.

use super::*;
use crate::protocol::{Kept, Memory, Round};

/// The replicas of keys that the machine would send.
fn kept(machine: &ClientMachine) -> Vec<Kept> {
    let mut messages = machine.memories(SECOND);
    assert_eq!(messages.pop(), Some(OneWay::Complete));
    let kept = messages.into_iter().flat_map(|message| match message {
        OneWay::Kept(kept) => kept,
        other => panic!("{other:?}"),
    });
    kept.collect()
}

fn value(bytes: &str) -> Memory {
    Memory::Value { bytes: bytes.into(), lifetime: Lifetime::Permanent }
}

fn piece(offset: u64, bytes: &str) -> Memory {
    Memory::Piece { offset, bytes: bytes.into() }
}

fn memory(key: &str, revision: u64, what: Memory) -> Kept {
    Kept { key: key.into(), revision, what }
}

fn append(machine: &mut ClientMachine, key: &str, bytes: &str, offset: u64, revision: u64) {
    let request = Request::Append { key: key.into(), value: bytes.into() };
    done(machine, request, Answer::Appended { offset, revision });
}

#[test]
fn only_the_last_acknowledged_write_of_a_key_is_kept() {
    let mut machine = linked();
    begin(&mut machine, set("unanswered", "v"));
    done(&mut machine, set("k", "one"), Answer::Revision(11));
    done(&mut machine, set("k", "two"), Answer::Revision(13));
    done(&mut machine, Request::Add { key: "n".into(), delta: -7 }, Answer::Sum { sum: -7, revision: 14 });
    let swap = |swapped, revision| {
        Answer::Swap(crate::protocol::Swapped {
            swapped,
            current: Some(Arc::new(entry("c", "new", revision, None))),
        })
    };
    let ask = |new: &str| Request::CompareAndSwap {
        key: "c".into(),
        expected: None,
        new: new.into(),
        lifetime: Lifetime::Session,
    };
    done(&mut machine, ask("new"), swap(true, 15));
    done(&mut machine, ask("newer"), swap(false, 16));
    let session = Memory::Value { bytes: b"new".into(), lifetime: Lifetime::Session };
    let expected = [memory("c", 15, session), memory("k", 13, value("two")), memory("n", 14, value("-7"))];
    assert_eq!(kept(&machine), expected);
    assert_eq!(machine.join_resume().unwrap().revision, 16);
}

#[test]
fn only_adjacent_pieces_are_joined() {
    let mut machine = linked();
    append(&mut machine, "log", "ab", 0, 11);
    append(&mut machine, "log", "cd", 2, 12);
    append(&mut machine, "log", "gh", 6, 15);
    let expected = [memory("log", 12, piece(0, "abcd")), memory("log", 15, piece(6, "gh"))];
    assert_eq!(kept(&machine), expected);
    done(&mut machine, set("log", "x"), Answer::Revision(16));
    append(&mut machine, "log", "y", 1, 17);
    assert_eq!(kept(&machine), [memory("log", 17, value("xy"))]);
}

#[test]
fn superseded_keys_are_dropped_and_confirmed() {
    let mut machine = linked();
    done(&mut machine, set("k", "mine"), Answer::Revision(11));
    done(&mut machine, set("l", "mine"), Answer::Revision(14));
    let keys = vec![("k".to_owned(), 12), ("l".to_owned(), 13), ("unknown".to_owned(), 20)];
    let effects = machine.on_notice(0, Notice::Superseded(keys.clone()));
    assert_eq!(effects, [Effect::OneWay(OneWay::Forgotten(keys))]);
    assert_eq!(kept(&machine), [memory("l", 14, value("mine"))]);
    assert_eq!(machine.join_resume().unwrap().revision, 20);
}

#[test]
fn reply_to_an_already_superseded_write_is_not_kept() {
    let mut machine = linked();
    let sequence = begin(&mut machine, set("k", "mine"));
    machine.on_link_lost(1);
    machine.on_welcome(2, &welcome(FIRST, 1, 13));
    machine.on_notice(2, Notice::Superseded(vec![("k".into(), 12)]));
    machine.on_reply(3, sequence, Ok(Answer::Revision(11)));
    assert_eq!(kept(&machine), []);
}

#[test]
fn deletion_is_remembered_until_the_store_releases_it() {
    let mut machine = linked();
    let delete = || Request::Delete { key: "k".into() };
    done(&mut machine, set("k", "v"), Answer::Revision(11));
    done(&mut machine, delete(), Answer::Deleted { revision: Some(12), remember: true });
    assert_eq!(kept(&machine), [memory("k", 12, Memory::Deletion)]);
    done(&mut machine, delete(), Answer::Deleted { revision: None, remember: false });
    assert_eq!(kept(&machine), [memory("k", 12, Memory::Deletion)]);
    machine.on_notice(0, Notice::Superseded(vec![("k".into(), 13)]));
    assert_eq!(kept(&machine), []);
    done(&mut machine, set("k", "v"), Answer::Revision(14));
    done(&mut machine, delete(), Answer::Deleted { revision: Some(15), remember: false });
    assert_eq!(kept(&machine), []);
}

#[test]
fn deletions_are_bounded() {
    let mut machine = linked();
    for revision in 0..(1 << 16) + 5 {
        let deletion = memory(&format!("k{revision}"), revision, Memory::Deletion);
        machine.on_notice(0, Notice::Keep(vec![deletion]));
    }
    let kept = kept(&machine);
    assert_eq!(kept.len(), 1 << 16);
    assert_eq!(kept.iter().map(|kept| kept.revision).min(), Some(5));
}

#[test]
fn inherited_values_are_kept_unless_older_than_own_ones() {
    let mut machine = linked();
    done(&mut machine, set("k", "mine"), Answer::Revision(20));
    append(&mut machine, "log", "cd", 2, 22);
    let left = vec![
        memory("k", 19, value("older")),
        memory("k", 21, piece(4, "+")),
        memory("log", 18, piece(0, "ab")),
        memory("other", 17, value("theirs")),
    ];
    machine.on_notice(0, Notice::Keep(left));
    let expected = [
        memory("k", 21, value("mine+")),
        memory("log", 18, piece(0, "ab")),
        memory("log", 22, piece(2, "cd")),
        memory("other", 17, value("theirs")),
    ];
    assert_eq!(kept(&machine), expected);
}

#[test]
fn more_complete_replica_from_the_store_replaces_the_own_one() {
    let mut machine = linked();
    done(&mut machine, Request::Add { key: "n".into(), delta: 1 }, Answer::Sum { sum: 1, revision: 20 });
    append(&mut machine, "log", "cd", 2, 21);
    let leased = Memory::Value { bytes: b"1".into(), lifetime: Lifetime::Lease(LeaseId(4)) };
    let handed = vec![memory("n", 20, leased), memory("log", 21, value("abcd"))];
    machine.on_notice(0, Notice::Keep(handed.clone()));
    assert_eq!(kept(&machine), [handed[1].clone(), handed[0].clone()]);
}

#[test]
fn many_replicas_are_sent_in_parts() {
    let mut machine = linked();
    let half = "x".repeat(600 << 10);
    for (revision, key) in (11..).zip(["a", "b", "c"]) {
        done(&mut machine, set(key, &half), Answer::Revision(revision));
    }
    done(&mut machine, set("tiny", "x"), Answer::Revision(20));
    let sizes: Vec<_> = machine
        .memories(SECOND)
        .iter()
        .map(|message| match message {
            OneWay::Kept(kept) => kept.len(),
            _ => 0,
        })
        .collect();
    assert_eq!(sizes, [1, 1, 2, 0]);
}

#[test]
fn locks_leases_and_rounds_are_reported() {
    let mut machine = linked();
    let lock = |name: &str| Request::Lock { name: name.into(), timeout_us: None };
    done(&mut machine, lock("held"), Answer::Locked(Some(11)));
    done(&mut machine, lock("given back"), Answer::Locked(Some(12)));
    done(&mut machine, lock("of another"), Answer::Locked(None));
    done(&mut machine, Request::Unlock { name: "given back".into() }, Answer::Done);
    done(&mut machine, Request::Grant { ttl_us: 200_000 }, Answer::Lease(LeaseId(5)));
    done(&mut machine, Request::Grant { ttl_us: 300_000 }, Answer::Lease(LeaseId(6)));
    let leased = Request::Set { key: "k".into(), value: vec![1], lifetime: Lifetime::Lease(LeaseId(6)) };
    done(&mut machine, leased, Answer::Revision(13));
    done(&mut machine, Request::Revoke { lease: LeaseId(6) }, Answer::Revoked(true));
    for round in 20..40 {
        let gather = Request::Gather {
            name: format!("b{}", round % 18),
            members: 2,
            value: None,
            timeout_us: 0,
            after_round: None,
        };
        let end = Round { round, ranks: vec![1, 3], parts: Vec::new() };
        done(&mut machine, gather, Answer::Gathered(Arc::new(end)));
    }
    let messages = machine.memories(SECOND);
    let [OneWay::Holding(held), OneWay::Leases(leases), OneWay::Rounds(rounds), OneWay::Complete] =
        &messages[..]
    else {
        panic!("{messages:?}")
    };
    assert_eq!(held[..], [("held".to_owned(), 11)]);
    assert_eq!(leases[..], [(LeaseId(5), 200_000)]);
    let numbers: Vec<_> = rounds.iter().map(|(_, round)| round.round).collect();
    assert_eq!(numbers, (24..40).collect::<Vec<_>>());
}

#[test]
fn expired_lease_is_not_reported() {
    let mut machine = linked();
    done(&mut machine, Request::Grant { ttl_us: 200_000 }, Answer::Lease(LeaseId(5)));
    let renewal = begin(&mut machine, Request::KeepAlive { lease: LeaseId(5) });
    machine.on_reply(0, renewal, Err(Failure::new(Kind::NotExist, "it has ended")));
    assert_eq!(machine.memories(SECOND), [OneWay::Complete]);
}
