// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A context: operations that are ordered and completed together, apart from those of other contexts.
//!
//! A world has one at present, its default context.

use mf_base::Result;
use mf_base::sync::pin;
use mf_fabric::engine::Piece;
use mf_fabric::pool::{Pool, Side};
use mf_fabric::transfer::{Blocks, Lane, Until};

/// Operations on memory that is not mapped here.
pub(crate) struct Context {
    lane: Lane,
    /// Whether any PE's memory is not mapped here.
    is_needed: bool,
}

/// Whether bytes go to the other PE or come from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Put,
    Get,
}

impl Direction {
    /// What the ends are: source and destination.
    fn sides(self) -> (Side, Side) {
        match self {
            Self::Put => (Side::Local, Side::Global),
            Self::Get => (Side::Global, Side::Local),
        }
    }
}

impl Context {
    pub(crate) fn new(pool: &Pool, is_needed: bool) -> Self {
        Self { lane: pool.lane(), is_needed }
    }

    /// Copies `bytes` between memory of this process and memory of another PE.
    ///
    /// # Safety
    /// The memory of this process is valid for the call; when it was only started, until
    /// [`quiet`](Self::quiet).
    pub(crate) unsafe fn copy(
        &self,
        pool: &Pool,
        direction: Direction,
        piece: &Piece,
        until: Until,
    ) -> Result<()> {
        let section = pin::enter();
        // SAFETY: passed on to the caller.
        unsafe { self.lane.copy(&pool.ends(direction.sides()), &section, piece, until) }
    }

    /// As [`copy`](Self::copy), of blocks at equal distances.
    ///
    /// # Safety
    /// As there, for all blocks.
    pub(crate) unsafe fn copy_blocks(
        &self,
        pool: &Pool,
        direction: Direction,
        blocks: &Blocks,
        until: Until,
    ) -> Result<()> {
        let section = pin::enter();
        // SAFETY: passed on to the caller.
        unsafe { self.lane.copy_blocks(&pool.ends(direction.sides()), &section, blocks, until) }
    }

    /// What operations of this context are posted on.
    pub(crate) fn lane(&self) -> &Lane {
        &self.lane
    }

    /// Whether all memory is mapped here.
    #[inline]
    pub(crate) fn is_all_mapped(&self) -> bool {
        !self.is_needed
    }

    /// Orders what was put before.
    #[inline]
    pub(crate) fn fence(&self) {
        if self.is_needed {
            self.lane.fence();
        } else {
            // Stores to mapped memory; nothing else was started.
            std::sync::atomic::fence(std::sync::atomic::Ordering::Release);
        }
    }

    /// As [`quiet`](Self::quiet), for which errors stay.
    pub(crate) fn drain(&self) {
        self.lane.drain();
    }

    /// Completes what was started before.
    #[inline]
    pub(crate) fn quiet(&self) -> Result<()> {
        self.lane.quiet()
    }
}
