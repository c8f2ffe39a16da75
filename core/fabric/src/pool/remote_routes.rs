// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routes to remote members, chosen at the first use.

use std::sync::Arc;

use mf_base::Result;
use mf_net::{Member, Route};

use super::directory::{RemoteMember, RemoteMembers};
use super::own_member::OwnMember;
use crate::space::Presence;
use crate::transfer::choose_transport;

impl RemoteMembers {
    /// Returns a member's resolved route, choosing it at the first use.
    pub(super) fn choose_route<'a>(
        &self,
        me: &OwnMember,
        member: &'a RemoteMember,
    ) -> Result<&'a Arc<Member>> {
        if let Some(reached) = member.reached.get() {
            return Ok(reached);
        }
        let route = self.route(me, member)?;
        let described = member.descriptions.iter().find(|(name, _)| name == route.transport.name());
        if let Some((_, description)) = described {
            member.attachment.attach(&route.transport, description)?;
        }
        let reached = Arc::new(Member::new(member.rank, member.key, &route)?);
        Ok(member.reached.get_or_init(|| reached))
    }

    fn route(&self, me: &OwnMember, member: &RemoteMember) -> Result<Route> {
        let network = self.network().ok_or_else(|| me.unreachable(member.rank, Presence::Absent))?;
        let routes = network.routes(member.peer)?;
        choose_transport::choose(member.rank, &me.engines, &member.tag, &routes).cloned()
    }
}
