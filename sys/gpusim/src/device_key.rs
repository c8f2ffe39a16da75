// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The key of a device.

use gpu_sys::Vendor;

/// A device of a vendor.
pub(crate) type DeviceKey = (Vendor, u32);
