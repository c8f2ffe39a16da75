// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Service of others' requests, outside the lock, by one thread at a time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use mf_base::os::service::{self, Panicked};
use mf_base::{Error, Result};
use mf_transport::{Peer, SegmentKey};

use super::access::{execute, not_me, read_chunk};
use super::inbox::{Incoming, Lost};
use super::jobs::{Chunk, Order, Step};
use super::members::MemberId;
use super::operations::Purpose;
use super::parts::{Payload, Want};
use super::progress::Shared;
use super::slab::Id;
use super::state::WorkerState;
use super::wire::{CHUNK_BYTES, Head, Verb, decode_address, take};

/// Longest text of an error that travels.
const TEXT_BYTES_MAX: usize = 1024;

/// A chunk to be read for a job.
struct Piece {
    chunk: Chunk,
    buffer: Vec<u8>,
    outcome: Result<()>,
}

/// Work taken out of the lock at once.
struct Batch {
    incoming: VecDeque<Incoming>,
    buffers: VecDeque<Vec<u8>>,
    pieces: Vec<Piece>,
    lost: Vec<Lost>,
}

impl WorkerState {
    fn take_batch(&mut self) -> Batch {
        let incoming = self.inbox.begin_serving();
        let mut buffers = VecDeque::new();
        for request in &incoming {
            match request.head.verb {
                Verb::Close => self.peer_closed(&request.member, request.head.from),
                Verb::Get => {
                    let bytes = usize::try_from(request.head.operand.min(CHUNK_BYTES)).unwrap_or(0);
                    buffers.push_back(self.buffers.take(bytes));
                }
                Verb::Copy if request.is_meant => self.job_asked(request),
                _ => {}
            }
        }
        let mut pieces = Vec::new();
        for id in self.jobs.take_ready() {
            self.advance_job(id, &mut pieces);
        }
        Batch { incoming, buffers, pieces, lost: self.inbox.take_lost() }
    }

    fn job_asked(&mut self, request: &Incoming) {
        let head = request.head;
        // SAFETY: the data of a request is released after it was served.
        let mut rest = unsafe { request.data.as_slice() };
        let member = &request.member;
        let Some(asked_by) = self.links.of_peer(member.id, head.from) else { return };
        let parsed = (|| {
            let rank = u32::from_le_bytes(take(&mut rest)?);
            let session = u64::from_le_bytes(take(&mut rest)?);
            let key = SegmentKey(u64::from_le_bytes(take(&mut rest)?));
            let wait = Duration::from_millis(u64::from_le_bytes(take(&mut rest)?).min(86_400_000));
            Some((Peer { job: head.from.job, rank, session }, key, wait))
        })();
        let begun = parsed.ok_or_else(|| Error::invalid("ucx copy", "the request is cut short")).and_then(
            |(peer, key, wait)| Ok((self.links.learn(member, peer, decode_address(rest)?, false), key, wait)),
        );
        match begun {
            Ok((to_link, key, wait)) => self.jobs.begin(Order {
                member: member.clone(),
                asked_by,
                connection: head.connection,
                answer_to: head.id,
                from: (head.key, head.address),
                to_link,
                to: (key, head.second),
                bytes: head.operand,
                deadline: Instant::now() + wait,
            }),
            Err(error) => self.answer((member.id, head.from), head.id, Err(error), 0, Vec::new()),
        }
    }

    fn advance_job(&mut self, id: Id, pieces: &mut Vec<Piece>) {
        loop {
            let links = &self.links;
            let is_void = |link, connection| links.get(link).is_some_and(|link| connection < link.served);
            match self.jobs.advance(id, is_void) {
                Step::Waits => return,
                Step::Read(chunk) => {
                    let buffer = self.buffers.take(usize::try_from(chunk.bytes).unwrap_or(0));
                    pieces.push(Piece { chunk, buffer, outcome: Ok(()) });
                }
                Step::Over { asked_by, member, answer_to, outcome } => {
                    if let Some(peer) = self.links.get(asked_by).map(|link| link.peer) {
                        self.answer((member, peer), answer_to, outcome, 0, Vec::new());
                    }
                    return;
                }
            }
        }
    }

    fn piece_read(&mut self, Piece { chunk, buffer, outcome }: Piece) {
        let Some((link, (key, address), deadline)) = self.jobs.destination(chunk.job) else { return };
        if let Err(error) = outcome {
            return self.jobs.chunk_ended(chunk.job, Err(error));
        }
        let mut head = Head::new(Verb::Put).within(address, chunk.whole.1);
        (head.key, head.address) = (key, address.wrapping_add(chunk.offset));
        let purpose = Purpose::Job(chunk.job);
        let operation = self.operations.begin(link, None, deadline, "copy between two others", purpose);
        self.start(operation, head, Payload::Owned(buffer), Want::Nothing);
        self.release(operation);
    }

    fn answer(&mut self, to: (MemberId, Peer), id: u64, outcome: Result<()>, old: u64, data: Vec<u8>) {
        let Some(link) = self.links.of_peer(to.0, to.1) else {
            return tracing::debug!(peer = %to.1, "ucx: a request of a peer that has not sent its address");
        };
        let mut head = Head::new(Verb::Answer);
        head.id = id;
        head.compare = old;
        match outcome {
            Ok(()) => self.start_silent(link, head, data),
            Err(error) => {
                head.flags = 1;
                head.operand = i64::from(error.code()).cast_unsigned();
                let mut text = error.to_string().into_bytes();
                text.truncate(TEXT_BYTES_MAX);
                self.start_silent(link, head, text);
            }
        }
    }
}

impl Shared {
    /// Serves received requests, unless another thread does.
    pub(super) fn serve(&self) {
        loop {
            let mut batch = {
                let mut state = self.lock();
                if !state.has_to_serve() {
                    return;
                }
                state.take_batch()
            };
            for (member, peer, error) in &batch.lost {
                if let Some(target) = member.target.upgrade() {
                    // A panic must not leave `is_serving` behind; it was logged.
                    let _logged = service::catch(|| target.lost(*peer, error));
                }
            }
            let mut done = Vec::with_capacity(batch.incoming.len());
            for request in &batch.incoming {
                let buffer = if request.head.verb == Verb::Get { batch.buffers.pop_front() } else { None };
                let outcome = if request.is_meant {
                    let target = request.member.target.upgrade();
                    let executed =
                        service::catch(|| execute(target.as_deref(), request, buffer.unwrap_or_default()));
                    let refused = |panicked: Panicked| (Err(panicked.error("ucx")), 0, Vec::new());
                    let wants_answer = request.head.verb.wants_answer();
                    executed.unwrap_or_else(|panicked| wants_answer.then(|| refused(panicked)))
                } else if request.head.verb.wants_answer() {
                    Some((Err(not_me()), 0, Vec::new()))
                } else {
                    None
                };
                done.push(outcome);
            }
            for piece in &mut batch.pieces {
                let target = piece.chunk.member.target.upgrade();
                let taken = service::catch(|| read_chunk(target.as_deref(), &piece.chunk, &mut piece.buffer));
                piece.outcome = taken.unwrap_or_else(|panicked| Err(panicked.error("ucx")));
            }
            let mut state = self.lock();
            let mut done = done.into_iter();
            for request in batch.incoming.drain(..) {
                if let Some((outcome, old, data)) = done.next().flatten() {
                    let to = (request.member.id, request.head.from);
                    state.answer(to, request.head.id, outcome, old, data);
                }
                state.drop_data(&request.data);
            }
            batch.pieces.into_iter().for_each(|piece| state.piece_read(piece));
            state.inbox.end_serving(batch.incoming);
        }
    }
}
