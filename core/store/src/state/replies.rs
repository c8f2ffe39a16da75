// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reply cache: makes each request of a session idempotent, so that it happens once, however often it is
//! sent.
//!
//! A client that lost its link sends every request without a reply again, under its old number. The store
//! therefore keeps the replies to requests that change something until the client says that they arrived
//! (`answered_below`), and knows which requests are still waiting. Requests that change nothing are executed
//! again.
//!
//! The cache is bounded. A client has few requests in flight at a time, but a long wait holds
//! `answered_below` back, so the oldest replies are dropped when there are too many. If a request is sent
//! again after its reply was dropped, it fails: it is unknown if it happened.

use std::collections::{BTreeMap, VecDeque};

use mf_base::Kind;

use super::Micros;
use super::format::{seconds, too_many};
use crate::protocol::limits::{MAX_KEPT_BYTES, MAX_WAITING, MAX_WAITING_BYTES};
use crate::protocol::{Answer, Failure, Request};

/// Overhead of a waiting request, and the number of copies of its name.
const WAITING_OVERHEAD_BYTES: usize = 256;
const WAITING_NAMES: usize = 4;

type Outcome = Result<Answer, Failure>;

/// Object that a request waits for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Awaited {
    Key(String),
    Round(String),
    Lock(String),
}

impl Awaited {
    fn name(&self) -> &str {
        match self {
            Awaited::Key(name) | Awaited::Round(name) | Awaited::Lock(name) => name,
        }
    }

    fn text(&self) -> String {
        match self {
            Awaited::Key(key) => format!("waits for key \"{key}\""),
            Awaited::Round(name) => format!("is inside barrier \"{name}\""),
            Awaited::Lock(name) => format!("waits for lock \"{name}\""),
        }
    }
}

/// State of a request that arrives.
#[derive(Debug, PartialEq)]
pub(super) enum RequestState {
    /// It has to be done.
    Never,
    /// It is being done, or its reply has arrived: there is nothing to do.
    Settled,
    /// It was done: this is the reply.
    Answered(Outcome),
    /// It was executed, the reply was dropped.
    Lost,
}

#[derive(Debug)]
struct Waiting {
    since: Micros,
    awaited: Awaited,
    bytes: usize,
}

/// The requests of one session.
#[derive(Debug, Default)]
pub(super) struct Replies {
    answered_below: u64,
    /// Ascending by sequence number.
    kept: VecDeque<(u64, usize, Outcome)>,
    kept_bytes: usize,
    /// The highest request number with a reply that was dropped to stay within the bounds.
    dropped: u64,
    waiting: BTreeMap<u64, Waiting>,
    waiting_bytes: usize,
    last: Option<(Micros, &'static str)>,
}

impl Replies {
    /// The client has all replies below this number.
    pub(super) fn confirm(&mut self, answered_below: u64) {
        self.answered_below = self.answered_below.max(answered_below);
        while self.kept.front().is_some_and(|(sequence, ..)| *sequence < self.answered_below) {
            self.drop_oldest();
        }
    }

    /// Finds a request; `once`: it must not happen twice.
    pub(super) fn look_up(&mut self, sequence: u64, once: bool) -> RequestState {
        if sequence < self.answered_below || self.waiting.contains_key(&sequence) {
            return RequestState::Settled;
        }
        if self.kept.back().is_some_and(|(last, ..)| *last >= sequence) {
            let found = self.kept.binary_search_by_key(&sequence, |(kept, ..)| *kept);
            if let Some((_, _, outcome)) = found.ok().and_then(|at| self.kept.get(at)) {
                return RequestState::Answered(outcome.clone());
            }
        }
        if once && sequence <= self.dropped { RequestState::Lost } else { RequestState::Never }
    }

    /// A request begins, for the words about this member.
    pub(super) fn began(&mut self, now: Micros, operation: &'static str) {
        self.last = Some((now, operation));
    }

    /// The request will be answered later.
    pub(super) fn wait(
        &mut self,
        now: Micros,
        sequence: u64,
        awaited: Awaited,
        value_bytes: usize,
    ) -> Result<(), Failure> {
        let bytes = self.check_room(awaited.name(), value_bytes)?;
        self.waiting_bytes += bytes;
        self.waiting.insert(sequence, Waiting { since: now, awaited, bytes });
        Ok(())
    }

    /// Checks that one more request may wait for `name`, with a value of so many bytes. Returns its cost.
    pub(super) fn check_room(&self, name: &str, value_bytes: usize) -> Result<usize, Failure> {
        if self.waiting.len() >= MAX_WAITING {
            return Err(too_many(format!(
                "this client has {MAX_WAITING} requests that wait, more are not allowed"
            ))
            .hint("wait for fewer keys, locks and barriers at a time"));
        }
        let bytes = WAITING_OVERHEAD_BYTES + WAITING_NAMES * name.len() + value_bytes;
        if self.waiting_bytes + bytes > MAX_WAITING_BYTES {
            return Err(too_many(format!(
                "what this client waits for holds {} bytes, {bytes} more would exceed {MAX_WAITING_BYTES}",
                self.waiting_bytes
            ))
            .hint("enter fewer allgathers at a time, or use shorter names"));
        }
        Ok(bytes)
    }

    /// The request was answered; `once` keeps the answer for a client that sends the request again.
    pub(super) fn answered(&mut self, sequence: u64, once: bool, outcome: &Outcome) {
        self.forget(sequence);
        if !once || sequence < self.answered_below {
            return;
        }
        let bytes = outcome_bytes(outcome);
        self.kept_bytes += bytes;
        let at = match self.kept.back() {
            Some((last, ..)) if *last > sequence => self.kept.partition_point(|(kept, ..)| *kept < sequence),
            _ => self.kept.len(),
        };
        self.kept.insert(at, (sequence, bytes, outcome.clone()));
        while self.kept.len() > MAX_WAITING || (self.kept_bytes > MAX_KEPT_BYTES && self.kept.len() > 1) {
            let Some(sequence) = self.drop_oldest() else { break };
            self.dropped = self.dropped.max(sequence);
        }
    }

    /// The request is not waiting any more, and was not answered: it may be sent again.
    pub(super) fn forget(&mut self, sequence: u64) {
        if let Some(waiting) = self.waiting.remove(&sequence) {
            self.waiting_bytes -= waiting.bytes;
        }
    }

    fn drop_oldest(&mut self) -> Option<u64> {
        let (sequence, bytes, _) = self.kept.pop_front()?;
        self.kept_bytes -= bytes;
        Some(sequence)
    }

    /// Returns the objects that the requests wait for, for the end of the session.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (u64, &Awaited)> {
        self.waiting.iter().map(|(sequence, waiting)| (*sequence, &waiting.awaited))
    }

    /// Returns the objects that the requests wait for, and the start of each wait.
    pub(super) fn waits(&self) -> impl Iterator<Item = (Micros, &Awaited)> {
        self.waiting.values().map(|waiting| (waiting.since, &waiting.awaited))
    }

    /// Returns the object that a request waits for.
    pub(super) fn awaited(&self, sequence: u64) -> Option<&Awaited> {
        self.waiting.get(&sequence).map(|waiting| &waiting.awaited)
    }

    pub(super) fn waiting_count(&self) -> usize {
        self.waiting.len()
    }

    /// Describes the member's current or last request.
    pub(super) fn phase(&self, now: Micros) -> String {
        if let Some(Waiting { since, awaited, .. }) = self.waiting.values().next_back() {
            return format!("{} since {}", awaited.text(), seconds(now.saturating_sub(*since)));
        }
        match self.last {
            Some((at, operation)) => {
                format!("last request {operation}, {} ago", seconds(now.saturating_sub(at)))
            }
            None => "has sent no request yet".to_owned(),
        }
    }
}

pub(super) fn lost() -> Failure {
    Failure::new(
        Kind::NotConnected,
        "the reply was lost with the connection, it is not known whether the call happened",
    )
    .hint("read the keys it would have changed before a retry")
}

fn outcome_bytes(outcome: &Outcome) -> usize {
    let held = match outcome {
        Ok(Answer::Swap(swap)) => {
            // Shared with the store until it is replaced there.
            swap.current.as_ref().map_or(0, |entry| entry.key.len() + entry.value.len())
        }
        // All that took part share one copy.
        Ok(Answer::Gathered(round)) => round.parts.first().map_or(0, |part| part.value.len() + 32),
        Err(failure) => 128 + failure.text().len(),
        Ok(_) => 0,
    };
    held + size_of::<(u64, usize, Outcome)>()
}

/// Returns true if a request is not idempotent, so a resend must not execute it again.
pub(super) fn happens_once(request: &Request) -> bool {
    match request {
        Request::Set { .. }
        | Request::Add { .. }
        | Request::Append { .. }
        | Request::CompareAndSwap { .. }
        | Request::Delete { .. }
        | Request::Unwatch { .. }
        | Request::Gather { .. }
        | Request::Lock { .. }
        | Request::Unlock { .. }
        | Request::Grant { .. }
        | Request::Revoke { .. } => true,
        Request::Get { .. }
        | Request::Wait { .. }
        | Request::List { .. }
        | Request::ListPage { .. }
        | Request::Watch { .. }
        | Request::WatchMembers { .. }
        | Request::KeepAlive { .. }
        | Request::View
        | Request::Contacts
        | Request::Awaited
        | Request::Withdraw { .. } => false,
    }
}

/// Returns the name of a request for texts.
pub(super) fn name_of(request: &Request) -> &'static str {
    match request {
        Request::Set { .. } => "set",
        Request::Get { .. } => "get",
        Request::Wait { .. } => "wait",
        Request::Add { .. } => "add",
        Request::Append { .. } => "append",
        Request::CompareAndSwap { .. } => "compare-and-swap",
        Request::Delete { .. } => "delete",
        Request::List { .. } | Request::ListPage { .. } => "list",
        Request::Watch { .. } | Request::WatchMembers { .. } => "watch",
        Request::Unwatch { .. } => "unwatch",
        Request::Gather { value: None, .. } => "barrier",
        Request::Gather { value: Some(_), .. } => "allgather",
        Request::Lock { .. } => "lock",
        Request::Unlock { .. } => "unlock",
        Request::Grant { .. } => "a lease",
        Request::KeepAlive { .. } => "a lease to go on",
        Request::Revoke { .. } => "the end of a lease",
        Request::View | Request::Contacts | Request::Awaited => "the members",
        Request::Withdraw { .. } => "the end of a wait",
    }
}
