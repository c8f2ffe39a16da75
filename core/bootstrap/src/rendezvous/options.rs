// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a process that takes part in a job.

use std::time::Duration;

use mf_base::Result;
use mf_store::{RankWish, Timing};
use mf_tls::Access;

use crate::url::StoreUrl;

/// Options to take part in a job.
#[derive(Clone, Debug)]
pub struct Options {
    /// The store of the job.
    pub url: StoreUrl,
    /// Ranks of the job, 1 to [`MAX_WORLD_SIZE`](mf_base::MAX_WORLD_SIZE); with `only_server` also 0: the
    /// first member decides.
    pub world_size: u32,
    /// The rank of this process.
    pub wish: RankWish,
    /// Number of the device this process uses; orders automatic ranks on one machine.
    pub device: u16,
    /// True if this process may start the store.
    pub start_server: bool,
    /// Start the store and nothing else: this process is no member.
    pub only_server: bool,
    /// Members join and leave at any time: a store that is started here assigns automatic ranks at once, in
    /// the order of arrival, instead of waiting a moment for the world to be complete.
    pub dynamic: bool,
    /// A store that is started here does not wait for members of one that ran here before.
    pub skip_recovery: bool,
    /// Bounds connecting and ranking.
    pub init_timeout: Duration,
    /// Bounds each later request.
    pub request_timeout: Duration,
    /// True if the store runs in this process already, started by other means.
    pub hosts_store: bool,
    /// Credentials of this process.
    pub access: Access,
    /// Timeouts. `None`: the timeouts of the settings.
    pub timing: Option<Timing>,
}

impl Options {
    /// A member of any rank in a job of `world_size`, which may start the store; 30 s for everything.
    pub fn new(url: StoreUrl, world_size: u32) -> Self {
        let timeout = Duration::from_secs(30);
        Self {
            url,
            world_size,
            wish: RankWish::Any,
            device: 0,
            start_server: true,
            only_server: false,
            dynamic: false,
            skip_recovery: false,
            init_timeout: timeout,
            request_timeout: timeout,
            hosts_store: false,
            access: Access::default(),
            timing: None,
        }
    }

    pub(super) fn timing(&self) -> Result<Timing> {
        let timing = self.timing.map_or_else(Timing::of_settings, Ok)?;
        Ok(if self.dynamic { Timing { rank_window: Duration::ZERO, ..timing } } else { timing })
    }
}
