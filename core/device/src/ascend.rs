// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ascend NPUs: HBM as the device memory of pools, by CANN, on hardware and on its simulator alike.
//!
//! * `driver`: CANN as the driver of `vmm`, which owns windows, segments, streams and copies.
//! * `acl_memory`, `hal_memory`: the two sets of calls that reserve addresses and make blocks, for products
//!   on which ACL takes wished addresses (A2, A3) and for the 950, on which it does not; `token`: the
//!   encoding of a block for another member.
//! * `host_memory`: host memory registered with the device.
//! * `kernels`: binaries and launches; `image`: the target of a binary.
//! * `runtime`: our reference of the device, and the borrowing of its context by each call without the
//!   program noticing. `peers`: other devices. `cann`: the calls of ACL themselves. `open`, `product`,
//!   `units`: discovery.
//!
//! **Rules.** Every call of CANN runs inside `Runtime::run`, except on the caller's stream, which has the
//! caller's context. No state is kept that depends on the thread. ACL is never finalised and the device never
//! reset, so other users of CANN in the process are not disturbed; resets by others give errors, never a
//! fault of ours.

mod acl_memory;
mod cann;
mod driver;
mod hal_memory;
mod host_memory;
mod image;
mod kernels;
mod open;
mod peers;
mod product;
mod runtime;
mod token;
mod units;

use std::sync::Arc;

use ascend_acl_sys::Libraries;
use mf_base::Result;

use super::Device;
use super::vmm::VmmDevice;
pub(crate) use cann::OrRefused;

use cann::Cann;
use driver::AscendDriver;
use kernels::AscendKernels;

/// Returns true if a chip of this name is a 950.
pub(crate) fn is_950(soc: &str) -> bool {
    product::Product::from_soc(soc) == product::Product::A5
}

/// Opens device `index` of the process. Local. Initialises ACL unless that is done already; no thread's
/// device changes.
///
/// # Errors
/// `NotExist` there is no such device; the text has the number of devices · errors of CANN.
pub fn open(libraries: &Arc<Libraries>, index: u32) -> Result<Arc<dyn Device>> {
    let cann = Cann::new(libraries);
    let count = open::count(&cann)?;
    open_one_of(&cann, index, count)
}

/// Like [`open()`]. Returns `None` if CANN sees no device at all.
///
/// # Errors
/// As [`open()`].
pub fn open_any(libraries: &Arc<Libraries>, index: u32) -> Result<Option<Arc<dyn Device>>> {
    let cann = Cann::new(libraries);
    match open::count(&cann)? {
        0 => Ok(None),
        count => open_one_of(&cann, index, count).map(Some),
    }
}

fn open_one_of(cann: &Cann, index: u32, count: u32) -> Result<Arc<dyn Device>> {
    let runtime = open::open(cann, index, count)?;
    let driver = Arc::new(AscendDriver::new(&runtime));
    Ok(Arc::new(VmmDevice::new(driver, |mover| Some(Box::new(AscendKernels::new(&runtime, mover))))))
}
