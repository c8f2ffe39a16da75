// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Session table: members and guests, with and without a link.
//!
//! When its link breaks, a session is *detached*: it keeps everything, and may resume until its grace has
//! passed.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use mf_base::Rank;
use mf_base::log::escaped;

use super::backlog::Backlog;
use super::format::{rank_list, seconds};
use super::ranks::Arrival;
use super::replies::Replies;
use super::timers::Timers;
use super::{LinkId, Micros, SessionId};
use crate::api::{Contact, Peer};

/// Most missing members that a text describes one by one.
const DESCRIBED: usize = 8;

/// A membership, or a guest's stay.
pub(super) struct Session {
    pub(super) key: [u8; 16],
    /// The rank. `None`: a guest.
    pub(super) rank: Option<Rank>,
    pub(super) host: String,
    pub(super) pid: u32,
    pub(super) device: u16,
    pub(super) address: IpAddr,
    pub(super) hosts_store: bool,
    pub(super) link: Option<LinkId>,
    /// When a detached session is given up.
    pub(super) grace_until: Option<Micros>,
    /// The epoch in which it lost its link.
    pub(super) broken_in: Option<u64>,
    /// When something arrived last.
    pub(super) last_contact: Micros,
    pub(super) replies: Replies,
    /// The epoch of the last standing that it received.
    pub(super) notified_epoch: u64,
    /// Messages queued for it.
    pub(super) backlog: Backlog,
}

impl Session {
    pub(super) fn new(now: Micros, rank: Option<Rank>, arrival: &Arrival, link: Option<LinkId>) -> Self {
        let join = &arrival.join;
        Self {
            key: join.key,
            rank,
            // Others print it.
            host: escaped(&join.host).into_owned(),
            pid: join.pid,
            device: join.device,
            address: arrival.address.to_canonical(),
            hosts_store: join.hosts_store,
            link,
            grace_until: None,
            broken_in: None,
            last_contact: now,
            replies: Replies::default(),
            notified_epoch: 0,
            backlog: Backlog::default(),
        }
    }

    /// Its name in texts.
    pub(super) fn name(&self) -> String {
        let who = self.rank.map_or_else(|| "a guest".to_owned(), |rank| format!("rank {rank}"));
        format!("{who} (host {}, pid {})", self.host, self.pid)
    }

    pub(super) fn peer(&self, session: SessionId, rank: Rank) -> Peer {
        Peer { rank, session, host: self.host.clone(), pid: self.pid, device: self.device }
    }

    /// Describes its name, current request and last contact, for texts about missing members.
    fn describe(&self, now: Micros) -> String {
        let last_contact = seconds(now.saturating_sub(self.last_contact));
        let away = if self.link.is_none() { ", its connection is broken" } else { "" };
        format!("{} {}, last contact {last_contact} ago{away}", self.name(), self.replies.phase(now))
    }
}

/// All sessions. `by_rank`, `guests` and `detached` mirror `sessions`.
#[derive(Default)]
pub(super) struct Members {
    sessions: BTreeMap<SessionId, Session>,
    by_rank: BTreeMap<u32, SessionId>,
    guests: BTreeSet<SessionId>,
    detached: Timers<SessionId>,
    /// The member that runs the store in its process.
    host: Option<SessionId>,
}

impl Members {
    pub(super) fn get(&self, session: SessionId) -> Option<&Session> {
        self.sessions.get(&session)
    }

    pub(super) fn get_mut(&mut self, session: SessionId) -> Option<&mut Session> {
        self.sessions.get_mut(&session)
    }

    /// Returns the state of all members' connections.
    pub(super) fn contacts(&self, now: Micros) -> Vec<Contact> {
        let members = self.by_rank.values().filter_map(|id| Some((*id, self.sessions.get(id)?)));
        let contacts = members.filter_map(|(id, session)| {
            Some(Contact {
                rank: session.rank?,
                session: id,
                phase: session.replies.phase(now),
                silent_us: now.saturating_sub(session.last_contact),
                is_connected: session.link.is_some(),
            })
        });
        contacts.collect()
    }

    /// The requests of all members, ordered by rank.
    pub(super) fn replies(&self) -> impl Iterator<Item = (u32, SessionId, &Replies)> {
        self.by_rank.iter().filter_map(|(rank, id)| Some((*rank, *id, &self.sessions.get(id)?.replies)))
    }

    pub(super) fn insert(&mut self, id: SessionId, session: Session) {
        match session.rank {
            Some(rank) => {
                self.by_rank.insert(rank.0, id);
                if session.hosts_store {
                    self.host = Some(id);
                }
            }
            None => {
                self.guests.insert(id);
            }
        }
        self.sessions.insert(id, session);
    }

    pub(super) fn remove(&mut self, id: SessionId) -> Option<Session> {
        let session = self.sessions.remove(&id)?;
        if let Some(until) = session.grace_until {
            self.detached.remove(until, id);
        }
        if let Some(rank) = session.rank {
            self.by_rank.remove(&rank.0);
        }
        self.guests.remove(&id);
        if self.host == Some(id) {
            self.host = None;
        }
        Some(session)
    }

    /// A session lost its link.
    pub(super) fn detach(&mut self, id: SessionId, epoch: u64, until: Micros) {
        if let Some(session) = self.sessions.get_mut(&id) {
            session.link = None;
            session.broken_in = Some(epoch);
            session.discard_backlog();
            if let Some(before) = session.grace_until.replace(until) {
                self.detached.remove(before, id);
            }
            self.detached.insert(until, id);
        }
    }

    /// Attaches a new link to a session; returns the previous one.
    pub(super) fn attach(&mut self, id: SessionId, link: LinkId) -> Option<LinkId> {
        let session = self.sessions.get_mut(&id)?;
        if let Some(until) = session.grace_until.take() {
            self.detached.remove(until, id);
        }
        session.broken_in = None;
        session.discard_backlog();
        session.link.replace(link)
    }

    pub(super) fn set_host(&mut self, id: SessionId) {
        self.host = Some(id);
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.detached.next()
    }

    /// Removes and returns the next session past its grace.
    pub(super) fn expire(&mut self, now: Micros) -> Option<SessionId> {
        let id = self.detached.pop(now)?;
        if let Some(session) = self.sessions.get_mut(&id) {
            session.grace_until = None;
        }
        Some(id)
    }

    /// Returns true if there is room for this client.
    pub(super) fn has_room(&self, id: SessionId, full: usize) -> bool {
        self.sessions.get(&id).is_some_and(|session| session.link.is_some() && !session.is_full(full))
    }

    pub(super) fn by_rank(&self, rank: u32) -> Option<&Session> {
        self.by_rank.get(&rank).and_then(|id| self.sessions.get(id))
    }

    /// Returns the number of sessions, guests included.
    pub(super) fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Returns the number of members, guests not counted.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.by_rank.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn guests(&self) -> &BTreeSet<SessionId> {
        &self.guests
    }

    pub(super) fn host(&self) -> Option<SessionId> {
        self.host
    }

    /// The members by rank.
    pub(super) fn iter(&self) -> impl Iterator<Item = (SessionId, &Session)> {
        self.by_rank.values().filter_map(|id| self.sessions.get(id).map(|session| (*id, session)))
    }

    /// Calls `each` for every member that has a link.
    pub(super) fn for_each_linked(&mut self, mut each: impl FnMut(&mut Session)) {
        for id in self.by_rank.values() {
            if let Some(session) = self.sessions.get_mut(id)
                && session.link.is_some()
            {
                each(session);
            }
        }
    }

    pub(super) fn peers(&self) -> Vec<Peer> {
        self.iter().filter_map(|(id, session)| Some(session.peer(id, session.rank?))).collect()
    }

    /// A member that keeps what another has left: one with a link and room, the next rank after `from`, and
    /// preferably not in the process that runs the store.
    pub(super) fn heir(&self, from: u32, full: usize) -> Option<SessionId> {
        let circle = self.by_rank.range(from..).chain(self.by_rank.range(..from)).map(|(_, id)| *id);
        let mut host = None;
        for id in circle.filter(|id| self.has_room(*id, full)) {
            if Some(id) != self.host {
                return Some(id);
            }
            host = Some(id);
        }
        host
    }

    /// Describes the ranks of the world that are not in `came`.
    pub(super) fn missing(&self, now: Micros, world: u32, came: &BTreeSet<u32>) -> String {
        let missing: Vec<u32> = (0..world).filter(|rank| !came.contains(rank)).collect();
        let absent: Vec<u32> =
            missing.iter().copied().filter(|rank| !self.by_rank.contains_key(rank)).collect();
        let mut text = format!("missing: {}", rank_list(&missing));
        if !absent.is_empty() {
            text += &format!(" (not connected to the store: {})", rank_list(&absent));
        }
        let here = missing.iter().filter_map(|rank| self.by_rank(*rank));
        for session in here.take(DESCRIBED) {
            text += "; ";
            text += &session.describe(now);
        }
        let described = missing.len() - absent.len();
        if described > DESCRIBED {
            text += &format!("; and {} more", described - DESCRIBED);
        }
        text
    }
}
