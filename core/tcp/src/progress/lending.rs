// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connections that this process lends (`loans.rs`): opening them, and the next one when one has ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::Error;
use mf_transport::Peer;

use super::Progress;
use super::upkeep::lost;
use crate::channel::Channel;
use crate::connect;
use crate::connection::{Connection, Purpose};
use crate::loans;
use crate::serve::Guest;
use crate::shared::{Peered, Shared};

/// One that lived so long was no failure.
const OLD: Duration = Duration::from_secs(1);

/// A loan that is due again.
pub(super) struct Due {
    at: Instant,
    me: Peer,
    peer: Peer,
}

impl Progress {
    /// Opens a connection that the peer asks on.
    pub(super) fn lend(&mut self, me: Peer, peer: Peer, loan: u64) {
        let Some(member) = self.roster.member(me) else { return };
        let Ok(peered) = member.peered(peer) else { return };
        if loan == loans::KEPT {
            // Of two the peer would end one, for which the next would be opened.
            if !peered.lends.load(Ordering::Acquire) || self.is_kept(&member, peer) {
                return;
            }
        } else if self.loans_to(&member, peer) >= loans::MOST {
            tracing::debug!(%peer, "more connections were asked for than are lent");
            return;
        }
        if let Err(error) = connect::start(&member, &peered, Purpose::Loan(loan)) {
            self.lending_failed(&member, (peer, loan), &error, false);
        }
    }

    /// Returns true if the kept one exists, or is being opened.
    fn is_kept(&self, member: &Arc<Shared>, peer: Peer) -> bool {
        let of_guest = |guest: &Guest| {
            guest.peer == peer && guest.loan == Some(loans::KEPT) && Arc::ptr_eq(guest.member(), member)
        };
        let is_opening = |connection: &Arc<Connection>| {
            connection.peer == peer
                && connection.purpose == Purpose::Loan(loans::KEPT)
                && !connection.is_dead()
        };
        self.guests.values().any(of_guest) || member.all_connections().iter().any(is_opening)
    }

    /// Returns the number of connections lent on request, or about to be.
    fn loans_to(&self, member: &Arc<Shared>, peer: Peer) -> usize {
        let was_asked = |loan: u64| loan != loans::KEPT;
        let of_guest = |guest: &&Guest| {
            guest.peer == peer && guest.loan.is_some_and(was_asked) && Arc::ptr_eq(guest.member(), member)
        };
        let connections = member.all_connections();
        let opening = connections.iter().filter(|connection| {
            let is_asked = matches!(connection.purpose, Purpose::Loan(loan) if was_asked(loan));
            connection.peer == peer && is_asked
        });
        self.guests.values().filter(of_guest).count() + opening.count()
    }

    /// One is open: this process serves it.
    pub(super) fn lent(
        &mut self,
        member: &Arc<Shared>,
        connection: &Connection,
        loan: u64,
        channel: Channel,
    ) {
        mf_base::sync::lock(&member.connections).remove(&connection.id);
        let mut guest = Guest::lent(member, connection.id, connection.peer, channel, loan);
        guest.ask();
        self.guests.insert(connection.id, guest);
        self.count(member);
        self.event(connection.id);
    }

    /// One did not come about; `is_gone`: nor would another one.
    pub(super) fn lending_failed(
        &mut self,
        member: &Arc<Shared>,
        (peer, loan): (Peer, u64),
        error: &Error,
        is_gone: bool,
    ) {
        tracing::debug!(%peer, %error, "no connection to be lent comes about");
        if loan != loans::KEPT {
            return;
        }
        match member.peered(peer) {
            Ok(peered) if is_gone => give_up_lending(member, &peered, error),
            Ok(_) => self.lend_again(member, peer, error),
            Err(_) => {}
        }
    }

    /// One that was lent has ended.
    pub(super) fn loan_over(&mut self, guest: &Guest, announced: bool) {
        let member = Arc::clone(guest.member());
        let Ok(peered) = member.peered(guest.peer) else { return };
        if guest.loan != Some(loans::KEPT) {
            return;
        }
        if announced {
            peered.lends.store(false, Ordering::Release);
            return;
        }
        if guest.since.elapsed() >= OLD {
            peered.lend_failures.store(0, Ordering::Relaxed);
        }
        let error = Error::new(mf_base::Kind::NotConnected, "tcp connect")
            .what("the connections that are lent to the peer end at once")
            .with("rank", peered.peer.rank_fact());
        self.lend_again(&member, guest.peer, &error);
    }

    fn lend_again(&mut self, member: &Arc<Shared>, peer: Peer, error: &Error) {
        let Ok(peered) = member.peered(peer) else { return };
        let failures = peered.lend_failures.fetch_add(1, Ordering::Relaxed);
        if failures >= loans::FAILURES_MAX {
            give_up_lending(member, &peered, error);
            return;
        }
        self.due.push(Due { at: Instant::now() + loans::pause(failures), me: member.me, peer });
    }

    /// Drops due loans for a forgotten peer. A loan to the same peer, introduced again, is another.
    pub(super) fn lend_no_more(&mut self, me: Peer, peer: Peer) {
        self.due.retain(|due| (due.me, due.peer) != (me, peer));
    }

    /// Opens due loans.
    pub(super) fn lend_due(&mut self, now: Instant) {
        for due in self.due.extract_if(.., |due| due.at <= now).collect::<Vec<_>>() {
            self.lend(due.me, due.peer, loans::KEPT);
        }
    }
}

fn give_up_lending(member: &Shared, peered: &Peered, error: &Error) {
    peered.lends.store(false, Ordering::Release);
    peered.lend_failures.store(0, Ordering::Relaxed);
    lost(member, peered.peer, error);
}
