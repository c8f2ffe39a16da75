// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The devices of this process.

use std::sync::Arc;

use mf_base::settings::{Switch, settings};
use mf_device::choose;
use mf_device::host::HostDevice;

/// Opens the configured device, and closes it again: the runtime of an accelerator keeps a few descriptors
/// and threads for the life of the process, which no census is to count. Failures here occur again in the
/// test.
pub(crate) fn warm_up() {
    if let Ok(settings) = settings() {
        let chosen = choose(settings.device, 0, Arc::new(HostDevice::new(Switch::Auto)));
        let accelerator = chosen.as_ref().ok().and_then(|(devices, _)| devices.accelerator());
        // The runtime's allocation pool stays, too.
        drop(accelerator.map(|accelerator| accelerator.allocate_buffer(64)));
    }
}
