// SPDX-License-Identifier: Apache-2.0 OR MIT
//! World: this process as a PE among others, from begin to end. Its parts own the state, and its methods,
//! grouped by files, call them.

#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod collective;
#[expect(unsafe_code, reason = "blocks are filled")]
mod heap;
mod kernels;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod remote;
#[expect(unsafe_code, reason = "copies of raw addresses, on streams of the caller")]
mod streams;
mod teams;
#[expect(unsafe_code, reason = "words that others update; values and indices of the caller")]
mod waits;

use std::fmt;
use std::sync::Arc;

use mf_base::{MemKind, Rank, Result};
use mf_fabric::objects::Object;
use mf_job::process::Owned;
use mf_job::{Membership, metrics};

use crate::context::Contexts;
use crate::create::Maker;
use crate::fast_path::AddressTable;
use crate::heap::{self as symmetric_heap, Fit, Heap};
use crate::kernels::{Kernels, View};
use crate::options::{Options, ThreadLevel};
use crate::pe::Pe;
use crate::pending::Pending;
use crate::space::{Layout, Space};
use crate::statics::OwnStatics;
use crate::team::Teams;
use crate::wait::Waits;

const BEGIN: &str = "symmetric heap begin";
const END: &str = "symmetric heap end";

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
    space: Space,
    contexts: Contexts,
    teams: Teams,
    waits: Waits,
    heap: Heap,
    kernels: Kernels,
    /// Pending operations of streams.
    pending: Pending<Self>,
    thread_level: ThreadLevel,
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
        let Options { waits_anywhere, meeting_limit, kernels_record, buffers, queue_pairs, .. } = options;
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
            buffers: &buffers,
            queue_pairs,
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
        let statics = OwnStatics::new(statics, part.programs);
        statics.report(pool.rank());
        let layout = Layout { segment, statics, starts, own_start, own_heap, takes_device_memory };
        let base = pool.address(segment.heap, Rank(0))?.0;
        let timeout = meeting_limit.unwrap_or(membership.control_timeout());
        let object = Object::new(Arc::clone(store), pool, part.prefix, n_pes, timeout);
        // PEs meet meanwhile, after all have mapped the memory that they can map.
        let made = Teams::begin(BEGIN, &object, &layout.starts, timeout).and_then(|teams| {
            let is_needed = layout.starts.iter().any(|start| layout.is_elsewhere(*start));
            let contexts = Contexts::new(BEGIN, object.pool(), is_needed, teams.world())?;
            Ok((teams, contexts))
        });
        let (teams, contexts) = made.inspect_err(|_| {
            object.end();
            object.pool().destroy();
            membership.leave();
        })?;
        let mut fit = Fit::new(base + heap_offset, segment.heap_bytes, part.quarantine_bytes);
        fit.reserve(buffers.iter().map(|buffer| buffer.bytes).sum());
        let most_alignment = 1 << segment.distance(n_pes).trailing_zeros();
        let kernels = part.control.zip(kernels_record).and_then(|(control, record)| {
            View::begin(membership.devices(), object.pool(), control, (record, queue_pairs), n_pes)
        });
        let group = Arc::clone(teams.world().group());
        let world = Arc::new(Self {
            waits: Waits::new(group, &layout.starts, waits_anywhere, timeout),
            space: Space::new(Pe::new(membership, object, is_served_here), layout, shown),
            contexts,
            teams,
            heap: Heap::new(fit, n_pes, part.is_poisoned, most_alignment),
            kernels: Kernels::new(kernels),
            pending: Pending::new(),
            thread_level,
        });
        world.space.show();
        world.heap.show_usage(BEGIN, world.access(), &world.kernels);
        metrics::add_source(symmetric_heap::heap_metrics);
        world.kernels.show_team(BEGIN, world.team_world(), n_pes);
        let pe = world.space.pe();
        pe.open();
        let weak = Arc::downgrade(&world);
        let before_exit = move || {
            if let Some(world) = weak.upgrade() {
                world.space.pe().await_others_left();
            }
        };
        pe.end_with_others(BEGIN, before_exit).inspect_err(|_| world.release())?;
        Ok(world)
    }

    /// Completes this PE's puts, waits for the others, frees the heap and leaves the job. **Collective.**
    /// Idempotent.
    ///
    /// # Errors
    /// Errors of [`barrier_all`](Self::barrier_all); this PE has ended then, too. `NotInit` in a forked
    /// child.
    pub fn end(&self) -> Result<()> {
        let pe = self.space.pe();
        pe.membership().check_process(END)?;
        if pe.has_ended() {
            return Ok(());
        }
        let quiet = self.contexts.quiet();
        let met = self.barrier_all().and(quiet);
        if met.is_ok() {
            pe.barrier_before_leaving(END);
            // The process may exit next, and the others still use its store to leave the pool.
            pe.await_others_left();
        }
        self.release();
        met
    }

    /// Releases everything without waiting for other PEs.
    fn release(&self) {
        let pe = self.space.pe();
        if !pe.start_end() {
            return;
        }
        pe.close();
        self.space.hide();
        // Stream operations that have begun see that the world is closed, and keep memory mapped until they
        // end; others are dropped.
        let dropped = self.pending.drop_all();
        if dropped > 0 {
            tracing::warn!("pe {}: {dropped} operations on streams are not done", self.my_pe());
        }
        let running = pe.object().end_launches();
        if running > 0 {
            tracing::warn!("pe {}: {running} operations on streams have not ended", self.my_pe());
        }
        self.kernels.end();
        symmetric_heap::hide_usage(pe.pool());
        pe.object().end();
        pe.pool().destroy();
        self.contexts.clear();
        self.teams.clear();
        pe.membership().leave();
    }

    /// Ends the processes of all PEs, this one included, with `status`; streams of the C library are flushed,
    /// exit handlers do not run. **One-sided.** Never returns.
    pub fn global_exit(&self, status: i32) -> ! {
        self.space.pe().global_exit(status)
    }

    fn check(&self, operation: &'static str) -> Result<()> {
        self.space.pe().check(operation)
    }

    /// Returns the number of this PE, from 0.
    #[inline]
    pub fn my_pe(&self) -> u32 {
        self.space.pe().my_pe()
    }

    /// Returns the number of PEs.
    #[inline]
    pub fn n_pes(&self) -> u32 {
        self.space.pe().n_pes()
    }

    /// Returns the requested thread level.
    pub fn thread_level(&self) -> ThreadLevel {
        self.thread_level
    }

    /// Returns the present size of each PE's heap, in bytes.
    #[inline]
    pub fn heap_bytes(&self) -> u64 {
        self.space.heap_bytes()
    }

    /// Returns the bytes to which each PE's heap can grow.
    pub fn most_heap_bytes(&self) -> u64 {
        self.space.segment().most_heap_bytes
    }

    /// Returns the start of this PE's heap.
    pub fn heap_start(&self) -> *mut u8 {
        self.space.heap_start()
    }

    /// Returns true if the heap is in the memory of an accelerator, which the processor does not touch.
    #[inline]
    pub fn is_in_device_memory(&self) -> bool {
        self.space.is_in_device_memory()
    }

    /// Returns true if pointers passed to calls may point to the memory of an accelerator.
    #[inline]
    pub fn takes_device_memory(&self) -> bool {
        self.space.takes_device_memory()
    }

    /// Returns the address here of the symmetric `dest` at PE `pe`, for loads and stores (of the accelerator,
    /// for device memory); null if it is not mapped here, not symmetric, or there is no such PE. For the own
    /// PE it is `dest`. **Local.** Valid until the object is freed.
    pub fn ptr(&self, dest: *const u8, pe: i32) -> *mut u8 {
        self.space.ptr(dest, pe)
    }

    /// Returns true if `address` is symmetric, and reachable at PE `pe`. **Local.** Accepts any address.
    pub fn is_accessible_address(&self, address: *const u8, pe: i32) -> bool {
        let pe_and_life = self.space.pe();
        let rank = pe_and_life.rank(pe).filter(|_| pe_and_life.is_open());
        rank.is_some_and(|rank| self.space.distance_of(address, 1, rank.0).is_some())
    }

    /// Returns true if an own address is in the symmetric memory of this PE. **Local.** Accepts any address.
    #[inline]
    pub fn is_symmetric(&self, own: *const u8) -> bool {
        self.space.is_symmetric(own)
    }

    /// Returns true if there is such a PE, and it runs the same program. **Local.**
    pub fn is_accessible_pe(&self, pe: i32) -> bool {
        self.space.is_accessible_pe(pe)
    }

    /// Returns the addresses at which the memory of PEs is mapped, for loads and stores of the processor.
    #[inline(always)]
    pub fn table(&self) -> &AddressTable {
        self.space.table()
    }
}

impl Owned for World {
    #[inline]
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.space.pe().membership().check_process(operation)
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
            .field("segment", &self.space.segment())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use mf_base::Gva;

    use super::*;
    use crate::Config;
    use crate::segment::LIBRARY_BYTES;
    use crate::space::PeAddress;

    #[test]
    fn own_addresses_resolve_only_in_the_heap() {
        let options =
            Options::open_shmem(Config::from_launcher_or_alone().unwrap()).unwrap().heap_bytes(2 << 20);
        let world = World::begin(options).unwrap();
        let heap = world.heap_start();
        assert_eq!(world.space.resolve("test", heap, 2 << 20, 0).unwrap(), PeAddress::Mapped(heap));
        for (own, bytes) in [(heap.wrapping_sub(1), 1), (heap, (2 << 20) + 1), (world.space.own_library(), 8)]
        {
            let error = world.space.resolve("test", own, bytes, 0).unwrap_err();
            assert_eq!((error.code(), error.fact("bytes")), (-2000, Some(bytes.to_string().as_str())));
        }
        let library = world.space.library(0).unwrap();
        assert_eq!(library, PeAddress::Mapped(world.space.own_library()));
        assert!(world.space.library(1).is_err());
        let last =
            PeAddress::Mapped(Gva(world.space.own_library().addr() as u64 + LIBRARY_BYTES - 8).as_ptr());
        assert_eq!(library.add(LIBRARY_BYTES - 8), last);
        world.end().unwrap();
    }
}
