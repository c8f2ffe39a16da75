// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of jobs in this process, which share one worker.
//!
//! Each has a secret and so an address of its own: a message carries the secret of its destination member.
//! Peers, exposed memory and operations belong to one of them.

use std::sync::{Arc, Weak};

use mf_transport::{Peer, Target};

use super::wire::Secret;

/// Names a member in this process; never reused.
pub(super) type MemberId = u64;

/// One of the members.
pub(super) struct Member {
    pub(super) id: MemberId,
    /// As others name it.
    pub(super) me: Peer,
    pub(super) secret: Secret,
    /// As others need it.
    pub(super) address: Vec<u8>,
    pub(super) target: Weak<dyn Target>,
}

/// All members since the start of the worker. Departed ones stay: requests to them are refused.
#[derive(Default)]
pub(super) struct Members {
    all: Vec<Arc<Member>>,
    departed: Vec<MemberId>,
    last: MemberId,
}

impl Members {
    /// Adds a member, with this secret and address.
    pub(super) fn join(
        &mut self,
        (me, target): (Peer, Weak<dyn Target>),
        secret: Secret,
        address: Vec<u8>,
    ) -> Arc<Member> {
        self.last += 1;
        let member = Arc::new(Member { id: self.last, me, secret, address, target });
        self.all.push(Arc::clone(&member));
        member
    }

    /// Notes that a member has left.
    pub(super) fn depart(&mut self, member: MemberId) {
        self.departed.push(member);
    }

    /// Returns true if it has not left.
    pub(super) fn is_member(&self, member: MemberId) -> bool {
        !self.departed.contains(&member)
    }

    /// Returns all members, departed ones among them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Member>> {
        self.all.iter()
    }
}

/// A member without memory, for tests of tables.
#[cfg(test)]
pub(super) fn test_member(me: Peer) -> Arc<Member> {
    struct Nobody;

    impl Target for Nobody {
        fn access(
            &self,
            _: mf_transport::SegmentKey,
            _: u64,
            _: u64,
            _: mf_device::Access,
            _: &mut dyn FnMut(mf_transport::Spot<'_>),
        ) -> mf_base::Result<()> {
            Ok(())
        }

        fn message(&self, _: Peer, _: &[u8]) {}

        fn lost(&self, _: Peer, _: &mf_base::Error) {}
    }

    Members::default().join((me, Weak::<Nobody>::new()), [0; 16], Vec::new())
}
