// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members of a host that are connected, and their requests to each other over [`mf_net::link`].
//!
//! Requests of others run on the thread of the service; it never takes the control lock, which this member's
//! own threads hold while they wait for others.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, Weak};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, MemKind, Rank, Result};

use super::protocol::{self, Reply, Request};
use super::record::Record;
use super::{GroupEvent, Pool};
use mf_net::JobId;
use mf_net::link::{Answer, Asker, ConnectionId, Endpoint, Handler, Message, Name, Outcome, lost_descriptor};

const OP: &str = "pool members";

/// Which connection leads to which member.
#[derive(Default)]
pub(super) struct Links {
    table: Mutex<Table>,
    /// Held by the thread that sends a part of this member's state, from reading it until it is sent, and
    /// while anything else is sent: no member receives a change before the state that preceded it.
    order: Mutex<()>,
}

#[derive(Default)]
struct Table {
    by_rank: HashMap<Rank, ConnectionId>,
    /// Includes old connections of members that have a newer one.
    members: HashMap<ConnectionId, Connected>,
}

#[derive(Clone, Copy)]
struct Connected {
    rank: Rank,
    /// The member has announced its leaving.
    departed: bool,
}

impl Links {
    /// The connected ranks.
    pub(super) fn ranks(&self) -> Vec<Rank> {
        lock(&self.table).by_rank.keys().copied().collect()
    }

    fn connection(&self, rank: Rank) -> Option<ConnectionId> {
        lock(&self.table).by_rank.get(&rank).copied()
    }

    /// The member takes part over this connection: if it ends now, the member has died.
    fn connected(&self, connection: ConnectionId, rank: Rank) {
        let mut table = lock(&self.table);
        table.members.insert(connection, Connected { rank, departed: false });
        table.by_rank.insert(rank, connection);
    }

    fn rank(&self, connection: ConnectionId) -> Result<Rank> {
        let member = lock(&self.table).members.get(&connection).copied();
        member
            .map(|member| member.rank)
            .ok_or_else(|| Error::invalid(OP, "the other process has not announced itself"))
    }

    fn set_departed(&self, connection: ConnectionId, departed: bool) {
        if let Some(member) = lock(&self.table).members.get_mut(&connection) {
            member.departed = departed;
        }
    }

    /// Returns the member of a closed connection; `None` if the member has a newer one.
    fn closed(&self, connection: ConnectionId) -> Option<Connected> {
        let mut table = lock(&self.table);
        let member = table.members.remove(&connection)?;
        let is_current = table.by_rank.get(&member.rank) == Some(&connection);
        is_current.then(|| table.by_rank.remove(&member.rank)).map(|_| member)
    }
}

impl Pool {
    /// Opens this member's endpoint.
    pub(super) fn open_endpoint(&self) -> Result<Endpoint> {
        let member = self.store.member();
        let handler: Weak<dyn Handler> = Weak::clone(&self.myself) as Weak<dyn Handler>;
        Endpoint::open(self.endpoint_of(member.session), member.job_token, handler)
    }

    /// The endpoint of this pool's member with that session.
    fn endpoint_of(&self, session: u64) -> Name {
        let job = JobId::of(&self.store.member().job_token);
        Name { job, session, service: format!("pool/{}", self.id) }
    }

    /// Connects to a member; an old connection to that rank is forgotten.
    ///
    /// # Errors
    /// As [`Endpoint::connect`].
    pub(super) fn connect_member(&self, endpoint: &Endpoint, rank: Rank, record: &Record) -> Result<()> {
        let connection = endpoint.connect(&record.endpoint, self.endpoint_of(record.session))?;
        self.links.connected(connection, rank);
        if !endpoint.is_open(connection) {
            // Its end may have been handled before it was known.
            self.links.closed(connection);
        }
        Ok(())
    }

    /// Waits until the connection to `rank` has ended, at most until `deadline`. Returns true if it has.
    pub(super) fn connection_ends(&self, endpoint: &Endpoint, rank: Rank, deadline: Instant) -> bool {
        self.links.connection(rank).is_none_or(|connection| endpoint.ends(connection, deadline))
    }

    /// Puts a request to several members at once and collects the outcomes, in the order of `members`.
    /// `write` writes each member's request; where it fails, that is the member's outcome.
    ///
    /// Blocks until all have replied or their connections have ended, at most until `deadline`.
    ///
    /// # Errors
    /// When a request cannot be written at all · `Interrupted`; the replies are not waited for any more
    /// then.
    pub(super) fn ask(
        &self,
        asker: &Asker,
        members: &[Rank],
        mut write: impl FnMut(Rank) -> Result<(Request, Vec<OwnedFd>)>,
        deadline: Instant,
    ) -> Result<Vec<(Rank, Outcome)>> {
        let mut requests = Vec::with_capacity(members.len());
        let mut unwritten = Vec::new();
        for rank in members {
            requests.push(match write(*rank) {
                Ok((request, descriptors)) => {
                    let body = protocol::encode(&request)?;
                    let _order = lock(&self.links.order);
                    let connection = self.links.connection(*rank);
                    connection.and_then(|connection| asker.request(connection, &body, &descriptors))
                }
                Err(error) => {
                    unwritten.push((*rank, error));
                    None
                }
            });
        }
        let outcomes = asker.wait(&requests, deadline)?;
        let mut outcomes: Vec<(Rank, Outcome)> = members.iter().copied().zip(outcomes).collect();
        for (rank, error) in unwritten {
            if let Some((_, outcome)) = outcomes.iter_mut().find(|(other, _)| *other == rank) {
                *outcome = Outcome::refused(&error);
            }
        }
        Ok(outcomes)
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
                self.takes_part()?;
                self.admit(&announcement, descriptors)?;
                let rank = Rank(announcement.rank);
                self.events.notify(rank, GroupEvent::Join);
                self.links.connected(from, rank);
                // Read after the connection is registered: later changes are sent over it, behind this reply;
                // earlier ones are part of the reply.
                let order = lock(&self.links.order);
                let (own, descriptors) = self.contribution(&announcement.identity)?;
                Ok((Reply::Done(Some(own)), descriptors, Some(order)))
            }
            Request::Extend { kind, parts } => {
                let kind = MemKind::ALL.get(usize::from(kind)).copied();
                let kind = kind.ok_or_else(|| Error::invalid(OP, "an unknown kind of memory"))?;
                self.admit_growth(self.links.rank(from)?, kind, &parts, descriptors)?;
                Ok((Reply::Done(None), Vec::new(), None))
            }
            Request::Control => {
                self.links.rank(from)?;
                Ok((Reply::Control, vec![self.share_page()?], None))
            }
            Request::Change { address, atomic } => {
                self.links.rank(from)?;
                Ok((Reply::Changed(self.change_own(address, atomic)?), Vec::new(), None))
            }
            Request::Leave => {
                let rank = self.links.rank(from)?;
                self.links.set_departed(from, true);
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
                self.links.set_departed(from, false);
                self.admit(&theirs, reply.descriptors)?;
            }
            Reply::Control => {
                let rank = self.links.rank(from)?;
                let page = reply.descriptors.into_iter().next().ok_or_else(lost_descriptor)?;
                self.adopt_page(rank, page)?;
            }
            Reply::Changed(_) => return Ok(reply),
        }
        Ok(Message::default())
    }

    fn closed(&self, connection: ConnectionId) {
        if let Some(member) = self.links.closed(connection) {
            self.lost(member.rank, member.departed);
        }
    }
}
