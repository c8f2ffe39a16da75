// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Delivered state of each watch.
//!
//! A link may break and a store may die between two changes. The client then reads the current state,
//! compares it with the delivered state of the watch, and delivers the difference: the callback ends up with
//! the state of the store, sees no change twice, and cannot distinguish such a change from a live one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::api::{Cause, Change, Entry, Peer, View, ViewChange};
use crate::protocol::{KnownKey, Request};

/// The last change of a key that was delivered.
#[derive(Clone, Copy, Debug)]
struct LastSeen {
    /// 0: the watch has not seen the key.
    revision: u64,
    owner: Option<u32>,
    /// The store has another value, which had no room in its answer and is in flight.
    is_awaited: bool,
}

/// A watch of keys.
#[derive(Debug)]
struct KeyWatch {
    prefix: String,
    exact: bool,
    /// The revision of the last state from the store; none before the first.
    since: Option<u64>,
    /// A new link is up, and the store has not sent the current state on it yet.
    is_behind: bool,
    seen: HashMap<String, LastSeen>,
}

/// A watch of the membership.
#[derive(Debug, Default)]
struct MemberWatch {
    /// The last epoch and its members by session, once the store has sent them.
    seen: Option<(u64, BTreeMap<u64, Peer>)>,
    /// As for keys.
    is_behind: bool,
}

/// All watches of a session.
#[derive(Debug, Default)]
pub(super) struct Watches {
    keys: BTreeMap<u64, KeyWatch>,
    members: BTreeMap<u64, MemberWatch>,
    leader: BTreeSet<u64>,
}

impl Watches {
    pub(super) fn begin_keys(&mut self, watch: u64, prefix: String, exact: bool) {
        self.keys
            .insert(watch, KeyWatch { prefix, exact, since: None, is_behind: false, seen: HashMap::new() });
    }

    pub(super) fn begin_members(&mut self, watch: u64) {
        self.members.insert(watch, MemberWatch::default());
    }

    pub(super) fn begin_leader(&mut self, watch: u64) {
        self.leader.insert(watch);
    }

    pub(super) fn end_leader(&mut self, watch: u64) -> bool {
        self.leader.remove(&watch)
    }

    pub(super) fn end_keys(&mut self, watch: u64) -> bool {
        self.keys.remove(&watch).is_some()
    }

    /// Ends a watch at the store. Returns false if it did not exist.
    pub(super) fn end(&mut self, watch: u64) -> bool {
        self.end_keys(watch) | self.members.remove(&watch).is_some()
    }

    pub(super) fn exists(&self, watch: u64) -> bool {
        self.keys.contains_key(&watch) || self.members.contains_key(&watch)
    }

    /// Returns true if the store has answered it before.
    pub(super) fn is_set_up(&self, watch: u64) -> bool {
        self.keys.get(&watch).is_some_and(|of| of.since.is_some())
            || self.members.get(&watch).is_some_and(|of| of.seen.is_some())
    }

    pub(super) fn of_leader(&self) -> impl Iterator<Item = u64> {
        self.leader.iter().copied()
    }

    /// Ends all watches. Returns the watches of keys.
    pub(super) fn take_of_keys(&mut self) -> impl Iterator<Item = u64> + use<> {
        std::mem::take(self).keys.into_keys()
    }

    /// Returns the requests that repeat on a new link the watches of an earlier one. Changes are not
    /// delivered until they are answered: the changes follow others that were missed, and the answers make up
    /// for all.
    pub(super) fn set_up_again(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        for (watch, of) in self.keys.iter_mut().filter(|(_, of)| of.since.is_some()) {
            of.is_behind = true;
            let prefix = of.prefix.clone();
            requests.push(Request::Watch { watch: *watch, prefix, exact: of.exact, values: true });
        }
        for (watch, of) in self.members.iter_mut().filter(|(_, of)| of.seen.is_some()) {
            of.is_behind = true;
            requests.push(Request::WatchMembers { watch: *watch });
        }
        requests
    }

    /// Returns true if a change is new to its watch.
    pub(super) fn admit(&mut self, watch: u64, change: &Change) -> bool {
        let Some(of) = self.keys.get_mut(&watch).filter(|of| !of.is_behind) else { return false };
        // The store may have a watch with a lost first answer.
        let Some(since) = of.since else { return false };
        match change {
            Change::Put(entry) => {
                let is_known = match of.seen.get(&entry.key) {
                    Some(seen) if seen.is_awaited => entry.revision == seen.revision,
                    Some(seen) => entry.revision <= seen.revision.max(since),
                    None => entry.revision <= since,
                };
                if is_known {
                    return false;
                }
                of.seen.insert(entry.key.clone(), seen(entry));
                true
            }
            Change::Removed { key, revision, .. } => {
                let known = of.seen.get(key).map_or(since, |seen| seen.revision.max(since));
                if *revision <= known {
                    return false;
                }
                // Keys that were created and removed while the watch was disconnected, or slow, are not
                // reported.
                of.seen.remove(key).is_some_and(|seen| seen.revision > 0)
            }
            Change::StoreLost => false,
        }
    }

    /// The state of the store arrived: returns the changes that the watch has missed, in the order of their
    /// revisions. The first state changes nothing, the watch begins with it.
    pub(super) fn known(
        &mut self,
        watch: u64,
        revision: u64,
        known: &[KnownKey],
        entries: &[Arc<Entry>],
    ) -> Vec<Change> {
        let Some(of) = self.keys.get_mut(&watch) else { return Vec::new() };
        let is_first = of.since.replace(revision).is_none();
        of.is_behind = false;
        let before = std::mem::take(&mut of.seen);
        of.seen.extend(known.iter().map(|known| {
            let seen = before.get(&known.key).map_or(0, |seen| seen.revision);
            let is_awaited = !is_first && seen != known.revision;
            let revision = if is_awaited { seen } else { known.revision };
            (known.key.clone(), LastSeen { revision, owner: known.owner, is_awaited })
        }));
        of.seen.extend(entries.iter().map(|entry| (entry.key.clone(), seen(entry))));
        if is_first {
            return Vec::new();
        }
        let gone = before.iter().filter(|(key, seen)| seen.revision > 0 && !of.seen.contains_key(*key));
        let mut changes: Vec<_> = gone
            .map(|(key, seen)| Change::Removed {
                key: key.clone(),
                revision,
                owner: seen.owner.map(mf_base::Rank),
                cause: Cause::Lost,
            })
            .collect();
        changes.sort_by(|one, other| one.key().cmp(&other.key()));
        let mut set: Vec<_> = entries
            .iter()
            // Not only above: a store that lost the last write reports an older one.
            .filter(|entry| before.get(&entry.key).is_none_or(|seen| seen.revision != entry.revision))
            .collect();
        set.sort_by_key(|entry| entry.revision);
        changes.extend(set.into_iter().map(|entry| Change::Put(Entry::clone(entry))));
        changes
    }

    /// Returns true if a change of the membership is new to its watch.
    pub(super) fn admit_view(&mut self, watch: u64, change: &ViewChange) -> bool {
        let Some(of) = self.members.get_mut(&watch).filter(|of| !of.is_behind) else { return false };
        let Some((epoch, members)) = &mut of.seen else { return false };
        if change.epoch <= *epoch {
            return false;
        }
        *epoch = change.epoch;
        for gone in change.left.iter().chain(&change.dead) {
            members.remove(&gone.session);
        }
        members.extend(change.joined.iter().map(|peer| (peer.session, peer.clone())));
        true
    }

    /// The last epoch that a watch received, and the sessions of its members.
    pub(super) fn members(&self, watch: u64) -> Option<(u64, impl Iterator<Item = u64>)> {
        let (epoch, members) = self.members.get(&watch)?.seen.as_ref()?;
        Some((*epoch, members.keys().copied()))
    }

    /// The members arrived from the store: returns the change that the watch has missed. A missing member
    /// counts as dead, as it is unknown whether it left in order.
    pub(super) fn view(&mut self, watch: u64, view: &View) -> Option<ViewChange> {
        let of = self.members.get_mut(&watch)?;
        of.is_behind = false;
        let members: BTreeMap<_, _> = view.members.iter().map(|peer| (peer.session, peer.clone())).collect();
        let (epoch, before) = of.seen.replace((view.epoch, members))?;
        let joined =
            view.members.iter().filter(|peer| !before.contains_key(&peer.session)).cloned().collect();
        let now: BTreeSet<_> = view.members.iter().map(|peer| peer.session).collect();
        let dead: Vec<_> =
            before.into_iter().filter(|(session, _)| !now.contains(session)).map(|(_, peer)| peer).collect();
        let change = ViewChange { epoch: view.epoch, joined, left: Vec::new(), dead };
        let is_news = epoch != view.epoch || !change.joined.is_empty() || !change.dead.is_empty();
        is_news.then_some(change)
    }
}

fn seen(entry: &Entry) -> LastSeen {
    LastSeen { revision: entry.revision, owner: entry.owner.map(|rank| rank.0), is_awaited: false }
}
