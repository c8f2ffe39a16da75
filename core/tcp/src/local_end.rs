// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Local end of a member's connections.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::process_core::Core;

/// State of a member that each of its connections needs.
pub(crate) struct LocalEnd {
    /// The core of the process: its progress thread serves the connections.
    pub(crate) core: Arc<Core>,
    /// Payloads carry checksums.
    pub(crate) summed: bool,
    /// The transport is closed.
    pub(crate) closing: AtomicBool,
}
