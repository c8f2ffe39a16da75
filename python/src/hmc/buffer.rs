// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A buffer that peers read and write.

use std::ffi::c_void;
use std::ptr;

use mf_abi::smem::{HmcBufferInfo, MFX_HMC_SUCCESS, SMEM_NOT_INIT};
use pyo3::prelude::*;

use super::FAMILY;
use crate::fork::Generation;
use crate::interrupts;
use crate::library::{Functions, functions};

/// A buffer. Communicators keep its memory; use hmc.ConnBuffer.
#[pyclass(frozen, module = "mf_smem._mf_smem.hmc")]
pub(super) struct ConnBuffer {
    functions: &'static Functions,
    handle: usize,
    made: Generation,
}

impl ConnBuffer {
    /// The handle; raises in a forked child.
    pub(super) fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        if self.made.is_inherited() {
            return Err(FAMILY.failure(py, self.made, SMEM_NOT_INIT));
        }
        Ok(self.handle)
    }

    fn call(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, *mut c_void) -> i32 + Send,
    ) -> PyResult<i32> {
        let (functions, handle) = (self.functions, self.handle(py)?);
        interrupts::code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))
    }
}

/// Address, bytes, type, resolved type and device.
type Info = (usize, u64, i32, i32, i32);

/// An address that may be asked about: objects without bytes may have none, and C wants one.
fn somewhere(address: usize, nbytes: u64) -> usize {
    if address == 0 && nbytes == 0 { 1 } else { address }
}

#[pymethods]
impl ConnBuffer {
    /// A status, and the buffer's properties.
    fn info(&self, py: Python<'_>) -> PyResult<(i32, Info)> {
        let mut found = Info::default();
        let place = &mut found;
        let status = self.call(py, |f, buffer| {
            let (address, bytes) = (ptr::null_mut(), 0);
            let mut info = HmcBufferInfo { address, bytes, kind: 0, resolved: 0, device: 0, reserved: 0 };
            // SAFETY: the library checks the handle; the result lives through the call.
            let code = unsafe { (f.mfx_hmc_buffer_info)(buffer, &raw mut info) };
            *place = (info.address.expose_provenance(), info.bytes, info.kind, info.resolved, info.device);
            code
        })?;
        Ok((status, found))
    }

    /// Copies from an address of the processor's, or of the device's where `on_device`.
    fn write_at(
        &self,
        py: Python<'_>,
        address: usize,
        nbytes: u64,
        offset: u64,
        on_device: bool,
    ) -> PyResult<i32> {
        let address = somewhere(address, nbytes);
        self.call(py, |f, buffer| {
            let data = ptr::with_exposed_provenance(address);
            // SAFETY: the library checks handle and range; the address is the caller's promise.
            unsafe { (f.mfx_hmc_buffer_write)(buffer, data, nbytes, offset, u32::from(on_device)) }
        })
    }

    /// Copies to such an address.
    fn read_at(
        &self,
        py: Python<'_>,
        address: usize,
        nbytes: u64,
        offset: u64,
        on_device: bool,
    ) -> PyResult<i32> {
        let address = somewhere(address, nbytes);
        self.call(py, |f, buffer| {
            let data = ptr::with_exposed_provenance_mut(address);
            // SAFETY: the library checks handle and range; the program vouches for the address.
            unsafe { (f.mfx_hmc_buffer_read)(buffer, data, nbytes, offset, u32::from(on_device)) }
        })
    }

    fn copy_within(&self, py: Python<'_>, to: u64, from: u64, nbytes: u64) -> PyResult<i32> {
        // SAFETY: the library checks handle and ranges.
        self.call(py, |f, buffer| unsafe { (f.mfx_hmc_buffer_copy_within)(buffer, to, from, nbytes) })
    }
}

impl Drop for ConnBuffer {
    fn drop(&mut self) {
        if self.made.is_inherited() {
            return;
        }
        let (functions, handle) = (self.functions, self.handle);
        let destroy = move || {
            let handle = ptr::with_exposed_provenance_mut(handle);
            // SAFETY: the library checks handles itself.
            let _nothing_to_do_about_it = unsafe { (functions.mfx_hmc_buffer_destroy)(handle) };
        };
        Python::attach(|py| py.detach(destroy));
    }
}

/// Makes a buffer: a status, and the buffer where it is 0.
#[pyfunction]
pub(super) fn buffer_create(
    py: Python<'_>,
    device: i32,
    kind: i32,
    nbytes: u64,
) -> PyResult<(i32, Option<ConnBuffer>)> {
    let functions = functions()?;
    let mut handle = 0;
    let place = &mut handle;
    let status = interrupts::code(py, || {
        let mut made = ptr::null_mut();
        // SAFETY: the result lives through the call.
        let code = unsafe { (functions.mfx_hmc_buffer_create)(device, kind, nbytes, &raw mut made) };
        *place = made.expose_provenance();
        code
    })?;
    let buffer =
        (status == MFX_HMC_SUCCESS).then(|| ConnBuffer { functions, handle, made: Generation::now() });
    Ok((status, buffer))
}
