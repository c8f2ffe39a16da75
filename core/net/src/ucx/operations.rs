// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations: posted requests, from their beginning to their completion or their deadline.

use std::sync::Arc;
use std::time::Instant;

use mf_base::os::service::Panicked;
use mf_base::{Error, Kind, Retry, interrupt};
use mf_transport::{Completion, Peer};

use super::endpoints::LinkId;
use super::members::MemberId;
use super::requests::State;
use super::slab::Id;
use super::wire::Head;

/// Purpose of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Its completion.
    Caller,
    /// No caller is notified, but if it fails the peer is lost.
    Probe,
    /// A copy between others that this process makes.
    Job(Id),
}

pub(super) struct Operation {
    name: &'static str,
    pub(super) link: LinkId,
    completion: Option<Arc<Completion>>,
    begun: Instant,
    deadline: Instant,
    /// Parts that are not over, and one while parts are being started.
    pub(super) remaining: u32,
    error: Option<Error>,
    /// Its error is returned by the call that posts it, and not by the completion.
    is_withdrawn: bool,
    /// The request that follows when all parts succeeded.
    then: Option<Head>,
    purpose: Purpose,
    pub(super) number: u64,
}

impl State {
    /// Begins an operation; [`release`](Self::release) must follow.
    pub(super) fn begin(
        &mut self,
        link: LinkId,
        completion: Option<&Arc<Completion>>,
        deadline: Instant,
        name: &'static str,
        purpose: Purpose,
    ) -> Id {
        if let Some(completion) = completion {
            completion.begin(1);
        }
        self.posted += 1;
        self.operations.insert(Operation {
            name,
            link,
            completion: completion.cloned(),
            begun: Instant::now(),
            deadline,
            remaining: 1,
            error: None,
            is_withdrawn: false,
            then: None,
            purpose,
            number: self.posted,
        })
    }

    /// All parts were started.
    pub(super) fn release(&mut self, operation: Id) {
        self.part_is_over(operation);
    }

    /// Sets the request that follows when all parts succeeded.
    pub(super) fn then(&mut self, operation: Id, head: Head) {
        if let Some(operation) = self.operations.get_mut(operation) {
            operation.then = Some(head);
        }
    }

    /// Returns true if it has not failed.
    pub(super) fn is_well(&mut self, operation: Id) -> bool {
        self.operations.get_mut(operation).is_some_and(|operation| operation.error.is_none())
    }

    /// Returns true if it was [withdrawn](Self::withdraw).
    pub(super) fn is_withdrawn(&mut self, operation: Id) -> bool {
        self.operations.get_mut(operation).is_some_and(|operation| operation.is_withdrawn)
    }

    /// Returns true if it has not ended.
    pub(super) fn is_pending(&mut self, operation: Id) -> bool {
        self.operations.get_mut(operation).is_some()
    }

    /// Peers of a member, or this one, with operations of callers up to `mark`.
    pub(super) fn peers_not_done(&self, member: MemberId, peer: Option<Peer>, mark: u64) -> Vec<Peer> {
        let mut peers: Vec<Peer> = self
            .operations
            .iter()
            .map(|(_, operation)| operation)
            .filter(|operation| operation.number <= mark && operation.purpose == Purpose::Caller)
            .filter_map(|operation| self.links.get(&operation.link))
            .filter(|link| link.member.id == member && peer.is_none_or(|peer| peer == link.peer))
            .map(|link| link.peer)
            .collect();
        peers.sort_unstable();
        peers.dedup();
        peers
    }

    pub(super) fn operation_failed(&mut self, operation: Option<Id>, error: Error) {
        if let Some(operation) = operation.and_then(|id| self.operations.get_mut(id)) {
            operation.error.get_or_insert(error);
        }
    }

    /// A part, or the starting of parts, is over; the operation with the last.
    pub(super) fn part_is_over(&mut self, id: Id) {
        let Some(operation) = self.operations.get_mut(id) else { return };
        operation.remaining = operation.remaining.saturating_sub(1);
        if operation.remaining > 0 {
            return;
        }
        if operation.error.is_none()
            && let Some(head) = operation.then.take()
        {
            return self.start_request(id, head);
        }
        let Some(operation) = self.operations.remove(id) else { return };
        let error = operation.error.take().filter(|_| !operation.is_withdrawn);
        let outcome = error.map_or(Ok(()), Err);
        let completion = operation.completion.take();
        let (purpose, link) = (operation.purpose, operation.link);
        self.ended += 1;
        match purpose {
            Purpose::Caller => {
                if let Some(completion) = completion {
                    completion.end(outcome);
                }
            }
            Purpose::Probe => {
                if let Some(link) = self.links.get_mut(&link) {
                    link.probing = false;
                    if let Err(error) = outcome {
                        self.lost.push((Arc::clone(&link.member), link.peer, error));
                    }
                }
            }
            Purpose::Job(job) => self.jobs.piece_ended(job, outcome),
        }
    }

    /// Ends operations past their deadline.
    pub(super) fn expire(&mut self, now: Instant) {
        let late = self.operations.iter().filter(|(_, operation)| operation.deadline <= now);
        let late: Vec<Id> = late.map(|(id, _)| id).collect();
        for id in late {
            self.end_early(id, |operation| {
                Error::new(Kind::Timeout, "ucx")
                    .what(format!("the {} did not end in time", operation.name))
                    .with("waited_ms", operation.begun.elapsed().as_millis())
            });
        }
    }

    /// Handles a panic of the thread: operations in flight end, and later ones are refused. Waiting threads
    /// drive the requests that libucp still holds.
    pub(super) fn thread_panicked(&mut self, panicked: &Panicked) {
        self.health.fail(panicked);
        let all: Vec<Id> = self.operations.iter().map(|(id, _)| id).collect();
        for id in all {
            self.end_early(id, |_| panicked.error("ucx"));
        }
    }

    /// Ends the operations of this completion, because the program does not wait for them any more.
    pub(super) fn leave_alone(&mut self, completion: &Completion) {
        let serves =
            |operation: &Operation| operation.completion.as_ref().is_some_and(|own| own.serves(completion));
        let left = self.operations.iter().filter(|(_, operation)| serves(operation));
        let left: Vec<Id> = left.map(|(id, _)| id).collect();
        for id in left {
            self.end_early(id, |_| interrupt::error("ucx wait"));
        }
    }

    /// Ends an operation that is still being posted: the caller reports it, when it is over.
    pub(super) fn withdraw(&mut self, id: Id) {
        if let Some(operation) = self.operations.get_mut(id) {
            operation.is_withdrawn = true;
            self.end_early(id, |_| interrupt::error("ucx post"));
        }
    }

    /// Ends an operation. Where libucp still touches memory for it, its connection ends with it.
    fn end_early(&mut self, id: Id, error: impl FnOnce(&Operation) -> Error) {
        let Some(operation) = self.operations.get_mut(id).filter(|operation| operation.error.is_none())
        else {
            return;
        };
        let link = operation.link;
        let peer = self.links.get(&link).map_or_else(String::new, |link| link.peer.to_string());
        operation.error = Some(error(operation).with("peer", &peer));
        let parts = self.parts.iter().filter(|(_, part)| part.operation == Some(id));
        let parts: Vec<(Id, bool)> = parts.map(|(id, part)| (id, part.sending && part.borrows)).collect();
        parts.iter().for_each(|(part, _)| self.give_up(*part));
        if parts.iter().any(|(_, is_in_use)| *is_in_use) {
            self.disconnect(link, &|| {
                Error::new(Kind::Timeout, "ucx")
                    .what("the connection was given up, because another operation on it did not end in time")
                    .with("peer", &peer)
                    .retry(Retry::AtOnce)
            });
        }
    }
}
