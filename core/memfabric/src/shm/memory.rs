// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An object of share memory.

use std::fmt;
use std::time::Duration;

use mf_smem::shm::{self, Options};

use super::kernel::{Arguments, Kernel, Launch};
use crate::error::Wrap;
use crate::{Gva, Job, Rank, Result};

/// Operations by which kernels and copy engines access the memory of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataOps(u32);

impl DataOps {
    /// Kernels load and store.
    pub const MTE: Self = Self(shm::DATA_OP_MTE);
    /// The copy engine of the device.
    pub const SDMA: Self = Self(shm::DATA_OP_SDMA);
    /// RDMA.
    pub const RDMA: Self = Self(shm::DATA_OP_RDMA);

    /// Returns the operations of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if it has all operations of `other`.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns true if it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Options of share memory, from [`ShareMemory::builder`].
#[derive(Clone, Copy, Debug)]
#[must_use = "create makes the object"]
pub struct ShareMemoryBuilder {
    id: u32,
    local_bytes: u64,
    place: Option<(Rank, u32)>,
    data_ops: DataOps,
}

impl ShareMemoryBuilder {
    /// Sets the number of the object in the job, 0 (the default) to 63; the same on all its ranks.
    pub fn id(mut self, id: u32) -> Self {
        self.id = id;
        self
    }

    /// Sets the bytes of each rank: a multiple of 2 MiB, at most 64 GiB; the same on all its ranks.
    pub fn local_bytes(mut self, bytes: u64) -> Self {
        self.local_bytes = bytes;
        self
    }

    /// Makes an object of `rank_size` ranks only, of which this process is `rank` (default: all ranks of the
    /// job, with their numbers there).
    pub fn place(mut self, rank: Rank, rank_size: u32) -> Self {
        self.place = Some((rank, rank_size));
        self
    }

    /// Sets the operations that kernels will use (default: [`DataOps::MTE`]).
    pub fn data_ops(mut self, data_ops: DataOps) -> Self {
        self.data_ops = data_ops;
        self
    }

    /// Makes the object. **Collective** over its ranks. Blocks at most for the create timeout and, in the
    /// last step, the control timeout.
    ///
    /// # Errors
    /// `InvalidParam` the options are impossible, or two ranks pass different ones · `Duplicated` the id
    /// is in use, or two ranks have one place · `Timeout` names the missing ranks · `OutOfMemory`,
    /// `NoResources` a rank could not make or map a part: it is named.
    pub fn create(self, job: &Job) -> Result<ShareMemory> {
        let (rank, rank_size) = self.place.unwrap_or((job.rank(), job.world_size()));
        let options = Options {
            id: self.id,
            rank_size,
            rank,
            local_bytes: self.local_bytes,
            data_ops: self.data_ops.0,
        };
        let inner = job.share()?.create(options).wrap()?;
        Ok(ShareMemory { inner, job: job.clone() })
    }
}

/// Share memory. Cheap to clone. `Send` and `Sync`.
///
/// Ranks are places in the object, from 0 to [`rank_size`](Self::rank_size). It holds its [`Job`]. After
/// [`destroy`](Self::destroy) every call that needs the others fails.
#[derive(Clone)]
pub struct ShareMemory {
    /// Dropped before the job.
    inner: shm::ShareMemory,
    job: Job,
}

impl ShareMemory {
    /// Returns options of an object.
    pub fn builder() -> ShareMemoryBuilder {
        ShareMemoryBuilder { id: 0, local_bytes: 2 << 20, place: None, data_ops: DataOps::MTE }
    }

    /// Returns the job that the object belongs to.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Returns the own place.
    pub fn rank(&self) -> Rank {
        self.inner.rank()
    }

    /// Returns the number of ranks.
    pub fn rank_size(&self) -> u32 {
        self.inner.rank_size()
    }

    /// Returns the address of rank 0's part, the same number in every rank.
    pub fn base(&self) -> Gva {
        self.inner.base()
    }

    /// Returns the bytes from one rank's part to the next rank's.
    pub fn symmetric_bytes(&self) -> u64 {
        self.inner.symmetric_bytes()
    }

    /// Returns the bytes of each part.
    pub fn local_bytes(&self) -> u64 {
        self.inner.local_bytes()
    }

    /// Returns the address of a rank's part.
    ///
    /// # Errors
    /// `InvalidParam` unknown rank.
    pub fn address(&self, rank: Rank) -> Result<Gva> {
        self.inner.address(rank).wrap()
    }

    /// Copies `source` to `address`, by the host. **One-sided.** The owner sees it when the call returns.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one part · `NotConnected` the owner has left or died.
    pub fn put(&self, source: &[u8], address: Gva) -> Result<()> {
        self.inner.pool().put(source, address).wrap()
    }

    /// Fills `destination` from `address`, by the host. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn get(&self, address: Gva, destination: &mut [u8]) -> Result<()> {
        self.inner.pool().get(address, destination).wrap()
    }

    /// Waits until all ranks are here, at most for the control timeout. **Collective.**
    ///
    /// # Errors
    /// `Timeout` names the missing ranks · `NotConnected` names a rank that died or destroyed the object ·
    /// `InvalidParam` a rank is in another call · `RepeatInvoke` another thread of this process is in a call
    /// · `NotExist` after destroy.
    pub fn barrier(&self) -> Result<()> {
        self.inner.barrier().wrap()
    }

    /// As [`barrier`](Self::barrier), at most for `limit`. **Collective.**
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    pub fn barrier_within(&self, limit: Duration) -> Result<()> {
        self.inner.barrier_within(limit).wrap()
    }

    /// Gathers `own`, 1 to 65,536 bytes and equally many of each rank, from all ranks, in their order.
    /// **Collective.** At most for the control timeout.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier) · `InvalidParam` a length is wrong.
    pub fn allgather(&self, own: &[u8]) -> Result<Vec<u8>> {
        let mut all = vec![0; own.len().saturating_mul(self.rank_size() as usize)];
        self.inner.allgather(own, &mut all).wrap()?;
        Ok(all)
    }

    /// Returns the operations by which kernels and copy engines here access the memory of a rank. Empty: they
    /// do not, because the rank is on another host or gone. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` unknown rank · `NotExist` after destroy.
    pub fn reach(&self, rank: Rank) -> Result<DataOps> {
        self.inner.reach(rank).map(DataOps).wrap()
    }

    /// Copies 1 to 65,536 bytes to the place where kernels of this rank find the context of the object.
    /// **Local.**
    ///
    /// # Errors
    /// `InvalidParam` too few or too many bytes · `NotExist` after destroy · errors of the device.
    pub fn set_context(&self, context: &[u8]) -> Result<()> {
        self.inner.set_context(context).wrap()
    }

    /// Launches a kernel that works on this object, and waits for its end. When it gave up waiting for a
    /// rank, the error names that rank.
    ///
    /// # Errors
    /// `InvalidParam` no such kernel, or impossible options · `NotConnected` a rank that the kernel waited
    /// for died or left · `Timeout` a rank did not come · `NotExist` after destroy · errors of the device.
    ///
    /// # Safety
    /// The kernel takes arguments of these types, and accesses only memory that is valid until it has ended.
    pub unsafe fn launch(
        &self,
        kernel: &Kernel,
        name: &str,
        arguments: &Arguments,
        launch: Launch,
    ) -> Result<()> {
        // SAFETY: the caller vouches for the kernel and its arguments; no stream is named.
        unsafe { self.inner.launch(kernel.inner(), name, arguments.inner(), &launch.options()) }.wrap()
    }

    /// Gives the object up; the other ranks keep theirs, and their calls that wait for this one fail.
    /// **Local.** A second call changes nothing.
    pub fn destroy(&self) {
        self.inner.destroy();
    }
}

impl fmt::Debug for ShareMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShareMemory")
            .field("rank", &self.rank())
            .field("rank_size", &self.rank_size())
            .field("local_bytes", &self.local_bytes())
            .finish_non_exhaustive()
    }
}
