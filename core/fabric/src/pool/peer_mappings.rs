// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The mappings of other members' segments in this process.
//!
//! Invariant: a part of the window that an extent covers is mapped. So a segment is mapped before its extent
//! is raised; and before a mapping is replaced or removed, the extent is lowered and all running copies are
//! waited for.

use std::ops::Range;
use std::os::fd::OwnedFd;

use mf_base::sync::rcu;
use mf_base::{Error, Kind, MemKind, Rank, Result, warn_limited};
use mf_device::{Identity, Share};
use mf_net::link::lost_descriptor;

use super::directory::RemoteMembers;
use super::protocol::{Announcement, Part, unpack};
use super::segments::Segments;
use crate::space::Presence;
use crate::space::layout::GRANULE_BYTES;

const OP: &str = "map member";

impl Segments {
    /// Maps the memory offered by `announcement` and lets copies use it. Passes the member's control page to
    /// `adopt_page`.
    pub(super) fn admit(
        &self,
        announcement: &Announcement,
        descriptors: Vec<OwnedFd>,
        remote: &RemoteMembers,
        adopt_page: impl FnOnce(Rank, OwnedFd) -> Result<()>,
    ) -> Result<()> {
        let rank = Rank(announcement.rank);
        self.check_announcement(announcement)?;
        let mut descriptors = descriptors.into_iter();
        let mut unpack = |kind: MemKind| {
            let shares = unpack(&announcement.parts[kind.index()], &mut descriptors)?;
            shares.ok_or_else(|| lost_descriptor().with("rank", rank))
        };
        let shares = [unpack(MemKind::Device)?, unpack(MemKind::Host)?];
        let page = if announcement.page { descriptors.next() } else { None };
        let mut peers = self.peers();
        if self.keep_mappings && peers.get(&rank).is_some_and(|known| *known != announcement.identity) {
            return Err(Error::new(Kind::Duplicated, OP)
                .what("a member of this rank was in the pool before, and its memory stays mapped")
                .with("rank", rank)
                .with("pool", self.me.id));
        }
        remote.release(rank, &self.extents);
        self.withdraw(rank)?;
        let bytes = announcement.bytes();
        for (kind, shares) in MemKind::ALL.into_iter().zip(shares) {
            let to = bytes[kind.index()];
            if to > 0 {
                self.map_part(rank, kind, 0..to, shares).inspect_err(|_| self.unmap(rank))?;
            }
        }
        peers.insert(rank, announcement.identity.clone());
        for kind in MemKind::ALL {
            self.extents.admit(kind, rank, bytes[kind.index()]);
        }
        self.extents.set_presence(rank, Presence::Joined);
        // Without it the first group asks for it.
        if let Some(Err(error)) = page.map(|page| adopt_page(rank, page)) {
            tracing::debug!(pool = self.me.id, rank = rank.0, "the control page is not usable: {error}");
        }
        Ok(())
    }

    /// Maps the growth of a segment; existing mappings stay.
    pub(super) fn admit_growth(
        &self,
        rank: Rank,
        kind: MemKind,
        parts: &[Part],
        descriptors: Vec<OwnedFd>,
    ) -> Result<()> {
        let shares = unpack(parts, &mut descriptors.into_iter())?
            .ok_or_else(|| lost_descriptor().with("rank", rank))?;
        let _peers = self.peers();
        let from = self.extents.readable_bytes(kind, rank);
        if self.extents.presence(rank) != Presence::Joined {
            return Err(Error::new(Kind::NotStarted, OP)
                .what("the member has not joined here")
                .with("rank", rank));
        }
        let to = self.check_parts(rank, kind, parts)?;
        if to <= from {
            return Ok(());
        }
        self.map_part(rank, kind, from..to, shares)?;
        self.extents.admit(kind, rank, to);
        Ok(())
    }

    /// Gives back the pages of a member that had left and has ended, unless mappings are kept.
    pub(super) fn forget(&self, rank: Rank) {
        let _peers = self.peers();
        if self.extents.presence(rank) == Presence::Left
            && !self.keep_mappings
            && let Err(error) = self.withdraw(rank)
        {
            warn_limited!("the segment of a departed member stays mapped: {error}");
        }
    }

    /// Unmaps remaining mappings of a rank that are no longer used, because another process has taken that
    /// rank and is reached over the network.
    pub(super) fn unmap_left_over(&self, rank: Rank) {
        let mut peers = self.peers();
        let is_in_use = self.keep_mappings
            || MemKind::ALL.iter().any(|kind| self.extents.readable_bytes(*kind, rank) > 0);
        if is_in_use || peers.remove(&rank).is_none() {
            return;
        }
        rcu::synchronize();
        match self.devices.mover().map_or(Ok(()), |mover| mover.quiesce()) {
            Ok(()) => self.unmap(rank),
            Err(error) => warn_limited!("the segment of a departed member stays mapped: {error}"),
        }
    }

    /// Stops copies to and from `rank`, waits for running ones, and unmaps its segments.
    fn withdraw(&self, rank: Rank) -> Result<()> {
        if self.extents.presence(rank) == Presence::Absent {
            return Ok(());
        }
        self.extents.set_presence(rank, Presence::Left);
        rcu::synchronize();
        if let Some(mover) = self.devices.mover() {
            mover.quiesce()?;
        }
        self.unmap(rank);
        self.extents.set_presence(rank, Presence::Absent);
        Ok(())
    }

    /// Unmaps all mappings of `rank`. Its extents are 0 and no copy to it runs.
    fn unmap(&self, rank: Rank) {
        for kind in MemKind::ALL {
            let stride = self.layout.shape().max_bytes[kind.index()];
            if stride == 0 {
                continue;
            }
            // SAFETY: the extents of this segment are 0, and the caller has waited for the copies that saw
            // others.
            if let Err(error) = unsafe { self.windows.unmap(kind, rank, 0..stride) } {
                warn_limited!("the segment of a departed member stays mapped: {error}");
            }
        }
    }

    fn map_part(&self, rank: Rank, kind: MemKind, range: Range<u64>, shares: Vec<Share>) -> Result<()> {
        let memory = self.devices.windows(kind)?.adopt(kind, shares)?;
        // SAFETY: no extent covers this part yet, so no copy touches it.
        unsafe { self.windows.map(kind, rank, &*memory, range) }
    }

    fn check_announcement(&self, announcement: &Announcement) -> Result<()> {
        let rank = Rank(announcement.rank);
        if rank == self.me.rank || rank.0 >= self.layout.shape().world {
            return Err(Error::invalid(OP, "a member announced an impossible rank").with("rank", rank));
        }
        if announcement.bases != self.layout.bases() {
            return Err(Error::invalid(OP, "a member has the pool at another address")
                .with("rank", rank)
                .with("theirs", format!("{:#x?}", announcement.bases))
                .with("ours", format!("{:#x?}", self.layout.bases())));
        }
        self.check_family(rank, &announcement.identity)?;
        for kind in MemKind::ALL {
            self.check_parts(rank, kind, &announcement.parts[kind.index()])?;
        }
        Ok(())
    }

    /// Members of a pool with device memory have the same sort of it.
    pub(super) fn check_family(&self, rank: Rank, identity: &Identity) -> Result<()> {
        let no_device_memory = self.layout.range(MemKind::Device).is_empty();
        if no_device_memory || identity.device == self.me.identity.device {
            return Ok(());
        }
        Err(Error::invalid(OP, "two members cannot share device memory, as their devices differ")
            .with("rank", self.me.rank)
            .with("device", &self.me.identity.device)
            .with("other_rank", rank)
            .with("other_device", &identity.device)
            .hint("set MF_DEVICE to the same in all members"))
    }

    /// The sum of the parts, when it is a size that a contribution can have.
    fn check_parts(&self, rank: Rank, kind: MemKind, parts: &[Part]) -> Result<u64> {
        let max = self.layout.shape().max_bytes[kind.index()];
        let sum = parts.iter().try_fold(0u64, |sum, part| {
            let possible = part.bytes > 0 && part.bytes.is_multiple_of(GRANULE_BYTES);
            sum.checked_add(part.bytes).filter(|sum| possible && *sum <= max)
        });
        sum.ok_or_else(|| {
            Error::invalid(OP, "a member announced an impossible size")
                .with("rank", rank)
                .with("kind", kind)
                .with("bytes", format!("{:?}", parts.iter().map(|part| part.bytes).collect::<Vec<_>>()))
                .with("max_bytes", max)
        })
    }
}
