// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pending operations of streams, that have not begun. Each is taken once, and then performed or dropped: by
//! the stream that reaches it, or by the end of the world, which does not wait for streams that never reach
//! it, or that are gone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::sync::lock;
use mf_fabric::objects::Launch;

use crate::World;

/// Action on a world when a stream reaches the operation.
pub(super) type Action = Box<dyn FnOnce(&World) -> Result<()> + Send>;

/// An operation, and the guard for which the end of the world waits.
pub(super) type Operation = (Action, Launch);

/// The pending operations of a world, by number.
#[derive(Clone, Default)]
pub(crate) struct Pending(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    operations: BTreeMap<u64, Operation>,
    next: u64,
}

impl Pending {
    /// Adds one.
    pub(super) fn add(&self, operation: Operation) -> u64 {
        let mut state = lock(&self.0);
        state.next += 1;
        let number = state.next;
        state.operations.insert(number, operation);
        number
    }

    /// Takes an operation; `None` if it was taken already.
    pub(super) fn take(&self, number: u64) -> Option<Operation> {
        lock(&self.0).operations.remove(&number)
    }

    /// Drops all. Returns their number.
    pub(crate) fn drop_all(&self) -> usize {
        // Dropped without the lock: they may own the last reference to values with a drop of their own.
        let dropped = std::mem::take(&mut lock(&self.0).operations);
        dropped.len()
    }
}
