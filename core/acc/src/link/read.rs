// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Receive path: the worker that has the turn reads, and runs the callbacks of the link itself.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::sync::lock;
use mf_base::sync::spin::Spin;
use mf_base::warn_limited;
use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};

use super::{End, Link, Phase};
use crate::frame::{Frames, Message, SMALL};
use crate::hello::{Answer, HELLO_BYTES, Hello, Verdict};
use crate::server_state::{Inside, Speech};

/// Bytes that a worker reads at a time.
const SCRATCH: usize = 256 << 10;
/// Bytes of TLS that are read at a time: their plaintext is collected before it is used.
const SCRATCH_TLS: usize = 64 << 10;
/// Bytes after which other links get their turn.
const BUDGET: usize = 4 << 20;

/// A worker's buffers for reading.
pub(crate) struct Scratch {
    bytes: Vec<u8>,
    plain: Vec<u8>,
    spin: Spin,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { bytes: vec![0; SCRATCH], plain: Vec::new(), spin: Spin::default() }
    }
}

/// Result of a read of the socket.
enum Got {
    Bytes(usize),
    Nothing,
    Closed,
}

impl Link {
    /// Reads and serves arrived data.
    pub(super) fn read(self: &Arc<Self>, scratch: &mut Scratch) {
        let mut phase = lock(&self.phase);
        if let Err(why) = self.read_in(&mut phase, scratch) {
            drop(phase);
            self.end(why);
        }
    }

    fn read_in(self: &Arc<Self>, phase: &mut Phase, scratch: &mut Scratch) -> Result<(), End> {
        let mut read = 0;
        let mut has_served = false;
        // Data already read by TLS causes no event of the socket.
        if self.tls.is_some() {
            self.decrypt(&[], &mut scratch.plain)?;
            let plain = std::mem::take(&mut scratch.plain);
            let served = self.take(phase, &plain);
            scratch.plain = plain;
            served?;
        }
        if let Phase::Http(serving) = phase {
            // Serves requests that waited for room for their responses.
            self.take_requests(serving, &[])?;
        }
        let mut spinning = None;
        while !self.has_ended() && read < BUDGET {
            if let Phase::Http(serving) = phase
                && self.is_choked(serving)
            {
                return Ok(());
            }
            let got = self.read_once(phase, scratch)?;
            match got {
                Got::Closed => {
                    return Err(End::Peer("the other side has closed it".to_owned()));
                }
                Got::Bytes(count) => {
                    read += count;
                    has_served = true;
                    if spinning.take().is_some() {
                        scratch.spin.found();
                    }
                }
                Got::Nothing => {
                    // The peer may answer at once: polling for a moment costs less than going to sleep.
                    if spinning.is_none() {
                        if !has_served || matches!(phase, Phase::Hello(_)) {
                            return Ok(());
                        }
                        match scratch.spin.begin() {
                            Some(begun) => spinning = Some(begun),
                            None => return Ok(()),
                        }
                    }
                    if spinning.as_mut().is_some_and(|spinning| !spinning.again()) {
                        scratch.spin.missed();
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the socket once, and handles the data.
    fn read_once(self: &Arc<Self>, phase: &mut Phase, scratch: &mut Scratch) -> Result<Got, End> {
        if let (None, Phase::Messages(frames)) = (&self.tls, &mut *phase)
            && frames.room().is_some()
        {
            self.charge(frames.held_bytes())?;
            let got = self.read_large(frames);
            return self.charge(frames.held_bytes()).and(got);
        }
        let room = if self.tls.is_some() { SCRATCH_TLS } else { SCRATCH };
        let buffer = scratch.bytes.get_mut(..room).unwrap_or_default();
        let count = match self.receive(|| recv(&self.socket, &mut *buffer, RecvFlags::DONTWAIT))? {
            None => return Ok(Got::Nothing),
            Some((0, _)) => return Ok(Got::Closed),
            Some((count, _)) => count,
        };
        let bytes = scratch.bytes.get(..count).unwrap_or_default();
        if self.tls.is_some() {
            self.decrypt(bytes, &mut scratch.plain)?;
            self.take(phase, &scratch.plain)?;
        } else {
            self.take(phase, bytes)?;
        }
        self.charge(phase.held_bytes())?;
        Ok(Got::Bytes(count))
    }

    /// Charges the link's bytes of partly received messages.
    ///
    /// # Errors
    /// The bounds of the server are exceeded.
    fn charge(&self, bytes: usize) -> Result<(), End> {
        // A head, or a small message: no more than the socket itself takes.
        let bytes = if bytes <= SMALL { 0 } else { bytes };
        let before = self.charged.load(Ordering::Relaxed);
        if bytes == before {
            return Ok(());
        }
        if !self.server.places.charge(self.peer.ip(), before, bytes) {
            let bounds = self.server.places.bounds();
            return Err(End::Garbage(format!(
                "messages and requests that have arrived in part take more than {} bytes of one address, or {} in all",
                bounds.partial_bytes_of_address, bounds.partial_bytes
            )));
        }
        self.charged.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Reads a large body in place.
    fn read_large(self: &Arc<Self>, frames: &mut Frames) -> Result<Got, End> {
        let Some(room) = frames.room() else { return Ok(Got::Nothing) };
        let got = self.receive(|| recv(&self.socket, spare_capacity(room), RecvFlags::DONTWAIT))?;
        let count = match got {
            None => return Ok(Got::Nothing),
            Some((0, _)) => return Ok(Got::Closed),
            Some((count, _)) => count,
        };
        let filled = frames.filled().map_err(|fault| End::Garbage(fault.to_string()))?;
        if let Some(filled) = filled {
            self.deliver(&filled.message, &filled.body);
            drop(filled.body);
            self.take_frames(frames, &filled.beyond)?;
        }
        Ok(Got::Bytes(count))
    }

    fn receive<T>(&self, mut read: impl FnMut() -> rustix::io::Result<T>) -> Result<Option<T>, End> {
        loop {
            match read() {
                Ok(got) => return Ok(Some(got)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(None),
                Err(errno) => {
                    return Err(End::Peer(format!("a read failed: {}", std::io::Error::from(errno))));
                }
            }
        }
    }

    /// Decrypts received bytes.
    fn decrypt(self: &Arc<Self>, mut bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), End> {
        plain.clear();
        let Some(tls) = &self.tls else { return Ok(()) };
        let mut tls = lock(tls);
        let wrong = |error: &dyn std::fmt::Display| End::Garbage(format!("TLS: {error}"));
        loop {
            match tls.reader().read_to_end(plain) {
                Ok(_) => {}
                // All buffered data was read.
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(wrong(&error)),
            }
            if bytes.is_empty() {
                break;
            }
            tls.read_tls(&mut bytes).map_err(|error| wrong(&error))?;
            tls.process_new_packets().map_err(|error| wrong(&error))?;
        }
        drop(tls);
        if self.has_tls_output() {
            self.flush();
        }
        Ok(())
    }

    /// Handles plaintext.
    fn take(self: &Arc<Self>, phase: &mut Phase, bytes: &[u8]) -> Result<(), End> {
        match phase {
            Phase::Ended => Ok(()),
            Phase::Messages(frames) => self.take_frames(frames, bytes),
            Phase::Http(serving) => self.take_requests(serving, bytes),
            Phase::Hello(partial) => {
                partial.extend_from_slice(bytes);
                if !Hello::begins(partial) {
                    return Err(End::Garbage("another protocol is spoken there".to_owned()));
                }
                let Some(first) = partial.first_chunk::<HELLO_BYTES>() else { return Ok(()) };
                let hello = Hello::read(first)
                    .ok_or_else(|| End::Garbage("a hello has unknown fields".to_owned()))?;
                let rest = partial.get(HELLO_BYTES..).unwrap_or_default().to_vec();
                self.answer_hello(phase, &hello)?;
                match phase {
                    Phase::Messages(frames) => self.take_frames(frames, &rest),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Decides about a peer, and answers its hello.
    fn answer_hello(self: &Arc<Self>, phase: &mut Phase, hello: &Hello) -> Result<(), End> {
        let Speech::Messages { magic, version } = self.server.speech else { return Ok(()) };
        let mut verdict = hello.check(magic, version);
        self.server.places.remove_silent(self.id);
        if verdict == Verdict::Taken && !(self.take_place() && self.server.hooks.begun(self)) {
            verdict = Verdict::Full;
        } else if verdict == Verdict::Taken {
            let handler = self.server.handlers.new_link().filter(|_| !self.server.is_stopping());
            let code = handler.map_or(-1, |handler| {
                let _inside = Inside::enter(&self.server.handlers);
                handler(hello, self)
            });
            if code != 0 {
                verdict = Verdict::Refused(code);
                Link::finished(self);
            }
        }
        {
            let mut outbox = lock(&self.outbox);
            outbox.push_front(Answer(verdict).bytes().to_vec());
            if verdict == Verdict::Taken {
                outbox.open();
            }
        }
        if verdict == Verdict::Taken {
            *phase = Phase::Messages(Frames::default());
            self.flush();
            return Ok(());
        }
        self.flush();
        Err(End::Garbage(format!("a peer was refused: {verdict:?}")))
    }

    fn take_frames(self: &Arc<Self>, frames: &mut Frames, mut bytes: &[u8]) -> Result<(), End> {
        while !self.has_ended() {
            match frames.take(&mut bytes) {
                Ok(Some((message, body))) => self.deliver(&message, &body),
                Ok(None) => break,
                Err(fault) => return Err(End::Garbage(fault.to_string())),
            }
        }
        Ok(())
    }

    fn deliver(self: &Arc<Self>, message: &Message, body: &[u8]) {
        if self.server.is_stopping() {
            return;
        }
        let Some(handler) = self.server.handlers.request(message.kind) else {
            warn_limited!(
                link = self.id,
                peer = %self.peer,
                message_type = message.kind,
                "a message is dropped: its type has no handler"
            );
            return;
        };
        let _inside = Inside::enter(&self.server.handlers);
        let code = handler(message, body, self);
        if code != 0 {
            warn_limited!(link = self.id, message_type = message.kind, code, "a request handler failed");
        }
    }
}
