// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measures a tier beside plain files: `cargo run --release -p mf-disk --example measure -- FOLDER [KEYS]`.
//!
//! Writes and reads of values of 1 MiB, then the opening of a tier with KEYS small values (10,000,000) and
//! the bytes of its index for each. FOLDER must be new; it is removed at the end.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints, and ends with an error")]

use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mf_disk::{DiskTier, EngineOptions, Options};

const VALUE_BYTES: usize = 1 << 20;
const VALUES: u32 = 1024;
const THREADS: u32 = 4;

fn options(folder: PathBuf, capacity_bytes: u64, queue_bytes: u64) -> Options {
    let engine = EngineOptions { queue_bytes, ..EngineOptions::default() };
    Options { folders: vec![folder], capacity_bytes, job: "measure".to_owned(), engine, ..Options::default() }
}

fn rate(bytes: u64, elapsed: Duration) -> String {
    format!("{:.2} GiB/s", bytes as f64 / elapsed.as_secs_f64() / f64::from(1 << 30))
}

fn value(number: u32) -> Vec<u8> {
    (0..VALUE_BYTES / 4)
        .flat_map(|i| (i as u64 * u64::from(number + 1)).to_le_bytes()[..4].to_vec())
        .collect()
}

fn large_values(folder: &Path) {
    let total = u64::from(VALUES) * VALUE_BYTES as u64;
    let values: Vec<Vec<u8>> = (0..16).map(value).collect();
    let tier = DiskTier::open(&options(folder.join("large"), 2 << 30, u64::MAX)).unwrap();
    let began = Instant::now();
    for number in 0..VALUES {
        tier.put(&number.to_le_bytes(), values[number as usize % 16].clone()).unwrap();
    }
    let queued = began.elapsed();
    tier.flush().unwrap();
    println!(
        "put {VALUES} values of 1 MiB: {} with sync, {} into the queue",
        rate(total, began.elapsed()),
        rate(total, queued)
    );
    for threads in [1, THREADS] {
        let began = Instant::now();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let tier = &tier;
                scope.spawn(move || {
                    for number in (thread..VALUES).step_by(threads as usize) {
                        assert!(tier.get(&number.to_le_bytes()).unwrap().is_some());
                    }
                });
            }
        });
        println!("get by {threads} threads: {}", rate(total, began.elapsed()));
    }
    drop(tier);
    let path = folder.join("plain");
    let file =
        std::fs::File::options().create(true).truncate(true).read(true).write(true).open(&path).unwrap();
    let began = Instant::now();
    for number in 0..VALUES {
        file.write_all_at(&values[number as usize % 16], u64::from(number) * VALUE_BYTES as u64).unwrap();
    }
    file.sync_data().unwrap();
    println!("plain file: write {} with sync", rate(total, began.elapsed()));
    let (began, mut buffer) = (Instant::now(), vec![0; VALUE_BYTES]);
    for number in 0..VALUES {
        file.read_exact_at(&mut buffer, u64::from(number) * VALUE_BYTES as u64).unwrap();
    }
    println!("plain file: read {} by 1 thread, from the page cache", rate(total, began.elapsed()));
}

fn small_values(folder: &Path, keys: u64) {
    let options = options(folder.join("small"), (keys * 300).max(1 << 30), 64 << 20);
    let tier = DiskTier::open(&options).unwrap();
    let began = Instant::now();
    for number in 0..keys {
        while !tier.put(&number.to_le_bytes(), vec![1]).unwrap() {
            tier.flush().unwrap();
        }
    }
    tier.flush().unwrap();
    println!("put {keys} values of 1 byte: {:.1} s", began.elapsed().as_secs_f64());
    drop(tier);
    let began = Instant::now();
    let tier = DiskTier::open(&options).unwrap();
    let elapsed = began.elapsed().as_secs_f64();
    let stats = tier.stats();
    println!(
        "open {} values: {elapsed:.2} s, {} bytes of index each",
        stats.values,
        stats.index_bytes / stats.values
    );
    let began = Instant::now();
    for number in 0..keys.min(200_000) {
        tier.put(&number.to_le_bytes(), Vec::new()).unwrap();
    }
    println!(
        "replace, with a tombstone each: {:.2} µs",
        began.elapsed().as_secs_f64() * 1e6 / keys.min(200_000) as f64
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap());
    let keys = arguments.next().map_or(10_000_000, |keys| keys.parse().unwrap());
    std::fs::create_dir(&folder).unwrap();
    large_values(&folder);
    small_values(&folder, keys);
    std::fs::remove_dir_all(&folder).unwrap();
}
