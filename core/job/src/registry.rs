// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The jobs that this process is a member of, and which tenants take part in each.

use std::sync::{Arc, Condvar};
use std::time::Instant;

use mf_base::interrupt::InterruptPoll;
use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind, Rank, Result};
use mf_bootstrap::StoreUrl;

use crate::membership::Job;
use crate::{Config, Tenant};

static MEMBERSHIPS: PerProcess<Vec<MembershipEntry>> = PerProcess::new(Vec::new());
static CHANGED: Condvar = Condvar::new();

/// One membership of this process.
struct MembershipEntry {
    number: u64,
    url: String,
    /// The rank that was asked for, then the rank that it is.
    rank: Option<Rank>,
    tenants: Vec<Tenant>,
    stage: Stage,
}

enum Stage {
    /// A tenant is joining.
    Beginning,
    Member(Arc<Job>),
    /// The last tenant is leaving.
    Ending,
}

/// The part of one tenant in one membership.
pub(super) struct Claim {
    number: u64,
    tenant: Tenant,
}

impl Claim {
    /// Takes part in a membership that other tenants have; waits for one that is beginning or ending. None is
    /// there: a new one, which the caller is to join.
    pub(super) fn take(
        tenant: Tenant,
        url: &StoreUrl,
        config: &Config,
        operation: &'static str,
    ) -> Result<Self> {
        let (url, deadline) = (url.to_string(), Instant::now() + config.store.init_timeout);
        let (mut entries, mut interrupt) = (MEMBERSHIPS.lock(), InterruptPoll::new());
        loop {
            let open = |entry: &&mut MembershipEntry| {
                entry.url == url && entry.tenants.iter().all(|other| tenant.may_share_with(*other))
            };
            let fits =
                |entry: &MembershipEntry| entry.rank.zip(config.rank).is_none_or(|(is, asked)| is == asked);
            // One that fits before one that does not: there may be several, of several ranks in this process.
            let index = entries.iter_mut().filter(open).map(|entry| (fits(entry), entry.number)).max();
            let Some(entry) = index.and_then(|(_, number)| find(&mut entries, number)) else {
                let number = entries.iter().map(|entry| entry.number).max().unwrap_or(0) + 1;
                let (rank, tenants) = (config.rank, vec![tenant]);
                entries.push(MembershipEntry { number, url, rank, tenants, stage: Stage::Beginning });
                return Ok(Self { number, tenant });
            };
            if matches!(entry.stage, Stage::Member(_)) {
                entry.tenants.push(tenant);
                return Ok(Self { number: entry.number, tenant });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::new(Kind::Timeout, operation)
                    .what("this process is joining or leaving the same job in another thread")
                    .with("store", url));
            }
            entries = entries.wait(&CHANGED, interrupt.within(left));
            if interrupt.is_due() {
                drop(entries);
                interrupt.check(operation)?;
                entries = MEMBERSHIPS.lock();
            }
        }
    }

    /// The membership, unless the caller is to join it.
    pub(super) fn job(&self) -> Option<Arc<Job>> {
        match &find(&mut MEMBERSHIPS.lock(), self.number)?.stage {
            Stage::Member(job) => Some(Arc::clone(job)),
            Stage::Beginning | Stage::Ending => None,
        }
    }

    /// The caller has joined it.
    pub(super) fn joined(&self, job: Job) -> Arc<Job> {
        let job = Arc::new(job);
        if let Some(entry) = find(&mut MEMBERSHIPS.lock(), self.number) {
            entry.rank = job.rank();
            entry.stage = Stage::Member(Arc::clone(&job));
        }
        CHANGED.notify_all();
        job
    }

    /// Ends this part; calls `close` when it was the last one.
    pub(super) fn give_back(&self, close: impl FnOnce()) {
        let is_last = match find(&mut MEMBERSHIPS.lock(), self.number) {
            Some(entry) => {
                entry.tenants.retain(|tenant| *tenant != self.tenant);
                let is_last = entry.tenants.is_empty();
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
        MEMBERSHIPS.lock().retain(|entry| entry.number != self.number);
        CHANGED.notify_all();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Joining has failed.
        let failed = find(&mut MEMBERSHIPS.lock(), self.number)
            .is_some_and(|entry| matches!(entry.stage, Stage::Beginning));
        if failed {
            self.forget();
        }
    }
}

/// Calls `show` for each membership of this process. It must not wait: no tenant comes or goes meanwhile.
pub(crate) fn for_each(mut show: impl FnMut(&Job)) {
    for entry in MEMBERSHIPS.lock().iter() {
        if let Stage::Member(job) = &entry.stage {
            show(job);
        }
    }
}

fn find(entries: &mut [MembershipEntry], number: u64) -> Option<&mut MembershipEntry> {
    entries.iter_mut().find(|entry| entry.number == number)
}
