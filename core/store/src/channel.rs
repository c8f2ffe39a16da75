// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Byte channel between a socket and the frames: plaintext, or TLS. Both ends of a connection use it, over
//! sockets of their own; it opens no socket and waits for none.
//!
//! Inwards, bytes of the socket become plaintext in a [`FrameBuffer`]. Outwards, a [`SendQueue`] holds
//! waiting plaintext, and only the bytes that the socket is about to take are encrypted: a client that does
//! not read costs the plaintext, which many clients may share, and at most one step of ciphertext of its own.
//! [`pieces`] are frames that share their large values with the store.

pub(crate) mod pieces;

use std::collections::VecDeque;
use std::io::{self, IoSlice, Read, Write};
use std::sync::Arc;

use mf_tls::exporter;
use rustls::Connection;

use crate::api::Entry;
use crate::protocol::Failure;
use crate::protocol::auth::Binding;
use crate::protocol::frame::FrameBuffer;

/// The first byte of a TLS connection (a handshake record) and of a plaintext one (of the magic `MFST`).
pub(crate) const FIRST_OF_TLS: u8 = 0x16;
pub(crate) const FIRST_OF_PLAIN: u8 = b'M';

/// Most plaintext encrypted ahead of the socket: a few records.
const SEAL_BYTES: usize = 64 << 10;
/// Segments offered to the socket in one call.
const SLICES: usize = 16;
/// The buffer that is kept for an idle connection.
const KEPT_BYTES: usize = 4 << 10;
/// One read of an encrypted socket: a whole record.
const RECORD_BYTES: usize = 17 << 10;

/// Plaintext, or a TLS connection.
pub(crate) enum Channel {
    Plain,
    Tls(Box<Connection>),
}

/// Why a channel ends.
#[derive(Debug)]
pub(crate) enum Broken {
    Socket(io::Error),
    Tls(rustls::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Broken::Socket(error)
    }
}

impl Channel {
    pub(crate) fn tls(connection: impl Into<Connection>) -> Self {
        Channel::Tls(Box::new(connection.into()))
    }

    /// Returns true while the received bytes do not yet show if they are plaintext.
    pub(crate) fn is_handshaking(&self) -> bool {
        match self {
            Channel::Plain => false,
            Channel::Tls(connection) => connection.is_handshaking(),
        }
    }

    /// The number of this very connection, for the proofs of the job secret.
    pub(crate) fn binding(&self) -> Result<Binding, Failure> {
        match self {
            Channel::Plain => Ok(None),
            Channel::Tls(connection) => match &**connection {
                Connection::Client(client) => Ok(Some(exporter(client)?)),
                Connection::Server(server) => Ok(Some(exporter(server)?)),
            },
        }
    }

    /// Returns true if the connection itself has something to send (a handshake, an alert).
    pub(crate) fn wants_write(&self) -> bool {
        match self {
            Channel::Plain => false,
            Channel::Tls(connection) => connection.wants_write(),
        }
    }

    /// Takes received bytes and appends their plaintext to `frames`.
    ///
    /// # Errors
    /// The bytes are not TLS, or the peer was not accepted; an alert may wait to be sent.
    pub(crate) fn receive(
        &mut self,
        mut bytes: &[u8],
        frames: &mut FrameBuffer,
    ) -> Result<(), rustls::Error> {
        let Channel::Tls(connection) = self else {
            frames.extend(bytes);
            return Ok(());
        };
        while !bytes.is_empty() {
            // It takes all that it has room for, and `process_new_packets` makes room; a record that does not
            // fit is an error of the latter.
            let taken = connection.read_tls(&mut bytes).unwrap_or(0);
            let state = connection.process_new_packets()?;
            let mut left = state.plaintext_bytes_to_read();
            while left > 0 {
                let read = connection.reader().read(frames.space()).unwrap_or(0);
                if read == 0 {
                    break;
                }
                frames.filled(read);
                left = left.saturating_sub(read);
            }
            if taken == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Reads the socket once. Returns the number of bytes (0: the other side has closed), and whether more
    /// may be there at once.
    pub(crate) fn pull(
        &mut self,
        socket: &mut impl Read,
        frames: &mut FrameBuffer,
    ) -> Result<(usize, bool), Broken> {
        if let Channel::Plain = self {
            let space = frames.space();
            let room = space.len();
            let read = socket.read(space)?;
            frames.filled(read);
            return Ok((read, read == room));
        }
        let mut record = [0; RECORD_BYTES];
        let read = socket.read(&mut record)?;
        let bytes = record.get(..read).unwrap_or_default();
        self.receive(bytes, frames).map_err(Broken::Tls)?;
        Ok((read, read == RECORD_BYTES))
    }
}

enum Segment {
    Own(Vec<u8>),
    Shared(Arc<[u8]>),
    /// The value of an entry of the store.
    Value(Arc<Entry>),
}

impl Segment {
    fn bytes(&self) -> &[u8] {
        match self {
            Segment::Own(bytes) => bytes,
            Segment::Shared(bytes) => bytes,
            Segment::Value(entry) => &entry.value,
        }
    }
}

/// Plaintext that waits to be sent over one connection.
#[derive(Default)]
pub(crate) struct SendQueue {
    segments: VecDeque<Segment>,
    /// Bytes of the first segment that were sent.
    sent: usize,
    bytes: usize,
}

impl SendQueue {
    /// Returns the number of waiting bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Lets `write` append bytes.
    pub(crate) fn append<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let fits = |segment: &Segment| matches!(segment, Segment::Own(own) if own.len() < SEAL_BYTES);
        if !self.segments.back().is_some_and(fits) {
            self.segments.push_back(Segment::Own(Vec::new()));
        }
        let mut nothing = Vec::new();
        let own = match self.segments.back_mut() {
            Some(Segment::Own(own)) => own,
            _ => &mut nothing,
        };
        let before = own.len();
        let result = write(own);
        self.bytes += own.len() - before;
        result
    }

    /// Appends bytes that other connections send as well.
    pub(crate) fn share(&mut self, bytes: Arc<[u8]>) {
        self.bytes += bytes.len();
        self.segments.push_back(Segment::Shared(bytes));
    }

    /// Appends a value without copying it.
    fn share_value(&mut self, entry: Arc<Entry>) {
        self.bytes += entry.value.len();
        self.segments.push_back(Segment::Value(entry));
    }

    /// Appends a buffer as it is.
    fn push(&mut self, own: Vec<u8>) {
        if !own.is_empty() {
            self.bytes += own.len();
            self.segments.push_back(Segment::Own(own));
        }
    }

    /// Sends as much as the socket takes. Returns true when nothing is left to send.
    pub(crate) fn write_to(&mut self, channel: &mut Channel, socket: &mut impl Write) -> io::Result<bool> {
        match channel {
            Channel::Plain => self.write_plain(socket),
            Channel::Tls(connection) => self.write_sealed(connection, socket),
        }
    }

    fn write_plain(&mut self, socket: &mut impl Write) -> io::Result<bool> {
        while self.bytes > 0 {
            let written = match self.segments.front() {
                // Nearly always: one frame.
                Some(first) if self.segments.len() == 1 => {
                    socket.write(first.bytes().get(self.sent..).unwrap_or_default())
                }
                _ => {
                    let mut slices = [IoSlice::new(&[]); SLICES];
                    for (index, (slice, segment)) in slices.iter_mut().zip(&self.segments).enumerate() {
                        let from = if index == 0 { self.sent } else { 0 };
                        *slice = IoSlice::new(segment.bytes().get(from..).unwrap_or_default());
                    }
                    socket.write_vectored(&slices)
                }
            };
            match written {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(bytes) => self.advance(bytes),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn write_sealed(&mut self, connection: &mut Connection, socket: &mut impl Write) -> io::Result<bool> {
        loop {
            while connection.wants_write() {
                match connection.write_tls(socket) {
                    Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
            if self.bytes == 0 {
                return Ok(true);
            }
            let mut sealed = 0;
            while self.bytes > 0 && sealed < SEAL_BYTES {
                let Some(first) = self.segments.front() else { break };
                let rest = first.bytes().get(self.sent..).unwrap_or_default();
                let piece = rest.get(..rest.len().min(SEAL_BYTES - sealed)).unwrap_or_default();
                let taken = connection.writer().write(piece)?;
                if taken == 0 && !piece.is_empty() {
                    break;
                }
                sealed += taken;
                self.advance(taken);
            }
            // While the handshake runs, the connection keeps the plaintext until it can encrypt it.
            if !connection.wants_write() {
                return Ok(self.bytes == 0);
            }
        }
    }

    fn advance(&mut self, mut bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        while let Some(first) = self.segments.front_mut() {
            let left = first.bytes().len() - self.sent;
            if bytes < left {
                self.sent += bytes;
                return;
            }
            bytes -= left;
            self.sent = 0;
            match first {
                // The last buffer is used again.
                Segment::Own(own) if self.bytes == 0 && own.capacity() <= KEPT_BYTES => {
                    own.clear();
                    self.segments.truncate(1);
                    return;
                }
                _ => {
                    self.segments.pop_front();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
