// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How a process takes part.

use std::time::Duration;

use mf_base::Rank;

use crate::bm;

/// How a process takes part; defaults are those of the C interface.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the store of the job is, see [`mf_store::StoreUrl`].
    pub store_url: String,
    /// Ranks of the job, 1 to 16,384.
    pub world_size: u32,
    /// The own rank, below the world size.
    pub rank: Rank,
    /// Logical number of the accelerator; without meaning where there is none.
    pub device: u16,
    /// Whether rank 0 starts the store (default true).
    pub start_store: bool,
    /// Bounds connecting (default 120 s).
    pub init_timeout: Duration,
    /// Bounds the making of objects (default 120 s).
    pub create_timeout: Duration,
    /// Bounds barriers and allgathers, and how long kernels wait for other ranks (default 120 s).
    pub control_timeout: Duration,
}

impl Config {
    /// Rank `rank` of `world_size` in the job whose store is at `store_url`.
    pub fn new(store_url: impl Into<String>, world_size: u32, rank: Rank) -> Self {
        let timeout = Duration::from_secs(120);
        Self {
            store_url: store_url.into(),
            world_size,
            rank,
            device: 0,
            start_store: true,
            init_timeout: timeout,
            create_timeout: timeout,
            control_timeout: timeout,
        }
    }

    /// See [`Config::device`](Self#structfield.device).
    #[must_use]
    pub fn device(mut self, device: u16) -> Self {
        self.device = device;
        self
    }

    /// See [`Config::start_store`](Self#structfield.start_store).
    #[must_use]
    pub fn start_store(mut self, start: bool) -> Self {
        self.start_store = start;
        self
    }

    /// See [`Config::init_timeout`](Self#structfield.init_timeout).
    #[must_use]
    pub fn init_timeout(mut self, timeout: Duration) -> Self {
        self.init_timeout = timeout;
        self
    }

    /// See [`Config::create_timeout`](Self#structfield.create_timeout).
    #[must_use]
    pub fn create_timeout(mut self, timeout: Duration) -> Self {
        self.create_timeout = timeout;
        self
    }

    /// See [`Config::control_timeout`](Self#structfield.control_timeout).
    #[must_use]
    pub fn control_timeout(mut self, timeout: Duration) -> Self {
        self.control_timeout = timeout;
        self
    }
}

impl From<Config> for bm::Config {
    fn from(config: Config) -> Self {
        Self::new(config.store_url, config.world_size)
            .rank(config.rank)
            .device(config.device)
            .start_store(config.start_store)
            .init_timeout(config.init_timeout)
            .create_timeout(config.create_timeout)
            .control_timeout(config.control_timeout)
    }
}
