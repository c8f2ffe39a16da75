// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An object of shared memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_device::{Devices, Mover};
use mf_fabric::objects::{CONTEXT_BYTES_MAX, Control, MetaArea, Object, Record, Shown};
use mf_fabric::pool::Pool as FabricPool;
use mf_job::process::Owned;
use mf_store::Store;

use super::create::ObjectPart;
use super::options::{DATA_OP_MTE, DATA_OP_SDMA, Options};
use crate::bm::Pool;
use crate::kernel::{Arguments, Binary, LaunchOptions};

/// Most bytes that a rank gives to an allgather.
pub const ALLGATHER_BYTES_MAX: usize = 64 << 10;

const BARRIER: &str = "shm barrier";
const ALLGATHER: &str = "shm allgather";
const LAUNCH: &str = "kernel launch";

/// An object of shared memory: the same number of bytes of each of its ranks, at the same addresses
/// everywhere. Cheap to clone; all calls from any thread.
///
/// Ranks are places in the object, from 0 to [`rank_size`](Self::rank_size), and need not be the ranks of the
/// job. After [`destroy`](Self::destroy), here or by the end of the context, every call that needs the others
/// fails.
#[derive(Clone)]
pub struct ShareMemory {
    inner: Arc<ShareMemoryInner>,
    pool: Pool,
}

/// Parts of a new object.
pub(super) struct Birth {
    pub(super) part: ObjectPart,
    pub(super) options: Options,
    /// Number of the object's record for kernels.
    pub(super) record: u32,
    /// In front of its keys in the store.
    pub(super) prefix: String,
    pub(super) store: Arc<dyn Store>,
    pub(super) devices: Devices,
    pub(super) control_timeout: Duration,
}

pub(super) struct ShareMemoryInner {
    options: Options,
    object: Object,
    has_accelerator: bool,
    context: Mutex<Vec<u8>>,
    /// Record of the object for kernels. `None`: there are no kernels.
    shown: Mutex<Option<Shown>>,
    part: ObjectPart,
    is_destroyed: AtomicBool,
    owner: Owner,
}

impl ShareMemoryInner {
    /// Shows the object to kernels and waits for the other ranks. **Collective.**
    pub(super) fn new(birth: Birth) -> Result<Arc<Self>> {
        let Birth { part, options, record, prefix, store, devices, control_timeout } = birth;
        let meta = devices.accelerator().and_then(|device| {
            // Other products have nothing there, and their programs no kernels; hosts use the object all the
            // same.
            MetaArea::get_or_create(device).unwrap_or_else(|error| {
                tracing::warn!("kernels do not find object {}: {error}", options.id);
                None
            })
        });
        let inner = Arc::new(Self {
            options,
            object: Object::new(
                Arc::clone(&store),
                Arc::clone(&part.pool),
                prefix,
                options.rank_size,
                control_timeout,
            ),
            has_accelerator: devices.accelerator().is_some(),
            context: Mutex::default(),
            shown: Mutex::default(),
            part,
            is_destroyed: AtomicBool::new(false),
            owner: Owner::current(),
        });
        if options.rank == Rank(0) {
            inner.clear_left_overs(&*store);
        }
        let shown = inner.show(meta, record).and_then(|()| inner.barrier());
        match shown {
            Ok(()) => Ok(inner),
            Err(error) => {
                inner.destroy();
                Err(error.with("id", options.id))
            }
        }
    }

    fn pool(&self) -> &Arc<FabricPool> {
        &self.part.pool
    }

    fn base(&self) -> u64 {
        self.pool().layout().range(MemKind::Device).start
    }

    /// Lets kernels find the object.
    fn show(&self, meta: Option<Arc<MetaArea>>, record: u32) -> Result<()> {
        let Some(meta) = meta else { return Ok(()) };
        let control = self.part.control.as_ref();
        let shown = meta.show(&Record {
            id: record,
            rank: self.options.rank.0,
            rank_size: self.options.rank_size,
            context_bytes: 0,
            symmetric_bytes: self.options.local_bytes,
            base: self.base(),
            control_base: control.map_or(0, Control::base),
            control_stride: control.map_or(0, Control::stride),
        })?;
        *lock(&self.shown) = Some(shown);
        Ok(())
    }

    /// Deletes what earlier objects of this id left in the store: no rank has one any more.
    fn clear_left_overs(&self, store: &dyn Store) {
        let all = format!(".mf/shm/{}/", self.options.id);
        let wants = format!("{all}want/");
        let Ok(listing) = store.list(&all) else { return };
        for key in listing.entries.into_iter().map(|entry| entry.key) {
            if !key.starts_with(self.object.prefix())
                && !key.starts_with(&wants)
                && let Err(error) = store.delete(&key)
            {
                tracing::debug!("a key of an earlier object stays: {error}");
            }
        }
    }

    fn check_process(&self, operation: &'static str) -> Result<()> {
        if self.owner.is_current() {
            return Ok(());
        }
        Err(Error::new(Kind::NotInit, operation).what("the object was made by the parent of this process"))
    }

    fn check(&self, operation: &'static str) -> Result<()> {
        self.check_process(operation)?;
        if self.is_destroyed() {
            return Err(Error::new(Kind::NotExist, operation)
                .what("the object is destroyed")
                .with("id", self.options.id));
        }
        Ok(())
    }

    #[inline]
    fn barrier(&self) -> Result<()> {
        self.check(BARRIER)?;
        self.object.barrier(BARRIER)
    }

    pub(super) fn is_destroyed(&self) -> bool {
        self.is_destroyed.load(Ordering::Acquire)
    }

    pub(super) fn destroy(&self) {
        if !self.owner.is_current() || self.is_destroyed.swap(true, Ordering::AcqRel) {
            return;
        }
        let running = self.object.end_launches();
        if running > 0 {
            // Its memory stays mapped: unmapping waits for the device.
            tracing::warn!(
                id = self.options.id,
                "{running} kernels still run on an object that is destroyed"
            );
        }
        drop(lock(&self.shown).take());
        self.object.end();
        self.part.destroy();
    }
}

impl Drop for ShareMemoryInner {
    fn drop(&mut self) {
        if self.owner.is_current() {
            self.destroy();
        } else {
            // The accelerator's record is the parent's.
            std::mem::forget(lock(&self.shown).take());
        }
    }
}

impl ShareMemory {
    pub(super) fn new(inner: Arc<ShareMemoryInner>) -> Self {
        let pool = Pool::new(Arc::clone(inner.pool()));
        Self { inner, pool }
    }

    /// Number of the object in the job.
    pub fn id(&self) -> u32 {
        self.inner.options.id
    }

    /// The own place.
    pub fn rank(&self) -> Rank {
        self.inner.options.rank
    }

    /// Number of ranks.
    pub fn rank_size(&self) -> u32 {
        self.inner.options.rank_size
    }

    /// Address of rank 0's part, the same number in every rank.
    pub fn base(&self) -> Gva {
        Gva(self.inner.base())
    }

    /// Returns the bytes from one rank's part to the next rank's.
    pub fn symmetric_bytes(&self) -> u64 {
        self.inner.options.local_bytes
    }

    /// Bytes of each part.
    pub fn local_bytes(&self) -> u64 {
        self.inner.options.local_bytes
    }

    /// Returns the address of a rank's part: base + rank × symmetric bytes.
    ///
    /// # Errors
    /// `InvalidParam` unknown rank.
    pub fn address(&self, rank: Rank) -> Result<Gva> {
        self.pool.address(MemKind::Device, rank)
    }

    /// Returns the memory as a pool: put, get and copy by the host. Its ranks are the object's ranks.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Waits until all ranks are here, at most for the control timeout. **Collective.** A failed call fails
    /// in all ranks that are in it, and between hosts in some only with their next call; when all call
    /// again they meet again, unless one of them is gone.
    ///
    /// # Errors
    /// `Timeout` names the missing ranks · `NotConnected` names a rank that died or destroyed the object ·
    /// `InvalidParam` a rank is in another call · `RepeatInvoke` another thread of this process is in a call
    /// · `NotExist` after destroy.
    pub fn barrier(&self) -> Result<()> {
        self.inner.barrier()
    }

    /// [`barrier`](Self::barrier), at most for `limit`. **Collective.**
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    pub fn barrier_within(&self, limit: Duration) -> Result<()> {
        self.inner.check(BARRIER)?;
        self.inner.object.barrier_within(BARRIER, limit)
    }

    /// Gathers `own`, 1 to 65536 bytes and equally many of each rank, from all ranks into `all`, in the order
    /// of the ranks: `all` has the length of `own` times the number of ranks. **Collective.** At most for the
    /// control timeout.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier); `InvalidParam` a length is wrong, at once and in this rank alone.
    pub fn allgather(&self, own: &[u8], all: &mut [u8]) -> Result<()> {
        self.inner.check(ALLGATHER)?;
        check_lengths(own, all, self.rank_size(), ALLGATHER_BYTES_MAX)?;
        self.inner.object.allgather(ALLGATHER, own, all)
    }

    /// [`allgather`](Self::allgather) of parts of any length, with a separate time limit. **Collective.**
    ///
    /// # Errors
    /// As [`allgather`](Self::allgather).
    pub fn allgather_within(&self, own: &[u8], all: &mut [u8], limit: Duration) -> Result<()> {
        self.inner.check(ALLGATHER)?;
        check_lengths(own, all, self.rank_size(), usize::MAX)?;
        self.inner.object.allgather_within(ALLGATHER, own, all, limit)
    }

    /// Like [`barrier`](Self::barrier), of the subgroup that `key` (1 to 63 bytes) names. **Collective** over
    /// it: `rank_size` of the object's ranks, which pass the same key and count themselves from 0 as `rank`.
    /// It needs no setup; a key belongs to one subgroup as long as the object lives.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier); `InvalidParam` key, size or rank are impossible or differ from earlier
    /// calls.
    pub fn subgroup_barrier(&self, key: &str, rank_size: u32, rank: u32) -> Result<()> {
        const OP: &str = "shm subgroup barrier";
        self.inner.check(OP)?;
        self.inner.object.subgroup_barrier(OP, key, rank_size, rank)
    }

    /// As [`allgather`](Self::allgather), of a subgroup. **Collective** over it; the result is ordered by the
    /// ranks there.
    ///
    /// # Errors
    /// As [`allgather`](Self::allgather) and [`subgroup_barrier`](Self::subgroup_barrier).
    pub fn subgroup_allgather(
        &self,
        key: &str,
        rank_size: u32,
        rank: u32,
        own: &[u8],
        all: &mut [u8],
    ) -> Result<()> {
        const OP: &str = "shm subgroup allgather";
        self.inner.check(OP)?;
        check_lengths(own, all, rank_size, ALLGATHER_BYTES_MAX)?;
        self.inner.object.subgroup_allgather(OP, key, (rank_size, rank), own, all)
    }

    /// Returns the data operations by which kernels and copy engines here reach the memory of a rank. Empty:
    /// they do not reach it, because the rank is on another host or gone; copies by the host may still reach
    /// it. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` unknown rank · `NotExist` after destroy.
    pub fn reach(&self, rank: Rank) -> Result<u32> {
        self.inner.check("shm reach")?;
        let address = self.address(rank)?;
        if self.pool.local_address(address).is_err() {
            return Ok(0);
        }
        Ok(if self.inner.has_accelerator { DATA_OP_MTE | DATA_OP_SDMA } else { DATA_OP_MTE })
    }

    /// Copies 1 to 65536 bytes to the place where kernels of this rank find the context of the object;
    /// replaces the earlier content. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` too few or too many bytes · `NotExist` after destroy · errors of the device.
    pub fn set_context(&self, context: &[u8]) -> Result<()> {
        const OP: &str = "shm set context";
        self.inner.check(OP)?;
        if context.is_empty() || context.len() > CONTEXT_BYTES_MAX {
            return Err(Error::invalid(OP, "the context is too short or too long")
                .with("bytes", context.len())
                .hint("1 to 65536 bytes"));
        }
        let mut kept = lock(&self.inner.context);
        if let Some(shown) = &*lock(&self.inner.shown) {
            shown.set_context(context)?;
        }
        context.clone_into(&mut kept);
        Ok(())
    }

    /// The context that was set last; empty: none was. **Local.**
    pub fn context(&self) -> Vec<u8> {
        lock(&self.inner.context).clone()
    }

    /// Takes the smallest number below `limit` (1 to 1024) that no rank of the object has taken.
    /// **One-sided**; a few round trips to the store. Values of a dead rank stay taken until a rank releases
    /// them.
    ///
    /// # Errors
    /// `InvalidParam` the limit · `Failed` none is free · `NotConnected` without the store.
    pub fn alloc_value(&self, limit: u32) -> Result<u32> {
        const OP: &str = "shm alloc value";
        self.inner.check(OP)?;
        self.inner.object.alloc_value(OP, limit)
    }

    /// Gives a number back, also one that another rank took. **One-sided.**
    ///
    /// # Errors
    /// `NotExist` the number is not taken · `NotConnected` without the store.
    pub fn release_value(&self, value: u32) -> Result<()> {
        const OP: &str = "shm release value";
        self.inner.check(OP)?;
        self.inner.object.release_value(OP, value)
    }

    /// Calls `callback` with the status on a thread of ours when a rank calls [`exit_all`](Self::exit_all),
    /// or has done so before. Once per object and process. **Local.**
    ///
    /// # Errors
    /// `Duplicated` there is a callback · `NotConnected` without the store.
    pub fn on_exit(&self, callback: Box<dyn Fn(i32) + Send + Sync>) -> Result<()> {
        const OP: &str = "shm register exit";
        self.inner.check(OP)?;
        self.inner.object.on_exit(OP, callback)
    }

    /// Runs the exit callbacks of all ranks, and returns. **One-sided.**
    ///
    /// # Errors
    /// `NotConnected` without the store.
    pub fn exit_all(&self, status: i32) -> Result<()> {
        self.inner.check("shm global exit")?;
        self.inner.object.exit_all(status)
    }

    /// The memory of a rank that has gone is unmapped, under the kernels of others too: what failed there is
    /// its doing.
    fn explain_departures(&self, error: Error) -> Error {
        if error.kind() != Kind::Failed {
            return error;
        }
        match self.inner.object.check_departures(LAUNCH) {
            Err(gone) if gone.kind() == Kind::NotConnected => gone.source(error),
            _ => error,
        }
    }

    /// Launches a kernel that works on this object, like [`Binary::launch`]; when the kernel gave up waiting
    /// for a rank, the error names that rank. [`destroy`](Self::destroy) waits for it.
    ///
    /// # Errors
    /// As for [`Binary::launch`] · `NotConnected` a rank that the kernel waited for died or left ·
    /// `Timeout` a rank did not come · `NotExist` after destroy.
    ///
    /// # Safety
    /// As of [`Binary::launch`].
    pub unsafe fn launch(
        &self,
        binary: &Binary,
        kernel: &str,
        arguments: &Arguments,
        options: &LaunchOptions,
    ) -> Result<()> {
        self.inner.check(LAUNCH)?;
        let launch = self.inner.object.begin_launch(LAUNCH).map_err(|error| error.with("id", self.id()))?;
        // SAFETY: the caller vouches for the kernel, its arguments and the stream.
        let launched = unsafe { binary.launch(kernel, arguments, options) };
        match (launched, &self.inner.part.control) {
            (Err(error), Some(control)) => {
                Err(self.explain_departures(control.explain(error, kernel, self.id())))
            }
            (Err(error), None) => Err(error),
            (Ok(()), _) => {
                // On a stream of the caller it runs until the stream gets there.
                if let Some(stream) = options.stream
                    && let Some(mover) = self.mover()
                {
                    // SAFETY: the kernel was put on this stream just now, so it is one of the device's.
                    unsafe { mover.run_on(stream, Box::new(move || drop(launch))) }?;
                }
                Ok(())
            }
        }
    }

    /// Gives the object up; the other ranks keep theirs, and their calls that wait for this one fail. Waits
    /// for kernels that [`launch`](Self::launch) began, at most for the control timeout. **Local.** A
    /// second call changes nothing.
    pub fn destroy(&self) {
        self.inner.destroy();
    }

    fn mover(&self) -> Option<&dyn Mover> {
        self.inner.part.control.as_ref().and_then(Control::mover)
    }
}

impl Owned for ShareMemory {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.inner.check_process(operation)
    }

    fn end(&self) {
        self.destroy();
    }
}

fn check_lengths(own: &[u8], all: &[u8], ranks: u32, most: usize) -> Result<()> {
    let bad = |what: &str| {
        Err(Error::invalid(ALLGATHER, what)
            .with("own_bytes", own.len())
            .with("ranks", ranks)
            .with("all_bytes", all.len()))
    };
    if own.is_empty() || own.len() > most {
        return bad("a rank gives too few or too many bytes")
            .map_err(|error| error.hint(format!("1 to {most} bytes")));
    }
    if own.len().checked_mul(ranks as usize) != Some(all.len()) {
        return bad("the buffer for all does not fit");
    }
    Ok(())
}
