// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Budget of bytes that guests may have in flight: large messages that arrive, and replies that they do not
//! read.
//!
//! Each member has a budget of its own, but an admitted process may open any number of guests. So all guests
//! share one budget. A guest with more than `SMALL_BYTES` in flight counts; while the budget is used up, no
//! other guest of this kind is served, and one without progress is closed.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Waker};

use tokio::time::{Instant, Sleep, sleep_until};

use crate::protocol::limits::{GUEST_STALL, MAX_GUESTS_BYTES};

/// Bytes that each guest may have in flight without being counted.
const SMALL_BYTES: usize = 64 << 10;

/// Decision about a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Go,
    /// Others have the room.
    Wait,
    /// It makes no progress, and others wait for its part of the room.
    Leave,
}

/// The room of all guests.
#[derive(Default)]
pub(super) struct GuestBudget {
    used: Cell<usize>,
    waiting: RefCell<Vec<Waker>>,
}

/// Bytes that one guest has in flight.
pub(super) struct GuestShare {
    budget: Rc<GuestBudget>,
    bytes: usize,
    /// When it is closed unless it makes progress.
    limit: Pin<Box<Sleep>>,
}

impl GuestShare {
    pub(super) fn new(budget: &Rc<GuestBudget>) -> Self {
        let limit = Box::pin(sleep_until(Instant::now() + GUEST_STALL));
        Self { budget: Rc::clone(budget), bytes: 0, limit }
    }

    /// Reports the bytes that arrive and that are queued; returns whether this guest may continue. If it has
    /// to wait, its task is woken when that may have changed.
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
