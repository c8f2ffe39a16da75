// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys from Python: texts, which count as their UTF-8, and bytes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::buffer::type_name;

/// The bytes of a key, which its object keeps.
pub(super) struct Key<'a>(&'a [u8]);

impl<'a> Key<'a> {
    /// A text or bytes.
    #[inline]
    pub(super) fn of(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self(text.to_str()?.as_bytes()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self(bytes.as_bytes()));
        }
        Err(PyTypeError::new_err(format!("a key is str or bytes, not {}", type_name(object))))
    }

    /// Its address and length.
    #[inline]
    pub(super) fn parts(&self) -> (usize, u64) {
        (self.0.as_ptr().expose_provenance(), self.0.len() as u64)
    }
}

/// Keys of a batch.
pub(super) struct Keys {
    /// Addresses of their bytes.
    pub(super) addresses: Vec<usize>,
    /// Their lengths.
    pub(super) lengths: Vec<usize>,
}

impl Keys {
    /// Keys from a list of objects, which own the bytes.
    pub(super) fn of(objects: &[Bound<'_, PyAny>]) -> PyResult<Self> {
        let mut addresses = Vec::with_capacity(objects.len());
        let mut lengths = Vec::with_capacity(objects.len());
        for object in objects {
            let Key(bytes) = Key::of(object)?;
            addresses.push(bytes.as_ptr().expose_provenance());
            lengths.push(bytes.len());
        }
        Ok(Self { addresses, lengths })
    }
}
