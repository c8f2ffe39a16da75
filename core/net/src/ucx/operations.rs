// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations: posted requests, from their beginning to their last part.
//!
//! The caller that starts the parts of an operation holds one more, so that it is not over before all were
//! started.

use std::sync::Arc;
use std::time::Instant;

use mf_base::{Error, Result};
use mf_transport::Completion;

use super::links::LinkId;
use super::slab::{Id, Slab};
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
    pub(super) name: &'static str,
    pub(super) link: LinkId,
    completion: Option<Arc<Completion>>,
    pub(super) begun: Instant,
    deadline: Instant,
    /// Parts that are not over, and one while parts are being started.
    remaining: u32,
    error: Option<Error>,
    /// Its error is returned by the call that posts it, and not by the completion.
    is_withdrawn: bool,
    /// The request that follows when all parts succeeded.
    then: Option<Head>,
    purpose: Purpose,
    pub(super) number: u64,
}

/// Consequence of the end of a part.
pub(super) enum PartEnd {
    /// Other parts are not over, or the operation is unknown.
    Remains,
    /// This request of the operation follows.
    Follows(Head),
    /// The operation is over.
    Over(Ended),
}

/// An operation that is over.
pub(super) struct Ended {
    pub(super) purpose: Purpose,
    pub(super) link: LinkId,
    pub(super) completion: Option<Arc<Completion>>,
    pub(super) outcome: Result<()>,
}

/// The operations in flight.
pub(super) struct Operations {
    all: Slab<Operation>,
    /// Number of the last operation.
    posted: u64,
}

impl Operations {
    pub(super) const fn new() -> Self {
        Self { all: Slab::new(), posted: 0 }
    }

    /// Begins an operation; the end of one part must follow when all parts were started.
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
        self.all.insert(Operation {
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

    /// Adds a part, unless the operation has failed. Returns the link.
    pub(super) fn part_began(&mut self, id: Id) -> Option<LinkId> {
        let operation = self.all.get_mut(id).filter(|operation| operation.error.is_none())?;
        operation.remaining += 1;
        Some(operation.link)
    }

    /// Ends a part, or the starting of parts; with the last the operation is over.
    pub(super) fn part_ended(&mut self, id: Id) -> PartEnd {
        let Some(operation) = self.all.get_mut(id) else { return PartEnd::Remains };
        operation.remaining = operation.remaining.saturating_sub(1);
        if operation.remaining > 0 {
            return PartEnd::Remains;
        }
        if operation.error.is_none()
            && let Some(head) = operation.then.take()
        {
            return PartEnd::Follows(head);
        }
        let Some(operation) = self.all.remove(id) else { return PartEnd::Remains };
        let error = operation.error.take().filter(|_| !operation.is_withdrawn);
        PartEnd::Over(Ended {
            purpose: operation.purpose,
            link: operation.link,
            completion: operation.completion.take(),
            outcome: error.map_or(Ok(()), Err),
        })
    }

    /// Sets the request that follows when all parts succeeded.
    pub(super) fn then(&mut self, id: Id, head: Head) {
        if let Some(operation) = self.all.get_mut(id) {
            operation.then = Some(head);
        }
    }

    /// Notes the error of an operation, if it is the first.
    pub(super) fn fail(&mut self, id: Id, error: Error) {
        if let Some(operation) = self.all.get_mut(id) {
            operation.error.get_or_insert(error);
        }
    }

    /// Notes that the call that posts an operation reports it.
    pub(super) fn withdraw(&mut self, id: Id) {
        if let Some(operation) = self.all.get_mut(id) {
            operation.is_withdrawn = true;
        }
    }

    /// Returns an operation without an error.
    pub(super) fn well(&mut self, id: Id) -> Option<&mut Operation> {
        self.all.get_mut(id).filter(|operation| operation.error.is_none())
    }

    /// Returns true if it has not failed.
    pub(super) fn is_well(&mut self, id: Id) -> bool {
        self.well(id).is_some()
    }

    /// Returns true if it was [withdrawn](Self::withdraw).
    pub(super) fn is_withdrawn(&mut self, id: Id) -> bool {
        self.all.get_mut(id).is_some_and(|operation| operation.is_withdrawn)
    }

    /// Returns true if it has not ended.
    pub(super) fn is_pending(&mut self, id: Id) -> bool {
        self.all.get_mut(id).is_some()
    }

    /// Returns the number of an operation.
    pub(super) fn number(&mut self, id: Id) -> Option<u64> {
        self.all.get_mut(id).map(|operation| operation.number)
    }

    /// Returns the operations past their deadline.
    pub(super) fn late(&self, now: Instant) -> Vec<Id> {
        self.select(|operation| operation.deadline <= now)
    }

    /// Returns the operations that end on this completion.
    pub(super) fn of_completion(&self, completion: &Completion) -> Vec<Id> {
        self.select(|operation| operation.completion.as_ref().is_some_and(|own| own.serves(completion)))
    }

    /// Returns all operations.
    pub(super) fn all(&self) -> Vec<Id> {
        self.select(|_| true)
    }

    fn select(&self, fits: impl Fn(&Operation) -> bool) -> Vec<Id> {
        self.all.iter().filter(|(_, operation)| fits(operation)).map(|(id, _)| id).collect()
    }

    /// Returns the links with operations of callers up to the number `mark`.
    pub(super) fn links_not_done(&self, mark: u64) -> impl Iterator<Item = LinkId> {
        let operations = self.all.iter().map(|(_, operation)| operation);
        operations
            .filter(move |operation| operation.number <= mark && operation.purpose == Purpose::Caller)
            .map(|operation| operation.link)
    }

    /// Number of the last operation.
    pub(super) fn posted(&self) -> u64 {
        self.posted
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.len() == 0
    }

    /// Memory of the table.
    pub(super) fn bytes(&self) -> usize {
        self.all.bytes()
    }
}
