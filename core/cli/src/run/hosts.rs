// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between the commands of several hosts, so that their job restarts on all of them.
//!
//! They are members of a separate store, with host numbers as ranks; the first host serves it, two ports
//! above the job's. A start of the job is a *round*: all begin it together, one that has a failure reports it
//! to the others, which then end their ranks, and at its end all get the outcome of each, and so decide
//! alike. A host that is lost, or leaves before that, ends the job.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::thread::spawn;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_bootstrap::StoreUrl;
use mf_program::output::note;
use mf_program::signals;
use mf_store::{Change, Lifetime};
use rustix::event::{EventfdFlags, eventfd};

use super::OPERATION;
use super::supervise::Ended;
use crate::job_store::JobStore;

/// Longest time for a request that does not wait for others.
const REQUEST: Duration = Duration::from_secs(60);
/// Key prefix of failures; the round and the host follow.
const FAILED: &str = "failed/";

/// Membership of one host's command among the commands of all hosts.
pub(super) struct Hosts {
    /// With the server on the first host.
    store: Arc<JobStore>,
    number: u32,
    count: u32,
    round: u32,
    inbox: Arc<Inbox>,
}

/// Messages from other hosts.
struct Inbox {
    /// Readable when there is something new.
    wake: OwnedFd,
    noted: Mutex<Noted>,
}

#[derive(Clone, Copy, Default)]
struct Noted {
    round: u32,
    /// A host that has a failure in this round, and the exit code of that.
    failed: Option<(u32, u8)>,
    lost: Option<u32>,
}

/// The others will not come any more.
static IS_OVER: Mutex<bool> = Mutex::new(false);

/// True if a host of the job is gone, which ends the waits of this one.
pub(crate) fn is_over() -> bool {
    *lock(&IS_OVER)
}

impl Inbox {
    fn note(&self, change: impl FnOnce(&mut Noted)) {
        change(&mut lock(&self.noted));
        // The counter of a descriptor that is read at once has room.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}

impl Hosts {
    /// Meets the others at `url`. Blocks until the first host is there, or a signal ends the wait.
    ///
    /// # Errors
    /// Errors of the store.
    pub(super) fn meet(number: u32, count: u32, url: &StoreUrl) -> Result<Self> {
        let store = JobStore::join(&url.to_string(), number, count, REQUEST)?;
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|errno| Error::os(OPERATION, errno))?;
        let inbox = Arc::new(Inbox { wake, noted: Mutex::default() });
        let noted = Arc::clone(&inbox);
        let on_failure = move |change: &Change| match change {
            Change::Put(entry) => noted.note(|noted| noted.take(&entry.key, &entry.value)),
            Change::StoreLost => report_loss(&noted, 0),
            Change::Removed { .. } => {}
        };
        store.watch(FAILED, false, on_failure)?;
        let noted = Arc::clone(&inbox);
        store.watch_departures(move |rank| report_loss(&noted, rank))?;
        Ok(Self { store: Arc::new(store), number, count, round: 0, inbox })
    }

    /// Begins a round, as all do. Blocks until all are there, or a signal ends the wait.
    ///
    /// # Errors
    /// `Interrupted`, also when a host is lost · errors of the store.
    pub(super) fn begin(&mut self, round: u32) -> Result<()> {
        self.round = round;
        self.inbox.note(|noted| (noted.round, noted.failed) = (round, None));
        let began = self.store.barrier(&format!("begin/{round}"), self.count);
        began.map_err(|error| self.explained(error))
    }

    /// Readable when [`news`](Self::news) has something.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.inbox.wake.as_fd()
    }

    /// Reason for ending the ranks of this host, as text, and the exit code.
    pub(super) fn news(&self) -> Option<(String, u8)> {
        let _ = rustix::io::read(&self.inbox.wake, &mut [0; 8]);
        let noted = *lock(&self.inbox.noted);
        let failed = noted.failed.map(|(host, code)| (format!("host {host} has failed"), code));
        failed.or_else(|| Some((lost_text(noted.lost?), 1)))
    }

    /// Reports to the others that this host has a failure. Does not wait.
    pub(super) fn fail(&self, code: u8) {
        let (store, key) = (Arc::clone(&self.store), self.key());
        // Whom it does not reach gets it at the end of the round.
        let _ = spawn("mf-run", move || store.set(&key, &[code], Lifetime::Session));
    }

    fn key(&self) -> String {
        format!("{FAILED}{}/{}", self.round, self.number)
    }

    /// Ends a round: how it ended on all hosts together. Blocks until it has, or a signal ends the wait.
    ///
    /// # Errors
    /// `Interrupted`, also when a host is lost · errors of the store.
    pub(super) fn end(&self, own: &Ended) -> Result<Ended> {
        if own.code != 0 {
            let set = self.store.set(&self.key(), &[own.code], Lifetime::Session);
            set.map_err(|error| self.explained(error))?;
        }
        let (name, value) = (format!("end/{}", self.round), [own.code, u8::from(own.may_restart)]);
        let parts = self.store.allgather(&name, self.count, &value);
        let parts = parts.map_err(|error| self.explained(error))?;
        let all: Vec<(u8, u8)> = parts
            .iter()
            .map(|part| match part[..] {
                [code, may_restart] => (code, may_restart),
                _ => (1, 0),
            })
            .collect();
        let first = all.iter().map(|(code, _)| *code).find(|code| *code != 0);
        let code = if own.code != 0 { own.code } else { first.unwrap_or(0) };
        Ok(Ended { code, may_restart: all.iter().all(|(_, may_restart)| *may_restart != 0) })
    }

    /// An interrupted wait names the host that is lost.
    fn explained(&self, error: Error) -> Error {
        let lost = lock(&self.inbox.noted).lost.filter(|_| error.kind() == Kind::Interrupted);
        match lost.filter(|_| signals::stop_signal().is_none()) {
            Some(host) => Error::new(Kind::NotConnected, OPERATION).what(lost_text(host)),
            None => error,
        }
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.store.close();
    }
}

impl Noted {
    fn take(&mut self, key: &str, value: &[u8]) {
        let place = key.strip_prefix(FAILED).and_then(|place| place.split_once('/'));
        let Some((Ok(round), Ok(host))) = place.map(|(round, host)| (round.parse::<u32>(), host.parse()))
        else {
            return;
        };
        if round == self.round {
            self.failed.get_or_insert((host, value.first().copied().unwrap_or(1)));
        }
    }
}

fn lost_text(host: u32) -> String {
    format!("the command on host {host} is gone")
}

fn report_loss(inbox: &Inbox, host: u32) {
    inbox.note(|noted| {
        noted.lost.get_or_insert(host);
    });
    *lock(&IS_OVER) = true;
}

/// End of a job with hosts that can no longer agree.
pub(super) fn without_others(own: &Ended, error: &Error) -> Ended {
    if signals::stop_signal().is_none() {
        note(&format!("{OPERATION}: {error}"));
    }
    let code = if own.code != 0 { own.code } else { signals::stop_signal().unwrap_or(1) };
    Ended { code, may_restart: false }
}
