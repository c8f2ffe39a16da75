// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which accelerator the members of a test use.
//!
//! `MF_TEST_DEVICE` chooses: `none`, `fake` ([`crate::fake`]), or what `MF_DEVICE` accepts (`sim`, `ascend`).
//! `MF_TEST_DEVICES` says over how many devices the members spread.

use crate::Job;

/// The variable, for the test and for its members.
pub const VARIABLE: &str = "MF_TEST_DEVICE";
/// No accelerator: host memory stands in for device memory.
pub const NONE: &str = "none";
/// The fake one.
pub const FAKE: &str = "fake";

/// How many devices the members spread over; one without it.
pub const COUNT_VARIABLE: &str = "MF_TEST_DEVICES";

/// The number of the device that this member uses.
pub fn number(rank: Option<u32>) -> u16 {
    let count: u32 = std::env::var(COUNT_VARIABLE).ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    // Members whose rank the store chooses spread by their process numbers.
    u16::try_from(rank.unwrap_or_else(std::process::id) % count.max(1)).unwrap_or(0)
}

/// What the variable says, else `default`.
pub fn chosen(default: &str) -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| default.to_owned())
}

/// Gives the members of `job` this accelerator.
pub fn give(job: &mut Job, accelerator: &str) {
    match accelerator {
        FAKE => job.set(VARIABLE, FAKE),
        device => job.set("MF_DEVICE", device),
    }
}
