// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: data of any length from the memory of one program to that of another, through the buffers.
//!
//! The sender offers its data, the receiver grants slots in the lower half of its buffer once it receives, so
//! either may come first. Then chunks flow: the sender puts one and announces it with a message
//! ([`stream_messages`]), the receiver copies it out and acknowledges it, while the next one is in flight
//! ([`flow`] is the flow control). The sender returns when the receiver has all. Data in host memory is put
//! directly; data on an accelerator is staged in the upper half of the sender's own buffer ([`send`]). So a
//! communicator may send and receive at once, and two that send to each other do not wait for each other.
//! Copies between data and buffer on one GPU have a stream of their own: on the default stream they would be
//! serialised with those of the transport.
//!
//! One stream at a time goes from one communicator to another, further ones wait for their turn; and a
//! communicator receives one at a time, because its slots are shared. An end that fails or is interrupted
//! notifies the other one, which fails as well; while a peer is waited for, its death is noticed.

mod data;
mod flow;
mod send;
mod stream_messages;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use self::data::{Data, DataMemory};
use self::flow::{Pace, Receiving, Sending, Slots, longest_chunk};
use self::stream_messages::{Refusal, Word};
use super::connection::Connection;
use super::{At, Communicator, CommunicatorInner};
use crate::fair_mutex::{FairMutex, Wait};
use crate::memory::Aside;
use crate::numbers::Status;
use crate::status_errors::fault;

/// Lanes of messages: from senders, from receivers.
const OF_SENDER: u8 = b's';
const OF_RECEIVER: u8 = b'r';
/// Pause between two liveness checks of a peer that is waited for.
const EXAMINED: Duration = Duration::from_millis(200);

/// Streams to and from one peer.
#[derive(Default)]
struct Pair {
    sending: FairMutex<Sent>,
    /// Offer that has not been granted yet.
    receiving: FairMutex<Option<Offer>>,
}

/// Streams sent to one peer.
#[derive(Default)]
struct Sent {
    /// Number of the last stream.
    last: u64,
    /// Their speed.
    pace: Pace,
}

/// Streams of a communicator.
#[derive(Default)]
pub(super) struct Streams {
    pairs: Mutex<HashMap<u64, Arc<Pair>>>,
    /// The lower half of the buffer, with the stream for copies out of it, created at first use.
    slots: FairMutex<Option<Aside>>,
    /// The upper half, with the stream for copies into it.
    staging: FairMutex<Option<Aside>>,
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

    /// Drops the state of a peer that is gone.
    pub(super) fn forget(&self, session: u64) {
        lock(&self.pairs).remove(&session);
    }
}

/// One end of a stream.
struct Stream<'a> {
    inner: &'a CommunicatorInner,
    op: &'static str,
    connection: &'a Connection,
}

impl Communicator {
    /// Sends `bytes` of `data` to a peer, which receives them with [`recv_data`](Self::recv_data); returns
    /// when it has received all. Blocks without limit while the peer is alive.
    ///
    /// # Errors
    /// `NotFound` unknown peer · `InvalidConfig` unknown memory type · `Unsupported` this machine has no
    /// such memory · `Error` the data is null, the receiver has less room, it failed, or it is gone.
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
        let staging = (!matches!(data.place, DataMemory::Host)).then_some(send::FAST);
        let done = self.0.send(op, &connection, &data, bytes, staging);
        self.0.ended(op, &connection, done)
    }

    /// Receives a stream of a peer into `data`, which has room for `room` bytes. Returns its length. Blocks
    /// without limit while the peer is alive.
    ///
    /// # Errors
    /// As [`send_data`](Self::send_data); if the peer sends more than `room`, nothing is written.
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

/// Returns the chunk length of a stream of `total` bytes between data on accelerators and buffers of
/// `buffer_bytes`: 1 byte to 4 MiB.
pub fn stream_chunk_bytes(total: u64, buffer_bytes: u64) -> u64 {
    longest_chunk(total, buffer_bytes / 4).max(1)
}

impl CommunicatorInner {
    /// Sends the data. With `staging` it goes through the buffer, and is staged ahead if copies of a chunk
    /// take longer.
    fn send(
        &self,
        op: &'static str,
        connection: &Connection,
        data: &Data<'_>,
        total: u64,
        staging: Option<Duration>,
    ) -> Result<()> {
        let half = self.buffer.bytes() / 2;
        // The staging area holds at least two chunks.
        let room = if staging.is_some() { (self.buffer.bytes() - half) / 2 } else { u64::MAX };
        if room == 0 {
            return Err(fault(op, Status::Error, "the buffer is too short to stage data")
                .with("buffer_bytes", self.buffer.bytes()));
        }
        let stream = Stream { inner: self, op, connection };
        // The receiver may disconnect as soon as it has received all and acknowledged it.
        let _held = self.inbox.messages.hold(connection.session());
        let pair = self.streams.pair(connection.session());
        pair.sending.with(&mut Wait::new(op, None), |sent, _| {
            sent.last += 1;
            let (number, pace) = (sent.last, &mut sent.pace);
            let most = longest_chunk(total, room);
            stream.send_word(number, Word::Offer { total, most })?;
            let done = stream.granted(number, most).and_then(|slots| {
                let sending = Sending::new(total, slots);
                match staging {
                    Some(fast) => self.streams.staging.with(&mut Wait::new(op, None), |aside, _| {
                        stream.send_staged((number, sending, pace), data, (half, fast), aside)
                    }),
                    None => stream.send_direct((number, sending, pace), data),
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
                // The offer is kept until it is granted: a call after an interrupted one finds it again.
                let offer = match *offered {
                    Some(offer) => offer,
                    None => *offered.insert(stream.offer()?),
                };
                if offer.total > room {
                    *offered = None;
                    stream.send_word(offer.stream, Word::Refused { why: Refusal::NoRoom, room })?;
                    return Err(fault(op, Status::Error, "the peer sends more than there is room for")
                        .with("bytes", offer.total)
                        .with("room_bytes", room));
                }
                let mutex = &self.streams.slots;
                let done = mutex.with(&mut Wait::new(op, None), |aside, _| {
                    *offered = None;
                    stream.take(offer, data, aside).map_err(|error| {
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
    fn send_word(&self, stream: u64, word: Word) -> Result<()> {
        let lane = if word.is_of_sender() { OF_SENDER } else { OF_RECEIVER };
        self.connection.notify(lane, &word.write(stream))
    }

    /// Receives the next message of the peer. Checks that the peer is alive meanwhile.
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

    /// Receives the next message of this stream's receiver.
    fn answer(&self, number: u64) -> Result<Word> {
        loop {
            match self.next_word(OF_RECEIVER)? {
                // Belongs to an earlier stream, which was given up.
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

    /// Waits for the receiver's grant.
    fn granted(&self, number: u64, most: u64) -> Result<Slots> {
        match self.answer(number)? {
            Word::Granted(slots) if slots.fit(self.connection.bytes()) && slots.bytes <= most => Ok(slots),
            _ => Err(self.nonsense()),
        }
    }

    /// Waits until the receiver has copied chunks out.
    fn wait_for_room(&self, number: u64, sending: &mut Sending) -> Result<()> {
        match self.answer(number)? {
            Word::Copied { chunks } if sending.record_acknowledged(chunks) => Ok(()),
            _ => Err(self.nonsense()),
        }
    }

    /// Waits for an offer of the peer.
    fn offer(&self) -> Result<Offer> {
        loop {
            // Other messages belong to a stream that was given up.
            if let (stream, Word::Offer { total, most }) = self.next_word(OF_SENDER)? {
                return Ok(Offer { stream, total, most });
            }
        }
    }

    /// Receives an offered stream. Returns false if it was withdrawn before any data came.
    fn take(&self, offer: Offer, data: &Data<'_>, aside: &mut Option<Aside>) -> Result<bool> {
        if offer.most == 0 {
            return Err(self.nonsense());
        }
        let lower = (self.inner.buffer.bytes() / 2).max(1);
        let slots = Slots::divide_buffer(lower, offer.most);
        let mut receiving = Receiving::new(offer.total, slots);
        if aside.is_none() && offer.total > slots.bytes {
            *aside = data.aside();
        }
        self.send_word(offer.stream, Word::Granted(slots))?;
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
                        data.take(chunk, aside.as_ref())?;
                        let chunks = receiving.was_copied(chunk);
                        match self.send_word(offer.stream, Word::Copied { chunks }) {
                            // All data has arrived: the sender's fate does not matter.
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

    /// Notifies the peer, if it is alive, that this end gives up.
    fn give_up(&self, stream: u64, word: Word, error: Error) -> Error {
        if !super::connection::is_gone(&error) {
            let _ = self.send_word(stream, word);
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
