// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members on other hosts: watching and finding them, and this member's memory for them.
//!
//! Membership is determined by an attempt: a member that cannot be reached by a Unix socket, and so cannot
//! pass descriptors, is reached by the network. The records of all members are watched, so that newcomers are
//! known before they are needed; a copy to an unknown member, or beyond the known size, asks the store once.

use std::sync::{Arc, Weak};
use std::time::Instant;

use mf_base::sync::rcu::ReadSection;
use mf_base::{Error, Kind, Rank, Result, Retry, warn_limited};
use mf_device::Access;
use mf_net::Contributor;
use mf_store::{Cause, Change, Started, WatchId};
use mf_transport::{Peer, RANGES_MAX, Range, SegmentKey, Spot, not_together};

use super::Pool;
use super::directory::{News, RemoteAccess, RemoteMember};
use super::events::GroupEvent;
use super::member_record::MemberRecord;
use super::{explain, groups};
use crate::group::Wire;
use crate::space::{PoolPlace, Presence};

/// Number of times that one operation resolves the member of a range while newer records of it arrive.
const REACH_TRIES: u32 = 16;

impl Pool {
    /// Starts watching for newcomers and for ends of members. Does nothing without a network.
    pub(super) fn start_watching(&self) -> Result<Option<Started<WatchId>>> {
        if self.remote.network().is_none() {
            return Ok(None);
        }
        let pool = Weak::clone(&self.myself);
        let notified = move |change: &Change| {
            if let Some(pool) = pool.upgrade() {
                pool.changed(change);
            }
        };
        self.me().store.start_watch(&MemberRecord::prefix(self.me().id), Arc::new(notified)).map(Some)
    }

    /// Clears the directory of remote members.
    pub(super) fn forget_remote(&self) {
        self.remote.clear(&*self.me().store, &self.segments.extents);
    }

    /// The member is reached by the network from now on, unless it has left since this revision.
    pub(super) fn admit_remote(
        &self,
        rank: Rank,
        record: MemberRecord,
        revision: u64,
    ) -> Option<Arc<RemoteMember>> {
        self.remote.insert(rank, record, revision, &self.segments.extents).0
    }

    /// Takes a record of the store into the directory, and notifies listeners.
    fn insert_record(&self, rank: Rank, record: MemberRecord, revision: u64) -> Option<Arc<RemoteMember>> {
        let (member, news) = self.remote.insert(rank, record, revision, &self.segments.extents);
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
        self.groups.mark_lost(member.rank);
        if let (true, Some(network)) = (is_gone, self.remote.network()) {
            network.forget(member.peer);
        }
        self.events.notify(member.rank, GroupEvent::Leave);
    }

    /// Returns the remote member that holds the range; asks the store if it is unknown.
    pub(super) fn remote_member(&self, place: PoolPlace, bytes: u64) -> Option<Arc<RemoteMember>> {
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
        section: ReadSection<'s>,
        place: PoolPlace,
        bytes: u64,
    ) -> Result<Option<&'s RemoteAccess>> {
        match self.remote.find(section, place, bytes) {
            Some(reached) => Ok(Some(reached)),
            None => self.reach(section, place, bytes),
        }
    }

    #[cold]
    fn reach<'s>(
        &'s self,
        section: ReadSection<'s>,
        place: PoolPlace,
        bytes: u64,
    ) -> Result<Option<&'s RemoteAccess>> {
        for _ in 0..REACH_TRIES {
            let Some(member) = self.remote_member(place, bytes) else { return Ok(None) };
            self.remote.publish(&member, self.remote.choose_route(self.me(), &member)?);
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
        if rank == self.me().rank {
            return None;
        }
        match self.remote.presence_and_member(rank, &self.segments.extents) {
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
        match self.segments.extents.presence(rank) {
            Presence::Joined => Ok(true),
            Presence::Dead | Presence::Left => Ok(false),
            Presence::Absent => Ok(self.me().store.get(&MemberRecord::key(self.me().id, rank))?.is_some()),
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
        let entry = self.me().store.get(&MemberRecord::key(self.me().id, rank)).ok()??;
        let record = MemberRecord::decode(&entry.value).ok()?;
        if record.bases != self.segments.layout.bases() {
            return None;
        }
        self.insert_record(rank, record, entry.revision)
    }

    fn changed(&self, change: &Change) {
        let Some(rank) = change.key().and_then(|key| MemberRecord::rank(self.me().id, key)) else {
            return explain::note_question(self, change);
        };
        if rank == self.me().rank || rank.0 >= self.segments.layout.shape().world {
            return;
        }
        match change {
            Change::Put(entry) => match MemberRecord::decode(&entry.value) {
                // Its announcement comes over a link, or else the first copy fails over to the network.
                Ok(record) if self.me().is_near(&record) => {}
                Ok(record) if record.bases == self.segments.layout.bases() => {
                    self.insert_record(rank, record, entry.revision);
                    self.segments.unmap_left_over(rank);
                }
                Ok(_) => {
                    warn_limited!(
                        pool = self.me().id,
                        rank = rank.0,
                        "a member has the pool at another address"
                    );
                }
                Err(error) => warn_limited!(pool = self.me().id, rank = rank.0, "{error}"),
            },
            Change::Removed { cause, revision, .. } => {
                let died = *cause != Cause::Deleted && *cause != Cause::Left;
                let presence = if died { Presence::Dead } else { Presence::Left };
                if let Some(member) = self.remote.remove(rank, *revision, presence, &self.segments.extents) {
                    self.lose_remote(&member, *cause != Cause::Deleted);
                }
            }
            Change::StoreLost => {}
        }
    }

    /// Opens so many bytes of the own memory to the network, if there is one. Returns the descriptions that
    /// others need for it. A second call with the same key changes the number of bytes; on failure the old
    /// number stays.
    pub(super) fn open_to_network(
        &self,
        key: SegmentKey,
        own_bytes: [u64; 2],
    ) -> Result<Vec<(String, Vec<u8>)>> {
        let Some(network) = self.remote.network() else { return Ok(Vec::new()) };
        let contributor: *const dyn Contributor = std::ptr::from_ref(self);
        // SAFETY: the own segments stay mapped while the pool lives, and it closes itself to the network
        // before it ends: when it leaves, which every pool does that was joined.
        unsafe { network.expose(key, contributor, &self.segments.regions(own_bytes)) }
    }

    /// No peer reaches the own memory by the network any more when this returns.
    pub(super) fn close_to_network(&self, key: SegmentKey) {
        if let Some(network) = self.remote.network() {
            network.conceal(key);
        }
    }

    /// Sends a message to another member's pool.
    fn send_message(&self, to: Rank, message: &[u8], deadline: Instant) -> Result<()> {
        let absent = || self.me().unreachable(to, Presence::Absent);
        let member = self.remote_peer(to, |_| true).ok_or_else(absent)?;
        let network = self.remote.network().ok_or_else(absent)?;
        network.send(self.remote.choose_route(self.me(), &member)?, message, deadline)
    }

    /// Returns the carrier of messages between groups; `None` without a network.
    pub(super) fn wire(&self) -> Option<Arc<dyn Wire>> {
        self.remote.network().map(|_| -> Arc<dyn Wire> { Arc::new(PoolWire(Weak::clone(&self.myself))) })
    }
}

/// Carries messages between groups of one pool.
struct PoolWire(Weak<Pool>);

impl Wire for PoolWire {
    fn send(&self, to: Rank, message: &[u8], deadline: Instant) -> Result<()> {
        let gone = || Error::new(Kind::NotStarted, groups::OP).what("the pool is gone");
        self.0.upgrade().ok_or_else(gone)?.send_message(to, message, deadline)
    }
}

impl Contributor for Pool {
    fn access(
        &self,
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        touch(self.segments.spot(&self.stage, address, bytes, access)?);
        Ok(())
    }

    fn read_all(&self, ranges: &[Range], touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        let mut spots = [Spot::Host(std::ptr::null_mut()); RANGES_MAX];
        for (spot, &(address, bytes)) in spots.iter_mut().zip(ranges) {
            *spot = self.segments.spot(&self.stage, address, bytes, Access::Read)?;
        }
        touch(spots.get(..ranges.len()).ok_or_else(|| not_together(ranges.len()))?);
        Ok(())
    }

    fn message(&self, from: Peer, message: &[u8]) {
        if let Some(place) = self.me().places.in_pool(from.rank()) {
            self.groups.deliver(place, message);
        }
    }
}
