// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocation request to a manager.

use crate::atomic_fields::Spot;

/// Purpose of the allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    Value,
    /// A further replica of a value that another rank has.
    Replica,
    /// A replacement of a lost replica: no other value is evicted for it.
    Restored,
    /// A copy of another host's value, in the own segment: no other value is evicted for it.
    Copy,
    /// The stub of a value on disk, in the own segment.
    Stub,
    /// As `Stub`, where no other stub is evicted for it.
    Offered,
}

impl Purpose {
    /// Returns true for stubs.
    pub(crate) fn is_stub(self) -> bool {
        matches!(self, Self::Stub | Self::Offered)
    }
}

/// An allocation request.
pub(crate) struct AllocRequest<'a> {
    pub(crate) units: u64,
    pub(crate) purpose: Purpose,
    /// Member that should have the block, if it has room.
    pub(crate) preferred: Option<u16>,
    /// Blocks of the value on other members.
    pub(crate) elsewhere: &'a [Spot],
    /// Microseconds since 1970.
    pub(crate) now: u64,
    /// Called for each evicted value.
    pub(crate) evicted: &'a dyn Fn(),
}

impl AllocRequest<'_> {
    /// Returns true if a rank has the value already.
    pub(crate) fn has(&self, rank: u16) -> bool {
        self.elsewhere.iter().any(|block| block.rank == rank)
    }
}
