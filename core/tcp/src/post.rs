// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Posting: which connections carry an operation.
//!
//! One operation is one entry, except that every span of a get has its own and that large puts and gets are
//! cut over several connections. A signal stays on the first connection, behind its data: the peer serves a
//! connection in order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use mf_base::sync::{lock, rcu};
use mf_base::{Error, Kind as ErrorKind, Result, interrupt};
use mf_transport::{
    Completion, InterruptibleWait, Operation, OwnedOperation, Peer, PeerRoute, SegmentKey, Span,
};

use crate::blocks::Shape;
use crate::connect;
use crate::connection::{Connection, Connections, Purpose, Refused};
use crate::parts::{COPY_MOST, Part, Request};
use crate::send_queue::Sending;
use crate::shared::{Peered, Shared};
use crate::table::{Flight, What};
use crate::waiting::{self, Driven};
use crate::wire::{self, Header, Kind};

/// From here on an operation is cut over several connections.
const STRIPE_FROM: u64 = 4 << 20;
impl PeerRoute for Peered {
    fn peer(&self) -> Peer {
        self.peer
    }

    fn push(&self) {
        if let Some(connection) = self.live_connection() {
            // The rest, if the socket is full or another thread has begun to send, goes on by itself.
            connection.send(&self.shared.local);
        }
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
        let section = rcu::read_lock();
        let connection = self.first.get(section.section(), 0)?.upgrade()?;
        (!connection.is_dead()).then_some(connection)
    }

    /// Returns the first connection, opening it if absent.
    fn first_connection(&self) -> Result<Arc<Connection>> {
        let mut connections = lock(&self.connections);
        if self.is_gone.load(Ordering::Acquire) {
            return Err(self.shared.not_introduced(self.peer));
        }
        if let Some(connection) = connections.first().filter(|connection| !connection.is_dead()) {
            self.publish(connection);
            return Ok(Arc::clone(connection));
        }
        let connection = connect::start(&self.shared, self, Purpose::Requests)?;
        self.set_first(&mut connections, &connection);
        Ok(connection)
    }

    /// Makes it the connection for everything but stripes; the caller has the lock.
    pub(crate) fn set_first(&self, connections: &mut Connections, connection: &Arc<Connection>) {
        match connections.first_mut() {
            Some(first) => *first = Arc::clone(connection),
            None => connections.push(Arc::clone(connection)),
        }
        self.publish(connection);
    }

    fn publish(&self, connection: &Arc<Connection>) {
        self.first.set(0, Some(Box::new(Arc::downgrade(connection))));
    }

    /// Returns the connections for a large operation: the ready ones, and the first. Opens the missing ones
    /// for the next.
    fn stripes(&self) -> Result<Connections> {
        let first = self.first_connection()?;
        let mut connections = lock(&self.connections);
        if first.is_ready() {
            connections.retain(|connection| !connection.is_dead());
            while connections.len() < self.shared.connections_max {
                match connect::start(&self.shared, self, Purpose::Requests) {
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
            let submitted = match connection.try_submit(&shared.local, false, fill) {
                // SAFETY: passed on to the caller.
                Err(Refused::Taken) => unsafe { leave(part, shared, &connection, operation) },
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
        // Messages are the library's own.
        let leaving = if at_once { InterruptibleWait::never() } else { InterruptibleWait::by_program() };
        let mut tries = 0;
        loop {
            let connection = self.first_connection()?;
            match submit_to(&self.shared, &connection, deadline, at_once, &leaving, &fill) {
                Ok(()) => return Ok(connection),
                Err(Refused::Dead) if tries == 0 && connection.was_ready() => tries += 1,
                Err(Refused::Dead) => return Err(connection.error(what, connection.reason())),
                Err(Refused::Full | Refused::Taken) => return Err(full(&connection)),
                Err(Refused::Left) => return Err(interrupt::error(what)),
            }
        }
    }
}

#[cold]
fn full(connection: &Connection) -> Error {
    Error::new(ErrorKind::Timeout, "tcp post")
        .what(format!("the queue to {} stayed full until the deadline", connection.peer.name()))
        .with("rank", connection.peer.rank_fact())
        .with("in_flight", connection.live())
}

/// Queues, as soon as there is room.
fn submit_to(
    shared: &Shared,
    connection: &Arc<Connection>,
    deadline: Instant,
    at_once: bool,
    leaving: &InterruptibleWait,
    fill: &impl Fn(&Flight, &mut Sending),
) -> Result<(), Refused> {
    loop {
        match connection.submit_to(&shared.local, at_once, fill) {
            Err(Refused::Full) => {}
            submitted => return submitted,
        }
        if leaving.is_over() {
            return Err(Refused::Left);
        }
        let room = || connection.takes_more(&shared.local);
        let (one, may_sleep) = (std::slice::from_ref(connection), || leaving.may_sleep());
        match waiting::drive(shared, one, &may_sleep, Some(deadline), &room) {
            Driven::Done => {}
            Driven::Late => return Err(Refused::Full),
            Driven::Elsewhere => {
                if deadline <= Instant::now() {
                    return Err(Refused::Full);
                }
                if leaving.may_sleep() {
                    std::thread::sleep(std::time::Duration::from_micros(100));
                }
            }
        }
    }
}

/// Sends a message.
pub(crate) fn message(shared: &Shared, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
    let fill = |_: &Flight, sending: &mut Sending| {
        sending.out.frame(Header::new(Kind::Message, 0), message);
    };
    shared.peered(peer)?.submit_slowly("tcp send", deadline, true, fill).map(drop)
}

/// Stripes a large put or get over the available connections.
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
        // An interrupted program gets its error from here, as long as nothing is in flight.
        let leaving = if started { InterruptibleWait::never() } else { InterruptibleWait::by_program() };
        match submit_to(shared, connection, deadline, false, &leaving, &fill) {
            Ok(()) => waiting::remember(completion, connection),
            Err(refused) => {
                let error = match refused {
                    Refused::Dead => connection.error(what.name(), connection.reason()),
                    Refused::Full | Refused::Taken => full(connection),
                    Refused::Left => interrupt::error("tcp post"),
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

/// Leaves the operation with the thread that has the sending end. Returns false if it is of a kind that
/// cannot be left, or if too much is in flight.
///
/// # Safety
/// As `PeerRoute::post`.
#[cold]
unsafe fn leave(
    part: &Part<'_>,
    shared: &Shared,
    connection: &Connection,
    operation: &Operation<'_>,
) -> bool {
    match operation {
        Operation::Put { .. }
        | Operation::Get { .. }
        | Operation::Signal { .. }
        | Operation::Atomic { .. } => {}
        // These are long, and their callers wait for the sending end.
        _ => return false,
    }
    // SAFETY: passed on to the caller.
    let operation = unsafe { OwnedOperation::of(operation, COPY_MOST) };
    let completion = Arc::clone(part.completion);
    connection.leave(&shared.local, Request { operation, completion, deadline: part.deadline })
}
