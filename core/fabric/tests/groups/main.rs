// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups: on one host, over several, by the store, and between real processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail the test")]

#[expect(unsafe_code, reason = "a page that members share")]
mod faults;
mod hosts;
mod interrupts;
mod meeting;
mod processes;
mod splits;
mod team;
mod waits;
