// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Guarantees and freedoms of simulated worlds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod faults;
mod memory;
mod runs;
mod store;

use std::time::Duration;

use mf_sim::{Failure, Rank, World};

const LIMIT: Duration = Duration::from_secs(10);
const MILLI: Duration = Duration::from_millis(1);

/// Runs a program with many seeds, all of which must pass.
fn all_pass<T: 'static, F>(world: &World, program: impl Fn(Rank) -> F)
where
    F: Future<Output = mf_sim::Result<T>> + 'static,
{
    world.explore(0..200, program, |_| Ok(())).unwrap_or_else(|failure| panic!("{failure}"));
}

/// Runs a program with many seeds, one of which must fail.
fn one_fails<F>(world: &World, program: impl Fn(Rank) -> F) -> Box<Failure>
where
    F: Future<Output = mf_sim::Result<()>> + 'static,
{
    world.explore(0..200, program, |_| Ok(())).expect_err("no seed shows it")
}
