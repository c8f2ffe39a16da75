// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The few functions of the runtime that ACL has no name for, checked.

use std::fmt;

use crate::acl::call;
use crate::loader::{Library, Origin};
use crate::raw::rt::RtTable;
use crate::raw::types::{RT_MODULE_TYPE_SYSTEM, RT_P2P_STATUS_CONNECTED};
use crate::{AclError, Result};

/// The functions of `libruntime.so`.
pub struct Rt {
    table: RtTable,
    origin: Origin,
}

impl Rt {
    pub(crate) fn new(table: RtTable, origin: Origin) -> Self {
        Self { table, origin }
    }

    /// The raw functions.
    pub fn table(&self) -> &RtTable {
        &self.table
    }

    /// Where the library came from, and what it lacks.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

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

    /// Whether a logical device reaches a physical peer.
    ///
    /// # Errors
    /// The runtime's.
    pub fn p2p_is_connected(&self, logical: u32, physical_peer: u32) -> Result<bool> {
        let mut status = 0;
        call!(self, rtGetP2PStatus(logical, physical_peer, &raw mut status))?;
        Ok(status == RT_P2P_STATUS_CONNECTED)
    }
}

impl fmt::Debug for Rt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rt").field("origin", &self.origin).finish_non_exhaustive()
    }
}
