// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Segments of all members: their addresses, and their mappings in this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mf_base::sync::{lock, rcu};
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Identity};

use super::counts::EndPlaces;
use super::options::Options;
use super::own_member::OwnMember;
use super::own_segments::{OwnMemory, make_segments, map_segments};
use super::side::Side;
use super::windows::Windows;
use crate::space::{Extents, Layout, PoolPlace, agree};

const OP: &str = "pool";

/// The segments of a pool.
pub(super) struct Segments {
    pub(super) layout: Layout,
    pub(super) extents: Extents,
    pub(super) windows: Windows,
    pub(super) devices: Devices,
    own: Mutex<OwnMemory>,
    /// Identities of the other members; held while a peer's mapping changes.
    peers: Mutex<BTreeMap<Rank, Identity>>,
    pub(super) keep_mappings: bool,
    pub(super) numa_node: Option<u32>,
    /// Set if the accelerator may still use memory of the pool when it is dropped.
    stays_mapped: AtomicBool,
    pub(super) me: OwnMember,
}

impl Segments {
    /// Makes the own segments and maps them.
    ///
    /// # Errors
    /// `OutOfMemory`, `NoResources` · errors of the devices. The addresses are given back then.
    pub(super) fn open(
        me: OwnMember,
        layout: Layout,
        windows: Windows,
        devices: Devices,
        options: &Options,
    ) -> Result<Self> {
        let own = make_segments(&devices, options)
            .and_then(|own| map_segments(&windows, me.rank, &own, options.numa_node).map(|()| own))
            .inspect_err(|_| agree::close(&*me.store, me.id))?;
        Ok(Self {
            layout,
            extents: Extents::new(options.shape.world),
            windows,
            devices,
            own: Mutex::new(own),
            peers: Mutex::default(),
            keep_mappings: options.keep_mappings,
            numa_node: options.numa_node,
            stays_mapped: AtomicBool::new(false),
            me,
        })
    }

    /// Locks the own memory.
    pub(super) fn own(&self) -> MutexGuard<'_, OwnMemory> {
        lock(&self.own)
    }

    /// Locks the identities of the other members; held while their mappings change.
    pub(super) fn peers(&self) -> MutexGuard<'_, BTreeMap<Rank, Identity>> {
        lock(&self.peers)
    }

    /// Returns the address of a rank's segment, also before that rank has joined.
    ///
    /// # Errors
    /// `InvalidParam` for a rank outside the world or a window that the pool does not have.
    pub(super) fn address(&self, kind: MemKind, rank: Rank) -> Result<Gva> {
        self.layout.address(kind, rank).ok_or_else(|| {
            Error::invalid(OP, "no such segment")
                .with("pool", self.me.id)
                .with("rank", rank)
                .with("world_size", self.layout.shape().world)
                .with("kind", kind)
                .with("max_bytes", self.layout.shape().max_bytes[kind.index()])
        })
    }

    /// Returns the address under which this process reaches `address`: the same.
    ///
    /// # Errors
    /// `Failed` outside the pool or in memory that is not mapped here.
    pub(super) fn local_address(&self, address: Gva) -> Result<Gva> {
        let mapped = self.layout.locate(address.0).filter(|place| {
            place.rank == self.me.rank && place.offset < self.own_bytes(place.kind)
                || place.offset < self.extents.readable_bytes(place.kind, place.rank)
        });
        mapped.map(|_| address).ok_or_else(|| {
            Error::new(Kind::Failed, "pool address")
                .what("nothing is mapped here at this address")
                .with("address", address)
        })
    }

    /// Returns true if the processor may touch `address` once it is mapped.
    pub(super) fn is_host_memory(&self, address: Gva) -> bool {
        let place = self.layout.locate(address.0);
        place.is_some_and(|place| place.kind == MemKind::Host || self.devices.accelerator().is_none())
    }

    /// Returns address and length of the mapping of a rank's segment; `None` if it is not mapped here.
    pub(super) fn mapped(&self, kind: MemKind, rank: Rank) -> Option<(Gva, u64)> {
        let bytes = match rank == self.me.rank {
            true => self.own_bytes(kind),
            false => self.extents.readable_bytes(kind, rank),
        };
        let address = self.layout.address(kind, rank)?;
        (bytes > 0).then_some((address, bytes))
    }

    /// Returns the address of a range that is mapped here and permits this access now.
    #[inline(always)]
    pub(super) fn mapped_address(&self, place: PoolPlace, bytes: u64, access: Access) -> Option<Gva> {
        let is_usable = self.extents.covers(place, bytes, access);
        let start = if is_usable { self.layout.address(place.kind, place.rank) } else { None };
        start.map(|start| start.add(place.offset))
    }

    /// Locates both ends. Returns their places if both ranges are mapped here and may be used now.
    #[inline(always)]
    pub(super) fn mapped_places(
        &self,
        piece: &Piece,
        (src_side, dst_side): (Side, Side),
    ) -> Option<EndPlaces> {
        let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
        let from = self.layout.locate(src);
        let to = self.layout.locate(dst);
        let accepted = piece.bytes > 0
            && src != 0
            && dst != 0
            && self.accepts_end(src, from, piece.bytes, src_side, Access::Read)
            && self.accepts_end(dst, to, piece.bytes, dst_side, Access::Write)
            && (from.is_some() || to.is_some());
        accepted.then_some((from, to))
    }

    #[inline(always)]
    fn accepts_end(
        &self,
        address: u64,
        place: Option<PoolPlace>,
        bytes: u64,
        side: Side,
        access: Access,
    ) -> bool {
        match place {
            Some(place) => self.extents.covers(place, bytes, access),
            // Local memory must not run into the windows from below, nor over the end of the address space.
            None => side != Side::Global && self.layout.clears(address, bytes),
        }
    }

    /// Waits until no operation that this pool passed to the mover touches memory any more; if that fails,
    /// memory stays mapped for the life of the process.
    pub(super) fn quiesce(&self) {
        let Some(mover) = self.devices.mover() else { return };
        rcu::synchronize();
        if let Err(error) = mover.quiesce() {
            self.stays_mapped.store(true, Ordering::Release);
            tracing::warn!(
                pool = self.me.id,
                "the accelerator does not come to rest, memory of the pool stays mapped: {error}"
            );
        }
    }

    /// Returns true if the accelerator may still use memory of the pool.
    pub(super) fn stays_mapped(&self) -> bool {
        self.stays_mapped.load(Ordering::Acquire)
    }

    /// Keeps the mappings of device memory for the life of the process; `all`: of host memory, too.
    pub(super) fn abandon(&mut self, all: bool) {
        let own = self.own.get_mut().unwrap_or_else(PoisonError::into_inner);
        for kind in MemKind::ALL.into_iter().filter(|kind| all || *kind == MemKind::Device) {
            self.windows.abandon(kind);
            std::mem::forget(own[kind.index()].take());
        }
    }
}
