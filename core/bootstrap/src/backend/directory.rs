// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The leader of a `reg://` store: one record in the user's table, `LEADER`, and one lock, `ELECTION`.
//!
//! * **Finding.** [`Directory::find`] reads the record; a leader counts as long as its heartbeat counter
//!   changes within the lease, measured by the reader's clock (`watcher.rs`).
//! * **Election.** A process that may run a store and finds none calls [`Directory::campaign`]: it tries the
//!   lock; with it, it reads the record once more, writes its own with the next term, and releases the lock.
//!   Without the lock it retries with a backoff from 0.1 s to 1 s that differs between processes.
//! * **Keeping.** A [`Keeper`] rewrites the record a few times in a lease. When it finds another's record, or
//!   cannot write for most of a lease, its leadership is over, and it reports that before others may take its
//!   place.
//!
//! # Why two do not lead for long
//! The lock keeps two candidates from writing at a time. A leader that slept for more than a lease may still
//! write once over its successor's record: the successor sees a lower term and writes its own again, the
//! sleeper sees a higher one and ends. In between readers keep to the higher term. The store itself has the
//! same rule: members carry the term of their store, and a store of a lower term steps down.
//!
//! A candidate that dies while it holds the lock would block all others where a backend's locks do not end
//! with their holder. So a lock that could not be taken for [`LOCK_LEASES`] leases, during which the record
//! did not change, is released by force, with a warning in the log.
//!
//! A backend that is not [distributed](super::Backend::distributed) is seen by one process only. Then there
//! are no other candidates: a campaign wins at once, and records of other processes, left from earlier runs,
//! count for nothing.

mod keeper;
mod record;
#[cfg(test)]
mod tests;
mod watcher;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::os::per_process::PerProcess;
use mf_base::os::random;
use mf_base::sync::lock;

use super::{Backend, Fault};
pub use keeper::{Keeper, Loss};
pub(crate) use record::Record;
use watcher::{Verdict, Watcher};

const OPERATION: &str = "store directory";
/// The record.
const LEADER: &str = "LEADER";
/// The lock.
const ELECTION: &str = "ELECTION";
/// Pauses between attempts grow from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Leases for which the election lock may be held before it counts as forgotten.
pub const LOCK_LEASES: u32 = 3;

/// The record of one store in one backend.
pub struct Directory {
    backend: Arc<dyn Backend>,
    lease: Duration,
    owner: u64,
    state: Mutex<ElectionState>,
}

struct ElectionState {
    watcher: Watcher,
    attempts: u32,
    /// Since when the election lock could not be had.
    locked_out: Option<Instant>,
}

/// Outcome of a campaign.
#[derive(Debug)]
pub enum Campaign {
    /// This process leads, with the term of the [`Leadership`]; pass it to [`Keeper::start`] at once.
    Won(Leadership),
    /// Another leads.
    Follow {
        /// Address of the leader's store.
        address: SocketAddr,
        /// Its term.
        term: u64,
    },
    /// Undecided; try again after the pause.
    Again(Duration),
}

/// The right to lead, as long as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leadership {
    record: Record,
    /// When the record was last written, by our clock.
    written: Instant,
}

impl Leadership {
    /// Returns its number, higher than the number of every earlier leader.
    pub fn term(&self) -> u64 {
        self.record.term
    }
}

impl Directory {
    /// The directory in `backend`; a leader that shows no sign of life for `lease` is dead.
    ///
    /// # Errors
    /// `NoResources` the kernel gives no random number.
    pub fn new(backend: Arc<dyn Backend>, lease: Duration) -> Result<Arc<Self>> {
        Ok(Self::of_owner(backend, lease, this_process()?))
    }

    fn of_owner(backend: Arc<dyn Backend>, lease: Duration, owner: u64) -> Arc<Self> {
        let state = ElectionState { watcher: Watcher::new(lease), attempts: 0, locked_out: None };
        Arc::new(Self { backend, lease, owner, state: Mutex::new(state) })
    }

    /// The living leader, and its term. Blocks for one read of the backend.
    ///
    /// # Errors
    /// As [`Fault::into_error`]: the backend does not answer.
    pub fn find(&self, now: Instant) -> Result<Option<(SocketAddr, u64)>> {
        let read = self.read().map_err(|fault| fault.into_error(OPERATION, "read", LEADER))?;
        match lock(&self.state).watcher.see(now, read) {
            Verdict::Alive(record) => Ok(Some((record.address, record.term))),
            Verdict::Vacant | Verdict::Dead { .. } => Ok(None),
        }
    }

    /// Tries once to become the leader, with a store that listens at `own`. Blocks for a few operations of
    /// the backend.
    ///
    /// # Errors
    /// As [`Fault::into_error`]: the backend does not answer, or refuses to write.
    pub fn campaign(&self, now: Instant, own: SocketAddr) -> Result<Campaign> {
        if let Some((address, term)) = self.find(now)? {
            self.settled();
            return Ok(Campaign::Follow { address, term });
        }
        if !self.backend.distributed() {
            return self.take_office(now, own).map(Campaign::Won);
        }
        match self.backend.try_lock(ELECTION) {
            Ok(()) => {}
            Err(Fault::Locked) => return Ok(Campaign::Again(self.locked_out(now))),
            Err(fault) => return Err(fault.into_error(OPERATION, "lock", ELECTION)),
        }
        let outcome = self.elect(now, own);
        match self.backend.unlock(ELECTION) {
            Ok(()) | Err(Fault::Unlocked) => {}
            Err(fault) => tracing::warn!(%fault, "the election lock of the store could not be given back"),
        }
        self.settled();
        outcome
    }

    /// With the lock: check again that there is no leader.
    fn elect(&self, now: Instant, own: SocketAddr) -> Result<Campaign> {
        match self.find(now)? {
            Some((address, term)) => Ok(Campaign::Follow { address, term }),
            None => self.take_office(now, own).map(Campaign::Won),
        }
    }

    fn take_office(&self, now: Instant, own: SocketAddr) -> Result<Leadership> {
        let term = lock(&self.state).watcher.term() + 1;
        let record = Record { term, beat: 1, owner: self.owner, address: own };
        self.write(&record).map_err(|fault| fault.into_error(OPERATION, "write", LEADER))?;
        lock(&self.state).watcher.see(now, Some(record));
        tracing::info!(term, address = %own, "this process leads the store");
        Ok(Leadership { record, written: now })
    }

    /// Another process has the lock; how long to wait.
    fn locked_out(&self, now: Instant) -> Duration {
        let (pause, forgotten) = {
            let mut state = lock(&self.state);
            state.attempts = state.attempts.saturating_add(1);
            let since = *state.locked_out.get_or_insert(now);
            let quiet = state.watcher.unchanged_since().is_none_or(|changed| changed <= since);
            let limit = self.lease.saturating_mul(LOCK_LEASES);
            let forgotten = quiet && now.saturating_duration_since(since) >= limit;
            if forgotten {
                state.locked_out = None;
            }
            (pause(state.attempts, self.owner), forgotten)
        };
        if forgotten {
            tracing::warn!(
                leases = LOCK_LEASES,
                "the election lock of the store was held without an election; it is released by force"
            );
            if let Err(fault) = self.backend.unlock(ELECTION) {
                tracing::warn!(%fault, "the election lock of the store could not be taken away");
            }
        }
        pause
    }

    fn settled(&self) {
        let mut state = lock(&self.state);
        state.attempts = 0;
        state.locked_out = None;
    }

    /// The record, if there is one that counts for us.
    fn read(&self) -> Result<Option<Record>, Fault> {
        match self.backend.get(LEADER) {
            Ok(bytes) => {
                let record = Record::parse(&bytes);
                if record.is_none() {
                    tracing::warn!(
                        bytes = bytes.len(),
                        "the entry LEADER of the store backend is not ours, it is ignored"
                    );
                }
                let alone = !self.backend.distributed();
                Ok(record.filter(|record| !alone || record.owner == self.owner))
            }
            Err(Fault::NoEntry) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn write(&self, record: &Record) -> Result<(), Fault> {
        self.backend.put(LEADER, record.to_string().as_bytes())
    }
}

/// Returns the pause after this many attempts. It differs between processes, or they would collide again.
fn pause(attempts: u32, owner: u64) -> Duration {
    let grown = FIRST_PAUSE.saturating_mul(1 << attempts.min(8).saturating_sub(1)).min(LONGEST_PAUSE);
    // Any mixing of bits will do: fractions of the pause, from a half to the whole of it.
    let mixed = (owner ^ u64::from(attempts)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    let share = u32::try_from(mixed).unwrap_or(0);
    (grown / 2 + grown / 2 * share / 255).max(FIRST_PAUSE)
}

/// Returns a random number that identifies this process; a forked child has another.
fn this_process() -> Result<u64> {
    static NUMBER: PerProcess<Option<u64>> = PerProcess::new(None);
    let mut known = NUMBER.lock();
    match *known {
        Some(number) => Ok(number),
        None => Ok(*known.insert(u64::from_ne_bytes(random(OPERATION)?))),
    }
}
