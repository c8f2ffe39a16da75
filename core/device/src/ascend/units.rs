// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All NPUs that this process sees, for people.

use ascend_acl_sys::Acl;
use ascend_acl_sys::raw::types::{
    ACL_HBM_MEM, ACL_RT_DEVS_TOPOLOGY_HCCS, ACL_RT_DEVS_TOPOLOGY_HCCS_SW, ACL_RT_DEVS_TOPOLOGY_PHB,
    ACL_RT_DEVS_TOPOLOGY_PIB, ACL_RT_DEVS_TOPOLOGY_PIX, ACL_RT_DEVS_TOPOLOGY_SIO, ACL_RT_DEVS_TOPOLOGY_SYS,
};

use crate::Unit;

const LINKS: [(u64, &str); 7] = [
    (ACL_RT_DEVS_TOPOLOGY_HCCS, "HCCS"),
    (ACL_RT_DEVS_TOPOLOGY_HCCS_SW, "HCCS switch"),
    (ACL_RT_DEVS_TOPOLOGY_SIO, "SIO"),
    (ACL_RT_DEVS_TOPOLOGY_PIX, "PIX"),
    (ACL_RT_DEVS_TOPOLOGY_PIB, "PIB"),
    (ACL_RT_DEVS_TOPOLOGY_PHB, "PHB"),
    (ACL_RT_DEVS_TOPOLOGY_SYS, "SYS"),
];

/// Returns all of them. Values that CANN does not report are left out.
pub(super) fn units(acl: &Acl) -> Vec<Unit> {
    let count = acl.device_count().unwrap_or(0);
    // A separate thread, so that the caller's device stays unchanged.
    std::thread::scope(|scope| {
        scope.spawn(|| (0..count).map(|index| unit(acl, index, count)).collect()).join()
    })
    .unwrap_or_default()
}

fn unit(acl: &Acl, index: u32, count: u32) -> Unit {
    let number = index.cast_signed();
    let mut unit = Unit { index, ..Unit::default() };
    if acl.set_device(number).is_ok() {
        if let Ok(info) = acl.memory_info(ACL_HBM_MEM) {
            (unit.free_bytes, unit.total_bytes) = (info.free_bytes as u64, info.total_bytes as u64);
        }
        // SAFETY: the reference that was just taken, by a thread that made nothing on the device.
        if let Err(error) = unsafe { acl.reset_device(number) } {
            tracing::debug!(index, "the device stays open: {error}");
        }
    }
    for other in (0..count).filter(|other| *other != index) {
        let mask = acl.topology(number, other.cast_signed()).unwrap_or(0);
        let names = LINKS.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, name)| *name);
        unit.links.extend(names.map(|name| (other, name)));
    }
    unit
}
