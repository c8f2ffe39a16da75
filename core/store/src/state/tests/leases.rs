// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leases and locks.

use super::meeting::only_failure;
use super::sessions::watch;
use super::*;
use crate::api::LeaseId;

pub(super) fn grant(bench: &mut Bench, link: LinkId, ttl_us: Micros) -> LeaseId {
    match bench.answer(link, Request::Grant { ttl_us }) {
        Ok(Answer::Lease(lease)) => lease,
        other => panic!("{other:?}"),
    }
}

pub(super) fn lock(name: &str, timeout_us: Micros) -> Request {
    Request::Lock { name: name.to_owned(), timeout_us: Some(timeout_us) }
}

pub(super) fn try_lock(name: &str) -> Request {
    Request::Lock { name: name.to_owned(), timeout_us: None }
}

pub(super) fn unlock(name: &str) -> Request {
    Request::Unlock { name: name.to_owned() }
}

pub(super) fn fence(result: Result<Answer, Failure>) -> u64 {
    match result {
        Ok(Answer::Locked(Some(fence))) => fence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn keys_are_removed_when_their_lease_expires() {
    let mut bench = Bench::with_members(2);
    watch(&mut bench, 2, 1, "");
    let lease = grant(&mut bench, 1, SECOND_US);
    bench.set(1, "k", "", Lifetime::Lease(lease));
    for _ in 0..3 {
        bench.pass(SECOND_US / 2);
        // Any client renews.
        assert_eq!(bench.answer(2, Request::KeepAlive { lease }), Ok(Answer::Done));
    }
    let actions = bench.pass(SECOND_US);
    assert_eq!(changes(&actions), [(2, "Expired k of None".to_owned())]);
    assert_eq!(bench.answer(1, Request::KeepAlive { lease }).unwrap_err().kind(), Kind::NotExist);
    assert_eq!(bench.answer(1, Request::Revoke { lease }), Ok(Answer::Revoked(false)));
}

#[test]
fn lease_outlives_its_granter_and_its_keys_are_handed_on() {
    let mut bench = Bench::with_members(2);
    let lease = grant(&mut bench, 1, SECOND_US);
    bench.set(1, "k", "v", Lifetime::Lease(lease));
    bench.end(1, Cause::Lost);
    let what = Memory::Value { bytes: b"v".to_vec(), lifetime: Lifetime::Lease(lease) };
    assert_eq!(bench.kept(), [(2, vec![Kept { key: "k".to_owned(), revision: 2, what }])]);
    assert_eq!(bench.value(2, "k").as_deref(), Some("v"));
    bench.pass(SECOND_US);
    assert_eq!(bench.value(2, "k"), None);
}

#[test]
fn revoked_lease_takes_its_keys_along() {
    let mut bench = Bench::with_members(1);
    watch(&mut bench, 1, 1, "");
    let lease = grant(&mut bench, 1, SECOND_US);
    bench.set(1, "a", "", Lifetime::Lease(lease));
    bench.set(1, "b", "", Lifetime::Lease(lease));
    bench.set(1, "b", "", Lifetime::Permanent);
    let actions = bench.ask(1, Request::Revoke { lease });
    assert_eq!(changes(&actions), [(1, "Expired a of None".to_owned())]);
    assert_eq!(bench.machine.leases.next_deadline(), None);
}

#[test]
fn unknown_lease_is_refused() {
    let mut bench = Bench::with_members(1);
    let lifetime = Lifetime::Lease(LeaseId(77));
    assert_eq!(only_failure(&bench.set(1, "k", "", lifetime)).1, Kind::NotExist);
    assert_eq!(bench.value(1, "k"), None);
    let short = Request::Grant { ttl_us: 1 };
    assert_eq!(bench.answer(1, short).unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn leases_per_member_are_bounded() {
    let mut bench = Bench::with_members(2);
    for _ in 0..1024 {
        grant(&mut bench, 1, SECOND_US);
    }
    assert_eq!(bench.answer(1, Request::Grant { ttl_us: SECOND_US }).unwrap_err().kind(), Kind::NoResources);
    grant(&mut bench, 2, SECOND_US);
    bench.pass(SECOND_US);
    grant(&mut bench, 1, SECOND_US);
}

#[test]
fn lock_is_fifo_with_growing_numbers() {
    let mut bench = Bench::with_members(3);
    let first = fence(bench.answer(1, lock("l", SECOND_US)));
    assert_eq!(bench.ask(3, lock("l", SECOND_US)), []);
    assert_eq!(bench.ask(2, lock("l", SECOND_US)), []);
    assert_eq!(bench.answer(2, try_lock("other")).map(|_| ()), Ok(()));
    let [(3, second), (1, Ok(Answer::Done))] = &replies(&bench.ask(1, unlock("l")))[..] else { panic!() };
    let second = fence(second.clone());
    assert!(second > first);
    // One that dies gives it to the next.
    let [(2, third)] = &replies(&bench.end(3, Cause::Lost))[..] else { panic!() };
    assert!(fence(third.clone()) > second);
    assert_eq!(bench.machine.locks.next_deadline(), None);
    assert_eq!(bench.answer(1, unlock("l")).unwrap_err().kind(), Kind::NotExist);
    assert_eq!(bench.answer(2, unlock("l")), Ok(Answer::Done));
    assert!(fence(bench.answer(1, try_lock("l"))) > first);
}

#[test]
fn try_lock_does_not_wait_and_no_member_locks_twice() {
    let mut bench = Bench::with_members(2);
    fence(bench.answer(1, try_lock("l")));
    assert_eq!(bench.answer(2, try_lock("l")), Ok(Answer::Locked(None)));
    assert_eq!(bench.answer(1, try_lock("l")).unwrap_err().kind(), Kind::RepeatInvoke);
    bench.ask(2, lock("l", SECOND_US));
    assert_eq!(bench.answer(2, lock("l", SECOND_US)).unwrap_err().kind(), Kind::RepeatInvoke);
}

#[test]
fn lock_timeout_names_the_holder() {
    let mut bench = Bench::with_members(2);
    fence(bench.answer(1, lock("l", SECOND_US)));
    bench.pass(SECOND_US);
    bench.ask(2, lock("l", 2 * SECOND_US));
    let (link, kind, text) = only_failure(&bench.tick());
    assert_eq!((link, kind), (2, Kind::Timeout));
    assert!(text.contains("rank 0 (host a, pid 7) holds it since 3.000 s"), "{text}");
    assert_eq!(replies(&bench.ask(1, unlock("l"))), [(1, Ok(Answer::Done))]);
    fence(bench.answer(2, try_lock("l")));
}

#[test]
fn leaver_is_removed_from_the_lock_queue() {
    let mut bench = Bench::with_members(3);
    fence(bench.answer(1, lock("l", SECOND_US)));
    bench.ask(2, lock("l", SECOND_US));
    bench.end(2, Cause::Left);
    assert_eq!(bench.machine.locks.next_deadline(), None);
    assert_eq!(replies(&bench.ask(1, unlock("l"))), [(1, Ok(Answer::Done))]);
}

#[test]
fn a_withdrawn_lock_request_leaves_the_queue_and_holds_nothing() {
    let mut bench = Bench::with_members(3);
    bench.answer(1, lock("l", SECOND_US)).unwrap();
    bench.ask(2, lock("l", 9 * SECOND_US));
    let of = bench.sequence;
    bench.ask(3, lock("l", 9 * SECOND_US));
    assert_eq!(replies(&bench.ask(2, Request::Withdraw { of })).len(), 2);
    bench.ask(2, lock("l", 9 * SECOND_US));
    let next = |bench: &mut Bench, link| {
        let answered = replies(&bench.ask(link, unlock("l")));
        answered.iter().map(|(link, _)| *link).find(|to| *to != link)
    };
    assert_eq!((next(&mut bench, 1), next(&mut bench, 3), next(&mut bench, 2)), (Some(3), Some(2), None));
}
