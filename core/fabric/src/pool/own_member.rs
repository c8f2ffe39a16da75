// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Identity and options of this member, fixed for the life of the pool.

use std::sync::Arc;
use std::time::Duration;

use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Rank, Result, Retry};
use mf_device::Identity;
use mf_net::choice;
use mf_net::link::Name;
use mf_store::Store;
use mf_transport::JobId;

use super::member_record::MemberRecord;
use crate::space::{Places, Presence};

/// This member, fixed for the life of the pool.
pub(super) struct OwnMember {
    /// Number of the pool in the job.
    pub(super) id: u32,
    pub(super) rank: Rank,
    pub(super) places: Places,
    /// Identity towards members that share its memory.
    pub(super) identity: Identity,
    pub(super) store: Arc<dyn Store>,
    pub(super) shared_memory: bool,
    pub(super) engines: choice::Request,
    /// Network namespace in which the sockets of this process can be reached.
    pub(super) namespace: String,
    pub(super) control_timeout: Duration,
    pub(super) owner: Owner,
}

impl OwnMember {
    /// Refuses in a forked child.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub(super) fn check_process(&self, operation: &'static str) -> Result<()> {
        self.owner.check(operation, "the pool was made by the parent of this process")
    }

    /// Returns the name of the endpoint of this pool's member with that session.
    pub(super) fn endpoint_name(&self, session: u64) -> Name {
        let job = JobId::of(&self.store.member().job_token);
        Name { job, session, service: format!("pool/{}", self.id) }
    }

    /// Returns true if a member can be expected to pass its memory over a link.
    pub(super) fn is_near(&self, record: &MemberRecord) -> bool {
        self.shared_memory
            && !record.endpoint.is_empty()
            && !record.namespace.is_empty()
            && record.namespace == self.namespace
    }

    /// Creates the error for a call of a member that has not joined.
    pub(super) fn not_joined(&self, operation: &'static str) -> Error {
        Error::new(Kind::NotStarted, operation)
            .what("this member has not joined the pool")
            .with("pool", self.id)
            .hint("call join first")
    }

    /// Creates the error for memory of a member that does not take part.
    pub(super) fn unreachable(&self, rank: Rank, presence: Presence) -> Error {
        let what = match presence {
            Presence::Left => "the owner of the address has left the pool",
            Presence::Dead => "the owner of the address is dead",
            _ => "the owner of the address has not joined the pool",
        };
        Error::new(Kind::NotConnected, "copy")
            .what(what)
            .with("rank", rank)
            .with("pool", self.id)
            .retry(Retry::Later)
            .hint("wait for its join event, or choose another member")
    }
}
