// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The progress thread: serves what others ask for, and goes on with what callers do not drive themselves.
//!
//! It sleeps in epoll. After it served somebody it looks at that connection for a while before it sleeps
//! again, when a core is free for it ([`Spin`]). While something of ours is in flight it wakes once a tick,
//! for deadlines and for connections that nobody drives. Who has not proved itself gets a bounded part of its
//! time between two looks at those who have.

use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::os::process::descriptor_limit;
use mf_base::sync::lock;
use mf_base::sync::spin::Spin;
use mf_base::warn_limited;
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventFlags};

use super::connect;
use super::connection::Connection;
use super::engine::{Command, Core, FIRST_ID};
use super::listen::{self, Accepted, Arrival, Newcomer};
use super::newcomers::Newcomers;
use super::serve::{Guest, Served};
use super::shared::Shared;
use crate::transport::Peer;

/// How often it looks while something is in flight.
const TICK: Duration = Duration::from_millis(1);
/// So many ticks with nothing in flight, and it sleeps until it is woken.
const QUIET_TICKS: u32 = 100;
/// After so long with nothing received, memory of buffers is given back.
const REST: Duration = Duration::from_millis(300);
/// How long unauthenticated connections are served before those of members again. One more step of one is
/// taken, which may be a TLS handshake.
const UNAUTHENTICATED_TURN: Duration = Duration::from_micros(500);
/// The same for those that arrive at one listening socket.
const ARRIVALS: Duration = Duration::from_micros(300);
/// How long nobody is accepted when there is no descriptor for it.
const PAUSE: Duration = Duration::from_millis(100);
/// Looks at one connection between two questions whether another has something.
const LOOKS: u32 = 16;
/// Turns of a connection of ours for one event.
const TURNS: usize = 8;
/// A connection that ends so soon after it was remade is not remade again.
const YOUNG: Duration = Duration::from_secs(1);

pub(super) struct Progress {
    core: Arc<Core>,
    newcomers: Newcomers,
    /// Until then unauthenticated connections are served in this turn.
    unauthenticated_until: Instant,
    guests: HashMap<u64, Guest>,
    spin: Spin,
    /// The connection that was served last.
    hot: Option<u64>,
    last_tick: Instant,
    quiet: u32,
    /// When something was last received for others, and whether memory was given back since.
    active: Instant,
    rested: bool,
    /// No connections are accepted until then: descriptors are used up.
    paused: Option<Instant>,
}

impl Progress {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self {
            core,
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
        }
    }

    /// Runs until the transport is closed.
    pub(super) fn run(mut self) {
        let mut room = [const { MaybeUninit::<epoll::Event>::uninit() }; 64];
        while !self.core.closing.load(Ordering::Acquire) {
            self.look();
            let timeout = self.timeout();
            let events = match epoll::wait(&self.core.epoll, &mut room, timeout.as_ref()) {
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
        for member in self.core.members() {
            self.leave(&member);
        }
    }

    /// Ends all that is done for a member.
    fn leave(&mut self, member: &Arc<Shared>) {
        for (_, mut guest) in self.guests.extract_if(|_, guest| Arc::ptr_eq(guest.member(), member)) {
            guest.close();
        }
        for connection in member.all_connections() {
            connection.goodbye(member);
            connection.fail(member, "the transport was closed");
            *lock(&connection.connecting) = None;
        }
        lock(&member.connections).clear();
        self.count(member);
        self.core.remove(member);
    }

    fn timeout(&self) -> Option<Timespec> {
        let tick = Timespec { tv_sec: 0, tv_nsec: i64::from(TICK.subsec_nanos()) };
        if self.core.is_attentive() {
            Some(tick)
        } else if !self.newcomers.is_empty() || self.paused.is_some() {
            Some(Timespec { tv_sec: 0, tv_nsec: 100_000_000 })
        } else if !self.rested {
            Some(Timespec { tv_sec: 0, tv_nsec: 500_000_000 })
        } else {
            None
        }
    }

    /// Looks at the connection that was served last, as long as that pays.
    fn look(&mut self) {
        let Some(id) = self.hot.take() else { return };
        let Some(mut look) = self.spin.begin() else { return };
        let Some(guest) = self.guests.get_mut(&id) else { return };
        let mut count = 0u32;
        let mut paid = false;
        let mut interrupted = false;
        let over = loop {
            match guest.turn() {
                Ok(true) => {
                    look.restart();
                    paid = true;
                }
                Ok(false) => {
                    if !look.again() {
                        break None;
                    }
                }
                Err(over) => break Some(over),
            }
            count += 1;
            if count.is_multiple_of(LOOKS) {
                let mut room = [const { MaybeUninit::<epoll::Event>::uninit() }; 2];
                let none = Timespec { tv_sec: 0, tv_nsec: 0 };
                let others = epoll::wait(&self.core.epoll, &mut room, Some(&none));
                let is_tick = self.core.is_attentive() && self.last_tick.elapsed() >= TICK;
                if is_tick || others.is_ok_and(|(events, _)| !events.is_empty()) {
                    interrupted = true;
                    break None;
                }
            }
        };
        if paid {
            self.spin.paid();
        } else if !interrupted {
            self.spin.in_vain();
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
            self.core.woken();
        } else if id < FIRST_ID {
            self.accept(id);
        } else if let Some(guest) = self.guests.get_mut(&id) {
            let served = guest.serve();
            self.served(id, &served);
        } else if self.newcomers.contains(id) {
            // What is left for another turn wakes the thread again.
            if Instant::now() < self.unauthenticated_until
                && let Some(newcomer) = self.newcomers.take(id)
            {
                self.meet(id, newcomer);
            }
        } else if let Some((member, connection)) = self.core.connection(id) {
            self.drive(&member, &connection);
        }
    }

    /// Goes on with a newcomer.
    fn meet(&mut self, id: u64, newcomer: Box<Newcomer>) {
        match newcomer.advance(&self.core, id) {
            Arrival::Waits(newcomer) => self.give_place(id, newcomer),
            Arrival::Refused => {}
            Arrival::Proved(me, peer, channel) => {
                // It may have left during the handshake; the connection ends with it.
                let Some(member) = self.core.member(me) else { return };
                let mut guest = Guest::new(&member, id, peer, channel);
                guest.ask();
                self.guests.insert(id, guest);
                self.count(&member);
                // What came behind the handshake may have been received with it.
                self.event(id);
            }
        }
    }

    fn give_place(&mut self, id: u64, newcomer: Box<Newcomer>) {
        if let Some(oldest) = self.newcomers.put(id, newcomer) {
            warn_limited!(from = %oldest.from(), "a connection that has not proved itself gave way to a newer one");
        }
    }

    fn accept(&mut self, id: u64) {
        let Some(listener) = self.core.listener(id) else { return };
        let at = id;
        let mut now = Instant::now();
        let until = now + ARRIVALS;
        // Who is left in the queue wakes the thread again.
        while now < until {
            let id = self.core.new_id();
            match listen::accept(&self.core, (at, &listener), id, now) {
                // Who belongs here has spoken while it waited: it is not to stand with the silent.
                Accepted::Newcomer(newcomer) => self.meet(id, newcomer),
                Accepted::Gone => {}
                Accepted::Nobody => return,
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
        self.core.listen_for(flags);
    }

    fn served(&mut self, id: u64, served: &Served) {
        match served {
            Served::Nothing => {}
            Served::Something => {
                self.hot = Some(id);
                self.active = Instant::now();
                self.rested = false;
            }
            Served::Over { goodbye } => {
                let Some(mut guest) = self.guests.remove(&id) else { return };
                guest.close();
                self.count(guest.member());
                if !goodbye {
                    remake(guest.member(), guest.peer);
                }
            }
        }
    }

    /// Counts what was accepted for a member.
    fn count(&self, member: &Arc<Shared>) {
        let mine = self.guests.values().filter(|guest| Arc::ptr_eq(guest.member(), member));
        let (guests, bytes) = mine.fold((0, 0), |(guests, bytes), guest| (guests + 1, bytes + guest.bytes()));
        member.guests.store(guests, Ordering::Relaxed);
        member.guest_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Goes on with a connection of ours that no caller drives.
    fn drive(&mut self, shared: &Shared, connection: &Connection) {
        self.rested = false;
        if connection.is_connecting() {
            connect::advance(shared, connection, Instant::now());
            return;
        }
        if connection.claim.is_driven() {
            connection.ask(shared, false, false);
            if connection.claim.is_driven() {
                return;
            }
        }
        connection.send(shared);
        connection.receive_all(shared, TURNS);
        if !connection.claim.is_driven() {
            connection.ask(shared, connection.is_busy(), connection.has_unsent());
        }
    }

    fn commands(&mut self) {
        for command in self.core.commands() {
            match command {
                Command::Ended(id, was_ready) => self.ended(id, was_ready),
                Command::Leave(member, left) => {
                    self.leave(&member);
                    // Who asked may be this thread itself, and not wait.
                    let _ = left.send(());
                }
                Command::Forget(me, peer) => {
                    let theirs = |guest: &Guest| guest.peer == peer && guest.member().me == me;
                    let ids: Vec<u64> =
                        self.guests.iter().filter(|(_, guest)| theirs(guest)).map(|(id, _)| *id).collect();
                    for id in ids {
                        self.served(id, &Served::Over { goodbye: true });
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

    /// A connection of ours has ended.
    fn ended(&mut self, id: u64, was_ready: bool) {
        let Some((member, connection)) = self.core.connection(id) else { return };
        lock(&member.connections).remove(&id);
        *lock(&connection.connecting) = None;
        let since = lock(&connection.path).1;
        let is_young = since.is_some_and(|since| since.elapsed() < YOUNG);
        if was_ready && !(connection.is_probe && is_young) {
            tracing::debug!(peer = %connection.peer, reason = connection.reason(), "connection ended");
            remake(&member, connection.peer);
        } else if connection.is_probe || is_last_hope(&member, &connection) {
            lost(&member, connection.peer, &connection.error("tcp connect", connection.reason()));
        }
    }

    fn tick(&mut self, now: Instant) {
        let members = self.core.members();
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
        if self.core.is_attentive() {
            self.quiet += 1;
            if self.quiet >= QUIET_TICKS {
                self.quiet = 0;
                self.core.unattend();
            }
        } else if !self.rested && now.saturating_duration_since(self.active) >= REST {
            for member in &members {
                member.all_connections().iter().for_each(|connection| connection.rest(member));
            }
            for guest in self.guests.values_mut() {
                guest.rest();
            }
            self.rested = true;
            members.iter().for_each(|member| self.count(member));
        }
    }

    /// Whether something is under way on a connection; goes on with it.
    fn tick_connection(&mut self, member: &Shared, connection: &Connection, now: Instant) -> bool {
        if connection.is_connecting() {
            connection.expire(member, now);
            connect::advance(member, connection, now);
            return true;
        }
        if !connection.is_busy() {
            return false;
        }
        // What was gathered does not wait longer than a tick.
        connection.send(member);
        if !connection.claim.is_driven() {
            connection.expire(member, now);
            if !connection.claim.is_armed() || connection.has_unsent() {
                self.drive(member, connection);
            }
        }
        true
    }
}

/// Whether a connection that could not be made was to replace one that broke.
fn is_last_hope(member: &Shared, connection: &Connection) -> bool {
    let Ok(peered) = member.peered(connection.peer) else { return false };
    let is_reached = lock(&peered.connections).iter().any(|connection| connection.is_ready());
    peered.is_doubtful.swap(false, Ordering::Relaxed) && !is_reached
}

/// Sees whether a peer whose connection broke is still there.
fn remake(member: &Shared, peer: Peer) {
    let Ok(peered) = member.peered(peer) else { return };
    let mut connections = lock(&peered.connections);
    if connections.first().is_some_and(|connection| !connection.is_dead()) {
        // Whoever uses it will find out; a connection that breaks as well comes here again.
        peered.is_doubtful.store(true, Ordering::Relaxed);
        return;
    }
    match connect::start(member, &peered, true) {
        Ok(connection) => peered.set_first(&mut connections, &connection),
        Err(error) => {
            drop(connections);
            lost(member, peer, &error);
        }
    }
}

fn lost(member: &Shared, peer: Peer, error: &mf_base::Error) {
    if member.peered(peer).is_ok()
        && let Some(target) = member.target.upgrade()
    {
        target.lost(peer, error);
    }
}
