// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prefault: pages exist before memory is used, so that puts and gets take no page faults.
//!
//! The manager of a zone populates pages shortly before its hand, huge ones where the machine has them,
//! and records its progress in the segment. All other processes of the host map the pages that exist. So no
//! process takes memory for values that are never put, and after a while none takes page faults.

use mf_base::Result;

use crate::atomic_fields::Spot;
use crate::background::Mapped;
use crate::index::unless_gone;
use crate::layout::{Geometry, INDEX_POPULATED_AT};
use crate::member::Member;
use crate::memory::Memory;
use crate::view::{Member as Peer, View};

/// Bytes before the hand of an arena that have pages.
const AHEAD: u64 = 64 << 20;
/// Size of a huge page, and the amount populated at once: other work on the mapping waits meanwhile.
pub(crate) const HUGE_PAGE: u64 = 2 << 20;
/// Zones begin and end at multiples of this: pages as large as any machine has.
const PAGE: u64 = 4096;

impl<M: Memory> Member<M> {
    /// Populates the memory used next, at most `most` huge pages, one at a time. Returns true if nothing was
    /// left to do.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn populate(&self, most: u32) -> Result<bool> {
        let mut mapped = self.memory.lock(&self.mapped);
        let view = self.view();
        let latest = view.latest();
        mapped.0.retain(|(holder, _), _| latest.has(*holder));
        let mut strides = most;
        self.make_pages(&view, &mut mapped, &mut strides)?;
        for peer in latest.members().iter().filter(|peer| peer.is_near) {
            unless_gone(self.map_pages(peer, &mut mapped, &mut strides))?;
        }
        Ok(strides > 0)
    }

    /// Populates the pages that this process is about to use.
    fn make_pages(&self, view: &View, mapped: &mut Mapped, strides: &mut u32) -> Result<()> {
        if let Some(own) = view.latest().member(self.me.rank) {
            let published_at = Spot { rank: self.me.rank, offset: INDEX_POPULATED_AT };
            let part = Part { peer: own, zone: own.geometry.zones, start: 0, wanted: own.geometry.data_at };
            self.make(&part, published_at, mapped, strides)?;
        }
        for (rank, used) in self.manager.next_used(&self.memory, AHEAD) {
            let Some(peer) = view.latest().member(rank).filter(|peer| peer.is_near) else { continue };
            let geometry = &peer.geometry;
            let first = geometry.zone_of(used.start).unwrap_or(0);
            for zone in first..geometry.zones {
                let start = geometry.zone(zone);
                if start >= used.end {
                    break;
                }
                let part = Part { peer, zone, start, wanted: geometry.zone(zone + 1).min(used.end) - start };
                unless_gone(self.make(&part, Geometry::populated(rank, zone), mapped, strides))?;
            }
        }
        Ok(())
    }

    fn make(&self, part: &Part<'_>, said: Spot, mapped: &mut Mapped, strides: &mut u32) -> Result<()> {
        let mut there = self.memory.load(said)?;
        while there < part.wanted && *strides > 0 {
            *strides -= 1;
            let end = part.stride(there);
            self.memory.populate(part.address(there), end - there, true)?;
            // Earlier pages were mapped when this process made them, or are mapped below.
            if mapped.mapped_bytes(part) == there {
                mapped.set(part, end);
            }
            there = end;
            self.memory.store(said, there)?;
        }
        Ok(())
    }

    /// Maps pages of a segment that exist already.
    fn map_pages(&self, peer: &Peer, mapped: &mut Mapped, strides: &mut u32) -> Result<()> {
        let (rank, geometry) = (peer.holder.rank, &peer.geometry);
        let index = self.memory.load(Spot { rank, offset: INDEX_POPULATED_AT })?;
        let mut parts = vec![Part { peer, zone: geometry.zones, start: 0, wanted: index }];
        let zones = geometry.table(&self.memory, Geometry::populated(rank, 0))?;
        parts.extend((0..).zip(zones).map(|(zone, bytes)| {
            let wanted = bytes.min(geometry.zone_bytes);
            Part { peer, zone, start: geometry.zone(zone), wanted }
        }));
        for part in parts {
            let mut there = mapped.mapped_bytes(&part);
            while there < part.wanted && *strides > 0 {
                *strides -= 1;
                let end = part.stride(there);
                self.memory.populate(part.address(there), end - there, false)?;
                there = end;
                mapped.set(&part, there);
            }
        }
        Ok(())
    }
}

/// A zone to be populated, or the part before the zones.
struct Part<'a> {
    peer: &'a Peer,
    zone: u64,
    start: u64,
    wanted: u64,
}

impl Part<'_> {
    fn address(&self, bytes: u64) -> Spot {
        Spot { rank: self.peer.holder.rank, offset: self.start + bytes }
    }

    /// Returns the end of a stride from there: at a huge page, or the end of the part.
    fn stride(&self, from: u64) -> u64 {
        let end = (self.start + from + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE - self.start;
        end.min(self.wanted.next_multiple_of(PAGE))
    }
}

impl Mapped {
    fn mapped_bytes(&self, part: &Part<'_>) -> u64 {
        self.0.get(&(part.peer.holder, part.zone)).copied().unwrap_or(0)
    }

    fn set(&mut self, part: &Part<'_>, bytes: u64) {
        self.0.insert((part.peer.holder, part.zone), bytes);
    }
}
