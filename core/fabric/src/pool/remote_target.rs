// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The own memory, as members on other hosts reach it.

use mf_base::{Error, Kind, MemKind, Result};
use mf_device::Access;
use mf_transport::{Region, Spot};

use super::segments::Segments;
use super::stage::{MemberStage, Stage};

const OP: &str = "remote access";

impl Segments {
    /// The own memory in a range.
    pub(super) fn spot(
        &self,
        stage: &MemberStage,
        address: u64,
        bytes: u64,
        access: Access,
    ) -> Result<Spot<'_>> {
        let refused = |kind, what: &str| {
            Error::new(kind, OP)
                .what(what)
                .with("rank", self.me.rank)
                .with("pool", self.me.id)
                .with("address", format!("{address:#x}"))
                .with("bytes", bytes)
        };
        if !matches!(stage.get(), Stage::Joining | Stage::Joined) {
            return Err(refused(Kind::NotConnected, "the member has left the pool"));
        }
        let place = self.layout.locate(address).filter(|place| place.rank == self.me.rank);
        let Some(place) = place.filter(|place| bytes > 0 && self.extents.covers(*place, bytes, access))
        else {
            // It may be leaving, or not be all there yet.
            return Err(match stage.get() {
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

    /// Returns the first bytes of the own memory, as the network exposes them.
    pub(super) fn regions(&self, own_bytes: [u64; 2]) -> Vec<Region> {
        let region = |kind: MemKind| {
            let bytes = own_bytes[kind.index()];
            let address = self.layout.address(kind, self.me.rank)?.0;
            let is_host_memory = kind == MemKind::Host || self.devices.mover().is_none();
            (bytes > 0).then_some(Region { kind, is_host_memory, address, bytes })
        };
        MemKind::ALL.into_iter().filter_map(region).collect()
    }
}
