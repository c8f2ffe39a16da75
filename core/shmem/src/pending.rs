// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pending operations of streams, that have not begun. Each is taken once, and then performed or dropped: by
//! the stream that reaches it, or by the end of the world, which does not wait for streams that never reach
//! it, or that are gone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::sync::lock;
use mf_fabric::objects::Launch;

/// Action on a world `W` when a stream reaches the operation.
type Action<W> = Box<dyn FnOnce(&W) -> Result<()> + Send>;

/// An operation, and the guard for which the end of the world waits.
pub(crate) type Operation<W> = (Action<W>, Launch);

/// The pending operations of a world `W`, by number.
pub(crate) struct Pending<W>(Arc<Mutex<PendingOperations<W>>>);

struct PendingOperations<W> {
    operations: BTreeMap<u64, Operation<W>>,
    next: u64,
}

impl<W> Clone for Pending<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W> Pending<W> {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(PendingOperations { operations: BTreeMap::new(), next: 0 })))
    }

    /// Adds one.
    pub(crate) fn add(&self, operation: Operation<W>) -> u64 {
        let mut pending = lock(&self.0);
        pending.next += 1;
        let number = pending.next;
        pending.operations.insert(number, operation);
        number
    }

    /// Takes an operation; `None` if it was taken already.
    pub(crate) fn take(&self, number: u64) -> Option<Operation<W>> {
        lock(&self.0).operations.remove(&number)
    }

    /// Drops all. Returns their number.
    pub(crate) fn drop_all(&self) -> usize {
        // Dropped without the lock: they may own the last reference to values with a drop of their own.
        let dropped = std::mem::take(&mut lock(&self.0).operations);
        dropped.len()
    }
}
