// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Marks: points in a stream.
//!
//! A mark of an event for several processes is a number in a [`Slot`]: how many marks were made, and up to
//! which they were reached. Other marks are a [`Latch`].

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use crate::clock::Deadline;
use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::stream::latch::{Latch, LatchState};
use crate::stream::slot::Slot;
use crate::stream::{Running, Stream};

/// A point in a stream.
#[derive(Clone)]
pub(super) enum Mark {
    Local { latch: Arc<Latch>, stream: Weak<Stream>, number: u64 },
    Shared { slot: Arc<Slot>, number: u64 },
}

/// Words of the slot of a shared event: marks made, the last reached, the last that never will be.
pub(super) const MADE: usize = 0;
const REACHED: usize = 1;
const LOST: usize = 2;

impl Mark {
    pub(super) fn is_reached(&self) -> bool {
        match self {
            Self::Local { latch, .. } => latch.state() != LatchState::Open,
            Self::Shared { slot, number } => slot.word(REACHED).load(Ordering::Acquire) >= *number,
        }
    }

    /// Waits inside a task.
    pub(super) fn wait_in(&self, running: &Running, deadline: Deadline) -> Outcome {
        const WHAT: &str = "a wait for an event";
        match self {
            Self::Local { latch, .. } => match latch.wait_in(running, WHAT, deadline)? {
                LatchState::Broken => Err(self.lost()),
                LatchState::Open | LatchState::Kept(_) => Ok(()),
            },
            Self::Shared { slot, number } => loop {
                let bell = slot.bell().load(Ordering::Acquire);
                if self.look(slot, *number)? {
                    return Ok(());
                }
                running.check(WHAT, deadline)?;
                slot.sleep(bell, deadline.slice());
            },
        }
    }

    /// Waits on the host; true when it was reached before the deadline.
    pub(super) fn wait(&self, deadline: Deadline) -> Outcome<bool> {
        match self {
            Self::Local { latch, .. } => match latch.wait(deadline) {
                LatchState::Open => Ok(false),
                LatchState::Kept(_) => Ok(true),
                LatchState::Broken => Err(self.lost()),
            },
            Self::Shared { slot, number } => loop {
                let bell = slot.bell().load(Ordering::Acquire);
                if self.look(slot, *number)? {
                    return Ok(true);
                }
                if deadline.is_over() {
                    return Ok(false);
                }
                slot.sleep(bell, deadline.slice());
            },
        }
    }

    fn look(&self, slot: &Slot, number: u64) -> Outcome<bool> {
        if slot.word(REACHED).load(Ordering::Acquire) >= number {
            return Ok(true);
        }
        if slot.word(LOST).load(Ordering::Acquire) >= number { Err(self.lost()) } else { Ok(false) }
    }

    /// The fault of the tasks before the mark, as synchronising reports it.
    pub(super) fn report(&self) -> Outcome {
        match self {
            Self::Local { stream, number, .. } => {
                stream.upgrade().map_or(Ok(()), |stream| stream.take_failure(*number))
            }
            Self::Shared { .. } => Ok(()),
        }
    }

    /// Why the mark is never reached. Assumed: waiters get that as an error.
    fn lost(&self) -> Fault {
        if let Self::Local { stream, .. } = self
            && let Some(fault) = stream.upgrade().and_then(|stream| stream.stopped())
        {
            return fault;
        }
        Fault::new(
            acl::STREAM_ABORT,
            "the stream in which the event was recorded was aborted or destroyed before it",
        )
    }
}

/// A mark of a shared event that is to be reached.
pub(super) struct Reach {
    slot: Arc<Slot>,
    number: u64,
    reached: bool,
}

impl Reach {
    /// Mark `number` of the slot.
    pub(super) fn new(slot: &Arc<Slot>, number: u64) -> Self {
        Self { slot: Arc::clone(slot), number, reached: false }
    }

    /// It is reached now; dropped without this, it never will be.
    pub(super) fn reach(mut self) {
        self.reached = true;
    }
}

impl Drop for Reach {
    fn drop(&mut self) {
        let word = if self.reached { REACHED } else { LOST };
        // Release: a thread that observes the mark also observes the stream's earlier writes. Pairs with
        // `Mark::look`.
        self.slot.word(word).fetch_max(self.number, Ordering::AcqRel);
        self.slot.bell().fetch_add(1, Ordering::AcqRel);
        self.slot.wake();
    }
}
