// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Service for members of the same host: this member's contribution to them, and the handling of their
//! leaving and their end.

use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;

use mf_base::os::socket::MAX_DESCRIPTORS;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_device::Identity;

use super::protocol::{Announcement, Part, pack};
use super::{GroupEvent, Pool, Stage};
use crate::space::Presence;

impl Pool {
    /// Checks that this member takes part.
    ///
    /// # Errors
    /// `NotStarted` if it does not.
    pub(super) fn takes_part(&self) -> Result<()> {
        if matches!(self.stage(), Stage::Joining | Stage::Joined) {
            return Ok(());
        }
        Err(Error::new(Kind::NotStarted, "pool")
            .what("this member does not take part")
            .with("rank", self.rank))
    }

    /// Returns this member's present contribution in a form that `peer` may map, with the descriptors of its
    /// parts and of its control page.
    ///
    /// # Errors
    /// `NotStarted` when it does not take part; others when its memory cannot be handed out.
    pub(super) fn contribution(&self, peer: &Identity) -> Result<(Announcement, Vec<OwnedFd>)> {
        self.takes_part()?;
        let mut descriptors = Vec::new();
        let parts = [
            self.own_parts(MemKind::Device, peer, &mut descriptors)?,
            self.own_parts(MemKind::Host, peer, &mut descriptors)?,
        ];
        let page = self.groups_follow && descriptors.len() < MAX_DESCRIPTORS;
        if page {
            descriptors.push(self.share_page()?);
        }
        let (rank, bases, identity) = (self.rank.0, self.layout.bases(), self.identity.clone());
        Ok((Announcement { rank, bases, identity, parts, page }, descriptors))
    }

    /// The own memory of a kind, as `peer` may map it; its descriptors are added to `descriptors`.
    pub(super) fn own_parts(
        &self,
        kind: MemKind,
        peer: &Identity,
        descriptors: &mut Vec<OwnedFd>,
    ) -> Result<Vec<Part>> {
        match &self.own()[kind.index()] {
            Some(memory) => Ok(pack(memory.share(peer)?, descriptors)),
            None => Ok(Vec::new()),
        }
    }

    /// A member of this host leaves.
    pub(super) fn left(&self, rank: Rank) {
        self.extents.set_presence(rank, Presence::Left);
        self.groups.lost(rank);
        self.events.notify(rank, GroupEvent::Leave);
    }

    /// Handles the end of the connection to a member; `departed` if it had announced its leaving.
    pub(super) fn lost(&self, rank: Rank, departed: bool) {
        self.groups.lost(rank);
        if departed {
            self.forget(rank);
        } else if self.is_parting.load(Ordering::Acquire) {
            self.left(rank);
            self.forget(rank);
        } else if self.extents.presence(rank) == Presence::Joined {
            tracing::info!(pool = self.id, rank = rank.0, "a member has ended without leaving");
            self.extents.set_presence(rank, Presence::Dead);
            self.events.notify(rank, GroupEvent::Leave);
        }
    }
}
