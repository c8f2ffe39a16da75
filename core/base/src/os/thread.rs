// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads that live in other people's processes: no signal handler of the host ever runs on them, and no signal that one
//! of them raises (`SIGPIPE`, by libraries that write to sockets) ends the process.
//!
//! Threads that call the application back are started without this: what it starts there would inherit the mask.

use std::io;
use std::mem::MaybeUninit;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use crate::interrupt;

/// Starts a thread that takes no signals.
///
/// # Errors
/// Those of [`Builder::spawn`].
pub fn spawn<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let _blocked = SignalsBlocked::new();
    builder(name).spawn(|| {
        interrupt::never();
        run()
    })
}

/// Starts a thread that takes no signals and ends with `scope`.
///
/// # Errors
/// Those of [`Builder::spawn_scoped`].
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    run: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let _blocked = SignalsBlocked::new();
    builder(name).spawn_scoped(scope, || {
        interrupt::never();
        run()
    })
}

fn builder(name: &str) -> Builder {
    Builder::new().name(name.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of the signals that the calling thread blocks.
    fn blocked() -> u64 {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap()
    }

    #[test]
    fn threads_take_no_signals_and_their_maker_does_as_before() {
        let own = blocked();
        let pipe = 1 << (libc::SIGPIPE - 1);
        assert_eq!(spawn("one", blocked).unwrap().join().unwrap() & pipe, pipe);
        std::thread::scope(|scope| {
            let scoped = spawn_scoped(scope, "another", blocked).unwrap();
            assert_eq!(scoped.join().unwrap() & pipe, pipe);
        });
        assert_eq!(blocked(), own);
    }
}
