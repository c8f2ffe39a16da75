// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An instance: a world with its heaps and settings. Calls find the current one without a lock.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_job::process::Owned;
use mf_shmem::{Buffer, Config, Engine, Staging, World};
use mf_store::Server;

use super::types::InstanceCtx;

/// The current instance or null. The table keeps it until an instance of its number begins again.
static CURRENT: AtomicPtr<Instance> = AtomicPtr::new(std::ptr::null_mut());

/// One instance: its heaps and settings.
pub(crate) struct Instance {
    pub(super) id: u64,
    pub(crate) world: Arc<World>,
    /// Configuration of the second heap.
    pub(super) config: Config,
    /// Buffers of the program, the first part of the heap, in order.
    pub(super) buffers: Vec<Buffer>,
    /// A heap in host memory, from its first use on.
    pub(super) host_side: OnceLock<Arc<World>>,
    pub(super) shown: InstanceCtx,
    /// A store that this process runs for the job.
    pub(super) server: Mutex<Option<Server>>,
    pub(super) staging: Mutex<[Option<Staging>; Engine::ALL.len()]>,
}

// SAFETY: the pointer in `shown` is a number for the program, and is never followed.
unsafe impl Send for Instance {}
// SAFETY: the pointer in `shown` is a number for the program, and is never followed.
unsafe impl Sync for Instance {}

impl Instance {
    /// The context of the instance, as the program sees it.
    pub(super) fn context(&self) -> *mut InstanceCtx {
        (&raw const self.shown).cast_mut()
    }

    /// Returns the world with the own address in its heap; the first world if it is in no heap.
    #[inline]
    pub(super) fn world_of(&self, own: *const u8) -> &World {
        match self.host_side.get() {
            Some(second) if second.is_symmetric(own) => second,
            _ => &self.world,
        }
    }

    /// The same, to keep.
    pub(super) fn kept_world_of(&self, own: *const u8) -> &Arc<World> {
        match self.host_side.get() {
            Some(second) if second.is_symmetric(own) => second,
            _ => &self.world,
        }
    }

    /// Returns the staging buffers that were set.
    pub(super) fn staging(&self) -> [Option<Staging>; Engine::ALL.len()] {
        *lock(&self.staging)
    }

    pub(super) fn keep_staging(&self, engine: Engine, staging: Staging) {
        if let Some(kept) = lock(&self.staging).get_mut(engine as usize) {
            *kept = Some(staging);
        }
    }

    /// The worlds of all heaps.
    pub(super) fn worlds(&self) -> impl Iterator<Item = &Arc<World>> {
        std::iter::once(&self.world).chain(self.host_side.get())
    }

    /// The heap in host memory, if it is used.
    #[inline]
    pub(super) fn second(&self) -> Option<&World> {
        self.host_side.get().map(|world| &**world)
    }

    /// Shows the heap in host memory to kernels again, after a heap has grown.
    pub(super) fn show_second(&self) {
        if let Some(second) = self.second() {
            self.world.show_host_heap_to_kernels(second);
        }
    }

    /// Returns true if all memory of all heaps is mapped here.
    #[inline(always)]
    pub(super) fn is_all_mapped(&self) -> bool {
        self.world.is_all_mapped() && self.second().is_none_or(World::is_all_mapped)
    }

    /// Completes puts to both heaps.
    ///
    /// # Errors
    /// Errors of [`World::quiet`].
    pub(super) fn quiet(&self) -> Result<()> {
        let second = self.second().map_or(Ok(()), World::quiet);
        self.world.quiet()?;
        second
    }
}

/// The current instance; none before init, after its end and in a forked child.
#[inline]
pub(crate) fn current() -> Option<&'static Instance> {
    // SAFETY: null, or an instance that the table keeps until the next one of its number begins; a program
    // that makes calls while another thread of it ends and begins the instance has none to call.
    let instance = unsafe { CURRENT.load(Ordering::Acquire).as_ref() }?;
    instance.world.check_process("").is_ok().then_some(instance)
}

/// Makes an instance the current one, or none. The caller holds the lock of the table, and keeps the instance
/// alive until another one of its number begins.
pub(super) fn set_current(instance: Option<&Arc<Instance>>) {
    let instance = instance.map_or(std::ptr::null_mut(), |instance| Arc::as_ptr(instance).cast_mut());
    CURRENT.store(instance, Ordering::Release);
}

/// The current instance.
///
/// # Errors
/// `NotInit` without an instance.
#[inline]
pub(super) fn get(op: &'static str) -> Result<&'static Instance> {
    current().ok_or_else(|| not_begun(op))
}

#[cold]
fn not_begun(op: &'static str) -> Error {
    Error::new(Kind::NotInit, op)
        .what("CANN SHMEM has not begun in this process, or has ended")
        .hint("call aclshmemx_init_attr first; a forked child is no PE")
}
