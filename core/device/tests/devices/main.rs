// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices: one suite over all, and special tests of the Ascend device, on the simulator.
//!
//! Each test that needs the simulator runs in processes of its own, because the simulator reads its knobs
//! once.
#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::cast_possible_truncation)]

mod callers;
mod calls;
mod choosing;
mod failing;
mod gpus;
#[path = "../../../../sys/sim/tests/rules/isolated.rs"]
mod isolated;
mod kernels;
mod products;
mod sharing;
mod simulator;
mod suite;
