// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Save: values in memory move to the own disk before the member leaves, so that it may offer them after a
//! restart (`returned.rs`).

use std::cmp::Reverse;

use mf_base::Result;

use crate::arena::Walk;
use crate::atomic_fields::{Phase, Spot};
use crate::block::Head;
use crate::disk::Disk;
use crate::index::unless_gone;
use crate::member::Member;
use crate::memory::Memory;

/// Blocks that are examined at once.
const STRIDE: usize = 1024;

/// Results of a save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Values that moved to the disk.
    pub values: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Values that stayed in memory: the time was over, or the disk does not take them.
    pub left: u64,
}

/// A value in memory: read lately or not, its version, its block.
type Candidate = (bool, u64, Spot);

impl<M: Memory> Member<M> {
    /// Moves the values in memory that this process manages to its disk until `is_over`: recently read values
    /// first, then the newest. Pinned and leased values move, too.
    ///
    /// # Errors
    /// Errors of the pool; some values have moved then.
    pub(crate) fn save(&self, is_over: &dyn Fn() -> bool) -> Result<Saved> {
        let mut saved = Saved::default();
        let Some(disk) = &self.disk else { return Ok(saved) };
        let mut candidates = self.values_in_memory()?;
        candidates.sort_unstable_by_key(|candidate| Reverse(*candidate));
        for (_, version, block) in &candidates {
            let Some(head) = self.value_at(*block, *version)? else { continue };
            let mut has_moved = false;
            if disk.admits(&head) && self.wait_for_disk(disk, &head, is_over) {
                let view = self.view();
                let moved = self.move_to_disk(&self.index(&view), disk, (*block, &head), u64::MAX);
                has_moved = unless_gone(moved)?.unwrap_or(false);
            }
            if has_moved {
                (saved.values, saved.bytes) = (saved.values + 1, saved.bytes + head.holds.bytes);
            } else if self.value_at(*block, *version)?.is_some() {
                // Otherwise it was demoted, replaced or removed meanwhile.
                saved.left += 1;
            }
        }
        Ok(saved)
    }

    /// Returns the head of a block if it still has this version of a value.
    fn value_at(&self, block: Spot, version: u64) -> Result<Option<Head>> {
        let is_it = |head: &Head| head.state.version() == version && head.state.phase() == Phase::Live;
        Ok(unless_gone(Head::read(&self.memory, block))?.filter(is_it))
    }

    fn values_in_memory(&self) -> Result<Vec<Candidate>> {
        let mut found = Vec::new();
        self.manager.begin_walk(&self.memory, Walk::Save);
        loop {
            let blocks = self.manager.walk(&self.memory, Walk::Save, STRIDE)?;
            if blocks.is_empty() {
                return Ok(found);
            }
            let is_value = |head: &Head| head.state.phase() == Phase::Live && !head.holds.is_on_disk;
            let values = blocks.iter().filter(|(_, head, _)| is_value(head));
            found.extend(values.map(|(block, head, _)| (head.is_used(), head.state.version(), *block)));
        }
    }

    /// Waits until the queue of the disk has room for a value and no member comes or goes. Returns false if
    /// the disk is off or the time is over.
    fn wait_for_disk(&self, disk: &Disk, head: &Head, is_over: &dyn Fn() -> bool) -> bool {
        for turn in 0.. {
            if is_over() || disk.engine().queue_bytes().is_none() {
                return false;
            }
            if disk.has_room(head.holds) && self.view().is_settled() {
                break;
            }
            self.memory.pause(turn);
        }
        true
    }
}
