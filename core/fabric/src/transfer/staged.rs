// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Staged copies between an accelerator's memory here and memory on another host, through host memory in
//! between.
//!
//! The bytes go chunk by chunk, and several chunks are in flight at once: while one is on the network, the
//! next is copied from or to the accelerator.
//!
//! | | put | get |
//! |---|---|---|
//! | 1 | wait until the chunk's last put has ended | wait until the chunk's last copy to the accelerator has ended |
//! | 2 | copy from the accelerator into the chunk | get into the chunk |
//! | 3 | put from the chunk | copy from the chunk to the accelerator |
//!
//! A copy on the caller's stream takes the same steps as functions and copies on that stream: earlier work on
//! the stream is done first, later work waits for it, and the caller does not wait. Errors of the network
//! cannot end a stream; they are returned by the next wait for the lane.
//!
//! At the other end of the network the transport does the same if the memory is an accelerator's.

mod buffer;
mod chunks;

use std::sync::Arc;
use std::time::Instant;

use mf_base::{Error, Kind, Result};
use mf_device::engine::Piece;
use mf_device::{Devices, Lane, Locality, Mover, RawStream, Transfer};
use mf_net::Member;

use super::lane;
use super::remote_copy::{operation, span};
use super::report;
use buffer::Buffer;
use chunks::{CHUNK_BYTES, Part, at, cut};
use mf_transport::{Completion, Left, Span};

/// Chunks in flight at once: one at each side and one between.
const DEPTH: usize = 4;

/// The other end of staged copies, and where the bytes go.
#[derive(Clone)]
pub(super) struct RemoteEnd {
    member: Arc<Member>,
    deadline: Instant,
    /// True for a put, false for a get.
    is_put: bool,
}

impl RemoteEnd {
    /// Copies of so many bytes in all.
    pub(super) fn new(lane: &lane::Lane, member: &Arc<Member>, is_put: bool, bytes: u64) -> Self {
        Self { member: Arc::clone(member), deadline: lane.deadlines().after(bytes), is_put }
    }

    /// # Safety
    /// The chunk is used by nothing else until the completion has ended.
    unsafe fn post(&self, chunk: *mut u8, parts: &[Part], completion: &Arc<Completion>) -> Result<()> {
        let span = |part: &Part| Span { local: at(chunk, part.offset), ..span(&part.piece, self.is_put) };
        let spans: Vec<Span> = parts.iter().map(span).collect();
        let operation = operation(&self.member, &spans, self.is_put);
        // SAFETY: passed on to the caller.
        unsafe { self.member.post(&operation, completion, self.deadline) }
    }

    /// The copies between the chunk and the accelerator.
    fn transfers(&self, chunk: *mut u8, parts: &[Part]) -> Vec<Transfer> {
        let transfer = |part: &Part| {
            let (staged, bytes) = (at(chunk, part.offset), part.piece.bytes);
            if self.is_put {
                let piece = Piece { src: part.piece.src, dst: staged, bytes };
                Transfer { piece, from: Locality::Device, to: Locality::Host }
            } else {
                let piece = Piece { src: staged, dst: part.piece.dst, bytes };
                Transfer { piece, from: Locality::Host, to: Locality::Device }
            }
        };
        parts.iter().map(transfer).collect()
    }
}

/// One place for a chunk.
struct Slot {
    chunk: *mut u8,
    lane: Box<dyn Lane>,
    completion: Arc<Completion>,
}

impl Slot {
    fn wait(&self, far: &RemoteEnd) -> Result<()> {
        far.member.transport.wait_interruptible(&self.completion, Left::End)
    }
}

/// Copies all pieces and waits for them.
///
/// # Errors
/// Errors of the accelerator and of the transport; nothing is in flight then.
///
/// # Safety
/// The local ends are an accelerator's memory, valid until the call returns.
pub(super) unsafe fn copy(
    devices: &Devices,
    mover: &dyn Mover,
    pieces: &[Piece],
    far: &RemoteEnd,
) -> Result<()> {
    let chunks = cut(pieces, CHUNK_BYTES);
    let depth = chunks.len().min(DEPTH);
    let buffer = Buffer::new(devices, depth)?;
    let mut slots = Vec::with_capacity(depth);
    for index in 0..depth {
        let (lane, completion) = (mover.lane()?, Arc::new(Completion::new()));
        slots.push(Slot { chunk: buffer.chunk(index), lane, completion });
    }
    let done = if far.is_put {
        // SAFETY: passed on to the caller; the slots come to rest below before the buffer goes.
        unsafe { put(&slots, &chunks, far) }
    } else {
        // SAFETY: as above.
        unsafe { get(&slots, &chunks, far) }
    };
    let mut rest = Ok(());
    for slot in &slots {
        // Waits for all, even if the first fails.
        rest = rest.and(slot.wait(far));
        rest = rest.and(slot.lane.wait());
    }
    done.and(rest)
}

/// # Safety
/// As [`copy`].
unsafe fn put(slots: &[Slot], chunks: &[Vec<Part>], far: &RemoteEnd) -> Result<()> {
    let mut loaded: Option<(&Slot, &[Part])> = None;
    for (parts, slot) in chunks.iter().zip(slots.iter().cycle()) {
        slot.wait(far)?;
        // SAFETY: the accelerator's end is the caller's, and the slot is idle.
        unsafe { slot.lane.enqueue(&far.transfers(slot.chunk, parts)) }?;
        // The chunk before it is sent while this one is loaded.
        if let Some((slot, parts)) = loaded.replace((slot, parts)) {
            slot.lane.wait()?;
            // SAFETY: loaded, and not touched before its completion was waited for.
            unsafe { far.post(slot.chunk, parts, &slot.completion) }?;
        }
    }
    if let Some((slot, parts)) = loaded {
        slot.lane.wait()?;
        // SAFETY: as above.
        unsafe { far.post(slot.chunk, parts, &slot.completion) }?;
    }
    Ok(())
}

/// # Safety
/// As [`copy`].
unsafe fn get(slots: &[Slot], chunks: &[Vec<Part>], far: &RemoteEnd) -> Result<()> {
    let mut asked = chunks.iter().zip(slots.iter().cycle());
    for (parts, slot) in asked.by_ref().take(slots.len()) {
        // SAFETY: the slot is idle, and not touched before its completion was waited for.
        unsafe { far.post(slot.chunk, parts, &slot.completion) }?;
    }
    for (parts, slot) in chunks.iter().zip(slots.iter().cycle()) {
        slot.wait(far)?;
        // SAFETY: the accelerator's end is the caller's, and the chunk has arrived.
        unsafe { slot.lane.enqueue(&far.transfers(slot.chunk, parts)) }?;
        if let Some((parts, next)) = asked.next() {
            next.lane.wait()?;
            // SAFETY: as above.
            unsafe { far.post(next.chunk, parts, &next.completion) }?;
        }
    }
    Ok(())
}

/// A chunk of a copy on a stream, shared by the steps on the stream.
struct Step {
    far: RemoteEnd,
    buffer: Arc<Buffer>,
    slot: usize,
    parts: Vec<Part>,
    completion: Arc<Completion>,
    /// Collects errors.
    outcome: Arc<Completion>,
}

impl Step {
    fn chunk(&self) -> *mut u8 {
        self.buffer.chunk(self.slot)
    }

    fn post(&self) {
        // SAFETY: steps of a stream come one after the other, and the chunk's next step waits for the
        // completion; the buffer lives in the step that waits.
        let posted = unsafe { self.far.post(self.chunk(), &self.parts, &self.completion) };
        self.report(posted);
    }

    fn wait(&self) {
        self.report(self.far.member.transport.wait(&self.completion));
    }

    fn report(&self, result: Result<()>) {
        report(&self.outcome, result);
    }
}

/// Puts the copies of all pieces on the caller's stream. Errors of the network go to `outcome`.
///
/// # Errors
/// Errors of the accelerator; some steps may be on the stream then.
///
/// # Safety
/// As [`Mover::copy_on`]; the local ends are an accelerator's memory.
pub(super) unsafe fn copy_on(
    devices: &Devices,
    mover: &dyn Mover,
    stream: RawStream,
    pieces: &[Piece],
    far: &RemoteEnd,
    outcome: &Arc<Completion>,
) -> Result<()> {
    let chunks = cut(pieces, CHUNK_BYTES);
    let depth = chunks.len().min(DEPTH);
    let buffer = Arc::new(Buffer::new(devices, depth)?);
    if !buffer.is_pinned() {
        // A copy on the stream would take or leave the bytes too early, so the caller waits for earlier
        // work on the stream.
        // SAFETY: passed on to the caller.
        unsafe { reach(mover, stream, far.deadline) }?;
        // SAFETY: passed on to the caller.
        return unsafe { copy(devices, mover, pieces, far) };
    }
    let completions: Vec<Arc<Completion>> = (0..depth).map(|_| Arc::new(Completion::new())).collect();
    let steps: Vec<Arc<Step>> = chunks
        .into_iter()
        .zip(completions.iter().enumerate().cycle())
        .map(|(parts, (slot, completion))| {
            Arc::new(Step {
                far: far.clone(),
                buffer: Arc::clone(&buffer),
                slot,
                parts,
                completion: Arc::clone(completion),
                outcome: Arc::clone(outcome),
            })
        })
        .collect();
    let run = |step: &Arc<Step>, what: fn(&Step)| {
        let step = Arc::clone(step);
        // SAFETY: passed on to the caller.
        unsafe { mover.run_on(stream, Box::new(move || what(&step))) }
    };
    if !far.is_put {
        steps.iter().take(depth).try_for_each(|step| run(step, Step::post))?;
    }
    for (index, step) in steps.iter().enumerate() {
        // Of a put: until the chunk is free. Of a get: until it is full.
        run(step, Step::wait)?;
        // SAFETY: passed on to the caller; the last step of the stream holds the buffer.
        unsafe { mover.copy_on(stream, &step.far.transfers(step.chunk(), &step.parts)) }?;
        if far.is_put {
            run(step, Step::post)?;
        } else if let Some(next) = steps.get(index + depth) {
            run(next, Step::post)?;
        }
    }
    steps.iter().rev().take(depth).try_for_each(|step| run(step, Step::wait))
}

/// Waits until the stream has done all earlier work.
///
/// # Safety
/// As [`Mover::copy_on`].
unsafe fn reach(mover: &dyn Mover, stream: RawStream, deadline: Instant) -> Result<()> {
    let reached = Arc::new(Completion::new());
    reached.begin(1);
    let notified = Arc::clone(&reached);
    // SAFETY: passed on to the caller.
    unsafe { mover.run_on(stream, Box::new(move || notified.end(Ok(())))) }?;
    if reached.sleep(Some(deadline)) {
        return Ok(());
    }
    Err(Error::new(Kind::Timeout, "copy").what("the stream did not get to the copy in time"))
}
