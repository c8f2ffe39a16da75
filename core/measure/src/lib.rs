// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes that work as members of a job, and measurements beside plain baselines: shared by the programs
//! `mf` (its demonstration) and `mf-perf`.
//!
//! * [`members`]: the started processes, and their work as an argument.
//! * [`turns`]: candidates that take turns. [`memory`]: the baseline's raw copies and pages. [`sizes`]: sizes
//!   of copies.

pub mod members;
#[expect(unsafe_code, reason = "raw copies and pages, which the library is measured against")]
pub mod memory;
pub mod sizes;
pub mod turns;
