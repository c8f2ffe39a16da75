// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How remote members are reached: which of the ways to a member is used, found at the first use.

use std::time::Instant;

use mf_base::settings::settings;
use mf_base::{Error, Kind, Rank, Result};

use super::Pool;
use super::remote::RemoteMember;
use crate::space::Presence;
use crate::transport::choice::{Candidate, Engine, Machine, Tag, decide};
use crate::transport::{Way, Ways};

impl Pool {
    /// The way to a member; found at the first use.
    pub(super) fn way<'a>(&self, member: &'a RemoteMember) -> Result<&'a Way> {
        if let Some(way) = member.way.get() {
            return Ok(way);
        }
        let network = self.remote.network().ok_or_else(|| self.unreachable(member.rank, Presence::Absent))?;
        let ways = network.ways(member.peer)?;
        let index = self.choose(member, &ways)?;
        let way = ways.open.get(index).ok_or_else(|| self.unreachable(member.rank, Presence::Absent))?;
        let described = member.descriptions.iter().find(|(name, _)| name == way.transport.name());
        if let Some((_, description)) = described {
            member.attachment.attach(&way.transport, description)?;
        }
        Ok(member.way.get_or_init(|| way.clone()))
    }

    /// Sends a message to another member's pool.
    pub(super) fn send_message(&self, to: Rank, message: &[u8], deadline: Instant) -> Result<()> {
        let absent = || self.unreachable(to, Presence::Absent);
        let member = self.remote_peer(to, |_| true).ok_or_else(absent)?;
        let network = self.remote.network().ok_or_else(absent)?;
        network.send(self.way(&member)?, member.key, message, deadline)
    }

    /// Which of the open ways to use.
    fn choose(&self, member: &RemoteMember, ways: &Ways) -> Result<usize> {
        let theirs = Tag::parse("engine choice", &member.tag)?;
        let candidates = self.candidates(ways)?;
        let decision = decide(&self.engines, &theirs, &candidates, settings()?.strict_engine)?;
        decision.warn_once(member.rank);
        Ok(decision.index)
    }

    /// The ways as they are open to choice; the open ones first, in their order.
    pub(super) fn candidates(&self, ways: &Ways) -> Result<Vec<Candidate>> {
        let has_rdma = Machine::here(None, true, &settings()?.transports)?.has_rdma();
        let open = ways.open.iter().map(|way| (way.transport.name(), Ok(way.reach.clone())));
        let closed = ways.closed.iter().map(|closed| {
            (closed.name, Err(Error::new(Kind::NotConnected, "network").what(closed.reason.clone())))
        });
        let candidate = |(name, reach)| match Engine::of_transport(name) {
            Some(Engine::Ucx) => Candidate::ucx(reach, has_rdma),
            _ => Candidate::tcp(reach),
        };
        Ok(open.chain(closed).map(candidate).collect())
    }
}
