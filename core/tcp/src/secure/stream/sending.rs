// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sending half of an encrypted connection.

use std::io;
use std::os::fd::BorrowedFd;
use std::ptr;

use super::super::record::{HEAD_BYTES, Keys, OVERHEAD_BYTES, PLAINTEXT_BYTES_MAX, RECORD_BYTES_MAX};
use super::{invalid, misplaced, socket};

/// Plaintext that is sealed before the socket gets it.
const BATCH_BYTES: usize = 4 * PLAINTEXT_BYTES_MAX;

/// Seals outgoing bytes; see the [module above](super).
pub(crate) struct Sending {
    keys: Keys,
    /// Ciphertext that waits for the socket: from `sent` to `filled`.
    outbox: Vec<u8>,
    sent: usize,
    filled: usize,
}

impl Sending {
    pub(super) fn new(keys: Keys) -> Self {
        Self { keys, outbox: Vec::new(), sent: 0, filled: 0 }
    }

    /// Takes plaintext to send, from the first of `parts` on. Returns the number of bytes taken. 0 (of more
    /// than 0): the socket is full, and ciphertext of earlier calls waits; try again when it is writable.
    ///
    /// # Errors
    /// Of the socket. The connection is of no use then.
    ///
    /// # Safety
    /// The parts are valid for reading.
    pub(crate) unsafe fn send(
        &mut self,
        socket: BorrowedFd<'_>,
        parts: &[(*const u8, usize)],
    ) -> io::Result<usize> {
        if !self.flush(socket)? {
            return Ok(0);
        }
        let all = parts.iter().fold(0_usize, |sum, (_, bytes)| sum.saturating_add(*bytes));
        let mut left = all.min(BATCH_BYTES);
        let taken = left;
        let needed = left + left.div_ceil(PLAINTEXT_BYTES_MAX) * OVERHEAD_BYTES;
        if self.outbox.len() < needed {
            // Small messages get along with a small buffer; the second size is the last.
            let room = if needed <= RECORD_BYTES_MAX / 4 {
                RECORD_BYTES_MAX / 4
            } else {
                BATCH_BYTES + BATCH_BYTES / PLAINTEXT_BYTES_MAX * OVERHEAD_BYTES
            };
            self.outbox = vec![0; room];
        }
        let mut source = Source { parts, offset: 0 };
        while left > 0 {
            let count = left.min(PLAINTEXT_BYTES_MAX);
            let end = self.filled + count + OVERHEAD_BYTES;
            let record = self.outbox.get_mut(self.filled..end).ok_or_else(misplaced)?;
            let plaintext = record.get_mut(HEAD_BYTES..HEAD_BYTES + count).ok_or_else(misplaced)?;
            // SAFETY: the caller vouches for the parts.
            unsafe { source.fill(plaintext) };
            self.keys.seal(record).map_err(invalid)?;
            self.filled = end;
            left -= count;
        }
        self.flush(socket)?;
        Ok(taken)
    }

    /// Sends waiting ciphertext. Returns true if none is left.
    ///
    /// # Errors
    /// Of the socket.
    pub(crate) fn flush(&mut self, socket: BorrowedFd<'_>) -> io::Result<bool> {
        while self.sent < self.filled {
            let waiting = self.outbox.get(self.sent..self.filled).ok_or_else(misplaced)?;
            let sent = socket::send(socket, waiting)?;
            if sent == 0 {
                return Ok(false);
            }
            self.sent += sent;
        }
        (self.sent, self.filled) = (0, 0);
        Ok(true)
    }

    /// Returns true if ciphertext waits for the socket.
    pub(crate) fn has_pending(&self) -> bool {
        self.sent < self.filled
    }

    /// Gives back the buffer when it holds nothing: for connections that are idle.
    pub(crate) fn rest(&mut self) {
        if !self.has_pending() {
            self.outbox = Vec::new();
        }
    }

    /// Memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.outbox.capacity()
    }
}

/// Goes through the parts.
struct Source<'a> {
    parts: &'a [(*const u8, usize)],
    /// Of the first part.
    offset: usize,
}

impl Source<'_> {
    /// Copies the next bytes. The parts have as many.
    ///
    /// # Safety
    /// The parts are valid for reading.
    unsafe fn fill(&mut self, mut to: &mut [u8]) {
        while let Some(((from, bytes), rest)) = self.parts.split_first() {
            let count = (bytes - self.offset).min(to.len());
            let Some((now, later)) = to.split_at_mut_checked(count) else { return };
            // SAFETY: `offset` is at most the length of the part.
            let place = unsafe { from.add(self.offset) };
            // SAFETY: the caller vouches for the part; `now` is memory of our own, and as long.
            unsafe { ptr::copy_nonoverlapping(place, now.as_mut_ptr(), count) };
            to = later;
            self.offset += count;
            if self.offset < *bytes {
                return;
            }
            (self.parts, self.offset) = (rest, 0);
        }
    }
}
