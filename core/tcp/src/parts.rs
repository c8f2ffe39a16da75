// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An operation becomes entries of a table and frames of a queue.

use std::sync::Arc;
use std::time::Instant;

use mf_transport::{Completion, Operation, OwnedOperation, SegmentKey, Span};

use crate::blocks::Shape;
use crate::frames::{Long, Source};
use crate::outbound::Outbound;
use crate::send_queue::Sending;
use crate::table::{Entry, Flight, What};
use crate::wire::{self, CopyOrder, Header, INLINE_MAX, Kind, MORE};

/// Longest payload that is copied into the queue of short frames: its source may be reused at once.
pub(crate) const COPY_MOST: u64 = 8 << 10;

const _: () = assert!(COPY_MOST <= INLINE_MAX as u64);

/// An operation that was left with the thread that has the sending end.
pub(crate) struct Request {
    pub(crate) operation: OwnedOperation,
    pub(crate) completion: Arc<Completion>,
    pub(crate) deadline: Instant,
}

impl Request {
    /// Queues it.
    pub(crate) fn fill(&self, flight: &Flight, sending: &mut Sending) {
        let part = Part { completion: &self.completion, deadline: self.deadline };
        part.fill(flight, sending, &self.operation.operation());
    }
}

/// One part of an operation, before it is in a table.
pub(crate) struct Part<'a> {
    pub(crate) completion: &'a Arc<Completion>,
    pub(crate) deadline: Instant,
}

impl Part<'_> {
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

    /// Queues the operation.
    pub(crate) fn fill(&self, flight: &Flight, sending: &mut Sending, operation: &Operation<'_>) {
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
                let sequence = self.enter(flight, sending, What::Atomic, *old, atomic.width.bytes(), None);
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

    /// Queues a put; `beyond`: so much of the last span goes by another connection.
    pub(crate) fn put(
        &self,
        flight: &Flight,
        sending: &mut Sending,
        key: SegmentKey,
        spans: &[Span],
        beyond: u64,
    ) {
        let sequence = self.enter(flight, sending, What::Put, std::ptr::null_mut(), 0, None);
        write(&mut sending.out, sequence, key, spans, true, beyond);
    }

    /// Queues a get.
    pub(crate) fn get(&self, flight: &Flight, sending: &mut Sending, key: SegmentKey, spans: &[Span]) {
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
/// last span goes by another connection.
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
