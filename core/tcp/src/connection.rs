// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One connection that this process opened: its requests go out, the replies come back.
//!
//! **Two ends**, locked in this order: `receiving`, then `sending`; `interest` alone. The holder of the
//! receiving end may be writing to the memory of a get, the holder of the sending end may be reading the
//! memory of a put, so an operation is ended early only with both. Neither is held while the target is
//! called.
//!
//! **No short operation waits for an end.** A post tries to take the sending end; if another thread has it,
//! the operation is left with that thread (delegation lock, `mf_base::sync::delegation_lock`). A caller that
//! waits for a reply tries to take the receiving end, and polls again if it is taken. Operations in flight
//! pass from one end to the other without a lock (`table.rs`).
//!
//! The driving thread: `claim.rs`, `driving`.

mod driving;
mod sending;

pub(crate) use sending::Sent;

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use mf_base::sync::delegation_lock::DelegationLock;
use mf_base::sync::ring::{self, Taker};
use mf_base::sync::{lock, try_lock};
use mf_base::{Error, Kind, Retry, warn_limited};
use mf_transport::{Completion, Peer};
use rustix::event::epoll;

use crate::attempt::Connecting;
use crate::channel::Channel;
use crate::claim::Claim;
use crate::inbound::{Broken, Inbound};
use crate::local_end::LocalEnd;
use crate::outbound::Outbound;
use crate::parts::Request;
use crate::process_core::Command;
use crate::replies::{Farewell, Replies};
use crate::send_queue::Sending;
use crate::table::{Entry, Flight, Table, What};
use crate::validity::Numbers;
use crate::wire::Header;

const CONNECTING: u8 = 0;
const READY: u8 = 1;
const DEAD: u8 = 2;

/// The receiving end.
struct Receiving {
    inbound: Inbound,
    entries: Taker<Entry>,
}

/// A connection to a peer.
pub(crate) struct Connection {
    pub(crate) id: u64,
    pub(crate) peer: Peer,
    pub(crate) purpose: Purpose,
    /// Includes its own, which is `id`; `None` if the peer sends requests on it.
    numbers: Option<Arc<Numbers>>,
    /// The number of the loan, where the peer opened it (`loans.rs`).
    pub(crate) loan: OnceLock<u64>,
    state: AtomicU8,
    pub(crate) connecting: Mutex<Option<Connecting>>,
    /// The address, for texts; and when it became ready.
    pub(crate) path: Mutex<(String, Option<Instant>)>,
    channel: OnceLock<Channel>,
    receiving: Mutex<Receiving>,
    sending: DelegationLock<Sending, Request>,
    flight: Flight,
    /// True if frames wait to be sent.
    unsent: AtomicBool,
    pub(crate) claim: Claim,
    /// Why it died.
    reason: OnceLock<String>,
    /// It was ended for the deadline, or the source, of one operation: the peer may be there.
    is_given_up: AtomicBool,
    pub(crate) farewell: Mutex<Option<Farewell>>,
}

/// Purpose of opening a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Requests of this process.
    Requests,
    /// To see whether the peer is still there, and requests as well.
    Probe,
    /// Requests of the peer: it becomes one that this process serves. The number of the loan.
    Loan(u64),
}

/// A set of connections, as callers hold it.
pub(crate) type Connections = Vec<Arc<Connection>>;

/// Why a request was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The connection has ended.
    Dead,
    /// The queue is full.
    Full,
    /// Another thread has the sending end.
    Taken,
    /// The program does not wait for it any more.
    Left,
}

impl Connection {
    /// Makes one to a peer. `numbers`: live connections to its process.
    pub(crate) fn new(local: &LocalEnd, peer: Peer, numbers: &Arc<Numbers>, purpose: Purpose) -> Self {
        let new_id = || local.core.new_id();
        let summed = local.summed;
        let mut out = Outbound::new(summed);
        out.frame(Header::hello(summed), &[]);
        let numbers = (!matches!(purpose, Purpose::Loan(_))).then(|| Arc::clone(numbers));
        let id = numbers.as_ref().map_or_else(new_id, |numbers| numbers.issue(new_id));
        let (adder, taker) = ring::ring();
        let mut sending = Sending { out, entries: adder, reported: 0 };
        if let Some(numbers) = &numbers {
            sending.report(numbers, id);
        }
        Self {
            id,
            peer,
            purpose,
            numbers,
            loan: OnceLock::new(),
            state: AtomicU8::new(CONNECTING),
            connecting: Mutex::new(None),
            path: Mutex::new((String::new(), None)),
            channel: OnceLock::new(),
            receiving: Mutex::new(Receiving { inbound: Inbound::default(), entries: taker }),
            sending: DelegationLock::new(sending),
            flight: Flight::default(),
            unsent: AtomicBool::new(false),
            claim: Claim::default(),
            reason: OnceLock::new(),
            is_given_up: AtomicBool::new(false),
            farewell: Mutex::new(None),
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        // Pairs with the release in `become_ready`.
        self.state.load(Ordering::Acquire) == READY
    }

    pub(crate) fn is_connecting(&self) -> bool {
        self.state.load(Ordering::Acquire) == CONNECTING
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.state.load(Ordering::Acquire) == DEAD
    }

    /// Returns true if the peer opened it.
    pub(crate) fn is_lent(&self) -> bool {
        self.loan.get().is_some()
    }

    /// Returns true if it was ever ready.
    pub(crate) fn was_ready(&self) -> bool {
        self.channel.get().is_some()
    }

    /// Operations in flight.
    pub(crate) fn live(&self) -> usize {
        self.flight.live()
    }

    /// Returns true if operations are in flight or wait to be sent.
    pub(crate) fn is_busy(&self) -> bool {
        !self.is_dead() && (self.live() > 0 || self.has_unsent())
    }

    pub(crate) fn channel(&self) -> Option<&Channel> {
        self.channel.get()
    }

    pub(crate) fn has_unsent(&self) -> bool {
        self.unsent.load(Ordering::Acquire)
    }

    /// Returns the marks of all operations posted up to now.
    pub(crate) fn mark(&self, local: &LocalEnd) -> (u64, u64) {
        self.with(local, |sending| (sending.entries.next(), self.flight.next_copy()))
    }

    /// Returns true if all operations before the marks have ended.
    pub(crate) fn is_past(&self, mark: (u64, u64)) -> bool {
        self.live() == 0 || self.table(&mut lock(&self.receiving)).is_past(mark)
    }

    /// Returns true if an operation in flight belongs to this completion.
    pub(crate) fn serves(&self, completion: &Completion) -> bool {
        self.live() > 0 && self.table(&mut lock(&self.receiving)).serves(completion)
    }

    fn table<'a>(&'a self, receiving: &'a mut Receiving) -> Table<'a> {
        Table { flight: &self.flight, entries: &mut receiving.entries }
    }

    /// An error of this connection.
    pub(crate) fn error(&self, what: &'static str, reason: &str) -> Error {
        let (kind, retry) = match self.is_given_up.load(Ordering::Acquire) {
            true => (Kind::Timeout, Retry::AtOnce),
            false => (Kind::NotConnected, Retry::AfterReconnect),
        };
        Error::new(kind, what)
            .what(reason)
            .with("rank", self.peer.rank_fact())
            .with("session", self.peer.session)
            .with("address", &lock(&self.path).0)
            .retry(retry)
    }

    /// Why it died.
    pub(crate) fn reason(&self) -> &str {
        self.reason.get().map_or("the connection ended", String::as_str)
    }

    fn timeout(&self, what: What) -> Error {
        let state = if self.is_connecting() {
            "no connection came about until the deadline"
        } else {
            "no answer until the deadline"
        };
        Error::new(Kind::Timeout, what.name())
            .what(format!("{}: {state}", self.peer.name()))
            .with("rank", self.peer.rank_fact())
            .with("session", self.peer.session)
            .with("address", &lock(&self.path).0)
    }

    /// Returns true if more can be received although the socket is not readable.
    fn has_buffered(&self) -> bool {
        !self.is_dead() && self.channel.get().is_some_and(Channel::has_buffered)
    }

    /// Receives until no bytes are left, at most `turns` times, as long as `may` holds; but never leaves
    /// bytes that no readiness would report.
    pub(crate) fn receive_all(&self, local: &LocalEnd, turns: usize, may: impl Fn() -> bool) {
        let mut turn = 0;
        while turn < turns || self.has_buffered() {
            let mut receiving = lock(&self.receiving);
            if !may() {
                return;
            }
            let received = self.pump(&mut receiving);
            drop(receiving);
            if !self.received(local, received) {
                return;
            }
            self.send(local);
            turn += 1;
        }
    }

    /// Waits until no other thread receives. Once it is claimed none begins again, so a driver that then
    /// still waits for a reply may sleep on the socket.
    pub(crate) fn await_receiver(&self) {
        drop(lock(&self.receiving));
    }

    /// Receives once, unless another thread does. Returns true if bytes were received.
    pub(crate) fn receive(&self, local: &LocalEnd) -> bool {
        let Some(mut receiving) = try_lock(&self.receiving) else { return false };
        let received = self.pump(&mut receiving);
        drop(receiving);
        self.received(local, received)
    }

    fn pump(&self, receiving: &mut Receiving) -> Result<bool, Broken> {
        let Some(channel) = self.channel.get().filter(|_| !self.is_dead()) else { return Ok(false) };
        let Receiving { inbound, entries } = receiving;
        let table = Table { flight: &self.flight, entries };
        inbound.pump(channel, &mut Replies::new(table, self.peer, &self.farewell))
    }

    fn received(&self, local: &LocalEnd, received: Result<bool, Broken>) -> bool {
        let reason = match received {
            Ok(any) => return any,
            Err(Broken::Closed) => "the other end closed the connection".to_owned(),
            Err(Broken::Socket(error)) => format!("the connection broke: {error}"),
            Err(Broken::Protocol(malformed)) => {
                warn_limited!(peer = %self.peer, reason = %malformed, "malformed reply, the connection is closed");
                format!("malformed reply: {malformed}")
            }
        };
        self.fail(local, &reason);
        true
    }

    /// Works with both ends, once no other thread does.
    fn with_both<R>(&self, local: &LocalEnd, act: impl FnOnce(&mut Receiving, &mut Sending) -> R) -> R {
        let mut broken = None;
        let mut receiving = lock(&self.receiving);
        let serve = |sending: &mut Sending, left| self.take_in(sending, left, &mut broken);
        let result = self.sending.with(serve, |sending| act(&mut receiving, sending));
        drop(receiving);
        self.check(local, broken);
        result
    }

    /// Ends late operations.
    pub(crate) fn expire(&self, local: &LocalEnd, now: Instant) {
        if !self.flight.is_late(now) {
            return;
        }
        let whole = self.with_both(local, |receiving, sending| {
            let release =
                |what: What, number| what == What::Get || sending.out.take_back(what == What::Copy, number);
            self.table(receiving).expire(now, release, |what| self.timeout(what))
        });
        if !whole {
            self.is_given_up.store(true, Ordering::Release);
            let reason = "its connection was ended, as another operation had no answer at its deadline";
            self.end(local, reason, Channel::reset);
        }
    }

    /// Ends operations of this completion as if they were late.
    pub(crate) fn leave_alone(&self, local: &LocalEnd, completion: &Completion) {
        let now = Instant::now();
        self.with_both(local, |receiving, _| self.table(receiving).hasten(completion, now));
        self.expire(local, now);
    }

    /// The handshake is done.
    pub(crate) fn become_ready(&self, local: &LocalEnd, channel: Channel) {
        let sent = self.with(local, |sending| {
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
            Some(Ok(all)) => self.ask(local, true, !all),
            Some(Err(error)) => self.fail(local, &error.to_string()),
        }
    }

    /// Ends it: all operations in flight fail, and the callers' memory is not touched any more.
    pub(crate) fn fail(&self, local: &LocalEnd, reason: &str) {
        self.end(local, reason, Channel::shutdown);
    }

    fn end(&self, local: &LocalEnd, reason: &str, close: fn(&Channel)) {
        let was = self.with_both(local, |receiving, sending| {
            let was = self.state.swap(DEAD, Ordering::AcqRel);
            if was != DEAD {
                let _ = self.reason.set(reason.to_owned());
                self.void();
                if let Some(put) = sending.out.take_hole() {
                    self.is_given_up.store(true, Ordering::Release);
                    let hole =
                        |what: What| Error::invalid(what.name(), "a page of the source is not readable here");
                    let _ = self.table(receiving).fail(put, hole);
                }
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
            let _ = epoll::delete(&local.core.epoll, channel.socket());
            close(channel);
        }
        local.core.command(Command::Ended(self.id, was == READY));
    }

    /// Voids its number, before any of its operations fails.
    pub(crate) fn void(&self) {
        if let Some(numbers) = &self.numbers {
            numbers.void(self.id);
        }
    }

    /// Announces that it closes, as far as the socket takes it.
    pub(crate) fn send_close(&self, local: &LocalEnd) {
        self.say(local, Header::close(false));
    }

    /// Sends a frame that is not an operation, as far as the socket takes it.
    pub(crate) fn say(&self, local: &LocalEnd, header: Header) {
        if self.is_ready() {
            self.with(local, |sending| {
                sending.out.frame(header, &[]);
                let _ = self.send_all(sending);
            });
        }
    }

    /// Gives memory back while the connection is idle.
    pub(crate) fn rest(&self, local: &LocalEnd) {
        self.with_both(local, |receiving, sending| {
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
    pub(crate) fn bytes(&self, local: &LocalEnd) -> usize {
        size_of::<Self>()
            + self.channel.get().map_or(0, Channel::bytes)
            + self.flight.bytes()
            + self.with_both(local, |receiving, sending| {
                receiving.inbound.bytes() + sending.out.bytes() + sending.entries.bytes()
            })
    }
}
