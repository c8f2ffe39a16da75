// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a PE: its number, its life from begin to end, and meetings with the other PEs.

#[expect(unsafe_code, reason = "calls of the C library that end the process")]
mod exit;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mf_base::os::process::OwnFlag;
use mf_base::{Error, Kind, Rank, Result};
use mf_fabric::objects::Object;
use mf_fabric::pool::Pool;
use mf_fabric::space::Presence;
use mf_job::Membership;

/// Longest wait for PEs that have met already.
const LEAVING: Duration = Duration::from_secs(10);
/// Key of the PE that has died, in the context of an error.
const DEAD: &str = "dead_rank";

/// This process as a PE of a job.
pub(crate) struct Pe {
    membership: Membership,
    object: Object,
    /// Set from begin to end, in this process only.
    is_open: OwnFlag,
    /// True if the store runs in this process, started by other means.
    is_served_here: bool,
    has_ended: AtomicBool,
}

impl Pe {
    /// Creates a PE that is not [open](Self::open) yet.
    pub(crate) fn new(membership: Membership, object: Object, is_served_here: bool) -> Self {
        let (is_open, has_ended) = (OwnFlag::new(), AtomicBool::new(false));
        Self { membership, object, is_open, is_served_here, has_ended }
    }

    /// Admits calls from now on.
    pub(crate) fn open(&self) {
        self.is_open.raise();
    }

    /// Refuses calls from now on.
    pub(crate) fn close(&self) {
        self.is_open.lower();
    }

    /// Returns true from begin to end, in this process only.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.is_open.is_raised()
    }

    /// Returns true if this PE has left the job.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Acquire)
    }

    /// Marks the PE as ended. Returns false if it was, or in a forked child.
    pub(crate) fn start_end(&self) -> bool {
        self.membership.is_own() && !self.has_ended.swap(true, Ordering::AcqRel)
    }

    #[inline]
    pub(crate) fn my_pe(&self) -> u32 {
        self.membership.rank().0
    }

    #[inline]
    pub(crate) fn n_pes(&self) -> u32 {
        self.membership.world_size()
    }

    #[inline]
    pub(crate) fn membership(&self) -> &Membership {
        &self.membership
    }

    pub(crate) fn object(&self) -> &Object {
        &self.object
    }

    pub(crate) fn pool(&self) -> &Arc<Pool> {
        self.object.pool()
    }

    /// Fails after the end, and in a forked child.
    ///
    /// # Errors
    /// `NotInit` in either case.
    pub(crate) fn check(&self, operation: &'static str) -> Result<()> {
        if self.is_open() {
            return Ok(());
        }
        self.membership.check_process(operation)?;
        Err(Error::new(Kind::NotInit, operation).what("the library has ended in this process"))
    }

    /// Returns the rank of a PE.
    ///
    /// # Errors
    /// `InvalidParam` no such PE.
    pub(crate) fn rank_of(&self, operation: &'static str, pe: i32) -> Result<Rank> {
        self.rank(pe).ok_or_else(|| {
            Error::invalid(operation, "no such PE")
                .with("pe", pe)
                .with("n_pes", self.n_pes())
                .hint("PEs count from 0; nothing was done")
        })
    }

    /// Returns the rank of a PE; `None` if there is no such PE.
    pub(crate) fn rank(&self, pe: i32) -> Option<Rank> {
        u32::try_from(pe).ok().filter(|pe| *pe < self.n_pes()).map(Rank)
    }

    /// Waits for all other PEs.
    pub(crate) fn meet(&self, operation: &'static str) -> Result<()> {
        self.object.barrier(operation)
    }

    /// Waits until all PEs know that all have arrived: a PE that leaves before that seems dead to PEs that
    /// still wait for messages of the barrier. All have arrived and are about to leave, so this takes no
    /// longer than the limit.
    pub(crate) fn barrier_before_leaving(&self, operation: &'static str) {
        let name = format!("{}end", self.object.prefix());
        let deadline = Instant::now() + LEAVING.min(self.membership.control_timeout());
        // Before any PE has passed.
        self.pool().set_parting(true);
        let store = self.membership.store(operation);
        let met = store.and_then(|store| store.barrier(&name, self.n_pes(), deadline));
        if let Err(error) = met {
            self.pool().set_parting(false);
            tracing::debug!("not all PEs left together: {error}");
        }
    }

    /// Fails if a PE is gone.
    ///
    /// # Errors
    /// `NotConnected` names it.
    pub(crate) fn check_alive(&self, operation: &'static str, others: &[u32]) -> Result<()> {
        let presence = |pe: u32| self.pool().presence(Rank(pe));
        let Some(gone) = others.iter().copied().find(|pe| presence(*pe) != Presence::Joined) else {
            return Ok(());
        };
        let because = if presence(gone) == Presence::Dead { "its process has ended" } else { "it has left" };
        Err(self.with_dead(
            Error::new(Kind::NotConnected, operation)
                .what("a PE is gone that this one waits for")
                .with("rank", gone)
                .with("because", because),
        ))
    }

    /// Adds a PE that has died to the error of an operation that another PE left: it may have left because of
    /// the death.
    pub(crate) fn with_dead(&self, error: Error) -> Error {
        if error.kind() != Kind::NotConnected || error.fact(DEAD).is_some() {
            return error;
        }
        let is_dead = |pe: &u32| self.pool().presence(Rank(*pe)) == Presence::Dead;
        match (0..self.n_pes()).find(is_dead) {
            Some(pe) if error.fact("rank") != Some(&*pe.to_string()) => error.with(DEAD, pe),
            _ => error,
        }
    }

    /// Returns PEs that have died or left.
    pub(crate) fn departed_pes(&self) -> Vec<u32> {
        let is_gone = |pe: &u32| matches!(self.pool().presence(Rank(*pe)), Presence::Dead | Presence::Left);
        (0..self.n_pes()).filter(is_gone).collect()
    }
}
