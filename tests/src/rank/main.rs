// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A rank under the orders of a test: reads an order a line, carries it out, writes the answer.
//!
//! * [`state`]: what the rank has, and which order does what.
//! * [`copies`]: the orders that move bytes; [`buffer`]: the own memory that they use.
//! * [`shares`]: the orders about share memory.
//! * [`devices`]: the accelerator of this process, if the test wants one.
//! * [`putting`]: writing over and over beside the other orders.
//! * [`limits`]: limits of this process.
//! * [`census`]: what this process has open, mapped and running.
//! * [`scenario`]: work that is too long or too quick to be ordered step by step.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong here fails the test, with its transcript"
)]

mod buffer;
mod census;
mod copies;
mod devices;
mod limits;
mod parent;
mod putting;
mod scenario;
mod shares;
mod state;

use std::io::Write;

use mf_tests::Order;

fn main() {
    parent::end_with_it();
    mf_base::log::install();
    mf_base::log::set_level(1);
    devices::warm_up();
    let mut state = state::State::new();
    let orders = std::io::stdin().lines();
    let mut answers = std::io::stdout();
    for line in orders.map_while(Result::ok) {
        let order: Order = serde_json::from_str(&line).expect("an order");
        let answer = state.carry_out(order);
        let line = serde_json::to_string(&answer).unwrap();
        if writeln!(answers, "{line}").and_then(|()| answers.flush()).is_err() {
            return;
        }
    }
}
