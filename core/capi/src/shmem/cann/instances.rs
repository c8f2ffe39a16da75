// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The worlds of a process in this family: up to 255 instances. Calls find the current one without a lock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use mf_base::os::per_process::{Locked, PerProcess};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_job::process::Owned;
use mf_shmem::cann::codes::INNER_ERROR;
use mf_shmem::{Config, Engine, Options, Staging, World};
use mf_store::Server;

use super::place::Place;
use super::types::InstanceCtx;
use super::uids;
use super::{address_table, device, watch};

/// The current instance or null. It lives until an instance of its number begins again.
static CURRENT: AtomicPtr<Instance> = AtomicPtr::new(std::ptr::null_mut());

static STATE: PerProcess<State> = PerProcess::new(State::new());

#[derive(Default)]
pub(super) struct State {
    alive: BTreeMap<u64, Arc<Instance>>,
    /// Ended instances, kept because another thread may still be in a call on them.
    ended: BTreeMap<u64, Arc<Instance>>,
}

impl State {
    const fn new() -> Self {
        Self { alive: BTreeMap::new(), ended: BTreeMap::new() }
    }
}

/// One instance: its heaps and settings.
pub(crate) struct Instance {
    id: u64,
    pub(crate) world: Arc<World>,
    /// Configuration of the second heap.
    config: Config,
    /// A heap in host memory, from its first use on.
    host_side: OnceLock<Arc<World>>,
    shown: InstanceCtx,
    /// A store that this process runs for the job.
    server: Mutex<Option<Server>>,
    staging: Mutex<[Option<Staging>; Engine::ALL.len()]>,
}

// SAFETY: the pointer in `shown` is a number for the program, and is never followed.
unsafe impl Send for Instance {}
// SAFETY: the pointer in `shown` is a number for the program, and is never followed.
unsafe impl Sync for Instance {}

impl Instance {
    /// The context of the instance, as the program sees it.
    pub(super) fn shown(&self) -> *mut InstanceCtx {
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

    /// Returns the heap in host memory, created on first use. **Collective.**
    ///
    /// # Errors
    /// Errors of [`World::begin`].
    pub(super) fn second_or_begin(&self) -> Result<&World> {
        static BEGINNING: Mutex<()> = Mutex::new(());
        let _beginning = lock(&BEGINNING);
        if let Some(world) = self.host_side.get() {
            return Ok(world);
        }
        let id = u32::try_from(self.id).unwrap_or(u32::MAX);
        let options =
            Options::host_side(id, self.config.clone())?.heap_bytes(self.world.heap_bytes()).waits_anywhere();
        let world = World::begin(options)?;
        let world = self.host_side.get_or_init(|| world);
        self.world.show_host_heap_to_kernels(world);
        watch::changed();
        Ok(world)
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

    fn end(&self) -> Result<()> {
        let second = self.second().map_or(Ok(()), World::end);
        let first = self.world.end();
        if let Some(server) = lock(&self.server).take() {
            server.linger();
        }
        first.and(second)
    }
}

/// The current instance; none before init, after its end and in a forked child.
#[inline]
pub(crate) fn current() -> Option<&'static Instance> {
    // SAFETY: null, or an instance that `STATE` keeps until the next one of its number begins; a program that
    // makes calls while another thread of it ends and begins the instance has none to call.
    let instance = unsafe { CURRENT.load(Ordering::Acquire).as_ref() }?;
    instance.world.check_process("").is_ok().then_some(instance)
}

/// The current instance.
///
/// # Errors
/// `NotInit` without an instance.
#[inline]
pub(super) fn get(op: &'static str) -> Result<&'static Instance> {
    current().ok_or_else(|| none(op))
}

#[cold]
fn none(op: &'static str) -> Error {
    Error::new(Kind::NotInit, op)
        .what("CANN SHMEM has not begun in this process, or has ended")
        .hint("call aclshmemx_init_attr first; a forked child is no PE")
}

/// Locks the instances: one thread at a time begins or ends one.
pub(super) fn locked() -> Locked<'static, State> {
    STATE.lock()
}

impl State {
    /// Returns true if the instance exists.
    pub(super) fn has(&self, id: u64) -> bool {
        self.alive.contains_key(&id)
    }

    /// Begins an instance, and makes it the current one.
    ///
    /// # Errors
    /// Errors of [`World::begin`].
    pub(super) fn begin(&mut self, id: u64, place: Place, heap_bytes: u64) -> Result<()> {
        let Place { config, server, made_here } = place;
        let config = device::chosen("CANN SHMEM begin", config)?;
        let number = u32::try_from(id).unwrap_or(u32::MAX);
        let options = Options::instance(number, config.clone())?.heap_bytes(heap_bytes).waits_anywhere();
        let world = World::begin(options)?;
        let shown = InstanceCtx { id, instance: Arc::as_ptr(&world).cast_mut().cast() };
        let instance = Arc::new(Instance {
            id,
            world,
            config,
            host_side: OnceLock::new(),
            shown,
            server: Mutex::new(server.or_else(|| uids::take(made_here?))),
            staging: Mutex::default(),
        });
        self.make_current(Some(&instance));
        self.alive.insert(id, instance);
        self.ended.remove(&id);
        Ok(())
    }

    /// Ends an instance. Instance 0 becomes the current one, unless another instance was current.
    ///
    /// # Errors
    /// Errors of [`World::end`]; it has ended then, too.
    pub(super) fn end(&mut self, id: u64) -> Result<()> {
        let Some(instance) = self.alive.remove(&id) else { return Ok(()) };
        let ended = instance.end();
        mf_boundary::repeats::report();
        if id != 0 || current().is_none_or(|current| current.id == id) {
            let first = self.alive.get(&0).cloned();
            self.make_current(first.as_ref());
        }
        self.ended.insert(id, instance);
        ended
    }

    /// Makes an instance the current one.
    ///
    /// # Errors
    /// `NotExist` unknown instance.
    pub(super) fn choose(&self, op: &'static str, id: u64) -> Result<()> {
        let instance = self.alive.get(&id).ok_or_else(|| unknown(op, id))?;
        self.make_current(Some(instance));
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "who holds the lock may change it")]
    fn make_current(&self, instance: Option<&Arc<Instance>>) {
        address_table::show(instance.map(|instance| &*instance.world));
        let instance = instance.map_or(std::ptr::null_mut(), |instance| Arc::as_ptr(instance).cast_mut());
        CURRENT.store(instance, Ordering::Release);
        watch::changed();
    }
}

/// The error for an instance that is not there.
pub(super) fn unknown(op: &'static str, id: u64) -> Error {
    Error::new(Kind::NotExist, op)
        .what("unknown instance")
        .with("instance_id", id)
        .code_of_family(INNER_ERROR)
}

impl Instance {
    pub(super) fn id(&self) -> u64 {
        self.id
    }
}
