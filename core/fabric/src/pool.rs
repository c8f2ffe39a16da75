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
//! * `membership`: join and leave; `growth`: extend.
//! * `links`: the members of this host, over [`mf_net::link`]; `protocol`: their messages; `host`: this
//!   member's contribution to them.
//! * `windows`: mapped parts of the windows; `peers`: the mappings of other members' segments.
//! * `copies`: the copy path; `routes`: copies done by an accelerator; `resolve`: resolves addresses for
//!   [`crate::transfer`], which does all copies to memory that is not mapped here.
//! * `atomics`: words that several members change, and signals.
//! * `remote`: directory of members on other hosts; `reach`: their routes; `record`: each member's published
//!   record; `serve`: this member's memory as a remote target.
//! * `groups`: ranks that wait for each other.
//! * `regions`: registered user memory.
//! * `events`: a callback for members that join or leave.
//! * `explain`: the engine that copies to a member, with the reason, for `mf explain`.

mod atomics;
mod copies;
pub(crate) mod counts;
mod events;
pub mod explain;
mod fast_path;
mod groups;
mod growth;
mod host;
mod links;
mod membership;
mod peers;
mod populate;
pub mod protocol;
mod reach;
pub mod record;
mod regions;
mod remote;
mod resolve;
mod routes;
mod serve;
mod views;
mod windows;

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use mf_base::os::memfile::check_file_limit;
use mf_base::os::process::{self, OwnFlag, Owner};
use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Gva, Kind, MemKind, Rank, Result};
use mf_device::engine::{self, Queue};
use mf_device::{AddressWindows, Devices, Identity, Memory, Share, Token};
use mf_store::Store;

use crate::space::{Extents, Layout, Places, Presence, Shape, agree};
use crate::transfer::Lane;
use mf_net::Deadlines;
use mf_net::Network;
use mf_net::choice;
use mf_net::link::Endpoint;
use windows::Windows;

pub use crate::transfer::Mode;
pub use copies::Side;
pub use counts::{Copied, Direction, PoolCopies, PoolSegments, copied, copied_by_pools, segments};
pub use events::{EventFn, GroupEvent};
pub use fast_path::{CopyKey, CopyNote, copy_again};
pub use populate::Pages;

const OP: &str = "pool";

/// Options to open a pool with.
pub struct Options {
    /// Number of the pool in the job.
    pub id: u32,
    /// Number of members and the most each may contribute.
    pub shape: Shape,
    /// Which ranks of the job the members are; ranks of the pool are the places in this list.
    pub places: Places,
    /// Initial contribution of this rank in bytes, indexed by kind.
    pub own_bytes: [u64; 2],
    /// Memory to contribute as host memory; contributions beyond it are fresh memory.
    pub given: Option<Given>,
    /// NUMA node to take the own host memory from; `None`: the kernel's choice.
    pub numa_node: Option<u32>,
    /// Views of all members of the job, if they make the pool together; `None`: they agree one after the
    /// other.
    pub together: Option<agree::Together>,
    /// A base to try first; the same in all members.
    pub preferred_base: Option<u64>,
    /// Touch every own page in join.
    pub prefault: bool,
    /// Asynchronous copies to queue before a further one waits.
    pub queue_depth: usize,
    /// Network to members on other hosts; `None`: all are on this one.
    pub network: Option<Arc<Network>>,
    /// If set, memory of members on the same host is mapped.
    pub shared_memory: bool,
    /// Mappings of a member stay as long as the pool lives, also when it has left or died; it cannot join
    /// again under its rank then.
    pub keep_mappings: bool,
    /// Members hand each other their control pages when they join, since groups are made next; else when the
    /// first group is made.
    pub groups_follow: bool,
    /// Bounds opening.
    pub create_timeout: Duration,
    /// Bounds join, leave and extend.
    pub control_timeout: Duration,
    /// The engines that are asked for, the own tag, and rules for tags.
    pub engines: choice::Request,
}

/// A memory object of the caller.
#[derive(Debug)]
pub struct Given {
    /// Its descriptor.
    pub descriptor: OwnedFd,
    /// Bytes to contribute of it; it grows to so many where it is shorter.
    pub bytes: u64,
}

/// Stage of this member in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Stage {
    Created = 0,
    Joining = 1,
    Joined = 2,
    Left = 3,
    Destroyed = 4,
}

/// A pool as this member sees it. Thread-safe; shared by reference.
pub struct Pool {
    id: u32,
    rank: Rank,
    places: Places,
    layout: Layout,
    extents: Extents,
    counts: counts::Counts,
    /// Declared before the windows, so that nothing is queued any more when they are unmapped.
    lane: routes::OwnLane,
    regions: regions::Regions,
    windows: Windows,
    devices: Devices,
    /// Identity of this member towards members that share its memory.
    identity: Identity,
    store: Arc<dyn Store>,
    own: Mutex<[Option<Box<dyn Memory>>; 2]>,
    /// Held while this member joins, leaves, extends or destroys; never by the thread of the links.
    control: Mutex<Option<Endpoint>>,
    links: links::Links,
    /// Identities of the other members; held while a peer's mapping changes.
    peers: Mutex<BTreeMap<Rank, Identity>>,
    stage: AtomicU8,
    joined: AtomicBool,
    /// All members are about to leave, and know it.
    is_parting: AtomicBool,
    /// Set if the accelerator may still use memory of the pool when it is dropped.
    stays_mapped: AtomicBool,
    /// Joined, the processor moves all bytes, and not in a forked child: the first check of the copy path.
    direct: OwnFlag,
    queue: Queue<copies::Job>,
    /// The pool's own copies to memory that is not mapped here.
    carried: Lane,
    remote: remote::Remote,
    groups: groups::Groups,
    shared_memory: bool,
    keep_mappings: bool,
    groups_follow: bool,
    engines: choice::Request,
    /// Network namespace in which the sockets of this process can be reached.
    namespace: String,
    events: events::Events,
    prefault: bool,
    numa_node: Option<u32>,
    control_timeout: Duration,
    owner: Owner,
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
        check_sizes(options, &devices)?;
        let rank = own_place(&*store, options)?;
        let identity = devices.for_kind(MemKind::Device).identity()?;
        let deadline = Instant::now() + options.create_timeout;
        let (shape, preferred) = (options.shape, options.preferred_base);
        let agreed = match &options.together {
            Some(together) => agree::open_together(&*store, &devices, options.id, shape, together, deadline)?,
            None => agree::open(&*store, &devices, options.id, shape, preferred, deadline)?,
        };
        let layout = agreed.layout;
        let windows = Windows::new(agreed, devices.accelerator().cloned());
        let own = make_segments(&devices, options)
            .and_then(|own| map_own(&windows, rank, &own, options.numa_node).map(|()| own))
            .inspect_err(|_| agree::close(&*store, options.id))?;
        let extents = Extents::new(options.shape.world);
        let route = if devices.mover().is_some() { "device" } else { "mapped" };
        let shown = counts::Shown { pool: options.id, rank, extents: extents.clone(), shape: options.shape };
        Ok(Arc::new_cyclic(|myself: &Weak<Pool>| Self {
            id: options.id,
            rank,
            places: options.places.clone(),
            extents,
            counts: counts::Counts::new(shown, (route, &options.places)),
            layout,
            lane: routes::OwnLane::default(),
            regions: regions::Regions::new(devices.accelerator().cloned()),
            windows,
            devices,
            identity,
            store,
            own: Mutex::new(own),
            control: Mutex::new(None),
            links: links::Links::default(),
            peers: Mutex::default(),
            stage: AtomicU8::new(Stage::Created as u8),
            joined: AtomicBool::new(false),
            is_parting: AtomicBool::new(false),
            stays_mapped: AtomicBool::new(false),
            direct: OwnFlag::new(),
            queue: Queue::new(options.queue_depth, copies::Job::run),
            groups: groups::Groups::default(),
            carried: options.network.as_ref().map_or_else(
                || Lane::new(&[], Deadlines(Duration::ZERO)),
                |network| Lane::new(network.transports(), network.deadlines()),
            ),
            remote: remote::Remote::new(options.network.clone(), options.places.clone(), options.shape.world),
            shared_memory: options.shared_memory,
            keep_mappings: options.keep_mappings,
            groups_follow: options.groups_follow,
            engines: options.engines.clone(),
            namespace: process::network_namespace().unwrap_or_default(),
            events: events::Events::default(),
            prefault: options.prefault,
            numa_node: options.numa_node,
            control_timeout: options.control_timeout,
            owner: Owner::current(),
            myself: Weak::clone(myself),
        }))
    }

    /// Number of the pool in the job.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The own rank in the pool.
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// The address arithmetic.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Bytes this rank contributes now; 0 for a kind it does not contribute.
    pub fn local_bytes(&self, kind: MemKind) -> u64 {
        self.own().as_ref()[kind.index()].as_ref().map_or(0, |memory| memory.bytes())
    }

    /// Address of a rank's segment, also before that rank has joined.
    ///
    /// # Errors
    /// `InvalidParam` for a rank outside the world or a window that the pool does not have.
    pub fn address(&self, kind: MemKind, rank: Rank) -> Result<Gva> {
        self.layout.address(kind, rank).ok_or_else(|| {
            Error::invalid(OP, "there is no such segment")
                .with("pool", self.id)
                .with("rank", rank)
                .with("world_size", self.layout.shape().world)
                .with("kind", kind)
                .with("max_bytes", self.layout.shape().max_bytes[kind.index()])
        })
    }

    /// Returns true if this member takes part.
    pub fn is_joined(&self) -> bool {
        self.joined.load(Ordering::Acquire)
    }

    /// Declares that all members are about to leave, and know it: then they need no farewells of each other,
    /// of which there are as many as the square of the members. `false`: each leaves by itself again.
    /// **Local**; all members must have called it before the first one leaves.
    pub fn set_parting(&self, is_parting: bool) {
        self.is_parting.store(is_parting, Ordering::Release);
    }

    /// Returns true if the pool was given up.
    pub fn is_destroyed(&self) -> bool {
        self.stage() == Stage::Destroyed
    }

    /// Returns the ranks that take part now, as this member knows it; in order, the own included.
    pub fn members(&self) -> Vec<Rank> {
        let ranks = (0..self.layout.shape().world).map(Rank);
        ranks.filter(|rank| self.extents.presence(*rank) == Presence::Joined).collect()
    }

    /// Returns the presence of a rank, as this member knows it.
    pub fn presence(&self, rank: Rank) -> Presence {
        self.extents.presence(rank)
    }

    /// The address under which this process reaches `address`; the same number, because all is mapped in
    /// place.
    ///
    /// # Errors
    /// `Failed` outside the pool or in memory that is not mapped here.
    pub fn local_address(&self, address: Gva) -> Result<Gva> {
        let mapped = self.layout.locate(address.0).filter(|place| {
            place.rank == self.rank && place.offset < self.local_bytes(place.kind)
                || place.offset < self.extents.readable_bytes(place.kind, place.rank)
        });
        mapped.map(|_| address).ok_or_else(|| {
            Error::new(Kind::Failed, "pool address")
                .what("nothing is mapped here at this address")
                .with("address", address)
        })
    }

    /// Returns true if the processor may touch `address` once it is mapped: it is in a window, and not an
    /// accelerator's memory.
    pub fn is_host_memory(&self, address: Gva) -> bool {
        let place = self.layout.locate(address.0);
        place.is_some_and(|place| place.kind == MemKind::Host || self.devices.accelerator().is_none())
    }

    /// Returns a reference to this pool; `None` while it is being dropped.
    fn share(&self) -> Option<Arc<Self>> {
        self.myself.upgrade()
    }

    /// Calls `callback` for every member that joins or leaves from now on, on a dedicated thread; `None` ends
    /// that. Does nothing in a forked child.
    pub fn on_event(&self, callback: Option<EventFn>) {
        if self.owner.is_current() {
            self.events.set(callback);
        }
    }

    fn own(&self) -> MutexGuard<'_, [Option<Box<dyn Memory>>; 2]> {
        lock(&self.own)
    }

    fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Acquire) {
            1 => Stage::Joining,
            2 => Stage::Joined,
            3 => Stage::Left,
            4 => Stage::Destroyed,
            _ => Stage::Created,
        }
    }

    fn set_stage(&self, stage: Stage) {
        let joined = stage == Stage::Joined;
        self.joined.store(joined, Ordering::Release);
        if joined && self.devices.mover().is_none() {
            self.direct.raise();
        } else {
            self.direct.lower();
        }
        self.stage.store(stage as u8, Ordering::Release);
    }

    /// Keeps the mappings for the life of the process.
    fn keep_mapped(&self) {
        self.stays_mapped.store(true, Ordering::Release);
    }

    /// Refuses in a forked child: the threads and connections of the pool do not exist there, and nothing
    /// keeps mappings from being replaced under a copy.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub fn check_process(&self, operation: &'static str) -> Result<()> {
        self.owner.check(operation, "the pool was made by the parent of this process")
    }

    /// Touches the own pages so that no copy meets a page fault.
    fn prefault_own(&self) -> Result<()> {
        for kind in MemKind::ALL {
            let own = self.own();
            let (Some(memory), Some(address)) = (&own[kind.index()], self.layout.address(kind, self.rank))
            else {
                continue;
            };
            let bytes = usize::try_from(memory.bytes()).unwrap_or(usize::MAX);
            let page_bytes = usize::try_from(memory.page_bytes()).unwrap_or(usize::MAX);
            if page_bytes == 0 {
                continue;
            }
            // SAFETY: the own segment is mapped at its address for its whole length since `open`.
            unsafe { engine::prefault(address.as_ptr(), bytes, page_bytes) }?;
        }
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let is_own = self.owner.is_current();
        if is_own {
            self.destroy();
        }
        // In a forked child the state of the accelerator is the parent's, and its runtime does not work.
        // Memory that the accelerator still uses stays mapped, host memory as well.
        let is_in_use = is_own && *self.stays_mapped.get_mut();
        if is_in_use || !is_own && self.devices.accelerator().is_some() {
            self.lane.abandon();
            self.regions.abandon();
            let own = self.own.get_mut().unwrap_or_else(PoisonError::into_inner);
            for kind in MemKind::ALL.into_iter().filter(|kind| is_in_use || *kind == MemKind::Device) {
                self.windows.abandon(kind);
                std::mem::forget(own[kind.index()].take());
            }
        }
    }
}

/// The place of this process among the members.
fn own_place(store: &dyn Store, options: &Options) -> Result<Rank> {
    let rank = store.member().rank;
    let place = options.places.in_pool(rank).filter(|place| place.0 < options.shape.world);
    place.ok_or_else(|| {
        Error::invalid(OP, "this rank is not among the members of the pool")
            .with("rank", rank)
            .with("members", options.shape.world)
    })
}

fn check_sizes(options: &Options, devices: &Devices) -> Result<()> {
    let shape = options.shape;
    shape.check()?;
    for kind in MemKind::ALL {
        let (own, max) = (options.own_bytes[kind.index()], shape.max_bytes[kind.index()]);
        if (own, max) == (0, 0) {
            continue;
        }
        let granule_bytes = devices.windows(kind)?.granule_bytes(kind);
        let bad = |what: &str| {
            Err(Error::invalid(OP, what)
                .with("pool", options.id)
                .with("kind", kind)
                .with("local", ByteLen(own))
                .with("max", ByteLen(max))
                .hint(format!("sizes are multiples of {}", ByteLen(granule_bytes))))
        };
        if own > max {
            return bad("the local contribution is larger than the maximum");
        }
        if !own.is_multiple_of(granule_bytes) || !max.is_multiple_of(granule_bytes) {
            return bad("a size is not a multiple of the granule");
        }
    }
    Ok(())
}

fn make_segments(devices: &Devices, options: &Options) -> Result<[Option<Box<dyn Memory>>; 2]> {
    let mut own = [None, None];
    for kind in MemKind::ALL {
        let bytes = options.own_bytes[kind.index()];
        if bytes == 0 {
            continue;
        }
        let device = devices.windows(kind)?;
        own[kind.index()] = Some(match &options.given {
            Some(given) if kind == MemKind::Host => {
                behind_given(device, &devices.for_kind(kind).identity()?, given, bytes)?
            }
            _ => device.allocate(kind, bytes)?,
        });
    }
    Ok(own)
}

/// Makes host memory of `bytes`, of which a given memory object is the first part.
fn behind_given(
    device: &dyn AddressWindows,
    own: &Identity,
    given: &Given,
    bytes: u64,
) -> Result<Box<dyn Memory>> {
    let descriptor = given.descriptor.try_clone().map_err(|e| {
        Error::new(Kind::NoResources, OP).what("the given descriptor could not be duplicated").source(e)
    })?;
    let first = given.bytes.min(bytes);
    lengthen(&descriptor, first)?;
    let mut shares = vec![Share { bytes: first, sealed: false, token: Token::Descriptor(descriptor) }];
    if first < bytes {
        let fresh = device.allocate(MemKind::Host, bytes - first)?;
        shares.extend(fresh.share(own)?);
    }
    device.adopt(MemKind::Host, shares)
}

/// Extends a given memory object to the contributed length; a longer one stays unchanged.
fn lengthen(descriptor: &OwnedFd, bytes: u64) -> Result<()> {
    let os = |errno| Error::os(OP, errno).what("the given memory object cannot be used").with("bytes", bytes);
    let present = u64::try_from(rustix::fs::fstat(descriptor).map_err(os)?.st_size).unwrap_or(0);
    if present >= bytes {
        return Ok(());
    }
    check_file_limit(bytes)?;
    rustix::fs::ftruncate(descriptor, bytes).map_err(os)
}

fn map_own(
    windows: &Windows,
    rank: Rank,
    own: &[Option<Box<dyn Memory>>; 2],
    numa_node: Option<u32>,
) -> Result<()> {
    for kind in MemKind::ALL {
        if let Some(memory) = &own[kind.index()] {
            let whole = 0..memory.bytes();
            // SAFETY: the windows were just reserved and nobody knows them yet.
            unsafe { windows.map(kind, rank, &**memory, whole.clone()) }?;
            windows.include_in_dumps(kind, rank, whole.clone())?;
            if let (MemKind::Host, Some(node)) = (kind, numa_node) {
                windows.bind_to_node(kind, rank, whole, node)?;
            }
        }
    }
    Ok(())
}
