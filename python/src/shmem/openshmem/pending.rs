// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects in use by non-blocking operations: kept alive until the quiet that completes them.
//!
//! A program may drop an array right behind `put_nbi`, and an operation over a network reads it later.
//! Where the memory of the PE is mapped, the operation is complete on return, and nothing is kept.

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::lock::lock;

/// Each with the context that it is used on.
static PENDING: Mutex<Vec<(usize, Py<PyAny>)>> = Mutex::new(Vec::new());

/// Keeps an object until the context is quiet.
#[cold]
pub(super) fn keep(context: usize, object: &Bound<'_, PyAny>) {
    lock(&PENDING).push((context, object.clone().unbind()));
}

/// Objects pending on a context when a quiet begins.
pub(super) struct Pending(Vec<(usize, Py<PyAny>)>);

impl Pending {
    /// Takes the pending objects.
    #[inline]
    pub(super) fn take(context: usize) -> Self {
        let mut pending = lock(&PENDING);
        if pending.is_empty() {
            return Self(Vec::new());
        }
        let (mine, others) = std::mem::take(&mut *pending).into_iter().partition(|(on, _)| *on == context);
        *pending = others;
        Self(mine)
    }

    /// Keeps it on: the quiet was left before its end.
    pub(super) fn put_back(self) {
        lock(&PENDING).extend(self.0);
    }
}

/// Drops the objects kept for a destroyed context; without one for all, since the heap has ended.
#[pyfunction]
#[pyo3(signature = (context=None))]
pub(super) fn release_pending(context: Option<usize>) {
    let released = match context {
        Some(context) => Pending::take(context).0,
        None => std::mem::take(&mut *lock(&PENDING)),
    };
    // Objects are dropped when the lock is free: that may run anything.
    drop(released);
}
