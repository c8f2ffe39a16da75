// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of caches as one process opens them.

#![allow(clippy::unwrap_used, reason = "tests")]

mod joined;

use std::sync::Arc;

use joined::pool;
use mf_base::Rank;
use mf_cache::{Cache, Options};
use mf_store::{MemoryStore, Store, UserStore};

fn store() -> Arc<dyn Store> {
    let world = MemoryStore::new(1).unwrap();
    Arc::new(world.join(Some(Rank(0))).unwrap())
}

#[test]
fn programs_see_no_key_of_the_cache_in_the_store() {
    let store = store();
    let _cache = Cache::open(pool(&store), &*store, Options::default()).unwrap();
    let all = store.list("").unwrap().entries;
    assert!(all.iter().any(|entry| entry.key.ends_with("/fingerprints")));
    assert!(UserStore::shared(&store).list("").unwrap().entries.is_empty());
}
