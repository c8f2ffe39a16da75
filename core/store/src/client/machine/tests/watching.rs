// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watches over broken links and dead stores.

use super::*;
use crate::api::{Cause, Peer, View};
use crate::protocol::KnownKey;

fn watch() -> Request {
    Request::Watch { watch: 7, prefix: "p/".into(), exact: false, values: false }
}

fn known(key: &str, revision: u64, owner: Option<u32>) -> KnownKey {
    KnownKey { key: key.into(), revision, owner }
}

fn put(key: &str, revision: u64) -> Change {
    Change::Put(entry(key, "v", revision, None))
}

fn removed(key: &str, revision: u64, owner: Option<u32>) -> Change {
    Change::Removed { key: key.into(), revision, owner: owner.map(Rank), cause: Cause::Lost }
}

fn delivered(effects: &[Effect]) -> Vec<Change> {
    let delivered = effects.iter().filter_map(|effect| match effect {
        Effect::Deliver { watch: 7, change } => Some((**change).clone()),
        _ => None,
    });
    delivered.collect()
}

/// A machine with a watch that has begun at revision 10.
fn watching(there: Vec<KnownKey>) -> ClientMachine {
    let mut machine = linked();
    let answer = Answer::Watching { revision: 10, known: there, entries: Vec::new() };
    assert_eq!(delivered(&done(&mut machine, watch(), answer)), []);
    machine
}

/// Resumes, and answers the watch that is set up again.
fn resume(machine: &mut ClientMachine, store: [u8; 16], revision: u64, entries: Vec<Entry>) -> Vec<Change> {
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(store, 2, revision));
    let set_up = Request::Watch { watch: 7, prefix: "p/".into(), exact: false, values: true };
    assert_eq!(requests(&effects), [&set_up]);
    let known = Vec::new();
    delivered(&machine.on_reply(
        3,
        sent(&effects)[0],
        Ok(Answer::Watching { revision, known, entries: entries.into_iter().map(Arc::new).collect() }),
    ))
}

#[test]
fn missed_changes_are_delivered_after_reconnect() {
    let mut machine = watching(vec![known("p/a", 4, None), known("p/b", 5, Some(2)), known("p/c", 6, None)]);
    let change = Arc::new(put("p/a", 11));
    assert_eq!(delivered(&machine.on_change(0, 7, change)), [put("p/a", 11)]);
    let there = vec![entry("p/a", "v", 11, None), entry("p/c", "v", 13, None), entry("p/d", "v", 12, None)];
    let expected = [removed("p/b", 14, Some(2)), put("p/d", 12), put("p/c", 13)];
    assert_eq!(resume(&mut machine, FIRST, 14, there.clone()), expected);
    // Nothing twice.
    assert_eq!(machine.on_change(0, 7, Arc::new(put("p/d", 12))), []);
    assert_eq!(machine.on_change(0, 7, Arc::new(removed("p/b", 13, Some(2)))), []);
    assert_eq!(resume(&mut machine, FIRST, 14, there), []);
    let change = Arc::new(put("p/b", 15));
    assert_eq!(delivered(&machine.on_change(0, 7, change)), [put("p/b", 15)]);
}

#[test]
fn older_value_of_a_new_store_is_delivered() {
    let mut machine = watching(vec![known("p/a", 9, None)]);
    let older = vec![entry("p/a", "v", 5, None)];
    assert_eq!(resume(&mut machine, SECOND, 20, older), [put("p/a", 5)]);
}

#[test]
fn change_before_the_watch_is_restored_is_ignored() {
    let mut machine = watching(Vec::new());
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(FIRST, 1, 12));
    // The key came and went while there was no watch.
    assert_eq!(machine.on_change(2, 7, Arc::new(removed("p/a", 12, None))), []);
    let answer = Answer::Watching { revision: 12, known: Vec::new(), entries: Vec::new() };
    assert_eq!(machine.on_reply(3, sent(&effects)[0], Ok(answer)), []);
    assert_eq!(delivered(&machine.on_change(4, 7, Arc::new(put("p/a", 13)))), [put("p/a", 13)]);
}

#[test]
fn watches_are_set_up_before_requests_are_sent_again() {
    let mut machine = watching(Vec::new());
    let set = begin(&mut machine, set("p/a", "v"));
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(FIRST, 1, 10));
    let sent = sent(&effects);
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[1], set);
    assert!(matches!(requests(&effects)[0], Request::Watch { watch: 7, values: true, .. }));
    // The next link asks anew, not for the answer that never came.
    machine.on_link_lost(3);
    let again = super::sent(&machine.on_welcome(4, &welcome(FIRST, 1, 10)));
    assert_eq!(again.len(), 2);
    assert_eq!(again[1], set);
}

#[test]
fn unanswered_watch_is_resent_and_starts_with_its_answer() {
    let mut machine = linked();
    let first = begin(&mut machine, watch());
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(SECOND, 2, 20));
    assert_eq!(sent(&effects), [first]);
    assert_eq!(machine.on_change(2, 7, Arc::new(put("p/b", 19))), []);
    let answer = Answer::Watching { revision: 20, known: vec![known("p/a", 4, None)], entries: Vec::new() };
    assert_eq!(delivered(&machine.on_reply(3, first, Ok(answer))), []);
}

#[test]
fn an_ended_watch_is_not_notified_and_not_set_up_again() {
    let mut machine = watching(Vec::new());
    let unwatch = begin(&mut machine, Request::Unwatch { watch: 7 });
    assert_eq!(machine.on_change(0, 7, Arc::new(put("p/a", 11))), []);
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(SECOND, 2, 20));
    assert_eq!(effects, [Effect::Complete { sequence: unwatch, result: Ok(Answer::Done) }]);
    let again = machine.begin(0, Request::Unwatch { watch: 7 }, NEVER);
    assert_eq!(again.unwrap_err().kind(), Kind::NotExist);
}

#[test]
fn watch_of_a_cancelled_request_is_removed() {
    let mut machine = linked();
    let sequence = begin(&mut machine, watch());
    machine.cancel(sequence);
    let answer = Answer::Watching { revision: 10, known: Vec::new(), entries: Vec::new() };
    let effects = machine.on_reply(1, sequence, Ok(answer));
    assert_eq!(requests(&effects), [&Request::Unwatch { watch: 7 }]);
}

#[test]
fn watch_refused_on_reconnect_reports_store_lost() {
    let mut machine = watching(Vec::new());
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(SECOND, 2, 20));
    let refused = Err(Failure::new(Kind::Failed, "too many"));
    let effects = machine.on_reply(3, sent(&effects)[0], refused);
    assert_eq!(delivered(&effects), [Change::StoreLost]);
    machine.on_link_lost(4);
    assert_eq!(machine.on_welcome(5, &welcome(SECOND, 2, 20)), []);
}

#[test]
fn another_term_is_reported_once() {
    let mut machine = linked();
    machine.watch_leader(9);
    machine.on_link_lost(1);
    assert_eq!(machine.on_welcome(2, &welcome(FIRST, 1, 10)), []);
    machine.on_link_lost(3);
    let reported = [Effect::DeliverLeader { watch: 9, term: 2 }];
    assert_eq!(machine.on_welcome(4, &welcome(SECOND, 2, 10)), reported);
    let (sequence, effects) = machine.begin(5, Request::Unwatch { watch: 9 }, NEVER).unwrap();
    assert_eq!(effects, [Effect::Complete { sequence, result: Ok(Answer::Done) }]);
    machine.on_link_lost(6);
    assert_eq!(machine.on_welcome(7, &welcome(FIRST, 3, 10)), []);
}

fn peer(rank: u32) -> Peer {
    Peer { rank: Rank(rank), session: u64::from(rank) + 100, host: "h".into(), pid: 1, device: 0 }
}

fn views(effects: &[Effect]) -> Vec<ViewChange> {
    let views = effects.iter().filter_map(|effect| match effect {
        Effect::DeliverView { watch: 8, change } => Some((**change).clone()),
        _ => None,
    });
    views.collect()
}

#[test]
fn missed_view_changes_are_delivered_after_reconnect() {
    let mut machine = linked();
    let view = |epoch, ranks: &[u32]| {
        Answer::View(View { epoch, members: ranks.iter().copied().map(peer).collect(), dead: Vec::new() })
    };
    let answer = view(3, &[0, 1, 2]);
    assert_eq!(views(&done(&mut machine, Request::WatchMembers { watch: 8 }, answer)), []);
    let left = ViewChange { epoch: 4, left: vec![peer(0)], ..ViewChange::default() };
    let notice = Notice::View { watch: 8, change: left.clone() };
    assert_eq!(views(&machine.on_notice(0, notice.clone())), [left]);
    assert_eq!(machine.on_notice(0, notice), []);
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(SECOND, 2, 20));
    assert_eq!(requests(&effects), [&Request::WatchMembers { watch: 8 }]);
    let effects = machine.on_reply(3, sent(&effects)[0], Ok(view(7, &[1, 5])));
    let missed = ViewChange { epoch: 7, joined: vec![peer(5)], left: Vec::new(), dead: vec![peer(2)] };
    assert_eq!(views(&effects), [missed]);
    assert!(effects.iter().all(|effect| !matches!(effect, Effect::Complete { .. })));
}

#[test]
fn client_reports_the_latest_view_it_saw() {
    let mut machine = linked();
    let view = View { epoch: 6, members: [0, 1, 2].map(peer).into(), dead: Vec::new() };
    done(&mut machine, Request::WatchMembers { watch: 8 }, Answer::View(view));
    let standing = |machine: &ClientMachine| machine.join_resume().unwrap().standing;
    assert_eq!(standing(&machine), Standing { epoch: 6, members: 3, host_session: None });
    let change = ViewChange { epoch: 9, dead: vec![peer(1)], ..ViewChange::default() };
    machine.on_notice(0, Notice::View { watch: 8, change });
    assert_eq!(standing(&machine), Standing { epoch: 9, members: 2, host_session: None });
    let later = Standing { epoch: 10, members: 7, host_session: Some(100) };
    machine.on_notice(0, Notice::Standing(later));
    done(&mut machine, Request::View, Answer::View(View { epoch: 9, ..View::default() }));
    assert_eq!(standing(&machine), later);
    done(
        &mut machine,
        Request::View,
        Answer::View(View { epoch: 11, members: vec![peer(0)], dead: Vec::new() }),
    );
    assert_eq!(standing(&machine), Standing { epoch: 11, members: 1, host_session: Some(100) });
}

#[test]
fn values_omitted_from_the_answer_follow_as_changes() {
    let mut machine = watching(vec![known("old", 2, None), known("large", 3, None)]);
    machine.on_link_lost(1);
    let effects = machine.on_welcome(2, &welcome(FIRST, 2, 19));
    let there = vec![
        known("old", 2, None),
        known("large", 19, None),
        known("new", 18, None),
        known("gone", 17, None),
    ];
    let answer = Answer::Watching { revision: 19, known: there, entries: Vec::new() };
    assert_eq!(delivered(&machine.on_reply(3, sent(&effects)[0], Ok(answer))), []);
    for (change, is_news) in [
        (put("large", 19), true),
        (put("large", 19), false),
        (put("old", 2), false),
        (put("new", 18), true),
        (removed("gone", 20, None), false),
        (removed("new", 21, None), true),
        (removed("new", 22, None), false),
    ] {
        let reported = delivered(&machine.on_change(3, 7, Arc::new(change.clone())));
        assert_eq!(reported.len(), usize::from(is_news), "{change:?}");
    }
}
