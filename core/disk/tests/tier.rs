// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A tier in folders of the file system: recovery, refusals, the checker, compaction.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::PathBuf;

use mf_base::{Kind, Result};
use mf_disk::{DiskKey, DiskTier, EngineOptions, Options, check, dump, stat};

/// Folders that are removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("mf-disk-test-{name}-{}", std::process::id())))
    }

    fn folders(&self, count: usize) -> Vec<PathBuf> {
        (0..count).map(|number| self.0.join(number.to_string())).collect()
    }

    fn options(&self, folders: usize) -> Options {
        Options {
            folders: self.folders(folders),
            capacity_bytes: 16 << 20,
            job: "job".to_owned(),
            key: None,
            engine: EngineOptions {
                segment_bytes: 1 << 20,
                tombstones_max: 1000,
                ..EngineOptions::default()
            },
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn refusal(opened: Result<DiskTier>) -> String {
    opened.unwrap_err().reason().to_owned()
}

#[test]
fn values_are_there_after_a_restart() {
    let temporary = Temporary::new("restart");
    let options = temporary.options(2);
    let tier = DiskTier::open(&options).unwrap();
    for number in 0..40u8 {
        assert!(tier.put(&[number], vec![number; 100_000]).unwrap());
    }
    assert!(tier.remove(&[7]).unwrap());
    assert!(!tier.remove(b"unknown").unwrap());
    assert_eq!(tier.get(&[3]).unwrap(), Some(vec![3; 100_000]));
    drop(tier);
    let tier = DiskTier::open(&options).unwrap();
    assert_eq!(tier.stats().values, 39);
    assert_eq!(tier.get(&[39]).unwrap(), Some(vec![39; 100_000]));
    assert_eq!(tier.get_range(&[9], 70_000, 1_000_000).unwrap(), Some(vec![9; 30_000]));
    assert_eq!(tier.get_range(&[9], 100_000, 10).unwrap(), Some(Vec::new()));
    assert_eq!(tier.get(&[7]).unwrap(), None);
    let stats = tier.stats();
    assert_eq!((stats.hits, stats.misses), (3, 1));
}

#[test]
fn values_are_listed_and_read_by_their_generation() {
    let temporary = Temporary::new("generations");
    let options = temporary.options(1);
    let tier = DiskTier::open(&options).unwrap();
    for (key, generation) in [(b"one", 7), (b"two", 9)] {
        assert!(tier.put_at(key, generation, vec![1; 2000]).unwrap());
    }
    assert_eq!(tier.generation(b"one").unwrap(), Some(7));
    assert!(tier.put_at(b"one", 11, vec![2; 3000]).unwrap());
    tier.set_note("a note").unwrap();
    drop(tier);
    let tier = DiskTier::open(&options).unwrap();
    assert_eq!((tier.note().as_deref(), tier.last_generation()), (Some("a note"), 11));
    assert_eq!(tier.get_at(b"one", 7, (0, 9), <[u8]>::to_vec).unwrap(), None);
    assert_eq!(tier.get_at(b"one", 11, (2990, 99), <[u8]>::to_vec).unwrap(), Some(vec![2; 10]));
    let (mut listed, mut epoch) = (Vec::new(), u64::MAX);
    while let Some((older, values)) = tier.values_before(epoch) {
        listed.extend(values.into_iter().map(|value| (value.key, value.generation, value.bytes)));
        epoch = older;
    }
    listed.sort();
    assert_eq!(listed, [(b"one".to_vec(), 11, 3000), (b"two".to_vec(), 9, 2000)]);
    tier.clear().unwrap();
    assert!(tier.values_before(u64::MAX).is_none() && tier.generation(b"two").unwrap().is_none());
    assert!(tier.put_at(b"two", 12, vec![3; 10]).unwrap());
    drop(tier);
    let tier = DiskTier::open(&options).unwrap();
    assert_eq!(tier.get(b"one").unwrap(), None);
    assert_eq!(tier.get(b"two").unwrap(), Some(vec![3; 10]));
}

#[test]
fn more_values_than_room_replace_the_oldest() {
    let temporary = Temporary::new("room");
    let tier = DiskTier::open(&temporary.options(1)).unwrap();
    for number in 0..60u32 {
        assert!(tier.put(&number.to_le_bytes(), vec![1; 500_000]).unwrap());
        tier.flush().unwrap();
    }
    assert!(!tier.contains(&0u32.to_le_bytes()).unwrap());
    assert!(tier.contains(&59u32.to_le_bytes()).unwrap());
    assert!(tier.stats().reclaimed_segments > 0);
    assert!(!tier.put(b"large", vec![1; 1 << 20]).unwrap());
}

#[test]
fn folder_of_another_process_job_or_version_is_refused() {
    let temporary = Temporary::new("refusals");
    let mut options = temporary.options(1);
    let tier = DiskTier::open(&options).unwrap();
    assert!(refusal(DiskTier::open(&options)).contains("another process"));
    drop(tier);
    options.job = "other".to_owned();
    assert!(refusal(DiskTier::open(&options)).contains("another job"));
    let folder = temporary.folders(1).remove(0);
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(refusal(DiskTier::open(&options)).contains("open to other users"));
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
    let identity = folder.join("identity");
    let text = std::fs::read_to_string(&identity).unwrap();
    std::fs::write(&identity, text.replace("version 2", "version 1")).unwrap();
    assert!(refusal(DiskTier::open(&options)).contains("version"));
}

#[test]
fn folders_of_different_tiers_or_in_another_order_are_refused() {
    let temporary = Temporary::new("order");
    let mut options = temporary.options(2);
    drop(DiskTier::open(&options).unwrap());
    options.folders.reverse();
    assert!(refusal(DiskTier::open(&options)).contains("order"));
    options.folders.reverse();
    options.folders.push(temporary.0.join("third"));
    assert!(refusal(DiskTier::open(&options)).contains("new"));
    assert_eq!(stat(&[temporary.0.join("none")]).unwrap_err().kind(), Kind::Failed);
}

#[test]
fn tier_begins_empty_after_a_restart_of_the_machine() {
    let temporary = Temporary::new("boot");
    let options = temporary.options(1);
    let tier = DiskTier::open(&options).unwrap();
    tier.put(b"key", vec![1; 10]).unwrap();
    drop(tier);
    std::fs::write(temporary.folders(1)[0].join("running"), "another boot").unwrap();
    assert_eq!(DiskTier::open(&options).unwrap().get(b"key").unwrap(), None);
}

#[test]
fn checker_finds_a_flipped_bit_and_readers_do_not_return_it() {
    let temporary = Temporary::new("check");
    let options = temporary.options(1);
    let tier = DiskTier::open(&options).unwrap();
    tier.put(b"one", vec![1; 200_000]).unwrap();
    tier.put(b"two", vec![2; 200_000]).unwrap();
    drop(tier);
    let folders = temporary.folders(1);
    let report = check(&folders, None).unwrap();
    assert_eq!((report.values, report.sealed, report.damage.len()), (2, 1, 0));
    let mut keys = Vec::new();
    let collect = |value: mf_disk::LiveValue| {
        keys.push((value.key, value.bytes));
        Ok(())
    };
    dump(&folders, None, collect).unwrap();
    assert_eq!(keys, [(b"one".to_vec(), 200_000), (b"two".to_vec(), 200_000)]);
    let file = std::fs::File::options().write(true).open(folders[0].join("segments")).unwrap();
    file.write_all_at(&[9], 100_000).unwrap();
    assert_eq!(check(&folders, None).unwrap().damage.len(), 1);
    let tier = DiskTier::open(&options).unwrap();
    assert_eq!(tier.get(b"one").unwrap(), None);
    assert_eq!(tier.get(b"two").unwrap(), Some(vec![2; 200_000]));
    assert_eq!(tier.stats().damaged, 1);
}

#[test]
fn encrypted_folder_opens_with_its_own_key_alone_and_shows_no_bytes() {
    let temporary = Temporary::new("key");
    let plain = temporary.options(2);
    let encrypted = Options { key: Some(DiskKey::new([1; 32])), ..plain.clone() };
    let other = Options { key: Some(DiskKey::new([2; 32])), ..plain.clone() };
    let folders = temporary.folders(2);
    let tier = DiskTier::open(&encrypted).unwrap();
    for number in 0..20u8 {
        assert!(tier.put(format!("the key {number}").as_bytes(), vec![b'v'; 150_000]).unwrap());
    }
    drop(tier);
    for folder in &folders {
        let bytes = std::fs::read(folder.join("segments")).unwrap();
        assert!(!bytes.windows(7).any(|part| part == b"the key" || part == b"vvvvvvv"));
    }
    assert!(refusal(DiskTier::open(&plain)).contains("encrypted, and no secret"));
    assert!(refusal(DiskTier::open(&other)).contains("another secret"));
    let without = check(&folders, None).unwrap();
    assert_eq!((without.values, without.has_key, without.damage.len()), (20, false, 0));
    let with = check(&folders, encrypted.key.as_ref()).unwrap();
    assert_eq!((with.values, with.has_key, with.damage.len()), (20, true, 0));
    assert!(check(&folders, other.key.as_ref()).unwrap_err().reason().contains("another secret"));
    let mut keys = 0;
    let mut count = |value: mf_disk::LiveValue| {
        keys += u32::from(value.key.starts_with(b"the key ") && value.bytes == 150_000);
        Ok(())
    };
    assert!(dump(&folders, None, &mut count).unwrap_err().reason().contains("no secret"));
    assert_eq!(dump(&folders, encrypted.key.as_ref(), &mut count).unwrap().damage, []);
    assert_eq!(keys, 20);
    let tier = DiskTier::open(&encrypted).unwrap();
    assert_eq!(tier.get(b"the key 7").unwrap(), Some(vec![b'v'; 150_000]));
    assert_eq!(tier.get_range(b"the key 8", 65_000, 1000).unwrap(), Some(vec![b'v'; 1000]));
    assert_eq!(tier.get_with(b"the key 9", 149_999, 10, <[u8]>::len).unwrap(), Some(1));
    assert!(tier.compact() > 0);
    drop(tier);
    let temporary = Temporary::new("plain");
    drop(DiskTier::open(&temporary.options(1)).unwrap());
    let with_key = Options { key: encrypted.key.clone(), ..temporary.options(1) };
    assert!(refusal(DiskTier::open(&with_key)).contains("not encrypted"));
    assert!(DiskTier::open_existing(&temporary.folders(1), encrypted.key.as_ref()).is_ok());
}

#[test]
fn compaction_frees_segments_of_removed_values() {
    let temporary = Temporary::new("compact");
    let tier = DiskTier::open(&temporary.options(1)).unwrap();
    for number in 0..80u8 {
        tier.put(&[number], vec![number; 100_000]).unwrap();
    }
    tier.flush().unwrap();
    (0..80).filter(|number| number % 4 != 0).for_each(|number| assert!(tier.remove(&[number]).unwrap()));
    let blocks = || std::fs::metadata(temporary.folders(1)[0].join("segments")).unwrap().blocks();
    let (before, blocks_before) = (tier.stats().segments, blocks());
    let wear = tier.stats().wear().unwrap();
    assert!((1.0..1.2).contains(&wear), "{wear}");
    assert!(tier.compact() > 0);
    assert!(tier.stats().segments * 2 < before, "{before} segments, then {}", tier.stats().segments);
    assert!(tier.stats().wear().unwrap() > wear);
    // The file system has the room of freed segments again.
    assert!(blocks() * 2 < blocks_before, "{blocks_before} blocks, then {}", blocks());
    for number in (0..80).step_by(4) {
        assert_eq!(tier.get(&[number]).unwrap(), Some(vec![number; 100_000]));
    }
}

#[test]
fn threads_read_their_own_latest_values_or_none() {
    let temporary = Temporary::new("threads");
    let options = temporary.options(2);
    let tier = DiskTier::open(&options).unwrap();
    let latest: Vec<_> = std::thread::scope(|scope| {
        let run = |thread: u8| {
            let tier = &tier;
            scope.spawn(move || {
                let mut latest = [None; 8];
                for step in 0..1500u32 {
                    let mixed = step.wrapping_mul(2_654_435_761) >> 16;
                    let number = mixed % 8;
                    let key = [thread, u8::try_from(number).unwrap()];
                    let now = &mut latest[usize::try_from(number).unwrap()];
                    match mixed / 8 % 4 {
                        0 => *now = tier.put(&key, filled(thread, step)).unwrap().then_some(step),
                        1 if step % 7 == 0 => {
                            tier.remove(&key).unwrap();
                            *now = None;
                        }
                        _ => {
                            if let Some(read) = tier.get(&key).unwrap() {
                                assert!(now.map(|step| filled(thread, step)) == Some(read), "step {step}");
                            }
                        }
                    }
                }
                latest
            })
        };
        let threads: Vec<_> = (0..4).map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(tier.stats().hits > 0);
    drop(tier);
    let tier = DiskTier::open(&options).unwrap();
    for (thread, latest) in (0..).zip(latest) {
        for (number, now) in (0..).zip(latest) {
            if let Some(read) = tier.get(&[thread, number]).unwrap() {
                assert!(now.map(|step| filled(thread, step)) == Some(read), "thread {thread}, key {number}");
            }
        }
    }
}

/// A value that no other step has, of up to 200 KiB.
fn filled(thread: u8, step: u32) -> Vec<u8> {
    let words = usize::try_from(step.wrapping_mul(40_503) % 25_000).unwrap();
    (u64::from(step) << 8 | u64::from(thread)).to_le_bytes().repeat(words + 1)
}
