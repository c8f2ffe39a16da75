// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The second half of what every store does: pages, allgather, locks, leases, membership, broken links.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank, Result};
use mf_store::{Cause, Change, Lifetime, Session, Store, ViewChange};

use super::{next, recorder, value};
use crate::hosted::Member;
use crate::leaving::waits_are_left;
use crate::members::{TIMEOUT, deadline};

pub(super) fn key_watch_sees_its_key_only<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let (callback, changes) = recorder();
    assert_eq!(one.watch_key("", recorder().0).unwrap_err().kind(), Kind::InvalidParam);
    one.watch_key("k", callback).unwrap();
    two.set("k/longer", b"", Lifetime::Permanent).unwrap();
    two.set("k", b"v", Lifetime::Permanent).unwrap();
    two.delete("k").unwrap();
    assert!(matches!(next(&changes), Change::Put(entry) if entry.key == "k" && entry.value == b"v"));
    assert!(matches!(next(&changes), Change::Removed { key, .. } if key == "k"));
}

pub(super) fn pages_walk_through_a_listing<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    for number in 0..25 {
        store.set(&format!("p/{number:02}"), b"v", Lifetime::Permanent).unwrap();
    }
    store.set("q", b"", Lifetime::Permanent).unwrap();
    let (mut after, mut keys, mut pages) = (None, Vec::new(), 0);
    loop {
        let page = store.list_page("p/", after.as_deref(), 10).unwrap();
        pages += 1;
        assert!(page.entries.len() <= 10);
        keys.extend(page.entries.iter().map(|entry| entry.key.clone()));
        if !page.more {
            break;
        }
        after = page.entries.last().map(|entry| entry.key.clone());
    }
    assert_eq!(pages, 3);
    assert_eq!(keys, (0..25).map(|number| format!("p/{number:02}")).collect::<Vec<_>>());
}

pub(super) fn allgather_gives_all_values_to_all<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let stores: Vec<S> = (0..4).map(|rank| join(Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        for (rank, store) in stores.iter().enumerate() {
            scope.spawn(move || {
                for round in 0..10usize {
                    let own = vec![u8::try_from(rank).unwrap(); rank * 1000 + round];
                    let parts = store.allgather("g", 4, &own, deadline()).unwrap();
                    assert_eq!(parts.len(), 4);
                    for (other, part) in parts.iter().enumerate() {
                        assert_eq!(part.rank.index(), other);
                        assert_eq!(part.value, vec![u8::try_from(other).unwrap(); other * 1000 + round]);
                    }
                }
            });
        }
    });
}

pub(super) fn allgather_checks_its_values<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let error = store.allgather("g", 1, &vec![0; (64 << 10) + 1], deadline()).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("65537 bytes"), "{error}");
    assert_eq!(store.allgather("g", 1, b"", deadline()).unwrap()[0].value, b"");
}

pub(super) fn locks_are_given_in_order_and_fenced<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let stores: Vec<S> = (0..3).map(|rank| join(Some(rank)).unwrap()).collect();
    let held = Mutex::new(0u64);
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| {
                for _ in 0..20 {
                    let fence = store.lock("l", deadline()).unwrap();
                    {
                        let mut last = held.try_lock().expect("two hold the lock");
                        assert!(fence > *last, "{fence} after {last}");
                        *last = fence;
                    }
                    store.unlock("l").unwrap();
                }
            });
        }
    });
    assert_eq!(stores[0].unlock("l").unwrap_err().kind(), Kind::NotExist);
    stores[0].lock("l", deadline()).unwrap();
    assert_eq!(stores[0].lock("l", deadline()).unwrap_err().kind(), Kind::RepeatInvoke);
}

pub(super) fn cancelled_waits_leave_no_trace<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    waits_are_left(&*one, &*two, deadline);
}

pub(super) fn try_lock_does_not_wait<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let first = one.try_lock("l").unwrap().unwrap();
    assert_eq!(two.try_lock("l").unwrap(), None);
    one.unlock("l").unwrap();
    assert!(two.try_lock("l").unwrap().unwrap() > first);
}

pub(super) fn locks_are_released_with_their_holder<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    one.lock("l", deadline()).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| two.lock("l", deadline()));
        one.sever();
        waiting.join().unwrap().unwrap();
    });
}

pub(super) fn lock_timeout_names_the_holder<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    one.lock("l", deadline()).unwrap();
    let error = two.lock("l", Instant::now() + Duration::from_millis(30)).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("rank 0"), "{error}");
}

pub(super) fn leases_expire_and_are_kept_alive<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    assert_eq!(store.grant_lease(Duration::from_millis(99)).unwrap_err().kind(), Kind::InvalidParam);
    let (callback, changes) = recorder();
    store.watch("k", callback).unwrap();
    let lease = store.grant_lease(Duration::from_millis(100)).unwrap();
    store.set("k", b"", Lifetime::Lease(lease)).unwrap();
    store.keep_alive(lease).unwrap();
    assert!(matches!(next(&changes), Change::Put(_)));
    match next(&changes) {
        Change::Removed { key, cause, .. } => assert_eq!((key.as_str(), cause), ("k", Cause::Expired)),
        other => panic!("{other:?}"),
    }
    assert_eq!(store.keep_alive(lease).unwrap_err().kind(), Kind::NotExist);
    assert!(store.set("k", b"", Lifetime::Lease(lease)).is_err());
}

pub(super) fn leases_are_revoked_with_their_keys<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let lease = one.grant_lease(Duration::from_secs(3600)).unwrap();
    one.set("k", b"", Lifetime::Lease(lease)).unwrap();
    two.keep_alive(lease).unwrap();
    assert!(two.revoke_lease(lease).unwrap());
    assert!(!one.revoke_lease(lease).unwrap());
    assert_eq!(one.get("k").unwrap(), None);
}

pub(super) fn joins_and_departures_are_reported<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let one = join(Some(0)).unwrap();
    let (sender, seen) = channel::<ViewChange>();
    let sender = Mutex::new(sender);
    one.watch_members(Arc::new(move |change| {
        let _ = sender.lock().unwrap().send(change.clone());
    }))
    .unwrap();
    let two = join(Some(1)).unwrap();
    let three = join(Some(2)).unwrap();
    let view = one.view().unwrap();
    assert_eq!(view.members.iter().map(|peer| peer.rank).collect::<Vec<_>>(), [Rank(0), Rank(1), Rank(2)]);
    assert!(view.members.iter().all(|peer| peer.pid == std::process::id() && !peer.host.is_empty()));
    two.close();
    three.sever();
    // Reports may come together or apart; their sum counts.
    let (mut joined, mut left, mut dead, mut epoch) = (Vec::new(), Vec::new(), Vec::new(), 0);
    while left.len() + dead.len() < 2 {
        let change = seen.recv_timeout(TIMEOUT).expect("no change of the membership came");
        assert!(change.epoch > epoch);
        epoch = change.epoch;
        joined.extend(change.joined.iter().map(|peer| peer.rank));
        left.extend(change.left.iter().map(|peer| peer.rank));
        dead.extend(change.dead.iter().map(|peer| peer.rank));
    }
    assert_eq!((joined, left, dead), (vec![Rank(1), Rank(2)], vec![Rank(1)], vec![Rank(2)]));
    assert_eq!(one.view().unwrap().members.len(), 1);
}

pub(super) fn leader_is_known<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let store = join(None).unwrap();
    let leader = store.leader();
    assert!(leader.here && leader.term >= 1 && !leader.place.is_empty(), "{leader:?}");
}

/// Waits until `store` has a link again.
fn linked(store: &Session) {
    let until = deadline();
    while !store.is_connected() {
        assert!(Instant::now() < until, "the link did not come back");
        std::thread::yield_now();
    }
}

pub(super) fn broken_links_resume<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    for round in 1..=20 {
        one.cut_link();
        assert_eq!(one.add("n", 1).unwrap(), round);
        assert_eq!(one.member().rank, Rank(0));
    }
    assert_eq!(two.view().unwrap().members.len(), 2);
    assert_eq!(two.add("n", 0).unwrap(), 20);
}

pub(super) fn broken_links_resume_inside_waits<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| one.wait("k", deadline()).unwrap());
        let inside = scope.spawn(|| one.barrier("b", 2, deadline()).unwrap());
        for _ in 0..3 {
            one.cut_link();
            linked(&one);
        }
        two.set("k", b"v", Lifetime::Permanent).unwrap();
        assert_eq!(waiting.join().unwrap().value, b"v");
        two.barrier("b", 2, deadline()).unwrap();
        inside.join().unwrap();
    });
}

pub(super) fn session_keys_and_locks_survive_a_broken_link<S: Member>(
    join: impl Fn(Option<u32>) -> Result<S>,
) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    one.set("k", b"v", Lifetime::Session).unwrap();
    one.lock("l", deadline()).unwrap();
    one.cut_link();
    linked(&one);
    assert_eq!(value(two.get("k").unwrap()).unwrap(), b"v");
    assert_eq!(two.try_lock("l").unwrap(), None);
    one.unlock("l").unwrap();
    assert!(two.try_lock("l").unwrap().is_some());
}

pub(super) fn watches_survive_a_broken_link<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
    let (callback, changes) = recorder();
    one.watch("k", callback).unwrap();
    for round in 0..10u8 {
        one.cut_link();
        two.set("k", &[round], Lifetime::Permanent).unwrap();
        assert!(matches!(next(&changes), Change::Put(entry) if entry.value == [round]));
    }
    one.cut_link();
    two.delete("k").unwrap();
    assert!(matches!(next(&changes), Change::Removed { .. }));
    assert!(changes.try_recv().is_err());
}
