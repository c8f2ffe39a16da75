// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Engine: one a process, shared by all its members. It has the progress thread; the [`Roster`] of members
//! and listeners; and the [`Core`] that they use. One more member costs neither a thread nor, unless it has a
//! listening address of its own, a socket.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::os::process::Owner;
use mf_base::os::service::{self, Panicked};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use crate::process_core::{Command, Core};
use crate::progress::Progress;
use crate::roster::Roster;
use crate::secure;
use crate::shared::Shared;

const OP: &str = "tcp start";

/// The progress thread of a process, its members and listeners. Ends with the last member that holds it.
pub struct Engine {
    pub(crate) roster: Arc<Roster>,
    thread: Mutex<Option<JoinHandle<()>>>,
    owner: Owner,
}

impl Engine {
    /// Starts the progress thread; no peer is let in before a member [joins](Self::join).
    ///
    /// # Errors
    /// `NoResources` no descriptors or threads left.
    pub fn start() -> Result<Arc<Self>> {
        let core = Arc::new(Core::new(OP)?);
        let roster = Arc::new(Roster::new(core, Arc::new(secure::channels()?)));
        let progress = Progress::new(Arc::clone(&roster));
        let failing = Arc::clone(&roster);
        let failed = move |panicked: &Panicked| failing.fail(panicked);
        let thread = service::spawn("mf-tcp", move || progress.run(), failed).map_err(|error| {
            Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
        })?;
        Ok(Arc::new(Self { roster, thread: Mutex::new(Some(thread)), owner: Owner::current() }))
    }

    /// Returns true if this process started it; a forked child's copy is not its own.
    pub(crate) fn is_own(&self) -> bool {
        self.owner.is_current()
    }

    /// Ends all work for this member before it returns, unless the progress thread itself calls.
    pub(crate) fn leave(&self, member: &Arc<Shared>) {
        let (left, has_left) = sync_channel(1);
        self.roster.core.command(Command::Leave(member.me, left));
        let is_running = || {
            let thread = lock(&self.thread);
            let is_another = |thread: &JoinHandle<()>| thread.thread().id() != std::thread::current().id();
            thread.as_ref().is_some_and(|thread| is_another(thread) && !thread.is_finished())
        };
        while is_running() && has_left.recv_timeout(CHECK) == Err(RecvTimeoutError::Timeout) {}
        if self.roster.core.health.failure().is_some() {
            self.roster.remove(member);
        }
    }

    /// Threads that belong to it now.
    pub(crate) fn threads(&self) -> usize {
        1 + self.roster.core.copiers.threads()
    }
}

/// Interval at which a waiter for an answer checks that the progress thread still runs.
const CHECK: Duration = Duration::from_millis(100);

impl Drop for Engine {
    fn drop(&mut self) {
        let thread = lock(&self.thread).take();
        if !self.is_own() {
            // The thread is the parent's.
            std::mem::forget(thread);
            return;
        }
        self.roster.core.closing.store(true, Ordering::Release);
        self.roster.core.wake();
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            // A panic of it was reported when it happened.
            let _ = thread.join();
        }
    }
}
