// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The PEs of a job and their heap.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mf_shmem::Options;

use super::{Array, Element};
use crate::error::Wrap;
use crate::{Job, Rank, Result};

/// Options of a world, from [`World::builder`]. All PEs pass the same.
#[derive(Clone, Copy, Debug)]
#[must_use = "begin makes the world"]
pub struct WorldBuilder {
    heap_bytes: Option<u64>,
    max_heap_bytes: Option<u64>,
    meeting_limit: Option<Duration>,
}

impl WorldBuilder {
    /// Sets the bytes of each PE's heap; rounded up to 2 MiB. Default: a quarter of the memory of the
    /// smallest host, divided by the PEs there, at least 64 MiB. Memory is allocated on first touch.
    pub fn heap_bytes(mut self, bytes: u64) -> Self {
        self.heap_bytes = Some(bytes);
        self
    }

    /// Sets the bytes to which each heap may grow when an allocation does not fit. Default: it does not grow.
    pub fn max_heap_bytes(mut self, bytes: u64) -> Self {
        self.max_heap_bytes = Some(bytes);
        self
    }

    /// Bounds the waits of collective calls and of waits for other PEs (default: the control timeout of the
    /// job). The loss of a PE is noticed at once.
    pub fn meeting_limit(mut self, limit: Duration) -> Self {
        self.meeting_limit = Some(limit);
        self
    }

    /// Begins the world. **Collective** over all ranks of the job: it succeeds on all or fails on all. A
    /// process has at most one world at a time.
    ///
    /// # Errors
    /// `InvalidParam` heaps of different sizes, or too large; a PE that differs is named · `OutOfMemory`,
    /// `NoResources` a PE could not make or map its part: it is named · `Timeout` names a PE that did not
    /// arrive.
    pub fn begin(self, job: &Job) -> Result<World> {
        let mut options = Options::open_shmem(job.config()).wrap()?;
        if let Some(bytes) = self.heap_bytes {
            options = options.heap_bytes(bytes);
        }
        if let Some(bytes) = self.max_heap_bytes {
            options = options.most_heap_bytes(bytes);
        }
        if let Some(limit) = self.meeting_limit {
            options = options.meeting_limit(limit);
        }
        let inner = mf_shmem::World::begin(options).wrap()?;
        Ok(World(Arc::new(WorldInner { inner, job: job.clone() })))
    }
}

struct WorldInner {
    /// Dropped before the job.
    inner: Arc<mf_shmem::World>,
    job: Job,
}

/// This process as a PE, with its symmetric heap. Cheap to clone. `Send` and `Sync`.
///
/// Call [`end`](Self::end) on all PEs. A world that is only dropped leaves without waiting for the others.
#[derive(Clone)]
pub struct World(Arc<WorldInner>);

impl World {
    /// Returns options of a world.
    pub fn builder() -> WorldBuilder {
        WorldBuilder { heap_bytes: None, max_heap_bytes: None, meeting_limit: None }
    }

    pub(super) fn inner(&self) -> &mf_shmem::World {
        &self.0.inner
    }

    /// Returns the job that the world belongs to.
    pub fn job(&self) -> &Job {
        &self.0.job
    }

    /// Returns the number of this PE, which is its rank in the job.
    pub fn my_pe(&self) -> Rank {
        Rank(self.inner().my_pe())
    }

    /// Returns the number of PEs.
    pub fn n_pes(&self) -> u32 {
        self.inner().n_pes()
    }

    /// Allocates an array of `length` zeroes on every PE. **Collective**: all PEs make the same allocations
    /// in the same order.
    ///
    /// # Errors
    /// `OutOfMemory` the heap is full · `InvalidParam` length 0, or a PE makes another call; it is named ·
    /// `Timeout`, `NotConnected` name a PE.
    pub fn allocate<T: Element>(&self, length: usize) -> Result<Array<T>> {
        Array::allocate(self, length)
    }

    /// Completes this PE's puts and waits until all PEs have done so. **Collective.**
    ///
    /// # Errors
    /// `Timeout` names a PE that did not arrive · `NotConnected` names a PE that has died or ended ·
    /// `InvalidParam` a PE is in another call · `RepeatInvoke` another thread is in a call.
    pub fn barrier(&self) -> Result<()> {
        self.inner().barrier_all().wrap()
    }

    /// Completes this PE's puts, waits for the others, frees the heap and leaves. **Collective.** A second
    /// call changes nothing; arrays of the world fail from then on.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier); this PE has ended then, too.
    pub fn end(&self) -> Result<()> {
        self.inner().end().wrap()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("my_pe", &self.my_pe())
            .field("n_pes", &self.n_pes())
            .finish_non_exhaustive()
    }
}
