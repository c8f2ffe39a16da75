// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of a GPU.
//!
//! Peerable memory of Moore Threads' GPUs is pinned host memory, since network devices cannot reach other
//! memory of theirs; its addresses, multiples of 128, are valid for the processor and the GPU alike.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use gpu_sys::Class;
use mf_base::sync::lock;
use mf_base::{Error, Gva, Result};

use super::refusal::{refused, unless_exiting};
use super::{Buffer, Gpu, Memory, OP, Vendor};

/// Peerable memory is made of units of so many bytes.
pub(super) const PEERABLE_UNIT_BYTES: u64 = 64 << 10;
/// Pinned host memory begins at a multiple of this.
const HOSTED_ALIGNMENT: u64 = 128;

/// Blocks that were allocated here: last address → first, and the driver's own address. For pinned host
/// memory that stands for device memory the two differ.
#[derive(Default)]
pub(super) struct Hosted(Mutex<BTreeMap<u64, (u64, u64)>>);

impl Hosted {
    /// Returns true if an address is in one of them.
    pub(super) fn has(&self, address: u64) -> bool {
        let blocks = lock(&self.0);
        blocks.range(address..).next().is_some_and(|(_, (first, _))| *first <= address)
    }

    fn add(&self, first: u64, bytes: u64, given: u64) {
        lock(&self.0).insert(first + (bytes - 1), (first, given));
    }

    /// Removes the block that begins there. Returns its driver address.
    fn take(&self, address: u64) -> Option<u64> {
        let mut blocks = lock(&self.0);
        let last =
            blocks.range(address..).next().filter(|(_, (first, _))| *first == address).map(|(last, _)| *last);
        blocks.remove(&last?).map(|(_, given)| given)
    }
}

impl Gpu {
    /// New memory with any content; [`Memory::Peerable`] in units of 64 KiB. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no bytes · `OutOfMemory` · `Failed` with the driver's reason.
    pub fn allocate(&self, bytes: u64, memory: Memory) -> Result<u64> {
        let wrong = || Error::invalid(OP, "invalid size of memory").with("bytes", bytes);
        let unit = if memory == Memory::Peerable { PEERABLE_UNIT_BYTES } else { 1 };
        let rounded = bytes.checked_next_multiple_of(unit).filter(|bytes| *bytes > 0).ok_or_else(wrong)?;
        let whole = usize::try_from(rounded).map_err(|_| wrong())?;
        let _selected = self.select()?;
        let failed = |error| refused(error).with("bytes", rounded).with("device", self.number);
        if memory == Memory::Plain || self.vendor() != Vendor::Moore {
            let address = self.driver.allocate(whole, memory).map_err(failed)?;
            self.owned.add(address, rounded, address);
            return Ok(address);
        }
        let spare = whole.checked_add(128).ok_or_else(wrong)?;
        let given = self.driver.allocate_host(spare).map_err(failed)?.expose_provenance() as u64;
        let first = given.next_multiple_of(HOSTED_ALIGNMENT);
        self.hosted.add(first, rounded, given);
        Ok(first)
    }

    /// Frees memory of [`allocate`](Self::allocate); null does nothing. If the driver has ended, at the exit
    /// of the process, or the program has reset the GPU, the memory is freed already. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` it is not such memory, or not any more · `Failed` with the driver's reason.
    ///
    /// # Safety
    /// Nobody uses the memory any more.
    pub unsafe fn free(&self, address: u64) -> Result<()> {
        if address == 0 {
            return Ok(());
        }
        let given = self.hosted.take(address);
        self.owned.take(address);
        let freed = self.selected().and_then(|_selected| match given {
            // SAFETY: the driver gave it, and it was taken from the table; unused by the caller's word.
            Some(given) => unsafe { self.driver.free_host(Gva(given).as_ptr().cast::<c_void>()) },
            // SAFETY: the caller vouches that nobody uses the memory any more.
            None => unsafe { self.driver.free(address) },
        });
        match freed {
            Err(error) if error.class() == Class::ContextGone => Ok(()),
            freed => unless_exiting(freed),
        }
    }
}

/// An allocation that ends when it is dropped.
pub(super) struct GpuBuffer {
    gpu: Arc<Gpu>,
    address: u64,
    bytes: u64,
}

impl GpuBuffer {
    /// Allocates `bytes` of peerable memory.
    ///
    /// # Errors
    /// As [`Gpu::allocate`].
    pub(super) fn boxed(gpu: &Gpu, bytes: u64) -> Result<Box<dyn Buffer>> {
        let gpu = gpu.upgrade()?;
        let address = gpu.allocate(bytes, Memory::Peerable)?;
        Ok(Box::new(Self { gpu, address, bytes }))
    }
}

impl Buffer for GpuBuffer {
    fn address(&self) -> u64 {
        self.address
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for GpuBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated by `boxed`, and given back once, by the last user.
        if let Err(error) = unsafe { self.gpu.free(self.address) } {
            tracing::warn!(bytes = self.bytes, "memory of the GPU is not given back: {error}");
        }
    }
}
