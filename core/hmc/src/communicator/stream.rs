// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: data of any length from memory of one program to memory of another, through the buffers.
//!
//! The sender offers its data, the receiver grants slots in the lower half of its buffer when it is there, so
//! either may come first. Then chunks go: the sender puts one and says so behind it ([`words`]), the receiver
//! copies it out and says that, while the next one flies ([`flow`] says which may go). The sender
//! returns when the receiver has all. Data in host memory is put from where it is; data on an accelerator is
//! staged in the upper half of the sender's own buffer, the next chunk while the last one flies. So a
//! communicator may send and receive at once, and two that send to each other do not wait for each other.
//!
//! One stream at a time goes from one communicator to another, further ones wait for their turn; and a
//! communicator receives one at a time, because its slots are one. An end that fails or is interrupted says
//! so, and the other one fails as well; a peer that is gone is noticed while it is waited for.

mod data;
mod flow;
mod words;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_fabric::transport::Span;

use self::data::{Data, Place};
use self::flow::{Chunk, DEVICE_SLOT_BYTES_MAX, Receiving, SLOT_BYTES_MAX, Sending, Slots};
use self::words::{Refusal, Word};
use super::connection::Connection;
use super::{At, Communicator, Inner};
use crate::fault::fault;
use crate::numbers::Status;
use crate::turn::{Turn, Wait};

/// Lanes of messages: words of senders, words of receivers.
const OF_SENDER: u8 = b's';
const OF_RECEIVER: u8 = b'r';
/// How often a peer is examined while it is waited for.
const EXAMINED: Duration = Duration::from_millis(200);

/// Streams with one peer.
#[derive(Default)]
struct Pair {
    /// The number of the last one that was sent.
    sending: Turn<u64>,
    /// What was offered and not granted.
    receiving: Turn<Option<Offer>>,
}

/// Streams of a communicator.
#[derive(Default)]
pub(super) struct Streams {
    pairs: Mutex<HashMap<u64, Arc<Pair>>>,
    /// The lower half of the buffer.
    slots: Turn<()>,
    /// The upper half.
    staging: Turn<()>,
}

#[derive(Clone, Copy)]
struct Offer {
    stream: u64,
    total: u64,
    most: u64,
}

impl Streams {
    fn pair(&self, session: u64) -> Arc<Pair> {
        Arc::clone(lock(&self.pairs).entry(session).or_default())
    }

    /// The peer is gone.
    pub(super) fn forget(&self, session: u64) {
        lock(&self.pairs).remove(&session);
    }
}

/// One stream as an end of it sees it.
struct Stream<'a> {
    inner: &'a Inner,
    op: &'static str,
    connection: &'a Connection,
}

impl Communicator {
    /// Sends `bytes` of `data` to a peer, which receives them with [`recv_data`](Self::recv_data); returns
    /// when it has them. Blocks without limit while the peer is alive.
    ///
    /// # Errors
    /// `NotFound` there is no such peer · `InvalidConfig` no such type of memory · `Unsupported` this
    /// machine does not have it · `Error` the data is null, the receiver has less room, it failed, or
    /// it is gone.
    ///
    /// # Safety
    /// `data` is null or has so many readable bytes, of memory of this type.
    pub unsafe fn send_data(
        &self,
        op: &'static str,
        at: At<'_>,
        data: *const u8,
        bytes: u64,
        kind: i32,
    ) -> Result<()> {
        self.0.check(op)?;
        let connection = self.0.find(op, at)?;
        let data = Data::new(op, &self.0.buffer, data.cast_mut(), bytes, kind)?;
        let is_staged = !matches!(data.place, Place::Host);
        let done = self.0.send(op, &connection, &data, bytes, is_staged);
        self.0.ended(op, &connection, done)
    }

    /// Receives what a peer sends, into `data`, which has room for `room` bytes; gives their number. Blocks
    /// without limit while the peer is alive.
    ///
    /// # Errors
    /// As [`send_data`](Self::send_data); when the peer sends more than there is room for, nothing is
    /// written.
    ///
    /// # Safety
    /// `data` is null or has room for so many bytes, in memory of this type.
    pub unsafe fn recv_data(
        &self,
        op: &'static str,
        at: At<'_>,
        data: *mut u8,
        room: u64,
        kind: i32,
    ) -> Result<u64> {
        self.0.check(op)?;
        let connection = self.0.find(op, at)?;
        let data = Data::new(op, &self.0.buffer, data, room, kind)?;
        let mut bytes = 0;
        let done = self.0.receive(op, &connection, &data, room).map(|received| bytes = received);
        self.0.ended(op, &connection, done).map(|()| bytes)
    }
}

impl Inner {
    fn send(
        &self,
        op: &'static str,
        connection: &Connection,
        data: &Data<'_>,
        total: u64,
        is_staged: bool,
    ) -> Result<()> {
        let half = self.buffer.bytes() / 2;
        // Two chunks are staged there.
        let staged_bytes = (self.buffer.bytes() - half) / 2;
        if is_staged && staged_bytes == 0 {
            return Err(fault(op, Status::Error, "the buffer is too short to stage data")
                .with("buffer_bytes", self.buffer.bytes()));
        }
        let stream = Stream { inner: self, op, connection };
        // The receiver may disconnect as soon as it has all and has said so.
        let _held = self.inbox.hold(connection.session());
        let pair = self.streams.pair(connection.session());
        pair.sending.with(&mut Wait::new(op, None), |last, _| {
            *last += 1;
            let number = *last;
            let most = if is_staged { staged_bytes } else { u64::MAX };
            stream.say(number, Word::Offer { total, most })?;
            let done = stream.granted(number, most).and_then(|slots| {
                let mut sending = Sending::new(total, slots);
                if is_staged {
                    let turn = &self.streams.staging;
                    turn.with(&mut Wait::new(op, None), |(), _| {
                        stream.send_staged(number, &mut sending, data, half)
                    })
                } else {
                    stream.send_direct(number, &mut sending, data)
                }
            });
            done.map_err(|error| stream.give_up(number, Word::Withdrawn, error))
        })
    }

    fn receive(&self, op: &'static str, connection: &Connection, data: &Data<'_>, room: u64) -> Result<u64> {
        let stream = Stream { inner: self, op, connection };
        let pair = self.streams.pair(connection.session());
        pair.receiving.with(&mut Wait::new(op, None), |offered, _| {
            loop {
                // Kept where it is until it is granted: who is interrupted finds it again.
                let offer = match *offered {
                    Some(offer) => offer,
                    None => *offered.insert(stream.offer()?),
                };
                if offer.total > room {
                    *offered = None;
                    stream.say(offer.stream, Word::Refused { why: Refusal::NoRoom, room })?;
                    return Err(fault(op, Status::Error, "the peer sends more than there is room for")
                        .with("bytes", offer.total)
                        .with("room_bytes", room));
                }
                let turn = &self.streams.slots;
                let done = turn.with(&mut Wait::new(op, None), |(), _| {
                    *offered = None;
                    stream.take(offer, data).map_err(|error| {
                        let refused = Word::Refused { why: Refusal::Ended, room };
                        stream.give_up(offer.stream, refused, error)
                    })
                })?;
                if done {
                    return Ok(offer.total);
                }
            }
        })
    }
}

impl Stream<'_> {
    fn say(&self, stream: u64, word: Word) -> Result<()> {
        let lane = if word.is_of_sender() { OF_SENDER } else { OF_RECEIVER };
        self.connection.notify(lane, &word.write(stream))
    }

    /// The next word of the peer. While it is waited for, the peer is examined.
    fn next_word(&self, lane: u8) -> Result<(u64, Word)> {
        loop {
            let deadline = Some(Instant::now() + EXAMINED);
            let lane = (self.connection.session(), lane);
            match self.inner.inbox.next(self.op, lane, deadline)? {
                Some(message) => {
                    return Word::read(&message).ok_or_else(|| self.nonsense());
                }
                None if self.connection.is_alive() => self.inner.check(self.op)?,
                None => return Err(Error::new(Kind::NotConnected, self.op).what("the peer is gone")),
            }
        }
    }

    /// The next word of the receiver of this stream.
    fn answer(&self, number: u64) -> Result<Word> {
        loop {
            match self.next_word(OF_RECEIVER)? {
                // Of an earlier stream, which was given up.
                (stream, _) if stream != number => {}
                (_, Word::Refused { why: Refusal::NoRoom, room }) => {
                    return Err(
                        fault(self.op, Status::Error, "the receiver has less room").with("room_bytes", room)
                    );
                }
                (_, Word::Refused { why: Refusal::Ended, .. }) => {
                    return Err(fault(self.op, Status::Error, "the receiver failed, or was interrupted"));
                }
                (_, word) => return Ok(word),
            }
        }
    }

    /// Waits until the receiver is there.
    fn granted(&self, number: u64, most: u64) -> Result<Slots> {
        match self.answer(number)? {
            Word::Granted(slots) if slots.fit(self.connection.bytes()) && slots.bytes <= most => Ok(slots),
            _ => Err(self.nonsense()),
        }
    }

    /// Waits until the receiver has copied something out.
    fn wait_for_room(&self, number: u64, sending: &mut Sending) -> Result<()> {
        match self.answer(number)? {
            Word::Copied { chunks } if sending.were_copied(chunks) => Ok(()),
            _ => Err(self.nonsense()),
        }
    }

    /// Puts a chunk from where it is, and says so.
    fn put(&self, number: u64, sending: &mut Sending, chunk: Chunk, local: *mut u8) -> Result<()> {
        let span: Span = self.connection.span_from(self.op, local, chunk.slot, chunk.bytes)?;
        // SAFETY: the chunk lies in data that the caller vouches for, or in the buffer.
        unsafe { self.connection.copy(&span, true) }?;
        sending.was_put();
        self.say(number, Word::Put { chunks: chunk.number + 1 })
    }

    fn send_direct(&self, number: u64, sending: &mut Sending, data: &Data<'_>) -> Result<()> {
        while !sending.is_complete() {
            match sending.next() {
                Some(chunk) => self.put(number, sending, chunk, data.at(chunk))?,
                None => self.wait_for_room(number, sending)?,
            }
        }
        Ok(())
    }

    /// Sends through the upper half of the own buffer, which begins at `half` and has room for two chunks.
    fn send_staged(&self, number: u64, sending: &mut Sending, data: &Data<'_>, half: u64) -> Result<()> {
        let rest = self.inner.buffer.bytes() - half;
        let place = |chunk: Chunk| half + chunk.number % 2 * (rest / 2);
        let mut is_staged = false;
        while !sending.is_complete() {
            let Some(chunk) = sending.next() else {
                self.wait_for_room(number, sending)?;
                continue;
            };
            if !is_staged {
                data.stage(chunk, place(chunk))?;
            }
            let local = self.inner.buffer.at(self.op, place(chunk), chunk.bytes)?;
            // The accelerator copies faster than a thread begins.
            let is_slow = !matches!(data.place, Place::Device);
            let Some(next) = sending.behind(chunk).filter(|_| is_slow) else {
                self.put(number, sending, chunk, local)?;
                continue;
            };
            std::thread::scope(|scope| {
                let staging = thread::spawn_scoped(scope, "mf-hmc-stage", || data.stage(next, place(next)));
                let staging = staging.map_err(|error| {
                    fault(self.op, Status::Error, "no thread can be started").source(error)
                })?;
                let put = self.put(number, sending, chunk, local);
                let staged = staging.join().unwrap_or_else(|_| Err(self.nonsense()));
                put.and(staged)
            })?;
            is_staged = true;
        }
        Ok(())
    }

    /// Waits until the peer offers something.
    fn offer(&self) -> Result<Offer> {
        loop {
            // Other words are of a stream that was given up.
            if let (stream, Word::Offer { total, most }) = self.next_word(OF_SENDER)? {
                return Ok(Offer { stream, total, most });
            }
        }
    }

    /// Takes what was offered; false: it was withdrawn before anything came.
    fn take(&self, offer: Offer, data: &Data<'_>) -> Result<bool> {
        if offer.most == 0 {
            return Err(self.nonsense());
        }
        let lower = (self.inner.buffer.bytes() / 2).max(1);
        let longest =
            if matches!(data.place, Place::Device) { DEVICE_SLOT_BYTES_MAX } else { SLOT_BYTES_MAX };
        let slots = Slots::of(lower, offer.most.min(longest));
        let mut receiving = Receiving::new(offer.total, slots);
        self.say(offer.stream, Word::Granted(slots))?;
        let mut is_begun = false;
        while !receiving.is_complete() {
            let (stream, word) = self.next_word(OF_SENDER)?;
            match word {
                _ if stream != offer.stream => return Err(self.nonsense()),
                Word::Withdrawn if !is_begun => return Ok(false),
                Word::Withdrawn => {
                    return Err(fault(self.op, Status::Error, "the sender failed, or was interrupted"));
                }
                Word::Put { chunks } => {
                    let arrived = receiving.arrived(chunks).ok_or_else(|| self.nonsense())?;
                    for chunk in arrived {
                        is_begun = true;
                        data.take(chunk)?;
                        let chunks = receiving.was_copied();
                        match self.say(offer.stream, Word::Copied { chunks }) {
                            // It is all here, whatever becomes of the sender.
                            Err(_) if receiving.is_complete() => {}
                            said => said?,
                        }
                    }
                }
                _ => return Err(self.nonsense()),
            }
        }
        Ok(true)
    }

    /// Notifies the peer that this end does not go on, if it is there.
    fn give_up(&self, stream: u64, word: Word, error: Error) -> Error {
        if !super::connection::is_gone(&error) {
            let _ = self.say(stream, word);
        }
        error
    }

    #[cold]
    fn nonsense(&self) -> Error {
        fault(self.op, Status::Error, "the peer does not keep to the protocol of streams")
    }
}

#[cfg(test)]
mod tests;
