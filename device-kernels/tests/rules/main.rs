// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One test for each rule of the emulation, named after it: kernels that keep it, and kernels that break it,
//! on the simulator. Each test runs in a separate process on a separate machine.
#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "a test ends where it fails"
)]

#[path = "../../../sys/sim/tests/rules/isolated.rs"]
mod isolated;
#[path = "../../../sys/sim/tests/rules/program.rs"]
mod program;

mod compiled;
mod elements;
mod launch;

// Rules, by subject.
mod c_interface;
mod copies;
mod cores;
mod cube;
mod division;
mod drains;
mod early;
mod formats;
mod further;
mod implied;
mod intrinsics;
mod library;
mod loads;
mod masks;
mod order;
mod products;
mod registers;
mod scaled;
mod settings;
mod softmax;
mod tensors;
mod turns;
mod vector;
mod visibility;
