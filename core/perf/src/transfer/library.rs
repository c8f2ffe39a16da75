// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers as a C program makes them.

use std::ffi::{CString, c_void};
use std::mem::MaybeUninit;

use mf_abi::smem::{TransConfig, TransHandle};
use mf_base::{Error, Kind, Result};

use super::OPERATION;
use crate::capi::{LastError, checked, open, unusable};

mf_base::functions! {
    /// The functions of the library that transfers need.
    struct Functions {
        required {
            smem_trans_config_init: fn(*mut TransConfig) -> i32;
            smem_trans_init: fn(*const TransConfig) -> i32;
            smem_trans_create: fn(*const libc::c_char, *const libc::c_char, *const TransConfig) -> TransHandle;
            smem_trans_destroy: fn(TransHandle, u32);
            smem_trans_register_mem: fn(TransHandle, *mut c_void, usize, u32) -> i32;
            smem_trans_deregister_mem: fn(TransHandle, *mut c_void) -> i32;
            smem_trans_malloc: fn(TransHandle, usize) -> *mut c_void;
            smem_trans_write: fn(TransHandle, *const c_void, *const libc::c_char, *mut c_void, usize, u32) -> i32;
            smem_trans_read: fn(TransHandle, *mut c_void, *const libc::c_char, *const c_void, usize, u32) -> i32;
            smem_trans_batch_write: fn(TransHandle, *const *const c_void, *const libc::c_char, *const *mut c_void, *const usize, u32, u32) -> i32;
            smem_get_last_err_msg: fn() -> *const libc::c_char;
        }
    }
}

/// An address of the other process.
pub(super) fn remote_pointer(address: u64) -> *mut c_void {
    std::ptr::without_provenance_mut(usize::try_from(address).unwrap_or(0))
}

/// The C library's endpoints in this process.
pub(super) struct Transfers {
    functions: Functions,
    config: TransConfig,
    url: CString,
}

/// One of them.
pub(super) struct Endpoint<'t> {
    library: &'t Transfers,
    handle: TransHandle,
}

/// Pieces of a batch.
#[derive(Default)]
pub(super) struct Pieces {
    local: Vec<*const c_void>,
    remote: Vec<*mut c_void>,
    bytes: Vec<usize>,
}

impl Pieces {
    /// One more.
    pub(super) fn push(&mut self, local: *const u8, remote: u64, bytes: usize) {
        self.local.push(local.cast());
        self.remote.push(remote_pointer(remote));
        self.bytes.push(bytes);
    }
}

fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|error| Error::invalid(OPERATION, "a NUL in a text").source(error))
}

impl Transfers {
    /// Opens the library.
    ///
    /// # Errors
    /// `Failed` it is not there, or does not begin.
    pub(super) fn open(url: &str) -> Result<Self> {
        let (path, loaded) = open()?;
        let functions = Functions::resolve(&loaded).map_err(|error| unusable(&path, error))?;
        let last_error: LastError = functions.smem_get_last_err_msg;
        let mut config = MaybeUninit::<TransConfig>::uninit();
        // SAFETY: here and below each function is called as its header says, with memory that lives through
        // the call. This one fills the whole struct.
        let code = unsafe { (functions.smem_trans_config_init)(config.as_mut_ptr()) };
        checked(last_error, "smem_trans_config_init", code)?;
        // SAFETY: filled by the call before, which did not fail.
        let config = unsafe { config.assume_init() };
        // SAFETY: see above.
        checked(last_error, "smem_trans_init", unsafe { (functions.smem_trans_init)(&raw const config) })?;
        Ok(Self { functions, config, url: c_text(url)? })
    }

    /// An endpoint of this name.
    ///
    /// # Errors
    /// `Failed` with the library's text.
    pub(super) fn create(&self, name: &str) -> Result<Endpoint<'_>> {
        let name = c_text(name)?;
        let config = &raw const self.config;
        // SAFETY: see `open`.
        let handle = unsafe { (self.functions.smem_trans_create)(self.url.as_ptr(), name.as_ptr(), config) };
        if handle.is_null() {
            self.check("smem_trans_create", Kind::Failed.code())?;
        }
        Ok(Endpoint { library: self, handle })
    }

    fn check(&self, function: &'static str, code: i32) -> Result<()> {
        checked(self.functions.smem_get_last_err_msg, function, code)
    }
}

impl Endpoint<'_> {
    /// Memory of the library.
    ///
    /// # Errors
    /// `Failed` with the library's text.
    pub(super) fn malloc(&self, bytes: usize) -> Result<*mut u8> {
        // SAFETY: see `Transfers::open`.
        let start = unsafe { (self.library.functions.smem_trans_malloc)(self.handle, bytes) };
        if start.is_null() {
            self.library.check("smem_trans_malloc", Kind::Failed.code())?;
        }
        Ok(start.cast())
    }

    /// Registers memory of this process, or takes that back.
    ///
    /// # Errors
    /// `Failed` with the library's text.
    pub(super) fn register(&self, start: *mut u8, bytes: Option<usize>) -> Result<()> {
        let f = &self.library.functions;
        match bytes {
            // SAFETY: the call reads no byte there.
            Some(bytes) => self.library.check("smem_trans_register_mem", unsafe {
                (f.smem_trans_register_mem)(self.handle, start.cast(), bytes, 0)
            }),
            // SAFETY: as above.
            None => self.library.check("smem_trans_deregister_mem", unsafe {
                (f.smem_trans_deregister_mem)(self.handle, start.cast())
            }),
        }
    }

    /// Writes to another endpoint, or reads from it, so many times.
    ///
    /// # Errors
    /// `Failed` with the library's text.
    ///
    /// # Safety
    /// The local range is readable, or writable for a read, and nothing relies on its content meanwhile.
    pub(super) unsafe fn transfer(
        &self,
        calls: u32,
        to: &CString,
        (local, remote, bytes): (*mut u8, u64, usize),
        is_write: bool,
    ) -> Result<()> {
        let f = &self.library.functions;
        let (local, remote) = (local.cast::<c_void>(), remote_pointer(remote));
        for _ in 0..calls {
            let code = if is_write {
                // SAFETY: passed on to the caller.
                unsafe { (f.smem_trans_write)(self.handle, local, to.as_ptr(), remote, bytes, 0) }
            } else {
                // SAFETY: passed on to the caller.
                unsafe { (f.smem_trans_read)(self.handle, local, to.as_ptr(), remote, bytes, 0) }
            };
            if code != 0 {
                self.library.check("smem_trans_write or smem_trans_read", code)?;
            }
        }
        Ok(())
    }

    /// Writes all pieces to another endpoint, so many times.
    ///
    /// # Errors
    /// `Failed` with the library's text.
    ///
    /// # Safety
    /// The local ranges are readable.
    pub(super) unsafe fn write_all(&self, calls: u32, to: &CString, pieces: &Pieces) -> Result<()> {
        let f = &self.library.functions;
        let count = u32::try_from(pieces.bytes.len()).unwrap_or(0);
        for _ in 0..calls {
            // SAFETY: passed on to the caller; three lists of `count`.
            let code = unsafe {
                (f.smem_trans_batch_write)(
                    self.handle,
                    pieces.local.as_ptr(),
                    to.as_ptr(),
                    pieces.remote.as_ptr(),
                    pieces.bytes.as_ptr(),
                    count,
                    0,
                )
            };
            if code != 0 {
                self.library.check("smem_trans_batch_write", code)?;
            }
        }
        Ok(())
    }
}

impl Drop for Endpoint<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is not used again.
        unsafe { (self.library.functions.smem_trans_destroy)(self.handle, 0) };
    }
}
