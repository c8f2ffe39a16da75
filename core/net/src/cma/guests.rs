// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Guests: processes that may use memory of this one. A page with each, and the withdrawal of their grants.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::calls;
use super::page::Page;
use crate::link::ConnectionId;

const OP: &str = "withdrawal of memory";
/// Polls of the page, then turns of the scheduler, before the thread sleeps.
const SPINS: u32 = 200;
const YIELDS: u32 = 50;
/// One sleep.
const NAP: Duration = Duration::from_millis(1);

/// One process, as it came over one connection.
pub(super) struct Guest {
    page: Page,
    /// As the kernel reports it; `None` in an invisible PID namespace, where its own number names another
    /// process, if any.
    pid: Option<u32>,
    /// Descriptor by which its end is detected; `None`: by the end of its connection.
    process: Option<OwnedFd>,
    is_connected: AtomicBool,
    /// The last file that it asked for, for whether it must be notified of ends.
    pub(super) files: AtomicU64,
    /// Held by the thread that withdraws.
    withdrawing: Mutex<()>,
}

impl Guest {
    pub(super) fn new((pid, process): (Option<u32>, Option<OwnedFd>), page: Page) -> Self {
        page.visits().promise_order();
        Self {
            page,
            pid,
            process,
            is_connected: AtomicBool::new(true),
            files: AtomicU64::new(0),
            withdrawing: Mutex::new(()),
        }
    }

    /// Returns the epoch; to be read before a grant is checked.
    pub(super) fn epoch(&self) -> u64 {
        self.page.visits().epoch()
    }

    /// Returns true if its process has ended; sleeps at most so long.
    fn has_ended(&self, wait: Duration) -> bool {
        match &self.process {
            Some(process) => calls::has_ended(process, wait),
            None if !self.is_connected.load(Ordering::Acquire) => true,
            None => {
                std::thread::sleep(wait);
                false
            }
        }
    }

    /// Returns true if it makes no accesses any more.
    fn is_over(&self) -> bool {
        let is_connected = self.is_connected.load(Ordering::Acquire);
        !is_connected && (self.page.visits().is_quiet() || self.has_ended(Duration::ZERO))
    }

    /// Waits until a condition holds or the process has ended, at most until `deadline`.
    fn wait(&self, deadline: Instant, holds: impl Fn() -> bool) -> Result<()> {
        for turn in 0.. {
            if holds() {
                return Ok(());
            }
            match turn {
                0..SPINS => std::hint::spin_loop(),
                SPINS..YIELDS_END => std::thread::yield_now(),
                _ if self.has_ended(NAP) => return Ok(()),
                _ if Instant::now() >= deadline => return Err(self.hangs()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Ends the epoch: when it returns no access relies on an earlier grant that is not valid now.
    fn withdraw(&self, deadline: Instant) -> Result<()> {
        let _withdrawing = lock(&self.withdrawing);
        let visits = self.page.visits();
        self.wait(deadline, || visits.may_advance())?;
        let former = visits.advance();
        self.wait(deadline, || visits.is_over(former))
    }

    /// Closes the page: when it returns no memory is accessed any more.
    fn close(&self, deadline: Instant) -> Result<()> {
        let visits = self.page.visits();
        visits.close();
        self.wait(deadline, || visits.is_quiet())
    }

    #[cold]
    fn hangs(&self) -> Error {
        let error = Error::new(Kind::Timeout, OP)
            .what("a process hangs in the middle of a copy from or to this memory");
        match self.pid {
            Some(pid) => error.with("pid", pid),
            None => error.with("pid", "invisible, in another PID namespace"),
        }
        .hint("the memory must stay: continue or end that process, then withdraw again")
    }
}

const YIELDS_END: u32 = SPINS + YIELDS;

/// All of them, by connection.
#[derive(Default)]
pub(super) struct Guests(Mutex<BTreeMap<ConnectionId, Arc<Guest>>>);

impl Guests {
    pub(super) fn insert(&self, connection: ConnectionId, guest: Guest) {
        lock(&self.0).insert(connection, Arc::new(guest));
    }

    pub(super) fn get(&self, connection: ConnectionId) -> Option<Arc<Guest>> {
        lock(&self.0).get(&connection).cloned()
    }

    /// Its connection has ended. It may be in the middle of a copy.
    pub(super) fn closed(&self, connection: ConnectionId) {
        if let Some(guest) = lock(&self.0).get(&connection) {
            guest.is_connected.store(false, Ordering::Release);
        }
        self.forget_gone();
    }

    /// Returns the number of connected guests.
    pub(super) fn connected(&self) -> usize {
        lock(&self.0).values().filter(|guest| guest.is_connected.load(Ordering::Relaxed)).count()
    }

    /// Returns the connections of guests that asked for files.
    pub(super) fn with_files(&self) -> Vec<ConnectionId> {
        let asked = |(connection, guest): (&ConnectionId, &Arc<Guest>)| {
            (guest.files.load(Ordering::Relaxed) > 0).then_some(*connection)
        };
        lock(&self.0).iter().filter_map(asked).collect()
    }

    /// Withdraws revoked grants from all.
    ///
    /// # Errors
    /// `Timeout` names the first that hangs; from the others they are withdrawn.
    pub(super) fn withdraw(&self, deadline: Instant) -> Result<()> {
        self.each(|guest| guest.withdraw(deadline))
    }

    /// Withdraws all grants.
    ///
    /// # Errors
    /// As [`withdraw`](Self::withdraw).
    pub(super) fn close(&self, deadline: Instant) -> Result<()> {
        self.each(|guest| guest.close(deadline))
    }

    fn each(&self, work: impl Fn(&Guest) -> Result<()>) -> Result<()> {
        let all: Vec<Arc<Guest>> = lock(&self.0).values().cloned().collect();
        let mut first = Ok(());
        let mut some_are_gone = false;
        for guest in all {
            let done = work(&guest);
            first = first.and(done);
            some_are_gone |= !guest.is_connected.load(Ordering::Relaxed);
        }
        if some_are_gone {
            self.forget_gone();
        }
        first
    }

    fn forget_gone(&self) {
        lock(&self.0).retain(|_, guest| !guest.is_over());
    }
}
