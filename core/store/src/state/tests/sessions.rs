// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of watches, and of the effects of a session's end.

use super::*;

pub(super) fn watch(bench: &mut Bench, link: LinkId, watch: u64, prefix: &str) -> u64 {
    match bench.answer(link, watching(watch, prefix)) {
        Ok(Answer::Watching { revision, .. }) => revision,
        other => panic!("{other:?}"),
    }
}

fn watching(watch: u64, prefix: &str) -> Request {
    Request::Watch { watch, prefix: prefix.to_owned(), exact: false, values: false }
}

#[test]
fn watch_sees_its_prefix_before_the_setter_has_its_reply() {
    let mut bench = Bench::with_members(2);
    bench.set(1, "pool/0", "a", Lifetime::Permanent);
    assert_eq!(watch(&mut bench, 2, 7, "pool/"), 1);
    let actions = bench.set(1, "pool/1", "b", Lifetime::Permanent);
    assert_eq!(changes(&actions), [(2, "put pool/1".to_owned())]);
    assert!(matches!(actions.last(), Some(Action::Reply { link: 1, result: Ok(Answer::Revision(2)), .. })));
    assert_eq!(changes(&bench.set(1, "other", "b", Lifetime::Permanent)), []);
}

#[test]
fn every_kind_of_change_is_seen_once() {
    let mut bench = Bench::with_members(1);
    watch(&mut bench, 1, 1, "");
    let key = || "k".to_owned();
    assert_eq!(changes(&bench.ask(1, Request::Add { key: key(), delta: 1 })).len(), 1);
    assert_eq!(changes(&bench.ask(1, Request::Append { key: key(), value: b"0".to_vec() })).len(), 1);
    let swap = |expected: &[u8]| Request::CompareAndSwap {
        key: key(),
        expected: Some(expected.to_vec()),
        new: b"x".to_vec(),
        lifetime: Lifetime::Permanent,
    };
    assert_eq!(changes(&bench.ask(1, swap(b"10"))).len(), 1);
    assert_eq!(changes(&bench.ask(1, swap(b"10"))).len(), 0);
    assert_eq!(changes(&bench.ask(1, Request::Delete { key: key() })), [(1, "Deleted k of None".to_owned())]);
    assert_eq!(changes(&bench.ask(1, Request::Delete { key: key() })).len(), 0);
}

#[test]
fn unwatch_ends_notifications_of_that_watch() {
    let mut bench = Bench::with_members(1);
    watch(&mut bench, 1, 1, "a");
    watch(&mut bench, 1, 2, "a");
    assert_eq!(bench.answer(1, Request::Unwatch { watch: 1 }), Ok(Answer::Done));
    assert_eq!(bench.answer(1, Request::Unwatch { watch: 1 }).unwrap_err().kind(), Kind::NotExist);
    assert_eq!(changes(&bench.set(1, "a", "", Lifetime::Permanent)).len(), 1);
}

#[test]
fn session_keys_end_before_the_rank_is_freed() {
    let mut bench = Bench::new(2);
    bench.join(1, None);
    bench.join(2, None);
    bench.join(3, None);
    watch(&mut bench, 1, 1, "");
    bench.set(2, "b", "", Lifetime::Session);
    bench.set(2, "a", "", Lifetime::Session);
    bench.set(2, "c", "", Lifetime::Permanent);
    let actions = bench.end(2, Cause::Lost);
    assert_eq!(changes(&actions), [(1, "Lost a of Some(1)".to_owned()), (1, "Lost b of Some(1)".to_owned())]);
    assert_eq!(welcomed(&actions), [(3, 1)]);
    assert!(matches!(actions.last(), Some(Action::Welcome { .. })));
    let listing = bench.answer(1, Request::List { prefix: String::new() });
    let Ok(Answer::Listing(listing)) = listing else { panic!("{listing:?}") };
    assert_eq!(listing.revision, 5);
    assert_eq!(listing.entries.iter().map(|entry| entry.key.as_str()).collect::<Vec<_>>(), ["c"]);
}

#[test]
fn ending_session_is_not_notified() {
    let mut bench = Bench::with_members(2);
    watch(&mut bench, 1, 1, "");
    bench.set(1, "a", "", Lifetime::Session);
    assert_eq!(changes(&bench.end(1, Cause::Left)), []);
}

#[test]
fn key_is_removed_with_its_last_setter() {
    let mut bench = Bench::with_members(3);
    watch(&mut bench, 3, 1, "");
    bench.set(1, "k", "", Lifetime::Session);
    bench.set(2, "k", "", Lifetime::Session);
    assert_eq!(changes(&bench.end(1, Cause::Lost)), []);
    assert_eq!(changes(&bench.end(2, Cause::Left)), [(3, "Left k of Some(1)".to_owned())]);
}

#[test]
fn permanent_set_takes_a_key_out_of_its_session() {
    let mut bench = Bench::with_members(2);
    watch(&mut bench, 2, 1, "");
    bench.set(1, "k", "", Lifetime::Session);
    bench.set(2, "k", "", Lifetime::Permanent);
    assert_eq!(changes(&bench.end(1, Cause::Lost)), []);
}

#[test]
fn store_is_empty_after_all_leave() {
    let mut bench = Bench::with_members(2);
    bench.set(1, "k", "", Lifetime::Permanent);
    bench.end(1, Cause::Left);
    bench.end(2, Cause::Left);
    bench.join(3, Some(0));
    assert_eq!(bench.answer(3, Request::Get { key: "k".to_owned() }), Ok(Answer::Entry(None)));
    // Revisions go on: an old replica is never mistaken for a new one.
    assert_eq!(
        bench.answer(
            3,
            Request::Set { key: "k".to_owned(), value: Vec::new(), lifetime: Lifetime::Permanent }
        ),
        Ok(Answer::Revision(4))
    );
}

#[test]
fn unknown_links_are_dropped() {
    let mut bench = Bench::new(1);
    let actions = bench.ask(1, Request::Get { key: "k".to_owned() });
    assert!(matches!(actions[..], [Action::Drop { link: 1, .. }]));
    bench.join(1, None);
    assert!(matches!(bench.join(1, None)[..], [Action::Drop { link: 1, .. }]));
}

#[test]
fn watches_per_member_are_bounded() {
    let mut bench = Bench::with_members(1);
    for number in 0..1024 {
        watch(&mut bench, 1, number, "a");
    }
    let refused = bench.answer(1, watching(5000, "a"));
    assert_eq!(refused.unwrap_err().kind(), Kind::NoResources);
}
