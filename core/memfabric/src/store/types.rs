// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys, values, leases and members, as a store reports them.

use crate::Rank;

/// Lifetime of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lifetime {
    /// Until it is deleted, or the last member has left the store.
    Permanent,
    /// Until it is deleted, or its setter leaves or dies.
    Session,
    /// Until it is deleted, or the lease ends.
    Lease(Lease),
}

impl Lifetime {
    pub(super) fn inner(self) -> mf_store::Lifetime {
        match self {
            Self::Permanent => mf_store::Lifetime::Permanent,
            Self::Session => mf_store::Lifetime::Session,
            Self::Lease(lease) => mf_store::Lifetime::Lease(lease.0),
        }
    }
}

/// A lease: its keys are removed when it was not renewed for its time to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease(pub(super) mf_store::LeaseId);

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry(pub(super) mf_store::Entry);

impl Entry {
    /// Returns the key.
    pub fn key(&self) -> &str {
        &self.0.key
    }

    /// Returns the value.
    pub fn value(&self) -> &[u8] {
        &self.0.value
    }

    /// Takes the value out.
    pub fn into_value(self) -> Vec<u8> {
        self.0.value
    }

    /// Returns the revision of the store when this value was set; it increases with every change.
    pub fn revision(&self) -> u64 {
        self.0.revision
    }

    /// Returns the owner of a session key. `None` for other keys.
    pub fn owner(&self) -> Option<Rank> {
        self.0.owner
    }
}

/// Reason for the end of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// It was deleted.
    Deleted,
    /// Its owner left.
    Left,
    /// Its owner died, or lost its connection.
    Lost,
    /// Its lease was not renewed in time.
    Expired,
}

/// Event of a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A key was set, for the first time or again.
    Set(Entry),
    /// A key was removed.
    #[non_exhaustive]
    Removed {
        /// The key.
        key: String,
        /// The store's revision of the removal.
        revision: u64,
        /// The reason.
        cause: Cause,
    },
    /// The store is lost, or has given this member up; no event follows.
    StoreLost,
}

impl Change {
    pub(super) fn new(change: &mf_store::Change) -> Self {
        match change {
            mf_store::Change::Put(entry) => Self::Set(Entry(entry.clone())),
            mf_store::Change::Removed { key, revision, cause, .. } => Self::Removed {
                key: key.clone(),
                revision: *revision,
                cause: match cause {
                    mf_store::Cause::Deleted => Cause::Deleted,
                    mf_store::Cause::Left => Cause::Left,
                    mf_store::Cause::Lost => Cause::Lost,
                    mf_store::Cause::Expired => Cause::Expired,
                },
            },
            mf_store::Change::StoreLost => Self::StoreLost,
        }
    }
}

/// A member of the job, as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Rank in the job.
    pub rank: Rank,
    /// Name of its host, as the host calls itself.
    pub host: String,
    /// Number of its process on that host.
    pub pid: u32,
}

impl Member {
    pub(super) fn all(peers: &[mf_store::Peer]) -> Vec<Self> {
        peers.iter().map(|peer| Self { rank: peer.rank, host: peer.host.clone(), pid: peer.pid }).collect()
    }
}

/// Change of the membership.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MembershipChange {
    /// Number of the membership after the change; grows with every change.
    pub epoch: u64,
    /// Members that joined.
    pub joined: Vec<Member>,
    /// Members that left in order.
    pub left: Vec<Member>,
    /// Members that died.
    pub dead: Vec<Member>,
}
