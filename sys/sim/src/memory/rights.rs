// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access rights: initiators and regions, and enabled peer access.

use std::collections::BTreeSet;
use std::sync::RwLock;

use mf_base::sync::{lock, read, write};

use super::region::{ANY_DEVICE, Access, Region, RegionKind};
use crate::fault::Outcome;
use crate::machine::{Machine, machine};
use crate::session::Location;

/// Initiator of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initiator {
    /// The copy engine of a device, by physical number: the device's rights count, and host memory is within
    /// reach.
    Device(u32),
    /// A kernel on a device: the device's rights count, and host memory only where it was made visible to
    /// devices.
    Core(u32),
    /// The processor: everything of this process.
    Host,
}

impl Initiator {
    /// Returns the physical number of the device; `None` for the host.
    pub(crate) fn device(self) -> Option<u32> {
        match self {
            Self::Device(device) | Self::Core(device) => Some(device),
            Self::Host => None,
        }
    }
}

/// Peers that were enabled: device, peer (both by physical number), handle of the context that asked.
#[derive(Default)]
pub struct Peers(RwLock<BTreeSet<(u32, u32, usize)>>);

impl Peers {
    /// From now on `device` reaches `peer`, as long as `context` wants it. False when that was so already.
    pub fn enable(&self, device: u32, peer: u32, context: usize) -> bool {
        write(&self.0).insert((device, peer, context))
    }

    /// Takes [`Peers::enable`] back. False when there was nothing to take back.
    pub fn disable(&self, device: u32, peer: u32, context: usize) -> bool {
        write(&self.0).remove(&(device, peer, context))
    }

    /// Removes the peer access enabled by a context that ends.
    pub fn forget(&self, context: usize) {
        write(&self.0).retain(|(_, _, owner)| *owner != context);
    }

    /// Takes back everything that was enabled for a device.
    pub fn forget_device(&self, device: u32) {
        write(&self.0).retain(|(owner, _, _)| *owner != device);
    }

    /// Returns true if `device` reaches `peer`.
    ///
    /// Assumed: a device reaches a peer for all streams as soon as one of its contexts enabled it, because
    /// the link is the device's.
    pub fn reaches(&self, device: u32, peer: u32) -> bool {
        let enabled = read(&self.0);
        enabled.range((device, peer, 0)..=(device, peer, usize::MAX)).next().is_some()
    }
}

static PEERS: Peers = Peers(RwLock::new(BTreeSet::new()));

/// Peer access of this process.
///
/// # Errors
/// The machine's own.
pub fn peers() -> Outcome<&'static Peers> {
    machine()?;
    Ok(&PEERS)
}

/// Returns the access right of `by` in a region.
#[inline]
pub fn access(machine: &Machine, by: Initiator, region: &Region) -> Access {
    let (device, is_core) = match by {
        Initiator::Host => return Access::ReadWrite,
        Initiator::Device(device) => (device, false),
        Initiator::Core(device) => (device, true),
    };
    match (region.kind, region.location) {
        (RegionKind::Malloc | RegionKind::Pooled | RegionKind::Resident, Location::Device(owner))
            if owner == device =>
        {
            Access::ReadWrite
        }
        _ => foreign(machine, device, is_core, region),
    }
}

fn foreign(machine: &Machine, device: u32, is_core: bool, region: &Region) -> Access {
    let imported = region.block.as_ref().is_some_and(|block| block.imported);
    let grants = lock(&region.grants);
    let inherent = match (region.kind, region.location) {
        (_, Location::Device(owner)) if !machine.config.topology.reaches(device, owner) => {
            return Access::None;
        }
        (RegionKind::Malloc | RegionKind::Pooled | RegionKind::Ipc, Location::Device(owner)) => {
            owner == device || !machine.product.needs_peer_access || PEERS.reaches(device, owner)
        }
        (RegionKind::Mapped, Location::Device(owner)) => owner == device && !imported,
        // A copy engine reaches pinned memory of the host; for kernels it takes a grant.
        (RegionKind::HostMalloc | RegionKind::Mapped, Location::Host(_)) => !is_core && !imported,
        (RegionKind::Registered, _) => !is_core && grants.is_empty(),
        _ => false,
    };
    if inherent {
        return Access::ReadWrite;
    }
    let granted = grants.iter().filter(|(who, _)| *who == device || *who == ANY_DEVICE);
    granted.map(|(_, access)| *access).max().unwrap_or(Access::None)
}
