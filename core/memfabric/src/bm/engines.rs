// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of engines.

use mf_smem::bm::EngineName;

/// Engine for copies to memory that is not mapped in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The accelerator's own mover.
    DeviceSdma,
    /// RDMA by the accelerator's network card.
    DeviceRdma,
    /// URMA by the accelerator.
    DeviceUrma,
    /// UBOE by the accelerator.
    DeviceUboe,
    /// Shared memory of a host.
    HostShm,
    /// RDMA by the host's network card.
    HostRdma,
    /// URMA by the host.
    HostUrma,
    /// TCP.
    HostTcp,
}

impl Engine {
    pub(crate) fn name(self) -> EngineName {
        match self {
            Self::DeviceSdma => EngineName::DeviceSdma,
            Self::DeviceRdma => EngineName::DeviceRdma,
            Self::DeviceUrma => EngineName::DeviceUrma,
            Self::DeviceUboe => EngineName::DeviceUboe,
            Self::HostShm => EngineName::HostShm,
            Self::HostRdma => EngineName::HostRdma,
            Self::HostUrma => EngineName::HostUrma,
            Self::HostTcp => EngineName::HostTcp,
        }
    }
}
