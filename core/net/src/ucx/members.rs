// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of jobs in this process, which share one worker.
//!
//! Each has a secret and so an address of its own: a message carries the secret of its destination member.
//! Peers, exposed memory and operations belong to one of them.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind};
use mf_transport::{Peer, Target};

use super::endpoints::{LinkId, self_clone};
use super::requests::State;
use super::wire::Secret;

/// Names a member in this process; never reused.
pub(super) type MemberId = u64;

/// Longest wait for the end of greetings.
const GREETINGS: Duration = Duration::from_millis(300);
/// Longest wait for unsent parts.
const DRAINING: Duration = Duration::from_millis(500);
/// Longest wait for connections that are closed.
const CLOSING: Duration = Duration::from_secs(2);

/// One of the members.
pub(super) struct Member {
    pub(super) id: MemberId,
    /// As others name it.
    pub(super) me: Peer,
    pub(super) secret: Secret,
    /// As others need it.
    pub(super) address: Vec<u8>,
    pub(super) target: Weak<dyn Target>,
}

impl State {
    /// A member comes, with this secret and address.
    pub(super) fn join(
        &mut self,
        (me, target): (Peer, Weak<dyn Target>),
        secret: Secret,
        address: Vec<u8>,
    ) -> Arc<Member> {
        self.next_member += 1;
        let member = Arc::new(Member { id: self.next_member, me, secret, address, target });
        self.members.push(Arc::clone(&member));
        member
    }

    /// Ends a member: its connections first, then its memory. The worker stays, and refuses later requests to
    /// that member, so that peers need not wait for their deadlines.
    pub(super) fn leave(&mut self, member: &Member) {
        if !self.is_member(member.id) {
            return;
        }
        let closed = Error::new(Kind::NotConnected, "ucx").what("the transport was closed");
        // UCX 1.13 ends the process of a peer that is still being greeted when its connection breaks.
        self.turn_while(GREETINGS, |state| state.is_being_greeted(member.id));
        let links = self.links.iter().filter(|(_, link)| link.member.id == member.id);
        let links: Vec<LinkId> = links.map(|(id, _)| *id).collect();
        self.send_close(&links);
        // A TCP connection closed by both sides while libucp has data to send on it makes libucp read freed
        // memory, too.
        self.drain(&links);
        self.turn_while(DRAINING, |state| state.has_unsent(&links) || !state.closing.is_empty());
        for link in &links {
            self.disconnect(*link, &|| self_clone(&closed));
        }
        self.turn_while(CLOSING, |state| state.has_unsent(&links) || !state.closing.is_empty());
        let incoming = std::mem::take(&mut self.incoming).into_iter();
        let (gone, kept): (VecDeque<_>, _) = incoming.partition(|incoming| incoming.member.id == member.id);
        self.incoming = kept;
        gone.iter().for_each(|incoming| self.drop_data(&incoming.data));
        self.conceal_all(member.id);
        self.by_peer.retain(|(of, _), _| *of != member.id);
        self.attached.retain(|(of, ..), _| *of != member.id);
        links.iter().for_each(|link| drop(self.links.remove(link)));
        self.departed.push(member.id);
    }

    fn turn_while(&mut self, most: Duration, is_needed: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + most;
        while is_needed(self) && Instant::now() < deadline {
            self.turn();
        }
    }

    /// Returns true if it has not left.
    pub(super) fn is_member(&self, member: MemberId) -> bool {
        !self.departed.contains(&member)
    }

    fn has_unsent(&self, links: &[LinkId]) -> bool {
        self.unsent > 0 && self.parts.iter().any(|(_, part)| part.sending && links.contains(&part.link))
    }

    /// Returns true if a connection of the member is so young that no reply has come on it.
    fn is_being_greeted(&self, member: MemberId) -> bool {
        let links = self.links.values().filter(|link| link.member.id == member && link.parts > 0);
        let mut connections = links.filter_map(|link| link.connection.as_ref());
        connections.any(|connection| connection.guarded && !connection.answered)
    }
}
