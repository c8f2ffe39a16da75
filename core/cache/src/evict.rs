// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A value leaves: its manager marks the block, reads its lease once more, and takes it out of the index.

use mf_base::{Error, Result};

use crate::block::{self, Head};
use crate::index::Index;
use crate::memory::Memory;
use crate::words::{Phase, Spot};

/// What became of a value that was to leave.
pub(crate) enum Evicted {
    Gone,
    /// It is leased, or changes.
    Stays,
    /// Its home did not answer: it leaves later.
    Unfinished(Error),
}

/// Takes a value out of the cache, if no lease keeps it.
///
/// # Errors
/// Those of the pool.
pub(crate) fn evict<M: Memory>(index: &Index<'_, M>, spot: Spot, head: &Head, now: u64) -> Result<Evicted> {
    let memory = index.memory;
    let leaving = head.state.to(Phase::Leaving);
    // While the index of a dead member is made again, older values of the key may still have to be found and
    // retired: they would come back.
    if index.view.has_lost
        || head.lease.number() > now
        || !block::change_state(memory, spot, head.state, leaving)?
    {
        return Ok(Evicted::Stays);
    }
    // Who leases it now finds that it is leaving, or is seen here.
    if block::lease(memory, spot)? > now {
        block::change_state(memory, spot, leaving, head.state)?;
        return Ok(Evicted::Stays);
    }
    let taken_out = index.retire_replaced(spot, head, 0).and_then(|()| index.forget(spot, head.print));
    Ok(taken_out.map_or_else(Evicted::Unfinished, |()| Evicted::Gone))
}
