// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Carries the conversation of the two ends over a socket that does not block, in plaintext or inside TLS.
//!
//! Reads exactly the bytes of the conversation (messages of fixed length, or one TLS record after the other)
//! and nothing behind it. An unknown peer makes it hold one record, and read 64 KiB at most.

use std::net::SocketAddr;
use std::os::fd::BorrowedFd;

use mf_base::{Error, Result, Retry};
use mf_tls::channel::{Channel, HEAD_BYTES, RECORD_BYTES_MAX};
use mf_transport::Peer;

use super::hello::{Binding, MAGIC};
use super::record::Keys;
use super::stream::{Received, Stream, socket as io};
use super::talk::{OPERATION, Talk, broken};
use super::{CLIENT_KEYS, Identity, PROOF_LABEL, SERVER_KEYS};

/// The first byte of a TLS connection (a handshake record).
const FIRST_OF_TLS: u8 = 22;
/// Most bytes that are read before the other end is known. A handshake has about 2 KiB.
const BYTES_MAX: usize = 64 << 10;

/// The event that a handshake waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// That the socket is readable.
    WantsRead,
    /// That it is writable.
    WantsWrite,
    /// Nothing: [`Handshake::finish`].
    Done,
}

/// Proves both ends of a connection to each other. How long that may take is the caller's business.
pub(crate) struct Handshake {
    /// The other end, for errors.
    address: SocketAddr,
    is_client: bool,
    talk: Talk,
    carrier: Carrier,
    /// The part of a message or record that has arrived.
    inbox: Vec<u8>,
    /// All that has arrived, in bytes.
    received: usize,
    outbox: Vec<u8>,
    sent: usize,
    /// Its outcome; an error is reported again.
    end: Option<Result<Stream, String>>,
}

enum Carrier {
    /// The client has not sent any bytes yet.
    Unknown(Box<dyn FnOnce() -> Result<Channel> + Send>),
    Plain,
    Tls {
        channel: Box<Channel>,
        /// The client's hello, until the channel is established.
        hello: Vec<u8>,
        plaintext: Vec<u8>,
    },
}

impl Handshake {
    pub(super) fn client(
        identity: &Identity,
        talk: Talk,
        hello: Vec<u8>,
        address: SocketAddr,
    ) -> Result<Self> {
        let mut outbox = Vec::new();
        let carrier = if identity.encrypts(address.ip()) {
            let mut channel = Box::new(identity.channels.client()?);
            channel.take_output(&mut outbox);
            Carrier::Tls { channel, hello, plaintext: Vec::new() }
        } else {
            outbox = hello;
            Carrier::Plain
        };
        Ok(Self::new(address, true, talk, carrier, outbox))
    }

    pub(super) fn server(
        talk: Talk,
        channel: impl FnOnce() -> Result<Channel> + Send + 'static,
        from: SocketAddr,
    ) -> Self {
        Self::new(from, false, talk, Carrier::Unknown(Box::new(channel)), Vec::new())
    }

    fn new(address: SocketAddr, is_client: bool, talk: Talk, carrier: Carrier, outbox: Vec<u8>) -> Self {
        Self { address, is_client, talk, carrier, inbox: Vec::new(), received: 0, outbox, sent: 0, end: None }
    }

    /// Returns true if the other end has sent any bytes.
    pub(crate) fn has_heard(&self) -> bool {
        self.received > 0
    }

    /// Continues as far as the socket lets it.
    ///
    /// # Errors
    /// `NotConnected` with the reason why this connection is of no use; close it. The refusal for the other
    /// end has been sent. `Retry::Later` if the connection merely ended, as another may succeed.
    pub(crate) fn advance(&mut self, socket: BorrowedFd<'_>) -> Result<Step> {
        if let Some(Err(text)) = &self.end {
            return Err(broken(text));
        }
        let step = self.go_on(socket);
        step.map_err(|error| {
            // A few bytes that say why; when the socket does not take them at once, they are dropped.
            let _ = self.flush(socket);
            self.end = Some(Err("the handshake has failed".to_owned()));
            error.with(if self.is_client { "address" } else { "from" }, self.address)
        })
    }

    /// Returns the member at this end, the peer at the other, and the connection; `None` before
    /// [`Step::Done`].
    pub(crate) fn finish(self) -> Option<(Peer, Peer, Stream)> {
        let (me, peer) = self.talk.known()?;
        Some((me, peer, self.end?.ok()?))
    }

    fn go_on(&mut self, socket: BorrowedFd<'_>) -> Result<Step> {
        loop {
            if !self.flush(socket)? {
                return Ok(Step::WantsWrite);
            }
            if self.end.is_some() {
                return Ok(Step::Done);
            }
            if !self.pull(socket)? {
                return Ok(Step::WantsRead);
            }
        }
    }

    /// Sends waiting bytes. Returns true if none are left.
    fn flush(&mut self, socket: BorrowedFd<'_>) -> Result<bool> {
        while let Some(waiting) = self.outbox.get(self.sent..).filter(|waiting| !waiting.is_empty()) {
            match io::send(socket, waiting).map_err(|error| lost(&error))? {
                0 => return Ok(false),
                sent => self.sent += sent,
            }
        }
        self.outbox.clear();
        self.sent = 0;
        Ok(true)
    }

    /// Returns the length of the message or record that is being received, as far as it is known.
    fn wants(&self) -> Result<usize> {
        Ok(match &self.carrier {
            Carrier::Unknown(_) => 1,
            Carrier::Plain => self.talk.wants(),
            Carrier::Tls { .. } => match self.inbox.first_chunk::<HEAD_BYTES>() {
                None => HEAD_BYTES,
                Some([kind, _, _, high, low]) => {
                    let bytes = HEAD_BYTES + usize::from(u16::from_be_bytes([*high, *low]));
                    if !(20..=23).contains(kind) || bytes > RECORD_BYTES_MAX {
                        return Err(broken("the received bytes are not TLS"));
                    }
                    bytes
                }
            },
        })
    }

    /// Reads once. Returns false if no bytes are available.
    fn pull(&mut self, socket: BorrowedFd<'_>) -> Result<bool> {
        let (have, wants) = (self.inbox.len(), self.wants()?);
        if have < wants {
            self.inbox.resize(wants, 0);
            let room = self.inbox.get_mut(have..).unwrap_or_default();
            let read = io::receive(socket, room);
            let got = if let Ok(Received::Bytes(bytes)) = &read { *bytes } else { 0 };
            self.inbox.truncate(have + got);
            self.received += got;
            match read.map_err(|error| lost(&error))? {
                Received::Closed => return Err(closed(self.is_client)),
                Received::Nothing => return Ok(false),
                Received::Bytes(_) if self.received > BYTES_MAX => {
                    return Err(broken("an unknown peer sent too many bytes").with("bytes", self.received));
                }
                Received::Bytes(_) => {}
            }
        }
        // The head of a record has determined its length.
        if self.inbox.len() == self.wants()? {
            self.take()?;
        }
        Ok(true)
    }

    /// Handles a whole message or record.
    fn take(&mut self) -> Result<()> {
        match &mut self.carrier {
            Carrier::Unknown(_) => return self.begin(),
            Carrier::Plain => self.talk.take(&self.inbox, None, &mut self.outbox)?,
            Carrier::Tls { channel, hello, plaintext } => {
                let taken = channel.receive(&self.inbox).and_then(|()| {
                    if channel.is_handshaking() {
                        return Ok(());
                    }
                    channel.write(&std::mem::take(hello))?;
                    channel.read(plaintext);
                    converse(&mut self.talk, channel, plaintext)
                });
                channel.take_output(&mut self.outbox);
                taken?;
            }
        }
        self.inbox.clear();
        if self.talk.known().is_some() {
            self.end = Some(Ok(self.stream()?));
        }
        Ok(())
    }

    /// Determines the client's protocol by its first byte.
    fn begin(&mut self) -> Result<()> {
        let first = self.inbox.first().copied();
        let carrier = std::mem::replace(&mut self.carrier, Carrier::Plain);
        match carrier {
            Carrier::Unknown(channel) if first == Some(FIRST_OF_TLS) => {
                let channel = Box::new(channel()?);
                self.carrier = Carrier::Tls { channel, hello: Vec::new(), plaintext: Vec::new() };
                Ok(())
            }
            Carrier::Unknown(_) if first == Some(MAGIC[0]) => Ok(()),
            _ => Err(broken("an unknown peer speaks another protocol")),
        }
    }

    fn stream(&self) -> Result<Stream> {
        let Carrier::Tls { channel, .. } = &self.carrier else { return Ok(Stream::plain()) };
        let cipher = channel.cipher().ok_or_else(|| broken("the two ends agreed on no cipher"))?;
        let client = Keys::new(cipher, channel.export(CLIENT_KEYS)?)?;
        let server = Keys::new(cipher, channel.export(SERVER_KEYS)?)?;
        let (outgoing, incoming) = if self.is_client { (client, server) } else { (server, client) };
        Ok(Stream::sealed(outgoing, incoming))
    }
}

/// Takes the messages that arrived inside the channel.
fn converse(talk: &mut Talk, channel: &mut Channel, plaintext: &mut Vec<u8>) -> Result<()> {
    loop {
        let wants = talk.wants();
        if wants == 0 && !plaintext.is_empty() {
            return Err(
                broken("the other end sent more bytes than were asked for").with("bytes", plaintext.len())
            );
        }
        let Some(message) = plaintext.get(..wants).filter(|message| !message.is_empty()) else {
            return Ok(());
        };
        let binding: Binding = Some(channel.export(PROOF_LABEL)?);
        let mut answer = Vec::new();
        let taken = talk.take(message, binding, &mut answer);
        channel.write(&answer)?;
        plaintext.drain(..wants);
        taken?;
    }
}

fn lost(error: &std::io::Error) -> Error {
    let errno = error.raw_os_error().map_or(rustix::io::Errno::IO, rustix::io::Errno::from_raw_os_error);
    Error::os(OPERATION, errno).what("the connection broke during the handshake").retry(Retry::Later)
}

fn closed(is_client: bool) -> Error {
    let closed = broken("the other end closed the connection during the handshake").retry(Retry::Later);
    if is_client { closed.hint("another program listens there, or the process is ending") } else { closed }
}
