// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A rank's part of share memory, mapped for the processor as long as the object lives.

use pyo3::prelude::*;

use crate::library::Functions;

/// A separate mapping: it outlives the share memory, and the rank of the mapped memory.
#[pyclass(frozen, weakref, module = "mf_smem._mf_smem")]
pub(crate) struct MappedPart {
    functions: &'static Functions,
    /// Address of the first byte in this process.
    #[pyo3(get)]
    address: usize,
    /// Length in bytes.
    #[pyo3(get)]
    nbytes: u64,
}

impl MappedPart {
    pub(crate) fn new(functions: &'static Functions, address: usize, nbytes: u64) -> Self {
        Self { functions, address, nbytes }
    }
}

impl Drop for MappedPart {
    fn drop(&mut self) {
        let address = std::ptr::with_exposed_provenance_mut(self.address);
        // SAFETY: the library made this mapping for this object alone, and users of its bytes hold the
        // object.
        let _nothing_to_do_about_it = unsafe { (self.functions.mfx_shm_unmap)(address, self.nbytes) };
    }
}
