// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Upkeep by the progress thread: once a tick, and after the end of a connection.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::warn_limited;
use mf_transport::Peer;

use super::Progress;
use crate::connect;
use crate::connection::{Connection, Purpose, Sent};
use crate::replies::Farewell;
use crate::shared::Shared;

/// So many ticks with nothing in flight, and it sleeps until it is woken.
const QUIET_TICKS: u32 = 100;
/// After so long with nothing received, memory of buffers is given back.
const REST: Duration = Duration::from_millis(300);
/// A connection that ends so soon after it was remade is not remade again.
const YOUNG: Duration = Duration::from_secs(1);

impl Progress {
    /// A connection of ours has ended.
    pub(super) fn ended(&mut self, id: u64, was_ready: bool) {
        let Some((member, connection)) = self.roster.connection(id) else { return };
        lock(&member.connections).remove(&id);
        report_elsewhere(&member, connection.peer);
        *lock(&connection.connecting) = None;
        let since = lock(&connection.path).1;
        let is_young = since.is_some_and(|since| since.elapsed() < YOUNG);
        let is_probe = connection.purpose == Purpose::Probe;
        let farewell = *lock(&connection.farewell);
        let error = || connection.error("tcp connect", connection.reason());
        if let Purpose::Loan(loan) = connection.purpose {
            let is_gone = farewell == Some(Farewell::Peer);
            self.lending_failed(&member, (connection.peer, loan), &error(), is_gone);
        } else if let Some(farewell) = farewell.filter(|_| was_ready) {
            tracing::debug!(peer = %connection.peer, ?farewell, "connection ended");
            if farewell == Farewell::Peer {
                lost(&member, connection.peer, &error());
            }
        } else if was_ready && !(is_probe && is_young) {
            tracing::debug!(peer = %connection.peer, reason = connection.reason(), "connection ended");
            remake(&member, connection.peer);
        } else if is_probe || is_last_hope(&member, &connection) {
            lost(&member, connection.peer, &error());
        }
    }

    /// Once a tick: deadlines, connections that no thread drives, memory that is not used.
    pub(super) fn tick(&mut self, now: Instant) {
        self.lend_due(now);
        let members = self.roster.members();
        let mut busy = false;
        for member in &members {
            for connection in member.all_connections() {
                busy |= self.tick_connection(member, &connection, now);
            }
        }
        while let Some(late) = self.newcomers.late(now) {
            warn_limited!(from = %late.from(), "a connection that did not prove itself in time is closed");
        }
        if self.paused.is_some_and(|until| until <= now) {
            self.listen_again(None);
        }
        if busy {
            self.quiet = 0;
            return;
        }
        if self.roster.core.is_attentive() {
            self.quiet += 1;
            if self.quiet >= QUIET_TICKS {
                self.quiet = 0;
                self.roster.unattend();
            }
        } else if !self.rested && now.saturating_duration_since(self.active) >= REST {
            for member in &members {
                member.all_connections().iter().for_each(|connection| connection.rest(&member.local));
            }
            for guest in self.guests.values_mut() {
                guest.rest();
            }
            self.rested = true;
            members.iter().for_each(|member| self.count(member));
        }
    }

    /// Returns true if operations are in flight on a connection; goes on with it.
    fn tick_connection(&mut self, member: &Arc<Shared>, connection: &Connection, now: Instant) -> bool {
        if connection.is_connecting() {
            connection.expire(&member.local, now);
            self.advance(member, connection, now);
            return true;
        }
        if !connection.is_busy() {
            return false;
        }
        // Gathered operations wait a tick at most.
        if connection.send(&member.local) == Sent::Elsewhere {
            return true;
        }
        if !connection.claim.is_driven() {
            connection.expire(&member.local, now);
            if !connection.claim.is_armed() || connection.has_unsent() {
                self.drive(member, connection);
            }
        }
        true
    }
}

/// Returns true if a failed connection was to replace a broken one.
fn is_last_hope(member: &Shared, connection: &Connection) -> bool {
    let Ok(peered) = member.peered(connection.peer) else { return false };
    let is_reached = lock(&peered.connections).iter().any(|connection| connection.is_ready());
    peered.is_doubtful.swap(false, Ordering::Relaxed) && !is_reached
}

/// Has the peer void a connection that has ended, by one that lives.
fn report_elsewhere(member: &Shared, peer: Peer) {
    let Ok(peered) = member.peered(peer) else { return };
    let live = lock(&peered.connections).iter().find(|connection| connection.is_ready()).cloned();
    if let Some(live) = live {
        live.report(&member.local);
    }
}

/// Probes a peer with a broken connection.
pub(super) fn remake(member: &Shared, peer: Peer) {
    let Ok(peered) = member.peered(peer) else { return };
    let mut connections = lock(&peered.connections);
    if connections.first().is_some_and(|connection| !connection.is_dead()) {
        // The next operation on it will detect that; a connection that breaks as well comes here again.
        peered.is_doubtful.store(true, Ordering::Relaxed);
        return;
    }
    match connect::start(member, &peered, Purpose::Probe) {
        Ok(connection) => peered.set_first(&mut connections, &connection),
        Err(error) => {
            drop(connections);
            lost(member, peer, &error);
        }
    }
}

pub(super) fn lost(member: &Shared, peer: Peer, error: &mf_base::Error) {
    if member.peered(peer).is_ok()
        && let Some(target) = member.target.upgrade()
    {
        target.lost(peer, error);
    }
}
