// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store itself, as a pure state machine: events and a clock value in, actions out.
//!
//! It opens nothing, sleeps never and reads no clock, so that ten thousand members fit into one test. The
//! server ([`crate::server`]), the in-memory twin ([`crate::memory`]) and the simulation drive the very same
//! machine; the edge owns the connections, the machine owns everything that outlives a message:
//!
//! * [`joining`]: how links become members and guests, resume, and end. [`early`]: in a store that has just
//!   begun. [`ranks`]: who is which rank, and who waits for one. [`members`]: the sessions. [`reports`]: news
//!   of the membership.
//! * [`requests`]: what each request does. [`replies`]: that it does it once.
//! * [`keys`], [`listing`]: values, revisions, and what a key lives with. [`cards`]: keys of guests with
//!   names. [`leases`]: how long. [`watches`]: who wants to hear of which. [`waits`]: who waits for which.
//! * [`gathers`]: who is inside which barrier. [`locks`]: who holds which lock.
//! * [`keepers`], [`handover`]: who remembers what, so that the next store can learn it. [`recovery`]: how
//!   that store hears it, [`learning`]: what it makes of it, [`takeover`]: how it begins to serve.
//! * [`durable`]: what is written outside, where the keys are kept there as well.
//! * [`backlog`]: what clients hear later that read slowly. [`status`]: what all of this looks like.
//!
//! A *link* is one connection; a *session* is a membership (or a guest's stay), which survives links and
//! stores.
//!
//! # Invariants
//! * Actions are delivered in their order, per link at least. A change is handed to the watches before the
//!   reply of the call that made it.
//! * A session is answered only over the link that it has now; what a lost link swallowed is asked again.
//! * When a session ends, first its keys go (each one change), then its waits and barrier entries, then its
//!   locks pass on, and last its rank becomes free: whoever gets the rank next comes after the news of the
//!   end.
//! * Nothing depends on the order of a hash table, so that the same events give the same actions.
//!
//! # What an event costs
//! The logarithm of the number of members, and one action for each member that must hear of it. News that all
//! must hear is gathered.

mod backlog;
mod cards;
mod due;
mod durable;
mod early;
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
mod ranks;
mod recovery;
mod replies;
mod reports;
mod requests;
mod status;
mod takeover;
mod texts;
mod waits;
mod watches;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use mf_base::Rank;

use crate::api::Cause;
use crate::protocol::{Answer, Changed, Failure, Notice, OneWay, Refusal, RequestMessage, Standing};
use early::Deferred;
use gathers::Gathers;
use keys::{Holder, Keys};
use leases::Leases;
use locks::Locks;
use members::Members;
use ranks::Ranks;
use recovery::{Newcomer, Recovery};
use reports::Reports;
use waits::Waits;
use watches::Watches;

pub(crate) use durable::{Batch, DurableState, Life, Stored};
pub(crate) use ranks::Arrival;
pub use status::{MemberStatus, Status, StorePhase};

/// A time in microseconds since a moment that the edge picked.
pub(crate) type Micros = u64;
/// Number of a connection, never used again by the same machine.
pub(crate) type LinkId = u64;
/// Number of a session, never used again in the same job.
pub(crate) type SessionId = u64;

/// How long a job that ends may take before its keys are handed from those that left to those that stay.
const LEAVING_US: Micros = 100_000;

/// What a store is told when it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Ranks of the job; 0: the first member decides.
    pub(crate) world_size: u32,
    /// Most ranks of any job.
    pub(crate) max_world: u32,
    /// The silence after which an incomplete world gets its ranks.
    pub(crate) rank_window_us: Micros,
    /// How long a session without a link may take to resume.
    pub(crate) resume_grace_us: Micros,
    /// How long members of a store that died are waited for.
    pub(crate) recovery_us: Micros,
    /// How long the store is young: members of a store that died at this address come within it, and must
    /// not find their ranks and keys overtaken; see [`early`]. 0: no store was there before.
    pub(crate) hold_us: Micros,
    /// Nothing speaks for a store before this one: nobody waits while the store is young.
    pub(crate) seems_first: bool,
    /// Every store of the job derives the same token, so early members can become part of a job that is
    /// restored.
    pub(crate) lasting_token: bool,
    /// How long after the last arrival the member is waited for whose process ran the store that died.
    pub(crate) recovery_quiet_us: Micros,
    /// Take over only with more than half of the members.
    pub(crate) quorum: bool,
    /// Never take over.
    pub(crate) skip_recovery: bool,
    /// A meeting point: there are no members.
    pub(crate) guests_only: bool,
    /// So much may be said to a client before it has heard it; see [`backlog`].
    pub(crate) unread_bytes: usize,
}

/// Something that happened at the edge.
#[derive(Debug)]
pub(crate) enum Event {
    /// An authenticated connection asks for membership.
    Join { link: LinkId, arrival: Box<Arrival> },
    /// A request of a connection.
    Request { link: LinkId, sequence: u64, message: RequestMessage },
    /// A connection says something that needs no reply.
    OneWay { link: LinkId, message: OneWay },
    /// A connection is gone, after a goodbye or without.
    End { link: LinkId, goodbye: bool },
    /// All that was said over a connection so far has left the store.
    Drained { link: LinkId },
    /// [`Machine::next_deadline`] passed.
    Tick,
}

/// What a welcome says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Granted {
    /// None: a guest.
    pub(crate) rank: Option<Rank>,
    pub(crate) world_size: u32,
    pub(crate) session: SessionId,
    pub(crate) term: u64,
    pub(crate) standing: Standing,
    pub(crate) revision: u64,
}

/// Something that the edge shall do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Tell a connection what it is.
    Welcome { link: LinkId, granted: Granted },
    /// Tell a connection why it does not become a member, then close it.
    Refuse { link: LinkId, refusal: Refusal },
    /// Answer a request.
    Reply { link: LinkId, sequence: u64, result: Result<Answer, Failure> },
    /// Report a change to one watch.
    Change { link: LinkId, watch: u64, change: Arc<Changed> },
    /// Say something unasked.
    Notice { link: LinkId, notice: Arc<Notice> },
    /// Close a connection that breaks the rules, or in whose place another one is.
    Drop { link: LinkId, reason: &'static str },
    /// Stop leading: a store of this or a higher term exists, or too few members followed this one.
    StepDown { term: u64 },
}

/// What a link is to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkState {
    /// It came in a recovery.
    Backlog,
    /// It waits until it is known whether this rank becomes free.
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
    phase: StorePhase,
    term: u64,
    /// Sessions that began in this term.
    sessions: u64,
    /// Whether there was a member since the store was empty.
    had_members: bool,
    links: HashMap<LinkId, LinkState>,
    members: Members,
    ranks: Ranks,
    /// Arrivals by the rank that they wait for.
    parked: BTreeMap<u32, Vec<Newcomer>>,
    /// The newcomers that wait while the store is young; none when it no longer is.
    young: Option<Vec<Newcomer>>,
    /// What is answered once it is known whether this store takes over from another.
    deferred: Deferred,
    recovery: Option<Recovery>,
    reports: Reports,
    keys: Keys,
    leases: Leases,
    watches: Watches,
    waits: Waits,
    gathers: Gathers,
    locks: Locks,
    /// When what nobody keeps is handed to a member.
    handover: Option<Micros>,
    /// Who was asked last to keep something.
    heirs: u32,
}

impl Machine {
    /// An empty store; `store` is the random number of this run of it.
    pub(crate) fn new(store: [u8; 16], limits: Limits) -> Self {
        Self {
            store,
            limits,
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
            reports: Reports::default(),
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
        let mut actions = Vec::new();
        if self.phase == StorePhase::Over && !matches!(event, Event::Join { .. }) {
            // What this store would still acknowledge, nobody would ever hear of.
            return actions;
        }
        match event {
            Event::Join { link, arrival } => self.join(now, link, arrival, &mut actions),
            Event::Request { link, sequence, message } => {
                self.request(now, link, sequence, message, &mut actions);
            }
            Event::OneWay { link, message } => self.message(now, link, message, &mut actions),
            Event::End { link, goodbye } => self.end_link(now, link, goodbye, &mut actions),
            Event::Drained { link } => self.drained(now, link, &mut actions),
            Event::Tick => {}
        }
        // Also without a tick: what is due is due, whichever event the edge heard of first.
        self.expire(now, &mut actions);
        actions
    }

    /// Whether it is open which store this one follows: the first, or one that died.
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

    fn expire(&mut self, now: Micros, actions: &mut Vec<Action>) {
        if self.next_deadline().is_none_or(|deadline| deadline > now) {
            return;
        }
        if self.limits.hold_us <= now {
            self.grow_up(now, actions);
        }
        if self.recovery.as_ref().is_some_and(|recovery| recovery.deadline() <= now) {
            self.take_over(now, actions);
        }
        while let Some(session) = self.members.expire(now) {
            self.end_session(now, session, Cause::Lost, actions);
        }
        let (given, late) = self.ranks.expire(now);
        self.admit(now, given, actions);
        for (link, failure) in late {
            self.refuse(link, failure, false, actions);
        }
        while let Some(lease) = self.leases.expire(now) {
            let removed = self.keys.end(now, Holder::Lease(lease), Cause::Expired);
            self.report(removed, false, actions);
        }
        self.expire_requests(now, actions);
        if self.handover.is_some_and(|at| at <= now) {
            self.hand_over(now, actions);
        }
        let full = self.limits.unread_bytes;
        self.reports.expire(now, full, &mut self.members, &mut self.watches, actions);
        // Behind what is held: the answer to this proves that whatever was said before has arrived.
        while let Some((session, batch)) =
            self.keys.keepers.outbox.take(now, |session| self.members.has_room(session, full))
        {
            if let Some(session) = self.members.get_mut(session)
                && let Some(link) = session.link
            {
                session.send(Action::Notice { link, notice: Arc::new(Notice::Superseded(batch)) }, actions);
            }
        }
    }

    fn message(&mut self, now: Micros, link: LinkId, message: OneWay, actions: &mut Vec<Action>) {
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
                    self.end_link(now, link, false, actions);
                    actions.push(Action::Drop { link, reason });
                }
            }
            // It was welcomed or refused before its memories arrived; nobody asked for them.
            (Some(LinkState::Of(_)) | None, _) => {}
            (Some(LinkState::Backlog | LinkState::Parked(_) | LinkState::Waiting), _) => {
                self.end_link(now, link, false, actions);
                actions.push(Action::Drop { link, reason: "it told something before it was a member" });
            }
        }
    }

    fn refuse(&mut self, link: LinkId, failure: Failure, later: bool, actions: &mut Vec<Action>) {
        self.links.remove(&link);
        actions.push(Action::Refuse { link, refusal: Refusal { failure, later, leader: None } });
    }

    /// Tells waits and watches of a key that was set; `fresh` tells that it was not there before.
    fn published(&mut self, key: &Arc<str>, fresh: bool, actions: &mut Vec<Action>) {
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
            self.appeared(caller, deadline, key, &entry, actions);
        }
        if concerns {
            self.report([Changed::Put(entry)], fresh, actions);
        }
    }

    fn report(&mut self, changes: impl IntoIterator<Item = Changed>, fresh: bool, actions: &mut Vec<Action>) {
        let full = self.limits.unread_bytes;
        for change in changes {
            let change = Arc::new(change);
            self.watches.matching(change.key(), |session, watch| {
                if let Some(session) = self.members.get_mut(session) {
                    session.notify(full, watch, &change, fresh, actions);
                }
            });
        }
    }

    /// Answers a request; `once` keeps the answer in case that it is asked again.
    fn reply(
        &mut self,
        caller: Caller,
        once: bool,
        result: Result<Answer, Failure>,
        actions: &mut Vec<Action>,
    ) {
        let full = self.limits.unread_bytes;
        let Some(session) = self.members.get_mut(caller.session) else { return };
        session.replies.answered(caller.sequence, once, &result);
        session.answer(full, caller.sequence, result, actions);
    }

    /// As [`reply`](Self::reply), also to a client that is full: its turn has come.
    fn reply_now(
        &mut self,
        caller: Caller,
        once: bool,
        result: Result<Answer, Failure>,
        actions: &mut Vec<Action>,
    ) {
        let Some(session) = self.members.get_mut(caller.session) else { return };
        session.replies.answered(caller.sequence, once, &result);
        if let Some(link) = session.link {
            session.send(Action::Reply { link, sequence: caller.sequence, result }, actions);
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
