// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks and addresses by the public calls of ACL, for products that reserve addresses where one wishes (A2,
//! A3).

use std::ops::Range;
use std::sync::Arc;

use ascend_acl_sys::acl::{Access, Location, PidCheck, Shareable, ShareableKind};
use ascend_acl_sys::loader::Capability;
use ascend_acl_sys::raw::types as abi;
use ascend_acl_sys::{Acl, acl};
use mf_base::{Error, Kind, Result};

use super::cann::{Cann, OrRefused, length, pointer, refused};
use super::peers::Peers;
use super::product::Product;
use super::runtime::Numbers;
use super::token::{Form, Ticket};
use crate::kernels::FIXED_ADDRESSES;
use crate::vmm::{Handle, Origin, Physical, no_fabric_handles, range_in_use};
use crate::{FabricHandle, Token};

/// The upper half of the addresses that ACL takes as a wish: the driver announces it as its own window for
/// that. Its end is left to data that kernels look for at fixed addresses.
static ADDRESSES: Range<u64> = 20 << 40..FIXED_ADDRESSES[0].start;

/// ACL's calls.
pub(super) struct AclMemory {
    cann: Cann,
    numbers: Numbers,
    peers: Arc<Peers>,
}

/// Huge pages of HBM on a device.
pub(super) fn hbm(device: u32) -> abi::aclrtPhysicalMemProp {
    abi::aclrtPhysicalMemProp {
        handleType: abi::ACL_MEM_HANDLE_TYPE_NONE,
        allocationType: abi::ACL_MEM_ALLOCATION_TYPE_PINNED,
        memAttr: abi::ACL_HBM_MEM_HUGE,
        location: Location::Device(device).into(),
        reserve: 0,
    }
}

impl AclMemory {
    pub(super) fn new(cann: Cann, numbers: Numbers, peers: Arc<Peers>) -> Self {
        Self { cann, numbers, peers }
    }

    fn acl(&self) -> &Acl {
        self.cann.acl()
    }

    /// Returns true if blocks are shared by the second generation of calls.
    fn shares_by_v2(&self) -> bool {
        self.acl().origin().can(Capability::SharingV2)
    }
}

impl Physical for AclMemory {
    fn describe(&self) -> &'static str {
        "aclrtReserveMemAddress with a wish"
    }

    fn describe_sharing(&self) -> &'static str {
        if self.shares_by_v2() {
            "aclrtMemExportToShareableHandleV2"
        } else {
            "aclrtMemExportToShareableHandle; this CANN has no second generation"
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
        let wish = pointer(range.start);
        // For huge pages; no header names the flag.
        const HUGE_PAGES: u64 = 1;
        let reserved = self.acl().reserve(length(range.end - range.start), wish, HUGE_PAGES);
        // For addresses that this process uses already ACL returns "out of memory".
        let got = reserved.map_err(|error| {
            if error.is_out_of_memory() { range_in_use(range).source(refused(error)) } else { refused(error) }
        })?;
        if got == wish {
            return Ok(());
        }
        // SAFETY: reserved just now, and not shared yet.
        unsafe { self.acl().release(got) }.or_refused()?;
        Err(range_in_use(range).with("offered", format!("{:#x}", got.addr())))
    }

    unsafe fn release(&self, range: &Range<u64>) -> Result<()> {
        // SAFETY: the caller vouches that the range has no mappings and is not used any more.
        unsafe { self.acl().release(pointer(range.start)) }.or_refused()
    }

    fn create(&self, bytes: u64) -> Result<Handle> {
        let made = self.acl().malloc_physical(length(bytes), &hbm(self.numbers.index)).or_refused();
        made.map(|handle| Handle(handle.as_raw()))
    }

    fn retain(&self, address: u64) -> Result<Handle> {
        let handle = self.acl().retain(pointer(address).cast_const());
        handle.or_refused().map(|handle| Handle(handle.as_raw()))
    }

    fn check_retained(&self, handle: Handle, address: u64, bytes: u64) -> Result<()> {
        let found = self.acl().properties(physical(handle)).or_refused()?;
        let wanted = hbm(self.numbers.index);
        let is_alike = found.handleType == wanted.handleType
            && found.allocationType == wanted.allocationType
            && found.memAttr == wanted.memAttr
            && (found.location.type_, found.location.id) == (wanted.location.type_, wanted.location.id);
        if !is_alike {
            return Err(unlike(self.numbers.index).with("attribute", found.memAttr));
        }
        // Of a CANN without the call the caller's word counts.
        match self.acl().address_range(pointer(address).cast_const()) {
            Ok((base, length)) => check_range((base.addr() as u64, length as u64), address, bytes),
            Err(_) => Ok(()),
        }
    }

    unsafe fn free(&self, handle: Handle) -> Result<()> {
        // SAFETY: the caller does not use the handle again.
        unsafe { self.acl().free_physical(physical(handle)) }.or_refused()
    }

    unsafe fn map(&self, address: u64, bytes: u64, handle: Handle, origin: Origin) -> Result<()> {
        let (at, bytes) = (pointer(address), length(bytes));
        // SAFETY: the caller keeps others away from these addresses, which lie in a reservation of ours.
        unsafe { self.acl().map(at, bytes, physical(handle)) }.or_refused()?;
        // Own memory is readable and writable from the start. A CANN without the call does not restrict
        // access either.
        if origin == Origin::Own || !self.acl().origin().can(Capability::MappingAccess) {
            return Ok(());
        }
        // SAFETY: rights are given, not taken away.
        unsafe { self.acl().set_access(at, bytes, Location::Device(self.numbers.index), Access::ReadWrite) }
            .or_refused()
            .inspect_err(|_| {
                // SAFETY: mapped just now, and not shared yet.
                if let Err(error) = unsafe { self.acl().unmap(at) }.or_refused() {
                    tracing::warn!("a mapping that may not be used stays: {error}");
                }
            })
    }

    unsafe fn unmap(&self, address: u64, _: u64) -> Result<()> {
        // SAFETY: the caller vouches that nobody accesses the block any more.
        unsafe { self.acl().unmap(pointer(address)) }.or_refused()
    }

    fn export(&self, handle: Handle) -> Result<Token> {
        let (acl, handle) = (self.acl(), physical(handle));
        if !self.shares_by_v2() {
            let number = acl.export(handle, PidCheck::Named).or_refused()?;
            return Ok(self.numbers.ticket(Form::AclV1, number.to_ne_bytes().to_vec()).token());
        }
        match acl.export_v2(handle, ShareableKind::Host, PidCheck::Named).or_refused()? {
            Shareable::Host(number) => {
                Ok(self.numbers.ticket(Form::AclV2, number.to_ne_bytes().to_vec()).token())
            }
            Shareable::Fabric(_) => Err(Error::new(Kind::Failed, "share device memory")
                .what("CANN made another handle than asked for")),
        }
    }

    fn exported(&self, fabric_handle: &FabricHandle) -> Result<Token> {
        let product = Product::from_soc(&self.acl().soc_name().unwrap_or_default());
        if product != Product::A3 || !self.shares_by_v2() {
            return Err(no_fabric_handles());
        }
        Ok(self.numbers.ticket(Form::AclFabric, fabric_handle.to_vec()).token())
    }

    fn authorise(&self, shared: &Token, process: i32) -> Result<()> {
        let ticket = Ticket::from_token(shared)?;
        match ticket.form {
            Form::AclFabric => {
                // The program may have exported it for all processes, which CANN then does not restrict.
                if let Err(error) = self.acl().allow_v2(Shareable::Fabric(ticket.fabric()?), &[process]) {
                    tracing::debug!(process, "a process was not added to a fabric handle: {error}");
                }
                Ok(())
            }
            Form::AclV2 => self.acl().allow_v2(Shareable::Host(ticket.number()?), &[process]).or_refused(),
            Form::AclV1 => self.acl().allow(ticket.number()?, &[process]).or_refused(),
            _ => Err(ticket.unexpected()),
        }
    }

    fn check(&self, shared: &Token) -> Result<()> {
        Ticket::from_token(shared).map(drop)
    }

    fn import(&self, shared: &Token) -> Result<Handle> {
        let ticket = Ticket::from_token(shared)?;
        self.peers.reach(ticket.device)?;
        let imported = match ticket.form {
            Form::AclV2 => self.acl().import_v2(Shareable::Host(ticket.number()?)),
            Form::AclV1 => self.acl().import(ticket.number()?, self.numbers.user),
            Form::AclFabric => self.acl().import_v2(Shareable::Fabric(ticket.fabric()?)),
            _ => return Err(ticket.unexpected()),
        };
        imported.or_refused().map(|handle| Handle(handle.as_raw()))
    }
}

/// A handle of this module as ACL's.
fn physical(handle: Handle) -> acl::Physical {
    // SAFETY: handles come from `create` and `import` above and are given up by `free` alone, which is their
    // last use.
    unsafe { acl::Physical::from_raw(handle.0) }
}

/// The error for memory of the program that is unlike a pool's.
#[cold]
pub(super) fn unlike(device: u32) -> Error {
    Error::new(Kind::Failed, "device memory")
        .what("memory of the caller cannot be a part of a pool")
        .with("device", device)
        .hint("pinned huge pages of HBM on the current device, without a handle type (aclrtMallocPhysical)")
}

/// Refuses a part of a block.
pub(super) fn check_range(found: (u64, u64), address: u64, bytes: u64) -> Result<()> {
    if found == (address, bytes) {
        return Ok(());
    }
    Err(Error::invalid("device memory", "a buffer of the caller is a part of an allocation, or several")
        .with("address", format!("{address:#x}"))
        .with("bytes", bytes)
        .with("allocation", format!("{:#x}", found.0))
        .with("allocation_bytes", found.1))
}
