// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sending end of a connection: what waits for the socket.
//!
//! Short frames are gathered in a buffer, with their payload; many leave in one call. A long payload is sent
//! straight from where it lies, in frames of at most [`CHUNK_MAX`] bytes that are made as the socket takes
//! them. With checksums, and from device memory, a payload is copied first: what is summed is what is sent.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use mf_base::Error;
use mf_device::Access;

use super::channel::{Channel, Part};
use super::frames::{Long, Reader, Source, append_device, append_frame, error_frame};
use super::memory;
use super::wire::{self, CHUNK_MAX, HEADER, Header, INLINE_MAX, SUMMED};
use crate::transport::Spot;
use crate::transport::target::hole;

/// The buffer of short frames is not made longer than this; then the next begins.
const GATHER: usize = 64 << 10;

#[derive(Debug)]
enum Item {
    /// Frames, and how much of them is sent.
    Bytes(Vec<u8>, usize),
    Long(Long),
    /// The frame in progress of the long payload behind it: header, how much of it is sent, payload left.
    Chunk {
        header: [u8; HEADER],
        sent: usize,
        source: Source,
        left: usize,
    },
    /// What is left of a payload whose memory went away.
    Padding(usize),
}

/// What waits for the socket, in order.
#[derive(Debug, Default)]
pub(super) struct Outbound {
    queue: VecDeque<Item>,
    /// Bytes of short frames that wait.
    gathered: usize,
    /// An empty buffer for the next ones.
    spare: Vec<u8>,
    summed: bool,
    /// TLS holds something back.
    held: bool,
    /// The put with a hole in its source.
    hole: Option<u64>,
    /// Whether the socket took anything since this was last read; whether it ever did.
    moved: bool,
    has_sent: bool,
}

impl Outbound {
    pub(super) fn new(summed: bool) -> Self {
        Self { summed, ..Self::default() }
    }

    /// From here on payloads get checksums, because the other end wants them.
    pub(super) fn sum(&mut self) {
        self.summed = true;
    }

    /// Bytes of short frames that wait.
    pub(super) fn gathered(&self) -> usize {
        self.gathered
    }

    /// Pieces that wait.
    pub(super) fn pieces(&self) -> usize {
        self.queue.len()
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty() && !self.held
    }

    /// Memory that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.queue
            .iter()
            .map(|item| if let Item::Bytes(bytes, _) = item { bytes.capacity() } else { 0 })
            .sum::<usize>()
            + self.spare.capacity()
            + self.queue.capacity() * size_of::<Item>()
    }

    /// Drops all.
    pub(super) fn clear(&mut self) {
        self.queue = VecDeque::new();
        self.gathered = 0;
        self.held = false;
    }

    /// Lets `fill` append `more` bytes behind what waits.
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

    /// Adds a frame whose payload is private memory.
    pub(super) fn frame(&mut self, mut header: Header, payload: &[u8]) {
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
    pub(super) unsafe fn short(&mut self, mut header: Header, from: *const u8, bytes: usize) {
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

    /// Adds a long payload whose bytes are copied now, because they are few: its source is not read any more.
    ///
    /// # Safety
    /// The source is memory of the caller, and readable.
    pub(super) unsafe fn copied(&mut self, mut long: Long) {
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
    pub(super) fn long(&mut self, long: Long) {
        self.queue.push_back(Item::Long(long));
    }

    /// Adds the end of an operation that failed here.
    pub(super) fn error(&mut self, sequence: u64, is_copy: bool, error: &Error) {
        let (header, text) = error_frame(sequence, is_copy, error);
        self.frame(header, text.as_bytes());
    }

    /// Takes back an operation, by its number among the copies or the others. Returns false if the socket may
    /// have taken a byte of it.
    pub(super) fn take_back(&mut self, is_copy: bool, number: u64) -> bool {
        let is_it = |header: &Header| header.is_request(is_copy) && header.sequence == number;
        let first = self.first_unsent(is_copy);
        // Operations wait in the order of their numbers. Of the first, earlier frames may be gone already.
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

    /// The number of the first copy, or other operation, of which a whole frame waits.
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

    /// The put, if any, that ended the connection because its source has a hole.
    pub(super) fn take_hole(&mut self) -> Option<u64> {
        self.hole.take()
    }

    /// Whether the socket took anything since the last time: then it may soon take more.
    pub(super) fn take_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    /// Sends until nothing waits (true), or until the socket is full or has taken `most` bytes (false).
    pub(super) fn send(&mut self, channel: &Channel, reader: &dyn Reader, most: usize) -> io::Result<bool> {
        let mut taken = 0;
        loop {
            if taken >= most {
                return Ok(false);
            }
            self.refill(reader);
            let behind = self.queue.len() > 1;
            let sent = match self.queue.front_mut() {
                None => {
                    self.held = !channel.flush()?;
                    return Ok(!self.held);
                }
                // Made into a chunk by `refill`.
                Some(Item::Long(_)) => continue,
                Some(Item::Bytes(bytes, sent)) => {
                    let part = bytes.get(*sent..).unwrap_or(&[]);
                    let part: Part = (part.as_ptr(), part.len());
                    // SAFETY: the part lies in the buffer of the item.
                    let count = unsafe { channel.send(&[part], behind) }?;
                    *sent += count;
                    self.gathered = self.gathered.saturating_sub(count);
                    count
                }
                Some(Item::Padding(left)) => {
                    const ZEROS: [u8; 4096] = [0; 4096];
                    // SAFETY: a constant, and no longer than it.
                    let count =
                        unsafe { channel.send(&[(ZEROS.as_ptr(), (*left).min(ZEROS.len()))], behind) }?;
                    *left -= count;
                    count
                }
                Some(Item::Chunk { header, sent, source, left }) => {
                    let head = header.get(*sent..).unwrap_or(&[]);
                    let head: Part = (head.as_ptr(), head.len());
                    let mut result = Ok(0);
                    let gone = match *source {
                        Source::Local(from) => {
                            // SAFETY: the header is in the item; the caller of the operation vouches for the
                            // rest.
                            result = unsafe { send_parts(channel, head, (from, *left)) };
                            if result.as_ref().is_err_and(Channel::is_hole) {
                                self.hole = Header::decode(header).ok().map(|header| header.sequence);
                            }
                            None
                        }
                        Source::Segment(key, address) => {
                            let mut failed = None;
                            let read = reader.read(key, address, *left as u64, &mut |spot| match spot {
                                Spot::Program(from) if channel.is_sealed() => {
                                    match memory::load(from, None, (*left).min(GATHER)) {
                                        // SAFETY: the header is in the item; the bytes are private.
                                        Ok(bytes) => unsafe {
                                            result = send_parts(channel, head, (bytes.as_ptr(), bytes.len()));
                                        },
                                        Err(error) => failed = Some(error),
                                    }
                                }
                                Spot::Host(from) | Spot::Program(from) => {
                                    // SAFETY: the header is in the item; the memory stays during this call, or
                                    // the kernel reports that it is not there.
                                    result = unsafe { send_parts(channel, head, (from, *left)) };
                                    if result.as_ref().is_err_and(Channel::is_hole) {
                                        failed = Some(hole(Access::Read, address, *left as u64));
                                    }
                                }
                                Spot::Device { .. } => {}
                            });
                            read.err().or(failed)
                        }
                    };
                    if let Some(error) = gone {
                        let sequence = Header::decode(header).map_or(0, |header| header.sequence);
                        self.give_up(sequence, &error);
                        continue;
                    }
                    let count = result?;
                    let of_header = count.min(HEADER - *sent);
                    *sent += of_header;
                    let of_payload = count - of_header;
                    *source = source.behind(of_payload);
                    *left -= of_payload;
                    count
                }
            };
            self.moved |= sent > 0;
            self.has_sent |= sent > 0;
            taken += sent;
            let done = match self.queue.front() {
                Some(Item::Bytes(bytes, sent)) => *sent == bytes.len(),
                Some(Item::Padding(left)) => *left == 0,
                Some(Item::Chunk { sent, left, .. }) => *sent == HEADER && *left == 0,
                _ => false,
            };
            if done {
                self.finish_front();
            } else if sent == 0 {
                return Ok(false);
            }
        }
    }

    /// Ends the item in front; keeps a buffer of usual size for the next frames.
    fn finish_front(&mut self) {
        if let Some(Item::Bytes(mut bytes, _)) = self.queue.pop_front()
            && bytes.capacity() <= GATHER
        {
            bytes.clear();
            self.spare = bytes;
        }
    }

    /// Gives memory back while nothing waits.
    pub(super) fn rest(&mut self) {
        if self.is_empty() {
            self.queue = VecDeque::new();
            self.spare = Vec::new();
        }
    }

    /// The frame in progress cannot be finished with its bytes: pads it, and reports that the operation
    /// failed.
    fn give_up(&mut self, sequence: u64, error: &Error) {
        let Some(Item::Chunk { header, sent, left, .. }) = self.queue.pop_front() else { return };
        if matches!(self.queue.front(), Some(Item::Long(long)) if long.header.sequence == sequence) {
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

/// The frames of a buffer of which nothing is sent, and where they lie.
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

/// # Safety
/// Both parts are readable.
unsafe fn send_parts(channel: &Channel, head: Part, payload: Part) -> io::Result<usize> {
    if head.1 == 0 {
        // SAFETY: by the caller.
        unsafe { channel.send(&[payload], false) }
    } else {
        // SAFETY: by the caller.
        unsafe { channel.send(&[head, payload], false) }
    }
}
