// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Conformance of locks, leases and barriers with members that come, fail and go.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank, Result};
use mf_store::{Cause, Change, LeaseId, Lifetime, Store};

use super::{next, recorder};
use crate::hosted::Member;
use crate::members::deadline;

pub(super) fn lock_is_exclusive_and_its_token_grows<S: Member>(join: impl Fn(Option<u32>) -> Result<S>) {
    let stores: Vec<S> = (0..3).map(|rank| join(Some(rank)).unwrap()).collect();
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

pub(super) fn ended_leases_remove_keys_and_refuse_new_ones<S: Member>(
    join: impl Fn(Option<u32>) -> Result<S>,
) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
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
    assert!(expired(next(&changes)), "it was not renewed");
}

pub(super) fn a_deleted_session_key_is_distinguished_from_a_lost_one<S: Member>(
    join: impl Fn(Option<u32>) -> Result<S>,
) {
    let (one, two) = (join(Some(0)).unwrap(), join(Some(1)).unwrap());
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

pub(super) fn barrier_timeout_fails_all_members_and_frees_the_name<S: Member>(
    join: impl Fn(Option<u32>) -> Result<S>,
) {
    let stores: Vec<S> = (0..3).map(|rank| join(Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        let long_wait = scope.spawn(|| stores[0].barrier("b", 3, deadline()).unwrap_err());
        let short_wait = scope.spawn(|| {
            // Both are inside before this one's time is over, so that there is one round to fail.
            let soon = Instant::now() + Duration::from_secs(1);
            stores[1].barrier("b", 3, soon).unwrap_err()
        });
        let (long_wait, short_wait) = (long_wait.join().unwrap(), short_wait.join().unwrap());
        // On a busy machine the one with the short wait may not receive the store's own text in time.
        assert_eq!((long_wait.kind(), short_wait.kind()), (Kind::Timeout, Kind::Timeout));
        assert!(long_wait.to_string().contains("missing: rank 2"), "{long_wait}");
    });
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| store.barrier("b", 3, deadline()).unwrap());
        }
    });
    // A round that died with its members does not block one with another number.
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
