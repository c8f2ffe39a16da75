// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The devices of this process: those that the library chooses by its settings, or the fake one.

use std::sync::Arc;

use mf_base::settings::{Switch, settings};
use mf_fabric::device::host::HostDevice;
use mf_fabric::device::{Devices, choose};
use mf_tests::accelerator::{FAKE, VARIABLE};
use mf_tests::fake::FakeDevice;

/// Opens what the settings choose, and closes it again: the runtime of an accelerator keeps a few descriptors
/// and threads for the life of the process, which no census is to count. What fails here fails again when it
/// is looked at.
pub(crate) fn warm_up() {
    if let Ok(settings) = settings() {
        drop(choose(settings.device, 0, Arc::new(HostDevice::new(Switch::Auto))));
    }
}

/// The fake device, when the test wants it.
pub(crate) fn fake() -> Option<FakeDevice> {
    (std::env::var(VARIABLE).as_deref() == Ok(FAKE)).then(FakeDevice::default)
}

/// It, beside host memory.
pub(crate) fn with(fake: &FakeDevice) -> Devices {
    Devices::new(Arc::new(HostDevice::new(Switch::Auto))).with(Arc::new(fake.clone()))
}
