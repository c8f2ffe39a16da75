// SPDX-License-Identifier: Apache-2.0 OR MIT
//! PerProcessState of a process that a forked child begins anew.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::process::Owner;
use crate::sync::{lock, wait_notified_for};

/// Per-process state, guarded by a lock. A forked child finds the default: inherited state is forgotten, not
/// dropped, because its threads, sockets and devices are the parent's.
pub struct PerProcess<T>(Mutex<PerProcessState<T>>);

struct PerProcessState<T> {
    /// The process that has used it. `None`: not used yet.
    owner: Option<Owner>,
    value: T,
}

/// The state, locked.
pub struct Locked<'a, T>(MutexGuard<'a, PerProcessState<T>>);

impl<T> PerProcess<T> {
    /// PerProcessState that begins with `value`, which is the default of its type.
    pub const fn new(value: T) -> Self {
        Self(Mutex::new(PerProcessState { owner: None, value }))
    }
}

impl<T: Default> PerProcess<T> {
    /// Locks the state, also after a panic of an earlier holder.
    pub fn lock(&self) -> Locked<'_, T> {
        let mut state = lock(&self.0);
        if !state.owner.is_some_and(|owner| owner.is_current())
            && state.owner.replace(Owner::current()).is_some()
        {
            std::mem::forget(std::mem::take(&mut state.value));
        }
        Locked(state)
    }

    /// Takes the state, and leaves the default.
    pub fn take(&self) -> T {
        std::mem::take(&mut self.lock())
    }
}

impl<'a, T> Locked<'a, T> {
    /// Waits until `changed` is notified, at most for `timeout`.
    #[must_use]
    pub fn wait(self, changed: &Condvar, timeout: Duration) -> Self {
        Self(wait_notified_for(changed, self.0, timeout))
    }
}

impl<T> Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0.value
    }
}

impl<T> fmt::Debug for PerProcess<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerProcess").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails the child that drops it.
    struct Parents;

    impl Drop for Parents {
        fn drop(&mut self) {
            // SAFETY: ends a child without the parent's handlers.
            unsafe { libc::_exit(9) };
        }
    }

    #[test]
    fn forked_child_starts_with_fresh_state() {
        static STATE: PerProcess<Option<Parents>> = PerProcess::new(None);
        static COUNT: PerProcess<u32> = PerProcess::new(0);
        *STATE.lock() = Some(Parents);
        *COUNT.lock() += 3;
        // SAFETY: the child only reads its memory, and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let is_new = STATE.lock().is_none() && *COUNT.lock() == 0;
            *COUNT.lock() += 1;
            let code = i32::from(!(is_new && COUNT.take() == 1 && *COUNT.lock() == 0));
            // SAFETY: ends the child without the parent's handlers.
            unsafe { libc::_exit(code) };
        }
        let mut status = 0;
        // SAFETY: the child was just made, and no other code waits for it.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status:#x}");
        assert_eq!(*COUNT.lock(), 3);
        std::mem::forget(STATE.take());
    }
}
