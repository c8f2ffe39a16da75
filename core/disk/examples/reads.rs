// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads of a tier for benches/disk_beside_fio.py: `reads FOLDER VALUE_BYTES VALUES [key]`, then lines
//! `THREADS SECONDS` on standard input, each answered by the rate in bytes a second.
//!
//! Fills a tier in FOLDER, which must be new; with `key` it is encrypted. Every thread reads random values
//! whole into a buffer of its own.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints, and ends with an error")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mf_disk::{DiskKey, DiskTier, EngineOptions, Options};

fn filled(folder: PathBuf, bytes: usize, values: u64, key: Option<DiskKey>) -> DiskTier {
    let capacity_bytes = values * bytes as u64 * 5 / 4 + (1 << 30);
    let engine = EngineOptions { tombstones_max: 1000, ..EngineOptions::default() };
    let folders = vec![folder];
    let tier =
        DiskTier::open(&Options { folders, capacity_bytes, job: "reads".to_owned(), key, engine }).unwrap();
    let mut state = 1u64;
    let began = Instant::now();
    for number in 0..values {
        let mut value = Vec::with_capacity(bytes);
        while value.len() < bytes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            value.extend(state.to_le_bytes());
        }
        while !tier.put(&number.to_le_bytes(), value.clone()).unwrap() {
            tier.flush().unwrap();
        }
    }
    tier.flush().unwrap();
    println!("{:.0}", values as f64 * bytes as f64 / began.elapsed().as_secs_f64());
    tier
}

fn read(tier: &DiskTier, bytes: usize, values: u64, threads: u64, seconds: f64) -> f64 {
    let total = AtomicU64::new(0);
    let (began, end) = (Instant::now(), Duration::from_secs_f64(seconds));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let total = &total;
            scope.spawn(move || {
                let (mut state, mut target) = (thread + 1, vec![0; bytes]);
                while began.elapsed() < end {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let key = ((state >> 33) % values).to_le_bytes();
                    let copy = |value: &[u8]| target[..value.len()].copy_from_slice(value);
                    tier.get_with(&key, 0, u64::MAX, copy).unwrap().unwrap();
                    total.fetch_add(bytes as u64, Ordering::Relaxed);
                }
            });
        }
    });
    total.into_inner() as f64 / began.elapsed().as_secs_f64()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (bytes, values) = (arguments[1].parse().unwrap(), arguments[2].parse().unwrap());
    let key = arguments.get(3).map(|_| DiskKey::new([1; 32]));
    let tier = filled(PathBuf::from(&arguments[0]), bytes, values, key);
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (threads, seconds) = line.split_once(' ').unwrap();
        println!("{:.0}", read(&tier, bytes, values, threads.parse().unwrap(), seconds.parse().unwrap()));
    }
}
