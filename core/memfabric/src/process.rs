// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One-time preparation of the process, before its first object.

use std::sync::Once;

use mf_base::settings::loaded;

use crate::Result;
use crate::error::Wrap;

/// Reads the settings, and warns once of unknown ones. Every call that begins something comes here first.
///
/// # Errors
/// `InvalidParam` an unusable setting.
pub(crate) fn prepare() -> Result<()> {
    static ONCE: Once = Once::new();
    let loaded = loaded().wrap()?;
    ONCE.call_once(|| {
        for warning in &loaded.warnings {
            tracing::warn!("{warning}");
        }
    });
    Ok(())
}
