// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads of the library inside other programs' processes: no signal handler of the host ever runs on them,
//! and no signal that one of them raises (`SIGPIPE`, by libraries that write to sockets) ends the process.
//!
//! When the program has ended its main thread, `signals.rs` keeps its signals from staying pending.
//!
//! Threads that call the application back are started without this: threads and programs that it starts there
//! would inherit the mask.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use super::signals::{Masked, Running};
use crate::interrupt;

/// Starts a thread that takes no signals.
///
/// # Errors
/// As for [`Builder::spawn`].
pub fn spawn<T: Send + 'static>(
    name: &str,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let running = Running::begin();
    // A new thread inherits the mask of its maker.
    let _blocked = Masked::all();
    builder(name).spawn(move || {
        let _running = running;
        interrupt::never();
        run()
    })
}

/// Starts a thread that takes no signals and ends with `scope`.
///
/// # Errors
/// As for [`Builder::spawn_scoped`].
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    run: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let running = Running::begin();
    let _blocked = Masked::all();
    builder(name).spawn_scoped(scope, move || {
        let _running = running;
        interrupt::never();
        run()
    })
}

fn builder(name: &str) -> Builder {
    Builder::new().name(name.to_owned())
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
    fn service_threads_block_signals_and_their_creator_does_not() {
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
