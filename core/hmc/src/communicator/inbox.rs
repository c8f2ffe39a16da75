// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inbox: messages of other communicators that were not received yet. They accompany data that goes in steps.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::interrupt::InterruptPoll;
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::Receiver;

/// Most waiting messages of one peer.
const WAITING_MAX: usize = 1024;
/// Most peers with waiting messages.
const PEERS_MAX: usize = 4096;
/// Longest sleep without a deadline; then it sleeps again.
const NAP: Duration = Duration::from_secs(60);

/// Lane for messages of programs.
pub(super) const OF_PROGRAMS: u8 = b'p';

/// Lane: the session of the sender, and the first byte of its messages.
pub(super) type Lane = (u64, u8);

/// Messages by lane.
#[derive(Default)]
pub(super) struct Inbox {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    lanes: HashMap<Lane, Queue>,
    /// Number of holders of each peer's messages.
    held: HashMap<u64, usize>,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Vec<u8>>,
    /// Messages at the front that are dropped when no holder is left.
    forgotten: usize,
}

impl Queue {
    fn next(&mut self) -> Option<Vec<u8>> {
        self.forgotten = self.forgotten.saturating_sub(1);
        self.messages.pop_front()
    }
}

/// Guard: messages of a peer are kept while it exists, also if the peer is gone.
pub(super) struct Held<'a> {
    inbox: &'a Inbox,
    session: u64,
}

impl Receiver for Inbox {
    fn receive(&self, take: &mut dyn FnMut() -> Vec<u8>) -> Result<()> {
        let message = take();
        let (head, body) = message.split_first_chunk::<8>().ok_or_else(|| refused("it has no sender"))?;
        let (lane, body) = body.split_first().ok_or_else(|| refused("it is empty"))?;
        let lane = (u64::from_le_bytes(*head), *lane);
        let mut waiting = lock(&self.waiting);
        let lanes = &mut waiting.lanes;
        let peers = lanes.len();
        let of_peer = match lanes.get_mut(&lane) {
            Some(of_peer) => &mut of_peer.messages,
            None if peers >= PEERS_MAX => return Err(refused("too many peers have messages here")),
            None => &mut lanes.entry(lane).or_default().messages,
        };
        if of_peer.len() >= WAITING_MAX {
            return Err(refused("too many messages wait here"));
        }
        of_peer.push_back(body.to_vec());
        drop(waiting);
        self.changed.notify_all();
        Ok(())
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
        let mut interrupt = InterruptPoll::new();
        let mut waiting = lock(&self.waiting);
        loop {
            if let Some(message) = waiting.lanes.get_mut(&lane).and_then(Queue::next) {
                return Ok(Some(message));
            }
            let left = deadline.map_or(NAP, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(None);
            }
            waiting = wait_notified_for(&self.changed, waiting, interrupt.within(left));
            if interrupt.is_due() {
                drop(waiting);
                interrupt.check(op)?;
                waiting = lock(&self.waiting);
            }
        }
    }

    /// Drops the messages of a peer that is gone; held ones when their last holder ends.
    pub(super) fn forget(&self, session: u64) {
        let mut waiting = lock(&self.waiting);
        if !waiting.held.contains_key(&session) {
            waiting.lanes.retain(|(of, _), _| *of != session);
            return;
        }
        for (_, queue) in waiting.lanes.iter_mut().filter(|((of, _), _)| *of == session) {
            queue.forgotten = queue.messages.len();
        }
    }

    /// Holds the messages of a peer, so that the last ones can be received after it is gone.
    pub(super) fn hold(&self, session: u64) -> Held<'_> {
        *lock(&self.waiting).held.entry(session).or_default() += 1;
        Held { inbox: self, session }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut waiting = lock(&self.inbox.waiting);
        let Waiting { lanes, held } = &mut *waiting;
        let Some(count) = held.get_mut(&self.session) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        held.remove(&self.session);
        lanes.retain(|(of, _), queue| {
            if *of == self.session && queue.forgotten > 0 {
                // Later messages belong to a new connection.
                queue.messages.drain(..queue.forgotten);
                queue.forgotten = 0;
                return !queue.messages.is_empty();
            }
            true
        });
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
    fn each_peer_has_a_queue_with_an_end() {
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
        for _ in 1..WAITING_MAX {
            send(&inbox, 1, b"x").unwrap();
        }
        assert!(send(&inbox, 1, b"x").is_err());
        inbox.forget(1);
        assert_eq!(inbox.next("hmc test", (1, b'x'), now).unwrap(), None);
    }

    #[test]
    fn held_messages_of_a_gone_peer_are_still_delivered() {
        let inbox = Inbox::default();
        let next = || inbox.next("hmc test", (1, b'x'), Some(Instant::now())).unwrap();
        let (one, other) = (inbox.hold(1), inbox.hold(1));
        for body in [b"xa", b"xb", b"xc"] {
            send(&inbox, 1, body).unwrap();
        }
        inbox.forget(1);
        assert_eq!(next().as_deref(), Some(&b"a"[..]));
        send(&inbox, 1, b"xd").unwrap();
        drop(one);
        assert_eq!(next().as_deref(), Some(&b"b"[..]));
        drop(other);
        assert_eq!(next().as_deref(), Some(&b"d"[..]));
        assert_eq!(next(), None);
        assert!(lock(&inbox.waiting).held.is_empty());
    }
}
