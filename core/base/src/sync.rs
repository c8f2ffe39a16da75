// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Synchronisation primitives for state that many threads read on the copy path and few change.
//!
//! * [`counters`]: counters of the hot path, in cells of each thread.
//! * [`rcu`]: RCU: short read sections without a shared write; the writer waits until all running ones have
//!   ended.
//! * [`wait`]: waiting for a word in shared memory; [`pace`]: how long it polls before it sleeps; [`spin`]:
//!   polling before a sleep in the kernel.
//! * [`barrier_state`], [`fences`], [`eventcount`], [`consensus_word`]: barriers between processes in shared
//!   memory: arrivals with the data of each member, asymmetric fences that cost only the rare side, an
//!   eventcount, a consensus on the outcome.
//! * [`lock()`], [`try_lock()`], [`read()`], [`write()`], [`wait_notified()`]: locks and condition variables
//!   that ignore poison.
//! * [`delegation_lock`]: delegation lock: a thread that finds a value taken leaves its work with the holder,
//!   and continues.
//! * [`ring`]: single-producer single-consumer queue with access to items by number.
//! * [`lending`]: registry of loans by key, taken back when they have no users.
//! * [`published`]: RCU table: read without a lock; any thread may replace an entry, also inside a section.
//! * [`single`]: an object of which a process has one.
//! * [`shared_rcu`]: RCU between processes: other processes touch memory of this one, until it is withdrawn
//!   from them.
//! * [`slots`]: handle table; a look-up is a load and a comparison, on top of [`rcu`].

pub mod eventcount;
// Shares only the list of blocks, which is `rcu`'s.
pub mod barrier_state;
#[cfg(not(loom))]
pub mod counters;
pub mod delegation_lock;
pub mod fences;
pub mod lending;
pub mod pace;
#[cfg(not(loom))]
pub mod published;
pub mod rcu;
pub mod ring;
pub mod single;
// Built on the process-wide list of threads, which the model of `rcu` does not have.
pub mod consensus_word;
pub mod shared_rcu;
#[cfg(not(loom))]
pub mod slots;
#[cfg(not(loom))]
pub mod spin;
pub mod wait;

use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};
use std::time::Duration;

/// Locks a mutex, also after its holder panicked: the guarded data is whole at every point where code can
/// unwind.
#[inline]
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `condvar` is notified, or for no reason, as condition variables may.
#[inline]
pub fn wait_notified<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// As [`wait_notified`], at most for `limit`.
#[inline]
pub fn wait_notified_for<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    limit: Duration,
) -> MutexGuard<'a, T> {
    condvar.wait_timeout(guard, limit).unwrap_or_else(PoisonError::into_inner).0
}

/// Locks a mutex as [`lock()`] does, unless it is held: one compare-exchange, no wait.
#[inline]
pub fn try_lock<T: ?Sized>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Locks for reading, as [`lock`] does.
#[inline]
pub fn read<T: ?Sized>(shared: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    shared.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for writing, as [`lock`] does.
#[inline]
pub fn write<T: ?Sized>(shared: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}
