// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The accelerator of this process, its memory, and kernels (`mfx_device_*`, `mfx_kernel_*`).

use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use mf_abi::smem::{KernelHandle, LaunchOptions};
use mf_base::{Error, Result};

use crate::call::{call, value};
use crate::library::{Library, library, text_of};
use crate::share_memory::Share;
use crate::store::millis;

/// The opened accelerator. Dropping it closes the accelerator.
pub struct Accelerator {
    library: &'static Library,
}

impl Accelerator {
    /// Opens an accelerator by its number.
    ///
    /// # Errors
    /// `NotExist` this process has none · other errors of `mfx_device_open`.
    pub fn open(number: u32) -> Result<Self> {
        let library = library()?;
        call!(library, mfx_device_open(number))?;
        Ok(Self { library })
    }

    /// Allocates so many bytes.
    ///
    /// # Errors
    /// Errors of `mfx_device_malloc`.
    pub fn allocate(&self, bytes: u64) -> Result<Memory<'_>> {
        let mut address = std::ptr::null_mut();
        call!(self.library, mfx_device_malloc(bytes, &raw mut address))?;
        Ok(Memory { accelerator: self, address: address.cast() })
    }

    /// Copies, with the accelerator at one end or at both.
    ///
    /// # Errors
    /// Errors of `mfx_device_copy`.
    ///
    /// # Safety
    /// Both ends have so many bytes, and nothing else uses them meanwhile.
    pub unsafe fn copy(&self, to: *mut u8, from: *const u8, bytes: u64) -> Result<()> {
        call!(self.library, mfx_device_copy(to.cast::<c_void>(), from.cast::<c_void>(), bytes))
    }
}

impl Drop for Accelerator {
    fn drop(&mut self) {
        value!(self.library, mfx_device_close());
    }
}

/// Returns the JSON text about the accelerator of this process.
///
/// # Errors
/// Errors of `mfx_device_json`.
pub fn description() -> Result<String> {
    let library = library()?;
    let text = value!(library, mfx_device_json());
    if text.is_null() { Err(library.failure("mfx_device_json")) } else { Ok(text_of(text)) }
}

/// Memory of the accelerator. Dropping it frees the memory.
pub struct Memory<'a> {
    accelerator: &'a Accelerator,
    address: *mut u8,
}

impl Memory<'_> {
    /// Its first byte.
    pub fn address(&self) -> *mut u8 {
        self.address
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        value!(self.accelerator.library, mfx_device_free(self.address.cast::<c_void>()));
    }
}

/// A binary of kernels. Dropping it unloads the binary.
pub struct Kernels {
    library: &'static Library,
    handle: KernelHandle,
}

/// Arguments of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Arguments(Vec<u64>);

impl Arguments {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an address.
    #[must_use]
    pub fn address(self, address: *const u8) -> Self {
        self.u64(address.expose_provenance() as u64)
    }

    /// Appends a number of 32 bits.
    #[must_use]
    pub fn u32(self, number: u32) -> Self {
        self.u64(number.into())
    }

    /// Appends a number of 64 bits.
    #[must_use]
    pub fn u64(mut self, number: u64) -> Self {
        self.0.push(number);
        self
    }
}

impl Kernels {
    /// Loads the kernels of the library.
    ///
    /// # Errors
    /// Errors of `mfx_kernel_load`.
    pub fn built_in() -> Result<Self> {
        let (library, mut handle) = (library()?, std::ptr::null_mut());
        call!(library, mfx_kernel_load(std::ptr::null(), &raw mut handle))?;
        Ok(Self { library, handle })
    }

    /// Returns the kernels that the library contains for a chip, as a file; `sim` is the simulator.
    ///
    /// # Errors
    /// `NotExist` the library has none, with the reason · `Failed` there is no library.
    pub fn built_in_for(soc: &CStr) -> Result<&'static [u8]> {
        let (library, mut start, mut bytes) = (library()?, std::ptr::null(), 0);
        call!(library, mfx_kernel_built_in(soc.as_ptr(), &raw mut start, &raw mut bytes))?;
        let bytes = usize::try_from(bytes).unwrap_or(0);
        // SAFETY: so many bytes of the library, which stays loaded and does not change them.
        Ok(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), bytes) })
    }

    /// Loads the kernels of a file.
    ///
    /// # Errors
    /// Errors of `mfx_kernel_load`.
    pub fn load(path: &Path) -> Result<Self> {
        let (library, mut handle) = (library()?, std::ptr::null_mut());
        let path = CString::new(path.as_os_str().as_bytes());
        let path =
            path.map_err(|error| Error::invalid("C library", "a path contains a NUL").source(error))?;
        call!(library, mfx_kernel_load(path.as_ptr(), &raw mut handle))?;
        Ok(Self { library, handle })
    }

    /// Launches a kernel with so many blocks, and waits for its end: at most for `timeout`, or for the limit
    /// of the device.
    ///
    /// # Errors
    /// Errors of `mfx_kernel_launch`.
    ///
    /// # Safety
    /// The kernel accesses only memory that has the bytes that its arguments say.
    pub unsafe fn launch(
        &self,
        name: &CStr,
        memory: Option<&Share>,
        blocks: u32,
        timeout: Option<Duration>,
        arguments: &Arguments,
    ) -> Result<()> {
        let timeout_ms = timeout.map_or(0, millis);
        let options = LaunchOptions { blocks, timeout_ms, stream: std::ptr::null_mut() };
        let (options, memory) = (&raw const options, memory.map_or(std::ptr::null_mut(), Share::handle));
        let (start, bytes) = (arguments.0.as_ptr().cast::<c_void>(), 8 * arguments.0.len() as u64);
        call!(self.library, mfx_kernel_launch(self.handle, name.as_ptr(), memory, options, start, bytes))
    }
}

impl Drop for Kernels {
    fn drop(&mut self) {
        value!(self.library, mfx_kernel_unload(self.handle));
    }
}
