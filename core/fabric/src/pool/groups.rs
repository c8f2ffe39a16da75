// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups of members of a pool. The members of one host meet in control pages, which they hand each other
//! over their connections when the first group needs them.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Instant;

use mf_base::{Rank, Result};
use mf_net::link::Outcome;

use super::local_peers::LocalPeers;
use super::own_member::OwnMember;
use super::protocol::Request;
use crate::group::{Group, Parts, Registry, Wire};

pub(super) const OP: &str = "pool group";

/// The groups of a pool; their control pages go with it.
pub(super) struct Groups {
    registry: Arc<Registry>,
    /// Members hand each other their control pages when they join, since groups are made next.
    follow: bool,
}

impl Groups {
    /// `follow`: groups are made right after joining.
    pub(super) fn new(follow: bool) -> Self {
        Self { registry: Arc::default(), follow }
    }

    /// Returns true if groups are made right after joining.
    pub(super) fn follow(&self) -> bool {
        self.follow
    }

    /// A message for a group.
    pub(super) fn deliver(&self, from: Rank, message: &[u8]) {
        self.registry.inbox().deliver(from, message);
    }

    /// Reports that a member has ended; groups that wait for it end.
    pub(super) fn mark_lost(&self, rank: Rank) {
        self.registry.record_loss(rank);
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        self.registry.close();
    }
}

impl Groups {
    /// Makes a group of members, this one among them, named in the same order by all.
    ///
    /// # Errors
    /// As [`Group::create`].
    pub(super) fn create(
        &self,
        me: &OwnMember,
        peers: &LocalPeers,
        wire: Option<Arc<dyn Wire>>,
        (name, members): (&str, &[Rank]),
        deadline: Instant,
    ) -> Result<Arc<Group>> {
        self.collect_pages(me, peers, members, deadline)?;
        let prefix = match name {
            "" => format!(".mf/pool/{}", me.id),
            name => format!(".mf/pool/{}/{name}", me.id),
        };
        let (store, own, places, registry) = (&me.store, me.rank, &me.places, &self.registry);
        Group::create(&Parts { store, own, places, prefix: &prefix, members, registry, wire }, deadline)
    }

    /// Returns the time at which the last member was seen to leave or to end.
    pub(super) fn last_loss(&self) -> Option<Instant> {
        self.registry.last_loss()
    }

    /// Asks the connected members for their control pages.
    fn collect_pages(
        &self,
        me: &OwnMember,
        peers: &LocalPeers,
        members: &[Rank],
        deadline: Instant,
    ) -> Result<()> {
        self.registry.own_page(me.rank)?;
        let known = self.registry.members();
        let control = peers.control();
        let Some(endpoint) = &*control else { return Ok(()) };
        let connected = peers.ranks();
        let is_asked = |rank: &Rank| connected.contains(rank) && !known.contains(rank);
        let asked: Vec<Rank> = members.iter().copied().filter(is_asked).collect();
        let request = |_| Ok((Request::Control, Vec::new()));
        for (rank, outcome) in peers.request_all(&endpoint.asker(), &asked, request, deadline)? {
            // Without its page the group meets by messages.
            if !matches!(outcome, Outcome::Done(_)) {
                tracing::debug!(pool = me.id, rank = rank.0, "no control page: {outcome:?}");
            }
        }
        Ok(())
    }

    /// The descriptor of the own page, for another member.
    pub(super) fn share_page(&self, rank: Rank) -> Result<OwnedFd> {
        self.registry.share_page(rank)
    }

    /// Another member's page arrived.
    pub(super) fn adopt_page(&self, rank: Rank, descriptor: OwnedFd) -> Result<()> {
        self.registry.adopt_page(rank, descriptor)
    }
}
