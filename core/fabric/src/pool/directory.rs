// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Directory of members whose memory is not mapped in this process.
//!
//! Once a member's route is chosen, the state that copies need is published by rank and read without a lock.
//! It is withdrawn, under the lock of the members, whenever newer information about that rank arrives.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, RwLock};

use mf_base::sync::published::Published;
use mf_base::sync::rcu::ReadSection;
use mf_base::sync::{lock, read, write};
use mf_base::{Rank, Result};
use mf_net::{Member, Network};
use mf_store::{Store, WatchId};
use mf_transport::{JobId, Peer, SegmentKey, Transport};

use super::member_record::MemberRecord;
use crate::space::{Extents, Places, PoolPlace, Presence};

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
    fn new(rank: Rank, peer: Peer, record: MemberRecord, before: Option<&Self>) -> Self {
        let MemberRecord { key, bytes, descriptions, tag, .. } = record;
        let same = before.filter(|before| before.peer == peer && before.key == key);
        let fresh = || Arc::new(Attachment { peer, key, transport: OnceLock::new() });
        let attachment = same.map_or_else(fresh, |before| Arc::clone(&before.attachment));
        Self { rank, peer, key, bytes, descriptions, tag, reached: OnceLock::new(), attachment }
    }

    /// Returns true if the range lies in the member's contribution.
    pub(super) fn covers(&self, place: PoolPlace, bytes: u64) -> bool {
        covers(self.bytes, place, bytes)
    }
}

/// Returns true if the range lies in such a contribution.
#[inline(always)]
fn covers(contribution: [u64; 2], place: PoolPlace, bytes: u64) -> bool {
    let limit = contribution[place.kind.index()];
    place.offset < limit && bytes <= limit - place.offset
}

/// State that copies need of a member.
pub(super) struct RemoteAccess {
    pub(super) member: Arc<Member>,
    bytes: [u64; 2],
}

/// Entry of a rank, with the revision of the store that it comes from: older news is ignored.
#[derive(Default)]
struct RemoteEntry {
    member: Option<Arc<RemoteMember>>,
    revision: u64,
}

/// New information in a record.
pub(super) enum News {
    /// None, or only a size.
    Nothing,
    Joined,
    /// That it left, as it was known, and joined again.
    JoinedAgain(Arc<RemoteMember>),
}

/// The remote members of one pool.
pub(super) struct RemoteMembers {
    network: Option<Arc<Network>>,
    job: JobId,
    places: Places,
    members: RwLock<BTreeMap<Rank, RemoteEntry>>,
    /// By rank: members with a chosen route.
    reached: Published<RemoteAccess>,
    /// This member's published record.
    published: Mutex<Option<MemberRecord>>,
    watch: Mutex<Option<WatchId>>,
}

impl RemoteMembers {
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

    pub(super) fn published(&self) -> MutexGuard<'_, Option<MemberRecord>> {
        lock(&self.published)
    }

    pub(super) fn get(&self, rank: Rank) -> Option<Arc<RemoteMember>> {
        read(&self.members).get(&rank)?.member.clone()
    }

    /// Returns the presence of a rank, and its entry if it is remote, both as of one moment.
    pub(super) fn presence_and_member(
        &self,
        rank: Rank,
        extents: &Extents,
    ) -> (Presence, Option<Arc<RemoteMember>>) {
        let members = read(&self.members);
        (extents.presence(rank), members.get(&rank).and_then(|known| known.member.clone()))
    }

    /// Stores a record, unless a newer one is known. Returns the entry that is known then.
    pub(super) fn insert(
        &self,
        rank: Rank,
        record: MemberRecord,
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
    pub(super) fn remove(
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
    pub(super) fn release(&self, rank: Rank, extents: &Extents) {
        let mut members = write(&self.members);
        self.reached.set(rank.index(), None);
        if members.get_mut(&rank).is_some_and(|known| known.member.take().is_some()) {
            extents.set_presence(rank, Presence::Left);
        }
    }

    /// Stops watching and forgets all.
    pub(super) fn clear(&self, store: &dyn Store, extents: &Extents) {
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
    pub(super) fn find<'s>(
        &'s self,
        section: ReadSection<'s>,
        place: PoolPlace,
        bytes: u64,
    ) -> Option<&'s RemoteAccess> {
        self.reached.get(section, place.rank.index()).filter(|reached| covers(reached.bytes, place, bytes))
    }

    /// Publishes the state that copies need of a member, unless newer information is known by now.
    pub(super) fn publish(&self, member: &Arc<RemoteMember>, reached: &Arc<Member>) {
        let members = write(&self.members);
        let known = members.get(&member.rank).and_then(|known| known.member.as_ref());
        if known.is_some_and(|known| Arc::ptr_eq(known, member)) {
            let reached = RemoteAccess { member: Arc::clone(reached), bytes: member.bytes };
            self.reached.set(member.rank.index(), Some(Box::new(reached)));
        }
    }

    /// Remembers the watch on the members' records.
    pub(super) fn set_watch(&self, watch: WatchId) {
        *lock(&self.watch) = Some(watch);
    }

    /// Returns the presence of a segment's owner and the length of the segment, both as this member knows
    /// them at one moment.
    pub(super) fn segment_presence(&self, place: PoolPlace, extents: &Extents) -> (Presence, u64) {
        let mapped = extents.segment_presence(place.kind, place.rank);
        if mapped.1 > 0 {
            return mapped;
        }
        match self.presence_and_member(place.rank, extents) {
            (presence, Some(member)) => (presence, member.bytes[place.kind.index()]),
            // It is mapped here: if at all, since it was checked above.
            (Presence::Joined, None) => extents.segment_presence(place.kind, place.rank),
            // It was remote above, and has left since; or it is unknown.
            (presence, None) => (presence, 0),
        }
    }
}
