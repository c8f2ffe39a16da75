// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of a GPU at chosen addresses, for pools, by CUDA's virtual memory management. Blocks are shared as
//! descriptors.

use std::ffi::c_void;
use std::ops::Range;
use std::os::fd::AsFd;
use std::ptr::without_provenance_mut;
use std::sync::Arc;

use gpu_sys::{AllocationHandle, Driver, Primary, Stream};
use mf_base::os::process::HUGE_PAGE_BYTES;
use mf_base::{Error, Kind, Result};

use super::OP;
use super::refusal::{refused, unless_exiting};
use crate::Token;
use crate::vmm::{Handle, Mapper, Origin, Physical, range_in_use};

/// Ranges in which the driver grants wished addresses, best first: the start of host memory's windows comes
/// last.
static ADDRESSES: [Range<u64>; 2] = [0x1100_0000_0000..0x2800_0000_0000, 0x2800_0000_0000..0x5000_0000_0000];

/// The driver grants wished addresses that begin at a multiple of this, and are at least as long.
const RESERVED_UNIT_BYTES: u64 = 32 << 20;

/// Mapper of the memory of one GPU.
pub(super) struct GpuMapper {
    driver: Arc<Driver>,
    primary: Primary,
    /// Unit of allocations in bytes, or the reason that memory cannot be allocated.
    granule: Result<u64, String>,
}

impl GpuMapper {
    pub(super) fn new(driver: &Arc<Driver>, primary: Primary) -> Self {
        let granule = driver.can_map().and_then(|()| driver.granularity(&primary));
        let granule = granule.map(|bytes| bytes.max(HUGE_PAGE_BYTES)).map_err(|error| error.to_string());
        Self { driver: Arc::clone(driver), primary, granule }
    }
}

impl Mapper for GpuMapper {
    fn enter(&self, work: &mut (dyn FnMut() + Send)) -> Result<()> {
        let _selected = self.driver.select(&self.primary).map_err(refused)?;
        work();
        Ok(())
    }

    unsafe fn clear(&self, address: u64, bytes: u64) -> Result<()> {
        // SAFETY: the caller vouches that the range is mapped device memory that nobody accesses.
        unsafe { self.driver.clear(address, length(bytes)) }.map_err(refused)?;
        // SAFETY: the default stream always lives.
        unsafe { self.driver.stream_wait(Stream::DEFAULT) }.map_err(refused)
    }

    fn physical(&self) -> Result<&dyn Physical> {
        match &self.granule {
            Ok(_) => Ok(self),
            Err(reason) => Err(Error::new(Kind::Failed, OP)
                .what("this GPU offers no memory for a pool")
                .with("driver", self.driver.vendor())
                .with("reason", reason)
                .hint("a pool of host memory alone works")),
        }
    }
}

impl Physical for GpuMapper {
    fn describe(&self) -> &'static str {
        "cuMemAddressReserve with a wish"
    }

    fn describe_sharing(&self) -> &'static str {
        "cuMemExportToShareableHandle, a descriptor"
    }

    fn address_ranges(&self) -> &[Range<u64>] {
        &ADDRESSES
    }

    fn fixed_addresses(&self) -> &'static [Range<u64>] {
        &[]
    }

    fn granule_bytes(&self) -> u64 {
        *self.granule.as_ref().unwrap_or(&u64::MAX)
    }

    fn cuts(&self, base: u64, bytes: u64, _: u64) -> Vec<Range<u64>> {
        // As one: segments begin where a reservation could not.
        std::iter::once(base..base + bytes).collect()
    }

    fn reserve(&self, range: &Range<u64>) -> Result<()> {
        let bytes = reserved(range);
        let got = self.driver.reserve_addresses(range.start, bytes).map_err(refused)?;
        if got == range.start {
            return Ok(());
        }
        // SAFETY: reserved just now, and not shared yet.
        unsafe { self.driver.free_addresses(got, bytes) }.map_err(refused)?;
        Err(range_in_use(range).with("offered", format!("{got:#x}")))
    }

    unsafe fn release(&self, range: &Range<u64>) -> Result<()> {
        // SAFETY: the caller vouches that the range has no mappings and is not used any more.
        unless_exiting(unsafe { self.driver.free_addresses(range.start, reserved(range)) })
    }

    fn create(&self, bytes: u64) -> Result<Handle> {
        let made = self.driver.make_memory(&self.primary, length(bytes));
        made.map(handle).map_err(|error| refused(error).with("bytes", bytes))
    }

    unsafe fn free(&self, handle: Handle) -> Result<()> {
        // SAFETY: the caller does not use the handle again.
        unless_exiting(unsafe { self.driver.release_memory(driver_handle(handle)) })
    }

    unsafe fn map(&self, address: u64, bytes: u64, handle: Handle, _: Origin) -> Result<()> {
        let whole = length(bytes);
        // SAFETY: the caller keeps others away from these addresses, which lie in a reservation of ours.
        unsafe { self.driver.map_memory(address, whole, driver_handle(handle)) }.map_err(refused)?;
        // SAFETY: mapped just now.
        unsafe { self.driver.give_access(address, whole, &self.primary) }.map_err(|error| {
            // SAFETY: mapped just now, and not shared yet.
            if let Err(error) = unsafe { self.unmap(address, bytes) } {
                tracing::warn!("a mapping that may not be used stays: {error}");
            }
            refused(error)
        })
    }

    unsafe fn unmap(&self, address: u64, bytes: u64) -> Result<()> {
        // SAFETY: the caller vouches that nobody accesses the block any more.
        unless_exiting(unsafe { self.driver.unmap_memory(address, length(bytes)) })
    }

    fn export(&self, handle: Handle) -> Result<Token> {
        self.driver.export_memory(driver_handle(handle)).map(Token::Descriptor).map_err(refused)
    }

    fn authorise(&self, _: &Token, _: i32) -> Result<()> {
        // Any process with the descriptor may import it.
        Ok(())
    }

    fn check(&self, shared: &Token) -> Result<()> {
        shared.descriptor().map(drop)
    }

    fn import(&self, shared: &Token) -> Result<Handle> {
        self.driver.import_memory(shared.descriptor()?.as_fd()).map(handle).map_err(refused)
    }
}

/// Returns the reserved length of a window, which starts at a multiple of 1 GiB: no other window follows it
/// there.
fn reserved(range: &Range<u64>) -> usize {
    length((range.end - range.start).next_multiple_of(RESERVED_UNIT_BYTES))
}

fn length(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// The driver's number as a handle of this module.
fn handle(made: AllocationHandle) -> Handle {
    Handle(without_provenance_mut::<c_void>(length(made.0)))
}

fn driver_handle(handle: Handle) -> AllocationHandle {
    AllocationHandle(handle.0.addr() as u64)
}
