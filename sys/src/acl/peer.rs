// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access of one device to the memory of another. It has a direction and belongs to the context of the
//! calling thread.

use super::{Acl, call};
use crate::Result;

impl Acl {
    /// Returns true if `device` can access the memory of `peer`.
    ///
    /// # Errors
    /// ACL's: no such device.
    pub fn can_access_peer(&self, device: i32, peer: i32) -> Result<bool> {
        let mut can = 0;
        call!(self, aclrtDeviceCanAccessPeer(&raw mut can, device, peer))?;
        Ok(can != 0)
    }

    /// Lets the device of the calling thread reach `peer`; twice is fine.
    ///
    /// # Errors
    /// ACL's: no such device, or the same one.
    pub fn enable_peer(&self, peer: i32) -> Result<()> {
        call!(self, aclrtDeviceEnablePeerAccess(peer, 0))
    }

    /// Ends what [`enable_peer`](Self::enable_peer) began. Queued tasks that need it fail; memory stays.
    ///
    /// # Errors
    /// ACL's: no such device.
    pub fn disable_peer(&self, peer: i32) -> Result<()> {
        call!(self, aclrtDeviceDisablePeerAccess(peer))
    }

    /// Returns true if access from `device` to `peer` is enabled.
    ///
    /// # Errors
    /// ACL's; the function is optional.
    pub fn peer_is_enabled(&self, device: i32, peer: i32) -> Result<bool> {
        let mut status = 0;
        call!(self, aclrtDevicePeerAccessStatus(device, peer, &raw mut status))?;
        Ok(status == 1)
    }
}
