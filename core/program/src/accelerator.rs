// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accelerator of this process, and the kernels of this build for it.

use std::sync::Arc;

use mf_base::settings::{DeviceChoice, loaded};
use mf_base::{Error, Kind, Result};
use mf_device::host::HostDevice;
use mf_device::{Device, Devices, choose};
use mf_device_kernels::{for_soc, simulated};
use mf_smem::kernel::{Binary, Target};

/// Opens the accelerator that the settings name, or else the simulator.
///
/// # Errors
/// Errors of opening a device.
pub fn accelerator(index: u32) -> Result<Devices> {
    let settings = &loaded()?.settings;
    let host = || Arc::new(HostDevice::new(settings.huge_pages)) as Arc<dyn Device>;
    let (devices, _) = choose(settings.device, index, host())?;
    if devices.accelerator().is_some() || settings.device != DeviceChoice::Auto {
        return Ok(devices);
    }
    choose(DeviceChoice::Sim, index, host()).map(|(devices, _)| devices)
}

/// Returns the kernels of this build for the accelerator of this process.
///
/// # Errors
/// `NotExist`, with the reason, if this build has no kernels.
pub fn built_in(devices: &Devices) -> Result<&'static [u8]> {
    let found = match Binary::target(devices)? {
        Target::Simulator => simulated(),
        Target::Npu(soc) => for_soc(&soc),
    };
    found.map_err(|reason| {
        Error::new(Kind::NotExist, "mf kernel")
            .what("this program has no kernels for the accelerator")
            .with("reason", reason)
    })
}
