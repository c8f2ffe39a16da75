// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices as this process sees them: numbers, properties, health. Contexts and streams build upon them.
//!
//! * [`facts`]: device properties; [`health`]: hardware errors. Their numbers: [`crate::device_ids`].

pub mod facts;
pub mod health;

use std::fmt;
use std::sync::{Arc, Condvar, Mutex};

use crate::clock::{Deadline, wait_slice};
use crate::codes::acl;
use crate::config::Config;
use crate::device_ids::{self, DEVICES_OF_A_SERVER};
use crate::fault::{Fault, Outcome};
use health::Health;
use mf_base::sync::lock;

/// A device as this process uses it.
pub struct Device {
    /// Number that programs use.
    pub user: u32,
    /// Number on the whole machine; locations and budgets use it.
    pub physical: u32,
    /// Its hardware errors.
    pub health: Health,
    /// Its streams are paused, for tests.
    paused: Mutex<bool>,
    resumed: Condvar,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {} ({})", self.user, self.physical)
    }
}

impl Device {
    fn new(user: u32, physical: u32) -> Self {
        Self { user, physical, health: Health::default(), paused: Mutex::default(), resumed: Condvar::new() }
    }

    /// Its logical number, which is also its physical one on the server.
    pub fn logical(&self) -> u32 {
        self.physical % DEVICES_OF_A_SERVER
    }

    /// Starts no further tasks on its streams until [`Device::resume`].
    pub fn pause(&self) {
        *lock(&self.paused) = true;
    }

    /// See [`Device::pause`].
    pub fn resume(&self) {
        *lock(&self.paused) = false;
        self.resumed.notify_all();
    }

    /// Waits while the device is paused and the task is not cancelled.
    pub(crate) fn wait_resumed(&self, is_cancelled: impl Fn() -> bool) {
        let mut paused = lock(&self.paused);
        while *paused && !is_cancelled() {
            paused = wait_slice(&self.resumed, paused, Deadline::NEVER);
        }
    }
}

/// The devices this process sees.
pub struct Devices {
    list: Vec<Arc<Device>>,
}

impl Devices {
    /// Builds the devices that the settings leave visible.
    ///
    /// # Errors
    /// None at present.
    pub fn new(config: &Config) -> Outcome<Self> {
        let list = std::env::var("ASCEND_RT_VISIBLE_DEVICES").ok();
        let visible = device_ids::visible(list.as_deref(), config.devices);
        let device =
            |(user, logical)| Arc::new(Device::new(user, device_ids::machine_wide(config.server, logical)));
        Ok(Self { list: (0..).zip(visible).map(device).collect() })
    }

    /// Returns the number of visible devices.
    pub fn count(&self) -> u32 {
        u32::try_from(self.list.len()).unwrap_or(u32::MAX)
    }

    /// All of them, by user number.
    pub fn all(&self) -> &[Arc<Device>] {
        &self.list
    }

    /// The device with this user number.
    ///
    /// # Errors
    /// 107001 for an unknown device.
    pub fn get(&self, user: i32) -> Outcome<Arc<Device>> {
        let device = usize::try_from(user).ok().and_then(|user| self.list.get(user));
        device.cloned().ok_or_else(|| {
            Fault::new(
                acl::INVALID_DEVICEID,
                format_args!("unknown device {user}; this process sees {}", self.list.len()),
            )
        })
    }

    /// The device of this process with this number on the whole machine.
    pub fn with_physical(&self, physical: u32) -> Option<Arc<Device>> {
        self.list.iter().find(|device| device.physical == physical).cloned()
    }
}
