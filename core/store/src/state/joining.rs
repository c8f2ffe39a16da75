// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Joining: links become members and guests, sessions resume, and both end.

use mf_base::Kind;

use super::format::too_many;
use super::keys::Holder;
use super::members::Session;
use super::membership_events::MemberEvent;
use super::ranks::{Arrival, GrantedRank};
use super::recovery::{Newcomer, Recovery, Resumer, claims_another};
use super::replies::Awaited;
use super::{Action, Caller, Granted, LEAVING_US, LinkId, LinkState, Machine, Micros, SessionId, StorePhase};
use crate::api::{Cause, Lost};
use crate::protocol::limits::{MAX_GUESTS, MAX_NEWCOMERS, MAX_PROVED};
use crate::protocol::{Failure, RankRequest, Resume};

/// Longest name of a host, in bytes.
const MAX_HOST_BYTES: usize = 64;
/// Bounds of revisions and terms in a client's claim, far above anything that can happen.
pub(super) const MAX_TERM: u64 = 1 << 31;
pub(super) const MAX_REVISION: u64 = 1 << 62;

impl Machine {
    pub(super) fn join(&mut self, now: Micros, link: LinkId, mut arrival: Box<Arrival>) {
        if self.links.contains_key(&link) {
            self.end_link(now, link, false);
            self.outgoing.actions.push(Action::Drop { link, reason: "it asked for membership twice" });
            return;
        }
        if self.phase == StorePhase::Over {
            let failure = Failure::new(Kind::NotConnected, "another store leads the job");
            self.refuse(link, failure, true);
            return;
        }
        let host_bytes = arrival.join.host.len();
        if host_bytes > MAX_HOST_BYTES {
            let what =
                format!("the name of the host has {host_bytes} bytes, at most {MAX_HOST_BYTES} are allowed");
            self.refuse(link, Failure::invalid(what), false);
            return;
        }
        match arrival.join.resume.take() {
            Some(resume) if resume.store == self.store => {
                self.resume_here(now, link, &arrival, &resume);
            }
            Some(resume) => self.resume_from_another(now, link, arrival, resume),
            None => self.newcomer(now, Newcomer { link, arrival, arrived: now }),
        }
    }

    /// A client that this store never knew, or has forgotten.
    pub(super) fn newcomer(&mut self, now: Micros, newcomer: Newcomer) {
        let Newcomer { link, arrival, arrived } = newcomer;
        let waiting = self.links.len().saturating_sub(self.members.len());
        if waiting >= MAX_NEWCOMERS.max(2 * self.limits.max_world as usize) {
            let failure = too_many(format!("{MAX_NEWCOMERS} clients wait for a rank, more are not allowed"));
            self.refuse(link, failure.hint("start no more members than the world has ranks"), true);
            return;
        }
        if let Some(recovery) = &mut self.recovery {
            self.links.insert(link, LinkState::Backlog);
            recovery.newcomers.push(Newcomer { link, arrival, arrived });
            return;
        }
        if self.limits.guests_only && arrival.join.wish != RankRequest::Guest {
            let failure = Failure::invalid("this is a meeting point, which has no ranks");
            self.refuse(
                link,
                failure.hint("connect as a guest, or give the address of the job's store"),
                false,
            );
            return;
        }
        if self.is_young(now) && !self.admits_early(arrival.join.wish) {
            self.links.insert(link, LinkState::Backlog);
            if let Some(waiting) = &mut self.young {
                waiting.push(Newcomer { link, arrival, arrived });
            }
            self.grow_up_when_full(now);
            return;
        }
        let rank = match arrival.join.wish {
            RankRequest::Guest => {
                self.admit_guest(now, link, &arrival);
                return;
            }
            RankRequest::Exactly(rank) | RankRequest::Prefer(rank) => Some(rank),
            RankRequest::Any | RankRequest::Ordered => None,
        };
        if let Err(failure) = self.ranks.check(arrival.join.world_size, arrival.join.wish) {
            self.refuse(link, failure, false);
            return;
        }
        if let Some(rank) = rank
            && self.ranks.is_taken(rank)
            && let Some(holder) = self.members.by_rank(rank)
        {
            if holder.link.is_none() {
                // The holder resumes or is given up in a moment. Its successor is often the faster one.
                self.links.insert(link, LinkState::Parked(rank));
                self.parked.entry(rank).or_default().push(Newcomer { link, arrival, arrived });
                return;
            }
            if matches!(arrival.join.wish, RankRequest::Exactly(_)) {
                let what = format!("rank {rank} is taken by {}", holder.name());
                let failure = Failure::new(Kind::Duplicated, what)
                    .hint("give every member its own rank, or end the present holder");
                self.refuse(link, failure, false);
                return;
            }
        }
        self.links.insert(link, LinkState::Waiting);
        let given = self.ranks.arrive(now, arrived, link, arrival);
        self.admit(now, given);
    }

    fn admit_guest(&mut self, now: Micros, link: LinkId, arrival: &Arrival) {
        let most = if self.limits.guests_only { MAX_PROVED } else { MAX_GUESTS };
        if self.members.guests().len() >= most {
            let failure = too_many(format!("the store has {most} guests, more are not allowed"));
            self.refuse(link, failure.hint("end some of them, or connect as a member"), true);
            return;
        }
        let session = self.number();
        self.members.insert(session, Session::new(now, None, arrival, Some(link)));
        self.links.insert(link, LinkState::Of(session));
        self.welcome(session);
    }

    /// Makes members of the newcomers that got ranks.
    pub(super) fn admit(&mut self, now: Micros, given: Vec<GrantedRank>) {
        if given.is_empty() {
            return;
        }
        if self.phase == StorePhase::Fresh && !self.is_young(now) {
            self.begin_anew(now);
        }
        if !self.is_young(now) {
            self.phase = StorePhase::Serving;
        }
        self.had_members = true;
        let mut welcomed = Vec::with_capacity(given.len());
        for GrantedRank { link, rank, arrival } in given {
            let id = self.number();
            let session = Session::new(now, Some(rank), &arrival, Some(link));
            let peer = session.peer(id, rank);
            self.members.insert(id, session);
            self.links.insert(link, LinkState::Of(id));
            let is_watched = self.watches.anyone_watches_members();
            self.reports.happened(now, MemberEvent::Joined, peer, is_watched, !self.ranks.is_full());
            welcomed.push(id);
        }
        // All are members before the first receives the number of members.
        for session in welcomed {
            self.welcome(session);
        }
        self.ask_for_hand_over(now);
        self.grow_up_when_full(now);
    }

    /// Returns the number of a new session. While the store is fresh its term may prove to be an earlier
    /// store's, so the store's random number distinguishes its sessions.
    fn number(&mut self) -> SessionId {
        self.sessions += 1;
        if self.phase != StorePhase::Fresh || self.keys.durable.is_some() {
            return (self.term << 32) | self.sessions;
        }
        let [a, b, c, d, ..] = self.store;
        u64::from(u32::from_le_bytes([a, b, c, d]) >> 1) + self.sessions
    }

    pub(super) fn welcome(&mut self, session: SessionId) {
        let standing = self.reports.standing(&self.members);
        let world_size = self.ranks.world_size();
        let Some(member) = self.members.get_mut(session) else { return };
        member.notified_epoch = standing.epoch;
        if let Some(link) = member.link {
            let (term, revision) = (self.term, self.keys.revision);
            let granted = Granted { rank: member.rank, world_size, session, term, standing, revision };
            self.outgoing.actions.push(Action::Welcome { link, granted });
        }
    }

    /// A client that lost its link to this store.
    fn resume_here(&mut self, now: Micros, link: LinkId, arrival: &Arrival, resume: &Resume) {
        let id = resume.session;
        let Some(session) = self.members.get_mut(id) else {
            let failure = given_up(id).hint("raise the resume grace if connections break for longer");
            self.refuse(link, failure, false);
            return;
        };
        if session.key != arrival.join.key {
            self.refuse(link, claims_another(id), false);
            return;
        }
        session.last_contact = now;
        session.hosts_store = arrival.join.hosts_store;
        session.replies.confirm(resume.answered_below);
        let rank = session.rank;
        if arrival.join.hosts_store && rank.is_some() {
            self.members.set_host(id);
        }
        if let Some(before) = self.members.attach(id, link) {
            self.links.remove(&before);
            self.outgoing
                .actions
                .push(Action::Drop { link: before, reason: "its session resumed over another connection" });
        }
        self.links.insert(link, LinkState::Of(id));
        self.welcome(id);
        // Messages in flight when the link broke may be lost.
        self.keys.keepers.resumed(id);
        let handed = self.keys.handed_to(id);
        if let Some(session) = self.members.get_mut(id) {
            handed.iter().for_each(|key| session.keep_later(key));
        }
        self.keys.keepers.outbox.send_again(now, id);
        self.send_backlog(now, id);
        if let Some(rank) = rank {
            self.unpark(now, rank.0);
        }
        self.ask_for_hand_over(now);
    }

    /// A client resumes from a store that died.
    fn resume_from_another(&mut self, now: Micros, link: LinkId, arrival: Box<Arrival>, resume: Resume) {
        let highest = resume.revision.max(resume.standing.epoch);
        let began_in = resume.session >> 32;
        if resume.session == 0 || resume.term >= MAX_TERM || began_in > resume.term || highest >= MAX_REVISION
        {
            let what = format!(
                "session {} of term {} with revision {highest} cannot be",
                resume.session, resume.term
            );
            self.refuse(link, Failure::invalid(what), false);
            return;
        }
        if self.limits.skip_recovery {
            let failure =
                given_up(resume.session).hint("this store is configured to take over from no other");
            self.refuse(link, failure, false);
            return;
        }
        if self.phase == StorePhase::Serving {
            if self.members.get(resume.session).is_some_and(|session| session.key == arrival.join.key) {
                // It sent this store all replicas, and lost its link before its welcome arrived.
                self.resume_here(now, link, &arrival, &resume);
                return;
            }
            if resume.term > self.term {
                let what =
                    format!("a store of term {} leads the job, this one has term {}", resume.term, self.term);
                self.refuse(link, Failure::new(Kind::NotConnected, what), true);
                self.phase = StorePhase::Over;
                self.outgoing.actions.push(Action::StepDown { term: resume.term });
                return;
            }
            let failure = given_up(resume.session)
                .hint("it reconnected after this store had taken over from the one before");
            self.refuse(link, failure, false);
            return;
        }
        let checked =
            resume.rank.map(|rank| self.ranks.check(arrival.join.world_size, RankRequest::Exactly(rank)));
        if let Some(Err(failure)) = checked {
            self.refuse(link, failure, false);
            return;
        }
        if self.recovery.is_none() {
            self.phase = StorePhase::Recovering;
            let mut recovery = Recovery::new(now, self.limits.recovery_us, self.limits.recovery_quiet_us);
            recovery.newcomers.extend(self.young.take().unwrap_or_default());
            for (link, arrival, arrived) in self.ranks.take_all_waiting() {
                self.links.insert(link, LinkState::Backlog);
                recovery.newcomers.push(Newcomer { link, arrival, arrived });
            }
            self.recovery = Some(recovery);
        }
        let Some(recovery) = &mut self.recovery else { return };
        let session = resume.session;
        if resume.rank.is_some()
            && let Err(failure) = recovery.agree(arrival.join.world_size)
        {
            self.refuse(link, failure, false);
            return;
        }
        if self.members.get(session).is_some() {
            self.refuse(link, claims_another(session), false);
            return;
        }
        self.links.insert(link, LinkState::Resuming(session));
        let claimed = recovery.claim(now, session, Resumer::new(link, arrival, resume));
        if let Some(before) = claimed.replaced {
            self.links.remove(&before);
            self.outgoing
                .actions
                .push(Action::Drop { link: before, reason: "its session resumed over another connection" });
        }
        for (link, failure) in claimed.refused {
            self.refuse(link, failure, false);
        }
    }

    /// A link has ended.
    pub(super) fn end_link(&mut self, now: Micros, link: LinkId, in_order: bool) {
        match self.links.remove(&link) {
            Some(LinkState::Of(session)) if in_order || self.limits.resume_grace_us == 0 => {
                let cause = if in_order { Cause::Left } else { Cause::Lost };
                self.end_session(now, session, cause);
            }
            Some(LinkState::Of(session)) => {
                let until = now.saturating_add(self.limits.resume_grace_us);
                self.members.detach(session, self.reports.epoch, until);
            }
            Some(LinkState::Resuming(session)) => {
                if let Some(recovery) = &mut self.recovery {
                    recovery.end(session, link, in_order);
                }
            }
            Some(LinkState::Backlog) => {
                if let Some(waiting) = &mut self.young {
                    waiting.retain(|newcomer| newcomer.link != link);
                }
                if let Some(recovery) = &mut self.recovery {
                    recovery.withdraw(link);
                }
            }
            Some(LinkState::Waiting) => self.ranks.withdraw(link),
            Some(LinkState::Parked(rank)) => {
                if let Some(parked) = self.parked.get_mut(&rank) {
                    parked.retain(|newcomer| newcomer.link != link);
                }
            }
            // It was refused or replaced before.
            None => {}
        }
    }

    pub(super) fn end_session(&mut self, now: Micros, id: SessionId, cause: Cause) {
        let Some(session) = self.members.remove(id) else { return };
        self.watches.end(id);
        let removed = self.keys.end(now, Holder::Session(id), cause);
        self.report(removed, false);
        for (sequence, awaited) in session.replies.waiting() {
            match (awaited, session.rank) {
                (Awaited::Key(key), _) => self.waits.leave(key, Caller { session: id, sequence }),
                (Awaited::Round(name), Some(rank)) => self.gathers.leave(name, rank, id),
                // Locks end all together.
                (Awaited::Round(_), None) | (Awaited::Lock(_), _) => {}
            }
        }
        let grants = self.locks.end(now, id, &mut self.keys.revision);
        self.granted(grants);
        self.leases.end(id);
        self.keys.leave(now, id);
        self.ask_for_hand_over(if cause == Cause::Left { now.saturating_add(LEAVING_US) } else { now });
        if let Some(rank) = session.rank {
            let news = if cause == Cause::Left { MemberEvent::Left } else { MemberEvent::Dead };
            let is_watched = self.watches.anyone_watches_members();
            let (peer, epoch) = (session.peer(id, rank), session.broken_in.unwrap_or(self.reports.epoch));
            self.reports.happened(now, news, peer.clone(), is_watched, true);
            if news == MemberEvent::Dead {
                self.reports.lost(Lost { epoch, peer });
            }
            self.ranks.free(rank);
            self.unpark(now, rank.0);
            let given = self.ranks.serve_waiting();
            self.admit(now, given);
        }
        if self.had_members && self.members.count() == 0 && !self.ranks.anyone_waits() {
            self.end_job(now);
        }
    }

    /// The last member has left; the next job on a store that stays up must not find the data of this one.
    fn end_job(&mut self, now: Micros) {
        let guests: Vec<_> = self.members.guests().iter().copied().collect();
        let removed = self.keys.clear(now, &guests);
        self.report(removed, false);
        self.leases.clear();
        self.ranks.reset();
        self.reports.forget_dead();
        self.handover = None;
        self.had_members = false;
    }

    /// The fate of a rank is decided: newcomers that waited for it are admitted again.
    fn unpark(&mut self, now: Micros, rank: u32) {
        for newcomer in self.parked.remove(&rank).unwrap_or_default() {
            self.links.remove(&newcomer.link);
            self.newcomer(now, newcomer);
        }
    }
}

fn given_up(session: SessionId) -> Failure {
    Failure::new(Kind::NotConnected, format!("the store has given session {session} up"))
}
