// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handling of libucp's events: sent parts, messages, broken connections.

use std::sync::Arc;

use mf_base::{Error, Kind, Result, Retry};
use mf_transport::Peer;

use super::WorkerState;
use crate::ucx::abi::{self, Status};
use crate::ucx::callbacks::{Data, Event, collect};
use crate::ucx::inbox::Incoming;
use crate::ucx::members::Member;
use crate::ucx::parts::Want;
use crate::ucx::slab::Id;
use crate::ucx::wire::{HEAD_BYTES, Head, Verb, decode_address};

impl WorkerState {
    /// Makes progress on all work. Returns true if there was any.
    pub(in crate::ucx) fn turn(&mut self) -> bool {
        let Some(worker) = &self.worker else { return false };
        let mut moved = worker.progress();
        if !self.draining.is_empty() {
            let closing = &mut self.closing;
            self.draining.retain(|(drain, endpoint)| {
                let is_drained = worker.is_over(drain);
                if is_drained && let Some(endpoint) = endpoint {
                    closing.extend(worker.close(*endpoint));
                    moved = true;
                }
                !is_drained
            });
        }
        if !self.closing.is_empty() {
            self.closing.retain(|closing| !worker.is_over(closing));
        }
        if self.closing.is_empty() {
            self.memory.destroy_stale_keys(worker);
        }
        self.probe_rested();
        self.settle() || moved
    }

    /// Handles the events noted by libucp. A thread that has called libucp does this before it releases the
    /// lock.
    pub(in crate::ucx) fn settle(&mut self) -> bool {
        let mut moved = false;
        loop {
            let mut events = std::mem::take(&mut self.events);
            collect(&mut events);
            if events.is_empty() {
                self.events = events;
                return moved;
            }
            moved = true;
            for event in events.drain(..) {
                match event {
                    Event::Sent { part, status } => self.sent(part, status),
                    Event::Arrived { head, data } => self.arrived(&head, data),
                    Event::Failed { connection, status } => self.connection_failed(connection, status),
                }
            }
            self.events = events;
        }
    }

    fn sent(&mut self, id: Id, status: Status) {
        let Some(link) = self.parts.sent(id) else { return };
        if status == abi::OK {
            self.over_if_nothing_is_left(id);
        } else {
            let error = self.broken(link, status);
            self.part_failed(id, error);
        }
    }

    fn arrived(&mut self, head: &[u8; HEAD_BYTES], data: Data) {
        let for_member = |member: &Arc<Member>| {
            Head::decode(head, &member.secret, member.me.job).map(|head| (Arc::clone(member), head))
        };
        let found = self.members.iter().find_map(for_member);
        match found {
            Some((member, head)) if head.verb == Verb::Answer => {
                self.answered(&member, &head, &data);
                self.drop_data(&data);
            }
            Some((member, head)) if head.verb == Verb::Hello => {
                self.greeted(&member, &head, &data);
                self.drop_data(&data);
            }
            Some((member, head)) if self.is_void(&member, &head) => {
                tracing::debug!(from = %head.from, "ucx: discarded a request of a void connection");
                self.drop_data(&data);
            }
            Some((member, head)) => {
                let is_meant = head.to == member.me.session && self.members.is_member(member.id);
                self.inbox.push(Incoming { member, is_meant, head, data });
            }
            None => {
                tracing::debug!(bytes = data.bytes, "ucx: dropped a message without a secret of ours");
                self.drop_data(&data);
            }
        }
    }

    /// Returns true if a request came late: its sender has failed it, and has made another connection since.
    fn is_void(&self, member: &Member, head: &Head) -> bool {
        let link = self.links.of_peer(member.id, head.from).and_then(|id| self.links.get(id));
        head.verb.wants_answer() && link.is_some_and(|link| head.connection < link.served)
    }

    fn greeted(&mut self, member: &Arc<Member>, head: &Head, data: &Data) {
        // SAFETY: the data is released by the caller, after this.
        let bytes = unsafe { data.as_slice() };
        match decode_address(bytes) {
            Ok(address) => {
                let id = self.links.learn(member, head.from, address, false);
                let link = self.links.get_mut(id);
                if link.is_some_and(|link| link.greeted(head.connection, head.second)) {
                    let error = || {
                        Error::new(Kind::NotConnected, "ucx")
                            .what("the peer has given up the connection and made another")
                            .with("peer", head.from)
                            .retry(Retry::AtOnce)
                    };
                    self.disconnect(id, &error);
                }
            }
            Err(error) => tracing::debug!(%error, from = %head.from, "ucx: dropped a greeting"),
        }
    }

    fn answered(&mut self, member: &Member, head: &Head, data: &Data) {
        let Some(part) = self.parts.get_mut(head.id) else { return };
        let link = self.links.get_mut(part.link).filter(|link| link.member.id == member.id);
        let from = link.as_ref().map(|link| link.peer);
        if let Some(link) = link {
            link.answered();
        }
        if !part.waiting {
            return;
        }
        if from != Some(head.from) {
            let error = Error::new(Kind::NotConnected, "ucx").what("another process is there now");
            let error = error
                .with("is", head.from)
                .with("peer", from.map_or_else(String::new, |peer| peer.to_string()));
            return self.part_failed(head.id, error);
        }
        // SAFETY: the data is released by the caller, after this.
        let bytes = unsafe { data.as_slice() };
        let outcome = if head.flags == 0 {
            bring(part.want, head, bytes, head.from)
        } else {
            Err(reported(head, bytes))
        };
        part.waiting = false;
        let (link, operation) = (part.link, part.operation);
        let number = operation.and_then(|id| self.operations.number(id));
        if let Some(link) = self.links.get_mut(link) {
            // Requests are done in their order: those before this one are done or void.
            link.unanswered = link.unanswered.filter(|last| number.is_none_or(|number| number <= *last));
        }
        match outcome {
            Ok(()) => self.over_if_nothing_is_left(head.id),
            Err(error) => self.part_failed(head.id, error),
        }
    }
}

/// Stores the result of a request at its destination.
fn bring(want: Want, head: &Head, bytes: &[u8], from: Peer) -> Result<()> {
    match want {
        Want::Nothing => {}
        Want::Old(place, _) if place.is_null() => {}
        Want::Old(place, width) => {
            // SAFETY: not null, so valid for writing until the operation is over, by the contract of `post`.
            unsafe { width.write(head.compare, place) };
        }
        Want::Data(place, wanted) => {
            if bytes.len() as u64 != wanted {
                return Err(Error::new(Kind::Failed, "ucx get")
                    .what("the answer has another length than was asked for")
                    .with("peer", from)
                    .with("bytes", bytes.len())
                    .with("wanted", wanted));
            }
            // SAFETY: both have this length; the place is valid for writing until the operation is over, by
            // the contract of `post`.
            unsafe { mf_device::engine::copy(bytes.as_ptr(), place, bytes.len()) };
        }
    }
    Ok(())
}

/// The error that the peer reports.
fn reported(head: &Head, bytes: &[u8]) -> Error {
    let code = head.operand.cast_signed();
    let kind = Kind::ALL.iter().find(|kind| i64::from(kind.code()) == code).copied().unwrap_or(Kind::Failed);
    Error::new(kind, "ucx").what(String::from_utf8_lossy(bytes)).with("peer", head.from)
}
