// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The end of a member, and of the worker.

use std::time::{Duration, Instant};

use mf_base::{Error, Kind};

use super::WorkerState;
use super::connecting::self_clone;
use crate::ucx::links::LinkId;
use crate::ucx::members::{Member, MemberId};

/// Longest wait for the end of greetings.
const GREETINGS: Duration = Duration::from_millis(300);
/// Longest wait for unsent parts.
const DRAINING: Duration = Duration::from_millis(500);
/// Longest wait for connections that are closed.
const CLOSING: Duration = Duration::from_secs(2);

impl WorkerState {
    /// Ends a member: its connections first, then its memory. The worker stays, and refuses later requests to
    /// that member, so that peers need not wait for their deadlines.
    pub(in crate::ucx) fn leave(&mut self, member: &Member) {
        if !self.members.is_member(member.id) {
            return;
        }
        let closed = closed();
        // UCX 1.13 ends the process of a peer that is still being greeted when its connection breaks.
        self.turn_while(GREETINGS, |state| state.is_being_greeted(member.id));
        let links: Vec<LinkId> = self.links.of_member(member.id).map(|(id, _)| id).collect();
        let revocable = |link: &&LinkId| self.links.connection(**link).is_some_and(|it| it.revocable);
        let revocable: Vec<LinkId> = links.iter().filter(revocable).copied().collect();
        self.send_close(&links);
        self.drain(&links);
        self.turn_while(DRAINING, |state| state.parts.has_unsent(&links) || state.is_draining());
        for link in &links {
            self.disconnect(*link, &|| self_clone(&closed));
        }
        // The others are drained, or wait for their peers.
        self.turn_while(CLOSING, |state| state.parts.has_unsent(&revocable) || !state.closing.is_empty());
        for incoming in self.inbox.take_of_member(member.id) {
            self.drop_data(&incoming.data);
        }
        if let Some(worker) = &self.worker {
            self.memory.conceal_all(worker, member.id);
        }
        self.links.unlist_all(member.id);
        self.memory.detach_all(member.id);
        links.iter().for_each(|link| self.links.remove(*link));
        self.members.depart(member.id);
    }

    /// Returns true if connections that are still in use are being drained.
    fn is_draining(&self) -> bool {
        self.draining.iter().any(|(_, closed_then)| closed_then.is_none())
    }

    fn turn_while(&mut self, most: Duration, is_needed: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + most;
        while is_needed(self) && Instant::now() < deadline {
            self.turn();
        }
    }

    /// Returns true if a connection of the member is so young that no reply has come on it.
    fn is_being_greeted(&self, member: MemberId) -> bool {
        let links = self.links.of_member(member).filter(|(_, link)| link.is_busy());
        let mut connections = links.filter_map(|(_, link)| link.connection());
        connections.any(|connection| connection.guarded && !connection.answered)
    }

    /// The worker ends; its members have left.
    pub(in crate::ucx) fn close(&mut self) {
        let members: Vec<_> = self.members.iter().cloned().collect();
        members.iter().for_each(|member| self.leave(member));
        if let Some(worker) = &self.worker {
            // Destroying a worker to which a peer is still connecting makes UCX 1.13 end the process.
            self.closing.extend(worker.drain_all());
        }
        self.turn_while(GREETINGS, |state| !state.closing.is_empty());
        if let Some(worker) = &self.worker {
            self.memory.destroy_stale_keys(worker);
        }
        let worker = self.worker.take();
        let held = self.parts.unsent() > 0 || !self.closing.is_empty() || !self.draining.is_empty();
        if held {
            // Destroying a worker that still holds requests makes libucp end the process. So it stays, with
            // all memory that it may read; no thread drives it any more.
            tracing::warn!(
                requests = self.parts.unsent(),
                "a worker of UCX stays, because a peer does not answer"
            );
            std::mem::forget(worker);
        } else {
            drop(worker);
        }
        for part in self.parts.abandon() {
            self.part_failed(part, closed());
        }
        self.settle();
        if held {
            self.parts.leak();
            self.buffers.leak();
        }
    }
}

fn closed() -> Error {
    Error::new(Kind::NotConnected, "ucx").what("the transport was closed")
}
