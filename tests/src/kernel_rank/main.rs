// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One rank that runs kernels, driven by a test: takes orders from its standard input, answers on its
//! standard output.
//!
//! * [`state`]: state of the rank, and dispatch of orders.
//! * [`running`]: a case, from filled memory to checked memory.
//! * [`census`]: open files, mappings and threads of this process.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong here fails the test, with its transcript"
)]

#[path = "../rank/census.rs"]
#[allow(dead_code, reason = "the other program uses it all")]
#[expect(unsafe_code, reason = "calls of the system")]
mod census;
#[path = "../rank/parent.rs"]
mod parent;
#[expect(unsafe_code, reason = "memory that kernels see")]
mod running;
#[expect(unsafe_code, reason = "memory that kernels see")]
mod state;

use std::io::Write;

use mf_tests::{Failure, Order};

fn main() {
    parent::end_with_it();
    mf_base::log::install();
    mf_base::log::set_level(1);
    let mut state = state::State::new();
    let mut answers = std::io::stdout();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let answer = match serde_json::from_str(&line).expect("an order") {
            Order::Kernel(order) => state.carry_out(*order),
            other => Err(Failure::wrong(format!("this program does not {other:?}"))),
        };
        let line = serde_json::to_string(&answer).unwrap();
        if writeln!(answers, "{line}").and_then(|()| answers.flush()).is_err() {
            return;
        }
    }
}
