// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members of a host that are connected, and their requests to each other over [`mf_net::link`].
//!
//! Requests of others run on the thread of the service (`local_service`); it never takes the control lock,
//! which this member's own threads hold while they wait for others.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Rank, Result};
use mf_net::link::{Asker, ConnectionId, Endpoint, Outcome};

use super::member_record::MemberRecord;
use super::own_member::OwnMember;
use super::protocol::{self, Request};

const OP: &str = "pool members";

/// Connections of the members of this host.
#[derive(Default)]
pub(super) struct LocalPeers {
    /// The own endpoint. Held while this member joins, leaves, extends or destroys; never by the thread of
    /// the links.
    control: Mutex<Option<Endpoint>>,
    table: Mutex<ConnectionTable>,
    /// Held by the thread that sends a part of this member's state, from reading it until it is sent, and
    /// while anything else is sent: no member receives a change before the state that preceded it.
    order: Mutex<()>,
}

#[derive(Default)]
struct ConnectionTable {
    by_rank: HashMap<Rank, ConnectionId>,
    /// Includes old connections of members that have a newer one.
    members: HashMap<ConnectionId, Connected>,
}

#[derive(Clone, Copy)]
pub(super) struct Connected {
    pub(super) rank: Rank,
    /// The member has announced its leaving.
    pub(super) departed: bool,
}

impl LocalPeers {
    /// Locks the own endpoint, for a step of this member; never by the thread of the links.
    pub(super) fn control(&self) -> MutexGuard<'_, Option<Endpoint>> {
        lock(&self.control)
    }

    /// Locks the order in which this member's state is sent.
    pub(super) fn order(&self) -> MutexGuard<'_, ()> {
        lock(&self.order)
    }

    /// The connected ranks.
    pub(super) fn ranks(&self) -> Vec<Rank> {
        lock(&self.table).by_rank.keys().copied().collect()
    }

    pub(super) fn connection(&self, rank: Rank) -> Option<ConnectionId> {
        lock(&self.table).by_rank.get(&rank).copied()
    }

    /// The member takes part over this connection: if it ends now, the member has died.
    pub(super) fn connected(&self, connection: ConnectionId, rank: Rank) {
        let mut table = lock(&self.table);
        table.members.insert(connection, Connected { rank, departed: false });
        table.by_rank.insert(rank, connection);
    }

    pub(super) fn rank(&self, connection: ConnectionId) -> Result<Rank> {
        let member = lock(&self.table).members.get(&connection).copied();
        member
            .map(|member| member.rank)
            .ok_or_else(|| Error::invalid(OP, "the other process has not announced itself"))
    }

    pub(super) fn set_departed(&self, connection: ConnectionId, departed: bool) {
        if let Some(member) = lock(&self.table).members.get_mut(&connection) {
            member.departed = departed;
        }
    }

    /// Returns the member of a closed connection; `None` if the member has a newer one.
    pub(super) fn closed(&self, connection: ConnectionId) -> Option<Connected> {
        let mut table = lock(&self.table);
        let member = table.members.remove(&connection)?;
        let is_current = table.by_rank.get(&member.rank) == Some(&connection);
        is_current.then(|| table.by_rank.remove(&member.rank)).map(|_| member)
    }

    /// Connects to a member; an old connection to that rank is forgotten.
    ///
    /// # Errors
    /// As [`Endpoint::connect`].
    pub(super) fn connect(
        &self,
        me: &OwnMember,
        endpoint: &Endpoint,
        rank: Rank,
        record: &MemberRecord,
    ) -> Result<()> {
        let connection = endpoint.connect(&record.endpoint, me.endpoint_name(record.session))?;
        self.connected(connection, rank);
        if !endpoint.is_open(connection) {
            // Its end may have been handled before it was known.
            self.closed(connection);
        }
        Ok(())
    }

    /// Waits until the connection to `rank` has ended, at most until `deadline`. Returns true if it has.
    pub(super) fn connection_ends(&self, endpoint: &Endpoint, rank: Rank, deadline: Instant) -> bool {
        self.connection(rank).is_none_or(|connection| endpoint.ends(connection, deadline))
    }

    /// Puts a request to several members at once and collects the outcomes, in the order of `members`.
    /// `write` writes each member's request; where it fails, that is the member's outcome.
    ///
    /// Blocks until all have replied or their connections have ended, at most until `deadline`.
    ///
    /// # Errors
    /// When a request cannot be written at all · `Interrupted`; the replies are not waited for any more
    /// then.
    pub(super) fn request_all(
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
                    let _order = lock(&self.order);
                    let connection = self.connection(*rank);
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
}
