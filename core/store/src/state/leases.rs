// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leases: each ends when it was not renewed for its time to live. Keys bound to it are in [`super::keys`].
//!
//! A lease outlives the session that was granted it; any client that knows its number may renew it. Its
//! number is a revision of the store.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mf_base::Kind;

use super::format::too_many;
use super::timers::Timers;
use super::{Micros, SessionId};
use crate::api::LeaseId;
use crate::protocol::Failure;
use crate::protocol::limits::{LEASE_US, MAX_LEASES, MAX_LEASES_EACH};

/// Time to live of a lease that only a key's replica names.
const UNKNOWN_TTL_US: Micros = 30_000_000;

struct Lease {
    ttl_us: Micros,
    deadline: Micros,
    session: Option<SessionId>,
}

/// All leases. `due` mirrors them; `granted` lists the leases of each session.
#[derive(Default)]
pub(super) struct Leases {
    leases: BTreeMap<LeaseId, Lease>,
    granted: HashMap<SessionId, BTreeSet<LeaseId>>,
    due: Timers<LeaseId>,
}

impl Leases {
    pub(super) fn grant(
        &mut self,
        now: Micros,
        session: SessionId,
        ttl_us: Micros,
        revision: &mut u64,
    ) -> Result<LeaseId, Failure> {
        if self.granted.get(&session).is_some_and(|own| own.len() >= MAX_LEASES_EACH) {
            return Err(too_many(format!("this client has {MAX_LEASES_EACH} leases, more are not allowed")));
        }
        if self.leases.len() >= MAX_LEASES {
            return Err(too_many(format!("the store has {MAX_LEASES} leases, more are not allowed")));
        }
        *revision += 1;
        let lease = LeaseId(*revision);
        self.insert(now, lease, ttl_us, Some(session));
        Ok(lease)
    }

    pub(super) fn renew(&mut self, now: Micros, lease: LeaseId) -> Result<(), Failure> {
        let Some(found) = self.leases.get_mut(&lease) else { return Err(unknown(lease)) };
        self.due.remove(found.deadline, lease);
        found.deadline = now.saturating_add(found.ttl_us);
        self.due.insert(found.deadline, lease);
        Ok(())
    }

    /// Ends a lease. Returns false if it did not exist.
    pub(super) fn revoke(&mut self, lease: LeaseId) -> bool {
        let Some(found) = self.leases.remove(&lease) else { return false };
        self.due.remove(found.deadline, lease);
        self.disown(found.session, lease);
        true
    }

    pub(super) fn check(&self, lease: LeaseId) -> Result<(), Failure> {
        if self.leases.contains_key(&lease) { Ok(()) } else { Err(unknown(lease)) }
    }

    /// The leases of a session go on without it.
    pub(super) fn end(&mut self, session: SessionId) {
        for lease in self.granted.remove(&session).unwrap_or_default() {
            if let Some(lease) = self.leases.get_mut(&lease) {
                lease.session = None;
            }
        }
    }

    /// Takes a lease from the report of a member. It begins anew.
    pub(super) fn learn(&mut self, now: Micros, session: SessionId, lease: LeaseId, ttl_us: Micros) {
        if self.leases.contains_key(&lease) || self.leases.len() >= MAX_LEASES {
            return;
        }
        let ttl_us = ttl_us.clamp(*LEASE_US.start(), *LEASE_US.end());
        self.insert(now, lease, ttl_us, Some(session));
    }

    /// Makes sure that the lease of a replica exists: its member has died with the store before.
    pub(super) fn assume(&mut self, now: Micros, lease: LeaseId) {
        if !self.leases.contains_key(&lease) {
            self.insert(now, lease, UNKNOWN_TTL_US, None);
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.due.next()
    }

    /// Takes out the next lease that has ended.
    pub(super) fn expire(&mut self, now: Micros) -> Option<LeaseId> {
        let lease = self.due.pop(now)?;
        let session = self.leases.remove(&lease).and_then(|lease| lease.session);
        self.disown(session, lease);
        Some(lease)
    }

    pub(super) fn clear(&mut self) {
        self.leases.clear();
        self.granted.clear();
        self.due.clear();
    }

    fn insert(&mut self, now: Micros, lease: LeaseId, ttl_us: Micros, session: Option<SessionId>) {
        let deadline = now.saturating_add(ttl_us);
        self.leases.insert(lease, Lease { ttl_us, deadline, session });
        if let Some(session) = session {
            self.granted.entry(session).or_default().insert(lease);
        }
        self.due.insert(deadline, lease);
    }

    fn disown(&mut self, session: Option<SessionId>, lease: LeaseId) {
        let Some(session) = session else { return };
        if let Some(own) = self.granted.get_mut(&session) {
            own.remove(&lease);
            if own.is_empty() {
                self.granted.remove(&session);
            }
        }
    }
}

fn unknown(lease: LeaseId) -> Failure {
    Failure::new(Kind::NotExist, format!("lease {} does not exist, or has ended", lease.0))
        .hint("renew a lease at least twice in its time to live")
}
