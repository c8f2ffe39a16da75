// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests over broken links and dead stores.

use super::*;

#[test]
fn request_begun_without_a_link_is_sent_on_connect() {
    let mut machine = ClientMachine::new([9; 16]);
    assert_eq!(machine.join_resume(), None);
    let (sequence, effects) = machine.begin(0, set("k", "v"), NEVER).unwrap();
    assert_eq!(effects, []);
    assert_eq!(sent(&machine.on_welcome(5, &welcome(FIRST, 1, 0))), [sequence]);
}

#[test]
fn requests_to_the_same_store_are_resent_with_the_same_numbers() {
    let mut machine = linked();
    let first = begin(&mut machine, Request::Add { key: "n".into(), delta: 1 });
    let second = begin(&mut machine, set("k", "v"));
    assert_eq!(machine.on_link_lost(7), []);
    let resume = machine.join_resume().unwrap();
    assert_eq!((resume.session, resume.rank, resume.term), (40, Some(3), 1));
    assert_eq!((resume.revision, resume.answered_below), (10, first));
    assert_eq!(machine.memories(FIRST), []);
    let effects = machine.on_welcome(9, &welcome(FIRST, 1, 12));
    assert_eq!(sent(&effects), [first, second]);
    let reply = machine.on_reply(9, first, Ok(Answer::Sum { sum: 1, revision: 11 }));
    assert_eq!(completed(&reply), [(first, Ok(Answer::Sum { sum: 1, revision: 11 }))]);
    assert_eq!(machine.on_reply(9, first, Ok(Answer::Sum { sum: 1, revision: 11 })), []);
    assert_eq!(machine.join_resume().unwrap().answered_below, second);
}

#[test]
fn new_store_gets_only_requests_that_are_safe_to_repeat() {
    let mut machine = linked();
    let add = begin(&mut machine, Request::Add { key: "n".into(), delta: 1 });
    let append = begin(&mut machine, Request::Append { key: "a".into(), value: vec![1] });
    let set = begin(&mut machine, set("k", "v"));
    machine.on_link_lost(7);
    // Never sent, so there is no doubt about it.
    let (unsent, _) = machine.begin(8, Request::Add { key: "n".into(), delta: 2 }, NEVER).unwrap();
    assert_eq!(machine.memories(SECOND), [OneWay::Complete]);
    let effects = machine.on_welcome(9, &welcome(SECOND, 2, 12));
    let failed: Vec<_> =
        completed(&effects).into_iter().map(|(n, result)| (n, result.unwrap_err())).collect();
    assert_eq!(failed.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [add, append]);
    assert!(failed.iter().all(|(_, failure)| failure.kind() == Kind::NotConnected));
    assert!(failed[0].1.text().contains("not known whether it happened"));
    assert_eq!(sent(&effects), [set, unsent]);
}

#[test]
fn resent_wait_keeps_only_its_remaining_time() {
    let mut machine = linked();
    let wait = Request::Wait { key: "k".into(), timeout_us: 0 };
    let (_, effects) = machine.begin(1_000, wait, 51_000).unwrap();
    assert!(matches!(requests(&effects)[..], [Request::Wait { timeout_us: 50_000, .. }]));
    machine.on_link_lost(20_000);
    let effects = machine.on_welcome(31_000, &welcome(FIRST, 1, 12));
    assert!(matches!(requests(&effects)[..], [Request::Wait { timeout_us: 20_000, .. }]));
}

#[test]
fn a_gather_names_the_last_round_of_its_member() {
    let mut machine = linked();
    let gather =
        Request::Gather { name: "b".into(), members: 2, value: None, timeout_us: 0, after_round: None };
    let (_, effects) = machine.begin(0, gather, NEVER).unwrap();
    assert!(matches!(requests(&effects)[..], [Request::Gather { after_round: Some(10), .. }]));
}

#[test]
fn request_to_a_silent_store_times_out() {
    let mut machine = linked();
    let (get, _) = machine.begin(0, Request::Get { key: "k".into() }, 5_000_000).unwrap();
    assert_eq!(machine.next_deadline(), Some(5_000_000));
    assert_eq!(machine.on_tick(4_999_999), []);
    let effects = machine.on_tick(5_000_000);
    assert_eq!(outcome(&effects), Kind::Timeout);
    assert_eq!(machine.next_deadline(), None);
    assert_eq!(machine.on_reply(0, get, Ok(Answer::Entry(None))), []);
}

#[test]
fn connected_store_gets_extra_time_beyond_the_deadline() {
    let mut machine = linked();
    let wait = Request::Wait { key: "k".into(), timeout_us: 0 };
    machine.begin(0, wait, 1_000_000).unwrap();
    assert_eq!(machine.next_deadline(), Some(1_100_000));
    machine.on_link_lost(400_000);
    assert_eq!(machine.next_deadline(), Some(1_000_000));
    let effects = machine.on_tick(1_000_000);
    let [(_, Err(failure))] = &completed(&effects)[..] else { panic!("{effects:?}") };
    assert!(failure.text().contains("away since 600 ms"), "{}", failure.text());
}

#[test]
fn cancelled_write_is_still_resent_and_kept() {
    let mut machine = linked();
    let sequence = begin(&mut machine, set("k", "v"));
    machine.cancel(sequence);
    machine.on_link_lost(1);
    assert_eq!(machine.join_resume().unwrap().answered_below, sequence);
    assert_eq!(sent(&machine.on_welcome(2, &welcome(FIRST, 1, 10))), [sequence]);
    assert_eq!(machine.on_reply(3, sequence, Ok(Answer::Revision(11))), []);
    assert_eq!(machine.memories(SECOND).len(), 2);
    assert_eq!(machine.join_resume().unwrap().answered_below, sequence + 1);
}

#[test]
fn cancelled_write_is_not_sent_to_a_new_store() {
    let mut machine = linked();
    let sequence = begin(&mut machine, set("k", "v"));
    machine.cancel(sequence);
    machine.on_link_lost(1);
    let (unsent, _) = machine.begin(0, set("l", "v"), NEVER).unwrap();
    machine.cancel(unsent);
    assert_eq!(machine.on_welcome(2, &welcome(SECOND, 2, 10)), []);
}

#[test]
fn lock_or_lease_of_a_cancelled_request_is_released() {
    let mut machine = linked();
    let lock = begin(&mut machine, Request::Lock { name: "l".into(), timeout_us: Some(1) });
    let grant = begin(&mut machine, Request::Grant { ttl_us: 1_000_000 });
    machine.cancel(lock);
    machine.cancel(grant);
    let effects = machine.on_reply(1, lock, Ok(Answer::Locked(Some(12))));
    assert_eq!(requests(&effects), [&Request::Unlock { name: "l".into() }]);
    let effects = machine.on_reply(1, grant, Ok(Answer::Lease(LeaseId(4))));
    assert_eq!(requests(&effects), [&Request::Revoke { lease: LeaseId(4) }]);
}

#[test]
fn unlock_succeeds_when_its_reply_was_lost_with_the_store() {
    let mut machine = linked();
    done(&mut machine, Request::Lock { name: "l".into(), timeout_us: None }, Answer::Locked(Some(12)));
    let unlock = begin(&mut machine, Request::Unlock { name: "l".into() });
    machine.on_link_lost(1);
    machine.on_welcome(2, &welcome(SECOND, 2, 14));
    let gone = Err(Failure::new(Kind::NotExist, "not held"));
    assert_eq!(completed(&machine.on_reply(3, unlock, gone.clone())), [(unlock, Ok(Answer::Done))]);
    let never_held = begin(&mut machine, Request::Unlock { name: "m".into() });
    assert_eq!(completed(&machine.on_reply(3, never_held, gone.clone())), [(never_held, gone)]);
}

#[test]
fn giving_up_fails_pending_and_later_requests() {
    let mut machine = linked();
    done(
        &mut machine,
        Request::Watch { watch: 7, prefix: "p/".into(), exact: false, values: false },
        Answer::Watching { revision: 10, known: Vec::new(), entries: Vec::new() },
    );
    let wait = begin(&mut machine, Request::Wait { key: "k".into(), timeout_us: 0 });
    let over = Failure::new(Kind::NotConnected, "refused");
    let effects = machine.on_given_up(over.clone());
    let lost = Effect::Deliver { watch: 7, change: Arc::new(Change::StoreLost) };
    assert_eq!(effects, [Effect::Complete { sequence: wait, result: Err(over.clone()) }, lost]);
    assert_eq!(machine.on_given_up(over.clone()), []);
    assert_eq!(machine.begin(0, set("k", "v"), NEVER).unwrap_err(), over);
    assert_eq!(machine.next_deadline(), None);
}

#[test]
fn cancelled_barrier_does_not_release_the_next_one() {
    let mut machine = linked();
    let gather = |name: &str| Request::Gather {
        name: name.into(),
        members: 2,
        value: None,
        timeout_us: 0,
        after_round: None,
    };
    let first = begin(&mut machine, gather("b"));
    machine.cancel(first);
    let second = begin(&mut machine, gather("b"));
    let other = begin(&mut machine, gather("c"));
    machine.on_link_lost(1);
    // The store before ended the first one at 15, and another member reported that to this one.
    let effects = machine.on_welcome(2, &welcome(SECOND, 2, 20));
    assert_eq!(sent(&effects), [second, other]);
    let after = requests(&effects).into_iter().map(|request| match request {
        Request::Gather { after_round, .. } => *after_round,
        other => panic!("{other:?}"),
    });
    assert_eq!(after.collect::<Vec<_>>(), [Some(20), Some(10)]);
}
