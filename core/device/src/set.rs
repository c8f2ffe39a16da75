// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The devices that a process uses.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use mf_base::{MemKind, Result};

use super::{AddressWindows, Device, Mover};

/// A device of a [set](Devices), by its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceId(u16);

impl DeviceId {
    /// Host memory, which is in every set.
    pub const HOST: DeviceId = DeviceId(0);

    /// Its place in the set.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Host memory and any number of accelerators, also of several vendors. Pools use host memory and one
/// accelerator, the first unless [`serving`](Self::serving) says otherwise. Cheap to clone; a set does not
/// change.
#[derive(Clone)]
pub struct Devices {
    host: Arc<dyn Device>,
    accelerators: Arc<[Arc<dyn Device>]>,
    /// The device of pools' device memory; [`DeviceId::HOST`] if there is no accelerator.
    pooled: DeviceId,
}

impl Devices {
    /// Makes a set of host memory alone: it stands in for device memory.
    pub fn new(host: Arc<dyn Device>) -> Self {
        Self { host, accelerators: Arc::new([]), pooled: DeviceId::HOST }
    }

    /// The same set and one accelerator more.
    #[must_use]
    pub fn with(self, accelerator: Arc<dyn Device>) -> Self {
        let accelerators: Arc<[_]> = self.accelerators.iter().cloned().chain([accelerator]).collect();
        let pooled = if self.pooled == DeviceId::HOST { DeviceId(1) } else { self.pooled };
        Self { accelerators, pooled, ..self }
    }

    /// Returns the same set, in which pools use another accelerator; unchanged if the set has none of this
    /// number.
    #[must_use]
    pub fn serving(self, pooled: DeviceId) -> Self {
        match self.get(pooled) {
            Some(_) => Self { pooled, ..self },
            None => self,
        }
    }

    /// A device of the set.
    pub fn get(&self, id: DeviceId) -> Option<&Arc<dyn Device>> {
        match id.index().checked_sub(1) {
            None => Some(&self.host),
            Some(index) => self.accelerators.get(index),
        }
    }

    /// All of them with their numbers, host memory first.
    pub fn iter(&self) -> impl Iterator<Item = (DeviceId, &Arc<dyn Device>)> {
        (0..).map(DeviceId).map_while(|id| Some((id, self.get(id)?)))
    }

    /// Host memory.
    pub fn host(&self) -> &Arc<dyn Device> {
        &self.host
    }

    /// Returns the accelerator of pools; `None`: host memory stands in for device memory.
    #[inline]
    pub fn accelerator(&self) -> Option<&Arc<dyn Device>> {
        self.accelerators.get(self.pooled.index().checked_sub(1)?)
    }

    /// Returns the device that provides this kind of memory in pools.
    pub fn for_kind(&self, kind: MemKind) -> &Arc<dyn Device> {
        match kind {
            MemKind::Host => &self.host,
            MemKind::Device => self.accelerator().unwrap_or(&self.host),
        }
    }

    /// Returns the windows of that device.
    ///
    /// # Errors
    /// `Failed` with the reason that the device has none.
    pub fn windows(&self, kind: MemKind) -> Result<&dyn AddressWindows> {
        self.for_kind(kind).windows()
    }

    /// The addresses at which a window of this kind may lie, best first.
    pub fn address_ranges(&self, kind: MemKind) -> &[Range<u64>] {
        match self.accelerator().map(|accelerator| ranges_of(&**accelerator, kind)) {
            Some(ranges) if !ranges.is_empty() => ranges,
            _ => ranges_of(&*self.host, kind),
        }
    }

    /// Returns the mover of pools for memory that the processor must not touch; `None`: the processor moves
    /// all.
    #[inline]
    pub fn mover(&self) -> Option<&dyn Mover> {
        self.accelerator().and_then(|accelerator| accelerator.mover())
    }
}

fn ranges_of(device: &dyn Device, kind: MemKind) -> &[Range<u64>] {
    device.windows().map_or(&[], |windows| windows.address_ranges(kind))
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|(id, device)| (id.index(), device.name()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use mf_base::settings::Switch;

    use super::super::host::HostDevice;
    use super::*;

    fn device() -> Arc<dyn Device> {
        Arc::new(HostDevice::new(Switch::Off))
    }

    #[test]
    fn pools_use_the_first_accelerator_unless_another_is_chosen() {
        let (host, first, second) = (device(), device(), device());
        let alone = Devices::new(Arc::clone(&host));
        assert!(alone.accelerator().is_none());
        assert!(Arc::ptr_eq(alone.for_kind(MemKind::Device), &host));

        let set = alone.with(Arc::clone(&first)).with(Arc::clone(&second));
        let ids: Vec<DeviceId> = set.iter().map(|(id, _)| id).collect();
        assert_eq!(ids, [DeviceId::HOST, DeviceId(1), DeviceId(2)]);
        assert!(Arc::ptr_eq(set.for_kind(MemKind::Device), &first));
        let set = set.serving(DeviceId(2)).serving(DeviceId(3));
        assert!(Arc::ptr_eq(set.for_kind(MemKind::Device), &second));
        assert!(Arc::ptr_eq(set.for_kind(MemKind::Host), &host));
        assert!(set.get(DeviceId(3)).is_none());
    }
}
