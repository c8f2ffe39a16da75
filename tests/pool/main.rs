// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pools over several processes: operations and failures. With `MF_TEST_DEVICE=sim` device memory is the
//! simulator's; the target `device` runs most of it so by default.

/// Device from `MF_TEST_DEVICE`; by default host memory substitutes device memory.
#[cfg(test)]
const ACCELERATOR: &str = mf_tests::accelerator::NONE;

#[cfg(test)]
mod addresses;
#[cfg(test)]
mod asynchronous;
#[cfg(test)]
mod copies;
#[cfg(test)]
mod crowds;
#[cfg(test)]
mod deaths;
#[cfg(test)]
mod dice;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod membership;
#[cfg(test)]
mod model;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod stopped;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod unknown_peers;
