// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State machine of the store, pure: events and a clock value in, actions out.
//!
//! It opens nothing, sleeps never and reads no clock, so that ten thousand members fit into one test. The
//! server ([`crate::server`]), the in-memory twin ([`crate::memory`]) and the simulation drive the very same
//! machine; the edge owns the connections, the machine owns everything that outlives a message:
//!
//! * [`joining`]: how links become members and guests, resume, and end. [`provisional_members`]: the same in
//!   a store that has just started. [`ranks`]: assignment of ranks, and waits for one. [`members`]: the
//!   sessions. [`membership_events`]: changes of the membership.
//! * [`requests`]: execution of each request. [`replies`]: its effect happens exactly once (idempotent
//!   resends).
//! * [`keys`], [`listing`]: values, revisions and lifetimes. [`cards`]: keys of guests with names.
//!   [`leases`]: times to live. [`watches`]: which client is notified of which changes. [`waits`]: which
//!   client waits for which key.
//! * [`gathers`]: members inside barriers and allgathers. [`locks`]: holders and queues of locks.
//! * [`keepers`], [`handover`]: which member keeps a replica of which key, so that the next store can recover
//!   it. [`recovery`]: how that store receives the replicas, [`learning`]: how it merges them, [`takeover`]:
//!   how it begins to serve.
//! * [`durable`]: changes written to etcd, if the keys are kept there as well.
//! * [`backlog`]: back-pressure, queues for clients that read slowly. [`status`]: a snapshot of all of this.
//!
//! A *link* is one connection; a *session* is a membership (or a guest's stay), which survives links and
//! stores.
//!
//! # Invariants
//! * Actions are delivered in their order, per link at least. A change is sent to the watches before the
//!   reply of the call that made it.
//! * A session is answered only over the link that it has now; requests that a lost link dropped are sent
//!   again.
//! * When a session ends, first its keys are removed (each one change), then its waits and barrier entries,
//!   then its locks are granted to the next in their queues, and last its rank becomes free: the next member
//!   of that rank is announced after the end of this one.
//! * Nothing depends on the order of a hash table, so that the same events give the same actions.
//!
//! # Cost of an event
//! The logarithm of the number of members, and one action for each member that must be notified.
//! Notifications for all members are gathered.

mod backlog;
mod cards;
mod durable;
mod format;
mod gathers;
mod handover;
mod joining;
mod keepers;
mod keys;
mod learning;
mod leases;
mod listing;
mod locks;
mod members;
mod membership_events;
mod provisional_members;
mod ranks;
mod recovery;
mod replies;
mod requests;
mod status;
mod takeover;
mod timers;
mod waits;
mod watches;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use mf_base::Rank;

use crate::api::Cause;
use crate::protocol::{Answer, Changed, Failure, Notice, OneWay, Refusal, RequestMessage, Standing};
use backlog::Outgoing;
use gathers::Gathers;
use keys::{Holder, Keys};
use leases::Leases;
use locks::Locks;
use members::Members;
use membership_events::MembershipEvents;
use provisional_members::Deferred;
use ranks::Ranks;
use recovery::{Newcomer, Recovery};
use waits::Waits;
use watches::Watches;

pub use durable::{Batch, DurableState, Life, Stored};
pub(crate) use ranks::Arrival;
pub use status::{MemberStatus, Status, StorePhase};

/// A time in microseconds since a moment that the edge picked.
pub(crate) type Micros = u64;
/// Number of a connection, never used again by the same machine.
pub(crate) type LinkId = u64;
/// Number of a session, never used again in the same job.
pub(crate) type SessionId = u64;

/// Longest time for a job to end before the keys of members that left are handed to the others.
const LEAVING_US: Micros = 100_000;

/// Configuration of a store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Ranks of the job; 0: the first member decides.
    pub(crate) world_size: u32,
    /// Most ranks of any job.
    pub(crate) max_world: u32,
    /// An incomplete world gets its ranks when no member has joined for this long.
    pub(crate) rank_window_us: Micros,
    /// Time in which a session without a link may resume.
    pub(crate) resume_grace_us: Micros,
    /// Longest wait for members of a store that died.
    pub(crate) recovery_us: Micros,
    /// Time for which the store is young: members of a store that died at this address reconnect within it,
    /// and their ranks and keys must not be taken meanwhile; see [`provisional_members`]. 0: no store
    /// preceded it.
    pub(crate) hold_us: Micros,
    /// There is no sign of a store before this one: newcomers do not wait while the store is young.
    pub(crate) seems_first: bool,
    /// Every store of the job derives the same token, so early members can become part of a job that is
    /// restored.
    pub(crate) lasting_token: bool,
    /// Wait, after the last arrival, for the member that ran the store that died.
    pub(crate) recovery_quiet_us: Micros,
    /// Take over only with more than half of the members.
    pub(crate) quorum: bool,
    /// Never take over.
    pub(crate) skip_recovery: bool,
    /// A meeting point: there are no members.
    pub(crate) guests_only: bool,
    /// Most bytes sent to a client that it has not read yet; see [`backlog`].
    pub(crate) unread_bytes: usize,
}

/// Something that happened at the edge.
#[derive(Debug)]
pub(crate) enum Event {
    /// An authenticated connection asks for membership.
    Join { link: LinkId, arrival: Box<Arrival> },
    /// A request of a connection.
    Request { link: LinkId, sequence: u64, message: RequestMessage },
    /// A connection sends a message that needs no reply.
    OneWay { link: LinkId, message: OneWay },
    /// A connection has ended, closed by its client, which left (`in_order`), or broken.
    End { link: LinkId, in_order: bool },
    /// All messages for a connection so far have left the store.
    Drained { link: LinkId },
    /// [`Machine::next_deadline`] passed.
    Tick,
}

/// Contents of a welcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Granted {
    /// The rank. `None`: a guest.
    pub(crate) rank: Option<Rank>,
    pub(crate) world_size: u32,
    pub(crate) session: SessionId,
    pub(crate) term: u64,
    pub(crate) standing: Standing,
    pub(crate) revision: u64,
}

/// Action for the edge to perform.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Grant membership to a connection.
    Welcome { link: LinkId, granted: Granted },
    /// Send a connection the reason why it does not become a member, then close it.
    Refuse { link: LinkId, refusal: Refusal },
    /// Answer a request.
    Reply { link: LinkId, sequence: u64, result: Result<Answer, Failure> },
    /// Report a change to one watch.
    Change { link: LinkId, watch: u64, change: Arc<Changed> },
    /// Send a notice.
    Notice { link: LinkId, notice: Arc<Notice> },
    /// Close a connection that breaks the protocol or was replaced by another one.
    Drop { link: LinkId, reason: &'static str },
    /// Stop leading: a store of this or a higher term exists, or too few members followed this one.
    StepDown { term: u64 },
}

/// State of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkState {
    /// It resumes in a recovery.
    Backlog,
    /// It waits until this store knows whether this rank becomes free.
    Parked(u32),
    /// It waits for a rank.
    Waiting,
    /// It resumes at this store, which has not taken over yet.
    Resuming(SessionId),
    /// It is the link of this session.
    Of(SessionId),
}

/// The state of one store.
pub(crate) struct Machine {
    store: [u8; 16],
    limits: Limits,
    /// Actions that follow from the present event.
    outgoing: Outgoing,
    phase: StorePhase,
    term: u64,
    /// Sessions that began in this term.
    sessions: u64,
    /// True if there was a member since the store was empty.
    had_members: bool,
    links: HashMap<LinkId, LinkState>,
    members: Members,
    ranks: Ranks,
    /// Arrivals by the rank that they wait for.
    parked: BTreeMap<u32, Vec<Newcomer>>,
    /// The newcomers that wait while the store is young; none when it no longer is.
    young: Option<Vec<Newcomer>>,
    /// Requests that are answered once this store knows whether it takes over from another.
    deferred: Deferred,
    recovery: Option<Recovery>,
    reports: MembershipEvents,
    keys: Keys,
    leases: Leases,
    watches: Watches,
    waits: Waits,
    gathers: Gathers,
    locks: Locks,
    /// When keys without a keeper are handed to a member.
    handover: Option<Micros>,
    /// The rank that was asked last to keep something.
    heirs: u32,
}

impl Machine {
    /// An empty store; `store` is the random number of this run of it.
    pub(crate) fn new(store: [u8; 16], limits: Limits) -> Self {
        Self {
            store,
            limits,
            outgoing: Outgoing { actions: Vec::new(), unread_bytes: limits.unread_bytes },
            phase: StorePhase::Fresh,
            term: 1,
            sessions: 0,
            had_members: false,
            links: HashMap::new(),
            members: Members::default(),
            ranks: Ranks::new(limits.world_size, limits.max_world, limits.rank_window_us),
            parked: BTreeMap::new(),
            young: (limits.hold_us > 0 && !limits.skip_recovery).then(Vec::new),
            deferred: Deferred::default(),
            recovery: None,
            reports: MembershipEvents::default(),
            keys: Keys::default(),
            leases: Leases::default(),
            watches: Watches::default(),
            waits: Waits::default(),
            gathers: Gathers::default(),
            locks: Locks::default(),
            handover: None,
            heirs: 0,
        }
    }

    /// Ranks of the job; 0 until that is known.
    pub(crate) fn world_size(&self) -> u32 {
        self.ranks.world_size()
    }

    /// The number of the last change.
    #[cfg(test)]
    pub(crate) fn revision(&self) -> u64 {
        self.keys.revision
    }

    /// Takes one event at time `now` and returns what follows from it.
    pub(crate) fn on_event(&mut self, now: Micros, event: Event) -> Vec<Action> {
        if self.phase == StorePhase::Over && !matches!(event, Event::Join { .. }) {
            // Acknowledgements of this store would be lost.
            return Vec::new();
        }
        match event {
            Event::Join { link, arrival } => self.join(now, link, arrival),
            Event::Request { link, sequence, message } => {
                self.request(now, link, sequence, message);
            }
            Event::OneWay { link, message } => self.message(now, link, message),
            Event::End { link, in_order } => self.end_link(now, link, in_order),
            Event::Drained { link } => self.drained(now, link),
            Event::Tick => {}
        }
        // Also without a tick: timers may be due before the event that the edge delivered first.
        self.expire(now);
        std::mem::take(&mut self.outgoing.actions)
    }

    /// Returns true while it is unknown if this store is the first, or follows one that died.
    pub(crate) fn is_fresh(&self) -> bool {
        self.phase == StorePhase::Fresh
    }

    /// When the next [`Event::Tick`] is due, if nothing else happens.
    pub(crate) fn next_deadline(&self) -> Option<Micros> {
        if self.phase == StorePhase::Over {
            return None;
        }
        let recovery = self.recovery.as_ref().map(Recovery::deadline);
        [
            recovery,
            self.young_until(),
            self.handover,
            self.ranks.next_deadline(),
            self.members.next_deadline(),
            self.reports.next_deadline(),
            self.keys.keepers.outbox.next_deadline(),
            self.leases.next_deadline(),
            self.waits.next_deadline(),
            self.gathers.next_deadline(),
            self.locks.next_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn expire(&mut self, now: Micros) {
        if self.next_deadline().is_none_or(|deadline| deadline > now) {
            return;
        }
        if self.limits.hold_us <= now {
            self.grow_up(now);
        }
        if self.recovery.as_ref().is_some_and(|recovery| recovery.deadline() <= now) {
            self.take_over(now);
        }
        while let Some(session) = self.members.expire(now) {
            self.end_session(now, session, Cause::Lost);
        }
        let (given, late) = self.ranks.expire(now);
        self.admit(now, given);
        for (link, failure) in late {
            self.refuse(link, failure, false);
        }
        while let Some(lease) = self.leases.expire(now) {
            let removed = self.keys.end(now, Holder::Lease(lease), Cause::Expired);
            self.report(removed, false);
        }
        self.expire_requests(now);
        if self.handover.is_some_and(|at| at <= now) {
            self.hand_over(now);
        }
        self.reports.expire(now, &mut self.members, &mut self.watches, &mut self.outgoing);
        // After the backlog: the answer to this proves that everything sent before has arrived.
        while let Some((session, batch)) = self
            .keys
            .keepers
            .outbox
            .take(now, |session| self.members.has_room(session, self.outgoing.unread_bytes))
        {
            if let Some(session) = self.members.get_mut(session)
                && let Some(link) = session.link
            {
                session.send(
                    Action::Notice { link, notice: Arc::new(Notice::Superseded(batch)) },
                    &mut self.outgoing,
                );
            }
        }
    }

    fn message(&mut self, now: Micros, link: LinkId, message: OneWay) {
        match (self.links.get(&link), message) {
            (Some(LinkState::Of(session)), OneWay::Forgotten(keys)) => {
                let session = *session;
                for (key, revision) in keys {
                    self.keys.forgotten(now, session, &key, revision);
                }
                if let Some(session) = self.members.get_mut(session) {
                    session.last_contact = now;
                }
            }
            (Some(LinkState::Resuming(session)), message) => {
                let session = *session;
                let result = self.recovery.as_mut().map(|recovery| recovery.one_way(now, session, message));
                if let Some(Err(reason)) = result {
                    self.end_link(now, link, false);
                    self.outgoing.actions.push(Action::Drop { link, reason });
                }
            }
            // It was welcomed or refused before its replicas arrived; they are not needed.
            (Some(LinkState::Of(_)) | None, _) => {}
            (Some(LinkState::Backlog | LinkState::Parked(_) | LinkState::Waiting), _) => {
                self.end_link(now, link, false);
                self.outgoing
                    .actions
                    .push(Action::Drop { link, reason: "it sent data before it was a member" });
            }
        }
    }

    fn refuse(&mut self, link: LinkId, failure: Failure, later: bool) {
        self.links.remove(&link);
        self.outgoing
            .actions
            .push(Action::Refuse { link, refusal: Refusal { failure, later, leader: None } });
    }

    /// Notifies waits and watches of a key that was set; `fresh`: it did not exist before.
    fn published(&mut self, key: &Arc<str>, fresh: bool) {
        let concerns = self.watches.concerns(key);
        if self.waits.is_empty() && !concerns {
            return;
        }
        let waiting = self.waits.satisfy(key);
        if waiting.is_empty() && !concerns {
            return;
        }
        let Some(entry) = self.keys.get(key) else { return };
        for (caller, deadline) in waiting {
            self.appeared(caller, deadline, key, &entry);
        }
        if concerns {
            self.report([Changed::Put(entry)], fresh);
        }
    }

    fn report(&mut self, changes: impl IntoIterator<Item = Changed>, fresh: bool) {
        for change in changes {
            let change = Arc::new(change);
            self.watches.matching(change.key(), |session, watch| {
                if let Some(session) = self.members.get_mut(session) {
                    session.notify(watch, &change, fresh, &mut self.outgoing);
                }
            });
        }
    }

    /// Answers a request; `once` keeps the answer for a request that is sent again.
    fn reply(&mut self, caller: Caller, once: bool, result: Result<Answer, Failure>) {
        let Some(session) = self.members.get_mut(caller.session) else { return };
        session.replies.answered(caller.sequence, once, &result);
        session.answer(caller.sequence, result, &mut self.outgoing);
    }

    /// Like [`reply`](Self::reply), also to a client with a full backlog.
    fn reply_now(&mut self, caller: Caller, once: bool, result: Result<Answer, Failure>) {
        let Some(session) = self.members.get_mut(caller.session) else { return };
        session.replies.answered(caller.sequence, once, &result);
        if let Some(link) = session.link {
            session.send(Action::Reply { link, sequence: caller.sequence, result }, &mut self.outgoing);
        }
    }
}

/// The request that a reply belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Caller {
    session: SessionId,
    sequence: u64,
}

#[cfg(test)]
mod tests;
