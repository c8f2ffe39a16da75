// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels that the library contains.

use mf_base::{Error, Kind, Result};
use mf_device::Devices;
use mf_smem::kernel::{Binary, Target};

/// Returns the binary of the library's kernels for a chip; `sim` is the simulator.
pub(crate) fn for_chip(operation: &'static str, chip: &str) -> Result<&'static [u8]> {
    let found = if chip == "sim" { mf_device_kernels::simulated() } else { mf_device_kernels::for_soc(chip) };
    found.map_err(|reason| Error::new(Kind::NotExist, operation).what(reason).with("chip", chip))
}

/// Returns the binary of the library's kernels for the accelerator of this process.
pub(crate) fn built_in(devices: &Devices) -> Result<&'static [u8]> {
    for_target(&Binary::target(devices)?)
}

/// Returns the binary of the library's kernels for a target.
pub(crate) fn for_target(target: &Target) -> Result<&'static [u8]> {
    let found = match target {
        Target::Simulator => mf_device_kernels::simulated(),
        Target::Npu(soc) => mf_device_kernels::for_soc(soc),
    };
    found.map_err(|reason| {
        Error::new(Kind::NotExist, "kernel load")
            .what("this library has no kernels for the accelerator of this process")
            .with("reason", reason)
            .hint("build it where a C++ compiler (for the simulator) or CANN (for an NPU) is installed")
    })
}
