// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interruptible waits: for operations, and for room to post them. The caller's operations in flight end as
//! if their deadline had passed.

use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::interrupt::{self, InterruptPoll};
use mf_transport::{Completion, InterruptibleWait, Left};

use super::links::LinkId;
use super::progress::{Locked, Shared};
use super::slab::Id;

/// Longest sleep.
const NAP: Duration = Duration::from_millis(20);

impl Shared {
    /// Waits until nothing is pending; the program may interrupt it.
    ///
    /// # Errors
    /// The first of the operations · `Interrupted`.
    pub(super) fn wait_interruptible(&self, completion: &Completion, left: Left) -> Result<()> {
        let leaving = InterruptibleWait::by_program();
        self.wait_until(&|| completion.is_done(), &mut || {
            leaving.sleep(completion);
        });
        if !completion.is_done() {
            if left == Left::Stay {
                return Err(interrupt::error("ucx wait"));
            }
            self.lock().leave_alone(completion);
            // A connection that has to end is closed by force.
            self.wait(completion);
        }
        let outcome = completion.outcome();
        // Results that came meanwhile are kept; only the call is not continued.
        if leaving.is_wanted() { outcome.and(Err(interrupt::error("ucx wait"))) } else { outcome }
    }

    /// Waits until another part to the peer fits, or the operation has failed: also because the program does
    /// not want to wait for it any more.
    pub(super) fn room<'a>(
        &'a self,
        mut state: Locked<'a>,
        link: LinkId,
        operation: Id,
        deadline: Instant,
    ) -> Locked<'a> {
        let mut poll = None;
        while !state.links.has_room(link) && state.operations.is_well(operation) {
            drop(state);
            let poll: &mut InterruptPoll = poll.get_or_insert_default();
            self.wait_for(
                &|state| state.links.has_room(link) || !state.operations.is_well(operation),
                poll.until(deadline),
            );
            let is_left = poll.is_left();
            state = self.lock();
            state.expire(Instant::now());
            if is_left {
                state.withdraw(operation);
            }
        }
        state
    }

    /// Completes the post of an operation after all its parts were started.
    ///
    /// # Errors
    /// `Interrupted` the program has interrupted it before that; nothing is in flight for it.
    pub(super) fn posted(&self, mut state: Locked<'_>, operation: Id) -> Result<()> {
        let is_withdrawn = state.operations.is_withdrawn(operation);
        state.release(operation);
        drop(state);
        if !is_withdrawn {
            return Ok(());
        }
        while !self.wait_for(&|state| !state.operations.is_pending(operation), Instant::now() + NAP) {}
        Err(interrupt::error("ucx post"))
    }
}
