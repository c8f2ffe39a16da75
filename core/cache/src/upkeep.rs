// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What happens when members come and go.
//!
//! Each member looks who is there, some times a second. When that has changed, it
//! 1. works with the new view, and remembers the former one;
//! 2. adopts extents of its own segment whose managers are gone;
//! 3. walks over all blocks that it manages and publishes those at their homes that belong to another one now;
//! 4. says in its segment that it has settled this view. When all have, the former view is forgotten.
//!
//! So the index of a member that died is made again by those who have the values, each its own, at once.

use std::sync::Arc;
use std::time::Duration;

use mf_base::{Kind, Result};

use crate::layout::SETTLED_AT;
use crate::member::{Member, find_peers, now_ms};
use crate::memory::Memory;
use crate::view::Homes;
use crate::words::{Phase, Spot};

const OP: &str = "cache upkeep";
/// Between two looks while members are at work, and while nothing happens.
pub(crate) const BUSY: Duration = Duration::from_millis(5);
pub(crate) const CALM: Duration = Duration::from_millis(50);
/// Looks at members elsewhere happen every so many.
const FAR_EVERY: u32 = 16;
/// Blocks that are walked over at once.
const STRIDE: usize = 64;

/// How far this member is with the latest view.
#[derive(Default)]
pub(crate) struct Progress {
    /// The homes that all blocks of this process are published at.
    settled: Option<Arc<Homes>>,
    looks: u32,
}

impl<M: Memory> Member<M> {
    /// Looks who is there, and does what follows from it; whether all members have settled.
    ///
    /// # Errors
    /// Those of the pool; the next call goes on.
    pub(crate) fn refresh(&self) -> Result<bool> {
        let mut progress = self.progress();
        progress.looks = progress.looks.wrapping_add(1);
        let view = self.view();
        let known = (progress.looks % FAR_EVERY != 0).then_some(&*view);
        let peers = find_peers(&self.memory, known)?;
        let is_same =
            peers.len() == view.now.members().len() && peers.iter().all(|peer| view.now.has(peer.holder));
        if !is_same && peers.iter().any(|peer| peer.holder == self.me) {
            self.set_view(view.next(peers));
        }
        self.settle(&mut progress)
    }

    fn settle(&self, progress: &mut Progress) -> Result<bool> {
        let view = self.view();
        let is_settled = progress.settled.as_ref().is_some_and(|homes| homes.digest == view.now.digest);
        if !is_settled {
            let index = self.index(&view);
            self.manager.adopt(&index, now_ms())?;
            self.manager.begin_walk();
            loop {
                let blocks = self.manager.walk(&self.memory, STRIDE)?;
                if blocks.is_empty() {
                    break;
                }
                for (block, head, is_unsure) in blocks {
                    let homes = progress.settled.as_deref();
                    let before = homes.and_then(|homes| homes.home(head.print)).map(|home| home.holder);
                    let now = view.now.home(head.print).map(|home| home.holder);
                    if head.state.phase() == Phase::Live && (is_unsure || before != now) {
                        match index.ensure(OP, block, &head) {
                            // Its segment or its home is gone: the next view says what to do.
                            Err(error) if error.kind() == Kind::NotConnected && now != Some(self.me) => {}
                            result => result?,
                        }
                    }
                }
            }
            self.manager.end_walk();
            progress.settled = Some(Arc::clone(&view.now));
            self.memory.store(Spot { rank: self.me.rank, offset: SETTLED_AT }, view.now.digest)?;
        }
        if view.before.is_empty() {
            return Ok(true);
        }
        for peer in view.now.members() {
            let settled = self.memory.load(Spot { rank: peer.holder.rank, offset: SETTLED_AT });
            if !settled.is_ok_and(|digest| digest == view.now.digest) {
                return Ok(false);
            }
        }
        self.set_view(view.settled());
        Ok(true)
    }
}
