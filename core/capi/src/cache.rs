// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Caches of values by key in a pool: one key a call, batches, values in pieces, prefetches, members, events,
//! a tier on disk.

pub(crate) mod batch;
pub(crate) mod disk;
pub(crate) mod events;
mod handles;
pub(crate) mod members;
pub(crate) mod pieces;
pub(crate) mod prefetch;
pub(crate) mod single;

use crate::part::{self, Part};

/// The part of caches, which end before their pools.
pub(crate) struct Caches;

impl Part for Caches {
    fn name(&self) -> &'static str {
        "caches"
    }

    fn release(&self, ended: &'static str) {
        if ended == part::BIG_MEMORY {
            handles::end_all();
        }
    }
}
