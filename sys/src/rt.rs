// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The few functions of the runtime that ACL has no name for, checked.

use crate::acl::{call, library};
use crate::loader::Library;
use crate::raw::rt::RtTable;
use crate::raw::types::RT_MODULE_TYPE_SYSTEM;
use crate::{AclError, Result};

library! {
    /// The functions of `libruntime.so`.
    Rt of RtTable
}

impl Rt {
    /// Turns the status of a raw function of [`table`](Self::table) into a result.
    ///
    /// # Errors
    /// `code` is not success.
    #[inline]
    pub fn check(&self, function: &'static str, code: i32) -> Result<()> {
        if code == 0 { Ok(()) } else { Err(AclError::new(Library::Runtime, function, code, String::new())) }
    }

    /// A fact (`RT_INFO_TYPE_…`) of a device.
    ///
    /// # Errors
    /// The runtime's: no such device or fact.
    pub fn device_info(&self, device: u32, info: i32) -> Result<i64> {
        let mut value = 0;
        call!(self, rtGetDeviceInfo(device, RT_MODULE_TYPE_SYSTEM, info, &raw mut value))?;
        Ok(value)
    }

    /// The logical number of a device that this process sees.
    ///
    /// # Errors
    /// The runtime's: no such device.
    pub fn logical_of_user(&self, user: i32) -> Result<i32> {
        let mut logical = 0;
        call!(self, rtGetLogicDevIdByUserDevId(user, &raw mut logical))?;
        Ok(logical)
    }

    /// Lets a logical device reach a physical peer.
    ///
    /// # Errors
    /// The runtime's.
    pub fn enable_p2p(&self, logical: u32, physical_peer: u32) -> Result<()> {
        call!(self, rtEnableP2P(logical, physical_peer, 0))
    }

    /// Ends what [`enable_p2p`](Self::enable_p2p) began.
    ///
    /// # Errors
    /// The runtime's.
    pub fn disable_p2p(&self, logical: u32, physical_peer: u32) -> Result<()> {
        call!(self, rtDisableP2P(logical, physical_peer))
    }
}
