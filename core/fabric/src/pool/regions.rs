// SPDX-License-Identifier: Apache-2.0 OR MIT
//! User memory registered for transfers.
//!
//! Copies between mapped memory need no registration; the table exists for engines that do, and so that callers get
//! the same answers everywhere.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use mf_base::{Error, Kind, Result};

use super::Pool;

/// Start → length of the registered ranges.
#[derive(Default)]
pub(super) struct Regions(BTreeMap<u64, u64>);

impl Pool {
    /// Registers `bytes` of this process's memory from `address` on. Local. The same range again changes nothing.
    ///
    /// # Errors
    /// `InvalidParam` for address 0, size 0 or a range that overflows · `Failed` when the address is registered with another size.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        const OP: &str = "register memory";
        let bad = |kind, what: &str| {
            Error::new(kind, OP).what(what).with("address", format!("{address:#x}")).with("bytes", bytes)
        };
        if address == 0 || bytes == 0 || address.checked_add(bytes).is_none() {
            return Err(bad(Kind::InvalidParam, "the range is empty or overflows"));
        }
        let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        match regions.0.get(&address) {
            Some(known) if *known != bytes => {
                Err(bad(Kind::Failed, "the address is registered with another size")
                    .with("registered_bytes", known))
            }
            _ => {
                regions.0.insert(address, bytes);
                Ok(())
            }
        }
    }

    /// Withdraws a registration. Local. An address that is not registered changes nothing.
    ///
    /// # Errors
    /// `InvalidParam` for address 0.
    pub fn unregister(&self, address: u64) -> Result<()> {
        if address == 0 {
            return Err(Error::invalid("unregister memory", "the address is 0"));
        }
        self.regions.lock().unwrap_or_else(PoisonError::into_inner).0.remove(&address);
        Ok(())
    }
}
