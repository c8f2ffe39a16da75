// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes of membership.
//!
//! Each member reads the membership some times a second. When it has changed, the member
//! 1. removes members that have gone from its view, and expects the new ones (`view.rs`);
//! 2. publishes in its segment the members that it expects; when all members publish the same, those become
//!    homes;
//! 3. adopts zones of its own segment whose managers are gone;
//! 4. walks over all blocks that it manages and publishes blocks with a changed home at the new one;
//! 5. publishes in its segment that it has settled this view. When all have, the former homes are dropped.
//!
//! It publishes neither while one of its threads works with a former view. When all have settled, values that
//! lost replicas get new ones (`restore.rs`).
//!
//! So the index of a dead member is rebuilt by the owners of the values, in parallel.

use std::sync::Arc;
use std::time::Duration;

use mf_base::Result;

use crate::arena::Walk;
use crate::atomic_fields::{Phase, Spot};
use crate::background::Progress;
use crate::index::unless_gone;
use crate::layout::{EXPECTED_AT, SETTLED_AT};
use crate::member::{Member, find_peers};
use crate::memory::Memory;
use crate::view::Homes;

const OP: &str = "cache upkeep";
/// Pause between two refreshes: while members are at work, and while nothing happens.
pub(crate) const BUSY: Duration = Duration::from_millis(5);
pub(crate) const CALM: Duration = Duration::from_millis(50);
/// Refreshes between two reads of members of other hosts.
const FAR_EVERY: u32 = 16;
/// Blocks that are walked over at once.
const STRIDE: usize = 64;

impl<M: Memory> Member<M> {
    /// Reads the membership, and handles its changes. Returns true if all members have settled.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn refresh(&self) -> Result<bool> {
        let mut progress = self.memory.lock(&self.progress);
        progress.refreshes = progress.refreshes.wrapping_add(1);
        let view = self.view();
        let asks_far = progress.refreshes.is_multiple_of(FAR_EVERY);
        let peers = find_peers(&self.memory, Some(&view), asks_far)?;
        // Before any operation works with a view that has a new one.
        if peers.iter().any(|peer| peer.geometry.has_disk && peer.holder != self.me) {
            self.journal.begin();
        }
        let latest = view.latest();
        let is_same =
            peers.len() == latest.members().len() && peers.iter().all(|peer| latest.has(peer.holder));
        if !is_same && peers.iter().any(|peer| peer.holder == self.me) {
            progress.former.push(self.set_view(view.for_members(peers)));
        }
        drop(view);
        // Operations with a former view do not follow the state that this one publishes.
        progress.former.retain(|view| Arc::strong_count(view) > 1);
        if !progress.former.is_empty() {
            return Ok(false);
        }
        self.manager.finish_leaving(&self.index(&self.view()))?;
        self.adopt_expected(&mut progress)?;
        if !progress.former.is_empty() {
            return Ok(false);
        }
        self.settle(&mut progress)
    }

    /// Makes the expected members homes, once all members expect them.
    fn adopt_expected(&self, progress: &mut Progress) -> Result<()> {
        let view = self.view();
        self.publish_digest(EXPECTED_AT, view.latest().digest)?;
        if view.expected.is_some() && self.all_published(view.latest(), EXPECTED_AT) {
            let moved = view.moved();
            // The former members may be back soon: this member has not settled then.
            self.publish_digest(SETTLED_AT, 0)?;
            progress.homes.push(Arc::clone(&moved.now));
            drop(view);
            progress.former.push(self.set_view(moved));
            progress.former.retain(|view| Arc::strong_count(view) > 1);
        }
        Ok(())
    }

    fn settle(&self, progress: &mut Progress) -> Result<bool> {
        let view = self.view();
        if !progress.homes.last().is_some_and(|homes| Arc::ptr_eq(homes, &view.now)) {
            progress.homes.push(Arc::clone(&view.now));
        }
        if progress.homes.len() > 1 || !progress.is_walked {
            let index = self.index(&view);
            self.manager.adopt(&index, self.memory.now())?;
            self.manager.begin_walk(&self.memory, Walk::Settle);
            loop {
                let blocks = self.manager.walk(&self.memory, Walk::Settle, STRIDE)?;
                if blocks.is_empty() {
                    break;
                }
                for (block, head, is_unsure) in blocks {
                    let home = |homes: &Arc<Homes>| homes.home(head.print).map(|home| home.holder);
                    let now = home(&view.now);
                    let has_moved = progress.homes.iter().any(|homes| home(homes) != now);
                    if head.state.phase() == Phase::Live && (is_unsure || has_moved) {
                        // A block of a segment that has gone needs no home; if a home has gone, the next
                        // refresh finds it, and all begins again.
                        unless_gone(index.republish(OP, block, &head))?;
                    }
                }
            }
            self.manager.end_walk(&self.memory);
            (progress.homes, progress.is_walked) = (vec![Arc::clone(&view.now)], true);
            self.publish_digest(SETTLED_AT, view.now.digest)?;
        }
        if view.expected.is_some() {
            return Ok(false);
        }
        if !view.before.is_empty() {
            if !self.all_published(&view.now, SETTLED_AT) {
                return Ok(false);
            }
            let settled = view.settled();
            drop(view);
            progress.former.push(self.set_view(settled));
        }
        Ok(true)
    }

    /// Publishes a digest in the own segment.
    fn publish_digest(&self, at: u64, digest: u64) -> Result<()> {
        let at = Spot { rank: self.me.rank, offset: at };
        if self.memory.load(at)? != digest {
            self.memory.store(at, digest)?;
        }
        Ok(())
    }

    /// Returns the members that have not reached the state of this one.
    pub(crate) fn unsettled(&self) -> Vec<u16> {
        let latest = Arc::clone(self.view().latest());
        let says = |rank| {
            let published_at = |at| self.memory.load(Spot { rank, offset: at });
            published_at(EXPECTED_AT).is_ok_and(|digest| digest == latest.digest)
                && published_at(SETTLED_AT).is_ok_and(|digest| digest == latest.digest)
        };
        latest.members().iter().map(|member| member.holder.rank).filter(|rank| !says(*rank)).collect()
    }

    /// Returns true if all of these members publish the same digest as this one.
    fn all_published(&self, homes: &Homes, at: u64) -> bool {
        homes.members().iter().all(|member| {
            let published = self.memory.load(Spot { rank: member.holder.rank, offset: at });
            published.is_ok_and(|digest| digest == homes.digest)
        })
    }
}
