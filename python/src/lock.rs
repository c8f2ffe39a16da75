// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locks of this extension: held for a few instructions, never while Python code runs.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, ignoring poison: the guarded state is consistent wherever code can unwind.
#[inline]
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
