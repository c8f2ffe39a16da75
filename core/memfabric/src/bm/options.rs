// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a pool.

use std::os::fd::OwnedFd;

use mf_smem::bm::{EngineSet, PoolOptions};

use super::{Engine, Pool};
use crate::error::Wrap;
use crate::{Job, Result};

/// Options of a pool, from [`Pool::builder`]. Sizes are bytes, multiples of 2 MiB.
#[derive(Debug)]
#[must_use = "open makes the pool"]
pub struct PoolBuilder {
    options: PoolOptions,
    joins: bool,
}

impl PoolBuilder {
    pub(super) fn new() -> Self {
        Self { options: PoolOptions::new(0), joins: true }
    }

    fn with(self, change: impl FnOnce(PoolOptions) -> PoolOptions) -> Self {
        Self { options: change(self.options), ..self }
    }

    /// Sets the number of the pool in the job, 0 (the default) to 63; all members pass the same.
    pub fn id(self, id: u32) -> Self {
        self.with(|options| options.id(id))
    }

    /// Contributes host memory; at most 2 TiB (default 0).
    pub fn host_bytes(self, bytes: u64) -> Self {
        self.with(|options| options.host(bytes))
    }

    /// Contributes device memory, at most 64 GiB (default 0); on a machine without an accelerator a second
    /// window of host memory.
    pub fn device_bytes(self, bytes: u64) -> Self {
        self.with(|options| options.device(bytes))
    }

    /// Sets the most host memory that any member will contribute, the same in all members (default: this
    /// member's contribution).
    pub fn max_host_bytes(self, bytes: u64) -> Self {
        self.with(|options| options.max_host(bytes))
    }

    /// Takes the maximum of host memory from the pool; its first member chooses 16 TiB divided by the size of
    /// the world, if there are so many free addresses, and no less than it sets itself. Members may
    /// contribute different amounts then.
    pub fn max_host_of_pool(self) -> Self {
        self.with(PoolOptions::max_host_of_pool)
    }

    /// Sets the most device memory that any member will contribute, the same in all members (default: this
    /// member's contribution).
    pub fn max_device_bytes(self, bytes: u64) -> Self {
        self.with(|options| options.max_device(bytes))
    }

    /// Contributes this shared memory object as host memory; it is lengthened if shorter. The caller must not
    /// shorten it while the pool lives: the kernel would end every member that touches the lost part.
    pub fn host_descriptor(self, descriptor: OwnedFd) -> Self {
        self.with(|options| options.host_descriptor(descriptor))
    }

    /// Takes the own host memory from this NUMA node (default: from the node of the thread that touches it
    /// first).
    pub fn numa_node(self, node: u32) -> Self {
        self.with(|options| options.numa_node(node))
    }

    /// Sets the engines for copies to members on other hosts (default: the best for each). The first that
    /// reaches the member is taken; if none does, the best other with one warning, or none with the setting
    /// `MF_STRICT_ENGINE=1`. Mapped memory is copied in place, with any engines.
    pub fn engines(self, engines: impl IntoIterator<Item = Engine>) -> Self {
        let set = engines.into_iter().map(Engine::name).collect::<EngineSet>();
        self.with(|options| options.engines(set))
    }

    /// Sets this member's name in tag rules: alphanumerics and `_`, at most 30.
    pub fn tag(self, tag: impl Into<String>) -> Self {
        self.with(|options| options.tag(tag))
    }

    /// Sets engines by pairs of tags, which precede [`engines`](Self::engines): `tagA:ENGINE:tagB`,
    /// separated by commas, at most 255 bytes, for example `train:HOST_TCP:cache`. A rule holds in both
    /// directions.
    pub fn tag_rules(self, rules: impl Into<String>) -> Self {
        self.with(|options| options.tag_rules(rules))
    }

    /// Leaves the joining to a later [`Pool::join`].
    pub fn without_join(mut self) -> Self {
        self.joins = false;
        self
    }

    /// Makes the pool and joins it. When it returns, every member that has joined can copy to and from this
    /// one; others join when they come. Blocks at most for the create and control timeouts.
    ///
    /// # Errors
    /// `InvalidParam` sizes, id, tag or tag rules · `Duplicated` the id is in use in this process ·
    /// `OutOfMemory`, `NoResources` the memory cannot be had · `Timeout` names the members that did not
    /// answer · `NotConnected` without the store · `NotExist` with `MF_STRICT_ENGINE=1`, if all requested
    /// engines are lacking here.
    pub fn open(self, job: &Job) -> Result<Pool> {
        let pool = job.context().create(self.options).wrap()?;
        if self.joins {
            pool.join().wrap()?;
        }
        Ok(Pool::new(pool, job))
    }
}
