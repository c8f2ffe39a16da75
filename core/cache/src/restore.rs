// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Re-replication of values that lost replicas.
//!
//! When all members have settled a view, each walks over the blocks that it manages. If a value has too few
//! replicas, the manager of its first block fills a block on another member and publishes it under the lock
//! of the key, if the value is still current then. No other value is evicted for it.

use std::sync::atomic::Ordering;

use mf_base::Result;

use crate::alloc_request::{AllocRequest, Purpose};
use crate::arena::Walk;
use crate::atomic_fields::{BlockState, Mark, Phase, Spot};
use crate::background::Restored;
use crate::block::{self, Head, PINNED};
use crate::counts::Count;
use crate::index::{Index, unless_gone};
use crate::key::KEY_BYTES_MAX;
use crate::member::Member;
use crate::memory::Memory;

const OP: &str = "cache upkeep";
/// Blocks that are examined at once, and rounds of that in one call.
const STRIDE: usize = 64;
const STRIDES: u32 = 64;
/// Bytes that are copied at once.
const PIECE: u64 = 256 << 10;

impl<M: Memory> Member<M> {
    /// Makes missing replicas. Returns true if none are left to make.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn restore(&self) -> Result<bool> {
        let mut restored = self.memory.lock(&self.restored);
        // Read before the view: with a later view all blocks are examined again.
        let number = self.views.load(Ordering::Acquire);
        let view = self.view();
        if !view.is_settled() {
            return Ok(true);
        }
        if restored.view != number {
            self.manager.begin_walk(&self.memory, Walk::Restore);
            *restored = Restored { view: number, is_walking: true };
        }
        let index = self.index(&view);
        let mut has_copied = false;
        for _ in 0..STRIDES {
            if !restored.is_walking || has_copied {
                break;
            }
            let blocks = self.manager.walk(&self.memory, Walk::Restore, STRIDE)?;
            restored.is_walking = !blocks.is_empty();
            for (block, head, _) in blocks {
                let is_value = head.state.phase() == Phase::Live && !head.holds.is_on_disk;
                if is_value && head.holds.replicas > 1 {
                    has_copied |= unless_gone(self.restore_value(&index, block, &head))?.unwrap_or(false);
                }
            }
        }
        Ok(!restored.is_walking)
    }

    /// Makes the missing replicas of a value, if this is its first block. Returns whether it made one.
    fn restore_value(&self, index: &Index<'_, M>, block: Spot, head: &Head) -> Result<bool> {
        let members = index.view.now.keepers();
        let wanted = usize::try_from(head.holds.replicas).unwrap_or(0).min(members);
        let mut has_copied = false;
        loop {
            let there = index.replicas(head)?;
            if there.len() >= wanted || there.iter().min() != Some(&block) {
                return Ok(has_copied);
            }
            let now = self.memory.now();
            let room = AllocRequest {
                units: head.units,
                purpose: Purpose::Restored,
                preferred: None,
                elsewhere: &there,
                now,
                evicted: &|| {},
            };
            let Some(replica) = self.manager.allocate(index, &room)? else {
                self.counts.add(Count::ReplicasMissing);
                return Ok(has_copied);
            };
            if !self.make_copy(index, (block, head), replica, wanted)? {
                return Ok(has_copied);
            }
            has_copied = true;
        }
    }

    /// Fills an allocated block with a value and publishes it as a copy, of which there are at most `most`
    /// then. Returns false if the value has changed meanwhile; the block is given back.
    ///
    /// # Errors
    /// Errors of the pool; the block is given back.
    pub(crate) fn make_copy(
        &self,
        index: &Index<'_, M>,
        (from, head): (Spot, &Head),
        to: Spot,
        most: usize,
    ) -> Result<bool> {
        // The copy gets the version of the first block, which this offset may have had before.
        let stamp = self.stamp(self.copies.fetch_add(1, Ordering::Relaxed));
        let is_there = self
            .copy_block(from, head, (to, stamp))
            .and_then(|is_whole| Ok(is_whole && index.add_replica(OP, (from, head), (to, stamp), most)?));
        if !matches!(is_there, Ok(true)) {
            unless_gone(self.manager.give_back(&self.memory, to))?;
        }
        is_there
    }

    /// Copies a block. Returns false if the original has changed meanwhile.
    fn copy_block(&self, from: Spot, head: &Head, (to, stamp): (Spot, u64)) -> Result<bool> {
        let version = self.manager.next_version(self.memory.now());
        let state = BlockState::new(version, Phase::Writing);
        let lease = Mark::new(version, if head.lease.number() == PINNED { PINNED } else { 0 });
        let used = Mark::new(version, 0);
        Head { state, lease, used, replaced: 0, stamp, ..*head }.fill(&self.memory, to)?;
        let key_bytes = head.holds.key_bytes.min(KEY_BYTES_MAX as u64);
        self.copy_bytes(block::key(from, head.holds), block::key(to, head.holds), key_bytes)?;
        self.copy_bytes(head.value(from), head.value(to), head.holds.bytes)?;
        head.is_intact(&self.memory, from)
    }

    fn copy_bytes(&self, from: Spot, to: Spot, bytes: u64) -> Result<()> {
        let mut piece = vec![0; usize::try_from(bytes.min(PIECE)).unwrap_or(0)];
        let mut at = 0;
        while at < bytes {
            let length = (bytes - at).min(PIECE);
            let part = piece.get_mut(..usize::try_from(length).unwrap_or(0)).unwrap_or_default();
            self.memory.read(from.add(at), part)?;
            self.memory.write(to.add(at), part)?;
            at += length;
        }
        Ok(())
    }
}
