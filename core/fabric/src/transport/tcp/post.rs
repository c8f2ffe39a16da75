// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Posting: an operation becomes entries of a table and frames of a queue.
//!
//! One operation is one entry, except that every span of a get has its own and that large puts and gets are
//! cut over several connections. A signal stays on the first connection, behind its data: the peer serves a
//! connection in order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use mf_base::{Error, Kind as ErrorKind, Result, Scope};

use super::blocks::Shape;
use super::connect;
use super::link::{Link, Refused, lock};
use super::outbound::{Long, Outbound, Source};
use super::shared::{Peered, Shared};
use super::table::{Entry, Table, What};
use super::waiting::{self, Driven};
use super::wire::{self, CopyOrder, Header, INLINE_MAX, Kind, MORE};
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
            _ => {
                let one = Part { completion, deadline };
                submit(shared, self, completion, deadline, |table, out| one.fill(table, out, operation))
            }
        }
    }
}

impl Peered {
    fn is_striped(&self, spans: &[Span]) -> bool {
        self.shared.connections > 1
            && spans.iter().map(|span| span.bytes).fold(0, u64::saturating_add) >= STRIPE_FROM
    }
}

/// Opens the connection that everything but stripes uses, unless it is there.
fn first_link(shared: &Shared, peered: &Peered) -> Result<Arc<Link>> {
    let mut links = lock(&peered.links);
    if peered.is_gone.load(Ordering::Acquire) {
        return Err(shared.not_introduced(peered.peer));
    }
    if let Some(link) = links.first()
        && !link.is_dead()
    {
        return Ok(Arc::clone(link));
    }
    let link = connect::start(shared, peered, false)?;
    match links.first_mut() {
        Some(first) => *first = Arc::clone(&link),
        None => links.push(Arc::clone(&link)),
    }
    Ok(link)
}

/// The connections for a large operation: those that are ready, and the first. Opens the missing ones for the
/// next.
fn all_links(shared: &Shared, peered: &Peered) -> Result<Vec<Arc<Link>>> {
    let first = first_link(shared, peered)?;
    let mut links = lock(&peered.links);
    if first.is_ready() {
        links.retain(|link| !link.is_dead());
        while links.len() < shared.connections {
            match connect::start(shared, peered, false) {
                Ok(link) => links.push(link),
                Err(_) => break,
            }
        }
    }
    let mut ready: Vec<_> = links.iter().filter(|link| link.is_ready()).cloned().collect();
    if ready.is_empty() {
        ready.push(first);
    }
    Ok(ready)
}

/// Queues on the first connection; makes a new one when it has died.
fn submit(
    shared: &Shared,
    peered: &Peered,
    completion: &Completion,
    deadline: Instant,
    fill: impl Fn(&mut Table, &mut Outbound),
) -> Result<()> {
    let mut tries = 0;
    loop {
        let link = first_link(shared, peered)?;
        match submit_to(shared, &link, deadline, false, &fill) {
            Ok(()) => {
                waiting::remember(completion, &link);
                return Ok(());
            }
            Err(Refused::Full) => return Err(full(&link)),
            Err(Refused::Dead) if tries == 0 && link.was_ready() => tries += 1,
            Err(Refused::Dead) => return Err(link.error("tcp post", link.reason())),
        }
    }
}

#[cold]
fn full(link: &Link) -> Error {
    Error::new(ErrorKind::Timeout, "tcp post")
        .what(format!("the queue to rank {} stayed full until the deadline", link.peer.rank))
        .with("rank", link.peer.rank)
        .with("in_flight", link.live())
        .scope(Scope::Peer)
}

/// Waits for room, then queues.
fn submit_to(
    shared: &Shared,
    link: &Arc<Link>,
    deadline: Instant,
    at_once: bool,
    fill: impl FnOnce(&mut Table, &mut Outbound),
) -> Result<(), Refused> {
    while !link.has_room() {
        if link.is_dead() {
            return Err(Refused::Dead);
        }
        let room = || link.has_room() || link.is_dead();
        match waiting::drive(shared, std::slice::from_ref(link), &|| true, Some(deadline), &room) {
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
    link.submit(shared, at_once, fill)
}

/// Sends a message.
pub(super) fn message(shared: &Shared, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
    let peered = shared.peered(peer)?;
    let mut tries = 0;
    loop {
        let link = first_link(shared, &peered)?;
        let header = Header::new(Kind::Message, 0);
        match submit_to(shared, &link, deadline, true, |_, out| out.frame(header, message)) {
            Ok(()) => return Ok(()),
            Err(Refused::Full) => return Err(full(&link)),
            Err(Refused::Dead) if tries == 0 && link.was_ready() => tries += 1,
            Err(Refused::Dead) => return Err(link.error("tcp send", link.reason())),
        }
    }
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
    let links = all_links(shared, peered)?;
    let total: u64 = spans.iter().map(|span| span.bytes).fold(0, u64::saturating_add);
    let share = total.div_ceil(links.len() as u64).next_multiple_of(4096);
    let part = Part { completion, deadline };
    let mut spans = spans.iter().copied();
    let mut rest: Option<Span> = None;
    let mut started = false;
    for link in &links {
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
        let fill = |table: &mut Table, out: &mut Outbound| match what {
            What::Get => part.get(table, out, key, &mine),
            _ => part.put(table, out, key, &mine, beyond),
        };
        match submit_to(shared, link, deadline, false, fill) {
            Ok(()) => waiting::remember(completion, link),
            Err(refused) => {
                let error = match refused {
                    Refused::Full => full(link),
                    Refused::Dead => link.error(what.name(), link.reason()),
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

/// One part of an operation, on its way into a table.
struct Part<'a> {
    completion: &'a Arc<Completion>,
    deadline: Instant,
}

impl Part<'_> {
    fn enter(&self, table: &mut Table, what: What, local: *mut u8, bytes: u64, shape: Option<Shape>) -> u64 {
        self.completion.begin(1);
        table.push(Entry {
            completion: Some(Arc::clone(self.completion)),
            deadline: self.deadline,
            what,
            local,
            bytes,
            shape,
            received: 0,
            error: None,
        })
    }

    fn fill(&self, table: &mut Table, out: &mut Outbound, operation: &Operation<'_>) {
        match operation {
            Operation::Put { key, spans } => self.put(table, out, *key, spans, 0),
            Operation::Get { key, spans } => self.get(table, out, *key, spans),
            Operation::Signal { key, spans, signal, width, kind, value } => {
                let sequence = self.enter(table, What::Signal, std::ptr::null_mut(), 0, None);
                write(out, sequence, *key, spans, false, 0);
                let mut header = Header::new(Kind::Signal, sequence);
                header.key = key.0;
                header.address = *signal;
                header.extra = width.low(*value);
                header.detail = wire::signal_detail(*kind, *width);
                out.frame(header, &[]);
            }
            Operation::Atomic { at, atomic, old } => {
                let sequence = self.enter(table, What::Atomic, old.cast(), 0, None);
                let mut header = Header::new(Kind::Atomic, sequence);
                header.key = at.key.0;
                header.address = at.address;
                header.extra = atomic.width.low(atomic.operand);
                header.detail = wire::atomic_detail(atomic);
                out.frame(header, &atomic.compare.to_le_bytes());
            }
            Operation::PutStrided { key, strided } => {
                let sequence = self.enter(table, What::Put, std::ptr::null_mut(), 0, None);
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
                    unsafe { out.copied(long) };
                } else {
                    out.long(long);
                }
            }
            Operation::GetStrided { key, strided } => {
                let near = Shape::of(strided);
                let sequence = self.enter(table, What::Get, strided.local, strided.bytes(), near);
                let mut header = Header::new(Kind::GetStrided, sequence);
                (header.key, header.address, header.extra) = (key.0, strided.address, strided.remote_stride);
                if let Some(shape) = near {
                    out.frame(header, &shape.encode(strided.count));
                }
            }
            Operation::Copy { from, to_peer, to_address, to, bytes } => {
                let number = self.enter(table, What::Copy, std::ptr::null_mut(), 0, None);
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
                out.frame(header, &order.encode());
            }
        }
    }

    fn put(&self, table: &mut Table, out: &mut Outbound, key: SegmentKey, spans: &[Span], beyond: u64) {
        let sequence = self.enter(table, What::Put, std::ptr::null_mut(), 0, None);
        write(out, sequence, key, spans, true, beyond);
    }

    fn get(&self, table: &mut Table, out: &mut Outbound, key: SegmentKey, spans: &[Span]) {
        for span in spans {
            let sequence = self.enter(table, What::Get, span.local, span.bytes, None);
            let mut header = Header::new(Kind::Get, sequence);
            header.key = key.0;
            header.address = span.address;
            header.extra = span.bytes;
            out.frame(header, &[]);
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
