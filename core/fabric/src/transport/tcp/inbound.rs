// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The receiving end of a connection: frames out of bytes.
//!
//! Short frames are parsed in a buffer, many for one call of the kernel. The payload of a long one is
//! received straight to its place, together with the header of the next frame. How much is asked for at once
//! grows while only short frames come and shrinks with the first long one, so that little of a long payload
//! has to be copied out of the buffer.

use super::channel::{Channel, Room};
use super::secure::Received;
use super::wire::{CHECKSUM, HEADER, Header, INLINE_MAX, MORE, Malformed, SUMMED};

const BUFFER: usize = 64 << 10;
const LEAST: usize = 4 << 10;

const _: () = assert!(BUFFER >= 2 * (HEADER + INLINE_MAX + CHECKSUM));

/// Why a connection cannot go on.
#[derive(Debug)]
pub(super) enum Broken {
    /// The other end closed it.
    Closed,
    /// The socket failed.
    Socket(std::io::Error),
    /// The other end does not keep to the protocol.
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

/// What takes the frames.
pub(super) trait Handler {
    /// A whole frame. Its payload lies in private memory; its checksum was right.
    fn frame(&mut self, header: &Header, payload: &[u8]) -> Result<(), Malformed>;

    /// A frame whose checksum was wrong.
    fn corrupt(&mut self, header: &Header) -> Result<(), Malformed>;

    /// A piece of a long payload: calls `touch` with where `bytes` bytes at `offset` in the payload go, or
    /// with null when they go nowhere. `touch` says how many it wrote.
    fn place(
        &mut self,
        header: &Header,
        offset: usize,
        bytes: usize,
        touch: &mut dyn FnMut(*mut u8) -> usize,
    ) -> Result<(), Malformed>;

    /// A long payload is complete.
    fn placed(&mut self, header: &Header) -> Result<(), Malformed>;
}

/// The bytes that were received and not handled, and the payload in progress.
#[derive(Default)]
pub(super) struct Inbound {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    want: usize,
    /// A long payload, and how much of it is in place.
    long: Option<(Header, usize)>,
}

impl Inbound {
    /// Receives once and handles all that is complete; whether there was anything.
    pub(super) fn pump(&mut self, channel: &Channel, handler: &mut dyn Handler) -> Result<bool, Broken> {
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

    /// Gives the buffer back while nothing comes.
    pub(super) fn rest(&mut self) {
        if self.start == self.end && self.long.is_none() {
            self.buffer = Vec::new();
            (self.start, self.end) = (0, 0);
        }
    }

    /// Memory that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.buffer.capacity()
    }

    /// Room for at most `most` further bytes; moves the rest of a frame to the front when it must.
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
        // SAFETY: the room lies in the buffer, which nothing else touches.
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
        // The next header comes along; what follows the last frame of an operation is probably short.
        let free = self.room(BUFFER);
        let more = (free.0, free.1.min(if header.has(MORE) { HEADER } else { LEAST }));
        let mut received = Ok(Received::Nothing);
        handler.place(&header, done, left, &mut |to| {
            // SAFETY: the handler vouches for `left` bytes at `to`; `more` lies in the buffer, which nothing
            // else touches.
            received = if to.is_null() {
                // It is not wanted: over the buffer's free room, which takes no harm.
                // SAFETY: as above.
                unsafe { channel.receive((free.0, free.1.min(left)), (std::ptr::null_mut(), 0)) }
            } else {
                // SAFETY: as above.
                unsafe { channel.receive((to, left), more) }
            };
            match received {
                Ok(Received::Bytes(bytes)) => bytes.min(left),
                _ => 0,
            }
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

    /// Handles one frame of the buffer; false when none is complete.
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
            handler.place(&header, done, count, &mut |to| {
                if !to.is_null() {
                    // SAFETY: the handler vouches for `count` bytes at `to`, and the source is in the buffer.
                    unsafe { crate::engine::copy(bytes.as_ptr(), to, count) };
                }
                count
            })?;
            done += count;
            self.start += count;
        }
        self.advance(handler, header, done)?;
        Ok(true)
    }
}
