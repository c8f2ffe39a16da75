// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One test for each rule of the simulator, named after it. Each runs in a separate process on a separate
//! machine, so that no test sees another's devices, contexts or leftovers.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends where it fails"
)]

#[macro_use]
mod calls;
mod isolated;
mod program;

// One module a chapter of the interface.
mod callbacks;
mod census;
mod contexts;
mod core;
mod counts;
mod data;
mod devices;
mod driver;
mod events;
mod facts;
mod failures;
mod graphs;
mod hccl;
mod hcomm;
mod kernels;
mod memory;
mod notifies;
mod queues;
mod sharing;
mod streams;
mod stress;
mod virtual_memory;
