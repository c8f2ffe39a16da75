// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Loans: connections opened by one end, for the requests of the other one.
//!
//! **Problem.** Each process opens the connections of its own requests. A peer behind a translation of
//! addresses or a firewall, or with addresses that mean nothing elsewhere, can open connections but cannot be
//! connected to.
//!
//! **How.**
//! 1. The peer that may be out of reach *lends* ([`lend`]): it opens a connection as usual, and proves
//!    itself, but its hello announces that the other end sends requests on it. From then on it serves that
//!    connection as if it had accepted it, and keeps it: when it breaks it opens the next one.
//! 2. The other end *borrows* ([`borrow`]): operations wait in a connection without a socket, which takes
//!    over the lent one ([`take`]). It connects by itself only if none comes in time.
//! 3. Further connections, for large operations, are requested by number on a lent one ([`ask`]).
//!
//! So both directions are served by the progress thread of the target process, also while its program does
//! nothing; and a loan equals an own connection: proofs, encryption and frames are the same.
//!
//! **Its end.** If the borrower announces that it closes, or if another peer proves to be at all of its
//! addresses, no further one is opened. Else the next one is, with growing pauses; after [`FAILURES_MAX`]
//! failures in a row the peer counts as lost.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_transport::Peer;
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::channel::Channel;
use crate::connect;
use crate::connection::{Connection, Purpose};
use crate::outbound::Outbound;
use crate::process_core::Command;
use crate::send_queue::Nowhere;
use crate::shared::{Peered, Shared};
use crate::wire::{Header, Kind};

/// The number of the loan that is kept; others were asked for.
pub(crate) const KEPT: u64 = 0;
/// Most connections that one peer may have lent to it, beside the kept one.
pub(crate) const MOST: usize = 16;
/// So often in a row the next one may fail to come about, with pauses of 10 ms to 1 s: about a minute.
pub(crate) const FAILURES_MAX: u32 = 64;

/// The pause before the next try behind so many failures.
pub(crate) fn pause(failures: u32) -> Duration {
    Duration::from_millis(10 << failures.min(7)).min(Duration::from_secs(1))
}

/// Lends a connection to the peer, and keeps that up.
///
/// # Errors
/// `NotConnected` the peer is not introduced.
pub(crate) fn lend(shared: &Shared, peer: Peer) -> Result<()> {
    if !shared.peered(peer)?.lends.swap(true, Ordering::AcqRel) {
        shared.local.core.command(Command::Lend(shared.me, peer, KEPT));
    }
    Ok(())
}

/// Uses connections lent by the peer for requests to it.
///
/// # Errors
/// `NotConnected` the peer is not introduced.
pub(crate) fn borrow(shared: &Shared, peer: Peer) -> Result<()> {
    shared.peered(peer)?.borrows.store(true, Ordering::Release);
    Ok(())
}

/// Asks the peer for one more, on one that it has lent; without one, its kept one will come.
pub(crate) fn ask(member: &Shared, connection: &Connection) {
    // It may have got the kept one meanwhile.
    if !connection.is_connecting() {
        return;
    }
    let Ok(peered) = member.peered(connection.peer) else { return };
    let known = lock(&peered.connections).iter().find(|known| known.is_lent() && known.is_ready()).cloned();
    if let Some(known) = known {
        known.say(&member.local, Header::new(Kind::Lend, connection.id));
    }
}

/// Takes a connection that the peer has opened for requests of this process.
pub(crate) fn take(member: &Arc<Shared>, peer: Peer, loan: u64, channel: Channel) {
    let taken = match member.peered(peer) {
        Ok(peered) if loan == KEPT => kept(member, &peered),
        _ => asked_for(member, peer, loan).map(|connection| (connection, None)),
    };
    let Some((connection, former)) = taken else { return refuse(&channel) };
    if let Some(former) = former {
        former.fail(&member.local, "the peer has reconnected");
    }
    connect::give_up(member, &connection);
    let data = EventData::new_u64(connection.id);
    if let Err(errno) = epoll::modify(&member.local.core.epoll, channel.socket(), data, EventFlags::RDHUP) {
        connection.fail(&member.local, &Error::os("tcp connect", errno).to_string());
        return;
    }
    let from = rustix::net::getpeername(channel.socket()).ok().flatten();
    let from = from.and_then(|from| std::net::SocketAddr::try_from(from).ok());
    lock(&connection.path).0 = from.map_or_else(String::new, |from| format!("{from}, which connected"));
    let _ = connection.loan.set(loan);
    connection.become_ready(&member.local, channel);
}

/// Returns the connection that takes over the peer's kept one, and the replaced one.
fn kept(member: &Shared, peered: &Peered) -> Option<(Arc<Connection>, Option<Arc<Connection>>)> {
    let mut connections = lock(&peered.connections);
    if peered.is_gone.load(Ordering::Acquire) {
        return None;
    }
    // The peer opens another one when the former has ended, which this end may not have noticed yet.
    let is_former = |known: &&Arc<Connection>| known.loan.get() == Some(&KEPT) && known.is_ready();
    let former = connections.iter().find(is_former).cloned();
    if let Some(waiting) = connections.iter().find(|known| known.is_connecting()) {
        return Some((Arc::clone(waiting), former));
    }
    let connection =
        Arc::new(Connection::new(&member.local, peered.peer, &peered.numbers, Purpose::Requests));
    lock(&member.connections).insert(connection.id, Arc::clone(&connection));
    let first = connections.first();
    let is_first =
        first.is_none_or(|first| first.is_dead() || former.as_ref().is_some_and(|f| f.id == first.id));
    if is_first {
        peered.set_first(&mut connections, &connection);
    } else {
        // Frames in its queue keep their order.
        connections.push(Arc::clone(&connection));
    }
    Some((connection, former))
}

/// The connection for which it was asked.
fn asked_for(member: &Shared, peer: Peer, loan: u64) -> Option<Arc<Connection>> {
    let connection = lock(&member.connections).get(&loan).cloned()?;
    let waits = connection.peer == peer && connection.is_connecting();
    (waits && !matches!(connection.purpose, Purpose::Loan(_))).then_some(connection)
}

/// Refuses a loan, so that no other comes.
fn refuse(channel: &Channel) {
    let mut out = Outbound::new(false);
    out.frame(Header::hello(false), &[]);
    out.frame(Header::new(Kind::Close, 0), &[]);
    if let Err(error) = out.send(channel, &Nowhere, usize::MAX) {
        tracing::debug!("a connection that is of no use ends: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_second() {
        let all: Duration = (0..FAILURES_MAX).map(pause).sum();
        assert_eq!((pause(0), pause(u32::MAX)), (Duration::from_millis(10), Duration::from_secs(1)));
        assert!((40..70).contains(&all.as_secs()), "{all:?}");
    }
}
