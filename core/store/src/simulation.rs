// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Simulation of whole jobs in one thread, with virtual time: the real machines of client and store, with
//! simulated surroundings.
//!
//! A [`World`] has one store (or none, while it is dead), members that do random work, and links between
//! them. A seed decides everything: delays, broken links and the messages in flight on them, members that are
//! cut off, die, leave and return, deaths of the store. Messages of one link stay in order, those of
//! different links do not.
//!
//! * [`network`]: links, messages, and the queue of scheduled events.
//! * [`lives`]: one process each, around a client machine.
//! * [`world`]: the clock, and all deliveries; [`store`] and [`clients`] are its two ends.
//! * [`work`] and [`faults`]: operations of members, and faults injected into them.
//! * [`model`]: the invariants; it sees every call and its outcome.
//! * [`linearize`]: judges the calls of each key as those of a register.
//! * [`votes`]: traces that a model judges.
//! * [`thousands`]: a world without random work, but with as many members as there may be.
//!
//! # Checks
//! No rank is given to two sessions at once. An acknowledged write is there, or a later one, as long as its
//! writer or the store lived. A sum that was acknowledged never shrinks. No member leaves a barrier before
//! all have entered it, and all leave it with the same values. Every call ends in time. Two members do not
//! hold a lock at once, unless the session of one has ended. Watches see nothing twice, and in the end have
//! the state of the store; views agree.
//!
//! `MF_TEST_SEED=n` runs the world of one seed and prints what happens; `MF_TEST_SEEDS=n` runs that many.

mod clients;
mod faults;
mod linearize;
mod lives;
mod model;
mod network;
mod random;
mod store;
mod thousands;
mod votes;
mod work;
mod world;

use world::World;

/// Worlds in a normal run; each of the four tests has a quarter of them.
const WORLDS: u64 = 200;

/// Prints the seed.
struct Name(u64);

impl Drop for Name {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("it happened in the world of MF_TEST_SEED={}", self.0);
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

fn run_worlds(quarter: u64) {
    if let Some(seed) = number("MF_TEST_SEED") {
        if quarter == 0 {
            let _name = Name(seed);
            World::new(seed, true).run();
        }
        return;
    }
    let worlds = number("MF_TEST_SEEDS").unwrap_or(WORLDS);
    for seed in (quarter..worlds).step_by(4) {
        let _name = Name(seed);
        World::new(seed, false).run();
    }
}

#[test]
fn random_worlds_keep_every_invariant() {
    run_worlds(0);
}

#[test]
fn random_worlds_keep_every_invariant_second_quarter() {
    run_worlds(1);
}

#[test]
fn random_worlds_keep_every_invariant_third_quarter() {
    run_worlds(2);
}

#[test]
fn random_worlds_keep_every_invariant_last_quarter() {
    run_worlds(3);
}
