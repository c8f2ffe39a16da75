// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One member's part of a cache: state, start and end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};

use crate::atomic_fields::{Holder, Spot};
use crate::background::{Mapped, Progress, Restored};
use crate::counts::Counts;
use crate::disk::Disk;
use crate::events::Events;
use crate::index::{Index, unless_gone};
use crate::journal::{self, Journal};
use crate::key::Fingerprints;
use crate::layout::{DESCRIPTION_WORDS, Geometry, NAME_AT};
use crate::manager::Manager;
use crate::memory::Memory;
use crate::options::Options;
use crate::requests::{self, TURNS_MAX};
use crate::view::{Member as Peer, View};

pub(crate) struct Member<M> {
    pub(crate) memory: M,
    pub(crate) me: Holder,
    pub(crate) manager: Manager,
    view: RwLock<Arc<View>>,
    /// Number of views so far.
    pub(crate) views: AtomicU64,
    pub(crate) prints: Fingerprints,
    pub(crate) counts: Counts,
    pub(crate) events: Events,
    /// Names of members, as far as they were read.
    pub(crate) names: Mutex<HashMap<Holder, Arc<str>>>,
    pub(crate) progress: Mutex<Progress>,
    pub(crate) mapped: Mutex<Mapped>,
    pub(crate) restored: Mutex<Restored>,
    /// Serial numbers of replicas that were made again, from 1.
    pub(crate) copies: AtomicU64,
    /// The tier on disk.
    pub(crate) disk: Option<Disk>,
    pub(crate) journal: Journal,
    /// Serial numbers of requests to other members' disks, and turns of a wait for one of them.
    pub(crate) requests: AtomicU64,
    pub(crate) turns_max: u32,
}

impl<M: Memory> Member<M> {
    /// Formats the own segment, and joins the cache.
    ///
    /// # Errors
    /// `InvalidParam` the segment is too small or too large, or the name · errors of the pool.
    pub(crate) fn open(
        memory: M,
        incarnation: u32,
        prints: Fingerprints,
        options: &Options,
        disk: Option<Disk>,
    ) -> Result<Self> {
        const OP: &str = "cache open";
        let name = options.name_of(OP, memory.own())?;
        let divided = Geometry::divide(OP, memory.own_bytes(), options.index_entries);
        let geometry = match options.keeps_values {
            true => divided?,
            false if memory.own_bytes() >= Geometry::EMPTY.end() => Geometry::EMPTY,
            false => {
                return Err(Error::invalid(OP, "a member that keeps nothing contributes memory, too")
                    .hint("contribute 2 MiB, of which about 20 KiB get pages"));
            }
        };
        let geometry = Geometry { has_disk: disk.is_some(), ..geometry };
        let me = Holder { rank: memory.own(), incarnation };
        let mut peers = find_peers(&memory, None, true)?;
        peers.retain(|peer| peer.holder.rank != me.rank);
        let journal = Journal::default();
        if peers.iter().any(|peer| peer.geometry.has_disk) {
            journal.begin();
        }
        let own = Peer { holder: me, geometry, is_near: true };
        // Keys stay at their present homes, without this member, until all know it.
        let view = match peers.is_empty() {
            true => View::new(vec![own]),
            false => View::new(peers.clone()).for_members(peers.into_iter().chain([own]).collect()),
        };
        let [magic, rest @ ..] = geometry.describe(incarnation);
        let page = Spot { rank: me.rank, offset: 0 };
        memory.store_all(page.add(8), rest)?;
        memory.store(page.add(NAME_AT), name.len() as u64)?;
        memory.write(page.add(NAME_AT + 8), name.as_bytes())?;
        journal::reset(&memory, me.rank)?;
        if disk.is_some() {
            requests::reset(&memory, me.rank)?;
        }
        let manager = Manager::default();
        if let Some(disk) = &disk {
            // Later values of a key are newer than those in the folders.
            manager.advance_version(disk.last_generation());
            let (events, disk) = (Events::default(), Some(disk));
            let index = Index { memory: &memory, view: &view, me, events: &events, disk, journal: &journal };
            manager.reserve_stubs(&index, memory.now())?;
        }
        memory.store(page, magic)?;
        Ok(Self {
            memory,
            me,
            manager,
            view: RwLock::new(Arc::new(view)),
            views: AtomicU64::new(1),
            prints,
            counts: Counts::default(),
            events: Events::default(),
            names: Mutex::default(),
            progress: Mutex::default(),
            mapped: Mutex::default(),
            restored: Mutex::default(),
            copies: AtomicU64::new(1),
            disk,
            journal,
            requests: AtomicU64::new(1),
            turns_max: TURNS_MAX,
        })
    }

    /// Waits until all members have settled: before that, some do not see the values that this one puts.
    ///
    /// # Errors
    /// `Timeout` names the members that have not.
    pub(crate) fn wait_until_settled(&self, deadline: Duration) -> Result<()> {
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
            .what("members do not follow the membership, as each should several times a second")
            .with("ranks", self.unsettled_text())
            .with("waited_ms", begun.elapsed().as_millis()))
    }

    /// Returns the members that have not settled, as a text.
    pub(crate) fn unsettled_text(&self) -> String {
        self.unsettled().iter().map(u16::to_string).collect::<Vec<_>>().join(",")
    }

    /// Leaves the cache: others see it at once. Does nothing if a later member has the segment.
    pub(crate) fn close(&self) {
        let page = Spot { rank: self.me.rank, offset: 0 };
        if self.memory.load(page.add(8)).is_ok_and(|now| now == u64::from(self.me.incarnation)) {
            // Fails only if the segment is gone already.
            let _ = self.memory.store(page, 0);
        }
    }

    pub(crate) fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the stamp of heads that this process writes; `number` is 0 for a value that it puts, else the
    /// serial number of a replica that it makes again.
    pub(crate) fn stamp(&self, number: u64) -> u64 {
        u64::from(self.me.incarnation) << 24 | number & 0xff_ffff
    }

    /// Returns true if that is the current view.
    pub(crate) fn has_view(&self, view: &Arc<View>) -> bool {
        Arc::ptr_eq(&self.view.read().unwrap_or_else(PoisonError::into_inner), view)
    }

    /// Replaces the view. Returns the former one.
    pub(crate) fn set_view(&self, view: View) -> Arc<View> {
        let mut now = self.view.write().unwrap_or_else(PoisonError::into_inner);
        let former = std::mem::replace(&mut *now, Arc::new(view));
        drop(now);
        // Release: pairs with the acquire of a reader of the number, which reads the view next.
        self.views.fetch_add(1, Ordering::Release);
        former
    }

    pub(crate) fn index<'a>(&'a self, view: &'a View) -> Index<'a, M> {
        let (disk, journal) = (self.disk.as_ref(), &self.journal);
        Index { memory: &self.memory, view, me: self.me, events: &self.events, disk, journal }
    }

    /// Returns the bytes that the members have for values, and the number of members.
    pub(crate) fn capacity(&self) -> (u64, usize) {
        let view = self.view();
        let members = view.now.members();
        (members.iter().map(|member| member.geometry.data_bytes()).sum(), members.len())
    }
}

/// Returns the members that are ready. The far ones already in `view` are read again only if `asks_far`.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn find_peers<M: Memory>(memory: &M, view: Option<&View>, asks_far: bool) -> Result<Vec<Peer>> {
    let mut peers = Vec::new();
    for rank in memory.members() {
        let is_near = memory.is_near(rank);
        if !is_near
            && !asks_far
            && let Some(peer) = view.and_then(|view| view.now.member(rank))
        {
            peers.push(*peer);
            continue;
        }
        let page: Option<[u64; DESCRIPTION_WORDS]> = unless_gone(memory.load_all(Spot { rank, offset: 0 }))?;
        match page {
            Some(page) => peers.extend(Geometry::read(page).map(|(incarnation, geometry)| Peer {
                holder: Holder { rank, incarnation },
                geometry,
                is_near,
            })),
            // A broken connection ends no membership. With homes that differ from the other members', old
            // values would be found.
            None if memory.is_member(rank) => {
                peers.extend(view.and_then(|view| view.latest().member(rank)).copied());
            }
            None => {}
        }
    }
    Ok(peers)
}
