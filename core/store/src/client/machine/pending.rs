// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests without a reply: their sequence numbers, their deadlines, and how they are sent again.
//!
//! A request is *pending* from its beginning to its reply, over any number of links. Its caller may return
//! earlier: then it is *abandoned*. An abandoned request that was never sent, or that changes nothing, is
//! dropped; the others stay, because their effect on the store, if there is one, must be known.

use std::collections::{BTreeMap, BTreeSet};

use mf_base::Kind;

use super::Effect;
use crate::protocol::{Answer, Failure, Request, RequestMessage};
use crate::state::Micros;

/// Margin of the client's deadline beyond the store's own, in which the reply arrives that names the missing
/// members: a sixteenth of the time, within these bounds.
const SMALLEST_MARGIN_US: Micros = 100_000;
const LARGEST_MARGIN_US: Micros = 2_000_000;

/// Most barriers that are remembered as left in doubt, one by one.
const MAX_DOUBTFUL: usize = 1024;

/// The receiver of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Waits {
        began: Micros,
        deadline: Micros,
    },
    /// It has returned; the reply is for the machine alone.
    Gone,
    /// The machine itself, on this link only.
    Machine,
}

/// A request without a reply.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) request: Request,
    /// Other members have written its key up to this revision: its own writes below that need no replica.
    pub(super) superseded: u64,
    /// It was sent to more than one store.
    pub(super) over_stores: bool,
    caller: Caller,
    /// The store that it was sent to last.
    sent_to: Option<[u8; 16]>,
}

impl Pending {
    pub(super) fn of_caller(request: Request, deadline: Micros, began: Micros) -> Self {
        Self::new(request, Caller::Waits { began, deadline })
    }

    /// A request that ends with its link.
    pub(super) fn internal(request: Request) -> Self {
        Self::new(request, Caller::Machine)
    }

    /// A request without a waiting caller that must still happen.
    pub(super) fn abandoned(request: Request) -> Self {
        Self::new(request, Caller::Gone)
    }

    fn new(request: Request, caller: Caller) -> Self {
        Self { request, superseded: 0, over_stores: false, caller, sent_to: None }
    }

    pub(super) fn has_caller(&self) -> bool {
        matches!(self.caller, Caller::Waits { .. })
    }

    /// When its caller stops waiting, and when the call began.
    fn limit(&self, linked: bool) -> Option<(Micros, Micros)> {
        let Caller::Waits { began, deadline } = self.caller else { return None };
        let store_answers = linked && is_timed(&self.request);
        let margin = match store_answers {
            true => (deadline.saturating_sub(began) / 16).clamp(SMALLEST_MARGIN_US, LARGEST_MARGIN_US),
            false => 0,
        };
        Some((deadline.saturating_add(margin), began))
    }
}

/// Returns true if the store itself ends the request in time.
fn is_timed(request: &Request) -> bool {
    matches!(
        request,
        Request::Wait { .. } | Request::Gather { .. } | Request::Lock { timeout_us: Some(_), .. }
    )
}

/// Returns true if the request is not idempotent: repeating it has another effect.
fn is_once(request: &Request) -> bool {
    matches!(request, Request::Add { .. } | Request::Append { .. } | Request::CompareAndSwap { .. })
}

/// Returns true if it leaves state at the store, so that its reply matters without a caller.
fn leaves_something(request: &Request) -> bool {
    match request {
        Request::Get { .. }
        | Request::Wait { .. }
        | Request::List { .. }
        | Request::ListPage { .. }
        | Request::Gather { .. }
        | Request::View
        | Request::Contacts
        | Request::Awaited
        | Request::KeepAlive { .. } => false,
        Request::Set { .. }
        | Request::Add { .. }
        | Request::Append { .. }
        | Request::CompareAndSwap { .. }
        | Request::Delete { .. }
        | Request::Watch { .. }
        | Request::WatchMembers { .. }
        | Request::Unwatch { .. }
        | Request::Lock { .. }
        | Request::Unlock { .. }
        | Request::Grant { .. }
        | Request::Revoke { .. }
        | Request::Withdraw { .. } => true,
    }
}

/// The key that a request writes.
fn written_key(request: &Request) -> Option<&str> {
    match request {
        Request::Set { key, .. }
        | Request::Add { key, .. }
        | Request::Append { key, .. }
        | Request::CompareAndSwap { key, .. }
        | Request::Delete { key } => Some(key),
        _ => None,
    }
}

/// All requests of a session without a reply.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// The number of the last request; the first one has 1.
    last: u64,
    pending: BTreeMap<u64, Pending>,
    /// Barriers with an unknown end: their callers returned before it.
    doubtful: BTreeSet<String>,
}

impl Requests {
    pub(super) fn add(&mut self, pending: Pending) -> u64 {
        let sequence = self.skip();
        self.pending.insert(sequence, pending);
        sequence
    }

    /// A number that is never sent.
    pub(super) fn skip(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// All replies to requests below this number have arrived, or are of no use any more.
    pub(super) fn answered_below(&self) -> u64 {
        self.pending.first_key_value().map_or(self.last + 1, |(first, _)| *first)
    }

    pub(super) fn remove(&mut self, sequence: u64) -> Option<Pending> {
        self.pending.remove(&sequence)
    }

    /// The request as it is sent now; none if it ended meanwhile.
    pub(super) fn sent(&mut self, now: Micros, sequence: u64, store: [u8; 16]) -> Option<RequestMessage> {
        let answered_below = self.answered_below();
        let pending = self.pending.get_mut(&sequence)?;
        let left = match pending.caller {
            Caller::Waits { deadline, .. } => deadline.saturating_sub(now),
            Caller::Gone | Caller::Machine => 0,
        };
        match &mut pending.request {
            Request::Wait { timeout_us, .. }
            | Request::Gather { timeout_us, .. }
            | Request::Lock { timeout_us: Some(timeout_us), .. } => *timeout_us = left,
            _ => {}
        }
        pending.over_stores |= pending.sent_to.is_some_and(|before| before != store);
        pending.sent_to = Some(store);
        Some(RequestMessage { answered_below, request: pending.request.clone() })
    }

    /// Returns the requests to send first on a new link, in order.
    pub(super) fn to_send_again(&self) -> Vec<u64> {
        let lasting = self.pending.iter().filter(|(_, pending)| pending.caller != Caller::Machine);
        lasting.map(|(sequence, _)| *sequence).collect()
    }

    /// Another store leads, which has seen none of the requests: ends the requests that cannot be sent again.
    /// It began at `revision`.
    pub(super) fn change_store(&mut self, store: [u8; 16], revision: u64) -> Vec<Effect> {
        // A member that entered a barrier twice, and does not know how the first one ended, must not be
        // released from the second one by the first.
        let doubtful = std::mem::take(&mut self.doubtful);
        self.forget_rounds(revision, |name| doubtful.len() >= MAX_DOUBTFUL || doubtful.contains(name));
        let mut effects = Vec::new();
        self.pending.retain(|sequence, pending| {
            if pending.sent_to.is_none_or(|before| before == store) {
                return true;
            }
            let result = match &pending.request {
                // The watch died with the store before.
                Request::Unwatch { .. } => Ok(Answer::Done),
                request if is_once(request) => Err(Failure::new(
                    Kind::NotConnected,
                    "the store died during the call, it is not known whether it happened",
                )
                .hint("read the key before trying again")),
                // Grants of the previous store to a caller that has returned died with that store. But this
                // member still returns the grants that it reported to the new store as held.
                Request::Unlock { .. } | Request::Revoke { .. } => return true,
                _ => return pending.has_caller(),
            };
            if pending.has_caller() {
                effects.push(Effect::Complete { sequence: *sequence, result });
            }
            false
        });
        effects
    }

    /// The store may have learned how rounds ended, and release members that missed the end: these barriers
    /// are not to be released by a round up to `revision`.
    pub(super) fn forget_rounds(&mut self, revision: u64, of: impl Fn(&String) -> bool) {
        for pending in self.pending.values_mut() {
            if let Request::Gather { name, after_round, .. } = &mut pending.request
                && of(name)
            {
                *after_round = Some(revision);
            }
        }
    }

    /// The caller has returned. Returns the request.
    pub(super) fn abandon(&mut self, sequence: u64) -> Option<Request> {
        let pending = self.pending.get_mut(&sequence)?;
        pending.caller = Caller::Gone;
        if let Request::Gather { name, .. } = &pending.request
            && self.doubtful.len() < MAX_DOUBTFUL
        {
            self.doubtful.insert(name.clone());
        }
        if pending.sent_to.is_some() && leaves_something(&pending.request) {
            return match pending.request {
                Request::Watch { .. } | Request::WatchMembers { .. } => Some(pending.request.clone()),
                _ => None,
            };
        }
        self.pending.remove(&sequence).map(|pending| pending.request)
    }

    /// Returns true if the store may have a waiting request that has to be withdrawn because its caller has
    /// returned.
    pub(super) fn waits_at_store(&self, sequence: u64) -> bool {
        self.pending
            .get(&sequence)
            .is_some_and(|pending| pending.sent_to.is_some() && is_timed(&pending.request))
    }

    /// Others have written a key: earlier writes are not replicas any more.
    pub(super) fn supersede(&mut self, key: &str, revision: u64) {
        for pending in self.pending.values_mut() {
            if written_key(&pending.request) == Some(key) {
                pending.superseded = pending.superseded.max(revision);
            }
        }
    }

    /// The link broke: what belonged to it alone has ended.
    pub(super) fn drop_internal(&mut self) {
        self.pending.retain(|_, pending| pending.caller != Caller::Machine);
    }

    pub(super) fn take_all_of_callers(&mut self) -> impl Iterator<Item = u64> + use<> {
        let pending = std::mem::take(&mut self.pending);
        pending.into_iter().filter(|(_, pending)| pending.has_caller()).map(|(sequence, _)| sequence)
    }

    pub(super) fn next_limit(&self, linked: bool) -> Option<Micros> {
        self.pending.values().filter_map(|pending| pending.limit(linked)).map(|(limit, _)| limit).min()
    }

    /// Returns the requests past their deadlines, each with the time of its beginning.
    pub(super) fn due(&self, now: Micros, linked: bool) -> Vec<(u64, Micros)> {
        let limits = self.pending.iter().filter_map(|(sequence, pending)| {
            let (limit, began) = pending.limit(linked)?;
            (limit <= now).then_some((*sequence, began))
        });
        limits.collect()
    }
}
