// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One connection that this process opened: its requests go out, the replies come back.
//!
//! **Locks**, in this order: `inbound`, `out`, `table`; `interest` alone. None is held while somebody waits
//! or while the target is called. Who holds `inbound` may be writing to the memory of a get, and who holds
//! `out` may be reading that of a put, so an operation is ended early only under both.
//!
//! **Who drives it.** A caller that waits claims it (`driven`) and takes it from the progress thread by
//! asking epoll for nothing but the end of the connection. It stays so after the wait: between two operations
//! of one caller there is nothing to receive. The progress thread looks once a tick whether something is in
//! flight that nobody drives, and asks for readiness again. A driver that leaves with something in flight
//! asks for it itself, after it has given up its claim; the progress thread that meets a claimed connection
//! asks for nothing, and looks at the claim again after that. So one of them always sees the other.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use mf_base::{Error, Kind, Retry, Scope};
use rustix::event::epoll::{self, EventData, EventFlags};

use super::channel::Channel;
use super::connect::Connecting;
use super::engine::Command;
use super::inbound::{Broken, Inbound};
use super::outbound::{Outbound, Reader};
use super::replies::Replies;
use super::shared::Shared;
use super::table::{Table, What};
use super::wire::Header;
use crate::transport::{Peer, SegmentKey, Spot};

/// Most operations in flight on one connection.
pub(super) const MOST_LIVE: usize = 8192;
/// Most bytes of short frames that wait.
const MOST_GATHERED: usize = 256 << 10;
/// Most pieces that wait.
const MOST_PIECES: usize = 4096;

const CONNECTING: u8 = 0;
const READY: u8 = 1;
const DEAD: u8 = 2;

/// What epoll was asked for.
#[derive(Default)]
struct Interest {
    read: bool,
    write: bool,
}

/// A connection to a peer.
pub(super) struct Link {
    pub(super) id: u64,
    pub(super) peer: Peer,
    /// Made only to see whether the peer is still there.
    pub(super) is_probe: bool,
    state: AtomicU8,
    pub(super) connecting: Mutex<Option<Connecting>>,
    /// The address, for texts; and when it became ready.
    pub(super) path: Mutex<(String, Option<Instant>)>,
    channel: OnceLock<Channel>,
    inbound: Mutex<Inbound>,
    out: Mutex<Outbound>,
    table: Mutex<Table>,
    /// `table.live()`, for who does not hold the lock.
    live: AtomicUsize,
    /// Whether something waits to be sent.
    unsent: AtomicBool,
    driven: AtomicBool,
    interest: Mutex<Interest>,
    armed: AtomicBool,
    /// Why it died.
    reason: OnceLock<String>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Requests never lie in segments.
struct Nowhere;

impl Reader for Nowhere {
    fn read(&self, _: SegmentKey, _: u64, _: u64, _: &mut dyn FnMut(Spot<'_>)) -> mf_base::Result<()> {
        Err(Error::new(Kind::Failed, "tcp send"))
    }
}

/// Why a request was not taken.
pub(super) enum Refused {
    /// The connection is gone.
    Dead,
    /// The queue stayed full.
    Full,
}

impl Link {
    pub(super) fn new(id: u64, peer: Peer, is_probe: bool, summed: bool) -> Self {
        let mut out = Outbound::new(summed);
        out.frame(Header::hello(summed), &[]);
        Self {
            id,
            peer,
            is_probe,
            state: AtomicU8::new(CONNECTING),
            connecting: Mutex::new(None),
            path: Mutex::new((String::new(), None)),
            channel: OnceLock::new(),
            inbound: Mutex::default(),
            out: Mutex::new(out),
            table: Mutex::default(),
            live: AtomicUsize::new(0),
            unsent: AtomicBool::new(false),
            driven: AtomicBool::new(false),
            interest: Mutex::default(),
            armed: AtomicBool::new(false),
            reason: OnceLock::new(),
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        // Pairs with the release in `become_ready`.
        self.state.load(Ordering::Acquire) == READY
    }

    pub(super) fn is_connecting(&self) -> bool {
        self.state.load(Ordering::Acquire) == CONNECTING
    }

    pub(super) fn is_dead(&self) -> bool {
        self.state.load(Ordering::Acquire) == DEAD
    }

    /// Whether it was ever ready.
    pub(super) fn was_ready(&self) -> bool {
        self.channel.get().is_some()
    }

    /// Operations in flight.
    pub(super) fn live(&self) -> usize {
        self.live.load(Ordering::Acquire)
    }

    /// Whether something is in flight or waits to be sent.
    pub(super) fn is_busy(&self) -> bool {
        !self.is_dead() && (self.live() > 0 || self.unsent.load(Ordering::Acquire))
    }

    pub(super) fn is_driven(&self) -> bool {
        self.driven.load(Ordering::SeqCst)
    }

    pub(super) fn channel(&self) -> Option<&Channel> {
        self.channel.get()
    }

    pub(super) fn has_unsent(&self) -> bool {
        self.unsent.load(Ordering::Acquire)
    }

    /// The marks of what was posted up to now.
    pub(super) fn mark(&self) -> (u64, u64) {
        lock(&self.table).next()
    }

    /// Whether everything before the marks has ended.
    pub(super) fn is_past(&self, mark: (u64, u64)) -> bool {
        self.live() == 0 || lock(&self.table).is_past(mark)
    }

    /// Whether something in flight belongs to this completion.
    pub(super) fn serves(&self, completion: &crate::transport::Completion) -> bool {
        self.live() > 0 && lock(&self.table).serves(completion)
    }

    /// An error of this connection.
    pub(super) fn error(&self, what: &'static str, reason: &str) -> Error {
        Error::new(Kind::NotConnected, what)
            .what(reason)
            .with("rank", self.peer.rank)
            .with("session", self.peer.session)
            .with("address", &lock(&self.path).0)
            .retry(Retry::AfterReconnect)
            .scope(Scope::Peer)
    }

    /// Why it died.
    pub(super) fn reason(&self) -> &str {
        self.reason.get().map_or("the connection ended", String::as_str)
    }

    fn timeout(&self, what: What) -> Error {
        let state = if self.is_connecting() {
            "no connection came about until the deadline"
        } else {
            "no answer until the deadline"
        };
        Error::new(Kind::Timeout, what.name())
            .what(format!("rank {}: {state}", self.peer.rank))
            .with("rank", self.peer.rank)
            .with("session", self.peer.session)
            .with("address", &lock(&self.path).0)
            .scope(Scope::Peer)
    }

    /// Whether it takes another request.
    pub(super) fn has_room(&self) -> bool {
        if self.live() >= MOST_LIVE {
            return false;
        }
        let out = lock(&self.out);
        let is_short = out.gathered() < MOST_GATHERED && out.pieces() < MOST_PIECES;
        drop(out);
        is_short && lock(&self.table).len() < 2 * MOST_LIVE
    }

    /// Queues what `fill` makes and sends it, unless an earlier one is on its way whose reply will take it
    /// along.
    pub(super) fn submit(
        &self,
        shared: &Shared,
        at_once: bool,
        fill: impl FnOnce(&mut Table, &mut Outbound),
    ) -> Result<(), Refused> {
        let mut out = lock(&self.out);
        if self.is_dead() {
            return Err(Refused::Dead);
        }
        let was_idle = {
            let mut table = lock(&self.table);
            let was_idle = table.live() == 0;
            fill(&mut table, &mut out);
            self.live.store(table.live(), Ordering::Release);
            was_idle
        };
        self.unsent.store(true, Ordering::Release);
        let mut full = false;
        if self.is_ready() && (at_once || was_idle || out.gathered() >= GATHER_MOST || out.pieces() > 1) {
            match self.send_locked(&mut out) {
                Ok(all) => full = !all,
                Err(error) => {
                    drop(out);
                    self.fail(shared, &error.to_string());
                    return Ok(());
                }
            }
        }
        drop(out);
        if full && !self.is_driven() {
            self.ask(shared, true, true);
        }
        shared.core.attend();
        if shared.closing.load(Ordering::SeqCst) {
            // The progress thread may have ended everything before this was queued.
            self.fail(shared, "the transport is closed");
        }
        Ok(())
    }

    fn send_locked(&self, out: &mut Outbound) -> std::io::Result<bool> {
        let Some(channel) = self.channel.get() else { return Ok(false) };
        let all = out.send(channel, &Nowhere)?;
        if all {
            self.unsent.store(false, Ordering::Release);
        }
        Ok(all)
    }

    /// Sends what waits; whether nothing is left.
    pub(super) fn send(&self, shared: &Shared) -> bool {
        if !self.has_unsent() || !self.is_ready() {
            return true;
        }
        let sent = self.send_locked(&mut lock(&self.out));
        match sent {
            Ok(all) => all,
            Err(error) => {
                self.fail(shared, &error.to_string());
                true
            }
        }
    }

    /// Whether more can be received although the socket is not readable.
    fn has_buffered(&self) -> bool {
        !self.is_dead() && self.channel.get().is_some_and(Channel::has_buffered)
    }

    /// Receives until nothing is there, at most `turns` times; but never leaves behind what no readiness
    /// would tell of.
    pub(super) fn receive_all(&self, shared: &Shared, turns: usize) {
        let mut turn = 0;
        while turn < turns || self.has_buffered() {
            if !self.receive(shared) {
                return;
            }
            self.send(shared);
            turn += 1;
        }
    }

    /// Receives once; whether there was anything.
    pub(super) fn receive(&self, shared: &Shared) -> bool {
        let Some(channel) = self.channel.get() else { return false };
        let mut inbound = lock(&self.inbound);
        if self.is_dead() {
            return false;
        }
        let pumped = inbound.pump(channel, &mut Replies::new(&self.table, &self.live, self.peer));
        drop(inbound);
        match pumped {
            Ok(any) => any,
            Err(Broken::Closed) => {
                self.fail(shared, "the other end closed the connection");
                true
            }
            Err(Broken::Socket(error)) => {
                self.fail(shared, &format!("the connection broke: {error}"));
                true
            }
            Err(Broken::Protocol(malformed)) => {
                tracing::warn!(peer = %self.peer, reason = %malformed, "malformed reply, the connection is closed");
                self.fail(shared, &format!("malformed reply: {malformed}"));
                true
            }
        }
    }

    /// Ends what is late.
    pub(super) fn expire(&self, shared: &Shared, now: Instant) {
        if self.live() == 0 || !lock(&self.table).is_late(now) {
            return;
        }
        let inbound = lock(&self.inbound);
        let mut out = lock(&self.out);
        let mut table = lock(&self.table);
        let whole = table.expire(now, |sequence| out.cancel(sequence), |what| self.timeout(what));
        self.live.store(table.live(), Ordering::Release);
        drop(table);
        drop(out);
        drop(inbound);
        if !whole {
            self.fail(shared, "a put was half sent at its deadline; the connection was ended with it");
        }
    }

    /// The handshake is done.
    pub(super) fn become_ready(&self, shared: &Shared, channel: Channel) {
        let out = lock(&self.out);
        if self.is_dead() {
            return;
        }
        let _ = self.channel.set(channel);
        lock(&self.path).1 = Some(Instant::now());
        self.state.store(READY, Ordering::Release);
        self.unsent.store(true, Ordering::Release);
        drop(out);
        let all = self.send(shared);
        self.ask(shared, true, !all);
    }

    /// Ends it: everything in flight fails, nothing touches the callers' memory any more.
    pub(super) fn fail(&self, shared: &Shared, reason: &str) {
        let inbound = lock(&self.inbound);
        let mut out = lock(&self.out);
        let mut table = lock(&self.table);
        let was = self.state.swap(DEAD, Ordering::AcqRel);
        if was == DEAD {
            return;
        }
        let _ = self.reason.set(reason.to_owned());
        out.clear();
        out.rest();
        table.end_all(|what| self.error(what.name(), reason));
        self.live.store(0, Ordering::Release);
        self.unsent.store(false, Ordering::Release);
        drop(table);
        drop(out);
        drop(inbound);
        if let Some(channel) = self.channel.get() {
            let _ = epoll::delete(&shared.core.epoll, channel.socket());
            channel.shutdown();
        }
        shared.core.command(Command::Ended(self.id, was == READY));
    }

    /// Says goodbye, as far as the socket takes it.
    pub(super) fn goodbye(&self) {
        if self.is_ready() {
            let mut out = lock(&self.out);
            out.frame(Header::new(super::wire::Kind::Goodbye, 0), &[]);
            let _ = self.send_locked(&mut out);
        }
    }

    /// Claims it for a caller that waits.
    pub(super) fn claim(&self, shared: &Shared) -> bool {
        if self.driven.swap(true, Ordering::SeqCst) {
            return false;
        }
        if self.armed.load(Ordering::SeqCst) {
            self.ask(shared, false, false);
        }
        true
    }

    /// Gives the claim up.
    pub(super) fn release(&self, shared: &Shared) {
        self.receive_all(shared, 0);
        self.driven.store(false, Ordering::SeqCst);
        if self.is_busy() {
            self.ask(shared, true, self.has_unsent());
        }
    }

    /// Whether the progress thread is told of what comes.
    pub(super) fn is_armed(&self) -> bool {
        self.armed.load(Ordering::SeqCst)
    }

    /// Tells epoll what the progress thread wants to know.
    pub(super) fn ask(&self, shared: &Shared, read: bool, write: bool) {
        let Some(channel) = self.channel.get() else { return };
        let mut interest = lock(&self.interest);
        if self.is_dead() || (interest.read == read && interest.write == write) {
            return;
        }
        let mut flags = EventFlags::RDHUP;
        flags.set(EventFlags::IN, read);
        flags.set(EventFlags::OUT, write);
        if epoll::modify(&shared.core.epoll, channel.socket(), EventData::new_u64(self.id), flags).is_ok() {
            *interest = Interest { read, write };
            self.armed.store(read || write, Ordering::SeqCst);
        }
    }

    /// Gives memory back while nothing happens.
    pub(super) fn rest(&self) {
        lock(&self.inbound).rest();
        lock(&self.out).rest();
        lock(&self.table).rest();
        if let Some(channel) = self.channel.get() {
            channel.rest();
        }
    }

    /// Memory that it holds.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.channel.get().map_or(0, Channel::bytes)
            + lock(&self.inbound).bytes()
            + lock(&self.out).bytes()
            + lock(&self.table).bytes()
    }
}

/// So many bytes of short frames leave without waiting for a reply.
const GATHER_MOST: usize = 16 << 10;

/// A set of connections, as callers hold it.
pub(super) type Links = Vec<Arc<Link>>;
