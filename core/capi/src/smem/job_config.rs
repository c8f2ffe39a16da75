// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Configuration of a membership: timeouts, and the accelerator of the calling thread.

use std::time::Duration;

use mf_device::Devices;
use mf_job::Config;

/// Sets the timeouts, in seconds: init, create, control.
pub(super) fn with_timeouts(config: Config, seconds: [u32; 3]) -> Config {
    let [init, create, control] = seconds.map(|seconds| Duration::from_secs(u64::from(seconds)));
    config.init_timeout(init).create_timeout(create).control_timeout(control)
}

/// Selects the accelerator for the calling thread if it has none: programs written for upstream call its
/// runtime without selecting it.
pub(super) fn become_current(devices: &Devices) {
    if let Some(device) = devices.accelerator() {
        device.become_current();
    }
}
