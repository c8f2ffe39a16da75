// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the requests of other members do here. Runs on the service thread of the links; it never takes the
//! control lock, which this member's own threads hold while they wait for others.

use std::os::fd::OwnedFd;

use mf_base::{Error, Kind, MemKind, Rank, Result};

use super::{GroupEvent, Pool, Stage};
use crate::device::Identity;
use crate::link::{Announcement, Host, Part, pack};
use crate::space::Presence;

impl Host for Pool {
    fn takes_part(&self) -> Result<()> {
        if matches!(self.stage(), Stage::Joining | Stage::Joined) {
            return Ok(());
        }
        Err(Error::new(Kind::NotStarted, "pool")
            .what("this member does not take part")
            .with("rank", self.rank))
    }

    fn contribution(&self, peer: &Identity) -> Result<(Announcement, Vec<OwnedFd>)> {
        self.takes_part()?;
        let mut descriptors = Vec::new();
        let parts = [
            self.own_parts(MemKind::Device, peer, &mut descriptors)?,
            self.own_parts(MemKind::Host, peer, &mut descriptors)?,
        ];
        let (rank, bases, identity) = (self.rank.0, self.layout.bases(), self.identity.clone());
        Ok((Announcement { rank, bases, identity, parts }, descriptors))
    }

    fn announced(&self, announcement: &Announcement, descriptors: Vec<OwnedFd>, news: bool) -> Result<()> {
        self.admit(announcement, descriptors)?;
        if news {
            self.events.tell(Rank(announcement.rank), GroupEvent::Join);
        }
        Ok(())
    }

    fn extended(&self, rank: Rank, kind: MemKind, parts: &[Part], descriptors: Vec<OwnedFd>) -> Result<()> {
        self.admit_growth(rank, kind, parts, descriptors)
    }

    fn left(&self, rank: Rank) {
        self.extents.set_presence(rank, Presence::Left);
        self.groups.lost(rank);
        self.events.tell(rank, GroupEvent::Leave);
    }

    fn control_page(&self) -> Result<OwnedFd> {
        self.share_page()
    }

    fn control_page_of(&self, rank: Rank, page: OwnedFd) -> Result<()> {
        self.adopt_page(rank, page)
    }

    fn closed(&self, rank: Rank, departed: bool) {
        self.groups.lost(rank);
        if departed {
            self.forget(rank);
        } else if self.extents.presence(rank) == Presence::Joined {
            tracing::info!(pool = self.id, rank = rank.0, "a member is gone without a word");
            self.extents.set_presence(rank, Presence::Dead);
            self.events.tell(rank, GroupEvent::Leave);
        }
    }
}

impl Pool {
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
}
