// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fetch: a value comes to the memory of this host before a get asks for it.
//!
//! A value on a disk comes back into the memory of its member, as for a get (`promote.rs`). A value in the
//! memory of another host gets one more copy, in the own segment and in free room only. A value in memory of
//! this host stays where it is: a get copies from there.

use mf_base::Result;

use crate::alloc_request::{AllocRequest, Purpose};
use crate::block::{self, REPLICAS_MAX};
use crate::index::{Found, Index, unless_gone};
use crate::member::Member;
use crate::memory::Memory;

const OP: &str = "cache prefetch";
/// Attempts at a value that changes meanwhile, or while members come or go.
const TRIES: u32 = 16;

/// Outcome of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The value was in memory of this host.
    Present,
    /// It came from a disk or from another host.
    Moved,
    /// The key has no value.
    Missing,
    /// There is no room, a disk cannot be read, or a member does not answer.
    Failed,
}

impl<M: Memory> Member<M> {
    /// Brings a value into memory of this host. Of a member that keeps nothing: into memory of any member.
    ///
    /// **One-sided.** Blocks for the disk, or for a few seconds for the member with the disk.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long · errors of the pool.
    pub(crate) fn fetch_value(&self, key: &[u8]) -> Result<Fetched> {
        let print = self.prints.fingerprint(OP, key)?;
        let mut reached = Fetched::Present;
        for turn in 0..TRIES {
            let view = self.view();
            let index = self.index(&view);
            let Some(found) = self.find_there(&index, (print, key))? else { return Ok(Fetched::Missing) };
            let Found { block, head } = found;
            if head.holds.is_on_disk {
                // Members that come or go do not wait for a disk.
                drop(view);
                if !self.fetch_from_disk(&found)? {
                    return Ok(Fetched::Failed);
                }
                reached = Fetched::Moved;
                continue;
            }
            let keeps_values = view.latest().member(self.me.rank).is_some_and(|own| own.geometry.is_used());
            if self.memory.is_near(block.rank) || !keeps_values {
                // Not demoted or evicted before it is read.
                if !head.is_used() {
                    unless_gone(block::set_used(&self.memory, block, &head, true))?;
                }
                return Ok(reached);
            }
            // As for lost replicas, not while members come or go.
            let copied = match view.is_settled() {
                true => unless_gone(self.copy_here(&index, &found))?.unwrap_or(Copied::Changed),
                false => Copied::Changed,
            };
            match copied {
                Copied::Done => return Ok(Fetched::Moved),
                Copied::NoRoom => return Ok(Fetched::Failed),
                Copied::Changed => self.memory.pause(turn),
            }
        }
        Ok(Fetched::Failed)
    }

    /// Makes a copy of a value of another host in the own segment.
    fn copy_here(&self, index: &Index<'_, M>, found: &Found) -> Result<Copied> {
        let Found { block, head } = found;
        let count = index.replicas(head)?.len();
        if count >= REPLICAS_MAX {
            return Ok(Copied::NoRoom);
        }
        let wanted = AllocRequest {
            units: head.units,
            purpose: Purpose::Copy,
            preferred: None,
            elsewhere: &[],
            now: self.memory.now(),
            evicted: &|| {},
        };
        let Some(copy) = self.manager.allocate(index, &wanted)? else { return Ok(Copied::NoRoom) };
        let is_done = self.make_copy(index, (*block, head), copy, count + 1)?;
        Ok(if is_done { Copied::Done } else { Copied::Changed })
    }
}

/// Outcome of a copy.
enum Copied {
    Done,
    /// The own segment has no free room, or the value has the most copies.
    NoRoom,
    /// The value has changed meanwhile.
    Changed,
}
