// SPDX-License-Identifier: Apache-2.0 OR MIT
//! DLPack: how torch, JAX and others hand out a tensor.
//!
//! The capsule is only read and never consumed: it keeps the tensor alive and is given back by
//! dropping it.

use std::ffi::{CStr, c_void};

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Keeper, Pin, contiguous_bytes, not_contiguous, refused, unsupported};
use crate::evaluation::Evaluate as _;

const PLAIN: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const READ_ONLY: u64 = 1;

/// Device types with memory accessible to the CPU: CPU, CUDA pinned host, ROCm pinned host.
const HOST_DEVICES: [i32; 3] = [1, 3, 11];
/// The device type of what DLPack has no number for; torch's NPU tensors have it.
const EXTENSION_DEVICE: i32 = 12;
/// CUDA, ROCm, managed memory of CUDA.
const GPU_DEVICES: [i32; 3] = [2, 10, 13];

#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    data: *const c_void,
    device_type: i32,
    device_id: i32,
    dimensions: i32,
    type_code: u8,
    type_bits: u8,
    type_lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: *const c_void,
    flags: u64,
    tensor: Tensor,
}

/// A tensor as its exporter describes it.
pub(crate) struct Described {
    pub(crate) address: usize,
    pub(crate) shape: Vec<i64>,
    /// In elements; none: in C order, without gaps.
    pub(crate) strides: Option<Vec<i64>>,
    /// Code, bits and lanes of the element type.
    pub(crate) element: (u8, u8, u16),
    pub(crate) is_readonly: bool,
    /// Keeps the tensor alive.
    pub(crate) capsule: Py<PyAny>,
}

/// The bytes of `object`, or none when it does not speak DLPack.
pub(super) fn pin(object: &Bound<'_, PyAny>) -> PyResult<Option<Pin>> {
    let takes = |device| Ok(device == EXTENSION_DEVICE && has_accelerator()?);
    let Some(tensor) = described(object, takes, None)? else { return Ok(None) };
    let bytes = tensor.bytes().ok_or_else(|| not_contiguous(object))?;
    let Described { address, is_readonly, capsule, .. } = tensor;
    Ok(Some(Pin { address, bytes, is_readonly, _keeper: Keeper::Object(capsule) }))
}

/// Address, bytes, read-only flag, and owner of an object in the memory of a GPU or another accelerator. Its
/// owner orders pending writes before later work on `stream`.
pub(crate) fn on_device(
    object: &Bound<'_, PyAny>,
    stream: Option<i64>,
) -> PyResult<(usize, usize, bool, Py<PyAny>)> {
    let takes = |device| Ok(device == EXTENSION_DEVICE || GPU_DEVICES.contains(&device));
    let tensor = described(object, takes, stream)?.ok_or_else(|| unsupported(object))?;
    let bytes = tensor.bytes().ok_or_else(|| not_contiguous(object))?;
    Ok((tensor.address, bytes, tensor.is_readonly, tensor.capsule))
}

impl Described {
    /// Length in bytes; none where there are gaps, or another order than C's.
    fn bytes(&self) -> Option<usize> {
        let (_, bits, lanes) = self.element;
        let item = i64::from((u32::from(bits) * u32::from(lanes)).div_ceil(8));
        contiguous_bytes(&self.shape, self.strides.as_deref(), item, item)
    }
}

/// Description of `object` by DLPack, or `None` without DLPack. In memory of an accelerator only if it
/// `takes` devices of that type.
pub(crate) fn described(
    object: &Bound<'_, PyAny>,
    takes: impl Fn(i32) -> PyResult<bool>,
    stream: Option<i64>,
) -> PyResult<Option<Described>> {
    let (Some(export), Some(device)) =
        (object.attribute("__dlpack__")?, object.attribute("__dlpack_device__")?)
    else {
        return Ok(None);
    };
    let (device_type, _): (i32, i32) = device.evaluate(())?.extract()?;
    if !HOST_DEVICES.contains(&device_type) && !takes(device_type)? {
        return Err(refused(
            object,
            &format!(
                "is memory of device type {device_type}, which this process does not copy; move it to the CPU"
            ),
        ));
    }
    let capsule = request(&export, stream)?;
    let (tensor, is_readonly) = tensor(&capsule)?;
    let rank =
        usize::try_from(tensor.dimensions).map_err(|_| malformed("has a negative number of dimensions"))?;
    let offset = usize::try_from(tensor.byte_offset).map_err(|_| malformed("has an offset beyond memory"))?;
    Ok(Some(Described {
        address: tensor.data.expose_provenance() + offset,
        shape: numbers(tensor.shape, rank).unwrap_or_default(),
        strides: numbers(tensor.strides, rank),
        element: (tensor.type_code, tensor.type_bits, tensor.type_lanes),
        is_readonly,
        capsule: capsule.unbind(),
    }))
}

/// True if device memory is an accelerator's here; otherwise the processor copies, and cannot access such
/// memory.
fn has_accelerator() -> PyResult<bool> {
    let is_one = |device: String| !matches!(device.as_str(), "" | "host");
    Ok(is_one(crate::big_memory::bm_device()?) || is_one(crate::shm::shm_device()?))
}

/// Asks for a versioned capsule; exporters that are older than that know no such argument.
fn request<'py>(export: &Bound<'py, PyAny>, stream: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
    let py = export.py();
    let arguments = PyDict::new(py);
    if let Some(stream) = stream {
        arguments.set_item("stream", stream)?;
    }
    let plain = arguments.copy()?;
    arguments.set_item("max_version", (1u32, 0u32))?;
    match export.evaluate_named(&arguments) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => export.evaluate_named(&plain),
        result => result,
    }
}

/// A copy of the tensor's description and whether it is read-only.
fn tensor(capsule: &Bound<'_, PyAny>) -> PyResult<(Tensor, bool)> {
    if let Some(pointer) = pointer(capsule, VERSIONED) {
        // SAFETY: a capsule of this name points to such a record, which lives as long as the capsule; the
        // version comes first in every version.
        let major = unsafe { pointer.cast::<u32>().read() };
        if major != 1 {
            return Err(PyBufferError::new_err(format!(
                "DLPack version {major} is not supported, version 1 is"
            )));
        }
        // SAFETY: the capsule has the name of version 1, whose record has this layout, and lives during the
        // call.
        let record = unsafe { pointer.cast::<Versioned>().read() };
        return Ok((record.tensor, record.flags & READ_ONLY != 0));
    }
    let pointer = pointer(capsule, PLAIN).ok_or_else(|| malformed("is not a capsule of a tensor"))?;
    // SAFETY: a capsule of this name points to a record that starts with the tensor and lives as long as the
    // capsule.
    let tensor = unsafe { pointer.cast::<Tensor>().read() };
    Ok((tensor, false))
}

fn pointer(capsule: &Bound<'_, PyAny>, name: &CStr) -> Option<*const c_void> {
    // SAFETY: any object and any name may be asked about.
    let is_valid = unsafe { ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) } == 1;
    // SAFETY: the capsule is valid under this name, so the call succeeds.
    is_valid.then(|| unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()) }.cast_const())
}

fn numbers(start: *const i64, count: usize) -> Option<Vec<i64>> {
    if start.is_null() {
        return None;
    }
    // SAFETY: DLPack gives shape and strides one number a dimension; nothing changes them while the capsule
    // lives.
    let numbers = unsafe { std::slice::from_raw_parts(start, count) };
    Some(numbers.to_vec())
}

fn malformed(what: &str) -> PyErr {
    PyTypeError::new_err(format!("__dlpack__ {what}"))
}
