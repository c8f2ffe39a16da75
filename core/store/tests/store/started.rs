// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests that are started before the replies of others are taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mf_base::Kind;
use mf_store::{Lifetime, Store};

use super::members::{client, secret_client, secret_server, server};

#[test]
fn started_requests_happen_in_order_and_share_a_round_trip() {
    let server = secret_server(1);
    let store = secret_client(&server, 1, Some(0)).unwrap();
    let before = store.round_trips();
    let first = store.start_set("a", b"1", Lifetime::Session).unwrap();
    let second = store.start_set("a", b"2", Lifetime::Session).unwrap();
    let swap = store.start_compare_and_swap("a", Some(b"2"), b"3", Lifetime::Session).unwrap();
    let (got, listed) = (store.start_get("a").unwrap(), store.start_list("").unwrap());
    let got = got.wait().unwrap().unwrap();
    assert_eq!(got.value, b"3");
    // Replies may be taken in any order.
    let (first, second) = (first.wait().unwrap(), second.wait().unwrap());
    assert!(first < second && second < got.revision);
    assert!(swap.wait().unwrap().swapped);
    assert_eq!(listed.wait().unwrap().entries, [got]);
    assert_eq!(store.round_trips() - before, 1);
    store.get("a").unwrap();
    let late = store.start_get("b").unwrap();
    assert!(late.wait().unwrap().is_none());
    assert_eq!(store.round_trips() - before, 3);
}

#[test]
fn started_watch_sees_the_set_behind_it() {
    let server = server(1);
    let store = client(&server, 1, Some(0)).unwrap();
    let seen = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&seen);
    let callback = Arc::new(move |_: &mf_store::Change| {
        count.fetch_add(1, Ordering::SeqCst);
    });
    let watch = store.start_watch("k", callback).unwrap();
    let set = store.start_set("k", b"v", Lifetime::Session).unwrap();
    let watch = watch.wait().unwrap();
    assert!(set.wait().unwrap() > watch.revision());
    assert_eq!(seen.load(Ordering::SeqCst), 1);
    store.unwatch(watch).unwrap();
}

#[test]
fn dropped_reply_leaves_the_request() {
    let server = server(1);
    let store = client(&server, 1, Some(0)).unwrap();
    drop(store.start_set("k", b"v", Lifetime::Session).unwrap());
    assert_eq!(store.get("k").unwrap().unwrap().value, b"v");
}

#[test]
fn started_requests_fail_as_others_do() {
    let server = server(1);
    let store = client(&server, 1, Some(0)).unwrap();
    let refused = store.start_get("").unwrap_err();
    assert_eq!(refused.kind(), Kind::InvalidParam);
    let started = store.start_get("k").unwrap();
    store.sever();
    // The reply had arrived, or the session ended first.
    assert!(started.wait().is_ok_and(|entry| entry.is_none()) || store.get("k").is_err());
    assert_eq!(store.start_get("k").unwrap_err().kind(), Kind::NotConnected);
}
