// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks and addresses by the calls of the driver, for products on which ACL takes no wished addresses
//! (950).
//!
//! The driver has a range of remote addresses, in which the blocks of other devices are usable as soon as
//! they are mapped. Alignment is as with ACL, so windows are cut alike. Devices have their logical numbers
//! here.

use std::ops::Range;
use std::sync::Arc;

use ascend_acl_sys::hal::HalPhysical;
use ascend_acl_sys::raw::types as abi;
use ascend_acl_sys::{Hal, LoadError};
use mf_base::{Error, Kind, Result};

use super::acl_memory::{check_range, unlike};
use super::cann::{Cann, OrRefused, length, pointer, refused};
use super::peers::Peers;
use super::runtime::Numbers;
use super::token::{Form, Ticket};
use crate::Token;
use crate::kernels::FIXED_ADDRESSES;
use crate::vmm::{Handle, Origin, Physical, range_in_use};

/// A part of the remote addresses (which begin at 24 TiB) that is usually free: where host windows lie as
/// well, below the addresses of programs.
static ADDRESSES: Range<u64> = 40 << 40..80 << 40;

/// Below it the driver takes no wish for remote addresses. The fixed addresses lie there: they are requested
/// as ordinary ones.
const FIRST_REMOTE: u64 = 24 << 40;

/// The driver's calls.
pub(super) struct HalMemory {
    cann: Cann,
    numbers: Numbers,
    peers: Arc<Peers>,
}

impl HalMemory {
    pub(super) fn new(cann: Cann, numbers: Numbers, peers: Arc<Peers>) -> Self {
        Self { cann, numbers, peers }
    }

    fn hal(&self) -> Result<&Hal> {
        self.cann.hal().map_err(|error: &LoadError| {
            Error::new(Kind::NotExist, "ascend driver")
                .what("the driver's library is not there")
                .source(error.clone())
        })
    }

    /// Returns true if handles of 128 bytes can be made and imported.
    fn has_fabric(&self) -> bool {
        const NEEDED: [&str; 3] = [
            "halMemExportToShareableHandleV2",
            "halMemTransShareableHandle",
            "halMemImportFromShareableHandleV2",
        ];
        self.cann.hal().is_ok_and(|hal| NEEDED.iter().all(|name| hal.origin().has(name)))
    }
}

impl Physical for HalMemory {
    fn describe(&self) -> &'static str {
        "halMemAddressReserve in the range of remote addresses"
    }

    fn describe_sharing(&self) -> &'static str {
        if self.has_fabric() {
            "halMemExportToShareableHandleV2, fabric"
        } else {
            "halMemExportToShareableHandle"
        }
    }

    fn address_ranges(&self) -> &[Range<u64>] {
        std::slice::from_ref(&ADDRESSES)
    }

    fn fixed_addresses(&self) -> &'static [Range<u64>] {
        &FIXED_ADDRESSES
    }

    fn granule_bytes(&self) -> u64 {
        self.numbers.granule_bytes
    }

    fn reserve(&self, range: &Range<u64>) -> Result<()> {
        let (hal, wish) = (self.hal()?, pointer(range.start));
        let remote = if range.start >= FIRST_REMOTE { abi::HAL_RESERVE_REMOTE_MAP } else { 0 };
        let flags = remote | u64::from(abi::HAL_MEM_PAGE_HUGE);
        let reserved = hal.reserve(length(range.end - range.start), wish, flags);
        // For addresses that this process uses already the driver returns "out of memory".
        let got = reserved.map_err(|error| {
            if error.is_out_of_memory() { range_in_use(range).source(refused(error)) } else { refused(error) }
        })?;
        if got == wish {
            return Ok(());
        }
        // SAFETY: reserved just now, and not shared yet.
        unsafe { hal.release_range(got) }.or_refused()?;
        Err(range_in_use(range).with("offered", format!("{:#x}", got.addr())))
    }

    unsafe fn release(&self, range: &Range<u64>) -> Result<()> {
        // SAFETY: the caller vouches that the range has no mappings and is not used any more.
        unsafe { self.hal()?.release_range(pointer(range.start)) }.or_refused()
    }

    fn create(&self, bytes: u64) -> Result<Handle> {
        let wanted = abi::drv_mem_prop {
            side: abi::HAL_MEM_SIDE_DEVICE,
            devid: self.numbers.logical,
            module_id: 0,
            pg_type: abi::HAL_MEM_PAGE_HUGE,
            mem_type: abi::HAL_MEM_TYPE_HBM,
            reserve: 0,
        };
        let made = self.hal()?.create(length(bytes), &wanted).or_refused();
        made.map(|handle| Handle(handle.as_raw().cast()))
    }

    fn retain(&self, address: u64) -> Result<Handle> {
        let handle = self.hal()?.retain(pointer(address).cast_const());
        handle.or_refused().map(|handle| Handle(handle.as_raw().cast()))
    }

    fn check_retained(&self, handle: Handle, address: u64, bytes: u64) -> Result<()> {
        let hal = self.hal()?;
        let found = hal.properties(physical(handle)).or_refused()?;
        let is_alike = found.side == abi::HAL_MEM_SIDE_DEVICE
            && found.devid == self.numbers.logical
            && found.pg_type == abi::HAL_MEM_PAGE_HUGE
            && found.mem_type == abi::HAL_MEM_TYPE_HBM;
        if !is_alike {
            return Err(unlike(self.numbers.index));
        }
        // Of a driver without the call the caller's word counts.
        match hal.address_range(address) {
            Ok(found) => check_range(found, address, bytes),
            Err(_) => Ok(()),
        }
    }

    unsafe fn free(&self, handle: Handle) -> Result<()> {
        // SAFETY: the caller does not use the handle again.
        unsafe { self.hal()?.release(physical(handle)) }.or_refused()
    }

    unsafe fn map(&self, address: u64, bytes: u64, handle: Handle, _: Origin) -> Result<()> {
        // SAFETY: the caller keeps others away from these addresses, which lie in a reservation of ours.
        unsafe { self.hal()?.map(pointer(address), length(bytes), physical(handle)) }.or_refused()
    }

    unsafe fn unmap(&self, address: u64, _: u64) -> Result<()> {
        // SAFETY: the caller vouches that nobody accesses the block any more.
        unsafe { self.hal()?.unmap(pointer(address)) }.or_refused()
    }

    fn export(&self, handle: Handle) -> Result<Token> {
        let (hal, handle) = (self.hal()?, physical(handle));
        if self.has_fabric() {
            let shared = hal.export_fabric(handle).or_refused()?;
            return Ok(self.numbers.ticket(Form::HalFabric, shared.to_vec()).token());
        }
        let number = hal.export(handle).or_refused()?;
        Ok(self.numbers.ticket(Form::HalV1, number.to_ne_bytes().to_vec()).token())
    }

    fn authorise(&self, shared: &Token, process: i32) -> Result<()> {
        let (hal, ticket) = (self.hal()?, Ticket::from_token(shared)?);
        let number = match ticket.form {
            Form::HalFabric => hal.translate_fabric(&ticket.fabric()?).or_refused()?.shareable,
            _ => ticket.number()?,
        };
        hal.allow(number, &[process]).or_refused()
    }

    fn check(&self, shared: &Token) -> Result<()> {
        Ticket::from_token(shared).map(drop)
    }

    fn import(&self, shared: &Token) -> Result<Handle> {
        let (hal, device, ticket) = (self.hal()?, self.numbers.logical, Ticket::from_token(shared)?);
        self.peers.reach(ticket.device)?;
        let imported = match ticket.form {
            Form::HalFabric => hal.import_fabric(&ticket.fabric()?, device),
            Form::HalV1 => hal.import(ticket.number()?, device),
            _ => return Err(ticket.unexpected()),
        };
        imported.or_refused().map(|handle| Handle(handle.as_raw().cast()))
    }
}

/// A handle of this module as the driver's.
fn physical(handle: Handle) -> HalPhysical {
    // SAFETY: handles come from `create` and `import` above and are given up by `free` alone, which is their
    // last use.
    unsafe { HalPhysical::from_raw(handle.0.cast()) }
}
