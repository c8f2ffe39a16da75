// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links, messages, and the queue of what will happen.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use crate::api::Change;
use crate::protocol::{Answer, Failure, Notice, OneWay, Refusal, RequestMessage, Welcome};
use crate::state::{Arrival, LinkId, Micros};

/// Message to the store.
#[derive(Debug)]
pub(super) enum ToStore {
    Join(Box<Arrival>),
    OneWay(OneWay),
    Ask {
        sequence: u64,
        message: RequestMessage,
    },
    Leave,
    /// The connection has broken.
    Cut,
}

/// Message to a client.
#[derive(Debug)]
pub(super) enum ToClient {
    Challenge([u8; 16]),
    Welcome(Box<Welcome>),
    Refused(Box<Refusal>),
    Reply {
        sequence: u64,
        result: Result<Answer, Failure>,
    },
    Change {
        watch: u64,
        change: Arc<Change>,
    },
    Notice(Arc<Notice>),
    /// The connection has ended.
    Cut,
}

/// One connection.
#[derive(Debug)]
pub(super) struct Link {
    /// The process at its end, as an index of the world's lives.
    pub(super) life: usize,
    /// Which store is at its other end.
    pub(super) generation: u64,
    /// Nothing that is in flight arrives any more, only the notification that it broke.
    pub(super) is_broken: bool,
    /// The store has closed it, or was notified that it broke.
    pub(super) store_closed: bool,
    /// When the last message arrives on either side.
    pub(super) last_at_store: Micros,
    pub(super) last_at_client: Micros,
    /// Messages of the store that are in flight, and the bytes that it counts as unread.
    pub(super) unread: usize,
    pub(super) unreported: usize,
    /// Messages that the edge of the store holds back while the client has much unread.
    pub(super) held_back: VecDeque<ToStore>,
}

/// Scheduled event.
#[derive(Debug)]
pub(super) enum ScheduledEvent {
    ToStore(LinkId, ToStore),
    ToClient(LinkId, ToClient),
    StoreTick,
    LifeTick(usize),
    /// A life tries to reach the store.
    Connect(usize),
    /// A life does something.
    Work(usize),
    /// A process starts; it wishes for the rank it had before.
    Start(Option<u32>),
    /// A store starts.
    StartStore,
    Fault,
}

struct Scheduled {
    at: Micros,
    /// Tie-breaker: among events at the same time, the first scheduled happens first.
    number: u64,
    happening: ScheduledEvent,
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scheduled {}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap hands out its greatest first.
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

/// Everything that will happen, in the order of time.
#[derive(Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Scheduled>,
    scheduled: u64,
}

impl Queue {
    pub(super) fn push(&mut self, at: Micros, happening: ScheduledEvent) {
        self.scheduled += 1;
        self.heap.push(Scheduled { at, number: self.scheduled, happening });
    }

    /// The next thing, if it happens before `end`.
    pub(super) fn pop(&mut self, end: Micros) -> Option<(Micros, ScheduledEvent)> {
        if self.heap.peek()?.at > end {
            return None;
        }
        self.heap.pop().map(|next| (next.at, next.happening))
    }
}
