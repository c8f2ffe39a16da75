// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The membership of a process in a job.
//!
//! A **job** is a set of processes, its ranks, that meet at one config store. [`Job::join`] takes the place
//! that a launcher gave (`mf run`, torchrun, Slurm, `mpirun`, Kubernetes); a process without a launcher is a
//! job of its own. [`Job::builder`] joins by other means: a store by its URL, or a [`UniqueId`] that the
//! processes pass by a channel of theirs.
//!
//! Objects that belong to a job (`Pool`, `ShareMemory`, `World`, `Cache`) hold it: the process leaves the job
//! when the last of them is dropped, in the right order, however they are dropped. [`Job::leave`] does so at
//! once.

mod builder;
mod unique_id;

use std::fmt;
use std::sync::Arc;
#[cfg(feature = "shm")]
use std::sync::Mutex;
use std::time::{Duration, Instant};

use mf_job::Config;
use mf_smem::bm::Context;

use crate::error::Wrap;
use crate::{Rank, Result};

pub use builder::{Accelerator, JobBuilder};
pub use unique_id::UniqueId;

/// This process as a rank of a job. Cheap to clone.
///
/// `Send` and `Sync`; all calls from any thread. After `fork` the child may not use it: every call fails with
/// `NotInit`.
#[derive(Clone)]
pub struct Job(Arc<JobInner>);

struct JobInner {
    /// Left before the context below.
    #[cfg(feature = "shm")]
    share: Mutex<Option<Arc<mf_smem::shm::Context>>>,
    context: Context,
    /// Configuration with the rank that the process has.
    #[cfg(any(feature = "shm", feature = "shmem"))]
    config: Config,
    control_timeout: Duration,
}

impl Job {
    /// Joins the job of the launcher that started this process; without a launcher, a job of this process
    /// alone.
    /// **Collective** over the ranks. Blocks at most 120 s.
    ///
    /// # Errors
    /// `InvalidParam` a variable of the launcher is missing or contradicts another · `Timeout` no store, or
    /// ranks are missing · `Duplicated` the rank is taken · `NotExist` no accelerator of the kind that
    /// `MF_DEVICE` insists on.
    pub fn join() -> Result<Self> {
        Self::builder().join()
    }

    /// Begins a job of this process alone, on loopback, also under a launcher. **Local.**
    ///
    /// # Errors
    /// `NoResources` no port, thread or descriptor.
    pub fn alone() -> Result<Self> {
        Self::builder().alone().join()
    }

    /// Returns options to join by other means.
    pub fn builder() -> JobBuilder {
        JobBuilder::new()
    }

    fn begin(config: Config, control_timeout: Duration) -> Result<Self> {
        #[cfg(any(feature = "shm", feature = "shmem"))]
        let known = config.clone();
        let context = Context::init(config).wrap()?;
        Ok(Self(Arc::new(JobInner {
            #[cfg(feature = "shm")]
            share: Mutex::default(),
            #[cfg(any(feature = "shm", feature = "shmem"))]
            config: known.rank(context.rank()),
            context,
            control_timeout,
        })))
    }

    /// Returns the rank of this process, from 0.
    pub fn rank(&self) -> Rank {
        self.0.context.rank()
    }

    /// Returns the number of ranks.
    pub fn world_size(&self) -> u32 {
        self.0.context.world_size()
    }

    /// Returns the rank `steps` after this one, in a ring of all ranks.
    ///
    /// ```
    /// # fn main() -> memfabric::Result<()> {
    /// # let job = memfabric::Job::alone()?;
    /// assert_eq!(job.neighbour(1), job.rank());        // alone
    /// # Ok(())
    /// # }
    /// ```
    pub fn neighbour(&self, steps: i64) -> Rank {
        let world = i64::from(self.world_size().max(1));
        let sum = i64::from(self.rank().0).wrapping_add(steps).rem_euclid(world);
        Rank(u32::try_from(sum).unwrap_or(0))
    }

    /// Returns the URL of the store, as it was given.
    pub fn store_url(&self) -> &str {
        self.0.context.store_url()
    }

    /// Returns one line for each step of the search for an accelerator: libraries, places, results.
    pub fn device_report(&self) -> &[String] {
        &self.0.context.device_report().lines
    }

    /// Returns true if this process uses an accelerator, real or simulated.
    pub fn has_accelerator(&self) -> bool {
        self.0.context.devices().accelerator().is_some()
    }

    /// Waits until all ranks have entered the barrier `name`, at most for the control timeout (900 s).
    /// **Collective.** The name may be used again.
    ///
    /// # Errors
    /// `Timeout` names the missing ranks · `NotConnected` without the store.
    pub fn barrier(&self, name: &str) -> Result<()> {
        self.barrier_within(name, self.world_size(), self.0.control_timeout)
    }

    /// Waits until `members` ranks have entered the barrier `name`, at most for `limit`. **Collective** over
    /// them.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier); when one rank's limit passes, all that wait fail alike.
    pub fn barrier_within(&self, name: &str, members: u32, limit: Duration) -> Result<()> {
        self.0.context.store().and_then(|store| store.barrier(name, members, Instant::now() + limit)).wrap()
    }

    /// Gathers `value`, at most 64 KiB, from all ranks; the result is in the order of the ranks. Blocks at
    /// most for the control timeout. **Collective.** One round trip to the store.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier) · `InvalidParam` the value is too long.
    pub fn allgather(&self, name: &str, value: &[u8]) -> Result<Vec<Vec<u8>>> {
        let deadline = Instant::now() + self.0.control_timeout;
        let gathered = self
            .0
            .context
            .store()
            .and_then(|store| store.allgather(name, self.world_size(), value, deadline));
        Ok(gathered.wrap()?.into_iter().map(|part| part.value).collect())
    }

    /// Returns the store of the job: values by key, watches, leases, locks.
    ///
    /// # Errors
    /// None at present.
    #[cfg(feature = "store")]
    pub fn store(&self) -> Result<crate::store::Store> {
        self.0.context.store().wrap().map(|store| crate::store::Store::new(Arc::clone(store)))
    }

    /// Leaves the job: ends its pools and share memory, then the connection to the store. A store server that
    /// runs in this process goes on until the last rank has left. A second call changes nothing. Symmetric
    /// heaps (`World`) end on their own.
    pub fn leave(&self) {
        #[cfg(feature = "shm")]
        if let Some(share) = self.0.share.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            share.shutdown();
        }
        self.0.context.shutdown();
    }

    #[cfg(any(feature = "bm", feature = "cache", feature = "shm"))]
    pub(crate) fn context(&self) -> &Context {
        &self.0.context
    }

    #[cfg(feature = "shmem")]
    pub(crate) fn config(&self) -> Config {
        self.0.config.clone()
    }

    /// Returns the membership of share memory, which begins with its first object.
    #[cfg(feature = "shm")]
    pub(crate) fn share(&self) -> Result<Arc<mf_smem::shm::Context>> {
        let mut share = self.0.share.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(share) = &*share {
            return Ok(Arc::clone(share));
        }
        let context = Arc::new(mf_smem::shm::Context::init(self.0.config.clone()).wrap()?);
        Ok(Arc::clone(share.insert(context)))
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("rank", &self.rank())
            .field("world_size", &self.world_size())
            .field("store_url", &self.store_url())
            .finish_non_exhaustive()
    }
}
