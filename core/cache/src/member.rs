// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One member's part of a cache: what its programs put and get.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use mf_base::{ByteLen, Error, Kind, Result};

use crate::block::{self, HEAD_BYTES, Head, PINNED, REPLICAS_MAX, units_for};
use crate::counts::{Count, Counts};
use crate::index::{Found, Index, unless_gone};
use crate::key::{Fingerprints, Print};
use crate::layout::{DESCRIPTION_WORDS, Geometry};
use crate::manager::{Manager, Purpose, Wanted};
use crate::memory::{Memory, Source, Target};
use crate::publish::Outcome;
use crate::upkeep::Progress;
use crate::view::{Member as Peer, View};
use crate::words::{Holder, Phase, Spot, State};

/// Copies of a value that changes meanwhile.
const TRIES: u32 = 64;
/// Longest wait for another home when that of a key has died.
const HOME_DEADLINE: Duration = Duration::from_secs(30);

/// How a value is put.
#[derive(Clone, Copy, Debug)]
pub struct Put {
    /// On so many members, 1 to 4; none: as the cache says. With fewer members, on all of them.
    pub replicas: Option<u32>,
    /// Whether it replaces a value that is there.
    pub replace: bool,
    /// It stays until it is unpinned, replaced or removed.
    pub pin: bool,
}

impl Default for Put {
    fn default() -> Self {
        Self { replicas: None, replace: true, pin: false }
    }
}

/// A value that stays where it is for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) value: Spot,
    pub(crate) bytes: u64,
    /// Milliseconds since 1970.
    pub(crate) until: u64,
    state: State,
}

pub(crate) struct Member<M> {
    pub(crate) memory: M,
    pub(crate) me: Holder,
    pub(crate) manager: Manager,
    view: RwLock<Arc<View>>,
    prints: Fingerprints,
    replicas: u32,
    pub(crate) counts: Counts,
    pub(crate) progress: Mutex<Progress>,
}

/// How many replicas a program asks for.
///
/// # Errors
/// `InvalidParam` none, or too many.
pub(crate) fn check_replicas(operation: &'static str, replicas: u32) -> Result<u32> {
    let most = u32::try_from(REPLICAS_MAX).unwrap_or(0);
    if !(1..=most).contains(&replicas) {
        return Err(Error::invalid(operation, "a value has 1 to 4 replicas").with("replicas", replicas));
    }
    Ok(replicas)
}

impl<M: Memory> Member<M> {
    /// Makes the own segment ready, and takes part.
    ///
    /// # Errors
    /// `InvalidParam` the segment is too small or too large · those of the pool.
    pub(crate) fn open(
        memory: M,
        incarnation: u32,
        prints: Fingerprints,
        replicas: u32,
        entries: u64,
    ) -> Result<Self> {
        const OP: &str = "cache open";
        let replicas = check_replicas(OP, replicas)?;
        let geometry = Geometry::divide(OP, memory.own_bytes(), entries)?;
        let me = Holder { rank: memory.own(), incarnation };
        let mut peers = find_peers(&memory, None)?;
        peers.retain(|peer| peer.holder.rank != me.rank);
        let own = Peer { holder: me, geometry, is_near: true };
        // Keys are where they were without this member, until all know it.
        let view = match peers.is_empty() {
            true => View::new(vec![own]),
            false => View::new(peers.clone()).expecting(peers.into_iter().chain([own]).collect()),
        };
        let [magic, rest @ ..] = geometry.describe(incarnation);
        let page = Spot { rank: me.rank, offset: 0 };
        memory.write(page.add(8), rest.map(u64::to_ne_bytes).as_flattened())?;
        memory.store(page, magic)?;
        Ok(Self {
            memory,
            me,
            manager: Manager::default(),
            view: RwLock::new(Arc::new(view)),
            prints,
            replicas,
            counts: Counts::default(),
            progress: Mutex::default(),
        })
    }

    /// Waits until all members have settled: before that, not all see what this one puts.
    ///
    /// # Errors
    /// `Timeout` names who has not.
    pub(crate) fn settle_in(&self, deadline: Duration) -> Result<()> {
        let begun = Instant::now();
        for turn in 0.. {
            if self.refresh()? {
                return Ok(());
            }
            if begun.elapsed() > deadline {
                break;
            }
            self.memory.pause(turn);
        }
        Err(Error::new(Kind::Timeout, "cache open")
            .what("members do not follow who comes and goes, as each does some times a second")
            .with("ranks", self.late())
            .with("waited_ms", begun.elapsed().as_millis()))
    }

    /// The members that have not settled, as a text.
    fn late(&self) -> String {
        self.unsettled().iter().map(u16::to_string).collect::<Vec<_>>().join(",")
    }

    /// Takes no part any more: others see it at once.
    pub(crate) fn close(&self) {
        // A segment that cannot be written is gone already.
        let _ = self.memory.store(Spot { rank: self.me.rank, offset: 0 }, 0);
    }

    pub(crate) fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Gives the former view.
    pub(crate) fn set_view(&self, view: View) -> Arc<View> {
        std::mem::replace(&mut *self.view.write().unwrap_or_else(PoisonError::into_inner), Arc::new(view))
    }

    pub(crate) fn index<'a>(&'a self, view: &'a View) -> Index<'a, M> {
        Index { memory: &self.memory, view, me: self.me }
    }

    pub(crate) fn put(&self, key: &[u8], source: Source<'_>, how: Put) -> Result<bool> {
        const OP: &str = "cache put";
        let print = self.prints.of(OP, key)?;
        let replicas = how.replicas.map_or(Ok(self.replicas), |replicas| check_replicas(OP, replicas))?;
        if !how.replace && self.index(&self.view()).find(print)?.is_some() {
            return Ok(false);
        }
        let begun = Instant::now();
        for turn in 0.. {
            let mut blocks = Vec::with_capacity(1);
            let written = {
                let view = self.view();
                self.write(&view, print, source, (replicas, how.pin), &mut blocks)
            };
            let published = written.and_then(|()| self.publish(OP, print, &blocks, how.replace));
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
            let is_over = begun.elapsed() > HOME_DEADLINE || !self.memory.is_member(self.me.rank);
            // Nothing leaves until the index of a dead member is made again.
            let must_wait = |kind| kind == Kind::NoResources && self.view().has_lost;
            match outcome {
                Err(error) if is_over || error.kind() != Kind::NotConnected && !must_wait(error.kind()) => {
                    return Err(error);
                }
                Ok(Outcome::Present) => return Ok(false),
                // A member has gone meanwhile, and with it a block: again, elsewhere.
                _ => self.memory.pause(turn),
            }
            self.refresh()?;
        }
        Err(Error::new(Kind::NotConnected, OP).what("members keep going"))
    }

    /// Fills a block for each replica, as far as there are members for them.
    fn write(
        &self,
        view: &View,
        print: Print,
        source: Source<'_>,
        (replicas, pin): (u32, bool),
        blocks: &mut Vec<Spot>,
    ) -> Result<()> {
        const OP: &str = "cache put";
        let bytes = source.bytes();
        let units = units_for(bytes).ok_or_else(|| Error::invalid(OP, "the value is too large"))?;
        let now = self.memory.now();
        let index = self.index(view);
        let evicted = |_| self.counts.add(Count::Evictions);
        for number in 0..replicas {
            let elsewhere: Vec<u16> = blocks.iter().map(|block| block.rank).collect();
            let purpose = if number == 0 { Purpose::Value } else { Purpose::Replica };
            let wanted = Wanted { units, purpose, elsewhere: &elsewhere, now, evicted: &evicted };
            let Some(block) = self.manager.allocate(&index, &wanted)? else {
                if number > 0 {
                    self.counts.add(Count::ReplicasMissing);
                    break;
                }
                return Err(self.full(view, bytes));
            };
            blocks.push(block);
            let lease = if pin { PINNED } else { 0 };
            let state = State::new(self.manager.next_version(now), Phase::Writing);
            Head { state, print, bytes, units, lease, used: 0, replaced: 0 }.fill(&self.memory, block)?;
            self.memory.send(source, block.add(HEAD_BYTES))?;
        }
        Ok(())
    }

    #[cold]
    fn full(&self, view: &View, bytes: u64) -> Error {
        let members = view.now.members();
        let largest = members.iter().map(|member| member.geometry.data_bytes()).max();
        Error::new(Kind::NoResources, "cache put")
            .what("there is no room that leases and pins leave free")
            .with("value", ByteLen(bytes))
            .with("largest_segment", ByteLen(largest.unwrap_or(0)))
            .with("members", members.len())
            .hint("let members contribute more, or unpin what is not needed")
    }

    fn publish(
        &self,
        operation: &'static str,
        print: Print,
        blocks: &[Spot],
        replace: bool,
    ) -> Result<Outcome> {
        let version = self.manager.next_version(self.memory.now());
        let mut view = self.view();
        let published = self.at_home(operation, &mut view, |index| {
            index.publish(operation, print, blocks, version, replace)
        })?;
        let Outcome::Published(version) = published else { return Ok(published) };
        self.manager.advance_version(version);
        // Who comes or goes meanwhile may have made another member the home, after whose walk this came.
        loop {
            let now = self.view();
            if Arc::ptr_eq(&now, &view) {
                return Ok(published);
            }
            view = now;
            for block in blocks {
                let head = unless_gone(Head::read(&self.memory, *block))?;
                if let Some(head) = head.filter(|head| head.state == State::new(version, Phase::Live)) {
                    self.at_home(operation, &mut view, |index| index.ensure(operation, *block, &head))?;
                }
            }
        }
    }

    /// Runs what needs the home of a key, with another view when that home has gone.
    fn at_home<T>(
        &self,
        operation: &'static str,
        view: &mut Arc<View>,
        run: impl Fn(&Index<'_, M>) -> Result<T>,
    ) -> Result<T> {
        let begun = Instant::now();
        for turn in 0.. {
            match run(&self.index(view)) {
                Err(error) if error.kind() == Kind::NotConnected && begun.elapsed() < HOME_DEADLINE => {
                    if !self.memory.is_member(self.me.rank) {
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

    pub(crate) fn get(&self, key: &[u8], mut to: Target<'_>) -> Result<Option<u64>> {
        const OP: &str = "cache get";
        let print = self.prints.of(OP, key)?;
        let view = self.view();
        let index = self.index(&view);
        for turn in 0..TRIES {
            let Some(Found { block, head }) = index.find(print)? else { break };
            let Some(target) = to.first(head.bytes) else {
                return Err(Error::invalid(OP, "the value is larger than the buffer")
                    .with("value", ByteLen(head.bytes))
                    .with("buffer", ByteLen(to.bytes())));
            };
            let copied = self.memory.fetch(block.add(HEAD_BYTES), target);
            if unless_gone(copied)?.is_some() && self.is_intact(block, &head)? {
                if head.used == 0 {
                    // Where its member has gone meanwhile, nobody needs to know.
                    unless_gone(block::set_used(&self.memory, block, true))?;
                }
                self.counts.add(Count::Hits);
                return Ok(Some(head.bytes));
            }
            self.memory.pause(turn);
        }
        self.counts.add(Count::Misses);
        Ok(None)
    }

    /// Whether the bytes of a block are still those that its head promised.
    fn is_intact(&self, block: Spot, head: &Head) -> Result<bool> {
        let now = unless_gone(block::state(&self.memory, block))?;
        Ok(now.is_some_and(|now| {
            let keeps = matches!(now.phase(), Phase::Live | Phase::Leaving | Phase::Retired);
            now.version() == head.state.version() && keeps
        }))
    }

    pub(crate) fn size(&self, key: &[u8]) -> Result<Option<u64>> {
        let print = self.prints.of("cache size", key)?;
        Ok(self.index(&self.view()).find(print)?.map(|found| found.head.bytes))
    }

    pub(crate) fn remove(&self, key: &[u8]) -> Result<bool> {
        const OP: &str = "cache remove";
        let print = self.prints.of(OP, key)?;
        let was_there = self.at_home(OP, &mut self.view(), |index| {
            // What nobody finds while the index of a dead member is made again would come back.
            match index.view.has_lost {
                true => Err(Error::new(Kind::NotConnected, OP)
                    .what("a member has gone, and the others do not finish its part of the index")
                    .with("ranks", self.late())),
                false => index.unpublish(OP, print),
            }
        })?;
        if was_there {
            self.counts.add(Count::Removals);
        }
        Ok(was_there)
    }

    pub(crate) fn pin(&self, key: &[u8], pinned: bool) -> Result<bool> {
        let print = self.prints.of("cache pin", key)?;
        self.index(&self.view()).pin(print, pinned)
    }

    pub(crate) fn lease(&self, key: &[u8], time: Duration) -> Result<Option<Lease>> {
        let print = self.prints.of("cache lease", key)?;
        let view = self.view();
        let index = self.index(&view);
        let until = (self.memory.now() / 1000)
            .saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
            .min(PINNED - 1);
        for turn in 0..TRIES {
            let Some(Found { block, head }) = index.find(print)? else { break };
            let leased = unless_gone(self.extend_lease(block, head.lease, until))?.is_some();
            // After the lease: who evicts reads the lease after it has changed the state.
            if leased && unless_gone(block::state(&self.memory, block))? == Some(head.state) {
                unless_gone(block::set_used(&self.memory, block, true))?;
                self.counts.add(Count::Hits);
                let value = block.add(HEAD_BYTES);
                return Ok(Some(Lease { value, bytes: head.bytes, until, state: head.state }));
            }
            self.memory.pause(turn);
        }
        self.counts.add(Count::Misses);
        Ok(None)
    }

    fn extend_lease(&self, block: Spot, mut old: u64, until: u64) -> Result<()> {
        while old < until {
            let now = block::change_lease(&self.memory, block, old, until)?;
            if now == old {
                break;
            }
            old = now;
        }
        Ok(())
    }

    /// Whether the bytes of a lease are still those of its value.
    pub(crate) fn is_leased(&self, lease: &Lease) -> Result<bool> {
        let block = Spot { offset: lease.value.offset - HEAD_BYTES, ..lease.value };
        let now = unless_gone(block::state(&self.memory, block))?;
        let keeps = |state: State| matches!(state.phase(), Phase::Live | Phase::Leaving | Phase::Retired);
        Ok(now.is_some_and(|now| now.version() == lease.state.version() && keeps(now)))
    }

    /// Bytes that the members have for values, and how many members there are.
    pub(crate) fn capacity(&self) -> (u64, usize) {
        let view = self.view();
        let members = view.now.members();
        (members.iter().map(|member| member.geometry.data_bytes()).sum(), members.len())
    }
}

/// The members that are ready; `known` ones that are far are not asked again.
///
/// # Errors
/// Those of the pool.
pub(crate) fn find_peers<M: Memory>(memory: &M, known: Option<&View>) -> Result<Vec<Peer>> {
    let mut peers = Vec::new();
    for rank in memory.members() {
        let is_near = memory.is_near(rank);
        if let Some(peer) = known.and_then(|view| view.now.member(rank)).filter(|_| !is_near) {
            peers.push(*peer);
            continue;
        }
        let page: Option<[u64; DESCRIPTION_WORDS]> = unless_gone(memory.load_all(Spot { rank, offset: 0 }))?;
        if let Some((incarnation, geometry)) = page.and_then(Geometry::read) {
            peers.push(Peer { holder: Holder { rank, incarnation }, geometry, is_near });
        }
    }
    Ok(peers)
}
