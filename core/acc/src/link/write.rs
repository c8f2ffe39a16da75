// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Send path: the sending thread writes if the socket is free, else the present writer does.

use std::io::{IoSlice, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mf_base::os::stream::Stream;
use mf_base::sync::{lock, try_lock};
use mf_base::{Error, Kind, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{End, Link};
use crate::code;
use crate::frame::{BODY_BYTES_MAX, HEAD_BYTES, Message};
use crate::outbox::{Admitted, Chunk, Note, SENT};
use crate::server_state::Task;

const OP: &str = "acc send";

/// Chunks that a sender writes for others before it leaves them to a worker.
const FOR_OTHERS: usize = 1;
/// Chunks that a worker writes at a time.
const AT_A_TIME: usize = 64;
/// From this size on, a short wait for room in the socket is worthwhile: it saves copying the rest.
const LARGE: usize = 256 << 10;
/// Longest such wait without any progress.
const ROOM_WAIT: Duration = Duration::from_millis(2);
/// Plaintext bytes that are encrypted at a time.
const SEALED_AT_A_TIME: usize = 64 << 10;

/// Result of a write.
enum Written {
    All,
    /// The socket is full.
    Full,
}

impl Link {
    /// Sends a message; returns when the socket has it, or a copy is queued. Threads may send at the same
    /// time: each message arrives whole, and those of one thread in order.
    ///
    /// `back`: given to the handler of sent messages of this type. `has_crc`: the receiver compares a
    /// checksum.
    ///
    /// # Errors
    /// [`code::INVALID`] the body is too long, or this is not a link for messages · [`code::QUEUE_FULL`] too
    /// many messages wait · [`code::LINK`] the link has ended.
    pub fn send(
        self: &Arc<Self>,
        (kind, result, sequence): (i16, i16, u32),
        body: &[u8],
        back: &[u8],
        has_crc: bool,
    ) -> Result<()> {
        let body_bytes = u32::try_from(body.len()).ok().filter(|_| body.len() <= BODY_BYTES_MAX);
        let Some(body_bytes) = body_bytes.filter(|_| !self.is_http()) else {
            return Err(self.unsendable(body.len()));
        };
        let crc = has_crc.then(|| crc32c::crc32c(body));
        let message = Message { kind, result, sequence, body_bytes, crc };
        let mut note = self.server.handlers.has_sent(kind).then(|| Note { message, data: back.to_vec() });
        let admitted = lock(&self.outbox).send(&message, body, &mut note);
        match admitted {
            Admitted::Queued => Ok(()),
            Admitted::Write => self.write_own(&message, body, note),
            Admitted::Full => Err(Error::new(Kind::NoResources, OP)
                .what("the send queue of the link is full")
                .with("link", self.id)
                .with("messages", self.server.queue)
                .hint("the other side reads slower than this one sends: send again later")
                .retry(mf_base::Retry::Later)
                .code_of_family(code::QUEUE_FULL)),
            Admitted::Closed => Err(self.broken()),
        }
    }

    #[cold]
    fn unsendable(&self, bytes: usize) -> Error {
        if self.is_http() {
            return Error::invalid(OP, "an HTTP connection has no messages").with("link", self.id);
        }
        Error::invalid(OP, "the body is too long").with("bytes", bytes).with("most", BODY_BYTES_MAX)
    }

    #[cold]
    fn broken(&self) -> Error {
        Error::new(Kind::NotConnected, OP)
            .what("the link has ended")
            .with("link", self.id)
            .with("peer", self.peer)
            .code_of_family(code::LINK)
    }

    /// As the writer: writes a message that bypasses the queue.
    fn write_own(self: &Arc<Self>, message: &Message, body: &[u8], note: Option<Note>) -> Result<()> {
        let head = message.head();
        let mut chunk =
            Chunk { is_sealed: true, messages: 1, notes: note.into_iter().collect(), ..Chunk::default() };
        let written = if self.tls.is_some() {
            chunk.bytes = [&head[..], body].concat();
            chunk.is_sealed = false;
            self.write_chunk(&mut chunk)
        } else {
            let mut taken = 0;
            let written = self.write_parts(&head, body, &mut taken);
            if matches!(written, Ok(Written::Full)) {
                let rest = [
                    head.get(taken..).unwrap_or_default(),
                    body.get(taken.saturating_sub(HEAD_BYTES)..).unwrap_or_default(),
                ];
                chunk.bytes = rest.concat();
            }
            written
        };
        lock(&self.outbox).count();
        match written {
            Ok(Written::All) => {
                self.on_written(chunk);
                self.write_waiting(FOR_OTHERS);
                Ok(())
            }
            Ok(Written::Full) => {
                if self.put_back(chunk) {
                    self.write_waiting(FOR_OTHERS);
                }
                Ok(())
            }
            Err(error) => {
                lock(&self.outbox).leave();
                self.end(End::Peer(format!("a write failed: {error}")));
                Err(self.broken().source(error))
            }
        }
    }

    /// Writes queued chunks, unless another thread does.
    pub(crate) fn flush(self: &Arc<Self>) {
        if lock(&self.outbox).begin() {
            self.write_waiting(AT_A_TIME);
        }
    }

    /// As the writer: writes at most `most` chunks, and leaves the rest to a worker.
    fn write_waiting(self: &Arc<Self>, most: usize) {
        let mut left = most;
        loop {
            let own = self.tls_output();
            let next = match own.is_empty() {
                false => Some(Chunk { bytes: own, is_sealed: true, ..Chunk::default() }),
                true if left == 0 => {
                    let mut outbox = lock(&self.outbox);
                    if outbox.is_waiting() {
                        outbox.leave();
                        drop(outbox);
                        self.server.post(Task::Write(Arc::clone(self)));
                        return;
                    }
                    outbox.take_next()
                }
                true => lock(&self.outbox).take_next(),
            };
            let Some(mut chunk) = next else { return };
            left = left.saturating_sub(1);
            match self.write_chunk(&mut chunk) {
                Ok(Written::All) => self.on_written(chunk),
                Ok(Written::Full) => {
                    if !self.put_back(chunk) {
                        return;
                    }
                }
                Err(error) => {
                    self.end(End::Peer(format!("a write failed: {error}")));
                    // The rest is reported with all other unsent messages.
                    self.put_back(chunk);
                    lock(&self.outbox).leave();
                    return;
                }
            }
        }
    }

    /// Keeps the rest of a chunk. Returns true if the caller is still the writer.
    fn put_back(self: &Arc<Self>, chunk: Chunk) -> bool {
        let kept = lock(&self.outbox).put_back(chunk);
        match kept {
            Ok(true) => true,
            Ok(false) => {
                self.watch_progress();
                self.arm();
                false
            }
            Err(chunk) => {
                self.report_unsent(chunk);
                false
            }
        }
    }

    fn on_written(self: &Arc<Self>, chunk: Chunk) {
        lock(&self.outbox).written(chunk.messages);
        self.report(SENT, chunk.notes);
    }

    fn write_chunk(&self, chunk: &mut Chunk) -> std::io::Result<Written> {
        if !chunk.is_sealed {
            if let Some(sealed) = self.sealed(&chunk.bytes)? {
                chunk.bytes = sealed;
            }
            chunk.is_sealed = true;
        }
        let (bytes, written) = (&chunk.bytes, &mut chunk.written);
        self.write_parts(bytes, &[], written)
    }

    /// Writes two parts, of which `taken` bytes are already written, as far as the socket accepts them.
    fn write_parts(&self, one: &[u8], other: &[u8], taken: &mut usize) -> std::io::Result<Written> {
        let total = one.len() + other.len();
        while *taken < total {
            let parts = [
                IoSlice::new(one.get(*taken..).unwrap_or_default()),
                IoSlice::new(other.get(taken.saturating_sub(one.len())..).unwrap_or_default()),
            ];
            match Stream(&self.socket).write_vectored(&parts) {
                Ok(count) => {
                    *taken += count;
                    self.progress.fetch_add(count as u64, Ordering::AcqRel);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    if total - *taken < LARGE || !self.waits_for_room() {
                        return Ok(Written::Full);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Written::All)
    }

    /// Returns true if the socket gets room within a moment.
    fn waits_for_room(&self) -> bool {
        let limit = Timespec::try_from(ROOM_WAIT).ok();
        poll(&mut [PollFd::new(&self.socket, PollFlags::OUT)], limit.as_ref()).is_ok_and(|ready| ready > 0)
    }

    /// Encrypts bytes for the wire; returns `None` if the link is not encrypted. For the writer alone, so
    /// that records keep their order.
    fn sealed(&self, plain: &[u8]) -> std::io::Result<Option<Vec<u8>>> {
        let Some(tls) = &self.tls else { return Ok(None) };
        let mut tls = lock(tls);
        let mut sealed = Vec::with_capacity(plain.len() + plain.len() / 512 + 256);
        for piece in plain.chunks(SEALED_AT_A_TIME) {
            let mut rest = piece;
            while !rest.is_empty() {
                let count = tls.writer().write(rest)?;
                rest = rest.get(count..).unwrap_or_default();
                while tls.wants_write() {
                    tls.write_tls(&mut sealed)?;
                }
            }
        }
        Ok(Some(sealed))
    }

    /// Takes TLS's own output. For the writer alone.
    fn tls_output(&self) -> Vec<u8> {
        let mut output = Vec::new();
        if let Some(tls) = &self.tls {
            let mut tls = lock(tls);
            while tls.wants_write() && tls.write_tls(&mut output).is_ok() {}
        }
        output
    }

    /// Returns true if TLS has output of its own.
    pub(super) fn has_tls_output(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| lock(tls).wants_write())
    }

    /// Sends the TLS alert that ends the connection, if that is possible at once.
    pub(super) fn send_close_alert(&self) {
        let Some(tls) = &self.tls else { return };
        // Only between other records.
        let Some(mut outbox) = try_lock(&self.outbox).filter(|outbox| !outbox.is_waiting()) else { return };
        if !outbox.begin() {
            return;
        }
        let mut output = Vec::new();
        let mut tls = lock(tls);
        tls.send_close_notify();
        while tls.wants_write() && tls.write_tls(&mut output).is_ok() {}
        let _ = Stream(&self.socket).write(&output);
        outbox.leave();
    }
}
