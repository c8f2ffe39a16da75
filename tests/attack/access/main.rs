// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attacks on admission, and by a man in the middle. Each prints a line `attack | sent | result | limit` on
//! standard output.
//!
//! * [`users`]: processes of another user, at the store, at links, at the data port, and in the place of the
//!   store.
//! * [`path`]: a relay between two members.
//! * [`crowds`]: thousands of connections that prove nothing, while a member makes a new one.
//! * [`floods`]: what fills the log.
//! * [`memory`]: transfers to memory that was unmapped, and between PID namespaces.
//! * [`nobody`]: this program again, as user `nobody`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "what goes wrong here fails the test; standard output is the table of attacks"
)]

mod crowds;
mod floods;
mod memory;
#[expect(unsafe_code, reason = "changes its user")]
mod nobody;
mod path;
mod users;

use mf_tests::{Job, PoolSizes};

const MIB: u64 = 1 << 20;
const SMALL: PoolSizes = PoolSizes { host: 4 * MIB, device: 2 * MIB, max_host: 0, max_device: 0 };

fn job(world: u32) -> Job {
    Job::new(env!("CARGO_BIN_EXE_mf-rank"), world)
}

/// One row of the table, in a line of its own: the test runner may have begun one.
fn row(attack: &str, sent: &str, result: &str, limit: &str) {
    println!("\n{attack} | {sent} | {result} | {limit}");
}
