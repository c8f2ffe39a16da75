// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings that all processes of a machine share, set by its creator.

/// Settings of the machine's creator; a process with other settings is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineSettings {
    /// SoC name.
    pub soc: String,
    /// Devices of each server.
    pub devices: u32,
    /// HBM of each device, in bytes.
    pub hbm_bytes: u64,
    /// Host memory of each server that the device side hands out, in bytes.
    pub host_bytes: u64,
    /// Which devices reach which, as written.
    pub topology: String,
}
