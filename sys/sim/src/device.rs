// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices and contexts of this process, and which of them a thread uses.
//!
//! * [`context`]: current contexts of threads; a context owns streams.
//! * [`ids`]: user, logical and physical numbers.
//! * [`primary`]: setting and resetting devices; [`state`]: state callbacks.
//! * [`facts`]: device properties; [`health`]: faults.

pub mod context;
pub mod facts;
pub mod health;
pub mod ids;
pub mod primary;
pub mod state;

pub use context::{Context, current};

use std::fmt;
use std::sync::{Arc, Condvar, Mutex};

use crate::codes::acl;
use crate::config::Config;
use crate::fault::{Fault, Outcome};
use crate::handles::Table;
use crate::session::DEVICES_OF_A_SERVER;
use crate::stream::clock::{Deadline, wait_slice};
use crate::stream::event::Event;
use crate::stream::notify::Notify;
use crate::stream::report::Reports;
use crate::stream::{Running, Stream};
use health::Health;
use mf_base::sync::lock;
use primary::Primary;

/// A device as this process uses it.
pub struct Device {
    /// Number that programs use.
    pub user: u32,
    /// Number on the whole machine; locations and budgets use it.
    pub physical: u32,
    /// Its hardware errors.
    pub health: Health,
    primary: Mutex<Primary>,
    /// Signalled when a reset has finished.
    settled: Condvar,
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
        Self {
            user,
            physical,
            health: Health::default(),
            primary: Mutex::default(),
            settled: Condvar::new(),
            paused: Mutex::default(),
            resumed: Condvar::new(),
        }
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

    /// Waits while the device is paused and the task is wanted.
    pub(crate) fn wait_resumed(&self, running: &Running) {
        let mut paused = lock(&self.paused);
        while *paused && !running.is_cancelled() {
            paused = wait_slice(&self.resumed, paused, Deadline::NEVER);
        }
    }
}

/// The devices this process sees.
pub struct Devices {
    list: Vec<Arc<Device>>,
    /// Living contexts.
    pub contexts: Table<Context>,
    /// Living streams.
    pub streams: Table<Stream>,
    /// Living events.
    pub events: Table<Event>,
    /// Living notifies, of this process or imported.
    pub notifies: Table<Notify>,
    /// Living counting notifies.
    pub count_notifies: Table<Notify>,
    /// Threads that run callbacks of streams.
    pub reports: Reports,
}

impl Devices {
    /// Builds the devices that the settings leave visible.
    ///
    /// # Errors
    /// None at present.
    pub fn new(config: &Config) -> Outcome<Self> {
        let list = std::env::var("ASCEND_RT_VISIBLE_DEVICES").ok();
        let visible = ids::visible(list.as_deref(), config.devices);
        let device = |(user, logical)| Arc::new(Device::new(user, ids::machine_wide(config.server, logical)));
        Ok(Self {
            list: (0..).zip(visible).map(device).collect(),
            contexts: Table::new("context"),
            streams: Table::new("stream"),
            events: Table::new("event"),
            notifies: Table::new("notify"),
            count_notifies: Table::new("counting notify"),
            reports: Reports::default(),
        })
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
                format_args!("there is no device {user}; this process sees {}", self.list.len()),
            )
        })
    }

    /// The device of this process with this number on the whole machine.
    pub fn with_physical(&self, physical: u32) -> Option<Arc<Device>> {
        self.list.iter().find(|device| device.physical == physical).cloned()
    }
}
