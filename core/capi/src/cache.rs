// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Caches of values by key in a pool: one key a call, and batches.

pub(crate) mod batch;
pub(crate) mod single;
