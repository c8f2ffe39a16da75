// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Service for members of the same host: this member's contribution to them, and the handling of their
//! leaving and their end.

use std::os::fd::OwnedFd;
use std::sync::{MutexGuard, Weak};

use mf_base::os::socket::MAX_DESCRIPTORS;
use mf_base::{Error, MemKind, Rank, Result};
use mf_device::Identity;
use mf_net::link::{Answer, ConnectionId, Endpoint, Handler, Message, lost_descriptor};

use super::Pool;
use super::events::GroupEvent;
use super::protocol::{self, Announcement, Reply, Request};
use crate::space::Presence;

impl Pool {
    /// Opens this member's endpoint.
    pub(super) fn open_endpoint(&self) -> Result<Endpoint> {
        let member = self.me().store.member();
        let handler: Weak<dyn Handler> = Weak::clone(&self.myself) as Weak<dyn Handler>;
        Endpoint::open(self.me().endpoint_name(member.session), member.job_token, handler)
    }

    /// Returns this member's present contribution in a form that `peer` may map, with the descriptors of its
    /// parts and of its control page.
    ///
    /// # Errors
    /// `NotStarted` when it does not take part; others when its memory cannot be handed out.
    pub(super) fn contribution(&self, peer: &Identity) -> Result<(Announcement, Vec<OwnedFd>)> {
        self.stage.check_part(self.me().rank)?;
        let mut descriptors = Vec::new();
        let parts = [
            self.segments.own_parts(MemKind::Device, peer, &mut descriptors)?,
            self.segments.own_parts(MemKind::Host, peer, &mut descriptors)?,
        ];
        let page = self.groups.follow() && descriptors.len() < MAX_DESCRIPTORS;
        if page {
            descriptors.push(self.groups.share_page(self.me().rank)?);
        }
        let (rank, bases, identity) =
            (self.me().rank.0, self.segments.layout.bases(), self.me().identity.clone());
        Ok((Announcement { rank, bases, identity, parts, page }, descriptors))
    }

    /// A member of this host leaves.
    pub(super) fn left(&self, rank: Rank) {
        self.segments.extents.set_presence(rank, Presence::Left);
        self.groups.mark_lost(rank);
        self.events.notify(rank, GroupEvent::Leave);
    }

    /// Handles the end of the connection to a member; `departed` if it had announced its leaving.
    pub(super) fn on_lost(&self, rank: Rank, departed: bool) {
        self.groups.mark_lost(rank);
        if departed {
            self.segments.forget(rank);
        } else if self.stage.is_parting() {
            self.left(rank);
            self.segments.forget(rank);
        } else if self.segments.extents.presence(rank) == Presence::Joined {
            tracing::info!(pool = self.me().id, rank = rank.0, "a member has ended without leaving");
            self.segments.extents.set_presence(rank, Presence::Dead);
            self.events.notify(rank, GroupEvent::Leave);
        }
    }

    /// Maps the memory of a member of this host.
    fn admit(&self, announcement: &Announcement, descriptors: Vec<OwnedFd>) -> Result<()> {
        let adopt_page = |rank, page| self.groups.adopt_page(rank, page);
        self.segments.admit(announcement, descriptors, &self.remote, adopt_page)
    }

    /// Handles the request of another member; gives the reply.
    fn answer(
        &self,
        from: ConnectionId,
        request: Request,
        descriptors: Vec<OwnedFd>,
    ) -> Result<(Reply, Vec<OwnedFd>, Option<MutexGuard<'_, ()>>)> {
        match request {
            Request::Announce(announcement) => {
                // Refuses before anything is mapped if this member does not take part itself.
                self.stage.check_part(self.me().rank)?;
                self.admit(&announcement, descriptors)?;
                let rank = Rank(announcement.rank);
                self.events.notify(rank, GroupEvent::Join);
                self.local_peers.connected(from, rank);
                // Read after the connection is registered: later changes are sent over it, behind this reply;
                // earlier ones are part of the reply.
                let order = self.local_peers.order();
                let (own, descriptors) = self.contribution(&announcement.identity)?;
                Ok((Reply::Done(Some(own)), descriptors, Some(order)))
            }
            Request::Extend { kind, parts } => {
                let kind = MemKind::ALL.get(usize::from(kind)).copied();
                let kind = kind.ok_or_else(|| Error::invalid("pool members", "an unknown kind of memory"))?;
                self.segments.admit_growth(self.local_peers.rank(from)?, kind, &parts, descriptors)?;
                Ok((Reply::Done(None), Vec::new(), None))
            }
            Request::Control => {
                self.local_peers.rank(from)?;
                Ok((Reply::Control, vec![self.groups.share_page(self.me().rank)?], None))
            }
            Request::Change { address, atomic } => {
                self.local_peers.rank(from)?;
                Ok((Reply::Changed(self.change_own(address, atomic)?), Vec::new(), None))
            }
            Request::Leave => {
                let rank = self.local_peers.rank(from)?;
                self.local_peers.set_departed(from, true);
                self.left(rank);
                Ok((Reply::Done(None), Vec::new(), None))
            }
        }
    }
}

impl Handler for Pool {
    fn request(&self, from: ConnectionId, request: Message) -> Result<Answer<'_>> {
        let asked = protocol::decode(&request.bytes)?;
        let (reply, descriptors, order) = self.answer(from, asked, request.descriptors)?;
        Ok(Answer { message: Message { bytes: protocol::encode(&reply)?, descriptors }, order })
    }

    fn reply(&self, from: ConnectionId, reply: Message) -> Result<Message> {
        match protocol::decode(&reply.bytes)? {
            Reply::Done(None) => {}
            Reply::Done(Some(theirs)) => {
                // It takes part, so its farewell of an earlier time is past.
                self.local_peers.set_departed(from, false);
                self.admit(&theirs, reply.descriptors)?;
            }
            Reply::Control => {
                let rank = self.local_peers.rank(from)?;
                let page = reply.descriptors.into_iter().next().ok_or_else(lost_descriptor)?;
                self.groups.adopt_page(rank, page)?;
            }
            Reply::Changed(_) => return Ok(reply),
        }
        Ok(Message::default())
    }

    fn closed(&self, connection: ConnectionId) {
        if let Some(member) = self.local_peers.closed(connection) {
            self.on_lost(member.rank, member.departed);
        }
    }
}
