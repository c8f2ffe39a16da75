// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Timeouts of a store and its members.

use std::time::Duration;

use mf_base::Result;
use mf_base::settings::settings;

/// Timeouts of the store and its members.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Silence of a host, or of the leader of a store, after which it counts as dead.
    pub lease: Duration,
    /// Time in which a member may resume a broken connection.
    pub resume_grace: Duration,
    /// Time to wait for more members before automatic ranks of an incomplete world are assigned.
    pub rank_window: Duration,
    /// For a store that went away to be found again.
    pub reconnect: Duration,
}

impl Timing {
    /// Reads the timeouts from the settings.
    ///
    /// # Errors
    /// `InvalidParam` the settings are not usable.
    pub fn of_settings() -> Result<Self> {
        let settings = settings()?;
        Ok(Self {
            lease: settings.store_lease,
            resume_grace: settings.resume_grace,
            rank_window: settings.rank_window,
            reconnect: settings.store_reconnect,
        })
    }
}

/// The defaults of the settings.
impl Default for Timing {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(5),
            resume_grace: Duration::from_millis(50),
            rank_window: Duration::from_millis(100),
            reconnect: Duration::from_secs(60),
        }
    }
}
