// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of caches as one process opens them.

#![allow(clippy::unwrap_used, reason = "tests")]

mod joined;

use std::sync::Arc;

use joined::pool;
use mf_base::Rank;
use mf_cache::{Cache, Options, Put};
use mf_store::{MemoryStore, Store, UserStore};

fn store() -> Arc<dyn Store> {
    let world = MemoryStore::new(1).unwrap();
    Arc::new(world.join(Some(Rank(0))).unwrap())
}

#[test]
fn programs_see_no_key_of_the_cache_in_the_store() {
    let store = store();
    let _cache = Cache::open(pool(&store), &*store, &Options::default()).unwrap();
    let all = store.list("").unwrap().entries;
    assert!(all.iter().any(|entry| entry.key.ends_with("/fingerprints")));
    assert!(UserStore::shared(&store).list("").unwrap().entries.is_empty());
}

#[test]
fn caches_of_one_process_are_one_member() {
    let store = store();
    let pool = pool(&store);
    let open = || Cache::open(Arc::clone(&pool), &*store, &Options::default()).unwrap();
    let (one, two) = (open(), open());
    one.put(b"key", b"value", Put::default()).unwrap();
    assert_eq!((two.size(b"key").unwrap(), two.stats().members), (Some(5), 1));
    one.close();
    one.close();
    assert!(one.size(b"key").unwrap_err().to_string().contains("closed"));
    assert_eq!(two.size(b"key").unwrap(), Some(5));
    let three = open();
    drop((two, one));
    assert_eq!(three.size(b"key").unwrap(), Some(5));
    drop(three);
    let again = open();
    again.put(b"key", b"other value", Put::default()).unwrap();
    assert_eq!((again.size(b"key").unwrap(), again.stats().members), (Some(11), 1));
}

#[test]
fn caches_open_and_close_at_once() {
    let store = store();
    let pool = pool(&store);
    std::thread::scope(|scope| {
        for thread in 0..4u8 {
            let (pool, store) = (&pool, &store);
            scope.spawn(move || {
                for turn in 0..20u8 {
                    let cache = Cache::open(Arc::clone(pool), &**store, &Options::default()).unwrap();
                    let key = [thread, turn];
                    cache.put(&key, &key, Put::default()).unwrap();
                    assert_eq!(cache.size(&key).unwrap(), Some(2));
                }
            });
        }
    });
}

#[test]
fn unpublished_writer_leaves_nothing() {
    let store = store();
    let cache = Cache::open(pool(&store), &*store, &Options::default()).unwrap();
    let mut writer = cache.begin(b"key", 6, Put::default()).unwrap();
    writer.write(3, b"def").unwrap();
    drop(writer);
    let mut writer = cache.begin(b"key", 6, Put::default()).unwrap();
    writer.write(3, b"def").unwrap();
    writer.write(0, b"abc").unwrap();
    assert_eq!(cache.size(b"key").unwrap(), None);
    assert!(writer.publish().unwrap());
    let mut buffer = [0; 2];
    assert_eq!(cache.get_range(b"key", 2, &mut buffer).unwrap(), Some(6));
    assert_eq!(&buffer, b"cd");
    assert!(cache.get_range(b"key", 5, &mut buffer).is_err());
    cache.put_slices(b"key", &[b"abc", b"", b"defg"], Put::default()).unwrap();
    let (mut one, mut two) = ([0; 5], [0; 4]);
    assert_eq!(cache.get_slices(b"key", &mut [&mut one, &mut two]).unwrap(), Some(7));
    assert_eq!((&one, &two[..2]), (b"abcde", &b"fg"[..]));
}

#[test]
fn get_begins_the_lease_of_its_cache() {
    let store = store();
    let pool = pool(&store);
    let options = Options { read_lease: std::time::Duration::from_secs(600), ..Options::default() };
    let leasing = Cache::open(Arc::clone(&pool), &*store, &options).unwrap();
    let other = Cache::open(pool, &*store, &Options::default()).unwrap();
    other.put(b"key", b"v", Put::default()).unwrap();
    other.get(b"key", &mut [0]).unwrap();
    assert!(other.remove_unleased(b"key").unwrap());
    other.put(b"key", b"v", Put::default()).unwrap();
    leasing.get(b"key", &mut [0]).unwrap();
    assert_eq!(other.remove_unleased(b"key").unwrap_err().kind(), mf_base::Kind::InUse);
    assert!(other.clear_unleased().unwrap() == 0 && other.remove(b"key").unwrap());
}

#[test]
fn watch_without_room_is_refused() {
    let store = store();
    let cache = Cache::open(pool(&store), &*store, &Options::default()).unwrap();
    assert!(cache.watch(0).is_err());
    let watch = cache.watch(1).unwrap();
    cache.put(b"key", b"v", Put::default()).unwrap();
    cache.remove(b"key").unwrap();
    assert_eq!(watch.take(9, 99).0.len(), 1);
}
