// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The receiving end of a connection: parses frames out of bytes.
//!
//! Short frames are parsed in a buffer, many for one call of the kernel. The payload of a long one is
//! received straight to its place, together with the header of the next frame. The length of a read grows
//! while only short frames come and shrinks with the first long one, so that little of a long payload has to
//! be copied out of the buffer.

use mf_base::os::guarded;

use crate::channel::{Channel, Room};
use crate::malformed::Malformed;
use crate::secure::Received;
use crate::wire::{CHECKSUM, HEADER, Header, INLINE_MAX, MORE, SUMMED};

const BUFFER: usize = 64 << 10;
const LEAST: usize = 4 << 10;

const _: () = assert!(BUFFER >= 2 * (HEADER + INLINE_MAX + CHECKSUM));

/// The reason that a connection cannot go on.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The other end closed it.
    Closed,
    /// The socket failed.
    Socket(std::io::Error),
    /// The other end violates the protocol.
    Protocol(Malformed),
}

impl From<Malformed> for Broken {
    fn from(malformed: Malformed) -> Self {
        Self::Protocol(malformed)
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self::Socket(error)
    }
}

/// Destination of a piece of a long payload.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Dropped.
    Nowhere,
    /// Memory that is mapped for sure.
    At(*mut u8),
    /// Memory of the caller of a get, probed at its ends: the kernel finds holes between them.
    Caller(*mut u8),
    /// Memory of the program, which may be unmapped.
    Program(*mut u8),
}

/// Outcome of receiving a piece.
#[derive(Clone, Copy)]
pub(crate) struct Touched {
    /// Bytes stored.
    pub(crate) bytes: usize,
    /// The memory at the place is unmapped, in whole or in part.
    pub(crate) is_hole: bool,
}

/// Handler of received frames.
pub(crate) trait Handler {
    /// Handles a whole frame. Its payload lies in private memory; its checksum was right.
    fn frame(&mut self, header: &Header, payload: &[u8]) -> Result<(), Malformed>;

    /// Handles a frame with a wrong checksum.
    fn corrupt(&mut self, header: &Header) -> Result<(), Malformed>;

    /// Handles a piece of a long payload: calls `touch` with the destination of `bytes` bytes at `offset` in
    /// the payload. `touch` returns the number of bytes written, and whether the memory is unmapped: then the
    /// rest is dropped.
    fn place(
        &mut self,
        header: &Header,
        offset: usize,
        bytes: usize,
        touch: &mut dyn FnMut(Place) -> Touched,
    ) -> Result<(), Malformed>;

    /// Handles the end of a long payload.
    fn placed(&mut self, header: &Header) -> Result<(), Malformed>;
}

/// Received bytes before their handling, and the payload in progress.
#[derive(Default)]
pub(crate) struct Inbound {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    want: usize,
    /// A long payload, and the number of its bytes in place.
    long: Option<(Header, usize)>,
}

impl Inbound {
    /// Receives once and handles all complete frames. Returns true if bytes were received.
    pub(crate) fn pump(&mut self, channel: &Channel, handler: &mut dyn Handler) -> Result<bool, Broken> {
        if self.buffer.is_empty() {
            self.buffer = vec![0; BUFFER];
            self.want = LEAST;
        }
        let received = match self.long {
            Some((header, done)) => self.receive_long(channel, handler, header, done)?,
            None => self.receive_short(channel)?,
        };
        match received {
            Received::Closed => Err(Broken::Closed),
            Received::Nothing => Ok(false),
            Received::Bytes(_) => {
                while self.step(handler)? {}
                Ok(true)
            }
        }
    }

    /// Frees the buffer while the connection is idle.
    pub(crate) fn rest(&mut self) {
        if self.start == self.end && self.long.is_none() {
            self.buffer = Vec::new();
            (self.start, self.end) = (0, 0);
        }
    }

    /// Returns the memory that it holds, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.buffer.capacity()
    }

    /// Returns room for at most `most` further bytes; moves the rest of a frame to the front if needed.
    fn room(&mut self, most: usize) -> Room {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.buffer.len() - self.end < HEADER + INLINE_MAX + CHECKSUM {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        match self.buffer.get_mut(self.end..) {
            Some(free) => (free.as_mut_ptr(), free.len().min(most)),
            None => (std::ptr::null_mut(), 0),
        }
    }

    fn receive_short(&mut self, channel: &Channel) -> Result<Received, Broken> {
        let want = self.want.max(LEAST);
        let room = self.room(want);
        // SAFETY: the room lies in the buffer, which is not used otherwise.
        let received = unsafe { channel.receive(room, (std::ptr::null_mut(), 0)) }?;
        if let Received::Bytes(bytes) = received {
            self.end += bytes;
            if bytes == room.1 {
                self.want = (want * 2).min(BUFFER);
            }
        }
        Ok(received)
    }

    fn receive_long(
        &mut self,
        channel: &Channel,
        handler: &mut dyn Handler,
        header: Header,
        done: usize,
    ) -> Result<Received, Broken> {
        let left = header.payload() - done;
        // The next header comes along; the frame behind the last one of an operation is probably short.
        let free = self.room(BUFFER);
        let more = (free.0, free.1.min(if header.has(MORE) { HEADER } else { LEAST }));
        let mut received = Ok(Received::Nothing);
        handler.place(&header, done, left, &mut |to| {
            received = match to {
                Place::At(to) | Place::Caller(to) => {
                    // SAFETY: the handler vouches for `left` bytes at `to`; `more` lies in the buffer, which
                    // is not used otherwise.
                    unsafe { channel.receive((to, left), more) }
                }
                Place::Program(to) if !channel.is_sealed() => {
                    // SAFETY: as above; the kernel checks the memory of the program.
                    unsafe { channel.receive((to, left), more) }
                }
                // Into the buffer's free room, as scratch.
                Place::Nowhere | Place::Program(_) => {
                    // SAFETY: the room lies in the buffer, which is not used otherwise.
                    unsafe { channel.receive((free.0, free.1.min(left)), (std::ptr::null_mut(), 0)) }
                }
            };
            let bytes = match &received {
                Ok(Received::Bytes(bytes)) => (*bytes).min(left),
                // No bytes were taken: the next call drops them.
                Err(error) if Channel::is_hole(error) => {
                    received = Ok(Received::Bytes(0));
                    return Touched { bytes: 0, is_hole: true };
                }
                _ => 0,
            };
            let is_hole = match to {
                Place::Program(to) if channel.is_sealed() => {
                    // SAFETY: so many bytes were just received there.
                    let from = unsafe { std::slice::from_raw_parts(free.0, bytes) };
                    store(from, Place::Program(to)).is_hole
                }
                _ => false,
            };
            Touched { bytes, is_hole }
        })?;
        let received = received?;
        if let Received::Bytes(bytes) = received {
            let placed = bytes.min(left);
            self.end += bytes - placed;
            self.advance(handler, header, done + placed)?;
        }
        Ok(received)
    }

    fn advance(&mut self, handler: &mut dyn Handler, header: Header, done: usize) -> Result<(), Malformed> {
        if done == header.payload() {
            self.long = None;
            handler.placed(&header)
        } else {
            self.long = Some((header, done));
            Ok(())
        }
    }

    /// Handles one frame of the buffer. Returns false if none is complete.
    fn step(&mut self, handler: &mut dyn Handler) -> Result<bool, Malformed> {
        if self.long.is_some() {
            return Ok(false);
        }
        let Some(bytes) = self.buffer.get(self.start..self.end) else { return Ok(false) };
        let Some((head, after)) = bytes.split_first_chunk::<HEADER>() else { return Ok(false) };
        let header = Header::decode(head)?;
        if header.is_inline() {
            let Some((frame, _)) = after.split_at_checked(header.rest()) else { return Ok(false) };
            let (payload, sum) = frame.split_at_checked(header.payload()).unwrap_or((frame, &[]));
            if header.has(SUMMED) && !sum.is_empty() && sum != crc32c::crc32c(payload).to_le_bytes() {
                handler.corrupt(&header)?;
            } else {
                handler.frame(&header, payload)?;
            }
            self.start += HEADER + header.rest();
            return Ok(true);
        }
        self.want = LEAST;
        let have = after.len().min(header.payload());
        self.start += HEADER;
        let mut done = 0;
        while done < have {
            let Some(bytes) = self.buffer.get(self.start..self.start + have - done) else { break };
            let count = bytes.len();
            handler.place(&header, done, count, &mut |to| store(bytes, to))?;
            done += count;
            self.start += count;
        }
        self.advance(handler, header, done)?;
        Ok(true)
    }
}

/// Copies bytes of the buffer to a place that the handler vouches for.
fn store(bytes: &[u8], to: Place) -> Touched {
    let is_hole = match to {
        Place::Nowhere => false,
        Place::At(to) => {
            // SAFETY: the handler vouches for as many bytes at `to`, and the source is private.
            unsafe { mf_device::engine::copy(bytes.as_ptr(), to, bytes.len()) };
            false
        }
        Place::Caller(to) if guarded::is_writable(to.expose_provenance(), bytes.len()) => {
            return store(bytes, Place::At(to));
        }
        Place::Caller(_) => true,
        // SAFETY: the handler has assigned the place to this write.
        Place::Program(to) => unsafe { guarded::write(bytes, to.expose_provenance()) != bytes.len() },
    };
    Touched { bytes: bytes.len(), is_hole }
}
