// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Doorbells: device addresses of notifies. A copy on a channel that ends there records the notify.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, LazyLock, Mutex};

use mf_base::sync::lock;

use super::notify::Notify;
use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::kernel::resident::Resident;

/// Bytes of a doorbell.
pub const BYTES: u32 = 8;
/// Notifies of a device, at most.
const MOST: u64 = 8192;

/// Doorbells of each device, by physical number, in the order of their notifies.
static BELLS: LazyLock<Mutex<HashMap<u32, Bells>>> = LazyLock::new(Mutex::default);

struct Bells {
    memory: Resident,
    device: Arc<Device>,
}

/// Address of the doorbell of a notify that this process has on a device.
///
/// # Errors
/// 107000 for another number · 207001 without memory.
pub fn address(device: &Arc<Device>, notify: u32) -> Outcome<u64> {
    if Notify::with_id(device, notify).is_none() {
        let text = format_args!("device {} has no notify {notify} here", device.user);
        return Err(Fault::new(acl::RT_PARAM_INVALID, text));
    }
    let mut bells = lock(&BELLS);
    let bells = match bells.entry(device.physical) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => {
            let memory = Resident::allocate(device.physical, MOST * u64::from(BYTES))?;
            free.insert(Bells { memory, device: Arc::clone(device) })
        }
    };
    Ok(bells.memory.address() + u64::from(notify) * u64::from(BYTES))
}

/// Records the notify of a doorbell. Other addresses change nothing.
///
/// # Errors
/// 107000 when the notify was destroyed.
pub fn ring(address: u64) -> Outcome {
    let found = lock(&BELLS).values().find_map(|bells| {
        let offset = address.checked_sub(bells.memory.address())?;
        (offset < MOST * u64::from(BYTES)).then(|| (Arc::clone(&bells.device), offset / u64::from(BYTES)))
    });
    let Some((device, number)) = found else { return Ok(()) };
    let notify = u32::try_from(number).ok().and_then(|number| Notify::with_id(&device, number));
    let notify = notify.ok_or_else(|| {
        let text = format_args!("notify {number} of device {} was destroyed", device.user);
        Fault::new(acl::RT_PARAM_INVALID, text)
    })?;
    notify.record();
    Ok(())
}
