// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the program leaves a wait of a transport: whether it wants to is found out when the wait is about to
//! sleep, and never while connections are driven, as the check may need what another waits with who needs
//! these connections.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use mf_base::interrupt::{self, InterruptPoll};

use super::Completion;

/// What becomes of operations whose wait was left by the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Those that do not end within a moment end as if their deadline had passed: nothing is pending on
    /// return, and all may have been done or not.
    End,
    /// They stay in flight, and can be waited for again.
    Stay,
}

/// What is interrupted may still end by itself for so long: a part of a copy is at a peer that answers then,
/// and no connection has to end with it.
const GRACE: Duration = Duration::from_millis(30);

/// Longest sleep on a completion.
const NAP: Duration = Duration::from_millis(20);

/// The state of one wait.
pub(in crate::transport) struct Leaving {
    may_leave: bool,
    /// The program has left another wait of the running call.
    was_left: bool,
    /// Made for the first sleep.
    poll: RefCell<Option<InterruptPoll>>,
    /// Until when operations may still end by themselves; none: the program does not want to leave.
    grace: Cell<Option<Instant>>,
}

impl Leaving {
    /// Of a wait that ends by itself only.
    pub(in crate::transport) fn never() -> Self {
        Self { may_leave: false, was_left: false, poll: RefCell::new(None), grace: Cell::new(None) }
    }

    /// Of a wait that the program may leave, or has left in what this call waited for before.
    pub(in crate::transport) fn by_the_program() -> Self {
        let was_left = interrupt::was_left();
        let grace = was_left.then(|| Instant::now() + GRACE);
        Self { may_leave: true, was_left, grace: Cell::new(grace), ..Self::never() }
    }

    /// Whether the wait may sleep before something is found out.
    pub(in crate::transport) fn may_sleep(&self) -> bool {
        if !self.may_leave {
            return true;
        }
        match self.grace.get() {
            Some(grace) => Instant::now() < grace,
            None => !self.poll.borrow_mut().get_or_insert_default().is_due(),
        }
    }

    /// Finds out; whether operations have to end now.
    pub(in crate::transport) fn is_over(&self) -> bool {
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

    /// Sleeps until nothing is pending, or it is over; whether nothing is. Other threads drive.
    pub(in crate::transport) fn sleep(&self, completion: &Completion) -> bool {
        while self.may_sleep() || !self.is_over() {
            if completion.sleep(Some(Instant::now() + NAP)) {
                return true;
            }
        }
        false
    }

    /// Whether the program has said in this wait that it wants to leave.
    pub(in crate::transport) fn is_wanted(&self) -> bool {
        !self.was_left && self.grace.get().is_some()
    }
}
