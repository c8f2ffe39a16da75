// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Conformance suite of stores, run over every kind of store: in memory, over TCP (plain and encrypted), with
//! a leader that is elected in etcd or through a registered backend.

mod more;
mod rounds;

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank, Result};
use mf_store::{Cause, Change, Entry, Lifetime, MemoryStore, ServerOptions, Session, Store, WatchFn};

use more::*;
use rounds::*;

use super::hosted::{GRACE, Member};
use super::members::{
    TIMEOUT, client, deadline, secret_client, secret_server_options, server_options, start, timing,
};
use super::{etcd, reg};

/// Runs `case` with a function that joins a fresh store of `$world` ranks; a member may take `$grace` to
/// resume a broken connection.
macro_rules! conformance {
    ($module:ident, $grace:expr, $($case:ident: $world:literal;)*) => {
        mod $module {
            mod tcp {
                $(#[test] fn $case() {
                    let options = super::super::server_options($world);
                    let server = super::super::start(super::super::ServerOptions { timing: super::super::timing($grace), ..options });
                    super::super::$case(|rank| super::super::client(&server, $world, rank).map(Box::new));
                })*
            }
            mod tls {
                $(#[test] fn $case() {
                    let options = super::super::secret_server_options($world);
                    let server = super::super::start(super::super::ServerOptions { timing: super::super::timing($grace), ..options });
                    super::super::$case(|rank| super::super::secret_client(&server, $world, rank).map(Box::new));
                })*
            }
            mod memory {
                $(#[test] fn $case() {
                    let store = super::super::MemoryStore::with_resume_grace($world, $grace).unwrap();
                    super::super::$case(|rank| store.join(rank.map(super::super::Rank)).map(Box::new));
                })*
            }
            mod etcd {
                $(#[test] fn $case() {
                    let Some(job) = super::super::etcd::Job::new($world) else { return };
                    super::super::$case(|rank| job.join_within(rank, $grace));
                })*
            }
            mod reg {
                $(#[test] fn $case() {
                    let job = super::super::reg::Job::new($world);
                    super::super::$case(|rank| job.join(rank, $grace));
                })*
            }
        }
    };
}

conformance! {
    over, super::super::GRACE,
    keys_are_set_read_and_deleted: 1;
    numbers_and_appends: 1;
    compare_and_swap: 2;
    listing_is_ordered_and_has_its_revision: 1;
    bad_arguments_are_refused: 1;
    large_values_pass: 1;
    wait_sees_a_key_set_by_another: 2;
    wait_times_out_with_the_key: 1;
    watch_sees_only_later_changes: 2;
    own_changes_reach_own_watches_before_the_call_returns: 1;
    unwatch_ends_notifications: 2;
    watches_in_place_need_no_thread: 2;
    callbacks_may_only_unwatch_and_close: 2;
    panicking_callbacks_do_no_harm: 1;
    session_keys_are_removed_when_their_owner_leaves: 2;
    session_keys_are_removed_when_their_owner_is_lost: 2;
    barrier_is_reusable_by_all_members: 4;
    barrier_timeout_names_the_missing: 3;
    closed_store_refuses_calls: 1;
    close_fails_pending_waits: 1;
    ranks_are_given_taken_and_reused: 2;
    counters_add_up_over_threads: 4;
    key_watch_sees_its_key_only: 2;
    pages_walk_through_a_listing: 1;
    allgather_gives_all_values_to_all: 4;
    allgather_checks_its_values: 1;
    locks_are_given_in_order_and_fenced: 3;
    try_lock_does_not_wait: 2;
    cancelled_waits_leave_no_trace: 2;
    locks_are_released_with_their_holder: 2;
    lock_timeout_names_the_holder: 2;
    leases_expire_and_are_kept_alive: 1;
    leases_are_revoked_with_their_keys: 2;
    joins_and_departures_are_reported: 3;
    leader_is_known: 1;
    lock_is_exclusive_and_its_token_grows: 3;
    ended_leases_remove_keys_and_refuse_new_ones: 2;
    a_deleted_session_key_is_distinguished_from_a_lost_one: 2;
    barrier_timeout_fails_all_members_and_frees_the_name: 3;
}

conformance! {
    resuming, super::super::TIMEOUT,
    broken_links_resume: 2;
    broken_links_resume_inside_waits: 2;
    session_keys_and_locks_survive_a_broken_link: 2;
    watches_survive_a_broken_link: 2;
}

/// Returns a watch callback that sends the changes it sees.
pub(super) fn recorder() -> (WatchFn, Receiver<Change>) {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let callback: WatchFn = Arc::new(move |change: &Change| {
        let _ = sender.lock().unwrap().send(change.clone());
    });
    (callback, receiver)
}

pub(super) fn next(changes: &Receiver<Change>) -> Change {
    changes.recv_timeout(TIMEOUT).expect("no change came")
}

fn value(entry: Option<Entry>) -> Option<Vec<u8>> {
    entry.map(|entry| entry.value)
}

fn keys_are_set_read_and_deleted<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    assert_eq!(store.member().rank, Rank(0));
    assert_eq!(store.member().world_size, 1);
    assert_eq!(store.get("k").unwrap(), None);
    let first = store.set("k", b"one", Lifetime::Permanent).unwrap();
    let second = store.set("k", b"", Lifetime::Session).unwrap();
    assert!(second > first);
    let entry = store.get("k").unwrap().unwrap();
    assert_eq!((entry.key.as_str(), entry.revision, entry.owner), ("k", second, Some(Rank(0))));
    assert!(entry.value.is_empty());
    assert!(store.delete("k").unwrap());
    assert!(!store.delete("k").unwrap());
    assert_eq!(store.get("k").unwrap(), None);
}

fn numbers_and_appends<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    assert_eq!(store.add("n", 5).unwrap(), 5);
    assert_eq!(store.add("n", -7).unwrap(), -2);
    assert_eq!(value(store.get("n").unwrap()).unwrap(), b"-2");
    assert_eq!(store.append("n", b"1").unwrap(), 3);
    assert_eq!(store.add("n", 1).unwrap(), -20);
    assert_eq!(store.append("text", b"abc").unwrap(), 3);
    let error = store.add("text", 1).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("\"text\" is not a decimal number"), "{error}");
    store.set("n", i64::MIN.to_string().as_bytes(), Lifetime::Permanent).unwrap();
    assert_eq!(store.add("n", -1).unwrap_err().kind(), Kind::InvalidParam);
}

fn compare_and_swap<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let won = one.compare_and_swap("k", None, b"one", Lifetime::Session).unwrap();
    assert!(won.swapped);
    assert_eq!(won.current.unwrap().owner, Some(Rank(0)));
    let lost = two.compare_and_swap("k", None, b"two", Lifetime::Session).unwrap();
    assert!(!lost.swapped);
    assert_eq!(value(lost.current).unwrap(), b"one");
    let absent = two.compare_and_swap("other", Some(b"x"), b"y", Lifetime::Session).unwrap();
    assert!(!absent.swapped);
    assert_eq!(absent.current, None);
    let won = two.compare_and_swap("k", Some(b"one"), b"two", Lifetime::Permanent).unwrap();
    assert!(won.swapped);
    assert_eq!(won.current.unwrap().owner, None);
}

fn listing_is_ordered_and_has_its_revision<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let mut last = 0;
    for key in ["p/2", "p/10", "q", "p", "p/"] {
        last = store.set(key, key.as_bytes(), Lifetime::Permanent).unwrap();
    }
    let listing = store.list("p/").unwrap();
    assert_eq!(listing.revision, last);
    let keys: Vec<&str> = listing.entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["p/", "p/10", "p/2"]);
    assert_eq!(store.list("").unwrap().entries.len(), 5);
    assert_eq!(store.list("nothing").unwrap().entries, []);
}

fn bad_arguments_are_refused<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let long = "k".repeat(1025);
    for (error, part) in [
        (store.get("").unwrap_err(), "empty"),
        (store.get(&long).unwrap_err(), "1025 bytes"),
        (store.list(&long).unwrap_err(), "1025 bytes"),
        (store.barrier("", 1, deadline()).unwrap_err(), "empty"),
        (store.barrier("b", 0, deadline()).unwrap_err(), "0 members"),
        (store.barrier("b", 2, deadline()).unwrap_err(), "world of 1"),
        (store.set("k", &vec![0; (8 << 20) + 1], Lifetime::Permanent).unwrap_err(), "8388609 bytes"),
    ] {
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(store.get(&long[1..]).unwrap().is_none());
}

fn large_values_pass<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let large: Vec<u8> = (0..8u32 << 20).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
    store.set("k", &large, Lifetime::Permanent).unwrap();
    assert!(value(store.get("k").unwrap()).unwrap() == large);
    assert!(store.compare_and_swap("k", Some(&large), &large, Lifetime::Permanent).unwrap().swapped);
    assert_eq!(store.append("k", b"x").unwrap_err().kind(), Kind::InvalidParam);
    store.set("k2", &large, Lifetime::Permanent).unwrap();
    assert_eq!(store.list("k").unwrap_err().kind(), Kind::BufferTooSmall);
}

fn wait_sees_a_key_set_by_another<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| one.wait("k", deadline()).unwrap());
        let revision = two.set("k", b"here", Lifetime::Session).unwrap();
        let entry = waiting.join().unwrap();
        assert_eq!((entry.revision, entry.owner), (revision, Some(Rank(1))));
    });
    assert_eq!(one.wait("k", Instant::now()).unwrap().value, b"here");
}

fn wait_times_out_with_the_key<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    for limit in [Duration::ZERO, Duration::from_millis(30)] {
        let started = Instant::now();
        let error = store.wait("nobody/sets/this", started + limit).unwrap_err();
        assert!(started.elapsed() >= limit);
        assert_eq!(error.kind(), Kind::Timeout);
        assert!(error.to_string().contains("nobody/sets/this"), "{error}");
    }
}

fn watch_sees_only_later_changes<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let before = two.set("p/before", b"", Lifetime::Permanent).unwrap();
    let (callback, changes) = recorder();
    let watch = one.watch("p/", callback).unwrap();
    assert_eq!(watch.revision(), before);
    two.set("q", b"", Lifetime::Permanent).unwrap();
    let put = two.set("p/k", b"v", Lifetime::Session).unwrap();
    two.delete("p/k").unwrap();
    let owner = Some(Rank(1));
    let entry = Entry { key: "p/k".to_owned(), value: b"v".to_vec(), revision: put, owner };
    assert_eq!(next(&changes), Change::Put(entry));
    let removed = Change::Removed { key: "p/k".to_owned(), revision: put + 1, owner, cause: Cause::Deleted };
    assert_eq!(next(&changes), removed);
}

fn own_changes_reach_own_watches_before_the_call_returns<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let (callback, changes) = recorder();
    store.watch("", callback).unwrap();
    store.set("k", b"", Lifetime::Permanent).unwrap();
    assert!(matches!(changes.try_recv(), Ok(Change::Put(_))));
}

fn unwatch_ends_notifications<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let (callback, silent) = recorder();
    let ended = one.watch("", callback).unwrap();
    let (callback, changes) = recorder();
    one.watch("", callback).unwrap();
    one.unwatch(ended).unwrap();
    assert_eq!(one.unwatch(ended).unwrap_err().kind(), Kind::NotExist);
    two.set("k", b"", Lifetime::Permanent).unwrap();
    next(&changes);
    assert!(silent.try_recv().is_err());
}

fn watches_in_place_need_no_thread<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let (callback, changes) = recorder();
    let noted = Arc::clone(&callback);
    let watch = one.watch_in_place(
        "p/",
        Arc::new(move |change| {
            assert_ne!(std::thread::current().name(), Some("mf-store-watch"));
            noted(change);
        }),
    );
    let watch = watch.unwrap();
    two.set("q", b"", Lifetime::Permanent).unwrap();
    two.set("p/other", b"", Lifetime::Permanent).unwrap();
    assert_eq!(next(&changes).key(), Some("p/other"));
    // Beside one with a thread, and after it.
    let other = one.watch("p/", callback).unwrap();
    one.set("p/own", b"", Lifetime::Permanent).unwrap();
    assert_eq!(
        [(); 2].map(|()| changes.try_recv().unwrap().key().map(str::to_owned)),
        [(); 2].map(|()| Some("p/own".to_owned()))
    );
    one.unwatch(other).unwrap();
    one.set("p/own", b"", Lifetime::Permanent).unwrap();
    assert!(changes.try_recv().is_ok() && changes.try_recv().is_err());
    one.unwatch(watch).unwrap();
    two.delete("p/own").unwrap();
    one.get("p/own").unwrap();
    assert!(changes.try_recv().is_err());
    one.watch_in_place("p/", Arc::new(|_| panic!("the callback of this test panics"))).unwrap();
    one.set("p/own", b"", Lifetime::Permanent).unwrap();
    assert!(one.get("p/own").unwrap().is_some());
}

fn callbacks_may_only_unwatch_and_close<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let one = Arc::new(join(Some(0)).unwrap());
    let two = join(Some(1)).unwrap();
    let (sender, seen) = channel();
    let sender = Mutex::new(sender);
    let inner = Arc::clone(&one);
    let (callback, changes) = recorder();
    let other = one.watch("other", callback).unwrap();
    one.watch(
        "k",
        Arc::new(move |change| {
            if matches!(change, Change::Put(_)) {
                let error = inner.get("k").unwrap_err();
                inner.unwatch(other).unwrap();
                inner.close();
                sender.lock().unwrap().send(error.to_string()).unwrap();
            }
        }),
    )
    .unwrap();
    two.set("k", b"", Lifetime::Permanent).unwrap();
    let text = seen.recv_timeout(TIMEOUT).unwrap();
    assert!(text.contains("watch callback"), "{text}");
    assert_eq!(one.get("k").unwrap_err().kind(), Kind::NotConnected);
    assert!(!one.is_connected());
    assert!(changes.try_recv().is_err());
    drop(two);
}

fn panicking_callbacks_do_no_harm<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    store.watch("", Arc::new(|_| panic!("the callback of this test panics"))).unwrap();
    store.set("k", b"", Lifetime::Permanent).unwrap();
    assert!(store.get("k").unwrap().is_some());
}

fn owner_leaves<S: Member>(join: impl Fn(Option<u32>) -> Result<S>, go: impl Fn(&Session), cause: Cause) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let (callback, changes) = recorder();
    one.watch("p/", callback).unwrap();
    two.set("p/session", b"", Lifetime::Session).unwrap();
    two.set("p/permanent", b"", Lifetime::Permanent).unwrap();
    go(&two);
    assert!(matches!(next(&changes), Change::Put(_)));
    assert!(matches!(next(&changes), Change::Put(_)));
    match next(&changes) {
        Change::Removed { key, owner, cause: found, .. } => {
            assert_eq!((key.as_str(), owner, found), ("p/session", Some(Rank(1)), cause));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(one.list("p/").unwrap().entries.len(), 1);
    // The rank is free as soon as the others know.
    assert_eq!(join(Some(1)).unwrap().member().rank, Rank(1));
}

fn session_keys_are_removed_when_their_owner_leaves<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    owner_leaves(join, |store| store.close(), Cause::Left);
}

fn session_keys_are_removed_when_their_owner_is_lost<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    owner_leaves(join, |store| store.sever(), Cause::Lost);
}

fn barrier_is_reusable_by_all_members<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let stores: Vec<S> = (0..4).map(|rank| join(Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(move || {
                for round in 1..=20i64 {
                    store.add("inside", 1).unwrap();
                    store.barrier("b", 4, deadline()).unwrap();
                    let inside: i64 = String::from_utf8(store.get("inside").unwrap().unwrap().value)
                        .unwrap()
                        .parse()
                        .unwrap();
                    assert!(inside >= 4 * round, "{inside} in round {round}");
                }
            });
        }
    });
}

fn barrier_timeout_names_the_missing<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, _two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let error = one.barrier("start", 3, Instant::now() + Duration::from_millis(30)).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    for part in ["start", "1 of 3", "ranks 1-2", "not connected to the store: rank 2"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

fn closed_store_refuses_calls<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let (callback, changes) = recorder();
    store.watch("", callback).unwrap();
    assert!(store.is_connected());
    store.close();
    store.close();
    assert!(!store.is_connected());
    let error = store.set("k", b"", Lifetime::Permanent).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected);
    assert!(error.to_string().contains("closed"), "{error}");
    assert!(changes.try_recv().is_err(), "closing is no loss");
}

fn close_fails_pending_waits<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| store.wait("k", deadline()));
        store.close();
        assert_eq!(waiting.join().unwrap().unwrap_err().kind(), Kind::NotConnected);
    });
}

fn ranks_are_given_taken_and_reused<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let one = join(Some(1)).unwrap();
    assert_eq!(join(Some(1)).unwrap_err().kind(), Kind::Duplicated);
    assert_eq!(join(Some(2)).unwrap_err().kind(), Kind::InvalidParam);
    let zero = join(None).unwrap();
    assert_eq!(zero.member().rank, Rank(0));
    assert_ne!(zero.member().session, one.member().session);
    assert_eq!(zero.member().job_token, one.member().job_token);
    drop(one);
    assert_eq!(join(None).unwrap().member().rank, Rank(1));
}

fn counters_add_up_over_threads<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let stores: Vec<S> = (0..4).map(|rank| join(Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        for store in &stores {
            for _ in 0..2 {
                scope.spawn(move || (0..50).for_each(|_| assert!(store.add("n", 1).unwrap() > 0)));
            }
        }
    });
    assert_eq!(stores[0].add("n", 0).unwrap(), 400);
}
