// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the requests of other members do here. Runs on the service thread of the links; it never takes the control
//! lock, which this member's own threads hold while they wait for others.

use std::os::fd::{BorrowedFd, OwnedFd};

use mf_base::{Error, Kind, MemKind, Rank, Result};

use super::{GroupEvent, Pool, Stage};
use crate::link::{Announcement, Host};
use crate::space::Presence;

impl Host for Pool {
    fn contribution(&self) -> Result<(Announcement, Vec<OwnedFd>)> {
        if !matches!(self.stage(), Stage::Joining | Stage::Joined) {
            return Err(Error::new(Kind::NotStarted, "pool")
                .what("this member does not take part")
                .with("rank", self.rank));
        }
        let own = self.own();
        let mut descriptors = Vec::new();
        for memory in own.iter().flatten() {
            descriptors.push(duplicate(memory.descriptor())?);
        }
        let announcement = Announcement {
            rank: self.rank.0,
            base: self.layout.base(),
            bytes: [0, 1].map(|i: usize| own[i].as_ref().map_or(0, |memory| memory.bytes())),
            sealed: [0, 1].map(|i: usize| own[i].as_ref().is_some_and(|memory| memory.sealed())),
        };
        Ok((announcement, descriptors))
    }

    fn announced(&self, announcement: &Announcement, descriptors: Vec<OwnedFd>, news: bool) -> Result<()> {
        self.admit(announcement, descriptors)?;
        if news {
            self.events.tell(Rank(announcement.rank), GroupEvent::Join);
        }
        Ok(())
    }

    fn extended(&self, rank: Rank, kind: MemKind, to: u64, sealed: bool, descriptor: OwnedFd) -> Result<()> {
        self.admit_growth(rank, kind, to, sealed, descriptor)
    }

    fn left(&self, rank: Rank) {
        self.extents.set_presence(rank, Presence::Left);
        self.events.tell(rank, GroupEvent::Leave);
    }

    fn closed(&self, rank: Rank, departed: bool) {
        if departed {
            self.forget(rank);
        } else if self.extents.presence(rank) == Presence::Joined {
            tracing::info!(pool = self.id, rank = rank.0, "a member is gone without a word");
            self.extents.set_presence(rank, Presence::Dead);
            self.events.tell(rank, GroupEvent::Leave);
        }
    }
}

/// A descriptor to send.
pub(super) fn duplicate(descriptor: BorrowedFd<'_>) -> Result<OwnedFd> {
    descriptor.try_clone_to_owned().map_err(|e| {
        Error::new(Kind::NoResources, "pool").what("a descriptor could not be duplicated").source(e)
    })
}
