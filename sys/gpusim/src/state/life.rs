// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lives of the context of a device.

/// The context of a device, as often as there was one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Life {
    /// Number of contexts created so far, including the live one.
    pub(crate) number: u64,
    /// Retain count; 0 if no context is live.
    pub(crate) users: u64,
}
