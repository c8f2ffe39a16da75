// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers of devices: *user* (as this process counts them), *logical* (as the driver does), *physical* (as
//! the machine does).
//!
//! Newer releases of ACL translate. For CANN 8.1 the runtime library does so from user to logical; without
//! it, `ASCEND_RT_VISIBLE_DEVICES` is parsed. Logical and physical numbers differ only in a container that
//! was given some of the devices; without ACL's translation they are taken to be the same.

use crate::loader::{Capability, Libraries, Library};
use crate::raw::types::{ACL_DEV_ATTR_SUPER_POD_DEVICE_ID, RT_INFO_TYPE_SDID};
use crate::{AclError, Class, Result};

/// Lists the logical numbers of the devices that a process sees, in its order.
const VISIBLE: &str = "ASCEND_RT_VISIBLE_DEVICES";

impl Libraries {
    /// The logical number of a device that this process sees.
    ///
    /// # Errors
    /// CANN's: no such device.
    pub fn logical_of_user(&self, user: i32) -> Result<i32> {
        if self.translates() {
            return self.acl().logical_of_user(user);
        }
        match self.rt() {
            Ok(rt) if rt.origin().has("rtGetLogicDevIdByUserDevId") => rt.logical_of_user(user),
            _ => seen(visible().as_deref(), user),
        }
    }

    /// The number by which this process sees a logical device.
    ///
    /// # Errors
    /// CANN's: no such device, or this process does not see it.
    pub fn user_of_logical(&self, logical: i32) -> Result<i32> {
        if self.translates() {
            return self.acl().user_of_logical(logical);
        }
        let count = i32::try_from(self.acl().device_count()?).unwrap_or(i32::MAX);
        let found = (0..count).find(|user| self.logical_of_user(*user).is_ok_and(|other| other == logical));
        found.ok_or_else(|| {
            none(format!("this process sees {count} devices, and none is logical device {logical}"))
        })
    }

    /// The physical number of a logical device.
    ///
    /// # Errors
    /// CANN's: no such device.
    pub fn physical_of_logical(&self, logical: i32) -> Result<i32> {
        if self.translates() { self.acl().physical_of_logical(logical) } else { Ok(logical) }
    }

    /// The logical number of a physical device.
    ///
    /// # Errors
    /// CANN's: no such device.
    pub fn logical_of_physical(&self, physical: i32) -> Result<i32> {
        if self.translates() { self.acl().logical_of_physical(physical) } else { Ok(physical) }
    }

    /// Returns the number of a device in its super node; `None` without a super node, or if CANN does not
    /// report it.
    pub fn super_node_of_user(&self, user: i32) -> Option<u32> {
        let number = if self.acl().origin().can(Capability::DeviceAttributes) {
            self.acl().device_info(user, ACL_DEV_ATTR_SUPER_POD_DEVICE_ID).ok()
        } else {
            let device = u32::try_from(user).ok()?;
            self.rt().ok()?.device_info(device, RT_INFO_TYPE_SDID).ok()
        };
        u32::try_from(number?).ok()
    }

    fn translates(&self) -> bool {
        self.acl().origin().can(Capability::DeviceNumbers)
    }
}

fn visible() -> Option<String> {
    std::env::var(VISIBLE).ok()
}

/// The logical number of device `user` of a list; an entry that is no number ends the list, and without a
/// list the numbers are the same.
fn seen(list: Option<&str>, user: i32) -> Result<i32> {
    let Some(list) = list else { return Ok(user) };
    let numbers =
        list.split(',').map_while(|entry| entry.trim().parse::<i32>().ok().filter(|number| *number >= 0));
    let found = usize::try_from(user).ok().and_then(|user| numbers.clone().nth(user));
    found.ok_or_else(|| {
        none(format!("{VISIBLE}={list} lists {} devices, so unknown device {user}", numbers.count()))
    })
}

fn none(text: String) -> AclError {
    AclError::refused(Library::Acl, "aclrtGetLogicDevIdByUserDevId", Class::NoDevice, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_device_list_maps_device_numbers() {
        assert_eq!(seen(None, 3).unwrap(), 3);
        assert_eq!(seen(Some("4, 6"), 1).unwrap(), 6);
        assert!(seen(Some("4,6"), 2).unwrap_err().to_string().contains("lists 2 devices"));
        assert!(seen(Some("4,x,6"), 1).is_err());
        assert!(seen(Some("-1"), 0).is_err());
        assert!(seen(Some(""), -1).is_err());
    }
}
