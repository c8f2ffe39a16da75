// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bounded mailbox: messages of peers wait here until the program takes them, in order for each peer and
//! topic.
//!
//! **Bounds.** A message that finds its queue full is refused, and its sender gets the error: back-pressure
//! without lost messages. Peers and topics are bounded, too, since each has a queue.
//!
//! **End of a peer.** Its messages are [dropped](Mailbox::forget). A call that works through the last
//! messages of a peer [holds](Mailbox::hold) them: then they are dropped at the end of the last such call.
//! Messages that arrive after the peer's end belong to a new connection, and stay.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use super::waiting::wait_until;
use crate::sync::lock;
use crate::{Error, Result};

/// Bounds of a mailbox.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most waiting messages of a peer and topic.
    pub messages: usize,
    /// Most bytes of them.
    pub bytes: usize,
    /// Most pairs of peer and topic.
    pub queues: usize,
}

/// Reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Too many messages of this peer and topic wait, or too many bytes.
    Messages,
    /// Too many peers have messages.
    Queues,
}

/// Messages `M` by peer `P` and topic `T`. Thread-safe.
pub struct Mailbox<P, T, M> {
    bounds: Bounds,
    state: Mutex<MailboxQueues<P, T, M>>,
    arrived: Condvar,
}

struct MailboxQueues<P, T, M> {
    queues: HashMap<(P, T), Queue<M>>,
    /// Number of holders of each peer's messages.
    held: HashMap<P, usize>,
}

struct Queue<M> {
    /// Messages and their lengths.
    messages: VecDeque<(M, usize)>,
    /// Sum of the lengths.
    bytes: usize,
    /// Number of messages at the front that are dropped when no holder is left.
    forgotten: usize,
}

impl<M> Queue<M> {
    fn has_room(&self, bounds: &Bounds, bytes: usize) -> bool {
        self.messages.len() < bounds.messages && bytes <= bounds.bytes - self.bytes
    }

    fn push(&mut self, message: M, bytes: usize) {
        self.messages.push_back((message, bytes));
        self.bytes += bytes;
    }

    fn take(&mut self) -> Option<M> {
        self.forgotten = self.forgotten.saturating_sub(1);
        let (message, bytes) = self.messages.pop_front()?;
        self.bytes -= bytes;
        Some(message)
    }
}

impl<M> Default for Queue<M> {
    fn default() -> Self {
        Self { messages: VecDeque::new(), bytes: 0, forgotten: 0 }
    }
}

impl<P: Copy + Eq + Hash, T: Copy + Eq + Hash, M> Mailbox<P, T, M> {
    /// Creates an empty mailbox.
    pub fn new(bounds: Bounds) -> Self {
        let state = MailboxQueues { queues: HashMap::new(), held: HashMap::new() };
        Self { bounds, state: Mutex::new(state), arrived: Condvar::new() }
    }

    /// Adds the message that `take` returns, which counts as `bytes`, and wakes waiters. `take` is not called
    /// if there is no room.
    ///
    /// # Errors
    /// Errors of `take` · the error that `full` makes of a refusal.
    pub fn put(
        &self,
        (peer, topic): (P, T),
        bytes: usize,
        take: impl FnOnce() -> Result<M>,
        full: impl FnOnce(Full) -> Error,
    ) -> Result<()> {
        let mut state = lock(&self.state);
        let queues = state.queues.len();
        match state.queues.get_mut(&(peer, topic)) {
            Some(queue) if !queue.has_room(&self.bounds, bytes) => return Err(full(Full::Messages)),
            Some(queue) => queue.push(take()?, bytes),
            None if queues >= self.bounds.queues => return Err(full(Full::Queues)),
            None if bytes > self.bounds.bytes => return Err(full(Full::Messages)),
            None => {
                let message = take()?;
                state.queues.entry((peer, topic)).or_default().push(message, bytes);
            }
        }
        drop(state);
        self.arrived.notify_all();
        Ok(())
    }

    /// Takes the oldest message of a peer and topic. Returns `None` if none came by the deadline, or before
    /// `is_over` returned true.
    ///
    /// # Errors
    /// `Interrupted`.
    pub fn take(
        &self,
        operation: &'static str,
        (peer, topic): (P, T),
        deadline: Option<Instant>,
        is_over: impl Fn() -> bool,
    ) -> Result<Option<M>> {
        let oldest = |state: &mut MailboxQueues<P, T, M>| match state.queues.get_mut(&(peer, topic)) {
            Some(queue) if !queue.messages.is_empty() => Some(queue.take()),
            _ => is_over().then_some(None),
        };
        let found = wait_until(operation, &self.state, &self.arrived, deadline, oldest)?;
        Ok(found.flatten())
    }

    /// Takes all messages of a peer and topic.
    pub fn take_all(&self, peer: P, topic: T) -> Vec<M> {
        let mut state = lock(&self.state);
        let Some(queue) = state.queues.get_mut(&(peer, topic)) else { return Vec::new() };
        (queue.forgotten, queue.bytes) = (0, 0);
        queue.messages.drain(..).map(|(message, _)| message).collect()
    }

    /// Wakes waiters, which call `is_over` again.
    pub fn wake(&self) {
        // A thread that had checked before sleeps by now.
        drop(lock(&self.state));
        self.arrived.notify_all();
    }

    /// Drops the messages of a peer that is gone; held ones when their last holder ends.
    pub fn forget(&self, peer: P) {
        let mut state = lock(&self.state);
        if !state.held.contains_key(&peer) {
            state.queues.retain(|(of, _), _| *of != peer);
            return;
        }
        for (_, queue) in state.queues.iter_mut().filter(|((of, _), _)| *of == peer) {
            queue.forgotten = queue.messages.len();
        }
    }

    /// Holds the messages of a peer, so that the last ones can be taken after it is gone.
    pub fn hold(&self, peer: P) -> MailboxHold<'_, P, T, M> {
        *lock(&self.state).held.entry(peer).or_default() += 1;
        MailboxHold { mailbox: self, peer }
    }
}

/// Guard: messages of a peer are kept while it exists, also if the peer is gone.
pub struct MailboxHold<'a, P: Copy + Eq + Hash, T: Copy + Eq + Hash, M> {
    mailbox: &'a Mailbox<P, T, M>,
    peer: P,
}

impl<P: Copy + Eq + Hash, T: Copy + Eq + Hash, M> Drop for MailboxHold<'_, P, T, M> {
    fn drop(&mut self) {
        let mut state = lock(&self.mailbox.state);
        let MailboxQueues { queues, held } = &mut *state;
        let Some(count) = held.get_mut(&self.peer) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        held.remove(&self.peer);
        queues.retain(|(of, _), queue| {
            if *of == self.peer && queue.forgotten > 0 {
                // Later messages belong to a new connection.
                while queue.forgotten > 0 && queue.take().is_some() {}
                return !queue.messages.is_empty();
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    type Chars = Mailbox<u64, u8, char>;

    fn mailbox() -> Chars {
        Mailbox::new(Bounds { messages: 3, bytes: 20, queues: 2 })
    }

    fn put(mailbox: &Chars, peer: u64, topic: u8, message: char) -> Result<(), Full> {
        let mut refusal = None;
        let full = |full| {
            refusal = Some(full);
            Error::new(Kind::NoResources, "test")
        };
        mailbox.put((peer, topic), 1, || Ok(message), full).map_err(|_| refusal.unwrap())
    }

    fn next(mailbox: &Chars, peer: u64, topic: u8) -> Option<char> {
        mailbox.take("test", (peer, topic), Some(Instant::now()), || false).unwrap()
    }

    #[test]
    fn messages_stay_in_order_for_each_peer_and_topic() {
        let mailbox = mailbox();
        for (peer, topic, message) in [(1, b'x', 'a'), (1, b'x', 'b'), (1, b'y', 'c')] {
            put(&mailbox, peer, topic, message).unwrap();
        }
        assert_eq!(put(&mailbox, 2, b'x', 'd'), Err(Full::Queues));
        assert_eq!((next(&mailbox, 1, b'y'), next(&mailbox, 1, b'x')), (Some('c'), Some('a')));
        put(&mailbox, 1, b'x', 'e').unwrap();
        put(&mailbox, 1, b'x', 'f').unwrap();
        assert_eq!(put(&mailbox, 1, b'x', 'g'), Err(Full::Messages));
        assert_eq!(mailbox.take_all(1, b'x'), ['b', 'e', 'f']);
        assert_eq!((next(&mailbox, 1, b'x'), next(&mailbox, 3, b'x')), (None, None));
        assert!(mailbox.take_all(3, b'x').is_empty());
    }

    #[test]
    fn full_mailbox_leaves_the_message_with_its_sender() {
        let mailbox = mailbox();
        let bad =
            mailbox.put((1, b'x'), 0, || Err(Error::new(Kind::InvalidParam, "test")), |_| unreachable!());
        assert_eq!(bad.unwrap_err().kind(), Kind::InvalidParam);
        let add = |bytes| {
            let full = |_| Error::new(Kind::NoResources, "test");
            mailbox.put((1, b'x'), bytes, || Ok('a'), full).is_ok()
        };
        assert!(!add(21) && add(19) && add(1) && !add(1) && add(0) && !add(0));
        assert_eq!(mailbox.take_all(1, b'x').len(), 3);
        assert!(add(20) && !add(1));
        assert_eq!(next(&mailbox, 1, b'x'), Some('a'));
        assert!(add(20));
        let full = mailbox.put((1, b'x'), 1, || unreachable!(), |_| Error::new(Kind::NoResources, "test"));
        assert_eq!(full.unwrap_err().kind(), Kind::NoResources);
    }

    #[test]
    fn wait_ends_with_a_message_or_its_end_condition() {
        let (mailbox, is_over) = (mailbox(), Mutex::new(false));
        let wait = || mailbox.take("test", (1, b'x'), None, || *lock(&is_over)).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(wait);
            put(&mailbox, 1, b'x', 'a').unwrap();
            assert_eq!(waiting.join().unwrap(), Some('a'));
            let waiting = scope.spawn(wait);
            *lock(&is_over) = true;
            mailbox.wake();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }

    #[test]
    fn held_messages_outlive_their_peer_and_later_ones_stay() {
        let mailbox = mailbox();
        put(&mailbox, 2, b'x', 'z').unwrap();
        let (one, other) = (mailbox.hold(1), mailbox.hold(1));
        for message in ['a', 'b', 'c'] {
            put(&mailbox, 1, b'x', message).unwrap();
        }
        mailbox.forget(1);
        assert_eq!(next(&mailbox, 1, b'x'), Some('a'));
        put(&mailbox, 1, b'x', 'd').unwrap();
        drop(one);
        assert_eq!(next(&mailbox, 1, b'x'), Some('b'));
        drop(other);
        assert_eq!((next(&mailbox, 1, b'x'), next(&mailbox, 1, b'x')), (Some('d'), None));
        assert!(lock(&mailbox.state).held.is_empty());
        put(&mailbox, 1, b'x', 'e').unwrap();
        mailbox.forget(1);
        assert_eq!((next(&mailbox, 1, b'x'), next(&mailbox, 2, b'x')), (None, Some('z')));
    }
}
