// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locking of mutexes.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
