// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Test: a panic of the thread that follows the members fails the cache.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Rank;
use mf_base::os::service;
use mf_base::settings::Switch;
use mf_cache::{Cache, Options, Put};
use mf_device::Devices;
use mf_device::host::HostDevice;
use mf_fabric::pool::{self, Pool};
use mf_fabric::space::{Places, Shape, agree};
use mf_net::choice::Request;
use mf_store::{MemoryStore, Store};

const TIMEOUT: Duration = Duration::from_secs(60);

fn pool(store: &Arc<dyn Store>) -> Arc<Pool> {
    let devices = Devices::new(Arc::new(HostDevice::new(Switch::Off)));
    agree::publish_free(&**store, &devices, None).unwrap();
    let options = pool::Options {
        network: None,
        shared_memory: true,
        id: 0,
        places: Places::all(),
        shape: Shape { world: 1, max_bytes: [0, 4 << 20] },
        own_bytes: [0, 4 << 20],
        given: None,
        given_blocks: Vec::new(),
        numa_node: None,
        together: None,
        preferred_base: None,
        prefault: false,
        queue_depth: 16,
        keep_mappings: false,
        groups_follow: false,
        create_timeout: TIMEOUT,
        control_timeout: TIMEOUT,
        engines: Request::default(),
    };
    let pool = Pool::open(devices, Arc::clone(store), &options).unwrap();
    pool.join().unwrap();
    pool
}

#[test]
fn upkeep_panic_fails_calls_and_closes_the_cache() {
    let world = MemoryStore::new(1).unwrap();
    let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
    let pool = pool(&store);
    let cache = Cache::open(Arc::clone(&pool), &*store, Options::default()).unwrap();
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
    let again = Cache::open(pool, &*store, Options::default()).unwrap();
    again.put(b"key", b"value", Put::default()).unwrap();
    assert_eq!(again.size(b"key").unwrap(), Some(5));
}
