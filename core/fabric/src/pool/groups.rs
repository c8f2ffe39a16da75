// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups of members of a pool. The members of one host meet in control pages, which they hand each other
//! over their connections when the first group needs them.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Weak};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result};

use super::Pool;
use super::protocol::Request;
use crate::group::{Group, Parts, Registry, Wire};
use mf_net::link::Outcome;

const OP: &str = "pool group";

/// The groups of a pool; their control pages go with it.
#[derive(Default)]
pub(super) struct Groups(Arc<Registry>);

impl Groups {
    /// A message for a group.
    pub(super) fn deliver(&self, from: Rank, message: &[u8]) {
        self.0.inbox().deliver(from, message);
    }

    /// Reports that a member has ended; groups that wait for it end.
    pub(super) fn lost(&self, rank: Rank) {
        self.0.lost(rank);
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Carries messages between groups of one pool.
struct PoolWire(Weak<Pool>);

impl Wire for PoolWire {
    fn send(&self, to: Rank, message: &[u8], deadline: Instant) -> Result<()> {
        let gone = || Error::new(Kind::NotStarted, OP).what("the pool is gone");
        self.0.upgrade().ok_or_else(gone)?.send_message(to, message, deadline)
    }
}

impl Pool {
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
        self.check_process(OP)?;
        if !self.is_joined() {
            return Err(Error::new(Kind::NotStarted, OP)
                .what("this member has not joined the pool")
                .with("pool", self.id)
                .hint("call join first"));
        }
        self.collect_pages(members, deadline)?;
        let prefix = match name {
            "" => format!(".mf/pool/{}", self.id),
            name => format!(".mf/pool/{}/{name}", self.id),
        };
        let wire =
            self.remote.network().map(|_| -> Arc<dyn Wire> { Arc::new(PoolWire(Weak::clone(&self.myself))) });
        let (places, registry) = (&self.places, &self.groups.0);
        let own = self.rank;
        let parts = Parts { store: &self.store, own, places, prefix: &prefix, members, registry, wire };
        Group::create(&parts, deadline)
    }

    /// Returns the time at which the last member was seen to leave or to end.
    pub(crate) fn last_loss(&self) -> Option<Instant> {
        self.groups.0.last_loss()
    }

    /// Asks the connected members for their control pages.
    fn collect_pages(&self, members: &[Rank], deadline: Instant) -> Result<()> {
        self.groups.0.own_page(self.rank)?;
        let known = self.groups.0.members();
        let control = lock(&self.control);
        let Some(endpoint) = &*control else { return Ok(()) };
        let connected = self.links.ranks();
        let is_asked = |rank: &Rank| connected.contains(rank) && !known.contains(rank);
        let asked: Vec<Rank> = members.iter().copied().filter(is_asked).collect();
        let request = |_| Ok((Request::Control, Vec::new()));
        for (rank, outcome) in self.ask(&endpoint.asker(), &asked, request, deadline)? {
            // Without its page the group meets by messages.
            if !matches!(outcome, Outcome::Done(_)) {
                tracing::debug!(pool = self.id, rank = rank.0, "no control page: {outcome:?}");
            }
        }
        Ok(())
    }

    /// The descriptor of the own page, for another member.
    pub(super) fn share_page(&self) -> Result<OwnedFd> {
        self.groups.0.share_page(self.rank)
    }

    /// Another member's page arrived.
    pub(super) fn adopt_page(&self, rank: Rank, descriptor: OwnedFd) -> Result<()> {
        self.groups.0.adopt_page(rank, descriptor)
    }
}
