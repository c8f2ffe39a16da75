// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Protocols with a planted bug each: simulation finds it, replays it by its seed, shrinks it; the corrected
//! protocol passes all seeds.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod leader;
mod ring;

use std::time::Instant;

use mf_sim::{Cause, Failure, World};

/// Checks that the seed and the schedule repeat a failure, byte for byte.
fn assert_replays<F>(world: &World, failure: &Failure, program: impl Fn(mf_sim::Rank) -> F)
where
    F: Future<Output = mf_sim::Result<()>> + 'static,
{
    for _ in 0..2 {
        let run = world.run(failure.seed, &program);
        assert_eq!(run.failure(), Some((failure.cause, failure.reason.as_str())));
        assert_eq!(run.trace(), failure.trace);
        let run = world.replay(&failure.schedule.to_string().parse().unwrap(), &program);
        assert_eq!(run.failure(), Some((failure.cause, failure.shrunk_reason.as_str())));
        assert_eq!(run.trace(), failure.shrunk_trace);
        assert_eq!(run.schedule(), &failure.schedule);
    }
}

#[test]
fn flag_before_its_data_is_found_and_shrunk() {
    let world = World::new(2);
    let begun = Instant::now();
    let failure = world.explore(0..1000, |rank| ring::program(rank, false), |_| Ok(())).unwrap_err();
    println!("{failure}");
    println!("found and shrunk after {} runs, in {:?}", failure.runs, begun.elapsed());
    assert_eq!(failure.cause, Cause::Panicked);
    assert!(failure.reason.contains("was read before it was complete"), "{}", failure.reason);
    // The data is slower than the flag: one choice is enough.
    assert_eq!(failure.schedule.len(), 1, "{}", failure.schedule);
    assert!(failure.schedule.to_string().starts_with("latency:0>1:"), "{}", failure.schedule);
    assert_replays(&world, &failure, |rank| ring::program(rank, false));
}

#[test]
fn flag_behind_a_fence_passes_all_seeds() {
    let world = World::new(2).delays(0.05, std::time::Duration::from_millis(1));
    assert_eq!(world.explore(0..300, |rank| ring::program(rank, true), |_| Ok(())).unwrap(), 300);
}

#[test]
fn lease_used_after_its_end_is_found_and_shrunk() {
    let world = leader::world();
    let begun = Instant::now();
    let failure = world.explore(0..1000, |rank| leader::program(rank, false), |_| Ok(())).unwrap_err();
    println!("{failure}");
    println!("found and shrunk after {} runs, in {:?}", failure.runs, begun.elapsed());
    assert!(failure.reason.contains("was overwritten by the leader of term"), "{}", failure.reason);
    // A pause of the leader, and the times that let another one in.
    assert!(failure.schedule.to_string().contains("stall:"), "{}", failure.schedule);
    assert!(failure.schedule.len() <= 5, "{}", failure.schedule);
    assert_replays(&world, &failure, |rank| leader::program(rank, false));
}

#[test]
fn leader_with_fencing_numbers_passes_all_seeds() {
    assert_eq!(leader::world().explore(0..300, |rank| leader::program(rank, true), |_| Ok(())).unwrap(), 300);
}
