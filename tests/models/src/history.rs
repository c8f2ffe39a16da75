// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Judges of histories: calls with their results, as a simulation has recorded them.
//!
//! They know nothing of the code that gave the results. A call takes effect at one moment between its begin
//! and its end; a call without an end, of a member that died, at any later moment or never.

pub mod register;
pub mod values;

pub use register::{Call, Effect, is_linearizable};
