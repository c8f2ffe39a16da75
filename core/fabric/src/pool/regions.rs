// SPDX-License-Identifier: Apache-2.0 OR MIT
//! User memory registered for transfers.
//!
//! Copies between mapped memory need no registration; the table exists for movers that are faster with it,
//! and so that callers get the same answers everywhere. Registrations that remain when the pool ends are
//! withdrawn then.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_device::Device;

use super::own_member::OwnMember;
use super::segments::Segments;

/// The registered ranges.
pub(super) struct Regions {
    accelerator: Option<Arc<dyn Device>>,
    /// By their start.
    ranges: Mutex<BTreeMap<u64, Region>>,
}

#[derive(Clone, Copy)]
struct Region {
    bytes: u64,
    /// True if it is registered with the mover.
    is_registered: bool,
}

impl Regions {
    pub(super) fn new(accelerator: Option<Arc<dyn Device>>) -> Self {
        Self { accelerator, ranges: Mutex::default() }
    }

    /// Lets go without a call on the accelerator.
    pub(super) fn abandon(&mut self) {
        self.ranges.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn withdraw(&self, address: u64, region: Region) {
        let mover = self.accelerator.as_deref().and_then(|accelerator| accelerator.mover());
        if let (Some(mover), true) = (mover, region.is_registered) {
            mover.unregister(address, region.bytes);
        }
    }
}

impl Drop for Regions {
    fn drop(&mut self) {
        for (address, region) in std::mem::take(&mut *lock(&self.ranges)) {
            self.withdraw(address, region);
        }
    }
}

impl Regions {
    /// Registers `bytes` of this process's memory from `address` on.
    pub(super) fn register(&self, segments: &Segments, address: u64, bytes: u64) -> Result<()> {
        const OP: &str = "register memory";
        let bad = |kind, what: &str| {
            Error::new(kind, OP).what(what).with("address", format!("{address:#x}")).with("bytes", bytes)
        };
        if address == 0 || bytes == 0 || address.checked_add(bytes).is_none() {
            return Err(bad(Kind::InvalidParam, "the range is empty or overflows"));
        }
        segments.me.check_process(OP)?;
        let mover = segments.devices.mover();
        let mut ranges = lock(&self.ranges);
        match ranges.get(&address) {
            Some(known) if known.bytes != bytes => {
                Err(bad(Kind::Failed, "the address is registered with another size")
                    .with("registered_bytes", known.bytes))
            }
            Some(_) => Ok(()),
            None => {
                // Memory of the pool is known to the accelerator already.
                let foreign =
                    segments.layout.locate(address).is_none() && segments.layout.clears(address, bytes);
                let mover = mover.filter(|_| foreign);
                if let Some(mover) = mover {
                    mover.register(address, bytes)?;
                }
                ranges.insert(address, Region { bytes, is_registered: mover.is_some() });
                Ok(())
            }
        }
    }

    /// Withdraws a registration.
    pub(super) fn unregister(&self, me: &OwnMember, address: u64) -> Result<()> {
        const OP: &str = "unregister memory";
        if address == 0 {
            return Err(Error::invalid(OP, "the address is 0"));
        }
        me.check_process(OP)?;
        let region = lock(&self.ranges).remove(&address);
        if let Some(region) = region {
            self.withdraw(address, region);
        }
        Ok(())
    }
}
