// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The devices of this process.

use std::sync::Arc;

use mf_base::settings::{Switch, settings};
use mf_device::choose;
use mf_device::host::HostDevice;

/// Opens what the settings choose, and closes it again: the runtime of an accelerator keeps a few descriptors
/// and threads for the life of the process, which no census is to count. What fails here fails again in the
/// test.
pub(crate) fn warm_up() {
    if let Ok(settings) = settings() {
        let chosen = choose(settings.device, 0, Arc::new(HostDevice::new(Switch::Auto)));
        let accelerator = chosen.as_ref().ok().and_then(|(devices, _)| devices.accelerator());
        // What the runtime allocates from stays, too.
        drop(accelerator.map(|accelerator| accelerator.allocate_buffer(64)));
    }
}
