// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The end of a recovery: the store begins to serve the merged replicas.
//!
//! The term is one above the highest that any of them knew. The revision continues above everything that was
//! ever acknowledged, also to members that did not resume: its upper half is the term. So a lock that this
//! store grants has a higher fencing number than any that an earlier store grants, even one that still runs.

use std::collections::{BTreeMap, BTreeSet};

use mf_base::{Kind, Rank};

use super::joining::MAX_REVISION;
use super::keys::{Hold, Holder, Writer};
use super::learning::Memories;
use super::members::Session;
use super::recovery::Resumer;
use super::{Action, LinkId, LinkState, Machine, Micros, SessionId, StorePhase};
use crate::protocol::Failure;

impl Machine {
    pub(super) fn take_over(&mut self, now: Micros) {
        let Some(mut recovery) = self.recovery.take() else { return };
        let (expected, came) = recovery.progress();
        let before = recovery.term();
        let (resumed, late) = recovery.finish();
        if self.limits.quorum && expected > 0 && u64::from(came) * 2 <= u64::from(expected) {
            let members = resumed.into_values().chain(late).filter_map(|resumer| resumer.link);
            let newcomers = recovery.newcomers.iter().map(|newcomer| newcomer.link);
            let what =
                format!("only {came} of {expected} members resumed at this store, a majority is needed");
            self.give_way(before, what, members.chain(newcomers));
            return;
        }
        for resumer in late {
            self.refuse_late(&resumer, before);
        }
        if resumed.is_empty() {
            let has_members = self.members.count() > 0;
            self.phase = if has_members { StorePhase::Serving } else { StorePhase::Fresh };
        } else {
            let ranks: BTreeSet<u32> = resumed.values().filter_map(|resumer| resumer.resume.rank).collect();
            let early = self.part_early(now, |rank| ranks.contains(&rank));
            self.restore(now, before, resumed);
            self.reconnect_early(now, early);
        }
        for newcomer in recovery.newcomers {
            self.links.remove(&newcomer.link);
            self.newcomer(now, newcomer);
        }
        self.serve_deferred(now);
    }

    /// Too few members resumed: another store may have the others.
    fn give_way(&mut self, term: u64, what: String, links: impl Iterator<Item = LinkId>) {
        let failure = Failure::new(Kind::NotConnected, what)
            .hint("the others may be with another store, or cannot reach this one");
        for link in links {
            self.refuse(link, failure.clone(), true);
        }
        self.phase = StorePhase::Over;
        self.outgoing.actions.push(Action::StepDown { term });
    }

    fn refuse_late(&mut self, resumer: &Resumer, term: u64) {
        let Some(link) = resumer.link else { return };
        let session = resumer.resume.session;
        let what = match resumer.complete {
            true => format!(
                "session {session} belongs to term {}, later stores up to term {term} went on without it",
                resumer.resume.term
            ),
            false => format!("session {session} did not send its replicas in time"),
        };
        self.refuse(link, Failure::new(Kind::NotConnected, what), false);
    }

    fn restore(&mut self, now: Micros, before: u64, resumed: BTreeMap<SessionId, Resumer>) {
        self.phase = StorePhase::Serving;
        // A store that was elected has a term of its own.
        self.term = self.term.max(before + 1);
        self.sessions = 0;
        let mut memories = Memories::default();
        self.keys.forget_into(&mut memories);
        let mut revision = self.keys.revision;
        let mut epoch = self.reports.epoch;
        let mut sessions = Vec::with_capacity(resumed.len());
        for (id, resumer) in resumed {
            let Resumer { link, arrival, resume, report, .. } = resumer;
            revision = revision.max(resume.revision);
            epoch = epoch.max(resume.standing.epoch);
            let rank = resume.rank.map(Rank);
            let mut session = Session::new(now, rank, &arrival, link);
            session.replies.confirm(resume.answered_below);
            if let Some(rank) = rank {
                self.ranks.restore(rank, &arrival);
                self.had_members = true;
            }
            self.members.insert(id, session);
            match link {
                Some(link) => {
                    self.links.insert(link, LinkState::Of(id));
                }
                None => {
                    self.members.detach(id, epoch, now.saturating_add(self.limits.resume_grace_us));
                }
            }
            sessions.push(id);
            for kept in report.kept {
                if kept.revision < MAX_REVISION {
                    memories.add(Writer { session: id, rank }, kept);
                }
            }
            for (name, fence) in report.holding {
                revision = revision.max(fence.min(MAX_REVISION));
                self.locks.learn(now, id, name, fence);
            }
            for (lease, ttl_us) in report.leases {
                revision = revision.max(lease.0.min(MAX_REVISION));
                self.leases.learn(now, id, lease, ttl_us);
            }
            for (name, round) in report.rounds {
                revision = revision.max(round.round.min(MAX_REVISION));
                self.gathers.learn(now, name, round);
            }
        }
        self.keys.revision = revision.max(memories.revision).saturating_add(1).max(self.term << 32);
        self.reports.epoch = epoch + 1;
        if self.has_all_of(before) {
            memories.settle();
        }
        self.keys.learn(now, memories);
        self.assume_leases(now);
        self.end_the_absent(now);
        self.publish_all();
        for id in sessions {
            self.welcome(id);
        }
        self.ask_for_hand_over(now);
    }

    /// Expects leases of dead members: keys may be bound to them.
    fn assume_leases(&mut self, now: Micros) {
        for record in self.keys.records.values() {
            if let Some(Hold { holder: Holder::Lease(lease), .. }) = record.hold {
                self.leases.assume(now, lease);
            }
        }
    }

    /// Guests that connected before the members are notified of all keys that are there now.
    fn publish_all(&mut self) {
        if self.waits.is_empty() && self.watches.count() == 0 {
            return;
        }
        let names: Vec<_> = self.keys.records.keys().cloned().collect();
        for name in names {
            self.published(&name, false);
        }
    }
}
