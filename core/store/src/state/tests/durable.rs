// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of durable keys: the written changes, and the next store's start from them.

use std::collections::BTreeMap;

use super::recovery::old_member;
use super::*;
use crate::protocol::Standing;

/// Simulated external storage.
#[derive(Default)]
struct Outside {
    term: u64,
    is_live: bool,
    keys: BTreeMap<String, Stored>,
}

impl Outside {
    /// Writes a machine's changes. Returns false if it has none.
    fn take(&mut self, machine: &mut Machine) -> bool {
        let Some(Batch { term, is_live, clear, put, delete }) = machine.changes() else { return false };
        (self.term, self.is_live) = (term, is_live);
        if clear {
            self.keys.clear();
        }
        delete.iter().for_each(|key| assert!(self.keys.remove(&**key).is_some(), "{key}"));
        self.keys.extend(put.into_iter().map(|stored| (stored.entry.key.clone(), stored)));
        true
    }

    /// The next leader.
    fn elect(&mut self, members: u32) -> Bench {
        let limits = Limits { resume_grace_us: GRACE_US, ..limits(members) };
        let mut bench = Bench::with(limits);
        let keys = self.keys.values().cloned().collect();
        let (before, is_live) = (self.term, self.is_live);
        self.term += 1;
        bench.machine.inherit(DurableState { term: self.term, before, is_live, keys });
        assert!(bench.machine.changes().is_none(), "nothing has changed yet");
        bench
    }

    fn names(&self) -> Vec<&str> {
        self.keys.keys().map(String::as_str).collect()
    }
}

/// The first leader with its members, over links 1...
fn first(outside: &mut Outside, members: u32) -> Bench {
    let mut bench = outside.elect(members);
    (0..members).for_each(|rank| drop(bench.join(u64::from(rank) + 1, Some(rank))));
    outside.take(&mut bench.machine);
    bench
}

/// The member of rank `rank` of `before` resumes at `next`, and remembers `kept`.
fn resume(next: &mut Bench, before: &Bench, rank: u32, members: u32, kept: Vec<Kept>) -> Vec<Action> {
    let link = u64::from(rank) + 1;
    let resume = Resume {
        session: before.session_of(link),
        term: before.machine.term,
        standing: Standing { members, ..Standing::default() },
        ..old_member(1, rank, members)
    };
    let mut actions = next.resume(link, key_of(link), resume);
    actions.extend(next.one_way(link, OneWay::Kept(kept)));
    actions.extend(next.one_way(link, OneWay::Complete));
    actions
}

#[test]
fn each_change_is_written_once_and_reads_write_nothing() {
    let mut outside = Outside::default();
    let mut bench = first(&mut outside, 2);
    assert!(outside.is_live);
    let revision = bench.put(1, "k", "v");
    assert!(outside.take(&mut bench.machine));
    assert_eq!(outside.keys["k"].entry.revision, revision);
    assert!(revision > 1 << 32, "revisions begin with the term");
    bench.value(2, "k");
    drop(bench.ask(2, Request::Lock { name: "l".to_owned(), timeout_us: None }));
    assert!(!outside.take(&mut bench.machine));
    bench.set(2, "s", "v", Lifetime::Session);
    bench.put(1, "k", "w");
    bench.put(1, "k", "x");
    assert!(outside.take(&mut bench.machine));
    assert_eq!(outside.keys["k"].entry.value, b"x");
    assert!(matches!(outside.keys["s"].life, Life::Session(_)));
    bench.end(2, Cause::Left);
    assert!(outside.take(&mut bench.machine));
    assert_eq!(outside.names(), ["k"]);
    bench.end(1, Cause::Left);
    assert!(outside.take(&mut bench.machine));
    assert!(outside.names().is_empty() && !outside.is_live, "the job is over");
}

#[test]
fn keys_of_members_dying_with_the_store_survive() {
    let mut outside = Outside::default();
    let mut bench = first(&mut outside, 3);
    let permanent = bench.put(3, "permanent", "of a dead one");
    bench.set(3, "session", "of a dead one", Lifetime::Session);
    bench.set(1, "mine", "v", Lifetime::Session);
    let stale = bench.put(1, "deleted", "v");
    outside.take(&mut bench.machine);
    drop(bench.answer(3, Request::Delete { key: "deleted".to_owned() }));
    outside.take(&mut bench.machine);

    let mut next = outside.elect(3);
    resume(&mut next, &bench, 0, 3, vec![value(stale, "deleted", "v")]);
    resume(&mut next, &bench, 1, 3, Vec::new());
    // The third does not come.
    let actions = next.pass(5 * SECOND_US);
    assert_eq!(granted(&actions).len(), 2);
    assert_eq!(next.value(1, "permanent").as_deref(), Some("of a dead one"));
    assert_eq!(next.value(2, "mine").as_deref(), Some("v"));
    assert_eq!((next.value(1, "session"), next.value(1, "deleted")), (None, None));
    assert!(next.put(1, "k", "v") > permanent);
    outside.take(&mut next.machine);
    assert_eq!(outside.names(), ["k", "mine", "permanent"]);
    assert_eq!(outside.term, next.machine.term);
    // Members with replicas of deleted keys are asked to drop them.
    let reported = next.superseded();
    assert!(
        reported.iter().any(|(link, keys)| *link == 1 && keys.iter().any(|(key, _)| key == "deleted")),
        "{reported:?}"
    );
}

#[test]
fn members_restore_a_wiped_backend() {
    let mut outside = Outside::default();
    let mut bench = first(&mut outside, 1);
    let revision = bench.put(1, "k", "v");
    // It was wiped.
    let mut next = Outside::default().elect(1);
    resume(&mut next, &bench, 0, 1, vec![value(revision, "k", "v")]);
    assert_eq!(next.value(1, "k").as_deref(), Some("v"));
    assert!(next.machine.term > bench.machine.term);
}

#[test]
fn new_members_start_empty_if_the_old_ones_do_not_return() {
    let mut outside = Outside::default();
    let mut bench = first(&mut outside, 2);
    bench.put(1, "old", "v");
    outside.take(&mut bench.machine);
    let mut next = outside.elect(2);
    next.join_guest(7);
    assert_eq!(next.join(1, Some(0)), [], "the old members may come");
    let actions = next.pass(5 * SECOND_US);
    assert_eq!(granted(&actions).len(), 2);
    assert_eq!(next.value(1, "old"), None);
    outside.take(&mut next.machine);
    assert!(outside.names().is_empty() && outside.is_live);
    // A whole new job waits for no members of the old one.
    bench.put(2, "old", "v");
    outside.take(&mut bench.machine);
    let mut next = outside.elect(2);
    next.join(1, Some(0));
    assert_eq!(granted(&next.join(2, Some(1))).len(), 2);
    assert_eq!(next.value(2, "old"), None);
}
