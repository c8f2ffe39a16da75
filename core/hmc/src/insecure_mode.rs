// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Insecure mode: connections with every peer that reaches this process (`MF_HMC_OPEN`).

use std::sync::Once;

use mf_base::settings::Settings;
use mf_tls::JobSecret;

/// Returns true if every peer is admitted: the process has no secret, and the settings choose that. Logs it
/// once.
pub(crate) fn is_enabled(settings: &Settings, secret: &JobSecret) -> bool {
    static SAID: Once = Once::new();
    let is_enabled = settings.open_hmc && secret.as_bytes().is_empty();
    if is_enabled {
        SAID.call_once(|| {
            tracing::warn!(
                "MF_HMC_OPEN is true and there is no secret: every process that reaches this one connects to it, reads \
                 and writes its buffers, and sends it messages; nothing is encrypted, of data, of messages, and \
                 where processes meet"
            );
        });
    }
    is_enabled
}
