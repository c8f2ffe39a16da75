// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reusable completion of a thread, so that none is allocated per call.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;

use mf_transport::Completion;

thread_local! {
    /// Nothing is in flight on it. Taken while it is in use, so a nested call makes a new one.
    static IDLE: Cell<Option<Arc<Completion>>> = const { Cell::new(None) };
}

/// A completion that is used by one call.
pub(super) struct Waiter(Arc<Completion>);

impl Waiter {
    pub(super) fn new() -> Self {
        // A thread that ends has dropped it.
        let idle = IDLE.try_with(Cell::take).ok().flatten();
        Self(idle.unwrap_or_default())
    }
}

impl Deref for Waiter {
    type Target = Arc<Completion>;

    fn deref(&self) -> &Arc<Completion> {
        &self.0
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        // A holder of a share that remains has counted its end, and only wakes after that, which is harmless.
        if self.0.is_done() && self.0.outcome().is_ok() {
            self.0.unguard();
            let own = Arc::clone(&self.0);
            let _ = IDLE.try_with(|idle| idle.set(Some(own)));
        }
    }
}
