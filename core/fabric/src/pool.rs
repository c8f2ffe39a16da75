// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool: the contributions of the members of a job as one address space.
//!
//! ```text
//!            join                leave
//! Created ─────────► Joined ─────────────► Left ──── join ──► Joined …
//!    └──────────────────┴── destroy ─────────┴──► Destroyed
//! ```
//!
//! Opening a pool is local: it agrees on addresses and makes the own segments. Joining maps every member's
//! segments here and ours there (`membership`); when it returns, every living member can copy to and from
//! this one.
//!
//! # Parts
//! Each owns its state; the methods of [`Pool`] call them.
//! * `own_member`: identity and options of this member; `stage`: its stage.
//! * `segments`: the memory that is mapped here: `own_segments`, `peer_mappings`, in `windows`; `populate`,
//!   `views`: prefaulting and further mappings.
//! * `local_peers`: connected members of this host, over [`mf_net::link`]; `protocol`: their messages.
//! * `directory`: members on other hosts; `remote_routes`: their routes; `member_record`: each member's
//!   published record.
//! * `device_copies`: copies done by an accelerator. `counts`: counters.
//! * `groups`: ranks that wait for each other. `regions`: registered user memory. `events`: a callback for
//!   members that join or leave.
//!
//! # Operations
//! * `membership`: join and leave; `growth`: extend.
//! * `copies`: copies, by the `fast_path` or the `slow_path`; `resolve`: resolver of both ends for the slow
//!   path, over [`crate::transfer`]; `refusal`: reasons of refused copies.
//! * `atomics`: words that several members change, and signals.
//! * `local_service`: requests of members of this host; `remote`: members on other hosts; `remote_target`:
//!   this member's memory for them.
//! * `explain`: the engine that copies to a member, with the reason, for `mf explain`.

mod atomics;
mod copies;
pub(crate) mod counts;
mod device_copies;
mod directory;
mod events;
pub mod explain;
mod fast_path;
mod groups;
mod growth;
mod local_peers;
mod local_service;
pub mod member_record;
mod membership;
mod options;
mod own_member;
mod own_segments;
mod peer_mappings;
mod populate;
pub mod protocol;
mod refusal;
mod regions;
mod remote;
mod remote_routes;
mod remote_target;
mod resolve;
mod segments;
mod side;
mod slow_path;
mod stage;
mod views;
mod windows;

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::os::mapped::Mapped;
use mf_base::os::process::{self, Owner};
use mf_base::sync::rcu::ReadSection;
use mf_base::{Gva, MemKind, Rank, Result};
use mf_device::engine::Queue;
use mf_device::{Access, Devices};
use mf_store::Store;

use crate::group::Group;
use crate::space::{Layout, PoolPlace, Presence, agree};
use crate::transfer::Lane;
use own_member::OwnMember;
use segments::Segments;
use stage::{MemberStage, Stage};
use windows::Windows;

pub use crate::transfer::Mode;
pub use counts::{Copied, Direction, PoolCopies, PoolSegments, copied, copied_by_pools, segments};
pub use events::{EventFn, GroupEvent};
pub use fast_path::{CopyKey, CopyNote, fast_path_cached};
use mf_transport::Deadlines;
pub use options::{GivenMemory, Options};
pub use populate::Pages;
pub use side::Side;

/// A pool as this member sees it. Thread-safe; shared by reference.
pub struct Pool {
    counts: counts::Counts,
    /// Declared before the segments, so that nothing is queued any more when they are unmapped.
    device_lane: device_copies::DeviceLane,
    regions: regions::Regions,
    segments: Segments,
    local_peers: local_peers::LocalPeers,
    stage: MemberStage,
    queue: Queue<slow_path::QueuedCopy>,
    /// The pool's own copies to memory that is not mapped here.
    remote_lane: Lane,
    remote: directory::RemoteMembers,
    groups: groups::Groups,
    events: events::Events,
    prefault: bool,
    myself: Weak<Pool>,
}

impl Pool {
    /// Agrees on addresses with the other members and makes the own segments. Local; at most
    /// `create_timeout`.
    ///
    /// # Errors
    /// `InvalidParam` sizes that contradict each other or the other members' · `NoResources`, `InUse`
    /// addresses · `OutOfMemory` · `NotConnected`, `Timeout` of the store.
    pub fn open(devices: Devices, store: Arc<dyn Store>, options: &Options) -> Result<Arc<Self>> {
        options.check_sizes(&devices)?;
        let rank = options.own_place(&*store)?;
        let identity = devices.for_kind(MemKind::Device).identity()?;
        let deadline = Instant::now() + options.create_timeout;
        let (shape, preferred) = (options.shape, options.preferred_base);
        let agreed = match &options.together {
            Some(together) => agree::open_together(&*store, &devices, options.id, shape, together, deadline)?,
            None => agree::open(&*store, &devices, options.id, shape, preferred, deadline)?,
        };
        let me = OwnMember {
            id: options.id,
            rank,
            places: options.places.clone(),
            identity,
            store,
            shared_memory: options.shared_memory,
            engines: options.engines.clone(),
            namespace: process::network_namespace().unwrap_or_default(),
            control_timeout: options.control_timeout,
            owner: Owner::current(),
        };
        let (layout, accelerator) = (agreed.layout, devices.accelerator().cloned());
        let windows = Windows::new(agreed, accelerator.clone());
        let route = if devices.mover().is_some() { "device" } else { "mapped" };
        let segments = Segments::open(me, layout, windows, devices, options)?;
        let report = counts::PoolReport {
            pool: options.id,
            rank,
            extents: segments.extents.clone(),
            shape: options.shape,
        };
        Ok(Arc::new_cyclic(|myself: &Weak<Pool>| Self {
            counts: counts::Counts::new(report, (route, &options.places)),
            device_lane: device_copies::DeviceLane::default(),
            regions: regions::Regions::new(accelerator),
            segments,
            local_peers: local_peers::LocalPeers::default(),
            stage: MemberStage::new(),
            queue: Queue::new(options.queue_depth, slow_path::QueuedCopy::run),
            remote_lane: options.network.as_ref().map_or_else(
                || Lane::new(&[], Deadlines(Duration::ZERO)),
                |network| Lane::new(network.transports(), network.deadlines()),
            ),
            remote: directory::RemoteMembers::new(
                options.network.clone(),
                options.places.clone(),
                options.shape.world,
            ),
            groups: groups::Groups::new(options.groups_follow),
            events: events::Events::default(),
            prefault: options.prefault,
            myself: Weak::clone(myself),
        }))
    }

    #[inline(always)]
    fn me(&self) -> &OwnMember {
        &self.segments.me
    }

    /// Number of the pool in the job.
    pub fn id(&self) -> u32 {
        self.me().id
    }

    /// The own rank in the pool.
    pub fn rank(&self) -> Rank {
        self.me().rank
    }

    /// The address arithmetic.
    pub fn layout(&self) -> &Layout {
        &self.segments.layout
    }

    /// Bytes this rank contributes now; 0 for a kind it does not contribute.
    pub fn local_bytes(&self, kind: MemKind) -> u64 {
        self.segments.own_bytes(kind)
    }

    /// Address of a rank's segment, also before that rank has joined.
    ///
    /// # Errors
    /// `InvalidParam` for a rank outside the world or a window that the pool does not have.
    pub fn address(&self, kind: MemKind, rank: Rank) -> Result<Gva> {
        self.segments.address(kind, rank)
    }

    /// Returns true if this member takes part.
    pub fn is_joined(&self) -> bool {
        self.stage.is_joined()
    }

    /// Declares that all members are about to leave, and know it: then they need no farewells of each other,
    /// of which there are as many as the square of the members. `false`: each leaves by itself again.
    /// **Local**; all members must have called it before the first one leaves.
    pub fn set_parting(&self, is_parting: bool) {
        self.stage.set_parting(is_parting);
    }

    /// Returns true if the pool was given up.
    pub fn is_destroyed(&self) -> bool {
        self.stage.get() == Stage::Destroyed
    }

    /// Returns the ranks that take part now, as this member knows it; in order, the own included.
    pub fn members(&self) -> Vec<Rank> {
        let ranks = (0..self.segments.layout.shape().world).map(Rank);
        ranks.filter(|rank| self.segments.extents.presence(*rank) == Presence::Joined).collect()
    }

    /// Returns the presence of a rank, as this member knows it.
    pub fn presence(&self, rank: Rank) -> Presence {
        self.segments.extents.presence(rank)
    }

    /// The address under which this process reaches `address`; the same number, because all is mapped in
    /// place.
    ///
    /// # Errors
    /// `Failed` outside the pool or in memory that is not mapped here.
    pub fn local_address(&self, address: Gva) -> Result<Gva> {
        self.segments.local_address(address)
    }

    /// Returns true if the processor may touch `address` once it is mapped: it is in a window, and not an
    /// accelerator's memory.
    pub fn is_host_memory(&self, address: Gva) -> bool {
        self.segments.is_host_memory(address)
    }

    /// Returns address and length of the mapping of a rank's segment; `None` if it is not mapped here.
    /// **Local.** With [`keep_mappings`](Options::keep_mappings) it stays mapped as long as the pool
    /// lives.
    pub fn mapped(&self, kind: MemKind, rank: Rank) -> Option<(Gva, u64)> {
        self.segments.mapped(kind, rank)
    }

    /// Returns the address of a range if it is mapped here and permits this access now; `None`
    /// otherwise. For host memory, and, as a device's address, for an accelerator's. Costs as much as a
    /// bounds check. **Local.**
    ///
    /// Memory of another member stays mapped as long as the section lasts; the own memory as long as the pool
    /// lives.
    #[inline(always)]
    pub fn mapped_address(
        &self,
        _: ReadSection<'_>,
        place: PoolPlace,
        bytes: u64,
        access: Access,
    ) -> Option<Gva> {
        let is_member = self.is_joined() && self.me().owner.is_current();
        if is_member { self.segments.mapped_address(place, bytes, access) } else { None }
    }

    /// Extends the own contribution of `kind` by `bytes`, inside its maximum. Members use it when the call
    /// returns. Blocks until all have mapped it, at most for the control timeout.
    ///
    /// # Errors
    /// `InvalidParam` misaligned, beyond the maximum, or no such window · `OutOfMemory` · `NotConnected`,
    /// `Timeout` of the store · errors of the network; nothing has grown then. `PartialFailed` it has grown,
    /// and the named members could not map it; they keep using the old size.
    pub fn extend(&self, kind: MemKind, bytes: u64) -> Result<()> {
        growth::extend(self, kind, bytes)
    }

    /// Prefaults a part of a segment, so that later copies to and from it meet no page faults in this
    /// process: allocates missing pages, and maps all of them. The contents stay. Returns false if the
    /// segment is not mapped here or has no pages of the host. **Local.** Blocks for about 1 ms for each MiB
    /// that has no pages; members that leave meanwhile wait for it, so ask for a few MiB at a time.
    ///
    /// # Errors
    /// `OutOfMemory` there is no memory for the pages.
    pub fn populate(&self, place: PoolPlace, bytes: u64, pages: Pages) -> Result<bool> {
        let mapped = |section: ReadSection<'_>, place, bytes| {
            self.mapped_address(section, place, bytes, Access::Write)
        };
        self.segments.populate(place, bytes, pages, mapped)
    }

    /// Maps this member's present contribution of `kind` a second time, at an address that the kernel
    /// chooses. The mapping shows the same bytes as long as this member is in the pool, and stays when it
    /// leaves, destroys the pool, or joins another. **Local.**
    ///
    /// # Errors
    /// `NotExist` it contributes none, or after destroy · `Failed` memory of an accelerator, which the
    /// processor does not reach · `NoResources`, `OutOfMemory`.
    pub fn map_own(&self, kind: MemKind) -> Result<Mapped> {
        self.segments.map_own(kind)
    }

    /// Calls `show` with address and length of the contribution of `kind` by `rank`, another member, if it is
    /// host memory mapped here. The mapping and its length stay until `show` returns, which must not call
    /// this pool. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no such rank or kind · `NotExist` it contributes none · `NotStarted` not joined ·
    /// `NotConnected` it has not joined, or has left · `Failed` memory of an accelerator or of another host
    /// · errors of `show`.
    pub fn with_mapped<T>(
        &self,
        kind: MemKind,
        rank: Rank,
        show: impl FnOnce(Gva, u64) -> Result<T>,
    ) -> Result<T> {
        self.segments.with_mapped(kind, rank, &self.stage, &self.remote, show)
    }

    /// Registers `bytes` of this process's memory from `address` on. Local. Registering the same range again
    /// changes nothing.
    ///
    /// # Errors
    /// `InvalidParam` for address 0, size 0 or a range that overflows · `Failed` when the address is
    /// registered with another size, or when an accelerator can never use the range.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        self.regions.register(&self.segments, address, bytes)
    }

    /// Withdraws a registration. Local. An address that is not registered changes nothing.
    ///
    /// # Errors
    /// `InvalidParam` for address 0.
    pub fn unregister(&self, address: u64) -> Result<()> {
        self.regions.unregister(self.me(), address)
    }

    /// Makes a group of members of this pool, this one among them, named in the same order by all.
    /// **Collective** over `members`, which have all joined; at most until `deadline`. Calls for the same
    /// members are matched in their order.
    ///
    /// # Errors
    /// As [`Group::create`] · `NotStarted` not joined.
    pub fn group(&self, members: &[Rank], deadline: Instant) -> Result<Arc<Group>> {
        self.group_named("", members, deadline)
    }

    /// As [`group`](Self::group) for groups with a name: calls for the same members and the same name are
    /// matched in their order, so that threads that make groups of different names do not meet each
    /// other's.
    ///
    /// # Errors
    /// As there.
    pub fn group_named(&self, name: &str, members: &[Rank], deadline: Instant) -> Result<Arc<Group>> {
        self.me().check_process(groups::OP)?;
        if !self.is_joined() {
            return Err(self.me().not_joined(groups::OP));
        }
        self.groups.create(self.me(), &self.local_peers, self.wire(), (name, members), deadline)
    }

    /// Returns the time at which the last member was seen to leave or to end.
    pub(crate) fn last_loss(&self) -> Option<Instant> {
        self.groups.last_loss()
    }

    /// Returns a reference to this pool; `None` while it is being dropped.
    fn share(&self) -> Option<Arc<Self>> {
        self.myself.upgrade()
    }

    /// Calls `callback` for every member that joins or leaves from now on, on a dedicated thread; `None` ends
    /// that. Does nothing in a forked child.
    pub fn on_event(&self, callback: Option<EventFn>) {
        if self.me().owner.is_current() {
            self.events.set(callback);
        }
    }

    /// Refuses in a forked child: the threads and connections of the pool do not exist there, and nothing
    /// keeps mappings from being replaced under a copy.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub fn check_process(&self, operation: &'static str) -> Result<()> {
        self.me().check_process(operation)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let is_own = self.me().owner.is_current();
        if is_own {
            self.destroy();
        }
        // In a forked child the state of the accelerator is the parent's, and its runtime does not work.
        // Memory that the accelerator still uses stays mapped, host memory as well.
        let is_in_use = is_own && self.segments.stays_mapped();
        if is_in_use || !is_own && self.segments.devices.accelerator().is_some() {
            self.device_lane.abandon();
            self.regions.abandon();
            self.segments.abandon(is_in_use);
        }
    }
}
