// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests: a panic of a thread of the member fails the cache.

#![allow(clippy::unwrap_used, reason = "tests")]

mod joined;

use std::sync::Arc;
use std::time::Instant;

use joined::{TIMEOUT, pool};
use mf_base::Rank;
use mf_base::os::service;
use mf_cache::{Cache, Options, Put};
use mf_store::{MemoryStore, Store};

#[test]
fn fetcher_panic_fails_the_keys_that_wait() {
    let world = MemoryStore::new(1).unwrap();
    let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
    let cache = Cache::open(pool(&store), &*store, &Options::default()).unwrap();
    let absent = cache.prefetch(&[b"key"], TIMEOUT).unwrap();
    assert!(absent.wait(TIMEOUT) && absent.counts().missing == 1);
    service::inject_panic("mf-cache-fetch");
    let deadline = Instant::now() + TIMEOUT;
    while cache.prefetch(&[b"key"], TIMEOUT).is_ok_and(|prefetch| prefetch.wait(TIMEOUT)) {
        assert!(Instant::now() < deadline, "no thread has panicked");
    }
    let error = cache.size(b"key").unwrap_err().to_string();
    assert!(error.contains("mf-cache-fetch") && error.contains("injected by a test"), "{error}");
}

#[test]
fn upkeep_panic_fails_calls_and_closes_the_cache() {
    let world = MemoryStore::new(1).unwrap();
    let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
    let pool = pool(&store);
    let cache = Cache::open(Arc::clone(&pool), &*store, &Options::default()).unwrap();
    cache.put(b"key", b"value", Put::default()).unwrap();
    service::inject_panic("mf-cache");
    let deadline = Instant::now() + TIMEOUT;
    let error = loop {
        match cache.size(b"key") {
            Err(error) => break error.to_string(),
            Ok(_) => assert!(Instant::now() < deadline, "the thread has not panicked"),
        }
    };
    assert!(error.contains("mf-cache") && error.contains("injected by a test"), "{error}");
    cache.close();
    // A new cache works: the memory was given back.
    let again = Cache::open(pool, &*store, &Options::default()).unwrap();
    again.put(b"key", b"value", Put::default()).unwrap();
    assert_eq!(again.size(b"key").unwrap(), Some(5));
}
