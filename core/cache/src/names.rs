// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of members, by which programs say where a value should lie.

use std::sync::Arc;

use mf_base::Result;
use mf_base::sync::lock;

use crate::atomic_fields::Spot;
use crate::index::unless_gone;
use crate::layout::NAME_AT;
use crate::member::Member;
use crate::memory::Memory;
use crate::options::NAME_BYTES_MAX;
use crate::view::Member as Peer;

/// A member of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberInfo {
    /// Its rank.
    pub rank: u32,
    /// Its name, such as `host:port`.
    pub name: String,
    /// Capacity of its contribution for values, in bytes; 0 if it keeps none.
    pub capacity_bytes: u64,
    /// Its contribution is mapped here: it is on this host.
    pub is_near: bool,
}

impl<M: Memory> Member<M> {
    /// Returns all members, by rank.
    pub(crate) fn members(&self) -> Result<Vec<MemberInfo>> {
        let view = self.view();
        let mut members = Vec::new();
        for peer in view.latest().members() {
            let Some(name) = self.name(peer)? else { continue };
            members.push(MemberInfo {
                rank: peer.holder.rank.into(),
                name: name.to_string(),
                capacity_bytes: peer.geometry.data_bytes(),
                is_near: peer.is_near,
            });
        }
        Ok(members)
    }

    /// Finds a member that keeps values by its name or, if none has it, by its host: the nearest one.
    pub(crate) fn find_member(&self, wanted: &str) -> Result<Option<u32>> {
        let mut members = self.members()?;
        members.retain(|member| member.capacity_bytes > 0);
        members.sort_by_key(|member| (member.rank != u32::from(self.me.rank), !member.is_near));
        let by_name = members.iter().find(|member| member.name == wanted);
        let found = by_name.or_else(|| members.iter().find(|member| host(&member.name) == wanted));
        Ok(found.map(|member| member.rank))
    }

    /// Returns the ranks of the members that hold a value, ascending, and its length.
    pub(crate) fn locate(&self, key: &[u8]) -> Result<Option<(Vec<u32>, u64)>> {
        let print = self.prints.fingerprint("cache locate", key)?;
        let view = self.view();
        let index = self.index(&view);
        let Some(found) = index.find(print)? else { return Ok(None) };
        let mut ranks: Vec<u32> =
            index.entries(print)?.iter().map(|entry| u32::from(entry.slot.block().rank)).collect();
        ranks.push(found.block.rank.into());
        ranks.sort_unstable();
        ranks.dedup();
        Ok(Some((ranks, found.head.holds.bytes)))
    }

    /// Returns the name of a member; `None` if it is gone.
    fn name(&self, peer: &Peer) -> Result<Option<Arc<str>>> {
        if let Some(name) = lock(&self.names).get(&peer.holder) {
            return Ok(Some(Arc::clone(name)));
        }
        let at = Spot { rank: peer.holder.rank, offset: NAME_AT };
        let Some(bytes) = unless_gone(self.memory.load(at))? else { return Ok(None) };
        let mut name = vec![0; usize::try_from(bytes).unwrap_or(0).min(NAME_BYTES_MAX)];
        if unless_gone(self.memory.read(at.add(8), &mut name))?.is_none() {
            return Ok(None);
        }
        let name: Arc<str> = String::from_utf8_lossy(&name).into();
        let mut names = lock(&self.names);
        let latest = Arc::clone(self.view().latest());
        names.retain(|holder, _| latest.has(*holder));
        names.insert(peer.holder, Arc::clone(&name));
        Ok(Some(name))
    }
}

/// Returns a name without its port.
fn host(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(host, _)| host)
}
