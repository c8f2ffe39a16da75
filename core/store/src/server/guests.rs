// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What guests may have under way: large messages that arrive, and replies that they do not read.
//!
//! Each member has its own, but anybody who may enter at all may bring any number of guests. So all of them
//! share one room. A guest with more than a little under way counts; while the room is full, no other is
//! served that way, and one that makes no progress goes.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Waker};

use tokio::time::{Instant, Sleep, sleep_until};

use crate::protocol::limits::{GUEST_STALL, MAX_GUESTS_BYTES};

/// What each guest may have under way without being counted.
const SMALL_BYTES: usize = 64 << 10;

/// What becomes of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Go,
    /// Others have the room.
    Wait,
    /// It stands still, and others wait for its part of the room.
    Leave,
}

/// The room of all guests.
#[derive(Default)]
pub(super) struct GuestBudget {
    used: Cell<usize>,
    waiting: RefCell<Vec<Waker>>,
}

/// What one guest has under way.
pub(super) struct GuestShare {
    budget: Rc<GuestBudget>,
    bytes: usize,
    /// When it goes unless something moves.
    limit: Pin<Box<Sleep>>,
}

impl GuestShare {
    pub(super) fn new(budget: &Rc<GuestBudget>) -> Self {
        let limit = Box::pin(sleep_until(Instant::now() + GUEST_STALL));
        Self { budget: Rc::clone(budget), bytes: 0, limit }
    }

    /// Says how much is arriving and how much is queued: whether this guest may go on. If it has to wait, its
    /// task is woken when that may have changed.
    pub(super) fn poll(&mut self, context: &mut Context<'_>, arriving: usize, queued: usize) -> Verdict {
        let bytes = if arriving + queued > SMALL_BYTES { arriving + queued } else { 0 };
        let begins = self.bytes == 0 && queued <= SMALL_BYTES;
        if begins && self.budget.used.get() >= MAX_GUESTS_BYTES {
            self.budget.waiting.borrow_mut().push(context.waker().clone());
            return Verdict::Wait;
        }
        if bytes != self.bytes {
            self.set(bytes);
            self.limit.as_mut().reset(Instant::now() + GUEST_STALL);
        }
        while self.bytes > 0 && self.limit.as_mut().poll(context).is_ready() {
            if !self.budget.waiting.borrow().is_empty() {
                return Verdict::Leave;
            }
            self.limit.as_mut().reset(Instant::now() + GUEST_STALL);
        }
        Verdict::Go
    }

    fn set(&mut self, bytes: usize) {
        let used = self.budget.used.get() - self.bytes + bytes;
        self.budget.used.set(used);
        self.bytes = bytes;
        if used < MAX_GUESTS_BYTES {
            self.budget.waiting.borrow_mut().drain(..).for_each(Waker::wake);
        }
    }
}

impl Drop for GuestShare {
    fn drop(&mut self) {
        self.set(0);
    }
}
