// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies of two ranks against a model: after any sequence of puts, gets and copies, accepted or refused, all
//! memory equals the model.

use std::sync::Mutex;

use mf_base::Kind;
use mf_tests::{End, Mem, Member, Order, PoolSizes, Spot, pattern};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::jobs::{MIB, job};

/// Contribution of each rank and kind; the window has as much again, which must stay unused.
const BYTES: u64 = 2 * MIB;
const AUTO: u32 = 9;

/// Copy types by their requirements on source and destination, in the pool or at the caller.
const INTO_POOL: [u32; 5] = [0, 3, 4, 7, AUTO];
const OUT_OF_POOL: [u32; 5] = [1, 2, 5, 6, AUTO];
const INSIDE_POOL: [u32; 2] = [8, AUTO];

#[derive(Clone, Copy, Debug)]
struct Place {
    mem: Mem,
    rank: u32,
    offset: u64,
}

#[derive(Clone, Debug)]
enum Step {
    Put { by: usize, to: Place, bytes: u64, seed: u64, kind: usize },
    Get { by: usize, from: Place, bytes: u64, kind: usize },
    Copy { by: usize, from: Place, to: Place, bytes: u64, kind: usize },
}

fn places() -> impl Strategy<Value = Place> {
    // Near the beginning, near the end, anywhere, and a little over the end.
    let offset = prop_oneof![0..64u64, BYTES - 64..BYTES + 8, 0..BYTES];
    (prop::sample::select(vec![Mem::Device, Mem::Host]), 0..2u32, offset)
        .prop_map(|(mem, rank, offset)| Place { mem, rank, offset })
}

fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 1..33u64, 3 => 1..5000u64, 2 => 1..200_000u64, 1 => 1..BYTES + 2]
}

fn steps() -> impl Strategy<Value = Step> {
    let (by, kind, seed) = (0..2usize, 0..10usize, any::<u64>());
    prop_oneof![
        (by.clone(), places(), sizes(), seed, kind.clone())
            .prop_map(|(by, to, bytes, seed, kind)| Step::Put { by, to, bytes, seed, kind }),
        (by.clone(), places(), sizes(), kind.clone()).prop_map(|(by, from, bytes, kind)| Step::Get {
            by,
            from,
            bytes,
            kind
        }),
        (by, places(), places(), sizes(), kind).prop_map(|(by, from, to, bytes, kind)| Step::Copy {
            by,
            from,
            to,
            bytes,
            kind
        }),
    ]
}

/// Expected contents of the pool.
struct Model([[Vec<u8>; 2]; 2]);

impl Model {
    fn range(&mut self, place: Place, bytes: u64) -> Option<&mut [u8]> {
        let memory = &mut self.0[place.rank as usize][place.mem as usize];
        memory.get_mut(usize::try_from(place.offset).ok()?..usize::try_from(place.offset + bytes).ok()?)
    }
}

fn in_pool(place: Place) -> End {
    End::Pool(spot(place))
}

fn spot(place: Place) -> Spot {
    Spot::In(place.mem, place.rank, place.offset)
}

fn overlap(one: Place, other: Place, bytes: u64) -> bool {
    (one.mem, one.rank) == (other.mem, other.rank) && one.offset.abs_diff(other.offset) < bytes
}

/// Does the step in the pool and in the model.
fn take(step: &Step, members: &mut [Member], model: &mut Model) -> Result<(), TestCaseError> {
    let (by, order, fits) = match *step {
        Step::Put { by, to, bytes, seed, kind } => {
            members[by].ok(&Order::FillBuffer(seed, 0, bytes));
            let order = Order::Raw(0, End::Buffer(0), in_pool(to), bytes, INTO_POOL[kind % 5], false);
            let there = model.range(to, bytes);
            let fits = there.is_some();
            if let Some(there) = there {
                pattern::fill(seed, there);
            }
            (by, order, fits)
        }
        Step::Get { by, from, bytes, kind } => {
            let expected = model.range(from, bytes).map(|bytes| pattern::digest(bytes));
            if let Some(expected) = expected {
                prop_assert_eq!(members[by].number(&Order::Digest(0, spot(from), bytes)), expected);
            }
            let order = Order::Raw(0, in_pool(from), End::Buffer(MIB), bytes, OUT_OF_POOL[kind % 5], false);
            (by, order, expected.is_some())
        }
        Step::Copy { from, to, bytes, .. } if overlap(from, to, bytes) => return Ok(()),
        Step::Copy { by, from, to, bytes, kind } => {
            let order = Order::Raw(0, in_pool(from), in_pool(to), bytes, INSIDE_POOL[kind % 2], false);
            let content = model.range(from, bytes).map(|bytes| bytes.to_vec());
            let fits = match (content, model.range(to, bytes)) {
                (Some(content), Some(there)) => {
                    there.copy_from_slice(&content);
                    true
                }
                _ => false,
            };
            (by, order, fits)
        }
    };
    match members[by].order(&order) {
        Ok(_) => prop_assert!(fits, "{:?} was done", step),
        Err(failure) => {
            prop_assert!(!fits, "{:?}: {}", step, failure.text);
            prop_assert_eq!(failure.code, Kind::InvalidParam.code());
        }
    }
    Ok(())
}

fn story(steps: &[Step], members: &mut [Member]) -> Result<(), TestCaseError> {
    let empty = || vec![0; usize::try_from(BYTES).unwrap()];
    let mut model = Model([[empty(), empty()], [empty(), empty()]]);
    let everywhere =
        Mem::ALL.into_iter().flat_map(|mem| (0..2).map(move |rank| Place { mem, rank, offset: 0 }));
    for place in everywhere.clone() {
        members[0].ok(&Order::PutZeroes(0, spot(place), BYTES));
    }
    for step in steps {
        take(step, members, &mut model)?;
    }
    for place in everywhere {
        let expected = model.range(place, BYTES).map(|bytes| pattern::digest(bytes)).unwrap();
        for member in members.iter_mut() {
            prop_assert_eq!(member.number(&Order::Digest(0, spot(place), BYTES)), expected, "{:?}", place);
        }
    }
    Ok(())
}

#[test]
fn copies_of_two_ranks_match_the_model() {
    let job = job(2);
    let sizes = PoolSizes { host: BYTES, device: BYTES, max_host: 2 * BYTES, max_device: 2 * BYTES };
    let members = Mutex::new(job.pool(sizes));
    let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let stories = prop::collection::vec(steps(), 1..40);
    if let Err(error) = runner.run(&stories, |steps| story(&steps, &mut members.lock().unwrap())) {
        panic!("{error}");
    }
    job.finish(members.into_inner().unwrap());
}
