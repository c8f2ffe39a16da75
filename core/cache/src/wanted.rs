// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Room that a manager is asked for.

use crate::words::Spot;

/// What room is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    Value,
    /// Of a value that another rank has already.
    Replica,
    /// Of a value that had one: no other value leaves for it.
    Restored,
}

/// Room that is wanted.
pub(crate) struct Wanted<'a> {
    pub(crate) units: u64,
    pub(crate) purpose: Purpose,
    /// Blocks of the value on other members.
    pub(crate) elsewhere: &'a [Spot],
    /// Microseconds since 1970.
    pub(crate) now: u64,
    /// Is called for each value that leaves.
    pub(crate) evicted: &'a dyn Fn(),
}

impl Wanted<'_> {
    /// Whether a rank has the value already.
    pub(crate) fn has(&self, rank: u16) -> bool {
        self.elsewhere.iter().any(|block| block.rank == rank)
    }
}
