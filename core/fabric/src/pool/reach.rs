// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routes to remote members, chosen at the first use.

use std::sync::Arc;
use std::time::Instant;

use mf_base::{Rank, Result};

use super::Pool;
use super::remote::RemoteMember;
use crate::space::Presence;
use crate::transfer::routes;
use mf_net::Member;
use mf_net::Route;

impl Pool {
    /// Returns a member's resolved route, choosing it at the first use.
    pub(super) fn choose_route<'a>(&self, member: &'a RemoteMember) -> Result<&'a Arc<Member>> {
        if let Some(reached) = member.reached.get() {
            return Ok(reached);
        }
        let route = self.route(member)?;
        let described = member.descriptions.iter().find(|(name, _)| name == route.transport.name());
        if let Some((_, description)) = described {
            member.attachment.attach(&route.transport, description)?;
        }
        let reached = Arc::new(Member::new(member.rank, member.key, &route)?);
        Ok(member.reached.get_or_init(|| reached))
    }

    fn route(&self, member: &RemoteMember) -> Result<Route> {
        let network = self.remote.network().ok_or_else(|| self.unreachable(member.rank, Presence::Absent))?;
        let routes = network.routes(member.peer)?;
        routes::choose(member.rank, &self.engines, &member.tag, &routes).cloned()
    }

    /// Sends a message to another member's pool.
    pub(super) fn send_message(&self, to: Rank, message: &[u8], deadline: Instant) -> Result<()> {
        let absent = || self.unreachable(to, Presence::Absent);
        let member = self.remote_peer(to, |_| true).ok_or_else(absent)?;
        let network = self.remote.network().ok_or_else(absent)?;
        network.send(self.choose_route(&member)?, message, deadline)
    }
}
