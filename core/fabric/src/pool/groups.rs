// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups of members of a pool. The members of one host meet in control pages, which they hand each other over their links
//! when the first group needs them.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use mf_base::{Error, Kind, Rank, Result};

use super::Pool;
use crate::group::{ControlPage, Group, Inbox, Parts, Wire};
use crate::link::{Outcome, Request};

const OP: &str = "pool group";

/// Control pages by member, and the groups that are told who dies.
#[derive(Default)]
pub(super) struct Groups {
    state: Mutex<State>,
    inbox: Arc<Inbox>,
}

#[derive(Default)]
struct State {
    pages: BTreeMap<Rank, Arc<ControlPage>>,
    groups: Vec<Weak<Group>>,
}

impl Groups {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message for a group.
    pub(super) fn deliver(&self, from: Rank, message: &[u8]) {
        self.inbox.deliver(from, message);
    }

    /// The member is gone, and with it its page; groups that wait for it end.
    pub(super) fn lost(&self, rank: Rank) {
        let groups: Vec<Arc<Group>> = {
            let mut state = self.lock();
            state.pages.remove(&rank);
            state.groups.retain(|group| group.strong_count() > 0);
            state.groups.iter().filter_map(Weak::upgrade).collect()
        };
        groups.iter().filter(|group| group.members().contains(&rank)).for_each(|group| group.lost(rank));
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.pages.values().for_each(|page| page.close());
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
    /// Makes a group of members of this pool, this one among them, named in the same order by all. **Collective** over
    /// `members`, which have all joined; at most until `deadline`. Calls for the same members are matched in their order.
    ///
    /// # Errors
    /// Those of [`Group::create`] · `NotStarted` not joined.
    pub fn group(&self, members: &[Rank], deadline: Instant) -> Result<Arc<Group>> {
        self.group_named("", members, deadline)
    }

    /// As [`group`](Self::group) for groups with a name: calls for the same members and the same name are matched in their
    /// order, so that threads that make groups of different names do not meet each other's.
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
        let pages = self.groups.lock().pages.clone();
        let prefix = match name {
            "" => format!(".mf/pool/{}", self.id),
            name => format!(".mf/pool/{}/{name}", self.id),
        };
        let wire = self.remote.network().map(|_| {
            let wire: Arc<dyn Wire> = Arc::new(PoolWire(Weak::clone(&self.myself)));
            (wire, Arc::clone(&self.groups.inbox))
        });
        let places = &self.places;
        let own = self.rank;
        let parts = Parts { store: &self.store, own, places, prefix: &prefix, members, pages: &pages, wire };
        let group = Group::create(&parts, deadline)?;
        self.groups.lock().groups.push(Arc::downgrade(&group));
        Ok(group)
    }

    /// Asks the members to which there is a link for their control pages.
    fn collect_pages(&self, members: &[Rank], deadline: Instant) -> Result<()> {
        self.own_page()?;
        let known: Vec<Rank> = self.groups.lock().pages.keys().copied().collect();
        let control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(links) = &*control else { return Ok(()) };
        let linked = links.ranks();
        let asked: Vec<Rank> =
            members.iter().copied().filter(|rank| linked.contains(rank) && !known.contains(rank)).collect();
        for (rank, outcome) in links.ask(&asked, |_| Ok((Request::Control, Vec::new())), deadline)? {
            // Without its page the group meets in another way.
            if !matches!(outcome, Outcome::Done) {
                tracing::debug!(pool = self.id, rank = rank.0, "no control page: {outcome:?}");
            }
        }
        Ok(())
    }

    fn own_page(&self) -> Result<Arc<ControlPage>> {
        let mut state = self.groups.lock();
        if let Some(page) = state.pages.get(&self.rank) {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(ControlPage::create()?);
        state.pages.insert(self.rank, Arc::clone(&page));
        Ok(page)
    }

    /// The descriptor of the own page, for another member.
    pub(super) fn share_page(&self) -> Result<OwnedFd> {
        let page = self.own_page()?;
        let descriptor = page.descriptor().map(|descriptor| descriptor.try_clone_to_owned());
        match descriptor {
            Some(Ok(descriptor)) => Ok(descriptor),
            Some(Err(error)) => Err(Error::new(Kind::NoResources, OP)
                .what("the descriptor of the control page could not be duplicated")
                .source(error)),
            None => Err(Error::new(Kind::Failed, OP).what("the control page has no descriptor")),
        }
    }

    /// Another member's page arrived.
    pub(super) fn adopt_page(&self, rank: Rank, descriptor: OwnedFd) -> Result<()> {
        let page = ControlPage::adopt(descriptor)?;
        self.groups.lock().pages.insert(rank, page);
        Ok(())
    }
}
