// SPDX-License-Identifier: Apache-2.0 OR MIT
//! World: this process as a PE among others, from begin to end.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::os::process::OwnFlag;
use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_device::Mover;
use mf_fabric::objects::Object;
use mf_fabric::pool::Pool;
use mf_job::process::Owned;
use mf_job::{Membership, metrics};

use crate::context::{Context, Contexts};
use crate::direct::{Mapped, Table};
use crate::heap::{Fit, Heap, heap_metrics};
use crate::kernels::View;
use crate::making::{Maker, Program};
use crate::options::{Options, ThreadLevel};
use crate::segment::Segment;
use crate::statics::OwnStatics;
use crate::stream::Pending;
use crate::team::Teams;
use crate::wait::Waits;

const BEGIN: &str = "symmetric heap begin";
const END: &str = "symmetric heap end";
/// Longest wait for PEs that have met already.
const LEAVING: Duration = Duration::from_secs(10);

/// This process as a PE. Thread-safe; calls of all PEs are made by one thread at a time.
///
/// ```
/// use mf_shmem::{Options, World};
///
/// // A job of one; a launcher makes several.
/// let world = World::begin(Options::from_env()?.heap_bytes(1 << 20))?;
/// let counter = world.malloc(8)?;
/// // SAFETY: both sides have 8 bytes.
/// unsafe { world.put(counter, [7u8; 8].as_ptr(), 8, 0) }?;
/// world.barrier_all()?;
/// world.free(counter)?;
/// world.end()?;
/// # Ok::<(), mf_base::Error>(())
/// ```
pub struct World {
    membership: Membership,
    object: Object,
    contexts: Contexts,
    teams: Teams,
    heap: Mutex<Heap>,
    /// Interface to kernels, until the end.
    kernels: Mutex<Option<Arc<View>>>,
    segment: Segment,
    /// Bytes of the heap, which may grow.
    heap_bytes: AtomicU64,
    statics: OwnStatics,
    /// Address at which each PE's host memory is mapped here; 0: not mapped.
    starts: Vec<u64>,
    own_start: u64,
    /// Start of the own heap.
    own_heap: u64,
    /// True if an accelerator copies memory that may be its own.
    takes_device_memory: bool,
    most_alignment: u64,
    thread_level: ThreadLevel,
    waits: Waits,
    /// Pending operations of streams.
    pending: Pending,
    /// Addresses at which memory of PEs is mapped.
    table: Table,
    /// The same, for functions that have no world.
    shown: Option<&'static Table>,
    /// Set from begin to end, in this process only.
    is_open: OwnFlag,
    /// True if the store runs in this process, started by other means.
    is_served_here: bool,
    has_ended: AtomicBool,
    /// Limit of collective calls for their waits for other PEs.
    meeting_limit: Duration,
}

impl World {
    /// Becomes a PE: joins the job, creates the heap together with the other PEs, and maps all memory that
    /// can be mapped. **Collective** over all processes of the job; it succeeds on all or fails on all. Waits
    /// at most for the init and the create timeout, and for the limit of meetings in the last step, a
    /// barrier.
    ///
    /// # Errors
    /// Errors of [`Membership::begin`] · `InvalidParam` heaps of different sizes, or too large; a PE that
    /// differs is named · `OutOfMemory`, `NoResources` a PE could not make or map its part: it is named ·
    /// `Timeout` names a PE that did not arrive.
    pub fn begin(options: Options) -> Result<Arc<Self>> {
        let Options { tenant, number, part, config, heap, heap_bytes, most_heap_bytes, .. } = options;
        let Options { takes_device_memory, thread_level, table: shown, statics, .. } = options;
        let Options { waits_anywhere, meeting_limit, kernels_record, .. } = options;
        let is_served_here = config.is_served_here();
        let membership = Membership::begin(tenant, config, BEGIN)?;
        let store = membership.store(BEGIN)?;
        let image = statics.0.as_ref().ok();
        let part = Maker {
            membership: &membership,
            store,
            number,
            part,
            heap_bytes,
            most_heap_bytes,
            heap,
            statics: image,
        }
        .make()?;
        let (pool, n_pes) = (Arc::clone(&part.pool), membership.world_size());
        let starts: Vec<u64> = (0..n_pes)
            .map(|pe| pool.mapped(MemKind::Host, Rank(pe)).map_or(0, |(start, _)| start.0))
            .collect();
        let own_start = pool.address(MemKind::Host, pool.rank())?.0;
        let segment = part.segment;
        let heap_offset = segment.heap_offset();
        let own_heap = pool.address(segment.heap, pool.rank())?.0 + heap_offset;
        let takes_device_memory = takes_device_memory && membership.devices().mover().is_some();
        // On another host, or not accessible to loads and stores of the processor.
        let is_on_device = takes_device_memory || segment.heap == MemKind::Device;
        let is_elsewhere = |start: u64| is_on_device || start == 0;
        let place = |start: &u64| if is_elsewhere(*start) { 0 } else { start + heap_offset };
        let heap =
            Mapped { own: own_heap, bytes: segment.heap_bytes, starts: starts.iter().map(place).collect() };
        let statics = OwnStatics::new(statics, part.programs);
        statics.report(pool.rank());
        let shown_statics = statics.shown(pool.rank(), &starts);
        let base = pool.address(segment.heap, Rank(0))?.0;
        let timeout = meeting_limit.unwrap_or(membership.control_timeout());
        let object = Object::new(Arc::clone(store), pool, part.prefix, n_pes, timeout);
        // PEs meet meanwhile, after all have mapped the memory that they can map.
        let made = Teams::begin(BEGIN, &object, &starts, timeout).and_then(|teams| {
            let is_needed = starts.iter().any(|start| is_elsewhere(*start));
            let contexts = Contexts::new(BEGIN, object.pool(), is_needed, &teams.world)?;
            Ok((teams, contexts))
        });
        let (teams, contexts) = made.inspect_err(|_| {
            object.end();
            object.pool().destroy();
            membership.leave();
        })?;
        let parts = Fit::new(base + heap_offset, segment.heap_bytes, part.quarantine_bytes);
        let kernels = part.control.zip(kernels_record).and_then(|(control, record)| {
            View::begin(membership.devices(), object.pool(), control, record, n_pes)
        });
        let world = Arc::new(Self {
            contexts,
            kernels: Mutex::new(kernels.map(Arc::new)),
            object,
            teams,
            heap: Mutex::new(Heap::new(parts, n_pes, part.is_poisoned)),
            segment,
            heap_bytes: AtomicU64::new(segment.heap_bytes),
            statics,
            own_start,
            own_heap,
            takes_device_memory,
            most_alignment: 1 << segment.distance(n_pes).trailing_zeros(),
            thread_level,
            waits: Waits::among(&starts, waits_anywhere),
            pending: Pending::default(),
            starts,
            table: Table::new(),
            shown,
            is_open: OwnFlag::new(),
            is_served_here,
            has_ended: AtomicBool::new(false),
            membership,
            meeting_limit: timeout,
        });
        for table in std::iter::once(&world.table).chain(shown) {
            table.open(&heap, &shown_statics);
        }
        world.show_usage(&lock(&world.heap));
        metrics::add_source(heap_metrics);
        world.show_to_kernels(BEGIN, world.team_world());
        world.is_open.raise();
        world.end_with_others(BEGIN, Arc::downgrade(&world)).inspect_err(|_| world.release())?;
        Ok(world)
    }

    /// Completes this PE's puts, waits for the others, frees the heap and leaves the job. **Collective.**
    /// Idempotent.
    ///
    /// # Errors
    /// Errors of [`barrier_all`](Self::barrier_all); this PE has ended then, too. `NotInit` in a forked
    /// child.
    pub fn end(&self) -> Result<()> {
        self.membership.check_process(END)?;
        if self.has_ended.load(Ordering::Acquire) {
            return Ok(());
        }
        let quiet = self.contexts.quiet();
        let met = self.barrier_all().and(quiet);
        if met.is_ok() {
            self.meet_before_leaving();
            // The process may exit next, and the others still use its store to leave the pool.
            self.await_others_left();
        }
        self.release();
        met
    }

    /// Waits until all PEs know that all have arrived: a PE that leaves before that seems dead to PEs that
    /// still wait for messages of the barrier. All have arrived and are about to leave, so this takes no
    /// longer than the limit.
    fn meet_before_leaving(&self) {
        let name = format!("{}end", self.object.prefix());
        let deadline = Instant::now() + LEAVING.min(self.membership.control_timeout());
        // Before any PE has passed.
        self.pool().set_parting(true);
        let met = self.membership.store(END).and_then(|store| store.barrier(&name, self.n_pes(), deadline));
        if let Err(error) = met {
            self.pool().set_parting(false);
            tracing::debug!("not all PEs left together: {error}");
        }
    }

    /// Releases everything without waiting for other PEs.
    fn release(&self) {
        if !self.membership.is_own() || self.has_ended.swap(true, Ordering::AcqRel) {
            return;
        }
        self.is_open.lower();
        self.table.close();
        if let Some(shown) = self.shown {
            shown.close();
        }
        // Stream operations that have begun see that the world is closed, and keep memory mapped until they
        // end; others are dropped.
        let dropped = self.pending.drop_all();
        if dropped > 0 {
            tracing::warn!("pe {}: {dropped} operations on streams are not done", self.my_pe());
        }
        let running = self.object.end_launches();
        if running > 0 {
            tracing::warn!("pe {}: {running} operations on streams have not ended", self.my_pe());
        }
        drop(lock(&self.kernels).take());
        self.hide_usage();
        self.object.end();
        self.pool().destroy();
        self.contexts.clear();
        drop(self.teams.others.clear());
        self.membership.leave();
    }

    /// Returns the number of this PE, from 0.
    #[inline]
    pub fn my_pe(&self) -> u32 {
        self.membership.rank().0
    }

    /// Returns the number of PEs.
    #[inline]
    pub fn n_pes(&self) -> u32 {
        self.membership.world_size()
    }

    /// Returns the requested thread level.
    pub fn thread_level(&self) -> ThreadLevel {
        self.thread_level
    }

    /// Returns the present size of each PE's heap, in bytes.
    #[inline]
    pub fn heap_bytes(&self) -> u64 {
        self.heap_bytes.load(Ordering::Relaxed)
    }

    /// Returns the bytes to which each PE's heap can grow.
    pub fn most_heap_bytes(&self) -> u64 {
        self.segment.most_heap_bytes
    }

    /// Sets the size of all PEs' heaps, after the memory was mapped.
    pub(crate) fn set_heap_bytes(&self, bytes: u64) {
        self.heap_bytes.store(bytes, Ordering::Relaxed);
        for table in std::iter::once(&self.table).chain(self.shown) {
            table.grow(bytes);
        }
    }

    /// Returns the bytes of the heap in use; the same on all PEs between calls on it. **Local.**
    pub fn taken_bytes(&self) -> u64 {
        lock(&self.heap).taken_bytes()
    }

    /// Returns the start of this PE's heap.
    pub fn heap_start(&self) -> *mut u8 {
        Gva(self.own_heap).as_ptr()
    }

    /// Returns true if the heap is in the memory of an accelerator, which the processor does not touch.
    #[inline]
    pub fn is_in_device_memory(&self) -> bool {
        self.segment.heap == MemKind::Device
    }

    /// Returns true if pointers passed to calls may point to the memory of an accelerator.
    #[inline]
    pub fn takes_device_memory(&self) -> bool {
        self.takes_device_memory
    }

    /// Returns the address here of the symmetric `dest` at PE `pe`, for loads and stores (of the accelerator,
    /// for device memory); null if it is not mapped here, not symmetric, or there is no such PE. For the own
    /// PE it is `dest`. **Local.** Valid until the object is freed.
    pub fn ptr(&self, dest: *const u8, pe: i32) -> *mut u8 {
        let place = self.table.place(dest, 1, pe).or_else(|| self.imported(dest, pe));
        place.unwrap_or(std::ptr::null_mut())
    }

    /// Returns true if `address` is symmetric, and reachable at PE `pe`. **Local.** Accepts any address.
    pub fn is_accessible_address(&self, address: *const u8, pe: i32) -> bool {
        let pe = u32::try_from(pe).ok().filter(|pe| *pe < self.n_pes());
        self.is_open.is_raised() && pe.is_some_and(|pe| self.distance_of(address, 1, pe).is_some())
    }

    /// Returns true if an own address is in the symmetric memory of this PE. **Local.** Accepts any address.
    #[inline]
    pub fn is_symmetric(&self, own: *const u8) -> bool {
        self.distance_of(own, 1, self.my_pe()).is_some()
    }

    /// Returns true if there is such a PE, and it runs the same program. **Local.**
    pub fn is_accessible_pe(&self, pe: i32) -> bool {
        let program = usize::try_from(pe).ok().and_then(|pe| self.statics.program(pe));
        self.is_open.is_raised() && program.is_some_and(|program| program != Program::Other)
    }

    /// Fails after the end, and in a forked child.
    ///
    /// # Errors
    /// `NotInit` in either case.
    pub(crate) fn check(&self, operation: &'static str) -> Result<()> {
        if self.is_open.is_raised() {
            return Ok(());
        }
        self.membership.check_process(operation)?;
        Err(Error::new(Kind::NotInit, operation).what("the library has ended in this process"))
    }

    /// Like [`check`](Self::check); also fails if the heap is not accessible to the processor.
    pub(crate) fn check_host_memory(&self, operation: &'static str) -> Result<()> {
        self.check(operation)?;
        if !self.is_in_device_memory() {
            return Ok(());
        }
        Err(Error::invalid(operation, "the symmetric heap is in the memory of an accelerator")
            .hint("locks and collective calls with data are for heaps in host memory; nothing was done"))
    }

    pub(crate) fn segment(&self) -> Segment {
        self.segment
    }

    pub(crate) fn statics(&self) -> &OwnStatics {
        &self.statics
    }

    /// Returns the start of the own host memory.
    pub(crate) fn own_start(&self) -> u64 {
        self.own_start
    }

    /// Returns the start of a PE's host memory here; 0 if it is not mapped here, there is no such PE, or this
    /// process is no longer a PE.
    pub(crate) fn host_start(&self, pe: u32) -> u64 {
        let start = self.starts.get(pe as usize).filter(|_| self.is_open.is_raised());
        start.copied().unwrap_or(0)
    }

    /// Returns the copy engine for memory that may be an accelerator's; `None` if all is host memory.
    #[inline]
    pub(crate) fn mover(&self) -> Option<&dyn Mover> {
        if self.takes_device_memory { self.membership.devices().mover() } else { None }
    }

    /// Returns the largest alignment that blocks can have on all PEs.
    pub(crate) fn most_alignment(&self) -> u64 {
        self.most_alignment
    }

    /// Returns the interface to kernels; `None` if they cannot use the heap.
    pub(crate) fn kernels(&self) -> Option<Arc<View>> {
        lock(&self.kernels).clone()
    }

    pub(crate) fn membership(&self) -> &Membership {
        &self.membership
    }

    pub(crate) fn heap(&self) -> &Mutex<Heap> {
        &self.heap
    }

    pub(crate) fn object(&self) -> &Object {
        &self.object
    }

    pub(crate) fn pool(&self) -> &Arc<Pool> {
        self.object.pool()
    }

    pub(crate) fn teams(&self) -> &Teams {
        &self.teams
    }

    #[inline(always)]
    pub(crate) fn contexts(&self) -> &Contexts {
        &self.contexts
    }

    #[inline]
    pub(crate) fn context(&self) -> &Context {
        self.contexts.default()
    }

    pub(crate) fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Returns true if null names a stream of the accelerator's runtime in the calling thread. **Local.**
    pub fn has_stream_of_this_thread(&self) -> bool {
        self.mover().is_some_and(Mover::serves_this_thread)
    }

    pub(crate) fn waits(&self) -> &Waits {
        &self.waits
    }

    /// Returns the addresses at which the memory of PEs is mapped, for loads and stores of the processor.
    #[inline(always)]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the limit of collective calls for their waits.
    pub(crate) fn meeting_limit(&self) -> Duration {
        self.meeting_limit
    }

    /// Returns true if the store of the job runs in this process.
    pub(crate) fn hosts_store(&self) -> bool {
        self.is_served_here || self.membership.served_address().is_some()
    }
}

impl Owned for World {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.membership.check_process(operation)
    }

    fn end(&self) {
        if let Err(error) = Self::end(self) {
            tracing::warn!("PEs did not end together: {error}");
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.release();
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("pe", &self.my_pe())
            .field("n_pes", &self.n_pes())
            .field("segment", &self.segment)
            .finish_non_exhaustive()
    }
}
