// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Random puts, replacements, removals and reclaims on simulated disks, with a crash at a random point: no
//! wrong bytes, nothing removed or replaced comes back, and only values that were not written or synced are
//! lost.
//!
//! `MF_DISK_SEEDS` is the number of seeds (100), `MF_DISK_SEED` runs one.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail the test")]

mod simulated;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use mf_disk::{Area, Disk, DiskKey, Engine, EngineOptions};
use rustix::io::Errno;
use simulated::{Faults, Random, SimulatedDisk};

const KEYS: u64 = 24;

fn options() -> EngineOptions {
    EngineOptions {
        set: 5,
        secret: [3; 16],
        segment_bytes: 64 << 10,
        slots: 6,
        tombstones_max: 40,
        queue_bytes: 128 << 10,
        batch_bytes: 24 << 10,
        retry_after: Duration::ZERO,
        slow_after: Duration::from_secs(600),
        ..EngineOptions::default()
    }
}

/// Every other seed runs encrypted.
fn options_of(seed: u64) -> EngineOptions {
    EngineOptions { key: (seed % 2 == 1).then(|| DiskKey::new([7; 32])), ..options() }
}

fn key(number: u64) -> Vec<u8> {
    format!("key {number} {}", "x".repeat(usize::try_from(number * number).unwrap())).into_bytes()
}

/// The bytes of a value follow from its version, which no other value has.
fn value(version: u64) -> Vec<u8> {
    let mut random = Random(version);
    let most = if random.one_in(8) { 50_000 } else { 9_000 };
    let mut bytes = vec![0; usize::try_from(random.below(most)).unwrap()];
    for word in bytes.chunks_mut(8) {
        word.copy_from_slice(&random.next().to_le_bytes()[..word.len()]);
    }
    bytes
}

/// Versions of a key that a reader may see.
#[derive(Default)]
struct Known {
    /// The present version, as far as calls have returned.
    now: Option<u64>,
    /// The version of a call in which the process died.
    in_progress: Option<u64>,
    /// Versions that a power failure may leave: the present one of the last sync, and all since.
    since_sync: BTreeSet<u64>,
    /// The value was on disk and synced at the last flush, and has not been touched since.
    is_synced: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Kill,
    Power,
}

struct Run {
    seed: u64,
    random: Random,
    disks: Vec<SimulatedDisk>,
    engine: Engine,
    known: BTreeMap<u64, Known>,
    version: u64,
    /// Values may be lost, too.
    has_rot: bool,
    /// A folder that fails from the next opening on: one call in so many.
    opening: Option<(usize, u64)>,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let count = 1 + random.below(2);
        Self::with_folders(seed, random, count)
    }

    fn with_folders(seed: u64, mut random: Random, count: u64) -> Self {
        let disks: Vec<_> = (0..count).map(|_| SimulatedDisk::new(random.next())).collect();
        let engine = open_with(&disks, options_of(seed));
        Self {
            seed,
            random,
            disks,
            engine,
            known: BTreeMap::new(),
            version: 0,
            has_rot: false,
            opening: None,
        }
    }

    fn set_faults(&self, faults: Faults) {
        self.disks.iter().for_each(|disk| disk.set_faults(faults));
    }

    /// Ends all faults, and waits until the engine has found out.
    fn mend(&mut self) {
        self.set_faults(Faults::default());
        while self.engine.stats().folders_off > 0 {
            self.engine.step();
        }
        self.known.values_mut().for_each(|known| known.is_synced = false);
    }

    fn is_dead(&self) -> bool {
        self.disks.iter().any(SimulatedDisk::is_dead)
    }

    /// One random call. False: the process died in it.
    fn call(&mut self) -> bool {
        let number = self.random.below(KEYS);
        match self.random.below(20) {
            0..8 => {
                self.version += 1;
                let version = self.version;
                let is_kept = self.engine.put(&key(number), value(version)).unwrap();
                let is_dead = self.is_dead();
                let known = self.known.entry(number).or_default();
                known.is_synced = false;
                if is_kept {
                    known.since_sync.insert(version);
                }
                if is_dead {
                    known.in_progress = is_kept.then_some(version);
                    return false;
                }
                known.now = is_kept.then_some(version);
            }
            8..10 => {
                self.engine.remove(&key(number)).unwrap();
                let is_dead = self.is_dead();
                let known = self.known.entry(number).or_default();
                known.is_synced = false;
                if is_dead {
                    return false;
                }
                known.now = None;
            }
            10..15 => self.read(number),
            15..19 => {
                self.engine.step();
            }
            _ => {
                let is_flushed = self.engine.flush().is_ok();
                if is_flushed && !self.is_dead() {
                    for (number, known) in &mut self.known {
                        known.since_sync = known.now.into_iter().collect();
                        known.is_synced = known.now.is_some() && self.engine.contains(&key(*number)).unwrap();
                    }
                }
            }
        }
        !self.is_dead()
    }

    /// Reads a value whole, or a part of it.
    fn read(&mut self, number: u64) {
        let now = self.known.entry(number).or_default().now;
        let offset = self.random.below(10_000);
        if self.random.one_in(2) {
            let read = self.engine.get(&key(number)).unwrap();
            self.check(number, now, read.as_deref(), 0, u64::MAX);
        } else {
            let read = self.engine.get_range(&key(number), offset, 3000).unwrap();
            self.check(number, now, read.as_deref(), offset, 3000);
        }
    }

    fn check(&self, number: u64, now: Option<u64>, read: Option<&[u8]>, offset: u64, bytes: u64) {
        let Some(read) = read else { return };
        let expected = now.map(value).map(|value| part(&value, offset, bytes));
        assert!(
            expected.as_deref() == Some(read),
            "seed {}: key {number} has not the bytes of {now:?}",
            self.seed
        );
    }

    /// Ends the process, starts another, and compares all keys.
    fn crash(&mut self, end: End, is_in_step: bool) {
        let held: Vec<u64> =
            (0..KEYS).filter(|number| self.engine.contains(&key(*number)).unwrap()).collect();
        for disk in &self.disks {
            disk.revive();
            if end == End::Power {
                disk.fail_power();
            }
        }
        if let Some((bad, one_in)) = self.opening.take() {
            self.disks[bad].set_faults(Faults { one_in, ..Faults::default() });
        }
        self.engine = match try_open(&self.disks, options_of(self.seed)) {
            Ok(engine) => engine,
            // A folder that has all removals must be read.
            Err(_) => {
                self.set_faults(Faults::default());
                open_with(&self.disks, options_of(self.seed))
            }
        };
        for number in 0..KEYS {
            let read = self.engine.get(&key(number)).unwrap();
            let known = self.known.entry(number).or_default();
            let allowed: BTreeSet<u64> = match end {
                End::Kill => known.now.into_iter().chain(known.in_progress).collect(),
                End::Power => known.since_sync.clone(),
            };
            let seen = read.as_ref().map(|read| {
                let version = allowed.iter().find(|version| value(**version) == *read);
                *version.unwrap_or_else(|| {
                    panic!("seed {}: key {number} came back with other bytes than {allowed:?}", self.seed)
                })
            });
            let must_stay = known.is_synced && held.contains(&number) && !is_in_step && !self.has_rot;
            assert!(
                seen.is_some() || !must_stay,
                "seed {}: key {number} is lost ({:?})",
                self.seed,
                known.now
            );
            // A value in a folder that fails misses, and may be seen again.
            known.now = if self.engine.stats().folders_off > 0 { seen.or(known.now) } else { seen };
            known.in_progress = None;
            known.is_synced &= seen.is_some();
            if end == End::Power {
                known.since_sync = seen.into_iter().collect();
            }
        }
    }
}

fn part(value: &[u8], offset: u64, bytes: u64) -> Vec<u8> {
    let start = usize::try_from(offset).unwrap().min(value.len());
    let end = usize::try_from(offset.saturating_add(bytes)).unwrap().min(value.len());
    value[start..end].to_vec()
}

fn open(disks: &[SimulatedDisk]) -> Engine {
    open_with(disks, options())
}

fn open_with(disks: &[SimulatedDisk], options: EngineOptions) -> Engine {
    try_open(disks, options).unwrap()
}

fn try_open(disks: &[SimulatedDisk], options: EngineOptions) -> mf_base::Result<Engine> {
    let disks = disks.iter().map(|disk| Box::new(disk.clone()) as Box<dyn Disk>).collect();
    Engine::open(disks, options)
}

fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    match number("MF_DISK_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("MF_DISK_SEEDS").unwrap_or(100)).collect(),
    }
}

/// Runs several lives of one tier; each ends at a random write.
fn lives(seed: u64, end_of: impl Fn(&mut Random) -> End) {
    let mut run = Run::new(seed);
    for _ in 0..4 {
        let dies_after = Some(run.random.below(120));
        run.set_faults(Faults { dies_after, ..Faults::default() });
        let mut is_alive = true;
        let mut calls = run.random.below(400);
        while is_alive && calls > 0 {
            is_alive = run.call();
            calls -= 1;
        }
        let end = end_of(&mut run.random);
        run.crash(end, !is_alive);
    }
}

#[test]
fn nothing_comes_back_when_the_process_is_killed() {
    seeds().into_iter().for_each(|seed| lives(seed, |_| End::Kill));
}

#[test]
fn nothing_synced_is_lost_or_comes_back_when_power_fails() {
    seeds().into_iter().for_each(|seed| lives(seed, |_| End::Power));
}

#[test]
fn kills_and_power_failures_in_turns_lose_nothing_synced() {
    let either = |random: &mut Random| if random.one_in(2) { End::Kill } else { End::Power };
    seeds().into_iter().for_each(|seed| lives(seed, either));
}

#[test]
fn failing_calls_return_no_wrong_bytes_and_bring_nothing_back() {
    for seed in seeds() {
        let mut run = Run::new(seed);
        for _ in 0..3 {
            for _ in 0..150 {
                let one_in = if run.random.one_in(3) { 0 } else { 4 + run.random.below(30) };
                run.set_faults(Faults { one_in, ..Faults::default() });
                assert!(run.call());
            }
            // Removals that the disk has refused are written once it works again.
            run.mend();
            run.crash(End::Kill, false);
        }
    }
}

#[test]
fn folder_that_fails_for_a_while_brings_nothing_back() {
    for seed in seeds() {
        let mut random = Random(seed);
        let count = 2 + random.below(2);
        let mut run = Run::with_folders(seed, random, count);
        // A failed batch can void a copy of a synced value.
        run.has_rot = true;
        for _ in 0..5 {
            let bad = usize::try_from(run.random.below(count)).unwrap();
            let one_in = if run.random.one_in(2) { 1 } else { 2 + run.random.below(12) };
            run.disks[bad].set_faults(Faults { one_in, ..Faults::default() });
            for _ in 0..run.random.below(120) {
                assert!(run.call());
                assert!(!run.engine.stats().is_off, "seed {seed}: one folder of {count} switched all off");
            }
            match run.random.below(3) {
                0 => run.mend(),
                1 => run.crash(End::Kill, false),
                _ => {
                    run.set_faults(Faults::default());
                    for _ in 0..run.random.below(60) {
                        assert!(run.call());
                    }
                    run.crash(End::Kill, false);
                }
            }
        }
    }
}

#[test]
fn folder_that_fails_when_the_tier_is_opened_brings_nothing_back() {
    for seed in seeds() {
        let mut random = Random(seed);
        let count = 2 + random.below(2);
        let mut run = Run::with_folders(seed, random, count);
        run.has_rot = true;
        for _ in 0..5 {
            for _ in 0..run.random.below(80) {
                assert!(run.call());
            }
            let bad = usize::try_from(run.random.below(count)).unwrap();
            run.opening = Some((bad, 1 + run.random.below(8)));
            run.crash(End::Kill, false);
            for _ in 0..run.random.below(80) {
                assert!(run.call());
            }
            if run.random.one_in(2) {
                run.mend();
            }
        }
    }
}

#[test]
fn flipped_bits_return_no_wrong_bytes() {
    for seed in seeds() {
        let mut run = Run::new(seed);
        run.has_rot = true;
        for _ in 0..3 {
            for _ in 0..150 {
                if run.random.one_in(4) {
                    run.disks.iter().for_each(SimulatedDisk::rot);
                }
                assert!(run.call());
            }
            run.crash(End::Kill, false);
        }
    }
}

/// A tier on a disk with these faults keeps answering, and works again without them.
fn survives(faults: Faults) {
    let disk = SimulatedDisk::new(1);
    let engine = open(std::slice::from_ref(&disk));
    assert!(engine.put(b"before", vec![1; 100]).unwrap());
    engine.flush().unwrap();
    disk.set_faults(faults);
    for number in 0..40 {
        engine.put(&key(number % KEYS), vec![2; 9000]).unwrap();
        engine.step();
    }
    assert!(engine.stats().faults > 0);
    assert!(engine.stats().drops > 0);
    engine.remove(b"before").unwrap();
    disk.set_faults(Faults::default());
    while engine.stats().is_off {
        engine.step();
    }
    assert_eq!(engine.get(b"before").unwrap(), None);
    assert!(engine.put(b"after", vec![3; 100]).unwrap());
    engine.flush().unwrap();
    drop(engine);
    let engine = open(std::slice::from_ref(&disk));
    assert_eq!(engine.get(b"before").unwrap(), None);
    assert_eq!(engine.get(b"after").unwrap(), Some(vec![3; 100]));
}

#[test]
fn full_disk_switches_the_tier_off_until_there_is_room() {
    survives(Faults { allocations: Some(Errno::NOSPC), ..Faults::default() });
}

#[test]
fn read_only_disk_switches_the_tier_off_until_it_is_writable() {
    survives(Faults { writes: Some(Errno::ROFS), ..Faults::default() });
}

#[test]
fn disk_that_fails_every_call_switches_the_tier_off() {
    survives(Faults { one_in: 1, ..Faults::default() });
}

/// An engine with `key` in the first folder and `other` in the second, both synced.
fn value_in_each_folder(disks: &[SimulatedDisk; 2]) -> Engine {
    let engine = open(disks);
    for (name, bytes) in [(&b"key"[..], 30_000), (b"other", 40_000)] {
        engine.put(name, vec![1; bytes]).unwrap();
        engine.flush().unwrap();
    }
    engine
}

#[test]
fn replaced_value_does_not_come_back_without_the_folder_of_the_new_one() {
    let disks = [SimulatedDisk::new(1), SimulatedDisk::new(2)];
    let engine = value_in_each_folder(&disks);
    engine.put(b"key", vec![2; 100]).unwrap();
    assert!(engine.step());
    drop(engine);
    disks[0].lose_unsynced();
    let engine = open(&disks);
    assert_eq!(engine.get(b"key").unwrap(), Some(vec![2; 100]));
    // The first folder records that the second lacks a removal: the next opening erases the second.
    disks[1].set_faults(Faults { one_in: 1, ..Faults::default() });
    assert!(engine.remove(b"other").unwrap());
    drop(engine);
    disks[1].set_faults(Faults::default());
    let engine = open(&disks);
    assert_eq!(engine.stats().values, 0);
    assert_eq!(engine.get(b"key").unwrap(), None);
}

#[test]
fn removal_that_reached_one_folder_holds_in_all() {
    let disks = [SimulatedDisk::new(1), SimulatedDisk::new(2)];
    let engine = value_in_each_folder(&disks);
    assert!(engine.remove(b"key").unwrap());
    drop(engine);
    disks[0].lose_unsynced();
    assert_eq!(open(&disks).get(b"key").unwrap(), None);
    // The folder of the value has the tombstone now, too.
    let disks = [disks[0].clone(), SimulatedDisk::new(3)];
    assert_eq!(open(&disks).get(b"key").unwrap(), None);
}

/// A disk with reads and writes that wait while `is_stuck`; clones share both.
#[derive(Clone)]
struct StuckDisk {
    disk: SimulatedDisk,
    is_stuck: Arc<(Mutex<bool>, Condvar)>,
}

impl StuckDisk {
    fn new() -> Self {
        Self { disk: SimulatedDisk::new(1), is_stuck: Arc::new((Mutex::new(false), Condvar::new())) }
    }

    fn stick(&self, sticks: bool) {
        *self.is_stuck.0.lock().unwrap() = sticks;
        self.is_stuck.1.notify_all();
    }

    fn wait(&self) {
        let (is_stuck, freed) = &*self.is_stuck;
        drop(freed.wait_while(is_stuck.lock().unwrap(), |is_stuck| *is_stuck).unwrap());
    }
}

impl Disk for StuckDisk {
    fn read(&self, area: Area, at: u64, into: &mut [u8]) -> Result<(), Errno> {
        self.wait();
        self.disk.read(area, at, into)
    }

    fn write(&self, area: Area, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        self.wait();
        self.disk.write(area, at, bytes)
    }

    fn sync(&self, area: Area) -> Result<(), Errno> {
        self.disk.sync(area)
    }

    fn allocate(&self, at: u64, bytes: u64) -> Result<(), Errno> {
        self.disk.allocate(at, bytes)
    }

    fn discard(&self, at: u64, bytes: u64) -> Result<(), Errno> {
        self.disk.discard(at, bytes)
    }
}

#[test]
fn reads_miss_while_the_disk_does_not_answer() {
    let disk = StuckDisk::new();
    let slow_after = Duration::from_millis(1);
    let engine = EngineOptions { slow_after, ..options() };
    let engine = Engine::open(vec![Box::new(disk.clone())], engine).unwrap();
    engine.put(b"key", vec![1; 100]).unwrap();
    engine.flush().unwrap();
    disk.stick(true);
    std::thread::scope(|scope| {
        let stuck = scope.spawn(|| engine.get(b"key").unwrap());
        while !engine.is_stuck() {
            std::thread::yield_now();
        }
        assert_eq!(engine.get(b"key").unwrap(), None);
        assert!(engine.put(b"other", vec![2; 100]).unwrap());
        assert!(engine.remove(b"other").unwrap());
        disk.stick(false);
        assert_eq!(stuck.join().unwrap(), Some(vec![1; 100]));
    });
    assert_eq!(engine.get(b"key").unwrap(), Some(vec![1; 100]));
}

/// Engine over a disk that may be stuck, with the values 0 to `values` on it.
fn filled(disk: &StuckDisk, values: u8, wait: Duration) -> Engine {
    let engine = EngineOptions { removal_wait: wait, ..options() };
    let engine = Engine::open(vec![Box::new(disk.clone())], engine).unwrap();
    (0..values).for_each(|number| assert!(engine.put(&[number], vec![number; 100]).unwrap()));
    engine.flush().unwrap();
    engine
}

/// Runs `body` while another thread writes tombstones.
fn serving(engine: &Engine, body: impl FnOnce()) {
    engine.begin_removals();
    std::thread::scope(|scope| {
        scope.spawn(|| engine.serve_removals());
        body();
        engine.end_removals();
    });
}

#[test]
fn disk_that_does_not_answer_holds_no_put_and_no_removal() {
    let disk = StuckDisk::new();
    let engine = filled(&disk, 5, Duration::from_millis(1));
    serving(&engine, || {
        // Each of these would wait for ever.
        disk.stick(true);
        assert!(engine.remove(&[0]).unwrap());
        assert!(engine.put(&[1], vec![7; 50]).unwrap());
        assert!(engine.remove(&[2]).unwrap() && !engine.remove(&[2]).unwrap());
        assert!(!engine.contains(&[0]).unwrap() && engine.contains(&[3]).unwrap());
        assert_eq!(engine.get(&[1]).unwrap(), Some(vec![7; 50]));
        disk.stick(false);
        engine.flush().unwrap();
    });
    // The thread has ended: calls write their tombstones themselves.
    assert!(engine.remove(&[3]).unwrap());
    drop(engine);
    let engine = open(std::slice::from_ref(&disk.disk));
    let found: Vec<_> = (0..5).map(|number| engine.get(&[number]).unwrap()).collect();
    assert_eq!(found, [None, Some(vec![7; 50]), None, None, Some(vec![4; 100])]);
}

#[test]
fn removal_is_on_disk_when_the_call_returns() {
    let disk = StuckDisk::new();
    let engine = filled(&disk, 30, Duration::from_secs(600));
    serving(&engine, || {
        for number in 0..30 {
            assert!(engine.remove(&[number]).unwrap());
            if number % 10 == 0 {
                assert_eq!(open(std::slice::from_ref(&disk.disk)).get(&[number]).unwrap(), None);
            }
        }
    });
}

#[test]
fn more_removals_than_there_is_room_for_erase_the_folder() {
    let disk = StuckDisk::new();
    let engine = filled(&disk, 90, Duration::ZERO);
    serving(&engine, || {
        disk.stick(true);
        (0..80).for_each(|number| assert!(engine.remove(&[number]).unwrap()));
        assert!(engine.stats().is_off && engine.get(&[85]).unwrap().is_none());
        disk.stick(false);
        engine.step();
    });
    assert!(!engine.stats().is_off && engine.put(&[0], vec![1; 10]).unwrap());
    engine.flush().unwrap();
    drop(engine);
    let engine = open(std::slice::from_ref(&disk.disk));
    assert_eq!(engine.get(&[0]).unwrap(), Some(vec![1; 10]));
    assert!((1..90).all(|number| engine.get(&[number]).unwrap().is_none()));
}

#[test]
fn value_removed_while_it_is_written_again_does_not_come_back() {
    let disk = SimulatedDisk::new(1);
    let shared: Arc<std::sync::OnceLock<Engine>> = Arc::default();
    let removing = Arc::clone(&shared);
    let keep = move |candidate: &mf_disk::Candidate<'_>| {
        if candidate.key == b"removed" {
            removing.get().unwrap().remove(candidate.key).unwrap();
        }
        candidate.key == b"removed" || candidate.key == b"kept"
    };
    let disks: Vec<Box<dyn Disk>> = vec![Box::new(disk.clone())];
    let engine = Engine::open(disks, EngineOptions { keep: Some(Arc::new(keep)), ..options() }).unwrap();
    let engine = shared.get_or_init(|| engine);
    for name in [&b"removed"[..], b"kept"] {
        engine.put(name, vec![7; 5000]).unwrap();
    }
    // Each fills a segment, until the first one is freed and its values go to a new one.
    let mut number = 0;
    while engine.stats().reclaimed_segments == 0 {
        engine.put(&key(number), vec![1; 50_000]).unwrap();
        engine.flush().unwrap();
        number += 1;
    }
    // As many removals as the ring has places: they take the place of a tombstone that is not needed.
    let names: Vec<[u8; 1]> = (0..40).map(|number| [number]).collect();
    names.iter().for_each(|name| assert!(engine.put(name, vec![1; 10]).unwrap()));
    engine.flush().unwrap();
    names.iter().for_each(|name| assert!(engine.remove(name).unwrap()));
    assert_eq!(engine.stats().tombstones, 40);
    let engine = open(std::slice::from_ref(&disk));
    assert!(engine.get(b"removed").unwrap().is_none());
    assert!(engine.get(b"kept").unwrap() == Some(vec![7; 5000]));
}
