// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Outbox: pending writes of a link, as a pure state machine.
//!
//! One thread at a time writes: the *writer*. A thread that sends while there is no writer and nothing waits
//! becomes the writer and gives its message to the socket itself, without a copy. Any other leaves a copy
//! here; the writer takes it later, with all that have come meanwhile, in one write. So order is kept, and a
//! busy link needs few system calls. If the socket is full, the rest waits until it has room.

use std::collections::VecDeque;

use crate::frame::{HEAD_BYTES, Message};

/// The message was handed to the socket.
pub const SENT: i32 = 0;
/// The peer read nothing for too long; the link ends.
pub const SENT_TIMEOUT: i32 = 1;
/// The link ended before the message was sent.
pub const SENT_BROKEN: i32 = 2;

/// Small messages are combined up to about this many bytes.
const TOGETHER: usize = 128 << 10;

/// A message with a request to report its outcome to the sender.
#[derive(Debug, PartialEq, Eq)]
pub struct Note {
    /// The message.
    pub message: Message,
    /// The sender's data, given back to it.
    pub data: Vec<u8>,
}

/// Bytes that are written in one call.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Number of bytes already written.
    pub written: usize,
    /// True if the bytes are ready for the wire; else they must be encrypted first.
    pub is_sealed: bool,
    /// Number of whole messages among them that count for the limit.
    pub messages: usize,
    /// Messages among them with a report of their outcome.
    pub notes: Vec<Note>,
}

/// Decision about a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Admitted {
    /// The caller is the writer now, and must write it.
    Write,
    /// It was queued.
    Queued,
    /// There is no room.
    Full,
    /// The link has ended.
    Closed,
}

/// See the [module documentation](self).
#[derive(Debug)]
pub struct Outbox {
    chunks: VecDeque<Chunk>,
    /// Messages that were accepted and not yet written.
    messages: usize,
    most_messages: usize,
    has_writer: bool,
    /// A write was requested while there was a writer.
    again: bool,
    /// Messages wait until the link is open; only [`push_front`](Self::push_front) chunks are written.
    is_held: bool,
    is_closed: bool,
}

impl Outbox {
    /// Creates the outbox of a link that is not open yet, for at most `most_messages` messages.
    pub fn new(most_messages: usize) -> Self {
        Self {
            chunks: VecDeque::new(),
            messages: 0,
            most_messages,
            has_writer: false,
            again: false,
            is_held: true,
            is_closed: false,
        }
    }

    /// Queues a message, or makes the caller the writer; `note` is taken unless the caller must write.
    pub fn send(&mut self, message: &Message, body: &[u8], note: &mut Option<Note>) -> Admitted {
        if self.is_closed {
            return Admitted::Closed;
        }
        if !self.has_writer && self.chunks.is_empty() && !self.is_held {
            self.has_writer = true;
            return Admitted::Write;
        }
        if self.messages >= self.most_messages {
            return Admitted::Full;
        }
        let bytes = HEAD_BYTES + body.len();
        let fits = |last: &Chunk| {
            last.written == 0 && !last.is_sealed && last.messages > 0 && last.bytes.len() + bytes <= TOGETHER
        };
        if !self.chunks.back().is_some_and(fits) {
            self.chunks.push_back(Chunk::default());
        }
        if let Some(last) = self.chunks.back_mut() {
            last.bytes.reserve(bytes);
            last.bytes.extend_from_slice(&message.head());
            last.bytes.extend_from_slice(body);
            last.messages += 1;
            last.notes.extend(note.take());
        }
        self.messages += 1;
        Admitted::Queued
    }

    /// Queues bytes that are not a message: the answer to a hello, or data of another protocol.
    pub fn push(&mut self, bytes: Vec<u8>) {
        if !self.is_closed {
            self.chunks.push_back(Chunk { bytes, ..Chunk::default() });
        }
    }

    /// Like `push`, before all other chunks.
    pub fn push_front(&mut self, bytes: Vec<u8>) {
        if !self.is_closed {
            self.chunks.push_front(Chunk { bytes, ..Chunk::default() });
        }
    }

    /// Opens the link: messages are written from now on.
    pub fn open(&mut self) {
        self.is_held = false;
    }

    /// Becomes the writer. Returns false if there is one, which writes again before it ends, or the link has
    /// ended.
    pub fn begin(&mut self) -> bool {
        if self.is_closed {
            return false;
        }
        self.again = self.has_writer;
        !std::mem::replace(&mut self.has_writer, true)
    }

    /// For the writer: returns the next chunk to write; `None`: the caller is no longer the writer.
    pub fn take_next(&mut self) -> Option<Chunk> {
        self.again = false;
        let next = match self.chunks.front() {
            Some(first) if !self.is_closed && (!self.is_held || first.messages == 0) => {
                self.chunks.pop_front()
            }
            _ => None,
        };
        self.has_writer = next.is_some();
        next
    }

    /// For the writer: records that a chunk was written.
    pub fn written(&mut self, messages: usize) {
        self.messages = self.messages.saturating_sub(messages);
    }

    /// For the writer: puts back the rest of a chunk that the socket did not take. Returns true if it should
    /// try again at once, since the socket may have got room meanwhile; false: it is no longer the writer.
    /// Returns the chunk if the link has ended.
    pub fn put_back(&mut self, chunk: Chunk) -> Result<bool, Chunk> {
        if self.is_closed {
            self.has_writer = false;
            return Err(chunk);
        }
        self.chunks.push_front(chunk);
        self.has_writer = self.again;
        Ok(std::mem::take(&mut self.again))
    }

    /// For the writer, after the socket took a part of its own message: counts the rest from now on.
    pub fn count(&mut self) {
        self.messages += 1;
    }

    /// For the writer: stops although chunks wait; another thread must [`begin`](Self::begin).
    pub fn leave(&mut self) {
        self.has_writer = false;
    }

    /// Returns true if chunks wait to be written.
    pub fn is_waiting(&self) -> bool {
        !self.chunks.is_empty()
    }

    /// Returns the bytes that wait.
    pub fn waiting_bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.bytes.len() - chunk.written).sum()
    }

    /// Closes the outbox: nothing more is accepted. Returns the unwritten chunks.
    pub fn close(&mut self) -> VecDeque<Chunk> {
        self.is_closed = true;
        std::mem::take(&mut self.chunks)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(sequence: u32) -> Message {
        Message { sequence, body_bytes: 1, ..Message::default() }
    }

    fn open(most: usize) -> Outbox {
        let mut outbox = Outbox::new(most);
        outbox.open();
        outbox
    }

    fn send(outbox: &mut Outbox, sequence: u32) -> Admitted {
        outbox.send(&message(sequence), &[0], &mut None)
    }

    #[test]
    fn first_sender_writes_and_others_queue_up_to_the_limit() {
        let mut outbox = open(3);
        assert_eq!(send(&mut outbox, 0), Admitted::Write);
        assert!((1..4).all(|sequence| send(&mut outbox, sequence) == Admitted::Queued));
        assert_eq!(send(&mut outbox, 4), Admitted::Full);
        let chunk = outbox.take_next().unwrap();
        assert_eq!((chunk.messages, chunk.bytes.len()), (3, 3 * (HEAD_BYTES + 1)));
        // A message being written still counts.
        assert_eq!(send(&mut outbox, 4), Admitted::Full);
        outbox.written(chunk.messages);
        assert_eq!(outbox.take_next(), None);
        assert_eq!(send(&mut outbox, 4), Admitted::Write);
    }

    #[test]
    fn messages_wait_for_the_link_to_open_behind_the_answer() {
        let mut outbox = Outbox::new(9);
        assert_eq!(send(&mut outbox, 0), Admitted::Queued);
        assert!(outbox.begin());
        assert_eq!(outbox.take_next(), None);
        outbox.push_front(vec![7]);
        outbox.open();
        assert!(outbox.begin());
        assert_eq!(outbox.take_next().unwrap().bytes, [7]);
        assert_eq!(outbox.take_next().unwrap().messages, 1);
        assert_eq!(outbox.take_next(), None);
    }

    #[test]
    fn room_freed_during_put_back_is_not_missed() {
        let mut outbox = open(9);
        assert_eq!(send(&mut outbox, 0), Admitted::Write);
        assert!(!outbox.begin());
        assert_eq!(outbox.put_back(Chunk::default()), Ok(true));
        let chunk = outbox.take_next().unwrap();
        assert_eq!(outbox.put_back(chunk), Ok(false));
        assert!(outbox.is_waiting() && outbox.begin());
    }

    #[test]
    fn close_returns_unwritten_messages() {
        let mut outbox = open(9);
        assert_eq!(send(&mut outbox, 0), Admitted::Write);
        let mut note = Some(Note { message: message(1), data: vec![1, 2] });
        assert_eq!(outbox.send(&message(1), &[0], &mut note), Admitted::Queued);
        assert!(note.is_none());
        let rest = outbox.close();
        assert_eq!(rest[0].notes[0].data, [1, 2]);
        assert_eq!(send(&mut outbox, 2), Admitted::Closed);
        let mine = Chunk { bytes: vec![1], ..Chunk::default() };
        assert_eq!(outbox.put_back(mine), Err(Chunk { bytes: vec![1], ..Chunk::default() }));
        assert!(!outbox.begin());
    }

    proptest! {
        /// However much the socket takes at a time, messages come out whole and in order, each once.
        #[test]
        fn outbox_keeps_message_order(actions in prop::collection::vec(0..4_u8, 1..200)) {
            let mut outbox = open(8);
            let (mut sent, mut wire, mut next) = (Vec::new(), Vec::new(), 0_u32);
            let mut in_hand: Option<Chunk> = None;
            for action in actions {
                match action {
                    0 | 1 => {
                        match outbox.send(&message(next), &[0], &mut None) {
                            Admitted::Write => {
                                prop_assert!(in_hand.is_none());
                                outbox.count();
                                let bytes = [&message(next).head()[..], &[0]].concat();
                                in_hand = Some(Chunk { bytes, messages: 1, ..Chunk::default() });
                            }
                            Admitted::Queued => {}
                            _ => continue,
                        }
                        sent.push(next);
                        next += 1;
                    }
                    2 => {
                        if in_hand.is_none() && outbox.begin() {
                            in_hand = outbox.take_next();
                        }
                        if let Some(chunk) = in_hand.take() {
                            wire.extend_from_slice(&chunk.bytes[chunk.written..]);
                            outbox.written(chunk.messages);
                            in_hand = outbox.take_next();
                        }
                    }
                    _ => {
                        if let Some(mut chunk) = in_hand.take() {
                            let part = (chunk.bytes.len() - chunk.written) / 2;
                            wire.extend_from_slice(&chunk.bytes[chunk.written..chunk.written + part]);
                            chunk.written += part;
                            if outbox.put_back(chunk).unwrap() {
                                in_hand = outbox.take_next();
                            }
                        }
                    }
                }
            }
            if in_hand.is_none() && outbox.begin() {
                in_hand = outbox.take_next();
            }
            while let Some(chunk) = in_hand.take() {
                wire.extend_from_slice(&chunk.bytes[chunk.written..]);
                outbox.written(chunk.messages);
                in_hand = outbox.take_next();
            }
            let mut frames = crate::frame::Frames::default();
            let (mut input, mut read) = (&wire[..], Vec::new());
            while let Some((one, _)) = frames.take(&mut input).unwrap() {
                read.push(one.sequence);
            }
            prop_assert_eq!(read, sent);
        }
    }
}
