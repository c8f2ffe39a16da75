// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations that are on streams and have not begun. Who takes one does it, or drops it: the stream that
//! gets there, or the end of the world, which does not wait for streams that never do, or that are gone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::sync::lock;
use mf_fabric::objects::Launch;

use crate::World;

/// What a world does when a stream gets there.
pub(super) type Action = Box<dyn FnOnce(&World) -> Result<()> + Send>;

/// An operation, and the note that it is to be waited for.
pub(super) type Operation = (Action, Launch);

/// The operations of a world that have not begun, by a number each.
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

    /// Takes one; none: it was taken.
    pub(super) fn take(&self, number: u64) -> Option<Operation> {
        lock(&self.0).operations.remove(&number)
    }

    /// Drops all; how many.
    pub(crate) fn drop_all(&self) -> usize {
        // Not under the lock: they may be the last that know something with a drop of its own.
        let dropped = std::mem::take(&mut lock(&self.0).operations);
        dropped.len()
    }
}
