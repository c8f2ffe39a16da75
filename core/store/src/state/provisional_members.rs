// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Provisional admission: members that a young store admits before it knows whether a store preceded it.
//!
//! **Problem.** A store that starts empty may be the first of its job, or the successor of one that died a
//! moment ago. The members of the former store resume within [`Limits::hold_us`](super::Limits::hold_us), and
//! their ranks and keys must not be taken meanwhile. But rank 0 of a new job, which starts the store, must
//! not wait for a fixed time.
//!
//! **The decision** rests on the kernel's record of the address: it keeps the connections of a listener that
//! had the port before for a minute ([`has_predecessor`](crate::server)). For a store that was elected it is
//! the directory's record of leaders. Without any, this store seems to be the first of its job
//! ([`Limits::seems_first`](super::Limits::seems_first)), and no newcomer waits. That is wrong only if the
//! host was restarted, the address moved here, or the directory was emptied.
//!
//! **Newcomers wait** in these cases: a store did die here a moment ago; or one of several fixed addresses is
//! bound, off the loopback: the store before may have died at another one, on another host, and no record of
//! that is in reach; or the socket was bound by the caller so that it hides the kernel's record from us
//! (`SO_REUSEADDR`). Members of the store before are then not distinguished from those of a new job until
//! they resume.
//!
//! **Rule.** Until the time has passed, all members of the world have come, or a member of another store
//! resumes:
//! * A newcomer to a store that seems to be the first is admitted at once (it is *early*).
//! * At any other store, one that names its rank is early, as a guest is, where the token of the job is
//!   derived from its secret; else it waits, because its token could not become the token of an earlier
//!   store's members. One that leaves its rank to the store waits.
//! * Requests of early members are answered at once where the answer cannot depend on an earlier store
//!   ([`Machine::may_answer_early`]), else deferred.
//!
//! When a member of another store resumes, the recovery begins, and the early members become part of the job
//! that it restores: their keys are merged with the replicas' keys, with revisions below all of them. An
//! early member with the rank of a member that resumed (two processes were given one rank) loses its session
//! then, and so do all where tokens differ. The others are disconnected once, so that they resume at this
//! store and receive its term.

use super::recovery::Newcomer;
use super::{Action, LinkId, Machine, Micros, SessionId, StorePhase};
use crate::api::{Cause, Lifetime};
use crate::protocol::limits::{MAX_HELD, MAX_HELD_BYTES};
use crate::protocol::{RankRequest, Request, RequestMessage};

/// Deferred requests.
#[derive(Default)]
pub(super) struct Deferred {
    requests: Vec<(LinkId, u64, RequestMessage)>,
    bytes: usize,
}

impl Deferred {
    /// Defers a request; false when there are too many.
    pub(super) fn add(&mut self, link: LinkId, sequence: u64, message: RequestMessage) -> bool {
        let bytes = message.request.bytes();
        let has_room = self.requests.len() < MAX_HELD && self.bytes + bytes <= MAX_HELD_BYTES;
        if has_room {
            self.bytes += bytes;
            self.requests.push((link, sequence, message));
        }
        has_room
    }

    fn take(&mut self) -> Vec<(LinkId, u64, RequestMessage)> {
        std::mem::take(self).requests
    }
}

impl Machine {
    /// Returns true while members of an earlier store may still resume.
    pub(super) fn is_young(&self, now: Micros) -> bool {
        self.young.is_some() && now < self.limits.hold_us
    }

    /// When this store stops being young, if a request or newcomer waits for it.
    pub(super) fn young_until(&self) -> Option<Micros> {
        let waiting = self.young.as_ref()?;
        let concerns = !waiting.is_empty() || self.members.len() > 0;
        concerns.then_some(self.limits.hold_us)
    }

    /// Returns true if a newcomer is admitted while this store is young.
    pub(super) fn admits_early(&self, wish: RankRequest) -> bool {
        let names_place = matches!(wish, RankRequest::Exactly(_) | RankRequest::Guest);
        self.limits.seems_first || (self.limits.lasting_token && names_place)
    }

    /// Ends the youth of this store when all members of the world are newcomers: there is no other store that
    /// they could have been members of.
    pub(super) fn grow_up_when_full(&mut self, now: Micros) {
        let Some(waiting) = &self.young else { return };
        let mut members = waiting
            .iter()
            .map(|newcomer| &newcomer.arrival.join)
            .filter(|join| join.wish != RankRequest::Guest);
        let world = match self.ranks.world_size() {
            0 => members.clone().next().map_or(0, |first| first.world_size),
            world => world,
        };
        let came = members.by_ref().count() + self.members.count() as usize;
        if came > 0 && came >= world as usize {
            self.grow_up(now);
        }
    }

    /// No member of a store before is waited for any more.
    pub(super) fn grow_up(&mut self, now: Micros) {
        let Some(waiting) = self.young.take() else { return };
        if self.members.count() > 0 {
            self.phase = StorePhase::Serving;
        }
        for Newcomer { link, arrival, arrived } in waiting {
            self.links.remove(&link);
            self.newcomer(now, Newcomer { link, arrival, arrived });
        }
        self.serve_deferred(now);
    }

    /// Returns true if the answer to a request cannot depend on an earlier store.
    pub(super) fn may_answer_early(&self, request: &Request) -> bool {
        match request {
            // No other member has replicas of keys bound to this session.
            Request::Set { lifetime: Lifetime::Session, .. }
            | Request::Gather { .. }
            | Request::Watch { .. }
            | Request::WatchMembers { .. }
            | Request::Unwatch { .. } => true,
            Request::Wait { key, .. } => self.keys.get(key).is_none(),
            // It may concern a request that is deferred.
            Request::Withdraw { .. } => self.deferred.requests.is_empty(),
            _ => false,
        }
    }

    pub(super) fn serve_deferred(&mut self, now: Micros) {
        for (link, sequence, message) in self.deferred.take() {
            if self.links.contains_key(&link) {
                self.request(now, link, sequence, message);
            }
        }
    }

    /// Handles early members when a recovery ends: those with the rank of a member that resumed, or with a
    /// token that is not the job's, lose their sessions.
    pub(super) fn part_early(&mut self, now: Micros, is_resumed: impl Fn(u32) -> bool) -> Vec<SessionId> {
        let early: Vec<_> =
            self.members.iter().map(|(id, session)| (id, session.rank, session.link)).collect();
        let mut stay = Vec::with_capacity(early.len());
        for (id, rank, link) in early {
            let is_replaced = rank.is_some_and(|rank| is_resumed(rank.0));
            if !is_replaced && self.limits.lasting_token {
                stay.push(id);
                continue;
            }
            self.end_session(now, id, Cause::Lost);
            if let Some(link) = link {
                self.links.remove(&link);
                let reason = match is_replaced {
                    true => "a member of the store before resumed with its rank",
                    false => "members of a store before resumed, and their token is another one",
                };
                self.outgoing.actions.push(Action::Drop { link, reason });
            }
        }
        stay
    }

    /// Disconnects early members after a recovery, so that they resume and learn the term. They have the same
    /// time to do so as members of the former store.
    pub(super) fn reconnect_early(&mut self, now: Micros, early: Vec<SessionId>) {
        for id in early {
            let link = self.members.get(id).and_then(|session| session.link);
            self.members.detach(id, self.reports.epoch, now.saturating_add(self.limits.recovery_us));
            if let Some(link) = link {
                self.links.remove(&link);
                self.outgoing.actions.push(Action::Drop { link, reason: "it resumes, to learn of the term" });
            }
        }
    }
}
