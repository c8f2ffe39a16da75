// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One-time preparation of the process: logging, a check for a second copy of the library, counts of calls.

use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::settings::{Settings, loaded};
use mf_base::{Result, log};

use crate::{calls, duplicate_library};

/// Set once the program has chosen a log level, which has precedence over the environment.
pub(crate) static LEVEL_WAS_SET: AtomicBool = AtomicBool::new(false);

/// Prefix of the names of log files, the same as CANN SHMEM's.
const LOG_FILE: &str = "aclshmem";

/// Prepares the process, once. Every function that starts something calls it.
///
/// # Errors
/// `InvalidParam` for an unusable setting.
pub(crate) fn prepare() -> Result<()> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::install();
        if let Ok(loaded) = loaded() {
            choose_log(&loaded.settings);
            if !LEVEL_WAS_SET.load(Ordering::Relaxed) {
                log::set_level(i32::from(loaded.settings.log_level.0));
            }
            for warning in &loaded.warnings {
                tracing::warn!("{warning}");
            }
        }
        duplicate_library::report();
        calls::add_to_metrics();
    });
    loaded().map(drop)
}

/// Selects the destination of log lines for programs without a log function.
fn choose_log(settings: &Settings) {
    if settings.log_to_stdout {
        log::to_stdout();
    } else if !settings.log_path.is_empty()
        && let Err(error) = log::to_directory(Path::new(&settings.log_path), LOG_FILE)
    {
        tracing::warn!("no log file in {:?}, so lines go to standard error: {error}", settings.log_path);
    }
}
