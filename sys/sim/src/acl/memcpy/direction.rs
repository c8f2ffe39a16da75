// SPDX-License-Identifier: Apache-2.0 OR MIT
//! In which direction a copy goes.
//!
//! The addresses say it; the kind that a program passes is only compared with them, and only when the
//! settings are strict.

use mf_base::sync::lock;

use super::job::Job;
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::region::regions;
use crate::memory::space::space;
use crate::memory::{Region, RegionKind};
use crate::session::Location;

/// `aclrtMemcpyKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemcpyKind {
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    Default,
    HostToBufferToDevice,
    InnerDevice,
    InterDevice,
}

impl MemcpyKind {
    /// The kind of that number.
    pub(super) fn read(number: u32) -> Outcome<Self> {
        use MemcpyKind::*;
        let all = [
            HostToHost,
            HostToDevice,
            DeviceToHost,
            DeviceToDevice,
            Default,
            HostToBufferToDevice,
            InnerDevice,
            InterDevice,
        ];
        let kind = usize::try_from(number).ok().and_then(|number| all.get(number)).copied();
        kind.ok_or_else(|| {
            Fault::new(acl::INVALID_PARAM, format_args!("invalid kind={number}: not a kind of copy"))
        })
    }

    /// Returns the expected side of source and destination (true for device), if the kind has one.
    fn wants(self) -> Option<(bool, bool)> {
        match self {
            Self::HostToHost => Some((false, false)),
            Self::HostToDevice | Self::HostToBufferToDevice => Some((false, true)),
            Self::DeviceToHost => Some((true, false)),
            Self::DeviceToDevice | Self::InnerDevice | Self::InterDevice => Some((true, true)),
            Self::Default => None,
        }
    }
}

/// Location of one end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Memory of the device with this physical number.
    Device(u32),
    /// Pinned memory of the host that devices use, too, by its address.
    Shared,
    /// Pinned memory of the host.
    Pinned,
    /// Memory of the program that no device knows.
    Pageable,
}

impl End {
    /// Locates an address.
    ///
    /// # Errors
    /// 107000 where addresses are reserved and nothing is mapped.
    pub(super) fn at(address: u64) -> Outcome<Self> {
        let end = Self::from_region(regions()?.table().find(address).map(|region| &**region));
        let nowhere = end == Self::Pageable && space()?.overlaps(&(address..address.saturating_add(1)));
        ensure(!nowhere, acl::RT_PARAM_INVALID, || format!("nothing is mapped at {address:#x} (any more)"))?;
        Ok(end)
    }

    #[inline]
    fn from_region(region: Option<&Region>) -> Self {
        let Some(region) = region else { return Self::Pageable };
        match region.location {
            Location::Device(device) => Self::Device(device),
            Location::Host(_) if region.kind == RegionKind::Mapped => Self::Shared,
            Location::Host(_) => {
                let grants = lock(&region.grants);
                if grants.is_empty() { Self::Pinned } else { Self::Shared }
            }
        }
    }

    fn is_device(self) -> bool {
        matches!(self, Self::Device(_))
    }

    /// Returns true if a kind may treat it as device memory, or as host memory.
    fn passes_for(self, device: bool) -> bool {
        self == Self::Shared || self.is_device() == device
    }
}

/// Both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    pub(super) from: End,
    pub(super) to: End,
}

impl Direction {
    /// The direction of a copy.
    ///
    /// # Errors
    /// 107000 when its kind disagrees.
    pub(super) fn from_job(job: &Job, kind: MemcpyKind) -> Outcome<Self> {
        let direction = Self { from: End::at(job.src)?, to: End::at(job.dst)? };
        direction.check(job, kind)?;
        Ok(direction)
    }

    /// The direction between two regions, or memory outside of any.
    #[inline]
    pub(super) fn between(from: Option<&Region>, to: Option<&Region>) -> Self {
        Self { from: End::from_region(from), to: End::from_region(to) }
    }

    /// Compares the direction with the kind of the copy.
    ///
    /// # Errors
    /// 107000.
    #[inline]
    pub(super) fn check(self, job: &Job, kind: MemcpyKind) -> Outcome {
        if machine()?.config.strict { self.agrees(job, kind) } else { Ok(()) }
    }

    /// Assumed: a kind that contradicts the location of the addresses is refused.
    fn agrees(self, job: &Job, kind: MemcpyKind) -> Outcome {
        let fits = kind.wants().is_none_or(|(from, to)| self.from.passes_for(from) && self.to.passes_for(to));
        let devices = match (kind, self.from, self.to) {
            (MemcpyKind::InnerDevice, End::Device(from), End::Device(to)) => from == to,
            (MemcpyKind::InterDevice, End::Device(from), End::Device(to)) => from != to,
            _ => true,
        };
        ensure(fits && devices, acl::RT_PARAM_INVALID, || {
            format!(
                "the kind {kind:?} does not fit: {:#x} is {:?} memory, {:#x} is {:?} memory",
                job.src, self.from, job.dst, self.to
            )
        })
    }

    /// Refuses what streams do not copy.
    ///
    /// # Errors
    /// 207000 from host to host.
    pub(super) fn on_stream(self, kind: MemcpyKind) -> Outcome {
        let found = !self.from.is_device() && !self.to.is_device();
        let meant =
            matches!(kind, MemcpyKind::DeviceToDevice | MemcpyKind::InnerDevice | MemcpyKind::InterDevice);
        ensure(!found || meant, acl::FEATURE_NOT_SUPPORT, || {
            format!("streams do not copy from host to host: from {:?} to {:?} memory", self.from, self.to)
        })
    }

    /// Returns true for host to device.
    pub(super) fn is_up(self) -> bool {
        !self.from.is_device() && self.to.is_device()
    }

    /// Returns true for device to host.
    pub(super) fn is_down(self) -> bool {
        self.from.is_device() && !self.to.is_device()
    }
}
