// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf_smem.bm.BigMemory`: failures are exceptions.

use mf_abi::smem::{
    ASYNC_COPY_FLAG, NO_RANK, SMEM_INVALID_PARAM, SMEM_MEM_TYPE_DEVICE, SMEM_MEM_TYPE_HOST,
    SMEM_PARTIAL_FAILED, SMEMB_COPY_AUTO,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::buffer::{Access, Pin};
use crate::evaluation::Evaluate as _;
use crate::failure::Family;
use crate::mapped::MappedPart;
use crate::memory::{Batch, Memory, Piece, Rows, Word};
use crate::{failure, number};

const FAMILY: Family = Family { name: "bm", remedy: "initialise and create" };

/// Largest world, and so the largest number of members.
const WORLD_SIZE_MAX: u32 = 16_384;

/// A pool of big memory. Made by `bm.create` or `bm.create2`; destroyed by `destroy` or when collected.
///
/// Addresses are plain integers. Methods raise a subclass of `mf_smem.Error`, which is a `RuntimeError`, and
/// may be called from any thread; methods that wait or copy 64 KiB or more let other Python threads run
/// meanwhile. The default kind of memory is the device window if the pool has one, else the host window.
#[pyclass(frozen, module = "mf_smem.bm")]
pub(crate) struct BigMemory {
    pub(crate) memory: Memory,
}

impl BigMemory {
    /// The exception for a failed call.
    #[cold]
    fn failure(&self, py: Python<'_>, code: i32) -> PyErr {
        if self.memory.handle().is_null() && !self.memory.is_inherited() {
            return failure::exception(py, code, "bm: the pool is closed");
        }
        FAMILY.failure(py, self.memory.made(), code)
    }

    #[inline]
    fn check(&self, py: Python<'_>, code: i32) -> PyResult<()> {
        if code == 0 { Ok(()) } else { Err(self.failure(py, code)) }
    }

    /// `check` for methods with codes that callers compare with 0.
    fn zero(&self, py: Python<'_>, code: i32) -> PyResult<i32> {
        self.check(py, code).map(|()| 0)
    }

    /// The kind that stands for "left out".
    fn kind_or_default(&self, kind: Option<u32>) -> u32 {
        kind.unwrap_or_else(|| {
            if self.memory.address(SMEM_MEM_TYPE_DEVICE, 0) != 0 {
                SMEM_MEM_TYPE_DEVICE
            } else {
                SMEM_MEM_TYPE_HOST
            }
        })
    }

    fn address(&self, py: Python<'_>, kind: u32, rank: u16) -> PyResult<usize> {
        match self.memory.address(kind, rank) {
            0 => Err(self.failure(py, failure::last_code_or_error())),
            address => Ok(address),
        }
    }

    /// A copy of no bytes: there is nothing to do.
    fn nothing(&self, py: Python<'_>) -> PyResult<()> {
        let code = if self.memory.handle().is_null() { SMEM_INVALID_PARAM } else { 0 };
        self.check(py, code)
    }

    fn copy_pins(
        &self,
        py: Python<'_>,
        pairs: Vec<(Pin, usize)>,
        access: Access,
        flags: u32,
    ) -> PyResult<()> {
        let count = pairs.len();
        let pairs: Vec<_> = pairs.into_iter().filter(|(pin, _)| pin.bytes > 0).collect();
        if pairs.is_empty() && count > 0 {
            return self.nothing(py);
        }
        let inner: Vec<usize> = pairs.iter().map(|(pin, _)| pin.address).collect();
        let outer: Vec<usize> = pairs.iter().map(|(_, address)| *address).collect();
        let bytes: Vec<u64> = pairs.iter().map(|(pin, _)| pin.bytes as u64).collect();
        let (src, dst) = if access == Access::Read { (inner, outer) } else { (outer, inner) };
        let batch =
            Batch::new(src, dst, bytes, pairs.len()).ok_or_else(|| self.failure(py, SMEM_INVALID_PARAM))?;
        let code = self.memory.copy_batch(py, batch, SMEMB_COPY_AUTO, flags, 0);
        if flags & ASYNC_COPY_FLAG != 0 {
            // Also after a failure: a part may have been queued.
            self.memory.keep_until_wait(pairs.into_iter().map(|(pin, _)| pin));
        }
        self.check(py, code?)
    }

    fn copy_pin(&self, py: Python<'_>, pin: Pin, address: usize, access: Access, flags: u32) -> PyResult<()> {
        if pin.bytes == 0 {
            return self.nothing(py);
        }
        let (src, dst) = if access == Access::Read { (pin.address, address) } else { (address, pin.address) };
        let code = self.memory.copy(py, Piece { src, dst, bytes: pin.bytes }, SMEMB_COPY_AUTO, flags, 0);
        if flags & ASYNC_COPY_FLAG != 0 {
            self.memory.keep_until_wait([pin]);
        }
        self.check(py, code?)
    }
}

#[pymethods]
impl BigMemory {
    /// Wraps the `smem_bm_t` of a pool that C or C++ code in this process made. It stays theirs: collecting
    /// this object does not destroy it.
    #[staticmethod]
    #[pyo3(signature = (handle))]
    fn from_handle(#[pyo3(from_py_with = number::address)] handle: usize) -> PyResult<Self> {
        let functions = crate::library::functions()?;
        let memory = Memory::new(functions, std::ptr::with_exposed_provenance_mut(handle), false);
        Ok(Self { memory })
    }

    /// The `smem_bm_t` as an integer, for C and C++ code in this process; 0 once destroyed.
    #[getter]
    fn handle(&self) -> usize {
        self.memory.handle().expose_provenance()
    }

    /// Joins the pool and returns the address of one's own segment. **Collective with the present members**;
    /// waits at most `operation_timeout`.
    #[pyo3(signature = (flags=0))]
    fn join(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] flags: u32) -> PyResult<usize> {
        let code = self.memory.join(py, flags)?;
        self.check(py, code)?;
        // SAFETY: takes no argument and may be called at any time.
        let rank = unsafe { (crate::library::functions()?.smem_bm_get_rank_id)() };
        self.address(py, self.kind_or_default(None), u16::try_from(rank).unwrap_or(u16::MAX))
    }

    /// Leaves the pool; its own memory stays readable for the owner.
    #[pyo3(signature = (flags=0))]
    fn leave(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] flags: u32) -> PyResult<()> {
        let code = self.memory.leave(py, flags)?;
        self.check(py, code)
    }

    /// Size of the local segment in bytes; 0 without one of this kind.
    #[pyo3(signature = (mem_type=None))]
    fn local_mem_size(&self, py: Python<'_>, mem_type: Option<u32>) -> PyResult<u64> {
        if self.memory.handle().is_null() {
            return Err(self.failure(py, SMEM_INVALID_PARAM));
        }
        Ok(self.memory.local_bytes(self.kind_or_default(mem_type)))
    }

    /// Address of a rank's segment, whether or not that rank has joined.
    #[pyo3(signature = (peer_rank, mem_type=None))]
    fn peer_rank_ptr(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::small)] peer_rank: u16,
        mem_type: Option<u32>,
    ) -> PyResult<usize> {
        self.address(py, self.kind_or_default(mem_type), peer_rank)
    }

    /// Copies `size` bytes between two addresses. With the flag bit `ASYNC_COPY` it may only be queued, and
    /// both ranges must stay as they are until `wait`.
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
    ) -> PyResult<()> {
        let code =
            self.memory.copy(py, Piece { src: src_ptr, dst: dst_ptr, bytes: size }, r#type, flags, stream);
        self.check(py, code?)
    }

    /// Copies the first `count` of many ranges, in any order; every range is checked before the first byte
    /// moves. Returns 0.
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
        let Some(batch) = Batch::new(src_addrs, dst_addrs, sizes, count) else {
            let text = "bm copy batch: count is larger than the shortest of the three lists";
            return Err(failure::exception(py, SMEM_INVALID_PARAM, text));
        };
        let code = self.memory.copy_batch(py, batch, r#type, flags, stream)?;
        self.zero(py, code)
    }

    /// As `copy_data_batch`, and goes on where elements fail: 0, or -2012 where some of them failed, and
    /// the code of each. Raises where all of them failed.
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
            let text = "bm copy batch: count is larger than the shortest of the three lists";
            return Err(failure::exception(py, SMEM_INVALID_PARAM, text));
        };
        let (code, codes) = self.memory.copy_each(py, batch, r#type, flags)?;
        if code != SMEM_PARTIAL_FAILED {
            self.check(py, code)?;
        }
        Ok((code, codes))
    }

    /// Copies rows, as `mf_smem.bm.CopyData2DParams` says.
    #[pyo3(signature = (params, r#type, flags=0))]
    fn copy_data_2d(
        &self,
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::word)] r#type: u32,
        #[pyo3(from_py_with = number::word)] flags: u32,
    ) -> PyResult<()> {
        let rows = Rows::of(params)?;
        let code = self.memory.copy_rows(py, rows, r#type, flags)?;
        self.check(py, code)
    }

    /// Waits until everything that this pool queued is done, and raises its first error. Returns 0.
    fn wait(&self, py: Python<'_>) -> PyResult<i32> {
        let code = self.memory.wait(py)?;
        self.zero(py, code)
    }

    /// Registers private memory, which may make copies from and to it faster. Returns 0.
    #[pyo3(signature = (addr, size))]
    fn register(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::size)] addr: u64,
        #[pyo3(from_py_with = number::size)] size: u64,
    ) -> PyResult<i32> {
        let code = self.memory.register(py, addr, size)?;
        self.zero(py, code)
    }

    /// Ends the registration that starts at `addr`. Returns 0, also for an unknown address.
    #[pyo3(signature = (addr))]
    fn unregister(&self, py: Python<'_>, #[pyo3(from_py_with = number::size)] addr: u64) -> PyResult<i32> {
        let code = self.memory.unregister(py, addr)?;
        self.zero(py, code)
    }

    /// Rank of the segment with `gva`, joined or not; 4294967295 outside of the pool.
    #[pyo3(signature = (gva))]
    fn get_rank_id_by_gva(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] gva: usize,
    ) -> PyResult<u32> {
        let rank = self.memory.rank_of(gva);
        // The functions that return a rank return a code as a rank when the handle is not usable.
        match rank.cast_signed() {
            code if rank != NO_RANK && code < 0 => Err(self.failure(py, code)),
            _ => Ok(rank),
        }
    }

    /// Address in this process of the pool address `gva`.
    #[pyo3(signature = (gva, mem_type=1))]
    fn gva_to_va(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] gva: usize,
        #[pyo3(from_py_with = number::word)] mem_type: u32,
    ) -> PyResult<usize> {
        let (code, address) = self.memory.local_address(gva, mem_type);
        self.check(py, code).map(|()| address)
    }

    /// Grows one's own segment by `size` bytes, at most to the pool's maximum; peers can use it at once.
    /// Returns 0.
    #[pyo3(signature = (mem_type=3, size=None))]
    fn extend_local_mem(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::word)] mem_type: u32,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i32> {
        let code = self.memory.extend_or_explain(py, mem_type, required_size(size)?)?;
        self.zero(py, code)
    }

    /// Has `callback(rank, event)` called, on a thread of the library, when a rank joins or leaves; None ends
    /// it.
    #[pyo3(signature = (cb))]
    fn set_group_event_handler(&self, py: Python<'_>, cb: Option<Py<PyAny>>) -> PyResult<()> {
        let code = self.memory.set_event_handler(py, cb)?;
        self.check(py, code)
    }

    /// Leaves and destroys the pool. Idempotent. Views have mappings of their own, which stay.
    fn destroy(&self) {
        self.memory.destroy();
    }

    /// Ranks that are in the pool now, in order, one's own included.
    fn members(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let (code, ranks) = self.memory.members(WORLD_SIZE_MAX);
        self.check(py, code).map(|()| ranks)
    }

    /// Counters of copies, and members of the pool, as JSON.
    fn stats_json(&self, py: Python<'_>) -> PyResult<String> {
        self.memory.stats_json(py)
    }

    /// Copies the bytes of `source`, any object that has some, to the pool address `address`. With the flag
    /// bit `ASYNC_COPY` it may only be queued; `source` is then kept alive until `wait` and must not
    /// change.
    #[pyo3(signature = (source, address, flags=0))]
    fn put(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::address)] address: usize,
        #[pyo3(from_py_with = number::word)] flags: u32,
    ) -> PyResult<()> {
        let pin = Pin::new(source, Access::Read)?;
        self.copy_pin(py, pin, address, Access::Read, flags)
    }

    /// Fills `destination`, any writable object with bytes, from the pool address `address`. With the flag
    /// bit `ASYNC_COPY` it may only be queued; `destination` is then kept alive until `wait`.
    #[pyo3(signature = (address, destination, flags=0))]
    fn get(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] address: usize,
        destination: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::word)] flags: u32,
    ) -> PyResult<()> {
        let pin = Pin::new(destination, Access::Write)?;
        self.copy_pin(py, pin, address, Access::Write, flags)
    }

    /// `put` of many pairs (source, address) in one call.
    #[pyo3(signature = (pairs, flags=0))]
    fn put_batch(
        &self,
        py: Python<'_>,
        pairs: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::word)] flags: u32,
    ) -> PyResult<()> {
        let pairs = pinned(pairs, Access::Read)?;
        self.copy_pins(py, pairs, Access::Read, flags)
    }

    /// `get` of many pairs (address, destination) in one call.
    #[pyo3(signature = (pairs, flags=0))]
    fn get_batch(
        &self,
        py: Python<'_>,
        pairs: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::word)] flags: u32,
    ) -> PyResult<()> {
        let pairs = pinned(pairs, Access::Write)?;
        self.copy_pins(py, pairs, Access::Write, flags)
    }

    /// Maps the segment of a rank (None: one's own) of a kind for the processor, independent of the pool's
    /// lifetime.
    #[pyo3(signature = (mem_type, rank=None))]
    fn map_segment(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::word)] mem_type: u32,
        rank: Option<u32>,
    ) -> PyResult<MappedPart> {
        let (functions, code, address, bytes) = self.memory.map(mem_type, rank);
        self.check(py, code)?;
        Ok(MappedPart::new(functions, address, bytes))
    }

    /// Changes the word of `width` bytes at `address` and returns its old value.
    #[pyo3(signature = (address, width, kind, value, compare))]
    fn atomic(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] address: usize,
        width: u32,
        kind: u32,
        value: u64,
        compare: u64,
    ) -> PyResult<u64> {
        let (code, old) = self.memory.atomic(py, Word { address, width, kind, value }, compare)?;
        self.check(py, code).map(|()| old)
    }

    /// Copies the bytes of `source` (None: none) to `address`, then changes the word at `signal`.
    #[pyo3(signature = (source, address, signal, width, kind, value))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the interface")]
    fn put_signal(
        &self,
        py: Python<'_>,
        source: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number::address)] address: usize,
        #[pyo3(from_py_with = number::address)] signal: usize,
        width: u32,
        kind: u32,
        value: u64,
    ) -> PyResult<()> {
        let pin = source.map(|source| Pin::new(source, Access::Read)).transpose()?;
        let (src, bytes) = pin.as_ref().map_or((0, 0), |pin| (pin.address, pin.bytes));
        let word = Word { address: signal, width, kind, value };
        let code = self.memory.put_signal(py, Piece { src, dst: address, bytes }, word)?;
        self.check(py, code)
    }

    fn __repr__(&self) -> String {
        format!("<mf_smem.bm.BigMemory handle {:#x}>", self.memory.handle().expose_provenance())
    }
}

/// `size` of `extend_local_mem`, which stands behind an argument with a default and is required all the same.
pub(crate) fn required_size(size: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    match size {
        Some(size) => number::size(size),
        None => Err(PyTypeError::new_err("extend_local_mem() missing required argument: 'size'")),
    }
}

/// Pins the objects of (source, address) pairs, or of (address, destination) pairs for `Access::Write`.
fn pinned(pairs: &Bound<'_, PyAny>, access: Access) -> PyResult<Vec<(Pin, usize)>> {
    let mut pins = Vec::new();
    for pair in pairs.items()? {
        let (first, second): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
        let (object, address) = if access == Access::Read { (first, second) } else { (second, first) };
        pins.push((Pin::new(&object, access)?, number::address(&address)?));
    }
    Ok(pins)
}
