// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Posting: an operation becomes parts, each one request to libucp.

use std::sync::Arc;
use std::time::Instant;

use mf_base::Result;
use mf_transport::{Completion, Operation, Peer, PeerRoute, SegmentKey, Span};

use super::links::LinkId;
use super::operations::Purpose;
use super::parts::{Payload, Want};
use super::progress::{Locked, Shared};
use super::slab::Id;
use super::wire::{self, CHUNK_BYTES, Head, PIECE_HEAD_BYTES, Verb};

/// Pieces up to this length share messages.
const SMALL_BYTES: u64 = 4 << 10;
/// Data of a message with pieces.
const PIECES_BYTES_MAX: u64 = 8 << 10;

/// A peer, by the number of its link.
pub(super) struct Route {
    pub(super) shared: Arc<Shared>,
    pub(super) peer: Peer,
    pub(super) link: LinkId,
}

impl PeerRoute for Route {
    fn peer(&self) -> Peer {
        self.peer
    }

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        let (shared, link) = (&*self.shared, self.link);
        shared.in_own_process()?;
        operation.check(self.peer)?;
        match *operation {
            Operation::PutStrided { key, strided } => {
                return strided.post_spans(
                    // SAFETY: the caller's promise, for the blocks of the operation.
                    |spans| unsafe { self.post(&Operation::Put { key, spans }, completion, deadline) },
                    |error| completion.fail(error),
                );
            }
            Operation::GetStrided { key, strided } => {
                return strided.post_spans(
                    // SAFETY: as above.
                    |spans| unsafe { self.post(&Operation::Get { key, spans }, completion, deadline) },
                    |error| completion.fail(error),
                );
            }
            Operation::Copy { to_address, .. } => {
                wire::decode_address(to_address)?;
            }
            _ => {}
        }
        let mut state = shared.lock();
        state.still_introduced(link, self.peer)?;
        let mut begin =
            |name| state.operations.begin(link, Some(completion), deadline, name, Purpose::Caller);
        let id = match *operation {
            Operation::Put { key, spans } => {
                let id = begin("put");
                // SAFETY: the spans are valid until the operation is over, by the caller.
                state = unsafe { shared.copy(state, (link, id, deadline), Verb::Put, key, spans) };
                id
            }
            Operation::Get { key, spans } => {
                let id = begin("get");
                // SAFETY: the spans are valid until the operation is over, by the caller.
                state = unsafe { shared.copy(state, (link, id, deadline), Verb::Get, key, spans) };
                id
            }
            Operation::Atomic { at, atomic, old } => {
                let id = begin("atomic");
                state = shared.room(state, link, id, deadline);
                let mut head = Head::new(Verb::Atomic).with_atomic(atomic);
                (head.key, head.address) = (at.key, at.address);
                state.start(id, head, Payload::None, Want::Old(old, atomic.width));
                id
            }
            Operation::Signal { key, spans, signal, width, kind, value } => {
                let id = begin("put with signal");
                let mut head = Head::new(Verb::Pieces);
                (head.key, head.second) = (key, signal);
                head = head.with_signal(width, kind, value);
                let total = spans
                    .iter()
                    .fold(0_u64, |sum, span| sum.saturating_add(span.bytes).saturating_add(PIECE_HEAD_BYTES));
                if total <= PIECES_BYTES_MAX {
                    let mut data = Vec::new();
                    // SAFETY: the spans are valid for reading, by the caller.
                    spans.iter().for_each(|span| unsafe { push_span(&mut data, span) });
                    state = shared.room(state, link, id, deadline);
                    state.start(id, head, Payload::Owned(data), Want::Nothing);
                } else {
                    // SAFETY: the spans are valid until the operation is over, by the caller.
                    state = unsafe { shared.copy(state, (link, id, deadline), Verb::Put, key, spans) };
                    state.operations.then(id, head);
                }
                id
            }
            // Posted as spans, above.
            Operation::PutStrided { .. } | Operation::GetStrided { .. } => return Ok(()),
            Operation::Copy { from, to_peer, to_address, to, bytes } => {
                let id = begin("copy between two others");
                let mut head = Head::new(Verb::Copy);
                (head.key, head.address, head.operand, head.second) =
                    (from.key, from.address, bytes, to.address);
                let left = deadline.saturating_duration_since(Instant::now()).as_millis();
                let mut data = Vec::with_capacity(28 + to_address.len());
                data.extend(to_peer.rank.to_le_bytes());
                data.extend(to_peer.session.to_le_bytes());
                data.extend(to.key.0.to_le_bytes());
                data.extend(u64::try_from(left).unwrap_or(u64::MAX).to_le_bytes());
                data.extend(to_address);
                state = shared.room(state, link, id, deadline);
                state.start(id, head, Payload::Owned(data), Want::Nothing);
                id
            }
        };
        shared.posted(state, id)
    }
}

impl Shared {
    /// Starts the parts of a put or a get. Safety as [`PeerRoute::post`].
    unsafe fn copy<'a>(
        &'a self,
        mut state: Locked<'a>,
        (link, operation, deadline): (LinkId, Id, Instant),
        verb: Verb,
        key: SegmentKey,
        spans: &[Span],
    ) -> Locked<'a> {
        let is_put = verb == Verb::Put;
        let mut small: Vec<u8> = Vec::new();
        let mut one_sided_on = None;
        for span in spans {
            if state.one_sided(link, key, span.address, span.bytes).is_some() {
                state = self.room(state, link, operation, deadline);
                if state.one_sided(link, key, span.address, span.bytes).is_some()
                    // SAFETY: valid until the operation is over, by the contract of `post`.
                    && unsafe { state.copy_one_sided(verb, (link, operation), key, span) }
                {
                    // Puts of one connection cannot be flushed on another.
                    one_sided_on =
                        one_sided_on.or(state.links.connection(link).filter(|_| is_put).map(|it| it.number));
                    continue;
                }
            }
            if is_put && spans.len() > 1 && span.bytes <= SMALL_BYTES {
                if small.len() as u64 + PIECE_HEAD_BYTES + span.bytes > PIECES_BYTES_MAX {
                    state = self.room(state, link, operation, deadline);
                    state.start_pieces(operation, key, std::mem::take(&mut small));
                }
                // SAFETY: valid for reading, by the contract of `post`.
                unsafe { push_span(&mut small, span) };
                continue;
            }
            let mut done = 0;
            while done < span.bytes {
                state = self.room(state, link, operation, deadline);
                if !state.operations.is_well(operation) {
                    return state;
                }
                let bytes = (span.bytes - done).min(CHUNK_BYTES);
                let mut head = Head::new(verb).within(span.address, span.bytes);
                (head.key, head.address) = (key, span.address.wrapping_add(done));
                let start = span.local.wrapping_add(usize::try_from(done).unwrap_or(0));
                if is_put {
                    state.start(operation, head, Payload::There(start.cast_const(), bytes), Want::Nothing);
                } else {
                    head.operand = bytes;
                    state.start(operation, head, Payload::None, Want::Data(start, bytes));
                }
                done += bytes;
            }
        }
        if !small.is_empty() {
            state = self.room(state, link, operation, deadline);
            state.start_pieces(operation, key, small);
        }
        if let Some(number) = one_sided_on {
            state.flush_one_sided(operation, link, number);
        }
        state
    }
}

/// Appends a span to the data of a message with pieces.
///
/// # Safety
/// It is valid for reading.
unsafe fn push_span(data: &mut Vec<u8>, span: &Span) {
    let length = u32::try_from(span.bytes).unwrap_or(0);
    wire::push_piece(
        data,
        span.address,
        &mut |to| {
            let bytes = length as usize;
            to.reserve(bytes);
            let end = to.spare_capacity_mut().as_mut_ptr().cast::<u8>();
            // SAFETY: the span is valid for reading, by the caller; the buffer has room for it.
            unsafe { mf_device::engine::copy(span.local.cast_const(), end, bytes) };
            let full = to.len() + bytes;
            // SAFETY: the bytes were just written.
            unsafe { to.set_len(full) };
        },
        length,
    );
}
