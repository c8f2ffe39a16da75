// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pinned buffer as a Python object, for callers that need its address.

use pyo3::prelude::*;

use crate::buffer::{Access, Pin};

/// The bytes of an object, pinned: they stay at `address` as long as this object lives.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct Buffer {
    pin: Pin,
}

#[pymethods]
impl Buffer {
    /// Pins the bytes of `source`; with `writable` they must be so.
    #[new]
    #[pyo3(signature = (source, writable=false))]
    fn new(source: &Bound<'_, PyAny>, writable: bool) -> PyResult<Self> {
        let access = if writable { Access::Write } else { Access::Read };
        Ok(Self { pin: Pin::new(source, access)? })
    }

    /// Address of the first byte.
    #[getter]
    fn address(&self) -> usize {
        self.pin.address
    }

    /// Length in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.pin.bytes
    }

    /// True if the bytes are read-only.
    #[getter]
    fn readonly(&self) -> bool {
        self.pin.is_readonly
    }
}
