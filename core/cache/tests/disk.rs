// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Test: a cache with a tier in a folder, and the same folder after the process has started again.

#![allow(clippy::unwrap_used, reason = "tests")]

mod joined;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use joined::{TIMEOUT, pool};
use mf_base::Rank;
use mf_cache::{Admission, Cache, DiskOptions, Options, Put, Saved};
use mf_store::{MemoryStore, Store};

const VALUE: usize = 64 << 10;
const VALUES: u32 = 120;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn options(folder: &Folder) -> Options {
    let disk =
        DiskOptions { folders: vec![folder.0.clone()], bytes: 64 << 20, admission: Admission::default() };
    Options { disk: Some(disk), ..Options::default() }
}

fn value(key: u32) -> Vec<u8> {
    key.to_le_bytes().repeat(VALUE / 4)
}

fn get(cache: &Cache, key: u32) -> Option<Vec<u8>> {
    let mut buffer = vec![0; VALUE];
    let bytes = cache.get(&key.to_le_bytes(), &mut buffer).unwrap()?;
    buffer.truncate(usize::try_from(bytes).unwrap());
    Some(buffer)
}

/// Puts values until the disk has some. Returns the first keys that are left.
fn fill(cache: &Cache) -> [u32; 2] {
    let deadline = Instant::now() + TIMEOUT;
    let mut rounds = 0;
    while rounds < 2 || cache.stats().disk.is_none_or(|disk| disk.values < 20) {
        assert!(Instant::now() < deadline, "values do not leave memory: {:?}", cache.stats());
        for key in 0..VALUES {
            // Values of the first round that are still there stay.
            let how = Put { replace: rounds == 0, ..Put::default() };
            cache.put(&key.to_le_bytes(), &value(key), how).unwrap();
            std::thread::yield_now();
        }
        rounds += 1;
    }
    let mut left = (0..VALUES).filter(|key| cache.exists(&key.to_le_bytes()).unwrap());
    [left.next().unwrap(), left.next().unwrap()]
}

#[test]
fn closing_saves_values_for_the_next_start() {
    let folder = Folder(std::env::temp_dir().join(format!("mf-cache-save-{}", std::process::id())));
    let world = MemoryStore::new(1).unwrap();
    let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
    let pool = pool(&store);
    let open = || Cache::open(Arc::clone(&pool), &*store, &options(&folder)).unwrap();
    let (cache, other) = (open(), open());
    let keys: Vec<_> = (0..10u32).map(u32::to_le_bytes).collect();
    for key in &keys {
        assert!(cache.put(key, key, Put::default()).unwrap());
    }
    // The member stays while another cache of the process is open.
    assert_eq!(other.close_saving(TIMEOUT), Saved::default());
    assert_eq!(cache.stats().disk.unwrap().values, 0);
    let saved = cache.close_saving(TIMEOUT);
    assert_eq!((saved.values, saved.bytes, saved.left), (10, 40, 0));
    assert_eq!(cache.close_saving(TIMEOUT), Saved::default());
    // They hold the folder.
    drop((cache, other));
    let again = open();
    let deadline = Instant::now() + TIMEOUT;
    for key in &keys {
        let mut found = [0; 4];
        while again.get(key, &mut found).unwrap().is_none() {
            assert!(Instant::now() < deadline, "{:?}", again.stats());
        }
        assert_eq!(found, *key);
    }
    // No time, no values.
    assert_eq!(again.close_saving(Duration::ZERO).values, 0);
}

#[test]
fn prefetched_values_come_into_memory() {
    let folder = Folder(std::env::temp_dir().join(format!("mf-cache-prefetch-{}", std::process::id())));
    let world = MemoryStore::new(1).unwrap();
    let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
    let cache = Cache::open(pool(&store), &*store, &options(&folder)).unwrap();
    fill(&cache);
    let before = cache.stats().disk.unwrap();
    let keys: Vec<_> = (0..=VALUES).map(u32::to_le_bytes).collect();
    let mut keys: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
    keys.push(b"");
    // Twice, of which each key is fetched once.
    let prefetches = [0, 1].map(|_| cache.prefetch(&keys, TIMEOUT).unwrap());
    for prefetch in &prefetches {
        assert!(prefetch.wait(TIMEOUT) && prefetch.is_done());
        let counts = prefetch.counts();
        let done = counts.present + counts.fetched + counts.missing + counts.failed;
        assert_eq!((done, counts.keys, counts.dropped), (keys.len() as u64, keys.len() as u64, 0));
        assert!(counts.fetched > 0 && counts.missing > 0 && counts.failed > 0, "{counts:?}");
    }
    let after = cache.stats().disk.unwrap();
    assert!(after.promotions > before.promotions && after.hits == before.hits, "{before:?} {after:?}");
    cache.close();
    assert!(cache.prefetch(&keys, TIMEOUT).is_err());
}

#[test]
fn values_stay_on_disk_and_come_back_after_a_restart() {
    let folder = Folder(std::env::temp_dir().join(format!("mf-cache-disk-{}", std::process::id())));
    let changed;
    {
        let world = MemoryStore::new(1).unwrap();
        let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
        let cache = Cache::open(pool(&store), &*store, &options(&folder)).unwrap();
        changed = fill(&cache);
        assert!((0..VALUES).all(|key| get(&cache, key).is_none_or(|found| found == value(key))));
        let [removed, replaced] = changed;
        let mut part = vec![0; 100];
        assert_eq!(cache.get_range(&removed.to_le_bytes(), 7, &mut part).unwrap(), Some(VALUE as u64));
        assert_eq!(part, value(removed)[7..107]);
        let stats = cache.stats().disk.unwrap();
        assert!(stats.hits > 0 && stats.demotions > 0 && !stats.is_off, "{stats:?}");
        assert!(cache.remove(&removed.to_le_bytes()).unwrap());
        assert!(cache.put(&replaced.to_le_bytes(), b"new", Put::default()).unwrap());
    }
    let world = MemoryStore::new(1).unwrap();
    let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
    let cache = Cache::open(pool(&store), &*store, &options(&folder)).unwrap();
    let deadline = Instant::now() + TIMEOUT;
    let found = || (0..VALUES).filter(|key| cache.exists(&key.to_le_bytes()).unwrap());
    while found().count() < 10 {
        assert!(Instant::now() < deadline, "{:?}", cache.stats());
    }
    assert!(found().all(|key| get(&cache, key).is_none_or(|found| found == value(key))));
    assert!(changed.iter().all(|key| get(&cache, *key).is_none()));
}
