// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses of this host.

use std::net::IpAddr;

use mf_base::Result;
use mf_base::os::interface::interfaces;

/// Returns true if this host has an address.
///
/// # Errors
/// Errors of [`interfaces`].
pub(crate) fn is_own(address: IpAddr) -> Result<bool> {
    let address = address.to_canonical();
    Ok(address.is_loopback() || interfaces()?.iter().any(|own| own.address.to_canonical() == address))
}
