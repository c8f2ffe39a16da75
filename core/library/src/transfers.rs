// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between endpoints that know each other's names (`smem_trans.h`).

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;

use mf_abi::smem::{TransConfig, TransHandle};
use mf_base::{Error, Result};

use crate::big_memory::fill;
use crate::call::{call, pointer, value};
use crate::library::{Library, c_text, library};

/// Converts an address of another process.
pub fn there(address: u64) -> *mut c_void {
    std::ptr::without_provenance_mut(usize::try_from(address).unwrap_or(0))
}

/// Transfers of this process, over one store. Dropping it ends all its endpoints.
pub struct Transfers {
    library: &'static Library,
    config: TransConfig,
    url: CString,
}

impl Transfers {
    /// Begins transfers, after `change` to the default configuration.
    ///
    /// # Errors
    /// Errors of `smem_trans_init`.
    pub fn begin(url: &str, change: impl FnOnce(&mut TransConfig)) -> Result<Self> {
        let library = library()?;
        let mut config = MaybeUninit::<TransConfig>::uninit();
        call!(library, smem_trans_config_init(config.as_mut_ptr()))?;
        // SAFETY: filled by the call before, which did not fail.
        let mut config = unsafe { config.assume_init() };
        change(&mut config);
        call!(library, smem_trans_init(&raw const config))?;
        Ok(Self { library, config, url: c_text(url)? })
    }

    /// Creates an endpoint of this name.
    ///
    /// # Errors
    /// Errors of `smem_trans_create`.
    pub fn create(&self, name: &str) -> Result<Endpoint<'_>> {
        let (library, name) = (self.library, c_text(name)?);
        let config = &raw const self.config;
        let handle = pointer!(library, smem_trans_create(self.url.as_ptr(), name.as_ptr(), config))?;
        Ok(Endpoint { transfers: self, handle })
    }
}

impl Drop for Transfers {
    fn drop(&mut self) {
        value!(self.library, smem_trans_uninit(0));
    }
}

/// Sets the addresses for connections of endpoints.
///
/// # Errors
/// `InvalidParam` the text is too long.
pub fn set_nic(config: &mut TransConfig, nic: &str) -> Result<()> {
    fill(&mut config.nic, nic)
        .ok_or_else(|| Error::invalid("C library", "the addresses for connections are too long"))
}

/// An endpoint. Dropping it ends the endpoint.
pub struct Endpoint<'t> {
    transfers: &'t Transfers,
    handle: TransHandle,
}

/// Pieces of a batch.
#[derive(Debug, Default)]
pub struct Pieces {
    local: Vec<*const c_void>,
    remote: Vec<*mut c_void>,
    bytes: Vec<usize>,
}

impl Pieces {
    /// Appends a piece.
    pub fn push(&mut self, local: *const u8, remote: u64, bytes: usize) {
        self.local.push(local.cast());
        self.remote.push(there(remote));
        self.bytes.push(bytes);
    }
}

impl Endpoint<'_> {
    fn library(&self) -> &'static Library {
        self.transfers.library
    }

    /// Allocates registered memory, which ends with the endpoint.
    ///
    /// # Errors
    /// Errors of `smem_trans_malloc`.
    pub fn malloc(&self, bytes: usize) -> Result<*mut u8> {
        let start = pointer!(self.library(), smem_trans_malloc(self.handle, bytes));
        start.map(|start: *mut c_void| start.cast())
    }

    /// Registers memory of this process.
    ///
    /// # Errors
    /// Errors of `smem_trans_register_mem`.
    ///
    /// # Safety
    /// Nothing of this process relies on the content of the memory, which stays until it is deregistered.
    pub unsafe fn register(&self, start: *mut u8, bytes: usize) -> Result<()> {
        call!(self.library(), smem_trans_register_mem(self.handle, start.cast::<c_void>(), bytes, 0))
    }

    /// Registers several ranges, all of them or none.
    ///
    /// # Errors
    /// Errors of `smem_trans_batch_register_mem`.
    ///
    /// # Safety
    /// As for [`register`](Self::register), for each.
    pub unsafe fn register_all(&self, ranges: &[(*mut u8, usize)]) -> Result<()> {
        let starts: Vec<*mut c_void> = ranges.iter().map(|(start, _)| start.cast()).collect();
        let lengths: Vec<usize> = ranges.iter().map(|(_, bytes)| *bytes).collect();
        let count = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
        let (starts, lengths) = (starts.as_ptr(), lengths.as_ptr());
        call!(self.library(), smem_trans_batch_register_mem(self.handle, starts, lengths, count, 0))
    }

    /// Takes a registration back.
    ///
    /// # Errors
    /// Errors of `smem_trans_deregister_mem`.
    pub fn deregister(&self, start: *mut u8) -> Result<()> {
        call!(self.library(), smem_trans_deregister_mem(self.handle, start.cast::<c_void>()))
    }

    /// Writes to another endpoint, or reads from it, so many times.
    ///
    /// # Errors
    /// Errors of `smem_trans_write` and `smem_trans_read`.
    ///
    /// # Safety
    /// The local range is readable, or writable for a read, and nothing relies on its content meanwhile.
    pub unsafe fn transfer(
        &self,
        calls: u32,
        to: &CStr,
        (local, remote, bytes): (*mut u8, u64, usize),
        is_write: bool,
    ) -> Result<()> {
        let (library, name) = (self.library(), to.as_ptr());
        let (local, remote) = (local.cast::<c_void>(), there(remote));
        for _ in 0..calls {
            if is_write {
                call!(library, smem_trans_write(self.handle, local, name, remote, bytes, 0))?;
            } else {
                call!(library, smem_trans_read(self.handle, local, name, remote, bytes, 0))?;
            }
        }
        Ok(())
    }

    /// Writes all pieces to another endpoint, so many times.
    ///
    /// # Errors
    /// Errors of `smem_trans_batch_write`.
    ///
    /// # Safety
    /// The local ranges are readable.
    pub unsafe fn write_all(&self, calls: u32, to: &CStr, pieces: &Pieces) -> Result<()> {
        let library = self.library();
        let (local, remote, bytes) = (pieces.local.as_ptr(), pieces.remote.as_ptr(), pieces.bytes.as_ptr());
        let (name, count) = (to.as_ptr(), u32::try_from(pieces.bytes.len()).unwrap_or(u32::MAX));
        for _ in 0..calls {
            call!(library, smem_trans_batch_write(self.handle, local, name, remote, bytes, count, 0))?;
        }
        Ok(())
    }
}

impl Drop for Endpoint<'_> {
    fn drop(&mut self) {
        value!(self.library(), smem_trans_destroy(self.handle, 0));
    }
}
