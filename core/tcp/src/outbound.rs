// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sending end of a connection: the queue before the socket.
//!
//! Short frames are gathered in a buffer, with their payload. A long payload is sent in place, in frames of
//! at most [`CHUNK_MAX`] bytes that are made as the socket takes them. One call of the kernel takes up to
//! [`batch::FRAMES`] frames. With checksums, and from device memory, a payload is copied first, so that the
//! sum is that of the sent bytes.

mod batch;
mod item;

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use mf_base::Error;
use mf_transport::Spot;

use self::batch::{Batch, GATHER};
use self::item::Item;
use crate::channel::Channel;
use crate::frames::{Long, Reader, Source, append_device, append_frame, error_frame};
use crate::memory;
use crate::wire::{self, CHUNK_MAX, HEADER, Header, INLINE_MAX, SUMMED};

/// The queue before the socket, in order.
#[derive(Debug, Default)]
pub(crate) struct Outbound {
    queue: VecDeque<Item>,
    /// Waiting bytes of short frames.
    gathered: usize,
    /// An empty buffer for the next ones.
    spare: Vec<u8>,
    batch: Batch,
    summed: bool,
    /// TLS holds unsent ciphertext.
    held: bool,
    /// The put with a hole in its source.
    hole: Option<u64>,
    /// Set if the socket took bytes since this was last read; and if it ever did.
    moved: bool,
    has_sent: bool,
}

impl Outbound {
    pub(crate) fn new(summed: bool) -> Self {
        Self { summed, ..Self::default() }
    }

    /// Adds checksums to payloads from here on, because the other end wants them.
    pub(crate) fn sum(&mut self) {
        self.summed = true;
    }

    /// Returns the waiting bytes of short frames.
    pub(crate) fn gathered(&self) -> usize {
        self.gathered
    }

    /// Returns the number of waiting pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.queue.len()
    }

    /// Returns true if the queue should leave without waiting for a reply. Long payloads wait for each other,
    /// because one call for many of them costs less than one call for each.
    pub(crate) fn is_batch(&self) -> bool {
        let count = self.queue.len();
        count > 1
            && (self.gathered > 0
                || count >= batch::FRAMES / 2
                || self.queue.iter().map(Item::unsent).fold(0, u64::saturating_add) >= batch::BYTES)
    }

    /// Returns true if nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty() && !self.held
    }

    /// Returns the memory that it holds, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.queue
            .iter()
            .map(|item| if let Item::Bytes(bytes, _) = item { bytes.capacity() } else { 0 })
            .sum::<usize>()
            + self.spare.capacity()
            + self.batch.capacity_bytes()
            + self.queue.capacity() * size_of::<Item>()
    }

    /// Drops all.
    pub(crate) fn clear(&mut self) {
        self.queue = VecDeque::new();
        self.gathered = 0;
        self.held = false;
    }

    /// Lets `fill` append `more` bytes to the queue.
    fn append(&mut self, more: usize, fill: impl FnOnce(&mut Vec<u8>)) {
        self.gathered += more;
        if let Some(Item::Bytes(bytes, _)) = self.queue.back_mut()
            && bytes.len() + more <= GATHER
        {
            return fill(bytes);
        }
        let mut bytes = std::mem::take(&mut self.spare);
        fill(&mut bytes);
        self.queue.push_back(Item::Bytes(bytes, 0));
    }

    /// Adds a frame with a payload in private memory.
    pub(crate) fn frame(&mut self, mut header: Header, payload: &[u8]) {
        header.length = wire::length_u32(payload.len());
        self.append(HEADER + payload.len(), |tail| {
            tail.extend_from_slice(&header.encode());
            tail.extend_from_slice(payload);
        });
    }

    /// Adds a short put or data frame.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes; at most [`INLINE_MAX`].
    pub(crate) unsafe fn short(&mut self, mut header: Header, from: *const u8, bytes: usize) {
        header.length = wire::length_u32(bytes);
        let summed = self.summed;
        if summed {
            header.flags |= SUMMED;
        }
        // SAFETY: the caller vouches for the range.
        self.append(HEADER + header.rest(), |tail| unsafe {
            append_frame(tail, &header, None, None, from, bytes);
        });
    }

    /// Adds a long payload with few bytes, which are copied now: its source is not read any more.
    ///
    /// # Safety
    /// The source is memory of the caller, and readable.
    pub(crate) unsafe fn copied(&mut self, mut long: Long) {
        while long.left > 0
            && let (Source::Local(from), Some(shape)) = (long.source, long.shape)
        {
            let count = usize::try_from(long.left).unwrap_or(usize::MAX).min(shape.frame_bytes());
            let (header, head) = long.next(count, self.summed);
            // SAFETY: passed on to the caller.
            self.append(HEADER + header.rest(), |tail| unsafe {
                append_frame(tail, &header, head.as_ref(), Some(shape), from, count);
            });
            long.advance(count);
        }
    }

    /// Adds a long payload.
    pub(crate) fn long(&mut self, long: Long) {
        self.queue.push_back(Item::Long(long));
    }

    /// Adds the end of an operation that failed here.
    pub(crate) fn error(&mut self, sequence: u64, is_copy: bool, error: &Error) {
        let (header, text) = error_frame(sequence, is_copy, error);
        self.frame(header, text.as_bytes());
    }

    /// Takes back an operation, by its number among the copies or the others. Returns false if the socket may
    /// have taken a byte of it.
    pub(crate) fn take_back(&mut self, is_copy: bool, number: u64) -> bool {
        let is_it = |header: &Header| header.is_request(is_copy) && header.sequence == number;
        let first = self.first_unsent(is_copy);
        // Operations wait in the order of their numbers. Earlier frames of the first may have been sent
        // already.
        let is_whole = match first {
            Some(first) if first == number => !self.has_sent || is_copy,
            first => first.is_some_and(|first| first < number),
        };
        if !is_whole {
            return false;
        }
        let mut gathered = 0;
        self.queue.retain_mut(|item| match item {
            Item::Bytes(bytes, sent) => {
                let before = bytes.len();
                let unsent = unsent_frames(bytes, *sent);
                for (range, _) in
                    unsent.filter(|(_, header)| is_it(header)).collect::<Vec<_>>().into_iter().rev()
                {
                    bytes.drain(range);
                }
                gathered += before - bytes.len();
                bytes.len() > *sent
            }
            Item::Long(long) => !is_it(&long.header),
            Item::Chunk { header, .. } => !Header::decode(header).is_ok_and(|header| is_it(&header)),
            Item::Padding(_) => true,
        });
        self.gathered = self.gathered.saturating_sub(gathered);
        true
    }

    /// Returns the number of the first copy, or other operation, with a whole frame waiting.
    fn first_unsent(&self, is_copy: bool) -> Option<u64> {
        self.queue.iter().find_map(|item| {
            let header = match item {
                Item::Bytes(bytes, sent) => unsent_frames(bytes, *sent)
                    .map(|(_, header)| header)
                    .find(|header| header.is_request(is_copy)),
                Item::Long(long) => Some(long.header),
                Item::Chunk { header, .. } => Header::decode(header).ok(),
                Item::Padding(_) => None,
            };
            header.filter(|header| header.is_request(is_copy)).map(|header| header.sequence)
        })
    }

    /// Returns the put, if any, that ended the connection because its source has a hole.
    pub(crate) fn take_hole(&mut self) -> Option<u64> {
        self.hole.take()
    }

    /// Returns true if the socket took bytes since the last call: then it may soon take more.
    pub(crate) fn take_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    /// Sends until the queue is empty (true), or until the socket is full or has taken `most` bytes (false).
    pub(crate) fn send(&mut self, channel: &Channel, reader: &dyn Reader, most: usize) -> io::Result<bool> {
        let mut taken = 0;
        loop {
            if taken >= most {
                return Ok(false);
            }
            self.refill(reader);
            if self.queue.is_empty() {
                self.held = !channel.flush()?;
                return Ok(!self.held);
            }
            // None: the payload of the frame is gone, and something else stands in front.
            let Some(sent) = self.send_some(channel, reader)? else { continue };
            self.moved |= sent > 0;
            self.has_sent |= sent > 0;
            taken += sent;
            if !self.consume(sent) && sent == 0 {
                return Ok(false);
            }
        }
    }

    /// Removes `sent` bytes from the front. Returns true if an item ended.
    fn consume(&mut self, mut sent: usize) -> bool {
        let mut any = false;
        while sent > 0
            && let Some(front) = self.queue.front_mut()
        {
            front.cut();
            let unsent = usize::try_from(front.unsent()).unwrap_or(usize::MAX);
            let count = sent.min(unsent);
            front.advance(count);
            if matches!(front, Item::Bytes(..)) {
                self.gathered = self.gathered.saturating_sub(count);
            }
            sent -= count;
            if count == unsent {
                self.finish_front();
                any = true;
            }
        }
        any
    }

    /// Sends the front of the queue in one call.
    fn send_some(&mut self, channel: &Channel, reader: &dyn Reader) -> io::Result<Option<usize>> {
        if let Some(Item::Padding(left)) = self.queue.front() {
            const ZEROS: [u8; 4096] = [0; 4096];
            let part = (ZEROS.as_ptr(), (*left).min(ZEROS.len()));
            // SAFETY: a constant, and no longer than it.
            return unsafe { channel.send(&[part], self.queue.len() > 1) }.map(Some);
        }
        let mut batch = std::mem::take(&mut self.batch);
        batch.fill(&self.queue, self.summed, channel.is_sealed());
        let mut sent = batch.send(channel, reader, self.queue.len());
        if batch.is_several() && sent.as_ref().map_or_else(Channel::is_hole, Option::is_none) {
            // Alone, the first frame is sent, or found to be the one without memory.
            batch.keep_first();
            sent = batch.send(channel, reader, self.queue.len());
        }
        let failed = batch.clear();
        self.batch = batch;
        let sequence = self.queue.front().and_then(Item::sequence);
        match (sent, failed) {
            (_, Some(error)) => {
                self.give_up(sequence.unwrap_or(0), &error);
                Ok(None)
            }
            (Err(error), None) => {
                if Channel::is_hole(&error) {
                    self.hole = sequence;
                }
                Err(error)
            }
            (sent, None) => sent,
        }
    }

    /// Removes the item in front; keeps a buffer of usual size for the next frames.
    fn finish_front(&mut self) {
        if let Some(Item::Bytes(mut bytes, _)) = self.queue.pop_front()
            && bytes.capacity() <= GATHER
        {
            bytes.clear();
            self.spare = bytes;
        }
    }

    /// Frees memory while the queue is empty.
    pub(crate) fn rest(&mut self) {
        if self.is_empty() {
            self.queue = VecDeque::new();
            self.spare = Vec::new();
            self.batch = Batch::default();
        }
    }

    /// The frame in progress cannot be finished with its bytes: pads it, and reports that the operation
    /// failed.
    fn give_up(&mut self, sequence: u64, error: &Error) {
        let Some(Item::Chunk { header, sent, left, .. }) = self.queue.pop_front() else { return };
        if self.queue.front().and_then(Item::sequence) == Some(sequence) {
            self.queue.pop_front();
        }
        let (head, text) = error_frame(sequence, false, error);
        let mut frame = head.encode().to_vec();
        frame.extend_from_slice(text.as_bytes());
        self.gathered += frame.len();
        self.queue.push_front(Item::Bytes(frame, 0));
        if sent > 0 {
            self.queue.push_front(Item::Padding(left));
            let rest = header.get(sent..).unwrap_or(&[]).to_vec();
            if !rest.is_empty() {
                self.gathered += rest.len();
                self.queue.push_front(Item::Bytes(rest, 0));
            }
        }
    }

    /// Makes the next frame of a long payload that has come to the front.
    fn refill(&mut self, reader: &dyn Reader) {
        let Some(Item::Long(long)) = self.queue.front_mut() else { return };
        let shape = long.shape;
        let most = match shape {
            Some(shape) => shape.frame_bytes(),
            None if self.summed => INLINE_MAX,
            None => CHUNK_MAX,
        };
        let count = usize::try_from(long.left).unwrap_or(usize::MAX).min(most);
        let is_last = count as u64 == long.left;
        let (header, head) = long.next(count, self.summed);
        let source = long.source;
        long.advance(count);
        if is_last {
            self.queue.pop_front();
        }
        let mut frame = Vec::new();
        let gone = match source {
            Source::Local(from) if self.summed || shape.is_some() => {
                // SAFETY: the caller of the operation vouches for its memory until the operation has ended.
                unsafe { append_frame(&mut frame, &header, head.as_ref(), shape, from, count) };
                None
            }
            Source::Local(_) => None,
            Source::Segment(key, address) => {
                let copies = self.summed || shape.is_some();
                let mut failed = None;
                let extent = shape.map_or(count as u64, |shape| shape.extent(count as u64));
                reader
                    .read(key, address, extent, &mut |spot| match spot {
                        Spot::Host(from) if copies => {
                            // SAFETY: the memory stays during this call.
                            unsafe { append_frame(&mut frame, &header, head.as_ref(), shape, from, count) };
                        }
                        Spot::Program(from) if copies => match memory::load(from, shape, count) {
                            // SAFETY: the bytes are private.
                            Ok(bytes) => unsafe {
                                let from = bytes.as_ptr();
                                append_frame(&mut frame, &header, head.as_ref(), None, from, count);
                            },
                            Err(error) => failed = Some(error),
                        },
                        Spot::Host(_) | Spot::Program(_) => {}
                        Spot::Device { address, mover } => {
                            failed = append_device(&mut frame, &header, shape, address, count, mover).err();
                        }
                    })
                    .err()
                    .or(failed)
            }
        };
        if let Some(error) = gone {
            let sequence = header.sequence;
            if !is_last {
                self.queue.pop_front();
            }
            let (head, text) = error_frame(sequence, false, &error);
            frame = head.encode().to_vec();
            frame.extend_from_slice(text.as_bytes());
        }
        if frame.is_empty() {
            self.queue.push_front(Item::Chunk { header: header.encode(), sent: 0, source, left: count });
        } else {
            self.gathered += frame.len();
            self.queue.push_front(Item::Bytes(frame, 0));
        }
    }
}

/// Returns the wholly unsent frames of a buffer, and their ranges.
fn unsent_frames(bytes: &[u8], sent: usize) -> impl Iterator<Item = (Range<usize>, Header)> {
    let mut at = 0;
    let frames = std::iter::from_fn(move || {
        let header = Header::decode(bytes.get(at..)?.first_chunk()?).ok()?;
        let range = at..at + HEADER + header.rest();
        at = range.end;
        Some((range, header))
    });
    frames.filter(move |(range, _)| range.start >= sent)
}
