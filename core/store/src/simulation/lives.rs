// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One simulated process: a client machine, its pending calls, and the deliveries of its watches.

use std::collections::{BTreeMap, HashMap};

use crate::api::{Change, Entry, Peer, View, ViewChange};
use crate::client::machine::ClientMachine;
use crate::protocol::{RankRequest, Request};
use crate::state::{LinkId, Micros};

/// A call that has not ended.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) request: Request,
    pub(super) began: Micros,
    pub(super) deadline: Micros,
    /// Its place in the model, for a write or a gather.
    pub(super) place: usize,
}

/// A process, from its start to its end.
pub(super) struct Life {
    pub(super) is_alive: bool,
    /// Its session has ended, though it runs.
    pub(super) is_over: bool,
    pub(super) machine: ClientMachine,
    pub(super) wish: RankRequest,
    /// The store runs in this process.
    pub(super) hosts_store: bool,
    /// The link it uses; no others' messages are read.
    pub(super) link: Option<LinkId>,
    pub(super) rank: Option<u32>,
    pub(super) session: u64,
    /// The last store that granted it membership, as that store sees it.
    pub(super) granted_by: u64,
    /// The last store that received its request to resume.
    pub(super) asked_of: u64,
    /// The last store with a grant that has arrived.
    pub(super) member_of: u64,
    pub(super) away_since: Micros,
    pub(super) tick_at: Option<Micros>,
    /// Until then nothing of it gets through, in either direction.
    pub(super) cut_off_until: Micros,
    pub(super) calls: HashMap<u64, Call>,
    /// Writes with callers that left; the machine remembers their fate all the same.
    pub(super) left: HashMap<u64, Call>,
    pub(super) keys: WatchedKeys,
    pub(super) members: Members,
    pub(super) holds: BTreeMap<String, u64>,
    pub(super) lease: Option<crate::api::LeaseId>,
    /// Its acknowledged writes, as places in the model.
    pub(super) acknowledged: Vec<usize>,
}

impl Life {
    pub(super) fn new(now: Micros, key: [u8; 16], wish: RankRequest) -> Self {
        Self {
            is_alive: true,
            is_over: false,
            machine: ClientMachine::new(key),
            wish,
            hosts_store: false,
            link: None,
            rank: None,
            session: 0,
            granted_by: 0,
            asked_of: 0,
            member_of: 0,
            away_since: now,
            tick_at: None,
            cut_off_until: 0,
            calls: HashMap::new(),
            left: HashMap::new(),
            keys: WatchedKeys::default(),
            members: Members::default(),
            holds: BTreeMap::new(),
            lease: None,
            acknowledged: Vec::new(),
        }
    }

    /// Returns true if it runs and has not lost its session.
    pub(super) fn is_intact(&self) -> bool {
        self.is_alive && !self.is_over
    }

    pub(super) fn is_guest(&self) -> bool {
        self.wish == RankRequest::Guest
    }
}

/// Deliveries of a watch of all keys.
#[derive(Debug, Default)]
pub(super) struct WatchedKeys {
    pub(super) is_watching: bool,
    pub(super) entries: BTreeMap<String, Entry>,
}

impl WatchedKeys {
    pub(super) fn begin(&mut self, entries: Vec<Entry>) {
        self.is_watching = true;
        self.entries = entries.into_iter().map(|entry| (entry.key.clone(), entry)).collect();
    }

    pub(super) fn change(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Put(entry) => {
                let before = self.entries.insert(entry.key.clone(), entry.clone());
                if before.is_some_and(|before| before.revision == entry.revision) {
                    return Err(format!("a watch saw the same change twice: {change:?}"));
                }
            }
            Change::Removed { key, .. } => {
                if self.entries.remove(key).is_none() {
                    return Err(format!("a watch saw the end of a key that it did not know: {change:?}"));
                }
            }
            Change::StoreLost => self.is_watching = false,
        }
        Ok(())
    }
}

/// Deliveries of a watch of the membership.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) is_watching: bool,
    pub(super) epoch: u64,
    /// Number of changes it has received.
    pub(super) reports: u64,
    pub(super) by_session: BTreeMap<u64, Peer>,
}

impl Members {
    pub(super) fn begin(&mut self, view: View) {
        self.is_watching = true;
        self.epoch = view.epoch;
        self.by_session = view.members.into_iter().map(|peer| (peer.session, peer)).collect();
    }

    pub(super) fn change(&mut self, change: &ViewChange) -> Result<(), String> {
        if change.epoch <= self.epoch {
            return Err(format!("the epoch went from {} to {}", self.epoch, change.epoch));
        }
        self.epoch = change.epoch;
        self.reports += 1;
        for gone in change.left.iter().chain(&change.dead) {
            if self.by_session.remove(&gone.session).is_none() {
                return Err(format!("an unknown member went: {gone:?}"));
            }
        }
        for peer in &change.joined {
            if self.by_session.insert(peer.session, peer.clone()).is_some() {
                return Err(format!("a member came twice: {peer:?}"));
            }
        }
        Ok(())
    }
}
