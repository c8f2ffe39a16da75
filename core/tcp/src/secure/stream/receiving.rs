// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The receiving half of an encrypted connection.

use std::io;
use std::os::fd::BorrowedFd;
use std::ptr;

use super::super::record::{self, HEAD_BYTES, Keys, OVERHEAD_BYTES, RECORD_BYTES_MAX};
use super::{Received, invalid, misplaced, socket};

/// Initial size of the buffer of arriving bytes.
const INBOX_BYTES: usize = RECORD_BYTES_MAX;
/// The same once a read has filled it.
const INBOX_BYTES_MAX: usize = 8 * RECORD_BYTES_MAX;

/// Opens what arrives; see the [module above](super).
pub(crate) struct Receiving {
    keys: Keys,
    /// Arrived bytes: opened plaintext from `plain` to `plain_end`, ciphertext from `start` to `end`.
    inbox: Vec<u8>,
    plain: usize,
    plain_end: usize,
    start: usize,
    end: usize,
}

impl Receiving {
    pub(super) fn new(keys: Keys) -> Self {
        Self { keys, inbox: Vec::new(), plain: 0, plain_end: 0, start: 0, end: 0 }
    }

    /// Receives up to `bytes` into `to`, without waiting. Buffered bytes come first, without a read of the
    /// socket.
    ///
    /// # Errors
    /// Of the socket; `InvalidData` if the arrived bytes are not the ones sent by the other end. The
    /// connection is of no use then.
    ///
    /// # Safety
    /// `to` is valid for writing `bytes`.
    pub(crate) unsafe fn receive(
        &mut self,
        socket: BorrowedFd<'_>,
        to: *mut u8,
        bytes: usize,
    ) -> io::Result<Received> {
        // SAFETY: the caller vouches for the range.
        let got = unsafe { self.take(to, bytes) }?;
        if got > 0 || bytes == 0 {
            return Ok(Received::Bytes(got));
        }
        loop {
            match self.pull(socket)? {
                Received::Bytes(_) => {}
                other => return Ok(other),
            }
            // SAFETY: the caller vouches for the range.
            let got = unsafe { self.take(to, bytes) }?;
            if got > 0 {
                return Ok(Received::Bytes(got));
            }
        }
    }

    /// Plaintext that can be received without reading the socket; readiness of the socket does not report
    /// it. Also of a whole record that has not been opened yet.
    pub(crate) fn buffered(&self) -> usize {
        if self.plain < self.plain_end {
            return self.plain_end - self.plain;
        }
        let received = self.inbox.get(self.start..self.end).unwrap_or_default();
        match record::length(received) {
            // Of a wrong one the next call has the error.
            Err(_) => 1,
            Ok(Some(length)) if length <= received.len() => length - OVERHEAD_BYTES,
            Ok(_) => 0,
        }
    }

    /// Gives back the buffer when it holds nothing: for connections that are idle.
    pub(crate) fn rest(&mut self) {
        if self.plain == self.plain_end && self.start == self.end {
            self.inbox = Vec::new();
            (self.plain, self.plain_end, self.start, self.end) = (0, 0, 0, 0);
        }
    }

    /// Memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.inbox.capacity()
    }

    /// Copies buffered plaintext.
    ///
    /// # Safety
    /// `to` is valid for writing `bytes`.
    unsafe fn take(&mut self, to: *mut u8, bytes: usize) -> io::Result<usize> {
        let mut got = 0;
        while got < bytes {
            if self.plain == self.plain_end && !self.open()? {
                break;
            }
            let from = self.inbox.get(self.plain..self.plain_end).ok_or_else(misplaced)?;
            let count = from.len().min(bytes - got);
            // SAFETY: `got` is below `bytes`, and the caller vouches for the range.
            let place = unsafe { to.add(got) };
            // SAFETY: `count` bytes fit behind `place`, and are in `from`, which is memory of our own.
            unsafe { ptr::copy_nonoverlapping(from.as_ptr(), place, count) };
            self.plain += count;
            got += count;
        }
        Ok(got)
    }

    /// Opens the next record. Returns false if none is complete.
    fn open(&mut self) -> io::Result<bool> {
        loop {
            let received = self.inbox.get_mut(self.start..self.end).ok_or_else(misplaced)?;
            let Some(length) = record::length(received).map_err(invalid)? else { return Ok(false) };
            let Some(record) = received.get_mut(..length) else { return Ok(false) };
            let plaintext = self.keys.open(record).map_err(invalid)?;
            self.plain = self.start + HEAD_BYTES;
            self.plain_end = self.plain + plaintext;
            self.start += length;
            // Empty records are allowed and ignored.
            if plaintext > 0 {
                return Ok(true);
            }
        }
    }

    /// Reads the socket once. There is no plaintext left, and no complete record.
    fn pull(&mut self, socket: BorrowedFd<'_>) -> io::Result<Received> {
        if self.start > 0 {
            self.inbox.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            (self.start, self.plain, self.plain_end) = (0, 0, 0);
        }
        if self.inbox.is_empty() {
            self.inbox = vec![0; INBOX_BYTES];
        }
        let room = self.inbox.get_mut(self.end..).ok_or_else(misplaced)?;
        let space = room.len();
        match socket::receive(socket, room)? {
            Received::Bytes(read) => {
                self.end += read;
                if read == space && self.inbox.len() < INBOX_BYTES_MAX {
                    self.inbox.resize(INBOX_BYTES_MAX, 0);
                }
                Ok(Received::Bytes(read))
            }
            other => Ok(other),
        }
    }
}
