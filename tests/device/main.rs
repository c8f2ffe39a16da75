// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pools with device memory out of the processor's reach: the tests of `pool` on the simulator, several
//! processes at a time; and accelerator-only tests, in one process on a device scripted by the test, with
//! each call failing once.

/// Device from `MF_TEST_DEVICE`, by default the simulator.
#[cfg(test)]
const ACCELERATOR: &str = mf_tests::accelerator::SIMULATOR;

#[cfg(test)]
#[path = "../pool/addresses.rs"]
mod addresses;
#[cfg(test)]
#[path = "../pool/asynchronous.rs"]
mod asynchronous;
#[cfg(test)]
#[path = "../pool/copies.rs"]
mod copies;
#[cfg(test)]
#[path = "../pool/crowds.rs"]
mod crowds;
#[cfg(test)]
#[path = "../pool/deaths.rs"]
mod deaths;
#[cfg(test)]
#[path = "../pool/dice.rs"]
mod dice;
#[cfg(test)]
#[path = "../pool/jobs.rs"]
mod jobs;
#[cfg(test)]
#[path = "../pool/membership.rs"]
mod membership;
#[cfg(test)]
#[path = "../pool/model.rs"]
mod model;
#[cfg(test)]
#[path = "../pool/refusals.rs"]
mod refusals;
#[cfg(test)]
#[path = "../pool/stopped.rs"]
mod stopped;

#[cfg(test)]
mod failures;
#[cfg(test)]
#[expect(unsafe_code, reason = "fork, which no safe crate offers")]
mod forks;
#[cfg(test)]
mod memory;
#[cfg(test)]
#[expect(unsafe_code, reason = "copies of raw addresses")]
mod pools;
#[cfg(test)]
mod routes;
#[cfg(test)]
#[expect(unsafe_code, reason = "memory of a device")]
mod scripted;
#[cfg(test)]
#[expect(unsafe_code, reason = "signals behind copies of raw addresses")]
mod words;
