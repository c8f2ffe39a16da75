// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Local end of a member's connections.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::process_core::Core;

/// State of a member that each of its connections needs.
pub(super) struct LocalEnd {
    /// The core of the process: its progress thread serves the connections.
    pub(super) core: Arc<Core>,
    /// Payloads carry checksums.
    pub(super) summed: bool,
    /// The transport is closed.
    pub(super) closing: AtomicBool,
}
