// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A started operation: a caller polls it, waits for it or cancels it, while another thread performs it.
//!
//! ```text
//!   Queued ── begin ──> Running ── end ──> Ended
//!     └────── cancel, end ───────────────────┘
//! ```
//!
//! The first outcome stays. A queued operation that is cancelled ends at once, so it never takes effect; a
//! running one is asked to end, and the thread that performs it decides.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use super::event::EventDescriptor;
use super::waiting::wait_until;
use crate::sync::{lock, wait_notified};
use crate::{Error, Result};

/// State shared by the caller and the thread that performs the work `W`.
pub struct Operation<W = ()> {
    state: Mutex<OperationState<W>>,
    ended: Condvar,
    /// Signalled when it has ended.
    event: Option<Arc<EventDescriptor>>,
}

struct OperationState<W> {
    stage: Stage<W>,
    is_cancelled: bool,
}

enum Stage<W> {
    Queued(W),
    Running,
    Ended(Result<()>),
}

impl<W> OperationState<W> {
    fn outcome(&self) -> Option<Result<()>> {
        match &self.stage {
            Stage::Ended(Ok(())) => Some(Ok(())),
            Stage::Ended(Err(error)) => Some(Err(error.duplicate())),
            Stage::Queued(_) | Stage::Running => None,
        }
    }
}

impl<W> Operation<W> {
    /// Creates a queued operation.
    pub fn new(work: W, event: Option<Arc<EventDescriptor>>) -> Self {
        let state = OperationState { stage: Stage::Queued(work), is_cancelled: false };
        Self { state: Mutex::new(state), ended: Condvar::new(), event }
    }

    /// Returns the outcome, or `None` if it has not ended.
    pub fn poll(&self) -> Option<Result<()>> {
        lock(&self.state).outcome()
    }

    /// Returns true if it has ended.
    pub fn has_ended(&self) -> bool {
        matches!(lock(&self.state).stage, Stage::Ended(_))
    }

    /// Waits for the outcome. Returns `None` if the deadline has passed.
    ///
    /// # Errors
    /// `Interrupted`.
    pub fn wait(&self, operation: &'static str, deadline: Option<Instant>) -> Result<Option<Result<()>>> {
        wait_until(operation, &self.state, &self.ended, deadline, |state| state.outcome())
    }

    /// Begins the operation. Returns its work, or `None` if it has begun or ended already.
    pub fn begin(&self) -> Option<W> {
        let mut state = lock(&self.state);
        match std::mem::replace(&mut state.stage, Stage::Running) {
            Stage::Queued(work) => Some(work),
            other => {
                state.stage = other;
                None
            }
        }
    }

    /// Returns true if the running operation shall end early.
    pub fn is_cancelled(&self) -> bool {
        lock(&self.state).is_cancelled
    }

    /// Cancels the operation, and waits until it has ended. A queued one ends with this error, an ended one
    /// stays unchanged.
    pub fn cancel(&self, error: impl FnOnce() -> Error) {
        let mut state = lock(&self.state);
        state.is_cancelled = true;
        if matches!(state.stage, Stage::Queued(_)) {
            let queued = std::mem::replace(&mut state.stage, Stage::Ended(Err(error())));
            drop(state);
            drop(queued);
            return self.notify();
        }
        while matches!(state.stage, Stage::Running) {
            state = wait_notified(&self.ended, state);
        }
    }

    /// Ends the operation with its outcome, unless it has ended.
    pub fn end(&self, outcome: Result<()>) {
        let mut state = lock(&self.state);
        if matches!(state.stage, Stage::Ended(_)) {
            return;
        }
        let former = std::mem::replace(&mut state.stage, Stage::Ended(outcome));
        drop(state);
        drop(former);
        self.notify();
    }

    fn notify(&self) {
        self.ended.notify_all();
        if let Some(event) = &self.event {
            event.signal();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn cancelled() -> Error {
        Error::new(Kind::Cancelled, "test")
    }

    #[test]
    fn first_outcome_stays() {
        let operation = Operation::new(7, None);
        assert!(operation.poll().is_none() && !operation.has_ended());
        assert!(operation.wait("test", Some(Instant::now())).unwrap().is_none());
        assert_eq!((operation.begin(), operation.begin()), (Some(7), None));
        operation.end(Err(Error::new(Kind::Failed, "test")));
        operation.end(Ok(()));
        operation.cancel(cancelled);
        assert_eq!(operation.poll().unwrap().unwrap_err().kind(), Kind::Failed);
        assert_eq!(operation.wait("test", None).unwrap().unwrap().unwrap_err().kind(), Kind::Failed);
    }

    #[test]
    fn cancelled_queued_operation_never_begins() {
        let (event, work) = (Arc::new(EventDescriptor::new()), Arc::new(()));
        let descriptor = event.descriptor("test").unwrap();
        let operation = Operation::new(Arc::clone(&work), Some(Arc::clone(&event)));
        operation.cancel(cancelled);
        assert_eq!(Arc::strong_count(&work), 1, "its resources are freed");
        assert!(operation.begin().is_none() && operation.has_ended());
        assert_eq!(operation.poll().unwrap().unwrap_err().kind(), Kind::Cancelled);
        assert_eq!(rustix::io::read(descriptor, &mut [0; 8]).unwrap(), 8);
    }

    #[test]
    fn cancel_waits_for_the_running_operation() {
        let operation = Operation::new((), None);
        operation.begin().unwrap();
        std::thread::scope(|scope| {
            let cancelling = scope.spawn(|| operation.cancel(cancelled));
            while !operation.is_cancelled() {
                std::thread::yield_now();
            }
            assert!(!cancelling.is_finished());
            operation.end(Ok(()));
            cancelling.join().unwrap();
        });
        assert!(operation.poll().unwrap().is_ok());
    }
}
