// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A device that a thread can select.

use crate::operations::Context;

/// A device that can be selected: the context that everything in the process shares. A program that resets
/// the device ends it; then a new one is to be asked for, even where the driver gives it the same name.
#[derive(Clone, Copy, Debug)]
pub struct Primary {
    pub(crate) device: i32,
    /// Null where the vendor selects devices and not contexts.
    pub(crate) context: Context,
    /// Id of the context; `None` if the driver has no such ids.
    pub(crate) id: Option<u64>,
    /// The device as the driver names it, of 64 bits.
    pub(crate) wide: u64,
}

// SAFETY: a name of a context, which any thread may select.
unsafe impl Send for Primary {}
// SAFETY: as for `Send`; nothing is changed through a shared name.
unsafe impl Sync for Primary {}

impl Primary {
    /// The number of its device.
    pub fn device(&self) -> i32 {
        self.device
    }
}
