// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State shared by all groups of one member: control pages, the inbox for messages of other hosts, and the
//! list of living groups.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result};

use super::{ControlPage, Group, Inbox};

const OP: &str = "control page";

/// Control pages by member, and the groups that are notified when a member dies. One for each pool.
#[derive(Default)]
pub struct Registry {
    state: Mutex<RegistryEntries>,
    inbox: Arc<Inbox>,
}

#[derive(Default)]
struct RegistryEntries {
    pages: BTreeMap<Rank, Arc<ControlPage>>,
    groups: Vec<Weak<Group>>,
    /// Members that were lost, in their order, including members that came back.
    lost: Vec<Rank>,
    last_loss: Option<Instant>,
    /// Length of the list at which ended groups are pruned.
    prune_at: usize,
}

impl Registry {
    /// Empty.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Returns the inbox for messages of other members to these groups.
    pub fn inbox(&self) -> &Arc<Inbox> {
        &self.inbox
    }

    /// Returns the members with pages mapped here.
    pub fn members(&self) -> Vec<Rank> {
        lock(&self.state).pages.keys().copied().collect()
    }

    /// Returns the page of this member, creating it if absent.
    ///
    /// # Errors
    /// As [`ControlPage::create`].
    pub fn own_page(&self, own: Rank) -> Result<Arc<ControlPage>> {
        let mut state = lock(&self.state);
        if let Some(page) = state.pages.get(&own) {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(ControlPage::create()?);
        state.pages.insert(own, Arc::clone(&page));
        Ok(page)
    }

    /// The descriptor of the own page, for another member.
    ///
    /// # Errors
    /// As [`own_page`](Self::own_page) · `NoResources` out of descriptors.
    pub fn share_page(&self, own: Rank) -> Result<OwnedFd> {
        let page = self.own_page(own)?;
        let descriptor = page.descriptor().map(|descriptor| descriptor.try_clone_to_owned());
        match descriptor {
            Some(Ok(descriptor)) => Ok(descriptor),
            Some(Err(error)) => Err(Error::new(Kind::NoResources, OP)
                .what("the descriptor of the control page could not be duplicated")
                .source(error)),
            None => Err(Error::new(Kind::Failed, OP).what("the control page has no descriptor")),
        }
    }

    /// Maps the page of another member from its descriptor.
    ///
    /// # Errors
    /// As [`ControlPage::adopt`].
    pub fn adopt_page(&self, rank: Rank, descriptor: OwnedFd) -> Result<()> {
        let page = ControlPage::adopt(descriptor)?;
        lock(&self.state).pages.insert(rank, page);
        Ok(())
    }

    /// Records that a member has ended, and drops its page; groups that wait for it end.
    pub fn record_loss(&self, rank: Rank) {
        let groups: Vec<Arc<Group>> = {
            let mut state = lock(&self.state);
            state.pages.remove(&rank);
            state.lost.push(rank);
            state.last_loss = Some(Instant::now());
            state.groups.iter().filter_map(Weak::upgrade).collect()
        };
        groups.iter().for_each(|group| group.mark_lost(rank));
    }

    /// When the last member was lost.
    pub fn last_loss(&self) -> Option<Instant> {
        lock(&self.state).last_loss
    }

    /// Closes the registry: no more groups are made; pages are dropped with the last of them.
    pub fn close(&self) {
        let pages = std::mem::take(&mut lock(&self.state).pages);
        pages.values().for_each(|page| page.close());
    }

    pub(super) fn pages(&self) -> BTreeMap<Rank, Arc<ControlPage>> {
        lock(&self.state).pages.clone()
    }

    /// Returns the number of losses.
    pub(super) fn losses(&self) -> usize {
        lock(&self.state).lost.len()
    }

    /// Registers the group for notices of losses, including losses after the first `losses`.
    pub(super) fn register(&self, group: &Arc<Group>, losses: usize) {
        let mut state = lock(&self.state);
        if state.groups.len() >= state.prune_at {
            state.groups.retain(|group| group.strong_count() > 0);
            state.prune_at = 2 * state.groups.len() + 16;
        }
        state.groups.push(Arc::downgrade(group));
        let missed: Vec<Rank> = state.lost.get(losses..).unwrap_or_default().to_vec();
        drop(state);
        missed.into_iter().for_each(|rank| group.mark_lost(rank));
    }
}
