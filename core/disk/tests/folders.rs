// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One folder of several that fails: the others go on, and it comes back without removed values.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

#[allow(dead_code, reason = "tests/fault.rs uses the rest")]
mod simulated;

use std::time::Duration;

use mf_disk::{Disk, Engine, EngineOptions};
use simulated::{Faults, SimulatedDisk};

const VALUES: u8 = 12;
const DEAD: Faults = Faults { dies_after: None, one_in: 1, writes: None, allocations: None };

fn open(disks: &[SimulatedDisk]) -> Engine {
    try_open(disks).unwrap()
}

fn try_open(disks: &[SimulatedDisk]) -> mf_base::Result<Engine> {
    let options = EngineOptions {
        set: 5,
        segment_bytes: 64 << 10,
        slots: 20,
        tombstones_max: 1000,
        retry_after: Duration::ZERO,
        slow_after: Duration::from_secs(600),
        ..EngineOptions::default()
    };
    let disks = disks.iter().map(|disk| Box::new(disk.clone()) as Box<dyn Disk>).collect();
    Engine::open(disks, options)
}

fn value(number: u8) -> Vec<u8> {
    vec![number; 20_000]
}

/// Two folders with values in both; then every call on the second fails, and the engine has found out.
fn failing() -> (Vec<SimulatedDisk>, Engine) {
    let disks = [1, 2].map(SimulatedDisk::new).to_vec();
    let engine = open(&disks);
    for number in 0..VALUES {
        assert!(engine.put(&[number], value(number)).unwrap());
        engine.flush().unwrap();
    }
    disks[1].set_faults(DEAD);
    let mut other = 100;
    while engine.stats().folders_off == 0 {
        engine.put(&[other], value(other)).unwrap();
        engine.step();
        other += 1;
    }
    (disks, engine)
}

fn held(engine: &Engine) -> Vec<u8> {
    (0..VALUES).filter(|number| engine.get(&[*number]).unwrap() == Some(value(*number))).collect()
}

#[test]
fn values_of_the_other_folder_are_read_and_new_ones_are_written() {
    let (_, engine) = failing();
    let stats = engine.stats();
    assert_eq!((stats.folders_off, stats.is_off), (1, false));
    let seen = held(&engine);
    assert!((1..usize::from(VALUES)).contains(&seen.len()), "{seen:?}");
    assert!(seen.iter().all(|number| engine.contains(&[*number]).unwrap()));
    for number in 50..60 {
        assert!(engine.put(&[number], value(number)).unwrap());
        engine.flush().unwrap();
        assert!(engine.get(&[number]).unwrap() == Some(value(number)));
    }
}

#[test]
fn values_that_were_not_removed_meanwhile_are_back_with_the_folder() {
    let (disks, engine) = failing();
    let seen = held(&engine);
    let missing: Vec<u8> = (0..VALUES).filter(|number| !seen.contains(number)).collect();
    let removed = missing[0];
    assert!(engine.remove(&[removed]).unwrap());
    disks[1].set_faults(Faults::default());
    while engine.stats().folders_off > 0 {
        engine.step();
    }
    let all_but_removed: Vec<u8> = (0..VALUES).filter(|number| *number != removed).collect();
    assert_eq!(held(&engine), all_but_removed);
    drop(engine);
    assert_eq!(held(&open(&disks)), all_but_removed);
}

#[test]
fn process_that_dies_meanwhile_leaves_the_values_of_the_other_folder_alone() {
    let (disks, engine) = failing();
    let seen = held(&engine);
    for number in (0..VALUES).filter(|number| !seen.contains(number)) {
        assert!(engine.remove(&[number]).unwrap());
    }
    drop(engine);
    // Still failing, then working again, each in a new process.
    assert_eq!(held(&open(&disks)), seen);
    disks[1].set_faults(Faults::default());
    let engine = open(&disks);
    assert_eq!((held(&engine), engine.stats().folders_off), (seen, 0));
}

#[test]
fn folder_that_has_all_removals_must_be_read_when_the_tier_is_opened() {
    let disks = [1, 2].map(SimulatedDisk::new).to_vec();
    drop(open(&disks));
    disks[1].set_faults(DEAD);
    assert_eq!(try_open(&disks).unwrap_err().kind(), mf_base::Kind::Failed);
    disks[1].set_faults(Faults::default());
    assert!(try_open(&disks).is_ok());
}

#[test]
fn values_stay_after_a_folder_joined_that_failed_at_the_opening() {
    let (disks, engine) = failing();
    drop(engine);
    let engine = open(&disks);
    assert_eq!(engine.stats().folders_off, 1);
    disks[1].set_faults(Faults::default());
    while engine.stats().folders_off > 0 {
        engine.step();
    }
    for number in 0..VALUES {
        assert!(engine.put(&[number], value(number)).unwrap());
        engine.flush().unwrap();
    }
    drop(engine);
    assert_eq!(held(&open(&disks)), Vec::from_iter(0..VALUES));
}
