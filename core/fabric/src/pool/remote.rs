// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Directory of members whose memory is not mapped in this process.
//!
//! Membership is determined by an attempt: a member that cannot be reached by a Unix socket, and so cannot
//! pass descriptors, is reached by the network. The records of all members are watched, so that newcomers are
//! known before they are needed; a copy to an unknown member, or beyond the known size, asks the store once.
//!
//! Once a member's route is chosen, the state that copies need is published by rank and read without a lock.
//! It is withdrawn, under the lock of the members, whenever newer information about that rank arrives.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, RwLock, Weak};

use mf_base::sync::pin::Inside;
use mf_base::sync::published::Published;
use mf_base::sync::{lock, read, write};
use mf_base::{Error, Kind, Rank, Result, Retry, warn_limited};
use mf_store::{Cause, Change, Store, WatchId};

use super::record::Record;
use super::{GroupEvent, Pool};
use crate::space::{Extents, Place, Places, Presence};
use mf_net::Member;
use mf_net::{JobId, Network, Peer, SegmentKey, Transport};

/// Number of times that one operation resolves the member of a range while newer records of it arrive.
const REACH_TRIES: u32 = 16;

/// A member on the other side of a network.
pub(super) struct RemoteMember {
    pub(super) rank: Rank,
    pub(super) peer: Peer,
    pub(super) key: SegmentKey,
    bytes: [u64; 2],
    pub(super) descriptions: Vec<(String, Vec<u8>)>,
    pub(super) tag: String,
    /// The resolved route for copies, once chosen.
    pub(super) reached: OnceLock<Arc<Member>>,
    /// Shared by all that is known of it under one key.
    pub(super) attachment: Arc<Attachment>,
}

/// A transport's description of a member's memory; detached when it is dropped.
pub(super) struct Attachment {
    peer: Peer,
    key: SegmentKey,
    transport: OnceLock<Arc<dyn Transport>>,
}

impl Attachment {
    /// Passes the member's published description to `transport`; again if the member has published another
    /// one.
    pub(super) fn attach(&self, transport: &Arc<dyn Transport>, description: &[u8]) -> Result<()> {
        transport.attach(self.peer, self.key, description)?;
        let _ = self.transport.set(Arc::clone(transport));
        Ok(())
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        if let Some(transport) = self.transport.get() {
            transport.detach(self.peer, self.key);
        }
    }
}

impl RemoteMember {
    /// `before`: the earlier entry of this rank.
    fn new(rank: Rank, peer: Peer, record: Record, before: Option<&Self>) -> Self {
        let Record { key, bytes, descriptions, tag, .. } = record;
        let same = before.filter(|before| before.peer == peer && before.key == key);
        let fresh = || Arc::new(Attachment { peer, key, transport: OnceLock::new() });
        let attachment = same.map_or_else(fresh, |before| Arc::clone(&before.attachment));
        Self { rank, peer, key, bytes, descriptions, tag, reached: OnceLock::new(), attachment }
    }

    /// Returns true if the range lies in the member's contribution.
    pub(super) fn covers(&self, place: Place, bytes: u64) -> bool {
        covers(self.bytes, place, bytes)
    }
}

/// Returns true if the range lies in such a contribution.
#[inline(always)]
fn covers(contribution: [u64; 2], place: Place, bytes: u64) -> bool {
    let limit = contribution[place.kind.index()];
    place.offset < limit && bytes <= limit - place.offset
}

/// State that copies need of a member.
pub(super) struct Reached {
    pub(super) member: Arc<Member>,
    bytes: [u64; 2],
}

/// Entry of a rank, with the revision of the store that it comes from: older news is ignored.
#[derive(Default)]
struct Known {
    member: Option<Arc<RemoteMember>>,
    revision: u64,
}

/// New information in a record.
enum News {
    /// None, or only a size.
    Nothing,
    Joined,
    /// That it left, as it was known, and joined again.
    JoinedAgain(Arc<RemoteMember>),
}

/// The remote members of one pool.
pub(super) struct Remote {
    network: Option<Arc<Network>>,
    job: JobId,
    places: Places,
    members: RwLock<BTreeMap<Rank, Known>>,
    /// By rank: members with a chosen route.
    reached: Published<Reached>,
    /// This member's published record.
    published: Mutex<Option<Record>>,
    watch: Mutex<Option<WatchId>>,
}

impl Remote {
    pub(super) fn new(network: Option<Arc<Network>>, places: Places, world: u32) -> Self {
        Self {
            job: network.as_ref().map(|network| network.job()).unwrap_or_default(),
            reached: Published::new(network.as_ref().map_or(0, |_| world as usize)),
            network,
            places,
            members: RwLock::default(),
            published: Mutex::default(),
            watch: Mutex::default(),
        }
    }

    pub(super) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    pub(super) fn published(&self) -> MutexGuard<'_, Option<Record>> {
        lock(&self.published)
    }

    pub(super) fn get(&self, rank: Rank) -> Option<Arc<RemoteMember>> {
        read(&self.members).get(&rank)?.member.clone()
    }

    /// Returns the presence of a rank, and its entry if it is remote, both as of one moment.
    fn standing(&self, rank: Rank, extents: &Extents) -> (Presence, Option<Arc<RemoteMember>>) {
        let members = read(&self.members);
        (extents.presence(rank), members.get(&rank).and_then(|known| known.member.clone()))
    }

    /// Stores a record, unless a newer one is known. Returns the entry that is known then.
    fn insert(
        &self,
        rank: Rank,
        record: Record,
        revision: u64,
        extents: &Extents,
    ) -> (Option<Arc<RemoteMember>>, News) {
        let mut members = write(&self.members);
        let known = members.entry(rank).or_default();
        if known.revision >= revision {
            return (known.member.clone(), News::Nothing);
        }
        let before = known.member.as_deref();
        let peer = record.peer(self.job, self.places.in_job(rank));
        let member = Arc::new(RemoteMember::new(rank, peer, record, before));
        known.revision = revision;
        self.reached.set(rank.index(), None);
        let news = match known.member.replace(Arc::clone(&member)) {
            None => {
                // The mapped memory is of a dead process of this rank, and not this one's.
                extents.set_presence(rank, Presence::Left);
                News::Joined
            }
            Some(before) if before.peer == member.peer && before.key == member.key => News::Nothing,
            Some(before) => News::JoinedAgain(before),
        };
        extents.set_presence(rank, Presence::Joined);
        (Some(member), news)
    }

    /// Removes the member after its record was deleted at this revision, and sets its `presence`. Returns
    /// `None` if it was unknown, or if newer information is known.
    fn remove(
        &self,
        rank: Rank,
        revision: u64,
        presence: Presence,
        extents: &Extents,
    ) -> Option<Arc<RemoteMember>> {
        let mut members = write(&self.members);
        let known = members.entry(rank).or_default();
        if known.revision >= revision {
            return None;
        }
        known.revision = revision;
        let member = known.member.take()?;
        self.reached.set(rank.index(), None);
        extents.set_presence(rank, presence);
        Some(member)
    }

    /// The member is reached otherwise from now on, and until then not at all.
    fn release(&self, rank: Rank, extents: &Extents) {
        let mut members = write(&self.members);
        self.reached.set(rank.index(), None);
        if members.get_mut(&rank).is_some_and(|known| known.member.take().is_some()) {
            extents.set_presence(rank, Presence::Left);
        }
    }

    /// Stops watching and forgets all.
    fn clear(&self, store: &dyn Store, extents: &Extents) {
        let watch = lock(&self.watch).take();
        if let Some(watch) = watch
            && let Err(error) = store.unwatch(watch)
        {
            tracing::debug!("a watch on the members of a pool was gone: {error}");
        }
        let mut members = write(&self.members);
        for (rank, known) in std::mem::take(&mut *members) {
            self.reached.set(rank.index(), None);
            if known.member.is_some() {
                extents.set_presence(rank, Presence::Absent);
            }
        }
    }

    /// Returns the published state of the member that holds the range.
    #[inline]
    fn find<'s>(&'s self, section: Inside<'s>, place: Place, bytes: u64) -> Option<&'s Reached> {
        self.reached.get(section, place.rank.index()).filter(|reached| covers(reached.bytes, place, bytes))
    }

    /// Publishes the state that copies need of a member, unless newer information is known by now.
    fn publish(&self, member: &Arc<RemoteMember>, reached: &Arc<Member>) {
        let members = write(&self.members);
        let known = members.get(&member.rank).and_then(|known| known.member.as_ref());
        if known.is_some_and(|known| Arc::ptr_eq(known, member)) {
            let reached = Reached { member: Arc::clone(reached), bytes: member.bytes };
            self.reached.set(member.rank.index(), Some(Box::new(reached)));
        }
    }
}

impl Pool {
    /// Starts watching for newcomers and for ends of members. Does nothing without a network.
    pub(super) fn watch_members(&self) -> Result<()> {
        if self.remote.network().is_none() {
            return Ok(());
        }
        let pool = Weak::clone(&self.myself);
        let notified = move |change: &Change| {
            if let Some(pool) = pool.upgrade() {
                pool.changed(change);
            }
        };
        let watch = self.store.watch(&Record::prefix(self.id), Arc::new(notified))?;
        *lock(&self.remote.watch) = Some(watch);
        Ok(())
    }

    /// Clears the directory of remote members.
    pub(super) fn forget_remote(&self) {
        self.remote.clear(&*self.store, &self.extents);
    }

    /// The member is reached by the network from now on, unless it has left since this revision.
    pub(super) fn admit_remote(
        &self,
        rank: Rank,
        record: Record,
        revision: u64,
    ) -> Option<Arc<RemoteMember>> {
        self.remote.insert(rank, record, revision, &self.extents).0
    }

    /// Takes a record of the store into the directory, and notifies listeners.
    fn learn(&self, rank: Rank, record: Record, revision: u64) -> Option<Arc<RemoteMember>> {
        let (member, news) = self.remote.insert(rank, record, revision, &self.extents);
        match news {
            News::Nothing => {}
            News::Joined => self.events.notify(rank, GroupEvent::Join),
            News::JoinedAgain(before) => {
                let is_other_process = member.as_ref().is_none_or(|member| member.peer != before.peer);
                self.lose_remote(&before, is_other_process);
                self.events.notify(rank, GroupEvent::Join);
            }
        }
        member
    }

    /// Handles a member that takes no longer part; `is_gone`: its process has ended, too.
    fn lose_remote(&self, member: &RemoteMember, is_gone: bool) {
        self.groups.lost(member.rank);
        if let (true, Some(network)) = (is_gone, self.remote.network()) {
            network.forget(member.peer);
        }
        self.events.notify(member.rank, GroupEvent::Leave);
    }

    /// The member is mapped here, or comes back as another process.
    pub(super) fn release_remote(&self, rank: Rank) {
        self.remote.release(rank, &self.extents);
    }

    /// Returns the remote member that holds the range; asks the store if it is unknown.
    pub(super) fn remote_member(&self, place: Place, bytes: u64) -> Option<Arc<RemoteMember>> {
        self.remote_peer(place.rank, |member| member.covers(place, bytes))
    }

    /// Returns the state that copies need of the member that holds the range, resolving it if it is not
    /// published. `None`: no reachable member holds it.
    ///
    /// # Errors
    /// Errors of choosing a route.
    #[inline]
    pub(super) fn reached<'s>(
        &'s self,
        section: Inside<'s>,
        place: Place,
        bytes: u64,
    ) -> Result<Option<&'s Reached>> {
        match self.remote.find(section, place, bytes) {
            Some(reached) => Ok(Some(reached)),
            None => self.reach(section, place, bytes),
        }
    }

    #[cold]
    fn reach<'s>(&'s self, section: Inside<'s>, place: Place, bytes: u64) -> Result<Option<&'s Reached>> {
        for _ in 0..REACH_TRIES {
            let Some(member) = self.remote_member(place, bytes) else { return Ok(None) };
            self.remote.publish(&member, self.choose_route(&member)?);
            // Not there: a newer record of the member came in between, as of one that grows.
            if let Some(reached) = self.remote.find(section, place, bytes) {
                return Ok(Some(reached));
            }
        }
        Ok(None)
    }

    /// The remote member of this rank that is `enough`; asks the store when it is not known, or is not enough
    /// and so may have grown.
    pub(super) fn remote_peer(
        &self,
        rank: Rank,
        enough: impl Fn(&RemoteMember) -> bool,
    ) -> Option<Arc<RemoteMember>> {
        self.remote.network()?;
        if rank == self.rank {
            return None;
        }
        match self.remote.standing(rank, &self.extents) {
            (Presence::Joined, Some(member)) if enough(&member) => return Some(member),
            (Presence::Joined, Some(_)) | (Presence::Absent | Presence::Left, _) => {}
            // Its memory is mapped here, or the memory that it left behind is.
            (Presence::Joined | Presence::Dead, _) => return None,
        }
        self.find_remote(rank).filter(|member| enough(member))
    }

    /// Returns true if a rank takes part; asks the store if the rank is unknown.
    ///
    /// # Errors
    /// Errors of the store.
    pub fn has_member(&self, rank: Rank) -> Result<bool> {
        match self.extents.presence(rank) {
            Presence::Joined => Ok(true),
            Presence::Dead | Presence::Left => Ok(false),
            Presence::Absent => Ok(self.store.get(&Record::key(self.id, rank))?.is_some()),
        }
    }

    /// Returns true if the member refused because it has left since, and has joined again under another key:
    /// the operation had no effect and may be retried.
    pub(super) fn came_back(&self, rank: Rank, key: SegmentKey, error: &Error) -> bool {
        let is_refusal = error.kind() == Kind::NotConnected && error.retry_class() == Retry::Later;
        is_refusal && self.find_remote(rank).is_some_and(|now| now.key != key)
    }

    /// Asks the store for a member.
    fn find_remote(&self, rank: Rank) -> Option<Arc<RemoteMember>> {
        let entry = self.store.get(&Record::key(self.id, rank)).ok()??;
        let record = Record::decode(&entry.value).ok()?;
        if record.bases != self.layout.bases() {
            return None;
        }
        self.learn(rank, record, entry.revision)
    }

    /// Returns the presence of a segment's owner and the length of the segment, both as this member knows
    /// them at one moment.
    pub(super) fn standing(&self, place: Place) -> (Presence, u64) {
        let mapped = self.extents.standing(place.kind, place.rank);
        if mapped.1 > 0 {
            return mapped;
        }
        match self.remote.standing(place.rank, &self.extents) {
            (presence, Some(member)) => (presence, member.bytes[place.kind.index()]),
            // It is mapped here: if at all, since it was checked above.
            (Presence::Joined, None) => self.extents.standing(place.kind, place.rank),
            // It was remote above, and has left since; or it is unknown.
            (presence, None) => (presence, 0),
        }
    }

    fn changed(&self, change: &Change) {
        let Some(rank) = change.key().and_then(|key| Record::rank(self.id, key)) else {
            return self.note_question(change);
        };
        if rank == self.rank || rank.0 >= self.layout.shape().world {
            return;
        }
        match change {
            Change::Put(entry) => match Record::decode(&entry.value) {
                // Its announcement comes over a link, or else the first copy fails over to the network.
                Ok(record) if self.is_near(&record) => {}
                Ok(record) if record.bases == self.layout.bases() => {
                    self.learn(rank, record, entry.revision);
                    self.unmap_left_over(rank);
                }
                Ok(_) => {
                    warn_limited!(pool = self.id, rank = rank.0, "a member has the pool at another address");
                }
                Err(error) => warn_limited!(pool = self.id, rank = rank.0, "{error}"),
            },
            Change::Removed { cause, revision, .. } => {
                let died = *cause != Cause::Deleted && *cause != Cause::Left;
                let presence = if died { Presence::Dead } else { Presence::Left };
                if let Some(member) = self.remote.remove(rank, *revision, presence, &self.extents) {
                    self.lose_remote(&member, *cause != Cause::Deleted);
                }
            }
            Change::StoreLost => {}
        }
    }

    /// Returns true if a member can be expected to pass its memory over a link.
    pub(super) fn is_near(&self, record: &Record) -> bool {
        self.shared_memory
            && !record.endpoint.is_empty()
            && !record.namespace.is_empty()
            && record.namespace == self.namespace
    }
}
