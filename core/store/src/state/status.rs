// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Status of a store and its members, for reports.

use std::net::IpAddr;
use std::time::Duration;

use mf_base::Rank;

use super::{Machine, Micros};

/// Phase of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorePhase {
    /// No member has joined yet.
    Fresh,
    /// It takes over from a store that died, and waits for its members.
    Recovering,
    /// It serves its members.
    Serving,
    /// Another store leads.
    Over,
}

/// Status of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberStatus {
    /// Rank in the job.
    pub rank: Rank,
    /// Number of its session.
    pub session: u64,
    /// Name of its host.
    pub host: String,
    /// Number of its process on that host.
    pub pid: u32,
    /// Number of the device it uses.
    pub device: u16,
    /// Address that it connected from.
    pub address: IpAddr,
    /// Its pending or last request, with its time.
    pub phase: String,
    /// Time since its last message arrived.
    pub last_contact_ago: Duration,
    /// True while its connection is up; a member without one is declared lost soon.
    pub is_connected: bool,
    /// Number of its waiting requests.
    pub waiting_requests: u32,
    /// True if the store runs in its process.
    pub hosts_store: bool,
}

/// A store and its members at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its phase.
    pub phase: StorePhase,
    /// Increases with each store that takes over from one that died.
    pub term: u64,
    /// Number of the membership view.
    pub epoch: u64,
    /// The store's revision.
    pub revision: u64,
    /// Number of ranks of the job; 0: not known yet.
    pub world_size: u32,
    /// The members, ordered by rank.
    pub members: Vec<MemberStatus>,
    /// While it takes over: how many members it expects.
    pub expected_members: u32,
    /// While it takes over: how many of them have resumed.
    pub resumed_members: u32,
    /// Clients that are no members.
    pub guests: u32,
    /// Number of keys.
    pub keys: u64,
    /// Bytes of keys and values.
    pub key_bytes: u64,
    /// Number of watches.
    pub watches: u64,
}

impl Machine {
    /// The status at `now`.
    pub(crate) fn status(&self, now: Micros) -> Status {
        let members = self.members.iter().filter_map(|(id, session)| {
            Some(MemberStatus {
                rank: session.rank?,
                session: id,
                host: session.host.clone(),
                pid: session.pid,
                device: session.device,
                address: session.address,
                phase: session.replies.phase(now),
                last_contact_ago: Duration::from_micros(now.saturating_sub(session.last_contact)),
                is_connected: session.link.is_some(),
                waiting_requests: u32::try_from(session.replies.waiting_count()).unwrap_or(u32::MAX),
                hosts_store: session.hosts_store,
            })
        });
        let (expected_members, resumed_members) =
            self.recovery.as_ref().map_or((0, 0), |recovery| recovery.progress());
        Status {
            phase: self.phase,
            term: self.term,
            epoch: self.reports.epoch,
            revision: self.keys.revision,
            world_size: self.ranks.world_size(),
            members: members.collect(),
            expected_members,
            resumed_members,
            guests: u32::try_from(self.members.guests().len()).unwrap_or(u32::MAX),
            keys: self.keys.len() as u64,
            key_bytes: self.keys.bytes() as u64,
            watches: self.watches.count() as u64,
        }
    }
}
