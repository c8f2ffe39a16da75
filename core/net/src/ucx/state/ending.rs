// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ends: of parts, and of operations with their last part, at their deadline or when the program leaves them.

use std::time::Instant;

use mf_base::os::service::Panicked;
use mf_base::{Error, Kind, Retry, interrupt};
use mf_transport::Completion;

use super::WorkerState;
use crate::ucx::links::LinkId;
use crate::ucx::operations::{Ended, Operation, PartEnd, Purpose};
use crate::ucx::slab::Id;

impl WorkerState {
    /// Notes that all parts of an operation were started.
    pub(in crate::ucx) fn release(&mut self, operation: Id) {
        self.part_is_over(operation);
    }

    /// A part, or the starting of parts, is over; the operation with the last.
    fn part_is_over(&mut self, id: Id) {
        match self.operations.part_ended(id) {
            PartEnd::Remains => {}
            PartEnd::Follows(head) => self.start_request(id, head),
            PartEnd::Over(ended) => self.operation_is_over(ended),
        }
    }

    fn operation_is_over(&mut self, Ended { purpose, link, completion, outcome }: Ended) {
        self.ended += 1;
        match purpose {
            Purpose::Caller => {
                if let Some(completion) = completion {
                    completion.end(outcome);
                }
            }
            Purpose::Probe => {
                if let Some(link) = self.links.get_mut(link) {
                    link.probing = false;
                    if let Err(error) = outcome {
                        self.inbox.push_lost((link.member.clone(), link.peer, error));
                    }
                }
            }
            Purpose::Job(job) => self.jobs.chunk_ended(job, outcome),
        }
    }

    /// It does not wait any more, and its operation has failed.
    pub(super) fn part_failed(&mut self, id: Id, error: Error) {
        let Some(part) = self.parts.get_mut(id) else { return };
        if let Some(operation) = part.operation {
            self.operations.fail(operation, error);
        }
        self.give_up(id);
    }

    /// Gives up an awaited part. If libucp still needs its memory, and that is not the caller's, it goes on
    /// alone.
    fn give_up(&mut self, id: Id) {
        let Some(part) = self.parts.get_mut(id) else { return };
        if std::mem::take(&mut part.waiting)
            && let Some(link) = self.links.get_mut(part.link)
        {
            link.unanswered = Some(self.operations.posted());
        }
        if part.sending && !part.borrows {
            if let Some(operation) = part.operation.take() {
                self.part_is_over(operation);
            }
        } else {
            self.over_if_nothing_is_left(id);
        }
    }

    pub(super) fn over_if_nothing_is_left(&mut self, id: Id) {
        let Some(part) = self.parts.take_over(id) else { return };
        let (operation, link, bytes) = (part.operation, part.link, part.bytes);
        let buffer = std::mem::take(&mut part.buffer);
        self.ended += 1;
        self.links.part_ended(link, bytes);
        self.buffers.give_back(buffer);
        if let Some(operation) = operation {
            self.part_is_over(operation);
        }
    }

    /// Ends all parts in flight to a peer.
    pub(super) fn end_all_of(&mut self, link: LinkId, error: &dyn Fn() -> Error) {
        for part in self.parts.of_link(link) {
            self.part_failed(part, error());
        }
    }

    /// Ends operations past their deadline.
    pub(in crate::ucx) fn expire(&mut self, now: Instant) {
        for id in self.operations.late(now) {
            self.end_early(id, |operation| {
                Error::new(Kind::Timeout, "ucx")
                    .what(format!("the {} did not end in time", operation.name))
                    .with("waited_ms", operation.begun.elapsed().as_millis())
            });
        }
    }

    /// Handles a panic of the thread: operations in flight end, and later ones are refused. Waiting threads
    /// drive the requests that libucp still holds.
    pub(in crate::ucx) fn thread_panicked(&mut self, panicked: &Panicked) {
        self.health.fail(panicked);
        for id in self.operations.all() {
            self.end_early(id, |_| panicked.error("ucx"));
        }
    }

    /// Ends the operations of this completion, because the program does not wait for them any more.
    pub(in crate::ucx) fn leave_alone(&mut self, completion: &Completion) {
        for id in self.operations.of_completion(completion) {
            self.end_early(id, |_| interrupt::error("ucx wait"));
        }
    }

    /// Ends an operation that is still being posted: the caller reports it, when it is over.
    pub(in crate::ucx) fn withdraw(&mut self, id: Id) {
        self.operations.withdraw(id);
        self.end_early(id, |_| interrupt::error("ucx post"));
    }

    /// Ends an operation. Where libucp still touches memory for it, its connection ends with it.
    fn end_early(&mut self, id: Id, error: impl FnOnce(&Operation) -> Error) {
        let Some(operation) = self.operations.well(id) else { return };
        let link = operation.link;
        let peer = self.links.get(link).map_or_else(String::new, |link| link.peer.to_string());
        let error = error(operation).with("peer", &peer);
        self.operations.fail(id, error);
        let parts = self.parts.of_operation(id);
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
