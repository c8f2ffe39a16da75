// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The own memory, as members on other hosts reach it.

use mf_base::{Error, Kind, MemKind, Result};
use mf_device::Access;

use super::{Pool, Stage};
use mf_net::{Contributor, Peer, RANGES_MAX, Range, Region, SegmentKey, Spot, not_together};

const OP: &str = "remote access";

impl Contributor for Pool {
    fn access(
        &self,
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        touch(self.spot(address, bytes, access)?);
        Ok(())
    }

    fn read_all(&self, ranges: &[Range], touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        let mut spots = [Spot::Host(std::ptr::null_mut()); RANGES_MAX];
        for (spot, &(address, bytes)) in spots.iter_mut().zip(ranges) {
            *spot = self.spot(address, bytes, Access::Read)?;
        }
        touch(spots.get(..ranges.len()).ok_or_else(|| not_together(ranges.len()))?);
        Ok(())
    }

    fn message(&self, from: Peer, message: &[u8]) {
        if let Some(place) = self.places.in_pool(from.rank()) {
            self.groups.deliver(place, message);
        }
    }
}

impl Pool {
    /// The own memory in a range.
    fn spot(&self, address: u64, bytes: u64, access: Access) -> Result<Spot<'_>> {
        let refused = |kind, what: &str| {
            Error::new(kind, OP)
                .what(what)
                .with("rank", self.rank)
                .with("pool", self.id)
                .with("address", format!("{address:#x}"))
                .with("bytes", bytes)
        };
        if !matches!(self.stage(), Stage::Joining | Stage::Joined) {
            return Err(refused(Kind::NotConnected, "the member has left the pool"));
        }
        let place = self.layout.locate(address).filter(|place| place.rank == self.rank);
        let Some(place) = place.filter(|place| bytes > 0 && self.extents.covers(*place, bytes, access))
        else {
            // It may be leaving, or not be all there yet.
            return Err(match self.stage() {
                Stage::Joined => {
                    refused(Kind::InvalidParam, "the range does not lie inside the member's segment")
                }
                _ => refused(Kind::NotConnected, "the member is about to join or to leave the pool"),
            });
        };
        Ok(match (place.kind, self.devices.mover()) {
            (MemKind::Device, Some(mover)) => Spot::Device { address, mover },
            _ => Spot::Host(mf_base::Gva(address).as_ptr()),
        })
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
        let regions: Vec<Region> = MemKind::ALL
            .into_iter()
            .filter_map(|kind| {
                let bytes = own_bytes[kind.index()];
                let address = self.layout.address(kind, self.rank)?.0;
                let is_host_memory = kind == MemKind::Host || self.devices.mover().is_none();
                (bytes > 0).then_some(Region { kind, is_host_memory, address, bytes })
            })
            .collect();
        let contributor: *const dyn Contributor = std::ptr::from_ref(self);
        // SAFETY: the own segments stay mapped while the pool lives, and it closes itself to the network
        // before it ends: when it leaves, which every pool does that was joined.
        unsafe { network.expose(key, contributor, &regions) }
    }

    /// No peer reaches the own memory by the network any more when this returns.
    pub(super) fn close_to_network(&self, key: SegmentKey) {
        if let Some(network) = self.remote.network() {
            network.conceal(key);
        }
    }
}
