// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Write operations: put and remove.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{ByteLen, Error, Kind, Result, Retry};

use crate::alloc_request::{AllocRequest, Purpose};
use crate::atomic_fields::{BlockState, Mark, Phase, Spot, UNIT};
use crate::block::{self, Blocks, Head, Holds, PINNED};
use crate::counts::Count;
use crate::index::{Index, is_unreached, unless_gone};
use crate::key::Print;
use crate::member::Member;
use crate::memory::{Memory, Source};
use crate::options::check_replicas;
use crate::publish::{Outcome, Spares};
use crate::view::View;

const OP: &str = "cache put";
/// Longest wait for a new home of a key after its home has died.
const HOME_DEADLINE: Duration = Duration::from_secs(30);

/// Options of a put.
#[derive(Clone, Copy, Debug)]
pub struct Put {
    /// Number of members that hold the value, 1 to 4; `None`: the cache's default. With fewer members, all of
    /// them.
    pub replicas: Option<u32>,
    /// True if it replaces an existing value.
    pub replace: bool,
    /// The value stays until it is unpinned, replaced or removed.
    pub pin: bool,
    /// Rank that should hold the value, or its first replica, if it has room or values to evict that this
    /// process put there; `None`, or a rank that is no member: as near as possible.
    pub prefer: Option<u32>,
}

impl Default for Put {
    fn default() -> Self {
        Self { replicas: None, replace: true, pin: false, prefer: None }
    }
}

#[cold]
fn too_large() -> Error {
    Error::invalid(OP, "the value is too large")
}

impl<M: Memory> Member<M> {
    /// Puts a value that consists of these pieces, one behind the other.
    pub(crate) fn put(&self, key: &[u8], pieces: &[Source<'_>], how: Put) -> Result<bool> {
        let print = self.prints.fingerprint(OP, key)?;
        let replicas = check_replicas(OP, how.replicas.unwrap_or(1))?;
        let bytes = pieces.iter().try_fold(0u64, |sum, piece| sum.checked_add(piece.bytes()));
        let bytes = bytes.ok_or_else(too_large)?;
        if !how.replace && self.find_there(&self.index(&self.view()), (print, key))?.is_some() {
            return Ok(false);
        }
        let mut begun = None;
        for turn in 0.. {
            let mut blocks = Blocks::default();
            let view = self.view();
            let written =
                self.write(&view, (print, key), bytes, (replicas, how), &mut blocks, |block, head| {
                    let mut at = head.value(block);
                    for piece in pieces {
                        self.memory.send(*piece, at)?;
                        at = at.add(piece.bytes());
                    }
                    Ok(())
                });
            let published = written.and_then(|()| self.publish(OP, view, (print, key), &blocks, how.replace));
            let outcome = match published {
                Ok(Outcome::Published(_)) => {
                    self.counts.add(Count::Puts);
                    return Ok(true);
                }
                other => other,
            };
            blocks
                .iter()
                .try_for_each(|block| unless_gone(self.manager.give_back(&self.memory, *block)).map(drop))?;
            let begun = begun.get_or_insert_with(Instant::now);
            let is_over = begun.elapsed() > HOME_DEADLINE || !self.memory.is_member(self.me.rank);
            // Nothing can be evicted until the index of a dead member is rebuilt.
            let must_wait = |kind| kind == Kind::NoResources && self.view().has_lost;
            match outcome {
                Err(error) if is_over || !is_unreached(&error) && !must_wait(error.kind()) => {
                    return Err(error);
                }
                Ok(Outcome::Present) => return Ok(false),
                // A member has gone meanwhile, and a block with it: try again elsewhere.
                _ => self.memory.pause(turn),
            }
            self.refresh()?;
        }
        Err(Error::new(Kind::NotConnected, OP).what("members keep going"))
    }

    /// Makes a block for each replica, as far as there are members for them; `fill` writes the value.
    #[inline]
    pub(crate) fn write(
        &self,
        view: &View,
        (print, key): (Print, &[u8]),
        bytes: u64,
        (replicas, how): (u32, Put),
        blocks: &mut Blocks,
        mut fill: impl FnMut(Spot, &Head) -> Result<()>,
    ) -> Result<()> {
        let holds = Holds { bytes, key_bytes: key.len() as u64, replicas, is_on_disk: false };
        let units = holds.units().ok_or_else(too_large)?;
        let preferred = how.prefer.and_then(|rank| u16::try_from(rank).ok());
        let now = self.memory.now();
        let index = self.index(view);
        // The prefetch of the index overlaps with the copy, which takes longer.
        index.prefetch(print);
        let evicted = || self.counts.add(Count::Evictions);
        for number in 0..replicas {
            let purpose = if number == 0 { Purpose::Value } else { Purpose::Replica };
            let wanted =
                AllocRequest { units, purpose, preferred, elsewhere: blocks, now, evicted: &evicted };
            let Some(block) = self.manager.allocate(&index, &wanted)? else {
                if number > 0 {
                    self.counts.add(Count::ReplicasMissing);
                    break;
                }
                return Err(self.full(view, bytes, units));
            };
            blocks.push(block);
            let state = BlockState::new(self.manager.next_version(now), Phase::Writing);
            let lease = Mark::new(state.version(), if how.pin { PINNED } else { 0 });
            let (used, stamp) = (Mark::new(state.version(), 0), self.stamp(0));
            let head = Head { state, print, holds, units, lease, used, replaced: 0, stamp };
            head.fill(&self.memory, block)?;
            self.memory.write(block::key(block, holds), key)?;
            fill(block, &head)?;
        }
        Ok(())
    }

    #[cold]
    fn full(&self, view: &View, bytes: u64, units: u64) -> Error {
        let members = view.now.members();
        let largest = members.iter().map(|member| member.geometry.data_bytes()).max().unwrap_or(0);
        let error = Error::new(Kind::NoResources, OP);
        let error = if view.now.keepers() == 0 {
            error.what("no member keeps values").hint("let a member contribute memory")
        } else if units > largest / UNIT {
            error
                .what("the value is larger than what any member contributes")
                .retry(Retry::Never)
                .hint("let a member contribute more, or put the value in parts")
        } else {
            error.what("leases and pins leave no room").hint("let members contribute more, or unpin values")
        };
        error
            .with("value", ByteLen(bytes))
            .with("largest_segment", ByteLen(largest))
            .with("members", members.len())
    }

    pub(crate) fn publish(
        &self,
        operation: &'static str,
        mut view: Arc<View>,
        named: (Print, &[u8]),
        blocks: &[Spot],
        replace: bool,
    ) -> Result<Outcome> {
        // A new version: a later put must not seem older while the index of a dead member is being rebuilt.
        let version = self.manager.next_version(self.memory.now());
        let published = self.run_at_home(operation, &mut view, |index| {
            index.publish(operation, named, blocks, (version, self.stamp(0)), replace)
        })?;
        let Outcome::Published(version) = published else { return Ok(published) };
        self.manager.advance_version(version);
        // A change of membership may have made another member the home after that one's walk over its blocks.
        loop {
            if self.has_view(&view) {
                return Ok(published);
            }
            view = self.view();
            for block in blocks {
                let head = unless_gone(Head::read(&self.memory, *block))?;
                if let Some(head) = head.filter(|head| head.state == BlockState::new(version, Phase::Live)) {
                    self.run_at_home(operation, &mut view, |index| {
                        index.republish(operation, *block, &head)
                    })?;
                }
            }
        }
    }

    /// Runs an operation on the home of a key; again with a new view if that home has gone.
    fn run_at_home<T>(
        &self,
        operation: &'static str,
        view: &mut Arc<View>,
        run: impl Fn(&Index<'_, M>) -> Result<T>,
    ) -> Result<T> {
        let mut begun = None;
        for turn in 0.. {
            match run(&self.index(view)) {
                Err(error) if is_unreached(&error) => {
                    let begun = begun.get_or_insert_with(Instant::now);
                    if begun.elapsed() >= HOME_DEADLINE || !self.memory.is_member(self.me.rank) {
                        return Err(error);
                    }
                    self.memory.pause(turn);
                    self.refresh()?;
                    *view = self.view();
                }
                result => return result,
            }
        }
        Err(Error::new(Kind::NotConnected, operation).what("the home of the key keeps changing"))
    }

    pub(crate) fn remove(&self, key: &[u8], spares: Spares) -> Result<bool> {
        const OP: &str = "cache remove";
        self.remove_named(OP, (self.prints.fingerprint(OP, key)?, Some(key)), spares)
    }

    /// Returns the option of a removal that spares leased values.
    pub(crate) fn leased_now(&self) -> Spares {
        Spares::Leased { now: self.memory.now() / 1000 }
    }

    pub(crate) fn remove_named(
        &self,
        operation: &'static str,
        named: (Print, Option<&[u8]>),
        spares: Spares,
    ) -> Result<bool> {
        if self.view().homes(named.0).next().is_none() {
            return Ok(false);
        }
        let was_there = self.run_at_home(operation, &mut self.view(), |index| {
            // A value that cannot be found while the index of a dead member is being rebuilt would come back.
            match index.view.has_lost {
                true => Err(Error::new(Kind::NotConnected, operation)
                    .what("a member has gone, and the others do not finish its part of the index")
                    .with("ranks", self.unsettled_text())),
                false => index.unpublish(operation, named, spares),
            }
        })?;
        if was_there {
            self.counts.add(Count::Removals);
        }
        Ok(was_there)
    }
}
