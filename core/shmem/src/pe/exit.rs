// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Global exit: ends the program on all PEs, independent of their state.
//!
//! One PE announces the status in the store of the job; each PE has a thread that waits for it and ends its
//! process. Exit handlers of the program do not run: the other threads may be anywhere, also in a collective
//! call that never ends. Standard streams are flushed, with a time limit: a thread of the program may hold a
//! stream while it reads.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::{Rank, Result};
use mf_fabric::space::Presence;

use super::Pe;

/// Longest wait for flushing streams.
const FLUSHING: Duration = Duration::from_secs(1);
/// Longest wait of the PE that hosts the store, so that the others learn the status.
const HOSTING: Duration = Duration::from_secs(5);
/// Pause between two checks whether the others have left.
const PAUSE: Duration = Duration::from_millis(1);

impl Pe {
    /// Ends the processes of all PEs, this one included, with `status`.
    pub(crate) fn global_exit(&self, status: i32) -> ! {
        if self.check("symmetric global exit").is_ok()
            && let Err(error) = self.object.exit_all(status)
        {
            tracing::error!("the other PEs do not learn that the program ends: {error}");
        }
        self.await_others_left();
        leave(status)
    }

    /// Starts the thread that ends this process when a PE announces it; `before` runs first.
    pub(crate) fn end_with_others(
        &self,
        operation: &'static str,
        before: impl Fn() + Send + Sync + 'static,
    ) -> Result<()> {
        let callback = move |status| {
            before();
            leave(status)
        };
        self.object.on_exit(operation, Box::new(callback))
    }

    /// If this process hosts the store of the job: waits until no other PE needs it.
    pub(crate) fn await_others_left(&self) {
        if !self.is_served_here && self.membership.served_address().is_none() {
            return;
        }
        let until = Instant::now() + HOSTING;
        let others = || (0..self.n_pes()).map(Rank).filter(|rank| rank.0 != self.my_pe());
        let is_there = |rank: Rank| self.pool().presence(rank) == Presence::Joined;
        while others().any(is_there) && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Ends this process, after the streams were flushed or the limit passed.
fn leave(status: i32) -> ! {
    let (flushed, is_flushed) = channel();
    let flush = move || {
        // SAFETY: null stands for all streams of the C library, which locks each.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        let _ = flushed.send(());
    };
    if thread::spawn("mf-flush", flush).is_ok() {
        let _ = is_flushed.recv_timeout(FLUSHING);
    }
    // SAFETY: ends the process without its handlers.
    unsafe { libc::_exit(status) }
}
