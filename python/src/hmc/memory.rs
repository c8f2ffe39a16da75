// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the processor and of accelerators, by the number of its type.

use std::ffi::{c_char, c_void};
use std::ptr;

use mf_abi::smem::MFX_HMC_SUCCESS;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::buffer::dlpack;
use crate::fork::Generation;
use crate::interrupts;
use crate::library::{Functions, functions};

/// The first accelerator that there is, else the processor.
#[pyfunction]
pub(super) fn memory_supported(py: Python<'_>) -> PyResult<i32> {
    let functions = functions()?;
    // SAFETY: takes no argument.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_memory_supported)() })
}

/// Availability of this type of memory: a status, and the resolution of DEFAULT.
#[pyfunction]
pub(super) fn memory_check(py: Python<'_>, device: i32, kind: i32) -> PyResult<(i32, i32)> {
    let functions = functions()?;
    let mut resolved = kind;
    let place = &mut resolved;
    // SAFETY: the result lives through the call.
    let status = interrupts::code(py, || unsafe { (functions.mfx_hmc_memory_check)(device, kind, place) })?;
    Ok((status, resolved))
}

/// Memory behind an address: a status, the type and the device.
#[pyfunction]
pub(super) fn memory_kind(py: Python<'_>, address: usize) -> PyResult<(i32, i32, i32)> {
    let functions = functions()?;
    let (mut kind, mut device) = (0, 0);
    let (kind_place, device_place) = (&mut kind, &mut device);
    let status = interrupts::code(py, || {
        let address = ptr::with_exposed_provenance(address);
        // SAFETY: the address is only asked about; the results live through the call.
        unsafe { (functions.mfx_hmc_memory_kind)(address, kind_place, device_place) }
    })?;
    Ok((status, kind, device))
}

/// Copies between two addresses. Returns when it is done.
#[pyfunction]
pub(super) fn memory_copy(
    py: Python<'_>,
    device: i32,
    kind: i32,
    dest: usize,
    source: usize,
    nbytes: u64,
    direction: u32,
) -> PyResult<i32> {
    let functions = functions()?;
    interrupts::code(py, || {
        let (dest, source) = (ptr::with_exposed_provenance_mut(dest), ptr::with_exposed_provenance(source));
        // SAFETY: the addresses are the caller's promise, as in the C interface.
        unsafe { (functions.mfx_hmc_memory_copy)(device, kind, dest, source, nbytes, direction) }
    })
}

/// Waits until a stream is through; 0 is the default stream.
#[pyfunction]
pub(super) fn stream_synchronize(py: Python<'_>, device: i32, kind: i32, stream: usize) -> PyResult<i32> {
    let functions = functions()?;
    interrupts::code(py, || {
        let stream = ptr::with_exposed_provenance_mut(stream);
        // SAFETY: the stream is the caller's promise, as in the C interface.
        unsafe { (functions.mfx_hmc_stream_synchronize)(device, kind, stream) }
    })
}

/// DLPack description of an object in the memory of an accelerator: address, bytes, read-only flag, and
/// owner. Pending writes are ordered before later work on `stream`.
#[pyfunction]
#[pyo3(signature = (object, stream=None))]
pub(super) fn dlpack_on_device(
    object: &Bound<'_, PyAny>,
    stream: Option<i64>,
) -> PyResult<(usize, usize, bool, Py<PyAny>)> {
    dlpack::on_device(object, stream)
}

/// Memory that is given back when this object goes.
#[pyclass(frozen, module = "mf_smem._mf_smem.hmc")]
pub(super) struct Block {
    functions: &'static Functions,
    device: i32,
    kind: i32,
    /// Address of the first byte.
    #[pyo3(get)]
    address: usize,
    /// Length in bytes.
    #[pyo3(get)]
    nbytes: u64,
    made: Generation,
}

impl Block {
    /// Address and length.
    pub(super) fn place(&self) -> (usize, u64) {
        (self.address, self.nbytes)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.made.is_inherited() {
            return;
        }
        let (functions, address) = (self.functions, self.address);
        let (device, kind) = (self.device, self.kind);
        let free = move || {
            let address = ptr::with_exposed_provenance_mut::<c_void>(address);
            // SAFETY: allocated below for this object alone, and given back once.
            let _nothing_to_do_about_it = unsafe { (functions.mfx_hmc_memory_free)(device, kind, address) };
        };
        Python::attach(|py| py.detach(free));
    }
}

/// Allocates: a status, and the memory where it is 0.
#[pyfunction]
pub(super) fn allocate(
    py: Python<'_>,
    device: i32,
    kind: i32,
    nbytes: u64,
    peerable: bool,
) -> PyResult<(i32, Option<Block>)> {
    let functions = functions()?;
    let mut address = 0;
    let place = &mut address;
    let status = interrupts::code(py, || {
        let mut found = ptr::null_mut();
        let peerable = u32::from(peerable);
        // SAFETY: the result lives through the call.
        let code =
            unsafe { (functions.mfx_hmc_memory_allocate)(device, kind, nbytes, peerable, &raw mut found) };
        *place = found.expose_provenance();
        code
    })?;
    let made = Generation::now();
    let block = (status == MFX_HMC_SUCCESS).then(|| Block { functions, device, kind, address, nbytes, made });
    Ok((status, block))
}

/// The address that an `int`, `None` (0) or a capsule of any name stands for.
#[pyfunction]
pub(super) fn address(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    if value.is_none() {
        return Ok(0);
    }
    // SAFETY: any object may be asked about.
    if unsafe { ffi::PyCapsule_CheckExact(value.as_ptr()) } == 0 {
        return value.extract::<usize>().map_err(|_| {
            let kind = crate::buffer::type_name(value);
            PyTypeError::new_err(format!(
                "an address is an int from 0 to 2**64 - 1 or a PyCapsule, not {kind}"
            ))
        });
    }
    // SAFETY: the object is a capsule.
    let name: *const c_char = unsafe { ffi::PyCapsule_GetName(value.as_ptr()) };
    // SAFETY: the object is a capsule, asked for by its own name.
    let pointer = unsafe { ffi::PyCapsule_GetPointer(value.as_ptr(), name) };
    if pointer.is_null() { Err(PyErr::fetch(value.py())) } else { Ok(pointer.expose_provenance()) }
}
