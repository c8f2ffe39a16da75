// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Service of others' requests, outside the lock: at the moment of the access the owner checks that there is
//! such memory, and only then it is touched.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::guarded;
use mf_base::os::service::{self, Panicked};
use mf_base::{Error, Kind, Result};
use mf_device::Access;
use mf_transport::{Atomic, Peer, SegmentKey, Spot, Target, hole};

use super::callbacks::Data;
use super::endpoints::LinkId;
use super::members::{Member, MemberId};
use super::operations::Purpose;
use super::progress::Shared;
use super::requests::{Payload, State, Want};
use super::slab::{Id, Slab};
use super::wire::{Head, Verb, decode_address, next_piece, take};

/// Longest data of one message.
pub(super) const CHUNK_BYTES: u64 = 256 << 10;
/// Chunks that a copy between others has in flight.
const JOB_CHUNKS: u32 = 4;
/// Longest text of an error that travels.
const TEXT_BYTES_MAX: usize = 1024;

/// A request that waits to be served.
pub(super) struct Incoming {
    /// The member that serves it.
    pub(super) member: Arc<Member>,
    /// It is the process that was meant, and has not left.
    pub(super) is_meant: bool,
    pub(super) head: Head,
    pub(super) data: Data,
}

/// Remote copies: from the memory of this process to others, requested by third parties.
#[derive(Default)]
pub(super) struct Jobs {
    jobs: Option<Slab<Job>>,
    ready: Vec<Id>,
}

struct Job {
    member: Arc<Member>,
    asked_by: LinkId,
    /// The connection that ordered it.
    connection: u64,
    answer_to: u64,
    from: (SegmentKey, u64),
    to_link: LinkId,
    to: (SegmentKey, u64),
    bytes: u64,
    issued: u64,
    in_flight: u32,
    error: Option<Error>,
    deadline: Instant,
}

/// A chunk to be read for a job.
struct Piece {
    member: Arc<Member>,
    job: Id,
    offset: u64,
    bytes: u64,
    key: SegmentKey,
    address: u64,
    /// Start and length of all that the job copies.
    whole: (u64, u64),
    buffer: Vec<u8>,
    outcome: Result<()>,
}

impl Jobs {
    fn all(&mut self) -> &mut Slab<Job> {
        self.jobs.get_or_insert_with(Slab::new)
    }

    pub(super) fn piece_ended(&mut self, id: Id, outcome: Result<()>) {
        if let Some(job) = self.all().get_mut(id) {
            job.in_flight = job.in_flight.saturating_sub(1);
            if let Err(error) = outcome {
                job.error.get_or_insert(error);
            }
            self.ready.push(id);
        }
    }
}

/// Work taken out of the lock at once.
struct Batch {
    incoming: VecDeque<Incoming>,
    buffers: VecDeque<Vec<u8>>,
    pieces: Vec<Piece>,
    lost: Vec<(Arc<Member>, Peer, Error)>,
}

impl State {
    pub(super) fn has_to_serve(&self) -> bool {
        let is_idle = self.incoming.is_empty() && self.jobs.ready.is_empty() && self.lost.is_empty();
        !self.is_serving && !is_idle
    }

    fn take_batch(&mut self) -> Batch {
        self.is_serving = true;
        let spare = std::mem::take(&mut self.spare);
        let incoming = std::mem::replace(&mut self.incoming, spare);
        let mut buffers = VecDeque::new();
        for request in &incoming {
            match request.head.verb {
                Verb::Close => self.peer_closed(&request.member, request.head.from),
                Verb::Get => {
                    let bytes = usize::try_from(request.head.operand.min(CHUNK_BYTES)).unwrap_or(0);
                    buffers.push_back(self.buffer(bytes));
                }
                Verb::Copy if request.is_meant => self.job_asked(request),
                _ => {}
            }
        }
        let mut pieces = Vec::new();
        for id in std::mem::take(&mut self.jobs.ready) {
            self.advance_job(id, &mut pieces);
        }
        Batch { incoming, buffers, pieces, lost: std::mem::take(&mut self.lost) }
    }

    fn job_asked(&mut self, request: &Incoming) {
        let head = request.head;
        // SAFETY: the data of a request is released after it was served.
        let mut rest = unsafe { request.data.as_slice() };
        let member = &request.member;
        let Some(asked_by) = self.by_peer.get(&(member.id, head.from)).copied() else { return };
        let parsed = (|| {
            let rank = u32::from_le_bytes(take(&mut rest)?);
            let session = u64::from_le_bytes(take(&mut rest)?);
            let key = SegmentKey(u64::from_le_bytes(take(&mut rest)?));
            let wait = Duration::from_millis(u64::from_le_bytes(take(&mut rest)?).min(86_400_000));
            Some((Peer { job: head.from.job, rank, session }, key, wait))
        })();
        let begun = parsed.ok_or_else(|| Error::invalid("ucx copy", "the request is cut short")).and_then(
            |(peer, key, wait)| Ok((self.learn(member, peer, decode_address(rest)?, false), key, wait)),
        );
        match begun {
            Ok((to_link, key, wait)) => {
                let job = self.jobs.all().insert(Job {
                    member: Arc::clone(member),
                    asked_by,
                    connection: head.connection,
                    answer_to: head.id,
                    from: (head.key, head.address),
                    to_link,
                    to: (key, head.second),
                    bytes: head.operand,
                    issued: 0,
                    in_flight: 0,
                    error: None,
                    deadline: Instant::now() + wait,
                });
                self.jobs.ready.push(job);
            }
            Err(error) => self.answer((member.id, head.from), head.id, Err(error), 0, Vec::new()),
        }
    }

    fn advance_job(&mut self, id: Id, pieces: &mut Vec<Piece>) {
        loop {
            let Some(job) = self.jobs.all().get_mut(id) else { return };
            if self.links.get(&job.asked_by).is_some_and(|link| job.connection < link.served) {
                let void = || Error::new(Kind::NotConnected, "ucx copy").what("its connection is void");
                job.error.get_or_insert_with(void);
            }
            let left = job.bytes - job.issued;
            if job.in_flight == 0 && (left == 0 || job.error.is_some()) {
                let outcome = job.error.take().map_or(Ok(()), Err);
                let (asked_by, answer_to, member) = (job.asked_by, job.answer_to, job.member.id);
                self.jobs.all().remove(id);
                if let Some(peer) = self.links.get(&asked_by).map(|link| link.peer) {
                    self.answer((member, peer), answer_to, outcome, 0, Vec::new());
                }
                return;
            }
            if left == 0 || job.error.is_some() || job.in_flight >= JOB_CHUNKS {
                return;
            }
            let bytes = left.min(CHUNK_BYTES);
            let (offset, (key, start)) = (job.issued, job.from);
            let (whole, member) = ((start, job.bytes), Arc::clone(&job.member));
            job.in_flight += 1;
            job.issued += bytes;
            let buffer = self.buffer(usize::try_from(bytes).unwrap_or(0));
            pieces.push(Piece {
                member,
                job: id,
                offset,
                bytes,
                key,
                address: start.wrapping_add(offset),
                whole,
                buffer,
                outcome: Ok(()),
            });
        }
    }

    fn piece_read(&mut self, piece: Piece) {
        let found = self.jobs.all().get_mut(piece.job).map(|job| (job.to_link, job.to, job.deadline));
        let Some((link, (key, address), deadline)) = found else { return };
        if let Err(error) = piece.outcome {
            return self.jobs.piece_ended(piece.job, Err(error));
        }
        let mut head = Head::new(Verb::Put).within(address, piece.whole.1);
        (head.key, head.address) = (key, address.wrapping_add(piece.offset));
        let operation = self.begin(link, None, deadline, "copy between two others", Purpose::Job(piece.job));
        self.start(operation, head, Payload::Owned(piece.buffer), Want::Nothing);
        self.release(operation);
    }

    fn answer(&mut self, to: (MemberId, Peer), id: u64, outcome: Result<()>, old: u64, data: Vec<u8>) {
        let Some(link) = self.by_peer.get(&to).copied() else {
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
                let target = piece.member.target.upgrade();
                let target = target.as_deref();
                let mut take = || {
                    whole(target, piece.key, piece.whole, piece.bytes, Access::Read)?;
                    read(target, piece.key, piece.address, piece.bytes, &mut piece.buffer)
                };
                let taken = service::catch(&mut take);
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
            state.spare = batch.incoming;
            state.is_serving = false;
        }
    }
}

/// Result of a request, the old value of a word, and the bytes read; `None`: no answer.
type Served = Option<(Result<()>, u64, Vec<u8>)>;

fn execute(target: Option<&dyn Target>, request: &Incoming, mut buffer: Vec<u8>) -> Served {
    let head = &request.head;
    // SAFETY: the data of a request is released after it was served.
    let data = unsafe { request.data.as_slice() };
    let mut old = 0;
    let outcome = match head.verb {
        Verb::Hello | Verb::Copy | Verb::Answer | Verb::Close => return None,
        Verb::Message => {
            if let Some(target) = target {
                target.message(head.from, data);
            }
            return None;
        }
        Verb::Ping => Ok(()),
        Verb::Put => whole(target, head.key, (head.compare, head.second), data.len() as u64, Access::Write)
            .and_then(|()| write(target, head.key, head.address, data)),
        Verb::Pieces => pieces(target, head, data),
        Verb::Get if head.operand > CHUNK_BYTES => {
            Err(Error::invalid("ucx get", "more is wanted than one message holds")
                .with("bytes", head.operand))
        }
        Verb::Get => whole(target, head.key, (head.compare, head.second), head.operand, Access::Read)
            .and_then(|()| read(target, head.key, head.address, head.operand, &mut buffer)),
        Verb::Atomic => match head.atomic() {
            Some(atomic) => change(target, head.key, head.address, atomic).map(|value| old = value),
            None => Err(Error::invalid("ucx atomic", "an atomic of an unknown kind")),
        },
    };
    Some((outcome, old, buffer))
}

fn not_me() -> Error {
    Error::new(Kind::NotConnected, "ucx")
        .what("the process that was meant is gone, and another one is in its place")
}

/// Checks, before a part is touched, that all of its span is in one segment.
fn whole(
    target: Option<&dyn Target>,
    key: SegmentKey,
    (start, bytes): (u64, u64),
    part: u64,
    access: Access,
) -> Result<()> {
    if bytes <= part { Ok(()) } else { host(target, (key, start, bytes), access, &mut |_| {}) }
}

fn reached(target: Option<&dyn Target>) -> Result<&dyn Target> {
    target.ok_or_else(|| {
        Error::new(Kind::NotConnected, "ucx").what("the process that was asked takes part in nothing")
    })
}

/// Lets `touch` use host memory of this process.
fn host(
    target: Option<&dyn Target>,
    (key, address, bytes): (SegmentKey, u64, u64),
    access: Access,
    touch: &mut dyn FnMut(*mut u8),
) -> Result<()> {
    let (mut is_device, mut is_hole) = (false, false);
    reached(target)?.access(key, address, bytes, access, &mut |spot| match spot {
        Spot::Host(start) => touch(start),
        Spot::Program(start) => {
            let (at, length) = (start.expose_provenance(), usize::try_from(bytes).unwrap_or(usize::MAX));
            is_hole = match access {
                Access::Read => !guarded::is_readable(at, length),
                Access::Write => !guarded::is_writable(at, length),
            };
            if !is_hole {
                touch(start);
            }
        }
        Spot::Device { .. } => is_device = true,
    })?;
    if is_hole {
        return Err(hole(access, address, bytes));
    }
    if is_device {
        return Err(Error::invalid("ucx", "memory of an accelerator is not reached by ucx")
            .with("address", format_args!("{address:#x}"))
            .hint("use tcp"));
    }
    Ok(())
}

fn write(target: Option<&dyn Target>, key: SegmentKey, address: u64, data: &[u8]) -> Result<()> {
    host(target, (key, address, data.len() as u64), Access::Write, &mut |start| {
        // SAFETY: the owner guarantees that so many bytes are mapped at `start` during the call; the data is
        // private memory.
        unsafe { mf_device::engine::copy(data.as_ptr(), start, data.len()) };
    })
}

fn read(
    target: Option<&dyn Target>,
    key: SegmentKey,
    address: u64,
    bytes: u64,
    buffer: &mut Vec<u8>,
) -> Result<()> {
    let length = usize::try_from(bytes).unwrap_or(usize::MAX);
    buffer.clear();
    if buffer.capacity() < length {
        buffer.reserve(length);
    }
    host(target, (key, address, bytes), Access::Read, &mut |start| {
        // SAFETY: the owner guarantees that so many bytes are mapped at `start` during the call; the buffer
        // has room for them.
        unsafe { mf_device::engine::copy(start, buffer.as_mut_ptr(), length) };
        // SAFETY: they were just written.
        unsafe { buffer.set_len(length) };
    })
}

fn pieces(target: Option<&dyn Target>, head: &Head, mut rest: &[u8]) -> Result<()> {
    while let Some(piece) = next_piece(&mut rest) {
        let (address, bytes) = piece?;
        write(target, head.key, address, bytes)?;
    }
    match head.signal()? {
        Some(atomic) => change(target, head.key, head.second, atomic).map(|_| ()),
        None => Ok(()),
    }
}

/// Changes a word; its old value.
fn change(target: Option<&dyn Target>, key: SegmentKey, address: u64, atomic: Atomic) -> Result<u64> {
    let (bytes, mut old) = (atomic.width.bytes(), Ok(0));
    reached(target)?.access(key, address, bytes, Access::Write, &mut |spot| {
        // SAFETY: the owner vouches for the spot during its call.
        old = unsafe { atomic.change(spot) };
    })?;
    old
}
