// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Primitives for state that many threads read on the copy path and few change.
//!
//! * [`pin`]: short read sections without a shared write; the writer waits until all that were running have ended.
//! * [`slots`]: a handle table whose look-up is a load and a comparison, on top of [`pin`].

pub mod pin;
// Built on the process-wide list of threads, which the model of `pin` does not have.
#[cfg(not(loom))]
pub mod slots;
