// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locks, leases, membership, allgathers, pages and watches of single keys.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};
use mf_store::{Cause, Change, EtcdStore, LeaseId, Lifetime, Store, ViewChange};

use super::conformance::{next, recorder};
use super::leaving::waits_are_left;
use super::servers::{Job, PATIENCE, deadline};

#[test]
fn locks_are_held_one_after_the_other_in_order() {
    let Some(job) = Job::new(3) else { return };
    let stores: Vec<EtcdStore> = (0..3).map(|rank| job.join(Some(rank)).unwrap()).collect();
    let first = stores[0].lock("l", deadline()).unwrap();
    assert_eq!(stores[0].lock("l", deadline()).unwrap_err().kind(), Kind::RepeatInvoke);
    assert_eq!(stores[1].try_lock("l").unwrap(), None);
    assert!(stores[1].try_lock("l/other").unwrap().is_some());
    let error = stores[1].lock("l", Instant::now() + Duration::from_millis(30)).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("held by rank 0"), "{error}");
    assert_eq!(stores[1].unlock("l").unwrap_err().kind(), Kind::NotExist);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| stores[1].lock("l", deadline()).unwrap());
        stores[0].unlock("l").unwrap();
        let second = second.join().unwrap();
        assert!(second > first, "{second} {first}");
        let third = scope.spawn(|| stores[2].lock("l", deadline()).unwrap());
        // The lock goes with the session.
        stores[1].close();
        assert!(third.join().unwrap() > second);
    });
    stores[2].unlock("l").unwrap();
    assert!(stores[0].try_lock("l").unwrap().is_some());
}

#[test]
fn waits_are_left_without_a_trace() {
    let Some(job) = Job::new(2) else { return };
    let (one, two) = (job.join(Some(0)).unwrap(), job.join(Some(1)).unwrap());
    waits_are_left(&one, &two, deadline);
}

#[test]
fn a_lock_excludes_and_its_number_grows() {
    let Some(job) = Job::new(3) else { return };
    let stores: Vec<EtcdStore> = (0..3).map(|rank| job.join(Some(rank)).unwrap()).collect();
    let last = Mutex::new(0);
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| {
                for _ in 0..10 {
                    let token = store.lock("l", deadline()).unwrap();
                    let mut last = last.try_lock().expect("two hold the lock");
                    assert!(token > *last);
                    *last = token;
                    drop(last);
                    store.unlock("l").unwrap();
                }
            });
        }
    });
}

#[test]
fn leases_carry_keys_and_end() {
    let Some(job) = Job::new(2) else { return };
    let (one, two) = (job.join(Some(0)).unwrap(), job.join(Some(1)).unwrap());
    let (callback, changes) = recorder();
    one.watch("p/", callback).unwrap();
    let lease = one.grant_lease(Duration::from_secs(600)).unwrap();
    two.set("p/leased", b"v", Lifetime::Lease(lease)).unwrap();
    assert!(matches!(next(&changes), Change::Put(entry) if entry.owner.is_none()));
    two.keep_alive(lease).unwrap();
    assert!(one.revoke_lease(lease).unwrap());
    // Own changes have reached own watches.
    let expired = |change| matches!(change, Change::Removed { cause: Cause::Expired, .. });
    assert!(expired(changes.try_recv().unwrap()));
    assert!(!two.revoke_lease(lease).unwrap());
    assert_eq!(two.keep_alive(lease).unwrap_err().kind(), Kind::NotExist);
    assert_eq!(two.set("p/late", b"", Lifetime::Lease(lease)).unwrap_err().kind(), Kind::NotExist);
    let swap = two.compare_and_swap("p/late", None, b"", Lifetime::Lease(lease));
    assert_eq!(swap.unwrap_err().kind(), Kind::NotExist);
    assert_eq!(one.keep_alive(LeaseId(u64::MAX)).unwrap_err().kind(), Kind::NotExist);
    assert_eq!(one.grant_lease(Duration::from_millis(99)).unwrap_err().kind(), Kind::InvalidParam);

    let short = one.grant_lease(Duration::from_millis(100)).unwrap();
    two.set("p/short", b"", Lifetime::Lease(short)).unwrap();
    assert!(matches!(next(&changes), Change::Put(_)));
    assert!(expired(next(&changes)), "nobody renewed it");
}

#[test]
fn a_deleted_session_key_is_told_from_a_lost_one() {
    let Some(job) = Job::new(2) else { return };
    let (one, two) = (job.join(Some(0)).unwrap(), job.join(Some(1)).unwrap());
    let (callback, changes) = recorder();
    one.watch_key("k", callback).unwrap();
    two.set("k", b"", Lifetime::Session).unwrap();
    two.set("k2", b"", Lifetime::Session).unwrap();
    assert!(one.delete("k").unwrap());
    assert!(matches!(changes.try_recv().unwrap(), Change::Put(_)));
    let seen = changes.try_recv().unwrap();
    assert!(matches!(seen, Change::Removed { cause: Cause::Deleted, owner: Some(Rank(1)), .. }), "{seen:?}");
    assert!(changes.try_recv().is_err(), "only the one key is watched");
}

#[test]
fn changes_of_the_membership_are_reported_with_their_reasons() {
    let Some(job) = Job::new(3) else { return };
    let zero = job.join(Some(0)).unwrap();
    let before = zero.view().unwrap();
    let (sender, reported) = channel::<ViewChange>();
    let sender = Mutex::new(sender);
    let report = move |change: &ViewChange| {
        let _ = sender.lock().unwrap().send(change.clone());
    };
    let watch = zero.watch_members(Arc::new(report)).unwrap();
    assert_eq!(watch.revision(), before.epoch);
    let next = || reported.recv_timeout(PATIENCE).unwrap();

    let one = job.join(Some(1)).unwrap();
    let two = job.join(Some(2)).unwrap();
    // Changes that come close together may come in one report.
    let (mut joined, mut epoch) = (Vec::new(), before.epoch);
    while joined.len() < 2 {
        let change = next();
        assert!(change.epoch > epoch && change.left.is_empty() && change.dead.is_empty());
        epoch = change.epoch;
        joined.extend(change.joined.iter().map(|peer| peer.rank));
    }
    assert_eq!(joined, [Rank(1), Rank(2)]);
    let views: Vec<_> = [&zero, &one, &two].map(|store| store.view().unwrap()).into();
    assert!(views.iter().all(|view| *view == views[0] && view.epoch == epoch));

    let session = one.member().session;
    one.close();
    let left = next();
    assert_eq!((left.left[0].rank, left.left[0].session, left.dead.len()), (Rank(1), session, 0));
    // A process that dies stops renewing its lease.
    two.sever();
    let dead = next();
    assert_eq!((dead.dead[0].rank, dead.left.len()), (Rank(2), 0));
    assert_eq!(zero.view().unwrap().members.len(), 1);
    zero.unwatch(watch).unwrap();
    let leaders = zero.watch_leader(Arc::new(|_| {})).unwrap();
    zero.unwatch(leaders).unwrap();
    assert!(zero.leader().place.contains(&job.prefix));
}

#[test]
fn allgather_brings_the_values_of_all_in_order() {
    let Some(job) = Job::new(4) else { return };
    let stores: Vec<EtcdStore> = (0..4).map(|rank| job.join(Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(move || {
                let rank = store.member().rank.0;
                // The large ones do not fit into the end of the round together.
                for bytes in [0usize, 64, 64 << 10, 3] {
                    let mine = vec![rank.to_le_bytes()[0]; bytes];
                    let parts = store.allgather("gather", 4, &mine, deadline()).unwrap();
                    assert_eq!(parts.iter().map(|part| part.rank.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
                    for part in parts {
                        assert_eq!(part.value, vec![part.rank.0.to_le_bytes()[0]; bytes]);
                    }
                }
            });
        }
    });
    let error = stores[0].allgather("gather", 1, &vec![0; (64 << 10) + 1], deadline()).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
}

#[test]
fn all_inside_a_barrier_fail_alike_and_the_name_is_free_again() {
    let Some(job) = Job::new(3) else { return };
    let stores: Vec<EtcdStore> = (0..3).map(|rank| job.join(Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        let patient = scope.spawn(|| stores[0].barrier("b", 3, deadline()).unwrap_err().to_string());
        let hasty = scope.spawn(|| {
            // Both are inside before this one's time is over, so that there is one round to fail.
            let soon = Instant::now() + Duration::from_secs(1);
            stores[1].barrier("b", 3, soon).unwrap_err().to_string()
        });
        let (patient, hasty) = (patient.join().unwrap(), hasty.join().unwrap());
        assert_eq!(patient, hasty);
        assert!(patient.contains("missing: rank 2; rank 2 runs on host here as pid"), "{patient}");
    });
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| store.barrier("b", 3, deadline()).unwrap());
        }
    });
    // A round that died with its members does not stand in the way of another number.
    std::thread::scope(|scope| {
        let inside = scope.spawn(|| {
            loop {
                match stores[2].barrier("b", 3, deadline()).unwrap_err() {
                    // The other one was inside at that moment.
                    error if error.kind() == Kind::InvalidParam => {}
                    error => return error.kind(),
                }
            }
        });
        let here = |error: mf_base::Error| error.to_string().contains("was entered for 3 members");
        // Until it is inside, a barrier of one member succeeds.
        while !stores[0].barrier("b", 1, deadline()).map_or_else(here, |()| false) {}
        stores[2].close();
        assert_eq!(inside.join().unwrap(), Kind::NotConnected);
    });
    stores[0].barrier("b", 1, deadline()).unwrap();
}

#[test]
fn pages_go_through_all_keys() {
    let Some(job) = Job::new(1) else { return };
    let store = job.join(None).unwrap();
    let keys: Vec<String> = (0..300).map(|number| format!("p/{number:03}")).collect();
    for key in &keys {
        store.set(key, key.as_bytes(), Lifetime::Permanent).unwrap();
    }
    store.set("q", b"", Lifetime::Permanent).unwrap();
    let (mut seen, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = store.list_page("p/", after.as_deref(), 70).unwrap();
        assert!(page.entries.len() <= 70);
        seen.extend(page.entries.iter().map(|entry| entry.key.clone()));
        after = seen.last().cloned();
        if !page.more {
            break;
        }
    }
    assert_eq!(seen, keys);
    assert_eq!(store.list("p/").unwrap().entries.len(), 300);
    let behind = store.list_page("p/", Some("q"), 10).unwrap();
    assert_eq!((behind.entries.len(), behind.more), (0, false));
    assert!(behind.revision > 0);
}
