// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `memfabric_hybrid.bm.BigMemory`: failures are return codes.

use mf_abi::smem::SMEM_INVALID_PARAM;
use mf_abi::smem::SMEM_NOT_INIT;
use pyo3::prelude::*;

use crate::memory::{Batch, Memory, Piece};
use crate::number;
use crate::raising::{BigMemory, required_size};

/// A pool of big memory under upstream's names: every method returns a code, 0 for success, and none raises
/// for a failure (only waiting methods raise, `KeyboardInterrupt`). The text of the last failure is
/// `get_last_err_msg()`.
#[pyclass(frozen, name = "BigMemory", module = "memfabric_hybrid.bm")]
pub(crate) struct CodedBigMemory {
    inner: Py<BigMemory>,
}

impl CodedBigMemory {
    fn memory(&self) -> &Memory {
        &self.inner.get().memory
    }

    /// A pool of the parent process is refused as not initialised, which it is in this process.
    #[inline]
    fn code(&self, code: i32) -> i32 {
        if code != 0 && self.memory().is_inherited() { SMEM_NOT_INIT } else { code }
    }
}

#[pymethods]
impl CodedBigMemory {
    /// Shows `memory` in the style of codes; both are the same pool.
    #[new]
    #[pyo3(signature = (memory))]
    fn new(memory: Py<BigMemory>) -> Self {
        Self { inner: memory }
    }

    /// The same pool in the style of exceptions.
    #[getter]
    fn raising(&self, py: Python<'_>) -> Py<BigMemory> {
        self.inner.clone_ref(py)
    }

    /// The `smem_bm_t` as an integer, for C and C++ code in this process; 0 once destroyed.
    #[getter]
    fn handle(&self) -> usize {
        self.memory().handle().expose_provenance()
    }

    /// Joins the pool.
    #[pyo3(signature = (flags=0))]
    fn join(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] flags: u32) -> PyResult<i32> {
        Ok(self.code(self.memory().join(py, flags)?))
    }

    /// Leaves the pool.
    #[pyo3(signature = (flags=0))]
    fn leave(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] flags: u32) -> PyResult<i32> {
        Ok(self.code(self.memory().leave(py, flags)?))
    }

    /// Size of one's own segment in bytes; 0 on any error.
    #[pyo3(signature = (mem_type=2))]
    fn local_mem_size(&self, #[pyo3(from_py_with = number::word)] mem_type: u32) -> u64 {
        self.memory().local_bytes(mem_type)
    }

    /// Address of a rank's segment; 0 on any error.
    #[pyo3(signature = (peer_rank, mem_type=2))]
    fn peer_rank_ptr(
        &self,
        #[pyo3(from_py_with = number::small)] peer_rank: u16,
        #[pyo3(from_py_with = number::word)] mem_type: u32,
    ) -> usize {
        self.memory().address(mem_type, peer_rank)
    }

    /// Copies `size` bytes between two addresses.
    #[pyo3(signature = (src_ptr, dst_ptr, size, r#type, flags=0, stream=0))]
    #[expect(clippy::too_many_arguments, reason = "the signature of the interface")]
    fn copy_data(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] src_ptr: usize,
        #[pyo3(from_py_with = number::address)] dst_ptr: usize,
        #[pyo3(from_py_with = number::address)] size: usize,
        #[pyo3(from_py_with = number::word)] r#type: u32,
        #[pyo3(from_py_with = number::word)] flags: u32,
        #[pyo3(from_py_with = number::address)] stream: usize,
    ) -> PyResult<i32> {
        let piece = Piece { src: src_ptr, dst: dst_ptr, bytes: size };
        Ok(self.code(self.memory().copy(py, piece, r#type, flags, stream)?))
    }

    /// Copies the first `count` of many ranges.
    #[pyo3(signature = (src_addrs, dst_addrs, sizes, count, r#type, flags=0, stream=0))]
    #[expect(clippy::too_many_arguments, reason = "the signature of the interface")]
    fn copy_data_batch(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::addresses)] src_addrs: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] dst_addrs: Vec<usize>,
        #[pyo3(from_py_with = number::sizes)] sizes: Vec<u64>,
        #[pyo3(from_py_with = number::address)] count: usize,
        #[pyo3(from_py_with = number::word)] r#type: u32,
        #[pyo3(from_py_with = number::word)] flags: u32,
        #[pyo3(from_py_with = number::address)] stream: usize,
    ) -> PyResult<i32> {
        Ok(match Batch::new(src_addrs, dst_addrs, sizes, count) {
            Some(batch) => self.code(self.memory().copy_batch(py, batch, r#type, flags, stream)?),
            None => SMEM_INVALID_PARAM,
        })
    }

    /// Copies the first `count` of many ranges, and goes on where elements fail: a code, -2012 where some
    /// of them failed, and the code of each.
    #[pyo3(signature = (src_addrs, dst_addrs, sizes, count, r#type, flags=0))]
    #[expect(clippy::too_many_arguments, reason = "the signature of the interface")]
    fn copy_data_batch_partial_succeed(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::addresses)] src_addrs: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] dst_addrs: Vec<usize>,
        #[pyo3(from_py_with = number::sizes)] sizes: Vec<u64>,
        #[pyo3(from_py_with = number::address)] count: usize,
        #[pyo3(from_py_with = number::word)] r#type: u32,
        #[pyo3(from_py_with = number::word)] flags: u32,
    ) -> PyResult<(i32, Vec<i32>)> {
        let Some(batch) = Batch::new(src_addrs, dst_addrs, sizes, count) else {
            return Ok((SMEM_INVALID_PARAM, Vec::new()));
        };
        let (code, codes) = self.memory().copy_each(py, batch, r#type, flags)?;
        Ok((self.code(code), codes))
    }

    /// Waits until everything that this pool queued is done; returns its first error.
    fn wait(&self, py: Python<'_>) -> PyResult<i32> {
        Ok(self.code(self.memory().wait(py)?))
    }

    /// Registers private memory.
    #[pyo3(signature = (addr, size))]
    fn register(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::size)] addr: u64,
        #[pyo3(from_py_with = number::size)] size: u64,
    ) -> PyResult<i32> {
        Ok(self.code(self.memory().register(py, addr, size)?))
    }

    /// Ends the registration that starts at `addr`.
    #[pyo3(signature = (addr))]
    fn unregister(&self, py: Python<'_>, #[pyo3(from_py_with = number::size)] addr: u64) -> PyResult<i32> {
        Ok(self.code(self.memory().unregister(py, addr)?))
    }

    /// Rank of the segment with `gva`; 4294967295 outside of the pool.
    #[pyo3(signature = (gva))]
    fn get_rank_id_by_gva(&self, #[pyo3(from_py_with = number::address)] gva: usize) -> u32 {
        self.memory().rank_of(gva)
    }

    /// Address in this process of the pool address `gva`; 0 on any error.
    #[pyo3(signature = (gva, mem_type=1))]
    fn gva_to_va(
        &self,
        #[pyo3(from_py_with = number::address)] gva: usize,
        #[pyo3(from_py_with = number::word)] mem_type: u32,
    ) -> usize {
        self.memory().local_address(gva, mem_type).1
    }

    /// Grows one's own segment by `size` bytes.
    #[pyo3(signature = (mem_type=3, size=None))]
    fn extend_local_mem(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::word)] mem_type: u32,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i32> {
        let bytes = required_size(size)?;
        Ok(self.code(self.memory().extend(py, mem_type, bytes)?))
    }

    /// Has `callback(rank, event)` called, on a thread of the library, when a rank joins or leaves; None ends
    /// it.
    #[pyo3(signature = (cb))]
    fn set_group_event_handler(&self, py: Python<'_>, cb: Option<Py<PyAny>>) -> PyResult<()> {
        // Upstream's signature has no place for the code; the text stays in `get_last_err_msg()`.
        self.memory().set_event_handler(py, cb).map(drop)
    }

    /// Leaves and destroys the pool. Idempotent.
    fn destroy(&self) {
        self.memory().destroy();
    }

    fn __repr__(&self) -> String {
        format!("<memfabric_hybrid.bm.BigMemory handle {:#x}>", self.memory().handle().expose_provenance())
    }
}
