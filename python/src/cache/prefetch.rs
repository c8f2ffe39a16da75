// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `_mf_smem.CachePrefetch`: values that come to memory of this host in the background.

#![expect(clippy::needless_pass_by_value, reason = "the conversion from Python gives owned values")]

use mf_abi::smem::{CachePrefetchCounts, SMEM_NOT_INIT};
use pyo3::prelude::*;

use super::batch::{count, sources};
use super::keys::Keys;
use super::{CacheSession, FAMILY};
use crate::fork::Generation;
use crate::library::Functions;
use crate::{failure, interrupts};

/// A prefetch. Use `mf_smem.CachePrefetch`.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct CachePrefetch {
    functions: &'static Functions,
    handle: usize,
    made: Generation,
}

impl Drop for CachePrefetch {
    fn drop(&mut self) {
        if !self.made.is_inherited() {
            let handle = std::ptr::with_exposed_provenance_mut(self.handle);
            // SAFETY: the library checks handles itself, and does not wait.
            unsafe { (self.functions.mfx_cache_prefetch_end)(handle) };
        }
    }
}

#[pymethods]
impl CachePrefetch {
    /// Starts a prefetch.
    #[new]
    #[pyo3(signature = (session, keys, deadline_ms))]
    fn new(
        py: Python<'_>,
        session: &CacheSession,
        keys: Vec<Bound<'_, PyAny>>,
        deadline_ms: u64,
    ) -> PyResult<Self> {
        let named = Keys::of(&keys)?;
        let count = count(py, &named)?;
        let (cache, functions) = (session.handle(py)?, session.functions);
        let handle = interrupts::handle(py, || {
            let (cache, names) = (std::ptr::with_exposed_provenance_mut(cache), sources(&named.addresses));
            let start = functions.mfx_cache_prefetch;
            // SAFETY: the lists have `count` entries and live through the call, and so do the keys.
            unsafe { start(cache, names.as_ptr(), named.lengths.as_ptr(), count, deadline_ms) }
                .expose_provenance()
        })?;
        if handle == 0 {
            return Err(failure::of_last(py));
        }
        Ok(Self { functions, handle, made: Generation::now() })
    }

    /// Waits. Returns whether it is done, and the counts.
    fn wait(&self, py: Python<'_>, timeout_ms: u64) -> PyResult<(bool, [u64; 6])> {
        if self.made.is_inherited() {
            return Err(FAMILY.failure(py, self.made, SMEM_NOT_INIT));
        }
        let (mut found, mut done) = (CachePrefetchCounts::default(), false);
        let (counts, flag) = (&mut found, &mut done);
        let (functions, handle) = (self.functions, self.handle);
        let code = interrupts::code(py, || {
            let handle = std::ptr::with_exposed_provenance_mut(handle);
            // SAFETY: the results live through the call.
            unsafe { (functions.mfx_cache_prefetch_wait)(handle, timeout_ms, counts, flag) }
        })?;
        failure::check(py, code)?;
        let CachePrefetchCounts { keys, present, fetched, missing, failed, dropped } = found;
        Ok((done, [keys, present, fetched, missing, failed, dropped]))
    }
}
