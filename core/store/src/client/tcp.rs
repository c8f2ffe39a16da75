// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The wire to a server: one socket, written by the callers, read by one thread.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::inbox::{Inbox, Incoming};
use super::locked;
use crate::protocol::frame::{FrameBuffer, FrameKind, encode};
use crate::protocol::{Request, frame};

/// The encoding buffer that is kept between calls.
const KEPT_BYTES: usize = 64 << 10;

/// The wire of a [`Client`](crate::Client).
pub struct TcpWire {
    socket: Arc<TcpStream>,
    server: SocketAddr,
    /// Encodes a frame; its lock keeps frames of several threads apart.
    scratch: Mutex<Vec<u8>>,
}

impl TcpWire {
    pub(super) fn new(socket: Arc<TcpStream>, server: SocketAddr) -> Self {
        Self { socket, server, scratch: Mutex::default() }
    }

    fn write(
        &self,
        encode: impl FnOnce(&mut Vec<u8>) -> Result<(), frame::FrameError>,
    ) -> Result<(), String> {
        let mut scratch = locked(&self.scratch);
        scratch.clear();
        encode(&mut scratch).map_err(|error| format!("the request could not be encoded: {error}"))?;
        let written = (&*self.socket).write_all(&scratch);
        scratch.clear();
        scratch.shrink_to(KEPT_BYTES);
        written.map_err(|error| format!("the connection to the store is gone: {error}"))
    }
}

impl super::Wire for TcpWire {
    fn send(&self, sequence: u64, request: &Request) -> Result<(), String> {
        self.write(|bytes| encode(FrameKind::Request, sequence, request, bytes))
    }

    fn goodbye(&self) {
        // Without a connection there is nobody to take leave of; the reader sees the end either way.
        let said = self.write(|bytes| encode(FrameKind::Goodbye, 0, &(), bytes));
        let _ = self.socket.shutdown(if said.is_ok() { Shutdown::Write } else { Shutdown::Both });
    }

    fn cut(&self) {
        // Fails only when it is cut already.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn place(&self) -> String {
        format!("tcp://{}", self.server)
    }
}

/// Starts the thread that reads the socket for `inbox` until the connection ends.
pub(super) fn start_reader(
    socket: Arc<TcpStream>,
    mut frames: FrameBuffer,
    inbox: Arc<Inbox>,
) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name("mf-store-client".to_owned()).spawn(move || {
        inbox.reader_is_here();
        let why = read(&socket, &mut frames, &inbox);
        // The other side of a broken conversation shall notice as well.
        let _ = socket.shutdown(Shutdown::Both);
        inbox.ended(&why);
    })
}

/// Delivers until the end; returns why it came.
fn read(socket: &TcpStream, frames: &mut FrameBuffer, inbox: &Inbox) -> String {
    loop {
        loop {
            match next(frames) {
                Ok(Some(incoming)) => inbox.deliver(incoming),
                Ok(None) => break,
                Err(error) => return format!("the store broke the protocol: {error}"),
            }
        }
        let mut socket = socket;
        match socket.read(frames.space()) {
            Ok(0) => return "the store closed the connection".to_owned(),
            Ok(bytes) => frames.filled(bytes),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return format!("the connection to the store is gone: {error}"),
        }
    }
}

fn next(frames: &mut FrameBuffer) -> Result<Option<Incoming>, frame::FrameError> {
    let Some(frame) = frames.next_frame()? else { return Ok(None) };
    match frame.kind {
        FrameKind::Reply => Ok(Some(Incoming::Reply { sequence: frame.sequence, result: frame.message()? })),
        FrameKind::Change => {
            Ok(Some(Incoming::Change { watch: frame.sequence, change: Arc::new(frame.message()?) }))
        }
        other => Err(frame::FrameError::Kind(other as u8, 0)),
    }
}
