// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A rank under the orders of a test: reads an order a line, carries it out, writes the answer.
//!
//! * [`state`]: state of the rank, and dispatch of orders.
//! * [`copies`]: the orders that move bytes; [`buffer`]: the own memory that they use.
//! * [`shares`]: the orders about share memory; [`heap`]: those about a symmetric heap.
//! * [`devices`]: the accelerator of this process, if the test wants one.
//! * [`putting`]: writing over and over beside the other orders.
//! * [`limits`]: limits of this process.
//! * [`census`]: open files, mappings and threads of this process.
//! * [`scenario`]: work that is too long or too quick to be ordered step by step.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong here fails the test, with its transcript"
)]

#[expect(unsafe_code, reason = "memory of its own")]
mod buffer;
#[expect(unsafe_code, reason = "calls of the system")]
mod census;
#[expect(unsafe_code, reason = "copies of raw addresses")]
mod copies;
mod devices;
#[expect(unsafe_code, reason = "copies of raw addresses, a forked child")]
mod heap;
#[expect(unsafe_code, reason = "memory that is not there")]
mod holes;
mod limits;
mod parent;
mod putting;
#[expect(unsafe_code, reason = "copies of raw addresses")]
mod scenario;
#[expect(unsafe_code, reason = "memory that members share")]
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
