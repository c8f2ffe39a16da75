// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links that break and sessions that come back to the same store.

use super::leases::{lock, unlock};
use super::meeting::{barrier, wait};
use super::sessions::watch;
use super::*;

#[test]
fn session_survives_a_broken_link_within_its_grace() {
    let mut bench = Bench::with_grace(2);
    watch(&mut bench, 2, 1, "");
    bench.set(1, "k", "", Lifetime::Session);
    let (session, resume) = (bench.session_of(1), bench.resume_of(1));
    assert_eq!(bench.end(1, Cause::Lost), []);
    bench.now += GRACE_US - 1;
    let actions = bench.resume(11, key_of(1), resume);
    let [(11, granted)] = granted(&actions)[..] else { panic!("{actions:?}") };
    assert_eq!((granted.session, granted.rank, granted.term), (session, Some(Rank(0)), 1));
    assert_eq!(bench.pass(SECOND_US), []);
    assert_eq!(bench.value(11, "k").as_deref(), Some(""));
    assert_eq!(bench.notices, []);
}

#[test]
fn session_without_a_link_dies_when_its_grace_has_passed() {
    let mut bench = Bench::with_grace(2);
    watch(&mut bench, 2, 1, "");
    bench.set(1, "k", "", Lifetime::Session);
    let resume = bench.resume_of(1);
    bench.end(1, Cause::Lost);
    assert_eq!(bench.machine.next_deadline(), Some(bench.now + GRACE_US));
    assert_eq!(changes(&bench.tick()), [(2, "Lost k of Some(0)".to_owned())]);
    let (_, kind, text) = refused(&bench.resume(11, key_of(1), resume)).remove(0);
    assert_eq!(kind, Kind::NotConnected);
    assert!(text.contains("given session"), "{text}");
    assert_eq!(welcomed(&bench.join(12, Some(0))), [(12, 0)]);
}

#[test]
fn leaving_ends_a_session_at_once() {
    let mut bench = Bench::with_grace(2);
    bench.end(1, Cause::Left);
    assert_eq!(welcomed(&bench.join(3, Some(0))), [(3, 0)]);
}

#[test]
fn another_client_cannot_take_a_session_over() {
    let mut bench = Bench::with_grace(2);
    let resume = bench.resume_of(1);
    for linked in [true, false] {
        if !linked {
            bench.end(1, Cause::Lost);
        }
        let (_, kind, text) = refused(&bench.resume(11, key_of(2), resume.clone())).remove(0);
        assert_eq!(kind, Kind::InvalidParam);
        assert!(text.contains("claims the session of another"), "{text}");
    }
    assert_eq!(granted(&bench.resume(12, key_of(1), resume)).len(), 1);
}

#[test]
fn new_link_replaces_an_open_one() {
    let mut bench = Bench::with_grace(2);
    let resume = bench.resume_of(1);
    let actions = bench.resume(11, key_of(1), resume);
    assert_eq!(dropped(&actions), [1]);
    assert_eq!(granted(&actions)[0].0, 11);
    // The end of the old one means nothing any more.
    assert_eq!(bench.end(1, Cause::Left), []);
    assert_eq!(bench.pass(SECOND_US), []);
    assert_eq!(bench.value(11, "k"), None);
}

#[test]
fn request_sent_again_happens_once() {
    let mut bench = Bench::with_grace(2);
    let add = || Request::Add { key: "n".to_owned(), delta: 1 };
    let first = replies(&bench.send(1, 7, add()));
    bench.relink(1, 11);
    assert_eq!(replies(&bench.send(11, 7, add())), [(11, first[0].1.clone())]);
    assert_eq!(bench.value(2, "n").as_deref(), Some("1"));
    // Once the reply has arrived it is not kept.
    let message = RequestMessage { answered_below: 9, request: add() };
    bench.event(Event::Request { link: 11, sequence: 9, message });
    assert_eq!(bench.send(11, 7, add()), []);
    assert_eq!(bench.value(2, "n").as_deref(), Some("2"));
}

#[test]
fn waits_barriers_and_locks_go_on_over_a_broken_link() {
    let mut bench = Bench::with_grace(2);
    let requests =
        [(1, wait("k", 9 * SECOND_US)), (2, barrier(2, 9 * SECOND_US)), (3, lock("l", 9 * SECOND_US))];
    bench.answer(2, lock("l", 0)).unwrap();
    for (sequence, request) in requests.clone() {
        assert_eq!(bench.send(1, sequence, request), []);
    }
    bench.relink(1, 11);
    for (sequence, request) in requests {
        assert_eq!(bench.send(11, sequence, request), []);
    }
    let answered = |actions: &[Action]| replies(actions).iter().filter(|(link, _)| *link == 11).count();
    assert_eq!(answered(&bench.set(2, "k", "", Lifetime::Permanent)), 1);
    assert_eq!(answered(&bench.ask(2, barrier(2, SECOND_US))), 1);
    assert_eq!(answered(&bench.ask(2, unlock("l"))), 1);
}

#[test]
fn results_of_a_broken_link_are_answered_after_resume() {
    let mut bench = Bench::with_grace(2);
    bench.send(1, 1, wait("k", 9 * SECOND_US));
    bench.send(1, 2, barrier(2, 9 * SECOND_US));
    let resume = bench.resume_of(1);
    bench.end(1, Cause::Lost);
    bench.put(2, "k", "v");
    let released = replies(&bench.ask(2, barrier(2, SECOND_US)));
    assert_eq!(released.len(), 1);
    bench.resume(11, key_of(1), resume);
    assert!(matches!(
        &replies(&bench.send(11, 1, wait("k", SECOND_US)))[..],
        [(11, Ok(Answer::Entry(Some(_))))]
    ));
    let again = replies(&bench.send(11, 2, barrier(2, SECOND_US)));
    assert_eq!(again, [(11, released[0].1.clone())]);
}

#[test]
fn replies_kept_for_a_client_are_bounded() {
    let mut bench = Bench::with_members(1);
    for sequence in 1..=5000 {
        bench.send(1, sequence, Request::Add { key: "n".to_owned(), delta: 1 });
    }
    let again = replies(&bench.send(1, 1, Request::Add { key: "n".to_owned(), delta: 1 }));
    assert_eq!(again[0].1.clone().unwrap_err().kind(), Kind::NotConnected);
    assert_eq!(bench.value(1, "n").as_deref(), Some("5000"));
}

#[test]
fn lost_notices_are_sent_again_after_resume() {
    let mut bench = Bench::with_grace(3);
    bench.put(1, "k", "a");
    bench.put(3, "h", "b");
    bench.put(2, "k", "c");
    assert_eq!(bench.superseded(), [(1, vec![("k".to_owned(), 3)])]);
    bench.end(2, Cause::Lost);
    bench.pass(GRACE_US);
    let kept = bench.kept();
    let [(heir, entries)] = &kept[..] else { panic!("{kept:?}") };
    let (heir, entries) = (*heir, entries.clone());
    bench.relink(heir, 11);
    assert_eq!(bench.kept(), [(11, entries)]);
    if heir == 1 {
        return;
    }
    bench.relink(1, 12);
    assert_eq!(bench.superseded(), [(12, vec![("k".to_owned(), 3)])]);
}

#[test]
fn resent_acknowledgement_is_followed_by_its_superseded_notice() {
    let mut bench = Bench::with_grace(2);
    bench.send(1, 7, set("k", "a"));
    let last = bench.put(2, "k", "b");
    // The client was notified of the other write before its own reply.
    assert_eq!(bench.superseded().len(), 1);
    bench.one_way(1, OneWay::Forgotten(vec![("k".to_owned(), last)]));
    bench.relink(1, 11);
    assert_eq!(bench.superseded(), []);
    assert_eq!(replies(&bench.send(11, 7, set("k", "a"))), [(11, Ok(Answer::Revision(1)))]);
    assert_eq!(bench.superseded(), [(11, vec![("k".to_owned(), last)])]);
}

#[test]
fn changes_go_to_the_current_link_of_a_session() {
    let mut bench = Bench::with_grace(2);
    watch(&mut bench, 1, 1, "");
    let resume = bench.resume_of(1);
    bench.end(1, Cause::Lost);
    assert_eq!(changes(&bench.set(2, "k", "", Lifetime::Permanent)), []);
    bench.resume(11, key_of(1), resume);
    assert_eq!(changes(&bench.set(2, "k", "", Lifetime::Permanent)), [(11, "put k".to_owned())]);
}

#[test]
fn successor_of_a_dead_member_waits_for_its_rank() {
    for resumes in [false, true] {
        let mut bench = Bench::with_grace(2);
        let resume = bench.resume_of(1);
        bench.end(1, Cause::Lost);
        assert_eq!(bench.join(3, Some(0)), []);
        let mut picky = arrival(2, None);
        picky.join.wish = RankRequest::Prefer(0);
        assert_eq!(bench.arrive(4, picky), []);
        if resumes {
            let actions = bench.resume(11, key_of(1), resume);
            assert_eq!(refused(&actions)[0].0, 3);
            // The member that takes any rank waits for one.
            assert_eq!(welcomed(&bench.end(2, Cause::Left)), [(4, 1)]);
        } else {
            let actions = bench.tick();
            assert_eq!(welcomed(&actions), [(3, 0)]);
            assert_eq!(welcomed(&bench.end(2, Cause::Left)), [(4, 1)]);
        }
    }
}

#[test]
fn replicas_sent_to_the_same_store_are_ignored() {
    let mut bench = Bench::with_grace(1);
    bench.relink(1, 11);
    bench.one_way(11, OneWay::Kept(vec![value(99, "k", "v")]));
    assert_eq!(bench.one_way(11, OneWay::Complete), []);
    assert_eq!(bench.value(11, "k"), None);
    // A link with messages that arrive after its refusal is not dropped twice.
    assert_eq!(bench.one_way(77, OneWay::Complete), []);
}
