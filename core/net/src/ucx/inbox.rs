// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inbox: received requests that wait to be served, and lost peers to be reported, by one thread at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use mf_base::Error;
use mf_transport::Peer;

use super::callbacks::Data;
use super::members::{Member, MemberId};
use super::wire::Head;

/// A request that waits to be served.
pub(super) struct Incoming {
    /// The member that serves it.
    pub(super) member: Arc<Member>,
    /// It is the process that was meant, and has not left.
    pub(super) is_meant: bool,
    pub(super) head: Head,
    pub(super) data: Data,
}

/// A peer to which the connection was lost, and the reason.
pub(super) type Lost = (Arc<Member>, Peer, Error);

/// Requests and lost peers, in the order in which they came.
#[derive(Default)]
pub(super) struct Inbox {
    incoming: VecDeque<Incoming>,
    lost: Vec<Lost>,
    /// A thread serves the requests that it has taken.
    is_serving: bool,
    /// An empty list for the next thread that serves.
    spare: VecDeque<Incoming>,
}

impl Inbox {
    pub(super) fn push(&mut self, incoming: Incoming) {
        self.incoming.push_back(incoming);
    }

    pub(super) fn push_lost(&mut self, lost: Lost) {
        self.lost.push(lost);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.incoming.is_empty() && self.lost.is_empty()
    }

    /// Returns true while a thread serves.
    pub(super) fn is_serving(&self) -> bool {
        self.is_serving
    }

    /// Takes the requests; the caller serves until it [ends](Self::end_serving).
    pub(super) fn begin_serving(&mut self) -> VecDeque<Incoming> {
        self.is_serving = true;
        let spare = std::mem::take(&mut self.spare);
        std::mem::replace(&mut self.incoming, spare)
    }

    /// Takes the lost peers.
    pub(super) fn take_lost(&mut self) -> Vec<Lost> {
        std::mem::take(&mut self.lost)
    }

    /// Ends the serving, with an empty list for the next thread.
    pub(super) fn end_serving(&mut self, spare: VecDeque<Incoming>) {
        self.spare = spare;
        self.is_serving = false;
    }

    /// Takes the requests to a member.
    pub(super) fn take_of_member(&mut self, member: MemberId) -> VecDeque<Incoming> {
        let incoming = std::mem::take(&mut self.incoming).into_iter();
        let (gone, kept) = incoming.partition(|incoming| incoming.member.id == member);
        self.incoming = kept;
        gone
    }
}
