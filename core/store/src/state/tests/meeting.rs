// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits and barriers.

use super::*;

pub(super) fn wait(key: &str, timeout_us: Micros) -> Request {
    Request::Wait { key: key.to_owned(), timeout_us }
}

pub(super) fn barrier(members: u32, timeout_us: Micros) -> Request {
    Request::Gather { name: "b".to_owned(), members, value: None, timeout_us, after_round: None }
}

pub(super) fn only_failure(actions: &[Action]) -> (LinkId, Kind, String) {
    match &replies(actions)[..] {
        [(session, Err(failure))] => (*session, failure.kind(), failure.text().to_owned()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn wait_ends_however_the_key_is_created() {
    for request in [
        Request::Set { key: "k".to_owned(), value: b"1".to_vec(), lifetime: Lifetime::Session },
        Request::Add { key: "k".to_owned(), delta: 1 },
        Request::Append { key: "k".to_owned(), value: b"1".to_vec() },
        Request::CompareAndSwap {
            key: "k".to_owned(),
            expected: None,
            new: b"1".to_vec(),
            lifetime: Lifetime::Permanent,
        },
    ] {
        let mut bench = Bench::with_members(3);
        assert_eq!(bench.ask(1, wait("k", SECOND_US)), []);
        assert_eq!(bench.ask(2, wait("k", SECOND_US)), []);
        let answered = replies(&bench.ask(3, request));
        for (session, (to, result)) in [1, 2].into_iter().zip(&answered) {
            assert_eq!(session, *to);
            assert!(matches!(result, Ok(Answer::Entry(Some(entry))) if entry.value == b"1"), "{result:?}");
        }
        assert_eq!(answered.len(), 3);
        assert_eq!(bench.machine.next_deadline(), None);
        // Now that it exists, no client waits.
        assert_eq!(replies(&bench.ask(1, wait("k", 0))).len(), 1);
    }
}

#[test]
fn wait_times_out_naming_key_and_time() {
    let mut bench = Bench::with_members(1);
    bench.ask(1, wait("pool/7", 1_500_000));
    bench.ask(1, wait("pool/8", SECOND_US));
    let (_, kind, text) = only_failure(&bench.tick());
    assert_eq!(kind, Kind::Timeout);
    assert!(text.contains("pool/8") && text.contains("1.000 s"), "{text}");
    let (_, _, text) = only_failure(&bench.tick());
    assert!(text.contains("pool/7") && text.contains("1.500 s"), "{text}");
    assert_eq!(bench.machine.next_deadline(), None);
}

#[test]
fn waits_end_with_their_session() {
    let mut bench = Bench::with_members(2);
    bench.ask(1, wait("k", SECOND_US));
    bench.ask(2, wait("k", SECOND_US));
    bench.end(1, Cause::Lost);
    let answered = replies(&bench.set(2, "k", "", Lifetime::Permanent));
    assert!(answered.iter().all(|(session, _)| *session == 2), "{answered:?}");
    assert_eq!(bench.machine.next_deadline(), None);
}

#[test]
fn barrier_releases_all_with_the_last_and_is_reusable() {
    let mut bench = Bench::with_members(3);
    for _ in 0..3 {
        assert_eq!(bench.ask(1, barrier(3, SECOND_US)), []);
        assert_eq!(bench.ask(2, barrier(3, SECOND_US)), []);
        let answered = replies(&bench.ask(3, barrier(3, SECOND_US)));
        let links: Vec<_> = answered.iter().map(|(link, _)| *link).collect();
        assert_eq!(links, [1, 2, 3]);
        for (_, result) in &answered {
            let Ok(Answer::Gathered(round)) = result else { panic!("{result:?}") };
            assert_eq!((&round.ranks[..], round.parts.len()), (&[0, 1, 2][..], 0));
        }
        assert_eq!(bench.machine.next_deadline(), None);
    }
    assert_eq!(replies(&bench.ask(2, barrier(1, SECOND_US))).len(), 1);
}

#[test]
fn barrier_timeout_fails_all_alike_and_names_the_missing() {
    let mut bench = Bench::with_members(8);
    bench.end(8, Cause::Lost);
    bench.pass(SECOND_US);
    bench.ask(1, wait("k", 9 * SECOND_US));
    bench.ask(2, barrier(8, 2 * SECOND_US));
    bench.now += SECOND_US;
    bench.ask(6, barrier(8, 5 * SECOND_US));
    let failed = replies(&bench.tick());
    assert_eq!(failed.iter().map(|(session, _)| *session).collect::<Vec<_>>(), [2, 6]);
    assert_eq!(failed[0].1, failed[1].1);
    let failure = failed[0].1.clone().unwrap_err();
    assert_eq!(failure.kind(), Kind::Timeout);
    for part in [
        "\"b\"",
        "2 of 8",
        "2.000 s",
        "missing: ranks 0, 2-4, 6-7",
        "not connected to the store: rank 7",
        "rank 0 (host a, pid 7) waits for key \"k\" since 2.000 s, last contact 2.000 s ago",
        "rank 2 (host a, pid 7) has sent no request yet",
    ] {
        assert!(failure.text().contains(part), "{}", failure.text());
    }
}

#[test]
fn leaver_is_removed_from_its_barriers() {
    let mut bench = Bench::with_members(3);
    bench.ask(1, barrier(2, SECOND_US));
    bench.ask(
        1,
        Request::Gather {
            name: "other".to_owned(),
            members: 2,
            value: None,
            timeout_us: SECOND_US,
            after_round: None,
        },
    );
    bench.end(1, Cause::Lost);
    assert_eq!(bench.machine.next_deadline(), None);
    assert_eq!(bench.ask(2, barrier(2, SECOND_US)), []);
    assert_eq!(replies(&bench.ask(3, barrier(2, SECOND_US))).len(), 2);
}

#[test]
fn round_deadline_is_the_earliest_of_waiting_members() {
    let mut bench = Bench::with_members(3);
    let start = bench.now;
    bench.ask(1, barrier(3, 3 * SECOND_US));
    bench.ask(2, barrier(3, SECOND_US));
    assert_eq!(bench.machine.next_deadline(), Some(start + SECOND_US));
    bench.end(2, Cause::Left);
    assert_eq!(bench.machine.next_deadline(), Some(start + 3 * SECOND_US));
}

#[test]
fn barrier_mistakes_are_refused() {
    let mut bench = Bench::with_members(2);
    for members in [0, 3] {
        assert_eq!(only_failure(&bench.ask(1, barrier(members, 0))).1, Kind::InvalidParam);
    }
    bench.ask(1, barrier(2, SECOND_US));
    assert_eq!(only_failure(&bench.ask(1, barrier(2, SECOND_US))).1, Kind::RepeatInvoke);
    let (_, kind, text) = only_failure(&bench.ask(2, barrier(1, SECOND_US)));
    assert_eq!(kind, Kind::InvalidParam);
    assert!(text.contains("2 members by others") && text.contains("1 by rank 1"), "{text}");
}

#[test]
fn endless_timeouts_do_not_overflow() {
    let mut bench = Bench::with_members(2);
    bench.ask(1, wait("k", u64::MAX));
    bench.ask(2, barrier(2, u64::MAX));
    assert_eq!(bench.event(Event::Tick), []);
}

#[test]
fn withdrawn_member_may_enter_the_barrier_again() {
    let mut bench = Bench::with_members(2);
    bench.ask(1, barrier(2, SECOND_US));
    let of = bench.sequence;
    let left = replies(&bench.ask(1, Request::Withdraw { of }));
    assert!(
        matches!(&left[..], [(1, Err(failure)), (1, Ok(Answer::Done))] if failure.kind() == Kind::Interrupted)
    );
    // The other waits, as if no other had come.
    assert_eq!(bench.ask(2, barrier(2, 9 * SECOND_US)), []);
    bench.pass(2 * SECOND_US);
    assert_eq!(replies(&bench.ask(1, barrier(2, SECOND_US))).len(), 2);
    // An ended or unknown request is not undone.
    for of in [bench.sequence, 9999] {
        assert_eq!(replies(&bench.ask(1, Request::Withdraw { of })), [(1, Ok(Answer::Done))]);
    }
    bench.ask(1, wait("k", SECOND_US));
    let of = bench.sequence;
    assert_eq!(
        replies(&bench.ask(2, Request::Withdraw { of })),
        [(2, Ok(Answer::Done))],
        "of another member"
    );
    assert_eq!(replies(&bench.ask(1, Request::Withdraw { of })).len(), 2);
}
