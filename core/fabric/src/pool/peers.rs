// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The mappings of other members' segments in this process.
//!
//! Invariant: a part of the window that an extent covers is mapped. So a segment is mapped before its extent is raised,
//! and before anything is replaced or unmapped the extent is lowered and all running copies are waited for.

use std::os::fd::OwnedFd;
use std::sync::PoisonError;

use mf_base::sync::pin;
use mf_base::{Error, Kind, MemKind, Rank, Result};

use super::Pool;
use crate::link::{Announcement, lost_descriptor};
use crate::space::Presence;
use crate::space::layout::GRANULE_BYTES;

const OP: &str = "map member";

impl Pool {
    /// Maps what `announcement` offers and lets copies use it.
    pub(super) fn admit(&self, announcement: &Announcement, descriptors: Vec<OwnedFd>) -> Result<()> {
        let rank = Rank(announcement.rank);
        self.check_announcement(announcement)?;
        let needed = announcement.bytes.iter().filter(|bytes| **bytes > 0).count();
        if descriptors.len() < needed {
            return Err(lost_descriptor(rank));
        }
        let _mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        self.withdraw(rank);
        let present = MemKind::ALL.into_iter().filter(|kind| announcement.bytes[kind.index()] > 0);
        for (kind, descriptor) in present.zip(descriptors) {
            let (bytes, sealed) = (announcement.bytes[kind.index()], announcement.sealed[kind.index()]);
            self.map_part(rank, kind, 0, bytes, sealed, descriptor)?;
        }
        for kind in MemKind::ALL {
            self.extents.admit(kind, rank, announcement.bytes[kind.index()]);
        }
        self.extents.set_presence(rank, Presence::Joined);
        Ok(())
    }

    /// Maps what a segment has grown by; what is mapped already stays.
    pub(super) fn admit_growth(
        &self,
        rank: Rank,
        kind: MemKind,
        to: u64,
        sealed: bool,
        descriptor: OwnedFd,
    ) -> Result<()> {
        let _mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        let from = self.extents.readable_bytes(kind, rank);
        if self.extents.presence(rank) != Presence::Joined {
            return Err(Error::new(Kind::NotStarted, OP)
                .what("the member has not joined here")
                .with("rank", rank));
        }
        if to <= from {
            return Ok(());
        }
        self.check_size(rank, kind, to)?;
        self.map_part(rank, kind, from, to, sealed, descriptor)?;
        self.extents.admit(kind, rank, to);
        Ok(())
    }

    /// A member that had left is gone for good: its pages are given back.
    pub(super) fn forget(&self, rank: Rank) {
        let _mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        if self.extents.presence(rank) == Presence::Left {
            self.withdraw(rank);
        }
    }

    /// Stops copies to and from `rank`, waits for those that run, and unmaps its segments.
    fn withdraw(&self, rank: Rank) {
        if self.extents.presence(rank) == Presence::Absent {
            return;
        }
        self.extents.set_presence(rank, Presence::Left);
        pin::synchronize();
        for kind in MemKind::ALL {
            let stride = self.layout.shape().max_bytes[kind.index()];
            if let Some(offset) = self.layout.segment_offset(kind, rank) {
                // SAFETY: the extents of this segment are 0 and `synchronize` has waited for the copies that saw others.
                if let Err(error) = unsafe { self.window.unmap(offset, stride) } {
                    tracing::warn!("the segment of a departed member stays mapped: {error}");
                }
            }
        }
        self.extents.set_presence(rank, Presence::Absent);
    }

    fn map_part(
        &self,
        rank: Rank,
        kind: MemKind,
        from: u64,
        to: u64,
        sealed: bool,
        descriptor: OwnedFd,
    ) -> Result<()> {
        let memory = self.device.adopt(descriptor, to, sealed)?;
        let base = self
            .layout
            .segment_offset(kind, rank)
            .ok_or_else(|| Error::invalid(OP, "there is no such segment"))?;
        // SAFETY: no extent covers this part yet, so no copy touches it.
        unsafe { memory.map(&self.window, base + from, from..to) }?;
        // A core dump of one member need not hold the memory of all; without the advice it is only larger.
        if let Err(error) = self.window.leave_out_of_dumps(base + from, to - from) {
            tracing::debug!("{error}");
        }
        Ok(())
    }

    fn check_announcement(&self, announcement: &Announcement) -> Result<()> {
        let rank = Rank(announcement.rank);
        if rank == self.rank || rank.0 >= self.layout.shape().world {
            return Err(Error::invalid(OP, "a member announced an impossible rank").with("rank", rank));
        }
        if announcement.base != self.layout.base() {
            return Err(Error::invalid(OP, "a member has the pool at another address")
                .with("rank", rank)
                .with("theirs", format!("{:#x}", announcement.base))
                .with("ours", format!("{:#x}", self.layout.base())));
        }
        MemKind::ALL
            .into_iter()
            .try_for_each(|kind| self.check_size(rank, kind, announcement.bytes[kind.index()]))
    }

    fn check_size(&self, rank: Rank, kind: MemKind, bytes: u64) -> Result<()> {
        let max = self.layout.shape().max_bytes[kind.index()];
        if bytes <= max && bytes.is_multiple_of(GRANULE_BYTES) {
            return Ok(());
        }
        Err(Error::invalid(OP, "a member announced an impossible size")
            .with("rank", rank)
            .with("kind", kind)
            .with("bytes", bytes)
            .with("max_bytes", max))
    }
}
