// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads that live in other people's processes: no signal handler of the host ever runs on them.

use std::io;
use std::mem::MaybeUninit;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Enough for copies, errors and their texts.
const STACK_BYTES: usize = 256 << 10;

/// Starts a thread that takes no signals.
pub(super) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let _blocked = SignalsBlocked::new();
    builder(name).spawn(run)
}

/// Starts a thread that takes no signals and ends with `scope`.
pub(super) fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    run: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let _blocked = SignalsBlocked::new();
    builder(name).spawn_scoped(scope, run)
}

/// This process, to notice in a child that the threads stayed in the parent.
pub(super) fn process() -> u32 {
    std::process::id()
}

fn builder(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK_BYTES)
}

/// A new thread inherits the mask of its maker, so all signals are blocked around its making.
struct SignalsBlocked {
    before: Option<libc::sigset_t>,
}

impl SignalsBlocked {
    fn new() -> Self {
        let mut all = MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: the set is ours; the call fills it.
        unsafe { libc::sigfillset(all.as_mut_ptr()) };
        // SAFETY: the first set was filled by the line above, the second is written by the call when it succeeds.
        let result = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr()) };
        if result != 0 {
            return Self { before: None };
        }
        // SAFETY: the successful call has written it.
        let before = unsafe { before.assume_init() };
        Self { before: Some(before) }
    }
}

impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // SAFETY: the mask is the one that this thread had.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut()) };
        }
    }
}
