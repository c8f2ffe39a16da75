// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a membership.

use std::time::Duration;

use mf_base::settings::DeviceChoice;
use mf_bootstrap::Bootstrap;
use mf_job::Config;

use super::Job;
use crate::certificates::Certificates;
use crate::error::Wrap;
use crate::process::prepare;
use crate::{Rank, Result};

/// Longest wait of join, leave and barriers, unless set.
const CONTROL_TIMEOUT: Duration = Duration::from_secs(900);

/// Kind of accelerator for the device memory of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Accelerator {
    /// None; host memory stands in for device memory.
    None,
    /// An Ascend NPU if CANN is installed, else none.
    Auto,
    /// An Ascend NPU, or an error.
    Ascend,
    /// An NVIDIA GPU, or an error.
    Cuda,
    /// The simulator of CANN, or an error. The feature `sim` builds it beside the program.
    Simulated,
}

/// Origin of a process's place in its job.
#[derive(Clone, Debug)]
enum Place {
    Launcher,
    Alone,
    Store(String, u32),
    Unique(Box<Bootstrap>),
}

/// Options to join a job, from [`Job::builder`]. `Send` and `Sync`.
///
/// ```
/// # fn main() -> memfabric::Result<()> {
/// use std::time::Duration;
/// use memfabric::Job;
///
/// # let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
/// let job = Job::builder()
///     .store(format!("tcp://127.0.0.1:{port}"), 1)         // a job of one rank, at this address
///     .init_timeout(Duration::from_secs(20))
///     .join()?;
/// assert_eq!(job.world_size(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "join makes the job"]
pub struct JobBuilder {
    place: Place,
    rank: Option<Rank>,
    device: Option<u16>,
    accelerator: Option<Accelerator>,
    init_timeout: Option<Duration>,
    create_timeout: Option<Duration>,
    control_timeout: Option<Duration>,
    store_certificates: Option<Certificates>,
    data_certificates: Option<Certificates>,
    nic: String,
    is_dynamic: bool,
    starts_store: bool,
}

impl JobBuilder {
    pub(super) fn new() -> Self {
        Self {
            place: Place::Launcher,
            rank: None,
            device: None,
            accelerator: None,
            init_timeout: None,
            create_timeout: None,
            control_timeout: None,
            store_certificates: None,
            data_certificates: None,
            nic: String::new(),
            is_dynamic: false,
            starts_store: true,
        }
    }

    /// Meets at the store of this URL (`tcp://host:port`, `etcd://host:port/prefix`) as one of `world_size`
    /// ranks (1 to 16,384). Ranks are automatic unless [`rank`](Self::rank) gives one; a member that can
    /// starts the store.
    pub fn store(mut self, url: impl Into<String>, world_size: u32) -> Self {
        self.place = Place::Store(url.into(), world_size);
        self
    }

    /// Makes a job of this process alone, with a store of its own on loopback.
    pub fn alone(mut self) -> Self {
        self.place = Place::Alone;
        self
    }

    /// Meets at the store of a unique id, as one of `world_size` ranks.
    ///
    /// # Errors
    /// `InvalidParam` an impossible rank or number of ranks.
    pub fn unique_id(mut self, id: &super::UniqueId, rank: Option<Rank>, world_size: u32) -> Result<Self> {
        let place = Bootstrap::from_unique_id(id.inner(), rank, world_size).wrap()?;
        self.place = Place::Unique(Box::new(id.beside(place)));
        Ok(self)
    }

    /// Takes this rank instead of an automatic one; rank 0 starts the store.
    pub fn rank(mut self, rank: Rank) -> Self {
        self.rank = Some(rank);
        self
    }

    /// Sets the logical number of the accelerator (default: the local rank that the launcher gave, else 0).
    pub fn device(mut self, device: u16) -> Self {
        self.device = Some(device);
        self
    }

    /// Sets the kind of accelerator (default: the setting `MF_DEVICE`, else `Auto`).
    pub fn accelerator(mut self, accelerator: Accelerator) -> Self {
        self.accelerator = Some(accelerator);
        self
    }

    /// Bounds connecting and ranking (default 120 s).
    pub fn init_timeout(mut self, limit: Duration) -> Self {
        self.init_timeout = Some(limit);
        self
    }

    /// Bounds the making of an object (default 120 s).
    pub fn create_timeout(mut self, limit: Duration) -> Self {
        self.create_timeout = Some(limit);
        self
    }

    /// Bounds joins and leaves of pools, growth, and barriers (default 900 s).
    pub fn control_timeout(mut self, limit: Duration) -> Self {
        self.control_timeout = Some(limit);
        self
    }

    /// Sets certificates towards the store (default: from the settings).
    pub fn store_certificates(mut self, certificates: Certificates) -> Self {
        self.store_certificates = Some(certificates);
        self
    }

    /// Encrypts data between hosts, overriding the setting `MF_NET_TLS`.
    pub fn data_certificates(mut self, certificates: Certificates) -> Self {
        self.data_certificates = Some(certificates);
        self
    }

    /// Sets the listen address for members on other hosts, in the form of the setting `MF_NIC`: an address, a
    /// subnet, an interface, or a comma-separated list of these.
    pub fn nic(mut self, nic: impl Into<String>) -> Self {
        self.nic = nic.into();
        self
    }

    /// Lets members come and go: ranks are given at once instead of waiting until all are there.
    pub fn dynamic(mut self) -> Self {
        self.is_dynamic = true;
        self
    }

    /// Leaves the store to others: this process never runs it.
    pub fn without_store_server(mut self) -> Self {
        self.starts_store = false;
        self
    }

    /// Joins. **Collective** over the ranks. Blocks at most for the init timeout.
    ///
    /// # Errors
    /// As [`Job::join`] · `InvalidParam` an impossible option.
    pub fn join(self) -> Result<Job> {
        prepare()?;
        let known = match &self.place {
            Place::Launcher => Config::from_launcher_or_alone().wrap()?,
            Place::Alone => Config::alone().wrap()?,
            Place::Store(url, world_size) => Config::new(url, *world_size),
            Place::Unique(place) => Config::from_bootstrap(place).wrap()?,
        };
        let control_timeout = self.control_timeout.unwrap_or(CONTROL_TIMEOUT);
        Job::begin(self.onto(known).control_timeout(control_timeout), control_timeout)
    }

    /// Adds the options to a configuration.
    fn onto(self, mut config: Config) -> Config {
        if let Some(rank) = self.rank {
            config = config.rank(rank);
        }
        if let Some(device) = self.device {
            config = config.device(device);
        }
        if let Some(limit) = self.init_timeout {
            config = config.init_timeout(limit);
        }
        if let Some(limit) = self.create_timeout {
            config = config.create_timeout(limit);
        }
        if let Some(certificates) = self.store_certificates {
            config = config.store_certificates(certificates.files());
        }
        if let Some(certificates) = self.data_certificates {
            config = config.data_certificates(certificates.files());
        }
        if self.is_dynamic {
            config = config.dynamic_world(true);
        }
        if !self.starts_store {
            config = config.start_store(false);
        }
        match self.accelerator {
            None => config,
            Some(Accelerator::None) => config.without_accelerator(),
            Some(Accelerator::Auto) => config.device_choice(DeviceChoice::Auto),
            Some(Accelerator::Ascend) => config.device_choice(DeviceChoice::Ascend),
            Some(Accelerator::Cuda) => config.device_choice(DeviceChoice::Cuda),
            Some(Accelerator::Simulated) => config.device_choice(DeviceChoice::Sim),
        }
        .nic(self.nic)
    }
}
