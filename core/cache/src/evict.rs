// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Eviction: the manager marks the block, reads its lease once more, and removes it from the index.

use mf_base::{Error, Result};

use crate::atomic_fields::{Phase, Spot};
use crate::block::{self, Head};
use crate::events::Change;
use crate::index::Index;
use crate::memory::Memory;

/// Outcome of an eviction.
pub(crate) enum Evicted {
    Gone,
    /// The value is leased, or is being changed.
    Stays,
    /// Its home did not answer: the eviction is finished later.
    Unfinished(Error),
}

/// Evicts a value, unless it is leased.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn evict<M: Memory>(index: &Index<'_, M>, spot: Spot, head: &Head, now: u64) -> Result<Evicted> {
    let memory = index.memory;
    let leaving = head.state.to(Phase::Leaving);
    // While the index of a dead member is being rebuilt, older values of the key may still have to be found
    // and retired: they would come back.
    if index.view.has_lost
        || head.lease.number() > now
        || !block::change_state(memory, spot, head.state, leaving)?
    {
        return Ok(Evicted::Stays);
    }
    // A process that leases it now either sees the state `Leaving`, or its lease is seen here.
    if block::lease(memory, spot)? > now {
        block::change_state(memory, spot, leaving, head.state)?;
        return Ok(Evicted::Stays);
    }
    let taken_out = index.ending(spot, head).and_then(|ending| {
        index.retire_replaced(spot, head, 0)?;
        index.forget(spot, head.print)?;
        index.ended(Change::Evicted, ending);
        Ok(())
    });
    Ok(taken_out.map_or_else(Evicted::Unfinished, |()| Evicted::Gone))
}
