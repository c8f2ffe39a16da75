// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One connection that this process opened: its requests go out, the replies come back.
//!
//! **Two ends**, in this order: `receiving`, then `sending`; `interest` alone. Who has the receiving end may
//! be writing to the memory of a get, and who has the sending end may be reading that of a put, so an
//! operation is ended early only with both. Neither is held while the target is called.
//!
//! **No short operation waits for an end.** A post tries to take the sending end; if another thread has it,
//! the operation is left with that thread (`mf_base::sync::handover`). Who waits for a reply tries to take
//! the receiving end, and polls again if it is taken. What is in flight passes from one end to the other
//! without a lock (`table.rs`).
//!
//! Who drives it: `claim.rs`.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use mf_base::sync::handover::{Handover, Left};
use mf_base::sync::ring::{self, Adder, Taker};
use mf_base::sync::{lock, try_lock};
use mf_base::{Error, Kind, Retry, Scope};
use rustix::event::epoll;

use super::channel::Channel;
use super::claim::Claim;
use super::connect::Connecting;
use super::engine::Command;
use super::inbound::{Broken, Inbound};
use super::outbound::{Outbound, Reader};
use super::post::Request;
use super::replies::Replies;
use super::shared::Shared;
use super::table::{Entry, Flight, Table, What};
use super::wire::Header;
use crate::transport::{Peer, SegmentKey, Spot};

/// Most operations in flight on one connection.
const LIVE_MAX: usize = 8192;
/// Most bytes of short frames that wait.
const GATHERED_MAX: usize = 256 << 10;
/// Most pieces that wait.
const PIECES_MAX: usize = 4096;
/// So many bytes of short frames leave without waiting for a reply.
const GATHERED_LONG: usize = 16 << 10;

const CONNECTING: u8 = 0;
const READY: u8 = 1;
const DEAD: u8 = 2;

/// The sending end.
pub(super) struct Sending {
    pub(super) out: Outbound,
    pub(super) entries: Adder<Entry>,
}

/// The receiving end.
struct Receiving {
    inbound: Inbound,
    entries: Taker<Entry>,
}

/// A connection to a peer.
pub(super) struct Connection {
    pub(super) id: u64,
    pub(super) peer: Peer,
    /// Made only to see whether the peer is still there.
    pub(super) is_probe: bool,
    state: AtomicU8,
    pub(super) connecting: Mutex<Option<Connecting>>,
    /// The address, for texts; and when it became ready.
    pub(super) path: Mutex<(String, Option<Instant>)>,
    channel: OnceLock<Channel>,
    receiving: Mutex<Receiving>,
    sending: Handover<Sending, Request>,
    flight: Flight,
    /// Whether something waits to be sent.
    unsent: AtomicBool,
    pub(super) claim: Claim,
    /// Why it died.
    reason: OnceLock<String>,
}

/// A set of connections, as callers hold it.
pub(super) type Connections = Vec<Arc<Connection>>;

/// Requests never lie in segments.
struct Nowhere;

impl Reader for Nowhere {
    fn read(&self, _: SegmentKey, _: u64, _: u64, _: &mut dyn FnMut(Spot<'_>)) -> mf_base::Result<()> {
        Err(Error::new(Kind::Failed, "tcp send"))
    }
}

/// Why a request was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The connection is gone.
    Dead,
    /// The queue is full.
    Full,
    /// Another thread has the sending end.
    Taken,
}

impl Connection {
    pub(super) fn new(id: u64, peer: Peer, is_probe: bool, summed: bool) -> Self {
        let mut out = Outbound::new(summed);
        out.frame(Header::hello(summed), &[]);
        let (adder, taker) = ring::ring();
        Self {
            id,
            peer,
            is_probe,
            state: AtomicU8::new(CONNECTING),
            connecting: Mutex::new(None),
            path: Mutex::new((String::new(), None)),
            channel: OnceLock::new(),
            receiving: Mutex::new(Receiving { inbound: Inbound::default(), entries: taker }),
            sending: Handover::new(Sending { out, entries: adder }),
            flight: Flight::default(),
            unsent: AtomicBool::new(false),
            claim: Claim::default(),
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
        self.flight.live()
    }

    /// Whether something is in flight or waits to be sent.
    pub(super) fn is_busy(&self) -> bool {
        !self.is_dead() && (self.live() > 0 || self.has_unsent())
    }

    pub(super) fn channel(&self) -> Option<&Channel> {
        self.channel.get()
    }

    pub(super) fn has_unsent(&self) -> bool {
        self.unsent.load(Ordering::Acquire)
    }

    /// The marks of what was posted up to now.
    pub(super) fn mark(&self, shared: &Shared) -> (u64, u64) {
        self.with(shared, |sending| (sending.entries.next(), self.flight.next_copy()))
    }

    /// Whether everything before the marks has ended.
    pub(super) fn is_past(&self, mark: (u64, u64)) -> bool {
        self.live() == 0 || self.table(&mut lock(&self.receiving)).is_past(mark)
    }

    /// Whether something in flight belongs to this completion.
    pub(super) fn serves(&self, completion: &crate::transport::Completion) -> bool {
        self.live() > 0 && self.table(&mut lock(&self.receiving)).serves(completion)
    }

    fn table<'a>(&'a self, receiving: &'a mut Receiving) -> Table<'a> {
        Table { flight: &self.flight, entries: &mut receiving.entries }
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

    /// Works with the sending end, once nobody else does.
    pub(super) fn with<R>(&self, shared: &Shared, act: impl FnOnce(&mut Sending) -> R) -> R {
        let mut broken = None;
        let result = self.sending.with(|sending, left| self.take_in(sending, left, &mut broken), act);
        self.check(shared, broken);
        result
    }

    /// Works with the sending end, unless another thread does.
    fn try_with<R>(&self, shared: &Shared, act: impl FnOnce(&mut Sending) -> R) -> Option<R> {
        let mut broken = None;
        let result = self.sending.try_with(|sending, left| self.take_in(sending, left, &mut broken), act);
        self.check(shared, broken);
        result
    }

    /// Works with both ends, once nobody else does.
    fn with_both<R>(&self, shared: &Shared, act: impl FnOnce(&mut Receiving, &mut Sending) -> R) -> R {
        let mut broken = None;
        let mut receiving = lock(&self.receiving);
        let serve = |sending: &mut Sending, left| self.take_in(sending, left, &mut broken);
        let result = self.sending.with(serve, |sending| act(&mut receiving, sending));
        drop(receiving);
        self.check(shared, broken);
        result
    }

    /// Queues what other threads have left.
    fn take_in(&self, sending: &mut Sending, left: Left<Request>, broken: &mut Option<std::io::Error>) {
        let was_idle = sending.entries.is_empty();
        for request in left {
            let taken = if self.is_dead() {
                Err(self.error("tcp post", self.reason()))
            } else {
                request.fill(&self.flight, sending);
                Ok(())
            };
            // From here on it counts by its entries.
            request.completion.end(taken);
            self.flight.withdraw(1);
        }
        if !self.is_dead()
            && let Err(error) = self.queued(sending, was_idle)
        {
            *broken = Some(error);
        }
    }

    /// Ends it, if it broke while requests of others were queued.
    fn check(&self, shared: &Shared, broken: Option<std::io::Error>) {
        if let Some(error) = broken {
            self.fail(shared, &error.to_string());
        }
    }

    /// Leaves a request with the thread that has the sending end; false: too much is in flight.
    pub(super) fn leave(&self, shared: &Shared, request: Request) -> bool {
        if self.live() >= LIVE_MAX {
            return false;
        }
        // It counts as one operation until it is taken in.
        self.flight.begin(1);
        request.completion.begin(1);
        let mut broken = None;
        self.sending.leave(request, |sending, left| self.take_in(sending, left, &mut broken));
        self.check(shared, broken);
        self.attend(shared);
        true
    }

    /// Queues what `fill` makes and sends it, unless an earlier one is on its way whose reply will take it
    /// along. Does not wait.
    pub(super) fn try_submit(
        &self,
        shared: &Shared,
        at_once: bool,
        fill: impl FnOnce(&Flight, &mut Sending),
    ) -> Result<(), Refused> {
        let submitted = self.try_with(shared, |sending| self.submit(sending, at_once, fill));
        self.submitted(shared, submitted.unwrap_or(Err(Refused::Taken)))
    }

    /// As [`try_submit`](Self::try_submit), and waits for the sending end.
    pub(super) fn submit_to(
        &self,
        shared: &Shared,
        at_once: bool,
        fill: impl FnOnce(&Flight, &mut Sending),
    ) -> Result<(), Refused> {
        let submitted = self.with(shared, |sending| self.submit(sending, at_once, fill));
        self.submitted(shared, submitted)
    }

    fn submit(
        &self,
        sending: &mut Sending,
        at_once: bool,
        fill: impl FnOnce(&Flight, &mut Sending),
    ) -> Result<std::io::Result<bool>, Refused> {
        if self.is_dead() {
            return Err(Refused::Dead);
        }
        if !self.has_room(sending) {
            return Err(Refused::Full);
        }
        let was_idle = self.live() == 0;
        fill(&self.flight, sending);
        Ok(self.queued(sending, at_once || was_idle))
    }

    fn submitted(
        &self,
        shared: &Shared,
        submitted: Result<std::io::Result<bool>, Refused>,
    ) -> Result<(), Refused> {
        match submitted? {
            Ok(true) => {}
            Ok(false) if self.claim.is_driven() => {}
            Ok(false) => self.ask(shared, true, true),
            Err(error) => {
                self.fail(shared, &error.to_string());
                return Ok(());
            }
        }
        self.attend(shared);
        Ok(())
    }

    fn attend(&self, shared: &Shared) {
        shared.core.attend();
        if shared.closing.load(Ordering::SeqCst) {
            // The progress thread may have ended everything before this was queued.
            self.fail(shared, "the transport is closed");
        }
    }

    fn has_room(&self, sending: &Sending) -> bool {
        self.live() < LIVE_MAX
            && sending.entries.len() < 2 * LIVE_MAX as u64
            && sending.out.gathered() < GATHERED_MAX
            && sending.out.pieces() < PIECES_MAX
    }

    /// Whether it takes another request, once nobody else has the sending end.
    pub(super) fn takes_more(&self, shared: &Shared) -> bool {
        self.is_dead() || self.with(shared, |sending| self.has_room(sending))
    }

    /// Something was queued: sends, if it is time; false: the socket is full.
    fn queued(&self, sending: &mut Sending, at_once: bool) -> std::io::Result<bool> {
        self.unsent.store(true, Ordering::Release);
        let is_long = sending.out.gathered() >= GATHERED_LONG || sending.out.pieces() > 1;
        if self.is_ready() && (at_once || is_long) { self.send_all(sending) } else { Ok(true) }
    }

    fn send_all(&self, sending: &mut Sending) -> std::io::Result<bool> {
        let Some(channel) = self.channel.get() else { return Ok(false) };
        let all = sending.out.send(channel, &Nowhere)?;
        if all {
            self.unsent.store(false, Ordering::Release);
        }
        Ok(all)
    }

    /// Sends what waits, unless another thread is about to; whether nothing is left.
    pub(super) fn send(&self, shared: &Shared) -> bool {
        if !self.has_unsent() || !self.is_ready() {
            return true;
        }
        match self.try_with(shared, |sending| self.send_all(sending)) {
            None => false,
            Some(Ok(all)) => all,
            Some(Err(error)) => {
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
            let received = self.pump(&mut lock(&self.receiving));
            if !self.received(shared, received) {
                return;
            }
            self.send(shared);
            turn += 1;
        }
    }

    /// Receives once, unless another thread does; whether there was anything.
    pub(super) fn receive(&self, shared: &Shared) -> bool {
        let Some(mut receiving) = try_lock(&self.receiving) else { return false };
        let received = self.pump(&mut receiving);
        drop(receiving);
        self.received(shared, received)
    }

    fn pump(&self, receiving: &mut Receiving) -> Result<bool, Broken> {
        let Some(channel) = self.channel.get().filter(|_| !self.is_dead()) else { return Ok(false) };
        let Receiving { inbound, entries } = receiving;
        let table = Table { flight: &self.flight, entries };
        inbound.pump(channel, &mut Replies::new(table, self.peer))
    }

    fn received(&self, shared: &Shared, received: Result<bool, Broken>) -> bool {
        let reason = match received {
            Ok(any) => return any,
            Err(Broken::Closed) => "the other end closed the connection".to_owned(),
            Err(Broken::Socket(error)) => format!("the connection broke: {error}"),
            Err(Broken::Protocol(malformed)) => {
                tracing::warn!(peer = %self.peer, reason = %malformed, "malformed reply, the connection is closed");
                format!("malformed reply: {malformed}")
            }
        };
        self.fail(shared, &reason);
        true
    }

    /// Ends what is late.
    pub(super) fn expire(&self, shared: &Shared, now: Instant) {
        if !self.flight.is_late(now) {
            return;
        }
        let whole = self.with_both(shared, |receiving, sending| {
            let release = |sequence| sending.out.cancel(sequence);
            self.table(receiving).expire(now, release, |what| self.timeout(what))
        });
        if !whole {
            self.fail(shared, "a put was half sent at its deadline; the connection was ended with it");
        }
    }

    /// The handshake is done.
    pub(super) fn become_ready(&self, shared: &Shared, channel: Channel) {
        let sent = self.with(shared, |sending| {
            if self.is_dead() {
                return None;
            }
            let _ = self.channel.set(channel);
            lock(&self.path).1 = Some(Instant::now());
            self.state.store(READY, Ordering::Release);
            Some(self.queued(sending, true))
        });
        match sent {
            None => {}
            Some(Ok(all)) => self.ask(shared, true, !all),
            Some(Err(error)) => self.fail(shared, &error.to_string()),
        }
    }

    /// Ends it: everything in flight fails, nothing touches the callers' memory any more.
    pub(super) fn fail(&self, shared: &Shared, reason: &str) {
        let was = self.with_both(shared, |receiving, sending| {
            let was = self.state.swap(DEAD, Ordering::AcqRel);
            if was != DEAD {
                let _ = self.reason.set(reason.to_owned());
                sending.out.clear();
                sending.out.rest();
                self.table(receiving).end_all(|what| self.error(what.name(), reason));
                ring::rest(&mut sending.entries, &mut receiving.entries);
                self.unsent.store(false, Ordering::Release);
            }
            was
        });
        if was == DEAD {
            return;
        }
        if let Some(channel) = self.channel.get() {
            let _ = epoll::delete(&shared.core.epoll, channel.socket());
            channel.shutdown();
        }
        shared.core.command(Command::Ended(self.id, was == READY));
    }

    /// Says goodbye, as far as the socket takes it.
    pub(super) fn goodbye(&self, shared: &Shared) {
        if self.is_ready() {
            self.with(shared, |sending| {
                sending.out.frame(Header::new(super::wire::Kind::Goodbye, 0), &[]);
                let _ = self.send_all(sending);
            });
        }
    }

    /// Gives memory back while nothing happens.
    pub(super) fn rest(&self, shared: &Shared) {
        self.with_both(shared, |receiving, sending| {
            receiving.inbound.rest();
            sending.out.rest();
            ring::rest(&mut sending.entries, &mut receiving.entries);
        });
        self.flight.rest();
        if let Some(channel) = self.channel.get() {
            channel.rest();
        }
    }

    /// Memory that it holds.
    pub(super) fn bytes(&self, shared: &Shared) -> usize {
        size_of::<Self>()
            + self.channel.get().map_or(0, Channel::bytes)
            + self.flight.bytes()
            + self.with_both(shared, |receiving, sending| {
                receiving.inbound.bytes() + sending.out.bytes() + sending.entries.bytes()
            })
    }
}
