// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Link: carries the messages of a session to its store and back over one connection.

use std::sync::Arc;
use std::time::Instant;

use crate::api::Change;
use crate::protocol::{Answer, Failure, Notice, OneWay, RequestMessage};

/// A message of the store to a client.
pub(crate) enum Incoming {
    Reply { sequence: u64, result: Result<Answer, Failure> },
    Change { watch: u64, change: Arc<Change> },
    Notice(Notice),
}

/// Outcome of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadOutcome {
    /// Nothing has arrived.
    Nothing,
    /// All available bytes were read.
    All,
    /// Something has been taken, and more may be there.
    Some,
}

/// Why a link ended, for texts.
pub(crate) type LinkError = String;

/// One connection of a session. Nothing here waits; an error ends the link.
pub(crate) trait Link: Send {
    /// Queues a request; [`flush`](Self::flush) sends it.
    fn request(&mut self, sequence: u64, message: RequestMessage) -> Result<(), LinkError>;

    /// Queues a message that has no reply.
    fn send_one_way(&mut self, message: OneWay) -> Result<(), LinkError>;

    /// Queues the message that ends the session in order.
    fn leave(&mut self) -> Result<(), LinkError>;

    /// Sends queued messages, as far as the other side takes them now. Returns true when nothing is left.
    fn flush(&mut self) -> Result<bool, LinkError>;

    /// Reads the arrived bytes.
    fn read_arrived(&mut self) -> Result<ReadOutcome, LinkError>;

    /// Returns the next message among the bytes read.
    fn next(&mut self) -> Result<Option<Incoming>, LinkError>;

    /// Breaks the link and wakes its waiters.
    fn cut(&mut self);

    /// For waiting without the lock of the session.
    fn signal(&self) -> Arc<dyn Signal>;

    /// Number of this link in the reactor.
    fn token(&self) -> u64;

    /// Lets [`SessionCore::on_ready`](super::shared::SessionCore::on_ready) be called, once, when something
    /// arrives; with `unsent`, or when more can be sent.
    fn arm(&mut self, unsent: bool);

    /// Takes the last [`arm`](Self::arm) back, as a rule before it fires.
    fn disarm(&mut self);
}

/// Waits for a link.
pub(crate) trait Signal: Send + Sync {
    /// Until something arrives (`arrivals`), more can be sent (`room`), the link ends, or `until`.
    fn wait(&self, arrivals: bool, room: bool, until: Instant);
}
