// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between hosts for groups: a wire that sends, and an inbox that receives.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::ops::mailbox::Bounds;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result, interrupt, ops, warn_limited};

use super::packet::Head;

const OP: &str = "group message";

/// Sends messages to other members.
pub trait Wire: Send + Sync {
    /// Sends a message of at most [`NETWORK_MESSAGE_BYTES_MAX`](mf_net::NETWORK_MESSAGE_BYTES_MAX)
    /// bytes to [`Inbox::deliver`] of `to`. Messages to one member arrive in the order of the calls.
    /// Returns when it was handed on.
    ///
    /// # Errors
    /// `NotConnected` that member cannot be reached · `Timeout` the queue stayed full.
    fn send(&self, to: Rank, message: &[u8], deadline: Instant) -> Result<()>;
}

/// Most bytes that wait in one mailbox; further messages are dropped, which makes their group fail.
const MAILBOX_BYTES_MAX: usize = 64 << 20;

/// Inbox for messages of other members to the groups of this one. One for a pool or process.
#[derive(Default)]
pub struct Inbox {
    boxes: Mutex<HashMap<u64, Arc<Mailbox>>>,
}

impl Inbox {
    /// Empty.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Delivers a message sent by `from`. **Local.** Does not block. A message to an unknown mailbox is
    /// dropped.
    pub fn deliver(&self, from: Rank, message: &[u8]) {
        let Some((head, _)) = Head::read(message) else {
            warn_limited!("a message for a group is not readable from {from} bytes {}", message.len());
            return;
        };
        let mailbox = lock(&self.boxes).get(&head.mailbox).map(Arc::clone);
        if let Some(mailbox) = mailbox {
            mailbox.push(from, message);
        }
    }

    /// A mailbox under this number.
    pub(super) fn open(self: &Arc<Self>, number: u64) -> Arc<Mailbox> {
        let mailbox = Arc::<Mailbox>::default();
        lock(&self.boxes).insert(number, Arc::clone(&mailbox));
        mailbox
    }

    pub(super) fn close(&self, number: u64) {
        lock(&self.boxes).remove(&number);
    }
}

/// Messages for one group.
pub(super) struct Mailbox {
    messages: ops::Mailbox<(), (), (Rank, Vec<u8>)>,
    /// Counts wake-ups of the leader for other reasons.
    nudges: Mutex<u64>,
}

impl Default for Mailbox {
    fn default() -> Self {
        let bounds = Bounds { messages: usize::MAX, bytes: MAILBOX_BYTES_MAX, queues: 1 };
        Self { messages: ops::Mailbox::new(bounds), nudges: Mutex::new(0) }
    }
}

impl Mailbox {
    fn push(&self, from: Rank, message: &[u8]) {
        let full = |_| Error::new(Kind::NoResources, OP);
        let kept = || Ok((from, message.to_vec()));
        let _dropped = self.messages.put(((), ()), message.len(), kept, full);
    }

    /// Makes a waiting thread check its other reasons to end.
    pub(super) fn wake(&self) {
        *lock(&self.nudges) += 1;
        self.messages.wake();
    }

    /// Returns the next message; `None` at `until`, or after a nudge.
    pub(super) fn next(&self, until: Instant) -> Option<(Rank, Vec<u8>)> {
        let nudges = *lock(&self.nudges);
        let is_nudged = || *lock(&self.nudges) != nudges;
        let next = || self.messages.take(OP, ((), ()), Some(until), is_nudged);
        interrupt::without(next).ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::packet::Body;
    use super::*;

    #[test]
    fn messages_reach_their_mailbox_in_order_and_others_are_dropped() {
        let inbox = Inbox::new();
        let mailbox = inbox.open(7);
        let message = |mailbox, operation| Head { mailbox, operation, body: Body::Left }.write(&[]);
        for operation in 0..3 {
            inbox.deliver(Rank(operation), &message(7, operation));
            inbox.deliver(Rank(9), &message(8, operation));
        }
        inbox.deliver(Rank(9), b"short");
        for operation in 0..3 {
            let (from, got) = mailbox.next(Instant::now()).unwrap();
            assert_eq!((from, got), (Rank(operation), message(7, operation)));
        }
        assert!(mailbox.next(Instant::now()).is_none());
        inbox.close(7);
        inbox.deliver(Rank(0), &message(7, 0));
        assert!(mailbox.next(Instant::now()).is_none());
    }
}
