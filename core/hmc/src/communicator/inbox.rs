// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inbox: messages of other communicators that were not received yet. They accompany data that goes in steps.

use std::time::Instant;

use mf_base::ops::Mailbox;
use mf_base::ops::mailbox::{Bounds, Full};
use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::Receiver;

const BOUNDS: Bounds = Bounds { messages: 1024, bytes: usize::MAX, queues: 4096 };

/// Lane: the session of the sender, and the first byte of its messages.
pub(super) type Lane = (u64, u8);

/// Waiting messages, by session and first byte.
pub(super) struct Inbox {
    pub(super) messages: Mailbox<u64, u8, Vec<u8>>,
}

impl Default for Inbox {
    fn default() -> Self {
        Self { messages: Mailbox::new(BOUNDS) }
    }
}

impl Receiver for Inbox {
    fn receive(&self, take: &mut dyn FnMut() -> Vec<u8>) -> Result<()> {
        let message = take();
        let (head, body) = message.split_first_chunk::<8>().ok_or_else(|| refused("it has no sender"))?;
        let (topic, body) = body.split_first().ok_or_else(|| refused("it is empty"))?;
        let full = |full| match full {
            Full::Queues => refused("too many peers have messages here"),
            Full::Messages => refused("too many messages wait here"),
        };
        let lane = (u64::from_le_bytes(*head), *topic);
        self.messages.put(lane, body.len(), || Ok(body.to_vec()), full)
    }
}

impl Inbox {
    /// Receives the next message of a lane, without its first byte; `None` if none came by the deadline.
    ///
    /// # Errors
    /// `Interrupted`.
    pub(super) fn next(
        &self,
        op: &'static str,
        lane: Lane,
        deadline: Option<Instant>,
    ) -> Result<Option<Vec<u8>>> {
        self.messages.take(op, lane, deadline, || false)
    }
}

#[cold]
fn refused(why: &str) -> Error {
    Error::new(Kind::NoResources, "hmc message").what(format!("the message is refused: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(inbox: &Inbox, from: u64, body: &[u8]) -> Result<()> {
        let mut message = from.to_le_bytes().to_vec();
        message.extend_from_slice(body);
        inbox.receive(&mut || message.clone())
    }

    #[test]
    fn each_peer_has_a_bounded_queue_of_each_lane() {
        let inbox = Inbox::default();
        assert!(inbox.receive(&mut || vec![1, 2]).is_err());
        assert!(send(&inbox, 1, b"").is_err());
        send(&inbox, 1, b"xa").unwrap();
        send(&inbox, 2, b"yc").unwrap();
        send(&inbox, 2, b"xb").unwrap();
        let now = Some(Instant::now());
        assert_eq!(inbox.next("hmc test", (2, b'x'), now).unwrap().as_deref(), Some(&b"b"[..]));
        assert_eq!(inbox.next("hmc test", (2, b'x'), now).unwrap(), None);
        assert_eq!(inbox.next("hmc test", (2, b'y'), now).unwrap().as_deref(), Some(&b"c"[..]));
        for _ in 1..BOUNDS.messages {
            send(&inbox, 1, b"x").unwrap();
        }
        assert!(send(&inbox, 1, b"x").is_err());
        inbox.messages.forget(1);
        assert_eq!(inbox.next("hmc test", (1, b'x'), now).unwrap(), None);
    }
}
