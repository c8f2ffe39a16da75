// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The progress thread: serves requests of others, and continues operations that callers do not drive
//! themselves.
//!
//! It sleeps in epoll. After it has served a connection it polls that one for a while before it sleeps again,
//! when a core is free for it ([`Spin`]). While operations of ours are in flight it wakes once a tick, for
//! deadlines and for connections that no thread drives. Unauthenticated connections get a bounded part of its
//! time between two turns for members.

mod lending;
mod upkeep;

use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::os::process::descriptor_limit;
use mf_base::os::service;
use mf_base::sync::lock;
use mf_base::sync::spin::Spin;
use mf_base::warn_limited;
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventFlags};

use crate::connect;
use crate::connection::{Connection, Purpose, Sent};
use crate::listen::{self, Accepted, Arrival, Newcomer};
use crate::loans;
use crate::newcomers::Newcomers;
use crate::process_core::{Command, FIRST_ID};
use crate::roster::Roster;
use crate::serve::{Guest, Served};
use crate::shared::Shared;
use lending::Due;
use upkeep::remake;

/// Time between two ticks while something is in flight.
const TICK: Duration = Duration::from_millis(1);
/// Time for unauthenticated connections before members are served again. One more step of one is taken, which
/// may be a TLS handshake.
const UNAUTHENTICATED_TURN: Duration = Duration::from_micros(500);
/// The same for arrivals at one listening socket.
const ARRIVALS: Duration = Duration::from_micros(300);
/// Pause of accepting when there is no descriptor for a connection.
const PAUSE: Duration = Duration::from_millis(100);
/// Polls of one connection between two checks of the others.
const POLLS: u32 = 16;
/// Turns of a connection of ours for one event.
const TURNS: usize = 8;

pub(crate) struct Progress {
    roster: Arc<Roster>,
    newcomers: Newcomers,
    /// Until then unauthenticated connections are served in this turn.
    unauthenticated_until: Instant,
    guests: HashMap<u64, Guest>,
    spin: Spin,
    /// The connection that was served last.
    hot: Option<u64>,
    last_tick: Instant,
    quiet: u32,
    /// Time of the last received request, and a flag set when memory was given back since.
    active: Instant,
    rested: bool,
    /// No connections are accepted until then: descriptors are used up.
    paused: Option<Instant>,
    /// Connections that are to be lent anew.
    due: Vec<Due>,
}

impl Progress {
    pub(crate) fn new(roster: Arc<Roster>) -> Self {
        Self {
            roster,
            newcomers: Newcomers::new(descriptor_limit()),
            unauthenticated_until: Instant::now(),
            guests: HashMap::new(),
            spin: Spin::default(),
            hot: None,
            last_tick: Instant::now(),
            quiet: 0,
            active: Instant::now(),
            rested: true,
            paused: None,
            due: Vec::new(),
        }
    }

    /// Runs until the transport is closed.
    pub(crate) fn run(mut self) {
        let mut room = [const { MaybeUninit::<epoll::Event>::uninit() }; 64];
        while !self.roster.core.closing.load(Ordering::Acquire) {
            service::turn();
            self.poll();
            let timeout = self.timeout();
            let events = match epoll::wait(&self.roster.core.epoll, &mut room, timeout.as_ref()) {
                Ok((events, _)) => events,
                Err(_) => continue,
            };
            self.unauthenticated_until = Instant::now() + UNAUTHENTICATED_TURN;
            for event in events {
                // Copied out of the packed list.
                let (id, _flags) = (event.data.u64(), event.flags);
                self.event(id);
            }
            self.commands();
            let now = Instant::now();
            if now.saturating_duration_since(self.last_tick) >= TICK {
                self.last_tick = now;
                self.tick(now);
            }
        }
        for member in self.roster.members() {
            self.leave(&member);
        }
    }

    /// Ends all that is done for a member.
    fn leave(&mut self, member: &Arc<Shared>) {
        for (_, mut guest) in self.guests.extract_if(|_, guest| Arc::ptr_eq(guest.member(), member)) {
            guest.announce(true);
            guest.close();
        }
        for connection in member.all_connections() {
            connection.send_close(&member.local);
            connection.fail(&member.local, "the transport was closed");
            *lock(&connection.connecting) = None;
        }
        lock(&member.connections).clear();
        self.count(member);
        self.roster.remove(member);
    }

    fn timeout(&self) -> Option<Timespec> {
        let tick = Timespec { tv_sec: 0, tv_nsec: i64::from(TICK.subsec_nanos()) };
        if self.roster.core.is_attentive() {
            Some(tick)
        } else if !self.due.is_empty() {
            Some(Timespec { tv_sec: 0, tv_nsec: 10_000_000 })
        } else if !self.newcomers.is_empty() || self.paused.is_some() {
            Some(Timespec { tv_sec: 0, tv_nsec: 100_000_000 })
        } else if !self.rested {
            Some(Timespec { tv_sec: 0, tv_nsec: 500_000_000 })
        } else {
            None
        }
    }

    /// Polls the connection that was served last, as long as that pays.
    fn poll(&mut self) {
        let Some(id) = self.hot.take() else { return };
        let Some(mut spinning) = self.spin.begin() else { return };
        let Some(guest) = self.guests.get_mut(&id) else { return };
        let mut count = 0u32;
        let mut paid = false;
        let mut interrupted = false;
        let over = loop {
            match guest.turn() {
                Ok(true) => {
                    spinning.restart();
                    paid = true;
                }
                Ok(false) => {
                    if !spinning.again() {
                        break None;
                    }
                }
                Err(over) => break Some(over),
            }
            count += 1;
            if count.is_multiple_of(POLLS) {
                let mut room = [const { MaybeUninit::<epoll::Event>::uninit() }; 2];
                let none = Timespec { tv_sec: 0, tv_nsec: 0 };
                let events = epoll::wait(&self.roster.core.epoll, &mut room, Some(&none));
                // The polled one is as a rule among them.
                let others = |event: &epoll::Event| event.data.u64() != id;
                let is_tick = self.roster.core.is_attentive() && self.last_tick.elapsed() >= TICK;
                if is_tick || events.is_ok_and(|(events, _)| events.iter().any(others)) {
                    interrupted = true;
                    break None;
                }
            }
        };
        if paid {
            self.spin.found();
        } else if !interrupted {
            self.spin.missed();
        }
        match over {
            Some(over) => self.served(id, &over),
            None => {
                let served = guest.serve();
                self.served(id, &served);
            }
        }
    }

    fn event(&mut self, id: u64) {
        if id == 0 {
            self.roster.core.woken();
        } else if id < FIRST_ID {
            self.accept(id);
        } else if let Some(guest) = self.guests.get_mut(&id) {
            let served = guest.serve();
            self.served(id, &served);
        } else if self.newcomers.contains(id) {
            // Work left for another turn wakes the thread again.
            if Instant::now() < self.unauthenticated_until
                && let Some(newcomer) = self.newcomers.take(id)
            {
                self.meet(id, newcomer);
            }
        } else if let Some((member, connection)) = self.roster.connection(id) {
            self.drive(&member, &connection);
        }
    }

    /// Goes on with a newcomer.
    fn meet(&mut self, id: u64, newcomer: Box<Newcomer>) {
        match newcomer.advance(&self.roster.core, id) {
            Arrival::Waits(newcomer) => self.give_place(id, newcomer),
            Arrival::Refused => {}
            Arrival::Proved(me, peer, channel) => {
                // It may have left during the handshake; the connection ends with it.
                let Some(member) = self.roster.member(me) else { return };
                let mut guest = Guest::new(&member, id, peer, channel);
                guest.ask();
                self.guests.insert(id, guest);
                self.count(&member);
                // Bytes behind the handshake may have been received with it.
                self.event(id);
            }
        }
    }

    fn give_place(&mut self, id: u64, newcomer: Box<Newcomer>) {
        if let Some(oldest) = self.newcomers.put(id, newcomer) {
            warn_limited!(from = %oldest.from(), "closed an unauthenticated connection to make room for a newer one");
        }
    }

    fn accept(&mut self, id: u64) {
        let Some(listener) = self.roster.listener(id) else { return };
        let at = id;
        let mut now = Instant::now();
        let until = now + ARRIVALS;
        // A connection that is left in the queue wakes the thread again.
        while now < until {
            let id = self.roster.core.new_id();
            let begin = |from| self.roster.handshake(from, at);
            match listen::accept(&self.roster.core, &listener, id, now, begin) {
                // A member in the queue has sent its first message by now: it must not count as silent.
                Accepted::Newcomer(newcomer) => self.meet(id, newcomer),
                Accepted::Gone => {}
                Accepted::Nothing => return,
                Accepted::Exhausted => {
                    if !self.newcomers.make_room() {
                        warn_limited!("connections wait: descriptors or memory are used up (RLIMIT_NOFILE)");
                        self.listen_again(Some(now + PAUSE));
                        return;
                    }
                }
            }
            now = Instant::now();
        }
    }

    /// Stops listening until then, or listens again.
    fn listen_again(&mut self, paused: Option<Instant>) {
        self.paused = paused;
        let flags = if paused.is_some() { EventFlags::empty() } else { EventFlags::IN };
        self.roster.listen_for(flags);
    }

    fn served(&mut self, id: u64, served: &Served) {
        match served {
            Served::Nothing => {}
            Served::Something => {
                self.hot = Some(id);
                self.active = Instant::now();
                self.rested = false;
            }
            Served::Over { announced } => {
                let Some(guest) = self.close_guest(id) else { return };
                if guest.loan.is_some() {
                    self.loan_over(&guest, *announced);
                } else if !announced {
                    remake(guest.member(), guest.peer);
                }
            }
            Served::Lent(loan) => {
                let Some(guest) = self.guests.remove(&id) else { return };
                let (member, peer) = (Arc::clone(guest.member()), guest.peer);
                self.count(&member);
                loans::take(&member, peer, *loan, guest.into_channel());
            }
        }
    }

    /// Closes an accepted, or lent, connection.
    fn close_guest(&mut self, id: u64) -> Option<Guest> {
        let mut guest = self.guests.remove(&id)?;
        guest.close();
        self.count(guest.member());
        Some(guest)
    }

    /// Counts the accepted connections of a member.
    fn count(&self, member: &Arc<Shared>) {
        let mine = self.guests.values().filter(|guest| Arc::ptr_eq(guest.member(), member));
        let (guests, bytes) = mine.fold((0, 0), |(guests, bytes), guest| (guests + 1, bytes + guest.bytes()));
        member.guests.store(guests, Ordering::Relaxed);
        member.guest_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Goes on with a connection of ours that no caller drives.
    fn drive(&mut self, shared: &Arc<Shared>, connection: &Connection) {
        self.rested = false;
        if connection.is_connecting() {
            self.advance(shared, connection, Instant::now());
            return;
        }
        if connection.claim.is_driven() {
            connection.ask(&shared.local, false, false);
            if connection.claim.is_driven() {
                return;
            }
        }
        if connection.send(&shared.local) == Sent::Elsewhere {
            // A long post. Two threads at one socket wait for each other in the kernel; a tick asks again.
            connection.ask(&shared.local, false, false);
            return;
        }
        connection.receive_all(&shared.local, TURNS, || !connection.claim.is_driven());
        if !connection.claim.is_driven() {
            connection.ask(&shared.local, connection.is_busy(), connection.has_unsent());
        }
    }

    /// Goes on with a connection that is not ready.
    fn advance(&mut self, shared: &Arc<Shared>, connection: &Connection, now: Instant) {
        if let Some((loan, channel)) = connect::advance(shared, connection, now) {
            self.lent(shared, connection, loan, channel);
        }
    }

    fn commands(&mut self) {
        for command in self.roster.core.commands() {
            match command {
                Command::Ended(id, was_ready) => self.ended(id, was_ready),
                Command::Lend(me, peer, loan) => self.lend(me, peer, loan),
                Command::Borrow(id) => {
                    if let Some((member, connection)) = self.roster.connection(id) {
                        loans::ask(&member, &connection);
                    }
                }
                Command::Leave(me, left) => {
                    if let Some(member) = self.roster.named(me) {
                        self.leave(&member);
                    }
                    // The caller may be this thread itself, and not wait.
                    let _ = left.send(());
                }
                Command::Forget(me, peer) => {
                    let theirs = |guest: &Guest| guest.peer == peer && guest.member().me == me;
                    let ids: Vec<u64> =
                        self.guests.iter().filter(|(_, guest)| theirs(guest)).map(|(id, _)| *id).collect();
                    for id in ids {
                        if let Some(guest) = self.guests.get_mut(&id) {
                            guest.announce(false);
                        }
                        // Another loan to the peer is not ended here: it may have been introduced again.
                        self.close_guest(id);
                    }
                    self.lend_no_more(me, peer);
                    let Some(member) = self.roster.member(me) else { continue };
                    let connections = member.all_connections();
                    let is_loan = |known: &&Arc<Connection>| matches!(known.purpose, Purpose::Loan(_));
                    for loan in connections.iter().filter(|known| known.peer == peer).filter(is_loan) {
                        loan.fail(&member.local, "the peer is gone");
                    }
                }
                Command::Copied(id, number, result) => {
                    if let Some(guest) = self.guests.get_mut(&id) {
                        guest.copied(number, result);
                        let served = guest.serve();
                        self.served(id, &served);
                    }
                }
            }
        }
    }
}
