// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Posting: an operation becomes entries of a table and frames of a queue.
//!
//! One operation is one entry, except that every span of a get has its own and that large puts and gets are
//! cut over several connections. A signal stays on the first connection, behind its data: the peer serves a
//! connection in order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use mf_base::sync::{lock, pin};
use mf_base::{Error, Kind as ErrorKind, Result, Scope};

use super::blocks::Shape;
use super::connect;
use super::connection::{Connection, Connections, Refused, Sending};
use super::outbound::{Long, Outbound, Source};
use super::shared::{Peered, Shared};
use super::table::{Entry, Flight, What};
use super::waiting::{self, Driven};
use super::wire::{self, CopyOrder, Header, INLINE_MAX, Kind, MORE};
use crate::transport::owned::OwnedOperation;
use crate::transport::{Completion, Operation, Peer, PeerRoute, SegmentKey, Span};

/// From here on an operation is cut over several connections.
const STRIPE_FROM: u64 = 4 << 20;
/// Longest payload that is copied into the queue of short frames: its source may be reused at once.
pub(super) const COPY_MOST: u64 = 8 << 10;

impl PeerRoute for Peered {
    fn peer(&self) -> Peer {
        self.peer
    }

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        operation.check(self.peer)?;
        if let Operation::Copy { to_address, .. } = operation
            && to_address.len() > wire::ADDRESS_MAX
        {
            return Err(Error::invalid("tcp post", "the address of the third member is too long")
                .with("bytes", to_address.len())
                .with("most", wire::ADDRESS_MAX));
        }
        let shared = &self.shared;
        match operation {
            Operation::Put { key, spans } if self.is_striped(spans) => {
                striped(shared, self, What::Put, *key, spans, completion, deadline)
            }
            Operation::Get { key, spans } if self.is_striped(spans) => {
                striped(shared, self, What::Get, *key, spans, completion, deadline)
            }
            Operation::PutStrided { key, strided } if Shape::of(strided).is_none() => strided.post_spans(
                // SAFETY: the caller's promise, for the blocks of the operation.
                |spans| unsafe { self.post(&Operation::Put { key: *key, spans }, completion, deadline) },
                |error| completion.fail(error),
            ),
            Operation::GetStrided { key, strided } if Shape::of(strided).is_none() => strided.post_spans(
                // SAFETY: as above.
                |spans| unsafe { self.post(&Operation::Get { key: *key, spans }, completion, deadline) },
                |error| completion.fail(error),
            ),
            // SAFETY: passed on to the caller.
            _ => unsafe { self.submit(operation, &Part { completion, deadline }) },
        }
    }
}

impl Peered {
    fn is_striped(&self, spans: &[Span]) -> bool {
        self.shared.connections_max > 1
            && spans.iter().map(|span| span.bytes).fold(0, u64::saturating_add) >= STRIPE_FROM
    }

    /// The connection that everything but stripes uses, if it lives; found without a lock.
    fn live_connection(&self) -> Option<Arc<Connection>> {
        let section = pin::enter();
        let connection = self.first.get(section.inside(), 0)?.upgrade()?;
        (!connection.is_dead()).then_some(connection)
    }

    /// The same; opens it unless it is there.
    fn first_connection(&self) -> Result<Arc<Connection>> {
        let mut connections = lock(&self.connections);
        if self.is_gone.load(Ordering::Acquire) {
            return Err(self.shared.not_introduced(self.peer));
        }
        if let Some(connection) = connections.first().filter(|connection| !connection.is_dead()) {
            self.publish(connection);
            return Ok(Arc::clone(connection));
        }
        let connection = connect::start(&self.shared, self, false)?;
        self.set_first(&mut connections, &connection);
        Ok(connection)
    }

    /// Makes it the one that everything but stripes uses; the caller has the lock.
    pub(super) fn set_first(&self, connections: &mut Connections, connection: &Arc<Connection>) {
        match connections.first_mut() {
            Some(first) => *first = Arc::clone(connection),
            None => connections.push(Arc::clone(connection)),
        }
        self.publish(connection);
    }

    fn publish(&self, connection: &Arc<Connection>) {
        self.first.set(0, Some(Box::new(Arc::downgrade(connection))));
    }

    /// The connections for a large operation: those that are ready, and the first. Opens the missing ones for
    /// the next.
    fn stripes(&self) -> Result<Connections> {
        let first = self.first_connection()?;
        let mut connections = lock(&self.connections);
        if first.is_ready() {
            connections.retain(|connection| !connection.is_dead());
            while connections.len() < self.shared.connections_max {
                match connect::start(&self.shared, self, false) {
                    Ok(connection) => connections.push(connection),
                    Err(_) => break,
                }
            }
        }
        let mut ready: Vec<_> =
            connections.iter().filter(|connection| connection.is_ready()).cloned().collect();
        if ready.is_empty() {
            ready.push(first);
        }
        Ok(ready)
    }

    /// Queues an operation on the first connection, or leaves it with the thread that has its sending end.
    ///
    /// # Safety
    /// As [`PeerRoute::post`].
    unsafe fn submit(&self, operation: &Operation<'_>, part: &Part<'_>) -> Result<()> {
        let shared = &self.shared;
        let fill = |flight: &Flight, sending: &mut Sending| part.fill(flight, sending, operation);
        if let Some(connection) = self.live_connection() {
            let submitted = match connection.try_submit(shared, false, fill) {
                // SAFETY: passed on to the caller.
                Err(Refused::Taken) => unsafe { part.leave(shared, &connection, operation) },
                submitted => submitted.is_ok(),
            };
            if submitted {
                waiting::remember(part.completion, &connection);
                return Ok(());
            }
        }
        let connection = self.submit_slowly("tcp post", part.deadline, false, fill)?;
        waiting::remember(part.completion, &connection);
        Ok(())
    }

    /// Queues on the first connection, waits for room there, and makes a new one when it has died.
    #[cold]
    fn submit_slowly(
        &self,
        what: &'static str,
        deadline: Instant,
        at_once: bool,
        fill: impl Fn(&Flight, &mut Sending),
    ) -> Result<Arc<Connection>> {
        let mut tries = 0;
        loop {
            let connection = self.first_connection()?;
            match submit_to(&self.shared, &connection, deadline, at_once, &fill) {
                Ok(()) => return Ok(connection),
                Err(Refused::Dead) if tries == 0 && connection.was_ready() => tries += 1,
                Err(Refused::Dead) => return Err(connection.error(what, connection.reason())),
                Err(Refused::Full | Refused::Taken) => return Err(full(&connection)),
            }
        }
    }
}

#[cold]
fn full(connection: &Connection) -> Error {
    Error::new(ErrorKind::Timeout, "tcp post")
        .what(format!("the queue to rank {} stayed full until the deadline", connection.peer.rank))
        .with("rank", connection.peer.rank)
        .with("in_flight", connection.live())
        .scope(Scope::Peer)
}

/// Queues, as soon as there is room.
fn submit_to(
    shared: &Shared,
    connection: &Arc<Connection>,
    deadline: Instant,
    at_once: bool,
    fill: &impl Fn(&Flight, &mut Sending),
) -> Result<(), Refused> {
    loop {
        match connection.submit_to(shared, at_once, fill) {
            Err(Refused::Full) => {}
            submitted => return submitted,
        }
        let room = || connection.takes_more(shared);
        match waiting::drive(shared, std::slice::from_ref(connection), &|| true, Some(deadline), &room) {
            Driven::Done => {}
            Driven::Late => return Err(Refused::Full),
            Driven::Elsewhere => {
                if deadline <= Instant::now() {
                    return Err(Refused::Full);
                }
                std::thread::sleep(std::time::Duration::from_micros(100));
            }
        }
    }
}

/// Sends a message.
pub(super) fn message(shared: &Shared, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
    let fill = |_: &Flight, sending: &mut Sending| {
        sending.out.frame(Header::new(Kind::Message, 0), message);
    };
    shared.peered(peer)?.submit_slowly("tcp send", deadline, true, fill).map(drop)
}

/// Cuts a large put or get over the connections that are there.
fn striped(
    shared: &Shared,
    peered: &Peered,
    what: What,
    key: SegmentKey,
    spans: &[Span],
    completion: &Arc<Completion>,
    deadline: Instant,
) -> Result<()> {
    let connections = peered.stripes()?;
    let total: u64 = spans.iter().map(|span| span.bytes).fold(0, u64::saturating_add);
    let share = total.div_ceil(connections.len() as u64).next_multiple_of(4096);
    let part = Part { completion, deadline };
    let mut spans = spans.iter().copied();
    let mut rest: Option<Span> = None;
    let mut started = false;
    for connection in &connections {
        let mut mine = Vec::new();
        let mut left = share;
        while left > 0 {
            let Some(span) = rest.take().or_else(|| spans.next()) else { break };
            let bytes = span.bytes.min(left);
            mine.push(Span { bytes, ..span });
            left -= bytes;
            if bytes < span.bytes {
                rest = Some(behind(&span, bytes));
            }
        }
        if mine.is_empty() {
            break;
        }
        let beyond = rest.map_or(0, |rest| rest.bytes);
        let fill = |flight: &Flight, sending: &mut Sending| match what {
            What::Get => part.get(flight, sending, key, &mine),
            _ => part.put(flight, sending, key, &mine, beyond),
        };
        match submit_to(shared, connection, deadline, false, &fill) {
            Ok(()) => waiting::remember(completion, connection),
            Err(refused) => {
                let error = match refused {
                    Refused::Dead => connection.error(what.name(), connection.reason()),
                    Refused::Full | Refused::Taken => full(connection),
                };
                if !started {
                    return Err(error);
                }
                completion.fail(error);
                return Ok(());
            }
        }
        started = true;
    }
    Ok(())
}

fn behind(span: &Span, bytes: u64) -> Span {
    let skip = usize::try_from(bytes).unwrap_or(usize::MAX);
    Span { local: span.local.wrapping_add(skip), address: span.address + bytes, bytes: span.bytes - bytes }
}

/// An operation that was left with the thread that has the sending end.
pub(super) struct Request {
    operation: OwnedOperation,
    pub(super) completion: Arc<Completion>,
    deadline: Instant,
}

impl Request {
    /// Queues it.
    pub(super) fn fill(&self, flight: &Flight, sending: &mut Sending) {
        let part = Part { completion: &self.completion, deadline: self.deadline };
        part.fill(flight, sending, &self.operation.operation());
    }
}

/// One part of an operation, on its way into a table.
struct Part<'a> {
    completion: &'a Arc<Completion>,
    deadline: Instant,
}

impl Part<'_> {
    /// Leaves the operation with the thread that has the sending end; false: it is none that can be left, or
    /// too much is in flight.
    ///
    /// # Safety
    /// As [`PeerRoute::post`].
    #[cold]
    unsafe fn leave(&self, shared: &Shared, connection: &Connection, operation: &Operation<'_>) -> bool {
        match operation {
            Operation::Put { .. } | Operation::Get { .. } | Operation::Signal { .. } => {}
            Operation::Atomic { .. } => {}
            // These are long, and their callers wait for the sending end.
            _ => return false,
        }
        // SAFETY: passed on to the caller.
        let operation = unsafe { OwnedOperation::of(operation, COPY_MOST) };
        let completion = Arc::clone(self.completion);
        connection.leave(shared, Request { operation, completion, deadline: self.deadline })
    }

    fn enter(
        &self,
        flight: &Flight,
        sending: &mut Sending,
        what: What,
        local: *mut u8,
        bytes: u64,
        shape: Option<Shape>,
    ) -> u64 {
        self.completion.begin(1);
        let entry = Entry {
            completion: Some(Arc::clone(self.completion)),
            deadline: self.deadline,
            what,
            local,
            bytes,
            shape,
            received: 0,
            error: None,
        };
        flight.add(&mut sending.entries, entry)
    }

    fn fill(&self, flight: &Flight, sending: &mut Sending, operation: &Operation<'_>) {
        const NOWHERE: *mut u8 = std::ptr::null_mut();
        match operation {
            Operation::Put { key, spans } => self.put(flight, sending, *key, spans, 0),
            Operation::Get { key, spans } => self.get(flight, sending, *key, spans),
            Operation::Signal { key, spans, signal, width, kind, value } => {
                let sequence = self.enter(flight, sending, What::Signal, NOWHERE, 0, None);
                write(&mut sending.out, sequence, *key, spans, false, 0);
                let mut header = Header::new(Kind::Signal, sequence);
                header.key = key.0;
                header.address = *signal;
                header.extra = width.low(*value);
                header.detail = wire::signal_detail(*kind, *width);
                sending.out.frame(header, &[]);
            }
            Operation::Atomic { at, atomic, old } => {
                let sequence = self.enter(flight, sending, What::Atomic, old.cast(), 0, None);
                let mut header = Header::new(Kind::Atomic, sequence);
                header.key = at.key.0;
                header.address = at.address;
                header.extra = atomic.width.low(atomic.operand);
                header.detail = wire::atomic_detail(atomic);
                sending.out.frame(header, &atomic.compare.to_le_bytes());
            }
            Operation::PutStrided { key, strided } => {
                let sequence = self.enter(flight, sending, What::Put, NOWHERE, 0, None);
                let mut header = Header::new(Kind::PutStrided, sequence);
                (header.key, header.address, header.extra) = (key.0, strided.address, strided.remote_stride);
                let long = Long {
                    header,
                    source: Source::Local(strided.local),
                    shape: Shape::of(strided),
                    left: strided.bytes(),
                    ends: true,
                };
                if strided.bytes() <= COPY_MOST {
                    // SAFETY: the caller of the operation vouches for the blocks.
                    unsafe { sending.out.copied(long) };
                } else {
                    sending.out.long(long);
                }
            }
            Operation::GetStrided { key, strided } => {
                let near = Shape::of(strided);
                let sequence = self.enter(flight, sending, What::Get, strided.local, strided.bytes(), near);
                let mut header = Header::new(Kind::GetStrided, sequence);
                (header.key, header.address, header.extra) = (key.0, strided.address, strided.remote_stride);
                if let Some(shape) = near {
                    sending.out.frame(header, &shape.encode(strided.count));
                }
            }
            Operation::Copy { from, to_peer, to_address, to, bytes } => {
                let number = self.enter(flight, sending, What::Copy, NOWHERE, 0, None);
                let left = self.deadline.saturating_duration_since(Instant::now());
                let order = CopyOrder {
                    to_peer: *to_peer,
                    to_key: to.key.0,
                    to_address: to.address,
                    microseconds: u64::try_from(left.as_micros()).unwrap_or(u64::MAX),
                    transport_address: to_address.to_vec(),
                };
                let mut header = Header::new(Kind::Copy, number);
                header.key = from.key.0;
                header.address = from.address;
                header.extra = *bytes;
                sending.out.frame(header, &order.encode());
            }
        }
    }

    fn put(&self, flight: &Flight, sending: &mut Sending, key: SegmentKey, spans: &[Span], beyond: u64) {
        let sequence = self.enter(flight, sending, What::Put, std::ptr::null_mut(), 0, None);
        write(&mut sending.out, sequence, key, spans, true, beyond);
    }

    fn get(&self, flight: &Flight, sending: &mut Sending, key: SegmentKey, spans: &[Span]) {
        for span in spans {
            let sequence = self.enter(flight, sending, What::Get, span.local, span.bytes, None);
            let mut header = Header::new(Kind::Get, sequence);
            header.key = key.0;
            header.address = span.address;
            header.extra = span.bytes;
            sending.out.frame(header, &[]);
        }
    }
}

/// Queues the spans of a put or signal. `ends`: the last frame ends the operation. `beyond`: so much of the
/// last span goes another way.
fn write(out: &mut Outbound, sequence: u64, key: SegmentKey, spans: &[Span], ends: bool, beyond: u64) {
    for (index, span) in spans.iter().enumerate() {
        let is_last = ends && index + 1 == spans.len();
        let mut header = Header::new(Kind::Put, sequence);
        header.key = key.0;
        header.address = span.address;
        header.flags = if is_last { 0 } else { MORE };
        let beyond = if index + 1 == spans.len() { beyond } else { 0 };
        match usize::try_from(span.bytes) {
            Ok(bytes) if span.bytes <= COPY_MOST => {
                header.extra = span.bytes.saturating_add(beyond);
                // SAFETY: the caller of the operation vouches for the span until it has ended.
                unsafe { out.short(header, span.local, bytes) };
            }
            _ => {
                header.extra = beyond;
                let source = Source::Local(span.local);
                out.long(Long { header, source, shape: None, left: span.bytes, ends: is_last });
            }
        }
    }
}

const _: () = assert!(COPY_MOST <= INLINE_MAX as u64);
