// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Round trips to the store until a process has joined a pool. The connection takes 4 before: TCP, TLS, and
//! two for the proofs of the job secret.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails the test")]

use std::sync::Arc;

use mf_smem::bm::{Config, Context, PoolOptions};

#[test]
fn join_waits_for_three_round_trips() {
    let config = Config::alone().unwrap().nic("127.0.0.1");
    let context = Context::init(config).unwrap();
    assert!(context.network().is_some(), "a card and a watch are announced");
    let store = Arc::clone(context.whole_store().unwrap());
    assert_eq!(store.round_trips(), 1, "the announcements, for which nobody has waited");
    let pool = context.create(PoolOptions::new(0).host(2 << 20)).unwrap();
    assert_eq!(store.round_trips(), 2, "the table left with the announcements; the new table followed");
    pool.join().unwrap();
    assert_eq!(store.round_trips(), 3, "the watch, the record and the list of members left together");
    drop(pool);
    context.shutdown();
}
