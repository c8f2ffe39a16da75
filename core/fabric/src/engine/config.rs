// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the settings say about copies, read once.

use std::sync::OnceLock;

use mf_base::settings::{Switch, settings};

/// Below this a copy is never streamed, whatever the setting says; the hot path need not read the setting
/// then.
pub(super) const SURELY_CACHED: usize = 256 << 10;

const DEFAULT_STREAM_FROM: usize = 4 << 20;

/// The settings of the engine.
pub(super) struct Config {
    /// Copies of at least so many bytes go past the caches.
    pub(super) stream_from: usize,
    /// Whether a second thread may take part in copies of 16 MiB and more.
    pub(super) assist: Switch,
}

/// The settings of this process; unusable ones count as the defaults here, since `init` reports them.
pub(super) fn config() -> &'static Config {
    static CONFIG: OnceLock<Config> = OnceLock::new();
    CONFIG.get_or_init(|| {
        let (stream_from, assist) = match settings() {
            Ok(settings) => {
                (usize::try_from(settings.stream_from.0).unwrap_or(usize::MAX), settings.copy_assist)
            }
            Err(_) => (DEFAULT_STREAM_FROM, Switch::Auto),
        };
        let alone = std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() == 1);
        Config {
            stream_from: stream_from.max(SURELY_CACHED),
            assist: if alone { Switch::Off } else { assist },
        }
    })
}
