// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interruptible wait: the program may interrupt a wait of a transport. Interruption is checked when the wait
//! is about to sleep, and never while connections are driven, as the check may need a lock of a thread that
//! itself needs these connections.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use mf_base::interrupt::{self, InterruptPoll};

use crate::Completion;

/// Fate of operations after an interrupted wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Operations that do not end within a moment end as if their deadline had passed: nothing is pending on
    /// return, and all may have been done or not.
    End,
    /// They stay in flight, and can be waited for again.
    Stay,
}

/// Time in which interrupted operations may still end by themselves: if a part of a copy is at a peer that
/// answers then, no connection has to end with it.
const GRACE: Duration = Duration::from_millis(30);

/// Longest sleep on a completion.
const NAP: Duration = Duration::from_millis(20);

/// The state of one wait.
pub struct InterruptibleWait {
    may_leave: bool,
    /// The program has left another wait of the running call.
    was_left: bool,
    /// Made for the first sleep.
    poll: RefCell<Option<InterruptPoll>>,
    /// Time until which operations may still end by themselves; `None`: not interrupted.
    grace: Cell<Option<Instant>>,
}

impl InterruptibleWait {
    /// Makes the state of a wait that ends by itself only.
    #[inline]
    pub fn never() -> Self {
        Self { may_leave: false, was_left: false, poll: RefCell::new(None), grace: Cell::new(None) }
    }

    /// Makes the state of a wait that the program may interrupt; interruptions of earlier waits in this call
    /// are remembered.
    #[inline]
    pub fn by_program() -> Self {
        let was_left = interrupt::was_left();
        let grace = was_left.then(|| Instant::now() + GRACE);
        Self { may_leave: true, was_left, grace: Cell::new(grace), ..Self::never() }
    }

    /// Returns true if the wait may sleep before the next check.
    #[inline]
    pub fn may_sleep(&self) -> bool {
        if !self.may_leave {
            return true;
        }
        match self.grace.get() {
            Some(grace) => Instant::now() < grace,
            None => !self.poll.borrow_mut().get_or_insert_default().is_due(),
        }
    }

    /// Checks for an interruption. Returns true if operations have to end now.
    pub fn is_over(&self) -> bool {
        match self.grace.get() {
            Some(grace) => grace <= Instant::now(),
            None => {
                if self.poll.borrow_mut().as_mut().is_some_and(InterruptPoll::is_left) {
                    self.grace.set(Some(Instant::now() + GRACE));
                }
                false
            }
        }
    }

    /// Sleeps until nothing is pending, or the wait is over. Returns true if nothing is pending. Other
    /// threads drive.
    pub fn sleep(&self, completion: &Completion) -> bool {
        while self.may_sleep() || !self.is_over() {
            if completion.sleep(Some(Instant::now() + NAP)) {
                return true;
            }
        }
        false
    }

    /// Returns true if the program has interrupted this wait.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        !self.was_left && self.grace.get().is_some()
    }
}
