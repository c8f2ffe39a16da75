// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `_mf_smem.CacheWriter`: a value that is written in pieces.

use std::sync::atomic::{AtomicUsize, Ordering};

use mf_abi::smem::{CacheWriterHandle, SMEM_NOT_INIT};
use pyo3::prelude::*;

use super::keys::Key;
use super::{CacheSession, FAMILY, how, pointer};
use crate::buffer::{Access, Pin};
use crate::fork::Generation;
use crate::library::Functions;
use crate::{failure, interrupts};

/// A value that is being written. Use `mf_smem.CacheWriter`.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct CacheWriter {
    functions: &'static Functions,
    /// 0 once ended.
    handle: AtomicUsize,
    made: Generation,
}

impl CacheWriter {
    /// Runs `call` with a handle and without the GIL, and raises where it fails.
    fn call(
        &self,
        py: Python<'_>,
        handle: usize,
        mut call: impl FnMut(&'static Functions, CacheWriterHandle) -> i32 + Send,
    ) -> PyResult<()> {
        if self.made.is_inherited() {
            return Err(FAMILY.failure(py, self.made, SMEM_NOT_INIT));
        }
        if handle == 0 {
            return Err(failure::exception(py, SMEM_NOT_INIT, "cache: the value is ended"));
        }
        let functions = self.functions;
        let code = interrupts::code(py, || call(functions, std::ptr::with_exposed_provenance_mut(handle)))?;
        failure::check(py, code)
    }

    fn end(&self) {
        let handle = self.handle.swap(0, Ordering::AcqRel);
        if handle != 0 && !self.made.is_inherited() {
            let functions = self.functions;
            let cancel = move || {
                // SAFETY: the library checks handles itself.
                unsafe { (functions.mfx_cache_write_cancel)(std::ptr::with_exposed_provenance_mut(handle)) };
            };
            Python::attach(|py| py.detach(cancel));
        }
    }
}

impl Drop for CacheWriter {
    fn drop(&mut self) {
        self.end();
    }
}

#[pymethods]
impl CacheWriter {
    /// Begins a value.
    #[new]
    #[pyo3(signature = (session, key, nbytes, replicas, replace, pin, prefer))]
    #[expect(clippy::too_many_arguments, reason = "those of put")]
    fn new(
        py: Python<'_>,
        session: &CacheSession,
        key: &Bound<'_, PyAny>,
        nbytes: u64,
        replicas: u32,
        replace: bool,
        pin: bool,
        prefer: Option<u32>,
    ) -> PyResult<Self> {
        let key = Key::of(key)?;
        let (key, key_bytes) = key.parts();
        let how = how(replicas, replace, pin, prefer);
        let (cache, functions) = (session.handle(py)?, session.functions);
        let handle = interrupts::handle(py, || {
            let cache = std::ptr::with_exposed_provenance_mut(cache);
            let begin = functions.mfx_cache_write_begin;
            // SAFETY: key and options live through the call.
            unsafe { begin(cache, pointer(key), key_bytes, nbytes, &raw const how) }.expose_provenance()
        })?;
        if handle == 0 {
            return Err(failure::of_last(py));
        }
        Ok(Self { functions, handle: AtomicUsize::new(handle), made: Generation::now() })
    }

    fn write(&self, py: Python<'_>, offset: u64, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Pin::new(data, Access::Read)?;
        let (address, bytes) = (data.address, data.bytes as u64);
        // SAFETY: the data live through the call.
        self.call(py, self.handle.load(Ordering::Acquire), |f, writer| unsafe {
            (f.mfx_cache_write)(writer, offset, pointer(address), bytes)
        })
    }

    /// Makes the value visible, and ends this object.
    fn publish(&self, py: Python<'_>) -> PyResult<bool> {
        let mut stored = false;
        let flag = &mut stored;
        // SAFETY: the result lives through the call.
        self.call(py, self.handle.swap(0, Ordering::AcqRel), |f, writer| unsafe {
            (f.mfx_cache_write_end)(writer, flag)
        })?;
        Ok(stored)
    }

    fn cancel(&self) {
        self.end();
    }

    #[getter]
    fn ended(&self) -> bool {
        self.handle.load(Ordering::Acquire) == 0
    }
}
