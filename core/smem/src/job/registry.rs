// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The jobs that this process is a member of, and which interfaces take part in each.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mf_base::interrupt::InterruptPoll;
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Rank, Result};
use mf_store::StoreUrl;

use super::{Interface, Job};
use crate::bm::Config;

static MEMBERSHIPS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
static CHANGED: Condvar = Condvar::new();

/// One membership of this process.
struct Entry {
    number: u64,
    url: String,
    /// The rank that was asked for, then the rank that it is.
    rank: Option<Rank>,
    users: Vec<Interface>,
    stage: Stage,
    owner: Owner,
}

enum Stage {
    /// Somebody is joining.
    Beginning,
    Member(Arc<Job>),
    /// Somebody says goodbye.
    Ending,
}

fn lock() -> MutexGuard<'static, Vec<Entry>> {
    MEMBERSHIPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The part of one interface in one membership.
pub(super) struct Claim {
    number: u64,
    interface: Interface,
}

impl Claim {
    /// Takes part in a membership that another interface has; waits for one that is beginning or ending. None
    /// is there: a new one, which the caller is to join.
    pub(super) fn take(
        interface: Interface,
        url: &StoreUrl,
        config: &Config,
        operation: &'static str,
    ) -> Result<Self> {
        let (url, deadline) = (url.to_string(), Instant::now() + config.init_timeout);
        let (mut entries, mut interrupt) = (lock(), InterruptPoll::new());
        loop {
            // What a forked child has of its parent is not its own.
            entries.retain(|entry| entry.owner.is_current());
            let open = |entry: &&mut Entry| entry.url == url && !entry.users.contains(&interface);
            let fits = |entry: &Entry| entry.rank.zip(config.rank).is_none_or(|(is, asked)| is == asked);
            // One that fits before one that does not: there may be several, of several ranks in this process.
            let index = entries.iter_mut().filter(open).map(|entry| (fits(entry), entry.number)).max();
            let Some(entry) = index.and_then(|(_, number)| find(&mut entries, number)) else {
                let number = entries.iter().map(|entry| entry.number).max().unwrap_or(0) + 1;
                let (users, owner) = (vec![interface], Owner::current());
                entries.push(Entry { number, url, rank: config.rank, users, stage: Stage::Beginning, owner });
                return Ok(Self { number, interface });
            };
            if matches!(entry.stage, Stage::Member(_)) {
                entry.users.push(interface);
                return Ok(Self { number: entry.number, interface });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::new(Kind::Timeout, operation)
                    .what("this process is joining or leaving the same job in another thread")
                    .with("store", url));
            }
            let left = interrupt.within(left);
            entries = CHANGED.wait_timeout(entries, left).unwrap_or_else(PoisonError::into_inner).0;
            if interrupt.is_due() {
                drop(entries);
                interrupt.check(operation)?;
                entries = lock();
            }
        }
    }

    /// The membership, unless the caller is to join it.
    pub(super) fn job(&self) -> Option<Arc<Job>> {
        match &find(&mut lock(), self.number)?.stage {
            Stage::Member(job) => Some(Arc::clone(job)),
            Stage::Beginning | Stage::Ending => None,
        }
    }

    /// The caller has joined it.
    pub(super) fn joined(&self, job: Job) -> Arc<Job> {
        let job = Arc::new(job);
        if let Some(entry) = find(&mut lock(), self.number) {
            entry.rank = job.rank();
            entry.stage = Stage::Member(Arc::clone(&job));
        }
        CHANGED.notify_all();
        job
    }

    /// Ends this part; calls `close` when it was the last one.
    pub(super) fn give_back(&self, close: impl FnOnce()) {
        let is_last = match find(&mut lock(), self.number) {
            Some(entry) => {
                entry.users.retain(|user| *user != self.interface);
                let is_last = entry.users.is_empty();
                if is_last {
                    entry.stage = Stage::Ending;
                }
                is_last
            }
            None => false,
        };
        if is_last {
            close();
            self.forget();
        }
    }

    fn forget(&self) {
        lock().retain(|entry| entry.number != self.number);
        CHANGED.notify_all();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Joining has failed.
        let failed =
            find(&mut lock(), self.number).is_some_and(|entry| matches!(entry.stage, Stage::Beginning));
        if failed {
            self.forget();
        }
    }
}

fn find(entries: &mut [Entry], number: u64) -> Option<&mut Entry> {
    entries.iter_mut().find(|entry| entry.number == number)
}
