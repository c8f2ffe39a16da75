// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The instances of this process, up to 255: their begin, choice and end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use mf_base::os::per_process::{Locked, PerProcess};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_shmem::cann::codes::INNER_ERROR;
use mf_shmem::{Buffer, Options, World};

use super::instances::{Instance, current, set_current};
use super::place::JobPlace;
use super::types::InstanceCtx;
use super::uids;
use super::{address_table, device, exceptions, queue_pairs, watch};

static INSTANCES: PerProcess<InstanceTable> = PerProcess::new(InstanceTable::new());

#[derive(Default)]
pub(super) struct InstanceTable {
    alive: BTreeMap<u64, Arc<Instance>>,
    /// Ended instances, kept because another thread may still be in a call on them.
    ended: BTreeMap<u64, Arc<Instance>>,
}

impl InstanceTable {
    const fn new() -> Self {
        Self { alive: BTreeMap::new(), ended: BTreeMap::new() }
    }
}

/// Locks the instances: one thread at a time begins or ends one.
pub(super) fn locked() -> Locked<'static, InstanceTable> {
    INSTANCES.lock()
}

impl InstanceTable {
    /// Returns true if the instance exists.
    pub(super) fn has(&self, id: u64) -> bool {
        self.alive.contains_key(&id)
    }

    /// Returns true if no instance exists.
    pub(super) fn is_empty(&self) -> bool {
        self.alive.is_empty()
    }

    /// Begins an instance, and makes it the current one.
    ///
    /// # Errors
    /// Errors of [`World::begin`].
    pub(super) fn begin(
        &mut self,
        id: u64,
        place: JobPlace,
        heap_bytes: u64,
        buffers: Vec<Buffer>,
    ) -> Result<()> {
        let JobPlace { config, server, made_here } = place;
        let config = device::chosen("CANN SHMEM begin", config)?;
        let number = u32::try_from(id).unwrap_or(u32::MAX);
        let options = Options::instance(number, config.clone())?.heap_bytes(heap_bytes).waits_anywhere();
        let options = options.buffers(buffers.clone()).queue_pairs(queue_pairs::number());
        let world = World::begin(options)?;
        let shown = InstanceCtx { id, instance: Arc::as_ptr(&world).cast_mut().cast() };
        let instance = Arc::new(Instance {
            id,
            world,
            config,
            buffers,
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
        if self.alive.is_empty() {
            queue_pairs::reset();
            exceptions::end();
        }
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

    #[expect(clippy::unused_self, reason = "the lock of the table guards the current instance")]
    fn make_current(&self, instance: Option<&Arc<Instance>>) {
        address_table::show(instance.map(|instance| &*instance.world));
        set_current(instance);
        watch::changed();
    }
}

impl Instance {
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

    fn end(&self) -> Result<()> {
        let second = self.second().map_or(Ok(()), World::end);
        let first = self.world.end();
        if let Some(server) = lock(&self.server).take() {
            server.linger();
        }
        first.and(second)
    }
}

/// The error for an instance that is not there.
pub(super) fn unknown(op: &'static str, id: u64) -> Error {
    Error::new(Kind::NotExist, op)
        .what("unknown instance")
        .with("instance_id", id)
        .code_of_family(INNER_ERROR)
}
