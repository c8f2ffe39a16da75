// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Membership events: changes of the membership are reported to its watches, and as the number of members to
//! all.
//!
//! Each change has an epoch. The first change is reported at once; those that follow are gathered, so that
//! many members that join or leave at a time do not cost a message to all for each of them. While the world
//! is filling up, the standing is gathered longer: every newcomer has just received it with its welcome.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Micros;
use super::backlog::Outgoing;
use super::members::Members;
use super::watches::Watches;
use crate::api::{Lost, Peer, View, ViewChange};
use crate::protocol::{Notice, Standing};

/// The shortest time between two reports.
const REPORT_US: Micros = 5_000;
/// Longest delay of the standing while members join a world that is not full.
const FILLING_US: Micros = 100_000;

/// Event of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberEvent {
    Joined,
    Left,
    Dead,
}

/// When the next report is due, and when the last one was.
#[derive(Debug, Default)]
struct ReportTiming {
    last: Option<Micros>,
    due: Option<Micros>,
}

impl ReportTiming {
    fn ask(&mut self, now: Micros, delay: Micros) {
        let at = self
            .last
            .map_or(now, |last| now.max(last.saturating_add(REPORT_US)))
            .max(now.saturating_add(delay));
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    fn take(&mut self, now: Micros) -> bool {
        let is_due = self.due.is_some_and(|due| due <= now);
        if is_due {
            self.due = None;
            self.last = Some(now);
        }
        is_due
    }
}

/// The epoch, and what of it is still to be reported.
#[derive(Debug, Default)]
pub(super) struct MembershipEvents {
    pub(super) epoch: u64,
    /// Events since the last report, each with its epoch.
    log: Vec<(u64, MemberEvent, Peer)>,
    /// The last lost member of each rank that is free since.
    dead: BTreeMap<u32, Lost>,
    views: ReportTiming,
    standings: ReportTiming,
}

impl MembershipEvents {
    /// The membership changed. `filling`: the world has free ranks.
    pub(super) fn happened(
        &mut self,
        now: Micros,
        news: MemberEvent,
        peer: Peer,
        is_watched: bool,
        filling: bool,
    ) {
        self.epoch += 1;
        self.dead.remove(&peer.rank.0);
        if is_watched {
            self.log.push((self.epoch, news, peer));
            self.views.ask(now, 0);
        }
        let delay = if filling && news == MemberEvent::Joined { FILLING_US } else { 0 };
        self.standings.ask(now, delay);
    }

    pub(super) fn standing(&self, members: &Members) -> Standing {
        Standing { epoch: self.epoch, members: members.count(), host_session: members.host() }
    }

    pub(super) fn view(&self, members: &Members) -> View {
        View { epoch: self.epoch, members: members.peers(), dead: self.dead.values().cloned().collect() }
    }

    /// A member has died; called after [`happened`](Self::happened).
    pub(super) fn lost(&mut self, lost: Lost) {
        self.dead.insert(lost.peer.rank.0, lost);
    }

    /// The job is over: members of the next one have not lost these.
    pub(super) fn forget_dead(&mut self) {
        self.dead.clear();
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.views.due.into_iter().chain(self.standings.due).min()
    }

    /// Reports due changes.
    pub(super) fn expire(
        &mut self,
        now: Micros,
        members: &mut Members,
        watches: &mut Watches,
        outgoing: &mut Outgoing,
    ) {
        if self.views.take(now) {
            self.report_views(members, watches, outgoing);
        }
        if self.standings.take(now) {
            let standing = self.standing(members);
            let notice = Arc::new(Notice::Standing(standing));
            members.for_each_linked(|session| {
                if session.notified_epoch < standing.epoch {
                    session.notified_epoch = standing.epoch;
                    session.notify_standing(&notice, outgoing);
                }
            });
        }
    }

    fn report_views(&mut self, members: &mut Members, watches: &mut Watches, outgoing: &mut Outgoing) {
        // Most watches were notified up to the same epoch and have the same number.
        let mut notices: BTreeMap<(u64, u64), Arc<Notice>> = BTreeMap::new();
        let mut changes: BTreeMap<u64, ViewChange> = BTreeMap::new();
        for ((session, watch), notified) in watches.of_members() {
            let since = std::mem::replace(notified, self.epoch);
            let Some(session) = members.get_mut(*session).filter(|_| since < self.epoch) else { continue };
            let notice = notices.entry((since, *watch)).or_insert_with(|| {
                let change = changes.entry(since).or_insert_with(|| self.change_since(since));
                Arc::new(Notice::View { watch: *watch, change: change.clone() })
            });
            if let Notice::View { change, .. } = &**notice {
                session.notify_view(*watch, change, notice, outgoing);
            }
        }
        self.log.clear();
    }

    fn change_since(&self, since: u64) -> ViewChange {
        let mut change = ViewChange { epoch: self.epoch, ..ViewChange::default() };
        let mut joined: BTreeMap<u64, Peer> = BTreeMap::new();
        for (_, news, peer) in self.log.iter().filter(|(epoch, ..)| *epoch > since) {
            match news {
                MemberEvent::Joined => {
                    joined.insert(peer.session, peer.clone());
                }
                // A member that came and went between two reports is not reported.
                MemberEvent::Left if joined.remove(&peer.session).is_none() => change.left.push(peer.clone()),
                MemberEvent::Dead if joined.remove(&peer.session).is_none() => change.dead.push(peer.clone()),
                MemberEvent::Left | MemberEvent::Dead => {}
            }
        }
        change.joined = joined.into_values().collect();
        change
    }
}
