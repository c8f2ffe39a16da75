// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages of other communicators, until they are taken: what accompanies data that goes in steps.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::interrupt::InterruptPoll;
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::Receiver;

/// So many of one peer wait at most.
const WAITING_MAX: usize = 1024;
/// So many peers have some at most.
const PEERS_MAX: usize = 4096;
/// Longest sleep without a deadline; then it sleeps again.
const NAP: Duration = Duration::from_secs(60);

/// The lane of messages of programs.
pub(super) const OF_PROGRAMS: u8 = b'p';

/// Whose messages, and for what: the session of who sent them, and their first byte.
pub(super) type Lane = (u64, u8);

/// Messages by their lanes.
#[derive(Default)]
pub(super) struct Inbox {
    waiting: Mutex<HashMap<Lane, VecDeque<Vec<u8>>>>,
    changed: Condvar,
}

impl Receiver for Inbox {
    fn receive(&self, take: &mut dyn FnMut() -> Vec<u8>) -> Result<()> {
        let message = take();
        let (head, body) = message.split_first_chunk::<8>().ok_or_else(|| refused("it has no sender"))?;
        let (lane, body) = body.split_first().ok_or_else(|| refused("it is empty"))?;
        let lane = (u64::from_le_bytes(*head), *lane);
        let mut waiting = lock(&self.waiting);
        let peers = waiting.len();
        let of_peer = match waiting.get_mut(&lane) {
            Some(of_peer) => of_peer,
            None if peers >= PEERS_MAX => return Err(refused("too many peers have messages here")),
            None => waiting.entry(lane).or_default(),
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
    /// The next message of a lane, without its first byte; `None`: none came by the deadline.
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
            if let Some(message) = waiting.get_mut(&lane).and_then(VecDeque::pop_front) {
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

    /// Forgets the messages of a peer that is gone.
    pub(super) fn forget(&self, session: u64) {
        lock(&self.waiting).retain(|(of, _), _| *of != session);
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
}
