// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The client's side of a session, as a pure state machine: messages and a clock value in, effects out.
//!
//! A session outlives its links and its stores; this machine is its state in the client. It opens nothing,
//! never sleeps and reads no clock: the edge ([`crate::client`]) and the simulation drive the very same code.
//!
//! * [`pending`]: requests without a reply, their sequence numbers and deadlines.
//! * [`replies`]: effects of a reply beyond its caller.
//! * [`kept`]: replicas for a store that starts empty.
//! * [`watches`]: the state that each watch has seen, so that after a resume it sees each change exactly
//!   once.
//!
//! # The life of a link
//! 1. The edge puts [`join_resume`](ClientMachine::join_resume) into its `Join`, and when the challenge names
//!    another store than the last one, sends [`memories`](ClientMachine::memories) right after it.
//! 2. [`on_welcome`](ClientMachine::on_welcome): watches are set up again, then all requests without a reply
//!    are sent again under their old numbers. The same store answers each once. Another store has none of
//!    them, so requests that are not idempotent fail: it is unknown if they happened.
//! 3. Replies, changes and notices follow, then [`on_link_lost`](ClientMachine::on_link_lost), and it begins
//!    again; or [`on_given_up`](ClientMachine::on_given_up), and everything ends.
//!
//! # Order
//! Effects are carried out in their order. A change that the store sent before a reply is delivered before
//! the request of the reply completes; since watches are set up again before requests are sent again, that
//! holds over a resume too.
//!
//! # A caller that gives up
//! A request may still happen after its caller returned. If it would change the store, the machine continues
//! to wait for its reply: it must know its writes to keep a replica, and it returns its grants (a lock, a
//! lease, a watch).

mod kept;
mod pending;
mod replies;
#[cfg(test)]
mod tests;
mod watches;

use std::sync::Arc;

use mf_base::Kind;

use crate::api::{Change, ViewChange};
use crate::protocol::{Answer, Failure, Notice, OneWay, Request, RequestMessage, Resume, Standing, Welcome};
use crate::state::Micros;
use kept::Memories;
use pending::{Pending, Requests};
use watches::Watches;

/// Something that the edge shall do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Send a request over the current link.
    Send { sequence: u64, message: RequestMessage },
    /// Send a message without a reply over the current link.
    OneWay(OneWay),
    /// A request has ended.
    Complete { sequence: u64, result: Result<Answer, Failure> },
    /// Call a watch of keys.
    Deliver { watch: u64, change: Arc<Change> },
    /// Call a watch of the membership.
    DeliverView { watch: u64, change: Arc<ViewChange> },
    /// Call a watch of the leader.
    DeliverLeader { watch: u64, term: u64 },
}

/// Membership granted by the last welcome.
#[derive(Clone, Copy, Debug)]
struct Membership {
    session: u64,
    rank: Option<u32>,
    store: [u8; 16],
    term: u64,
}

/// State of the connection to the store.
#[derive(Clone, Debug)]
enum Reach {
    /// There was no welcome yet.
    Never,
    Linked,
    /// The last link broke at that time.
    Away(Micros),
    /// The session has ended.
    Over(Failure),
}

/// One session, seen from its client.
pub(crate) struct ClientMachine {
    key: [u8; 16],
    membership: Option<Membership>,
    standing: Standing,
    /// The highest revision that any message held.
    revision: u64,
    reach: Reach,
    /// The store announced that it ends on purpose.
    is_ending: bool,
    requests: Requests,
    memories: Memories,
    watches: Watches,
}

impl ClientMachine {
    /// A client that was never a member; `key` is the random number of its `Join`s.
    pub(crate) fn new(key: [u8; 16]) -> Self {
        Self {
            key,
            membership: None,
            standing: Standing::default(),
            revision: 0,
            reach: Reach::Never,
            is_ending: false,
            requests: Requests::default(),
            memories: Memories::default(),
            watches: Watches::default(),
        }
    }

    /// The random number in each `Join`.
    pub(crate) fn key(&self) -> [u8; 16] {
        self.key
    }

    /// The claim in the `Join` on a new link; none before the first welcome.
    pub(crate) fn join_resume(&self) -> Option<Resume> {
        let Membership { session, rank, store, term } = self.membership?;
        Some(Resume {
            session,
            rank,
            store,
            term,
            standing: self.standing,
            revision: self.revision,
            answered_below: self.requests.answered_below(),
        })
    }

    /// Returns the messages to send right after a `Join` to the store with challenge `store`: all replicas,
    /// up to [`OneWay::Complete`], if it is another store than before; nothing otherwise.
    pub(crate) fn memories(&self, store: [u8; 16]) -> Vec<OneWay> {
        match self.membership {
            Some(membership) if membership.store != store => self.memories.report(),
            _ => Vec::new(),
        }
    }

    /// Returns true while a link is up.
    pub(crate) fn is_linked(&self) -> bool {
        matches!(self.reach, Reach::Linked)
    }

    /// Returns true if the store of the last link announced its intended end.
    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending
    }

    /// The last standing from the store.
    pub(crate) fn standing(&self) -> Standing {
        self.standing
    }

    /// The store granted membership over a new link, for the first time or again.
    pub(crate) fn on_welcome(&mut self, now: Micros, welcome: &Welcome) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Reach::Over(_) = self.reach {
            return effects;
        }
        let before = self.membership.replace(Membership {
            session: welcome.session,
            rank: welcome.rank,
            store: welcome.store,
            term: welcome.term,
        });
        self.standing = welcome.standing;
        self.revision = self.revision.max(welcome.revision);
        self.reach = Reach::Linked;
        self.is_ending = false;
        if before.is_none() {
            // No round before this moment was one's own, though it may have been of the same rank.
            self.requests.forget_rounds(self.revision, |_| true);
        }
        if before.is_some_and(|before| before.store != welcome.store) {
            effects.extend(self.requests.change_store(welcome.store, self.revision));
        }
        if before.is_some_and(|before| before.term != welcome.term) {
            let leader_watches = self.watches.of_leader();
            effects.extend(leader_watches.map(|watch| Effect::DeliverLeader { watch, term: welcome.term }));
        }
        for request in self.watches.set_up_again() {
            let sequence = self.requests.add(Pending::internal(request));
            self.send(now, sequence, &mut effects);
        }
        for sequence in self.requests.to_send_again() {
            self.send(now, sequence, &mut effects);
        }
        effects
    }

    /// Begins a request, which completes at `deadline` at the latest (a little later where the store names
    /// the missing members). Returns its sequence number. The machine fills in `timeout_us` and
    /// `after_round`.
    pub(crate) fn begin(
        &mut self,
        now: Micros,
        mut request: Request,
        deadline: Micros,
    ) -> Result<(u64, Vec<Effect>), Failure> {
        if let Reach::Over(failure) = &self.reach {
            return Err(failure.clone());
        }
        let mut effects = Vec::new();
        match &mut request {
            // The next round ends after this moment, regardless of earlier rounds that this member has seen
            // or missed.
            Request::Gather { after_round, .. } => *after_round = Some(self.revision),
            Request::Watch { watch, prefix, exact, .. } => {
                self.watches.begin_keys(*watch, prefix.clone(), *exact);
            }
            Request::WatchMembers { watch } => self.watches.begin_members(*watch),
            Request::Unwatch { watch } => {
                let watch = *watch;
                if self.watches.end_leader(watch) {
                    let sequence = self.requests.skip();
                    effects.push(Effect::Complete { sequence, result: Ok(Answer::Done) });
                    return Ok((sequence, effects));
                }
                if !self.watches.end(watch) {
                    return Err(Failure::new(Kind::NotExist, format!("no watch {watch}")));
                }
            }
            _ => {}
        }
        let sequence = self.requests.add(Pending::of_caller(request, deadline, now));
        if self.is_linked() {
            self.send(now, sequence, &mut effects);
        }
        Ok((sequence, effects))
    }

    /// Notifies `watch` of every later term, from now on until an `Unwatch`.
    pub(crate) fn watch_leader(&mut self, watch: u64) {
        self.watches.begin_leader(watch);
    }

    /// The caller of a request has returned; the request is not completed any more.
    pub(crate) fn cancel(&mut self, sequence: u64) {
        if let Some(Request::Watch { watch, .. } | Request::WatchMembers { watch }) =
            self.requests.abandon(sequence)
        {
            self.watches.end(watch);
        }
    }

    /// Withdraws a request that waits at the store. Returns `None` if that is not needed. An answer that the
    /// store had sent before arrives before the reply to the withdrawal.
    pub(crate) fn withdraw(&mut self, now: Micros, of: u64, deadline: Micros) -> Option<(u64, Vec<Effect>)> {
        if !self.requests.waits_at_store(of) {
            return None;
        }
        self.begin(now, Request::Withdraw { of }, deadline).ok()
    }

    /// The store answered a request.
    pub(crate) fn on_reply(
        &mut self,
        now: Micros,
        sequence: u64,
        result: Result<Answer, Failure>,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(mut pending) = self.requests.remove(sequence) else { return effects };
        self.learn_revision(&result);
        self.watch_answered(&pending, &result, &mut effects);
        self.give_back(now, &pending, &result, &mut effects);
        let result = self.remember(&mut pending, result);
        if pending.has_caller() {
            effects.push(Effect::Complete { sequence, result });
        }
        effects
    }

    /// The store reported a change to a watch of keys.
    pub(crate) fn on_change(&mut self, _now: Micros, watch: u64, change: Arc<Change>) -> Vec<Effect> {
        let revision = match &*change {
            Change::Put(entry) => entry.revision,
            Change::Removed { revision, .. } => *revision,
            // This machine reports the end of a session, once.
            Change::StoreLost => return Vec::new(),
        };
        self.revision = self.revision.max(revision);
        match self.watches.admit(watch, &change) {
            true => vec![Effect::Deliver { watch, change }],
            false => Vec::new(),
        }
    }

    /// A notice of the store arrived.
    pub(crate) fn on_notice(&mut self, _now: Micros, notice: Notice) -> Vec<Effect> {
        match notice {
            Notice::Standing(standing) => {
                if standing.epoch >= self.standing.epoch {
                    self.standing = standing;
                }
                Vec::new()
            }
            Notice::Superseded(keys) => {
                for (key, revision) in &keys {
                    self.revision = self.revision.max(*revision);
                    self.memories.supersede(key, *revision);
                    self.requests.supersede(key, *revision);
                }
                vec![Effect::OneWay(OneWay::Forgotten(keys))]
            }
            Notice::Keep(entries) => {
                for entry in entries {
                    self.revision = self.revision.max(entry.revision);
                    self.memories.keep_handed(entry);
                }
                Vec::new()
            }
            Notice::View { watch, change } => {
                if !self.watches.admit_view(watch, &change) {
                    return Vec::new();
                }
                if let Some((epoch, members)) = self.watches.members(watch) {
                    self.standing = standing_of(self.standing, epoch, members);
                }
                vec![Effect::DeliverView { watch, change: Arc::new(change) }]
            }
            Notice::Ending => {
                self.is_ending = true;
                Vec::new()
            }
        }
    }

    /// The link broke; pending requests wait for the next one.
    pub(crate) fn on_link_lost(&mut self, now: Micros) -> Vec<Effect> {
        if self.is_linked() {
            self.reach = Reach::Away(now);
            self.requests.drop_internal();
        }
        Vec::new()
    }

    /// The session is over: it was closed, refused for good, or the store stayed away too long.
    pub(crate) fn on_given_up(&mut self, failure: Failure) -> Vec<Effect> {
        if let Reach::Over(_) = self.reach {
            return Vec::new();
        }
        let mut effects: Vec<_> = self
            .requests
            .take_all_of_callers()
            .map(|sequence| Effect::Complete { sequence, result: Err(failure.clone()) })
            .collect();
        let lost = Arc::new(Change::StoreLost);
        effects.extend(
            self.watches.take_of_keys().map(|watch| Effect::Deliver { watch, change: Arc::clone(&lost) }),
        );
        self.memories = Memories::default();
        self.reach = Reach::Over(failure);
        effects
    }

    /// When [`on_tick`](Self::on_tick) is due, if nothing else happens.
    pub(crate) fn next_deadline(&self) -> Option<Micros> {
        self.requests.next_limit(self.is_linked())
    }

    /// Ends the requests past their deadlines.
    pub(crate) fn on_tick(&mut self, now: Micros) -> Vec<Effect> {
        let linked = self.is_linked();
        let mut effects = Vec::new();
        for (sequence, began) in self.requests.due(now, linked) {
            self.cancel(sequence);
            let result = Err(self.timeout(now, began));
            effects.push(Effect::Complete { sequence, result });
        }
        effects
    }

    fn timeout(&self, now: Micros, began: Micros) -> Failure {
        let waited_ms = now.saturating_sub(began) / 1000;
        let what = match self.reach {
            Reach::Away(since) => {
                let away_ms = now.saturating_sub(since) / 1000;
                format!("the store is away since {away_ms} ms, the call waited {waited_ms} ms")
            }
            Reach::Never => format!("no store was reached in {waited_ms} ms"),
            Reach::Linked | Reach::Over(_) => format!("the store did not answer within {waited_ms} ms"),
        };
        Failure::new(Kind::Timeout, what)
            .hint("check that the process that runs the store is alive and not stopped")
    }

    fn send(&mut self, now: Micros, sequence: u64, effects: &mut Vec<Effect>) {
        let Some(store) = self.membership.map(|membership| membership.store) else { return };
        if let Some(message) = self.requests.sent(now, sequence, store) {
            effects.push(Effect::Send { sequence, message });
        }
    }
}

/// The standing, for a client that knows the members of an epoch: it may be later than the last standing it
/// received.
fn standing_of(known: Standing, epoch: u64, members: impl Iterator<Item = u64>) -> Standing {
    if epoch <= known.epoch {
        return known;
    }
    let mut standing = Standing { epoch, members: 0, host_session: None };
    for session in members {
        standing.members += 1;
        if known.host_session == Some(session) {
            standing.host_session = known.host_session;
        }
    }
    standing
}
