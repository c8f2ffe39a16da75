// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between hosts for groups: a wire that sends, and an inbox that receives.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Rank, Result, warn_limited};

use super::packet::Head;

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
#[derive(Default)]
pub(super) struct Mailbox {
    state: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    messages: VecDeque<(Rank, Vec<u8>)>,
    bytes: usize,
    /// Counts wake-ups of the leader for other reasons.
    nudges: u64,
}

impl Mailbox {
    fn push(&self, from: Rank, message: &[u8]) {
        let mut state = lock(&self.state);
        if state.bytes + message.len() <= MAILBOX_BYTES_MAX {
            state.bytes += message.len();
            state.messages.push_back((from, message.to_vec()));
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Makes a waiting thread check its other reasons to end.
    pub(super) fn nudge(&self) {
        lock(&self.state).nudges += 1;
        self.changed.notify_all();
    }

    /// Returns the next message; `None` at `until`, or after a nudge.
    pub(super) fn next(&self, until: Instant) -> Option<(Rank, Vec<u8>)> {
        let mut state = lock(&self.state);
        let nudges = state.nudges;
        loop {
            if let Some((from, message)) = state.messages.pop_front() {
                state.bytes -= message.len();
                return Some((from, message));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || state.nudges != nudges {
                return None;
            }
            state = wait_notified_for(&self.changed, state, left);
        }
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
