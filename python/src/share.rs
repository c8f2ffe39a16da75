// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf_smem.shm.ShareMemory`: an object of share memory.

use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use mf_abi::smem::{NO_RANK, SMEM_NOT_INIT, ShmHandle};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Access, Pin};
use crate::failure::Family;
use crate::fork::Generation;
use crate::library::Functions;
use crate::mapped::MappedPart;
use crate::{callbacks, failure, interrupts, number};

const FAMILY: Family = Family { name: "shm", remedy: "initialise and create" };

/// Most bytes that a rank gives to an allgather.
const PART_BYTES_MAX: usize = 65536;

/// An object of share memory. Made by `shm.create`; destroyed by `destroy` or when collected.
///
/// Addresses are plain integers: rank i's is ``gva + i * symmetric_size``. Methods raise a subclass of
/// `mf_smem.Error`, which is a `RuntimeError`, and may be called from any thread; waiting methods let other
/// Python threads run meanwhile.
#[pyclass(frozen, module = "mf_smem.shm")]
pub(crate) struct ShareMemory {
    functions: &'static Functions,
    /// NULL once destroyed.
    handle: AtomicPtr<c_void>,
    gva: usize,
    made: Generation,
    exit_handler: AtomicUsize,
}

impl ShareMemory {
    /// Wraps an object with rank 0's part at `gva`; it is destroyed with this one.
    pub(crate) fn new(functions: &'static Functions, handle: ShmHandle, gva: usize) -> Self {
        Self {
            functions,
            handle: AtomicPtr::new(handle),
            gva,
            made: Generation::now(),
            exit_handler: AtomicUsize::new(0),
        }
    }

    /// The native handle; NULL, which every function refuses, once destroyed or in a forked child.
    pub(crate) fn native(&self) -> ShmHandle {
        if self.is_inherited() { ptr::null_mut() } else { self.handle.load(Ordering::Relaxed) }
    }

    fn is_inherited(&self) -> bool {
        self.made.is_inherited()
    }

    /// Runs `call` with the handle and without the GIL, and raises its error.
    fn call(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, ShmHandle) -> i32 + Send,
    ) -> PyResult<()> {
        let functions = self.functions;
        let handle = self.native().expose_provenance();
        let code = interrupts::code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))?;
        self.check(py, code)
    }

    /// Raises a failed call.
    pub(crate) fn check(&self, py: Python<'_>, code: i32) -> PyResult<()> {
        FAMILY.check(py, self.made, code)
    }

    /// A value of a function that has no code; `nothing` stands for failure.
    fn found<T: PartialEq>(&self, py: Python<'_>, value: T, nothing: &T) -> PyResult<T> {
        if value != *nothing {
            return Ok(value);
        }
        self.check(py, failure::last_code_or_error()).map(|()| value)
    }

    /// Sends the bytes of `own` and collects the bytes of `ranks`.
    fn gather<'py>(
        &self,
        own: &Bound<'py, PyAny>,
        ranks: u32,
        mut call: impl FnMut(&'static Functions, ShmHandle, Parts) -> i32 + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = own.py();
        let pin = Pin::new(own, Access::Read)?;
        // Too many bytes are refused by the library before it checks the room.
        let room = if pin.bytes <= PART_BYTES_MAX { pin.bytes.saturating_mul(ranks as usize) } else { 0 };
        let mut all = vec![0u8; room];
        let parts = Parts {
            // An object without bytes may have no address; the library refuses its size.
            send: if pin.address == 0 { 1 } else { pin.address },
            send_size: u32::try_from(pin.bytes).unwrap_or(u32::MAX),
            receive: all.as_mut_ptr().expose_provenance(),
            receive_size: u32::try_from(room).unwrap_or(u32::MAX),
        };
        self.call(py, move |f, handle| call(f, handle, parts))?;
        Ok(PyBytes::new(py, &all))
    }

    fn ranks(&self, py: Python<'_>) -> PyResult<u32> {
        // SAFETY: the library checks the handle.
        let ranks = unsafe { (self.functions.smem_shm_get_global_rank_size)(self.native()) };
        self.found(py, ranks, &NO_RANK)
    }

    fn copy_pin(&self, py: Python<'_>, destination: usize, source: usize, bytes: usize) -> PyResult<()> {
        // No bytes: there is nothing to do.
        if bytes == 0 {
            return Ok(());
        }
        self.call(py, move |f, handle| {
            let destination = ptr::with_exposed_provenance_mut(destination);
            let source = ptr::with_exposed_provenance(source);
            // SAFETY: the library checks the end in the object; the other is pinned, or the caller's to vouch
            // for.
            unsafe { (f.mfx_shm_copy)(handle, destination, source, bytes as u64) }
        })
    }

    /// Destroys the native object: its code, 0 when that has happened before.
    fn end(&self, py: Python<'_>, flags: u32) -> i32 {
        if self.is_inherited() {
            return SMEM_NOT_INIT;
        }
        let handle = self.handle.swap(ptr::null_mut(), Ordering::Relaxed).expose_provenance();
        let functions = self.functions;
        // SAFETY: the library checks handles itself; this one is ours and destroyed once.
        let destroy =
            || unsafe { (functions.smem_shm_destroy)(ptr::with_exposed_provenance_mut(handle), flags) };
        let code = if handle == 0 { 0 } else { py.detach(destroy) };
        callbacks::remove_handler(self.exit_handler.swap(0, Ordering::Relaxed));
        code
    }
}

/// Buffers of an allgather, as numbers so that they may go where the GIL is not held.
#[derive(Clone, Copy)]
struct Parts {
    send: usize,
    send_size: u32,
    receive: usize,
    receive_size: u32,
}

impl Drop for ShareMemory {
    fn drop(&mut self) {
        // When the interpreter is gone there is nothing left to end.
        let _ = Python::try_attach(|py| self.end(py, 0));
    }
}

#[pymethods]
impl ShareMemory {
    /// The `smem_shm_t` as an integer, for C and C++ code in this process; 0 once destroyed.
    #[getter]
    fn handle(&self) -> usize {
        self.native().expose_provenance()
    }

    /// Address of rank 0's part, the same in all ranks.
    #[getter]
    fn gva(&self) -> usize {
        self.gva
    }

    /// One's own place among the ranks of the object.
    #[getter]
    fn local_rank(&self, py: Python<'_>) -> PyResult<u32> {
        // SAFETY: the library checks the handle.
        let rank = unsafe { (self.functions.smem_shm_get_global_rank)(self.native()) };
        self.found(py, rank, &NO_RANK)
    }

    /// Number of ranks of the object.
    #[getter]
    fn rank_size(&self, py: Python<'_>) -> PyResult<u32> {
        self.ranks(py)
    }

    /// Bytes from one rank's part to the next.
    #[getter]
    fn symmetric_size(&self, py: Python<'_>) -> PyResult<u64> {
        // SAFETY: the library checks the handle.
        let bytes = unsafe { (self.functions.smem_shm_get_symmetric_size)(self.native()) };
        self.found(py, bytes, &0)
    }

    /// Bytes of each part.
    #[getter]
    fn local_mem_size(&self, py: Python<'_>) -> PyResult<u64> {
        // SAFETY: the library checks the handle.
        let bytes = unsafe { (self.functions.mfx_shm_local_bytes)(self.native()) };
        self.found(py, bytes, &0)
    }

    /// Waits for all ranks. **Collective**; at most `operation_timeout`.
    fn barrier(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the library checks the handle.
        self.call(py, |f, handle| unsafe { (f.smem_shm_control_barrier)(handle) })
    }

    /// `barrier`, at most so many milliseconds.
    #[pyo3(signature = (timeout_ms))]
    fn barrier_within(&self, py: Python<'_>, timeout_ms: u32) -> PyResult<()> {
        // SAFETY: the library checks the handle.
        self.call(py, |f, handle| unsafe { (f.mfx_shm_barrier)(handle, timeout_ms) })
    }

    /// The bytes of all ranks, one behind the other. Every rank gives the same number of bytes, 1 to 65536.
    /// **Collective**; at most `operation_timeout`.
    #[pyo3(signature = (local_data))]
    fn all_gather<'py>(&self, local_data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let ranks = self.ranks(local_data.py())?;
        self.gather(local_data, ranks, |f, handle, parts| {
            let send = ptr::with_exposed_provenance(parts.send);
            let receive = ptr::with_exposed_provenance_mut(parts.receive);
            // SAFETY: the buffers have those sizes and live through the call.
            unsafe {
                (f.smem_shm_control_allgather)(handle, send, parts.send_size, receive, parts.receive_size)
            }
        })
    }

    /// `barrier` of `rank_size` ranks that give the same `key` (1 to 63 bytes); `rank` is one's own place
    /// among them.
    #[pyo3(signature = (key, rank_size, rank))]
    fn subgroup_barrier(
        &self,
        py: Python<'_>,
        key: &str,
        #[pyo3(from_py_with = number::word)] rank_size: u32,
        #[pyo3(from_py_with = number::word)] rank: u32,
    ) -> PyResult<()> {
        let key = key_text(py, key)?;
        // SAFETY: the key lives through the call; the library checks the rest.
        self.call(py, |f, handle| unsafe {
            (f.smem_shm_subgroup_barrier)(handle, key.as_ptr(), rank_size, rank)
        })
    }

    /// `all_gather` of `rank_size` ranks that give the same `key`; `rank` is one's own place among them.
    #[pyo3(signature = (key, rank_size, rank, local_data))]
    fn subgroup_all_gather<'py>(
        &self,
        key: &str,
        #[pyo3(from_py_with = number::word)] rank_size: u32,
        #[pyo3(from_py_with = number::word)] rank: u32,
        local_data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let key = key_text(local_data.py(), key)?;
        // A wrong number of ranks is for the library to refuse, before there is room for it.
        let room_for = rank_size.min(self.ranks(local_data.py())?);
        self.gather(local_data, room_for, move |f, handle, parts| {
            let send = ptr::with_exposed_provenance(parts.send);
            let receive = ptr::with_exposed_provenance_mut(parts.receive);
            // SAFETY: key and buffers live through the call; the buffers have those sizes.
            unsafe {
                (f.smem_shm_subgroup_allgather)(
                    handle,
                    key.as_ptr(),
                    rank_size,
                    rank,
                    send,
                    parts.send_size,
                    receive,
                    parts.receive_size,
                )
            }
        })
    }

    /// Copies 1 to 65536 bytes to where kernels of this rank find them.
    #[pyo3(signature = (context))]
    fn set_context(&self, context: &Bound<'_, PyAny>) -> PyResult<()> {
        let pin = Pin::new(context, Access::Read)?;
        let address = if pin.address == 0 { 1 } else { pin.address };
        let bytes = u32::try_from(pin.bytes).unwrap_or(u32::MAX);
        self.call(context.py(), move |f, handle| {
            // SAFETY: the bytes are pinned through the call; the library refuses sizes that are not allowed.
            unsafe { (f.smem_shm_set_extra_context)(handle, ptr::with_exposed_provenance(address), bytes) }
        })
    }

    /// Set of `ShmDataOpType` that every object supports.
    fn query_support_data_operation(&self) -> u32 {
        // SAFETY: takes no argument and may be called at any time.
        unsafe { (self.functions.smem_shm_query_support_data_operation)() }
    }

    /// Access of kernels on this rank to the memory of a rank: a set of `ShmDataOpType`.
    #[pyo3(signature = (rank))]
    fn reach(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] rank: u32) -> PyResult<u32> {
        let mut info = 0u32;
        let place = &mut info;
        // SAFETY: the library checks the handle and writes one number.
        self.call(py, move |f, handle| unsafe { (f.smem_shm_topology_can_reach)(handle, rank, place) })?;
        Ok(info)
    }

    /// `reach` under upstream's name: (0, set), or with the address of a 32-bit number, which the set is
    /// written to, 0.
    #[pyo3(signature = (remote_rank, reach_info=None))]
    fn topology_can_reach(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::word)] remote_rank: u32,
        reach_info: Option<usize>,
    ) -> PyResult<Py<PyAny>> {
        let Some(address) = reach_info else {
            return Ok((0i32, self.reach(py, remote_rank)?).into_pyobject(py)?.into_any().unbind());
        };
        self.call(py, move |f, handle| {
            let place = ptr::with_exposed_provenance_mut(address);
            // SAFETY: the library checks handle and null; a number lies there as the caller says.
            unsafe { (f.smem_shm_topology_can_reach)(handle, remote_rank, place) }
        })?;
        Ok(0i32.into_pyobject(py)?.into_any().unbind())
    }

    /// Takes the smallest number below `limit` (1 to 1024) that no rank of the object has.
    #[pyo3(signature = (limit=1024))]
    fn alloc_value(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] limit: u32) -> PyResult<i32> {
        let mut value = 0i32;
        let place = &mut value;
        // SAFETY: the library checks handle and limit and writes one number.
        self.call(py, move |f, handle| unsafe { (f.smem_shm_atomic_alloc_value)(handle, limit, place) })?;
        Ok(value)
    }

    /// Gives a number back.
    #[pyo3(signature = (value))]
    fn release_value(&self, py: Python<'_>, value: i32) -> PyResult<()> {
        // SAFETY: the library checks handle and value.
        self.call(py, |f, handle| unsafe { (f.smem_shm_atomic_release_value)(handle, value) })
    }

    /// Has `callback(status)` called, on a thread of the library, when a rank calls `global_exit`. Once for
    /// each object.
    #[pyo3(signature = (callback))]
    fn register_exit(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<()> {
        let kept = callbacks::add_handler(callback);
        let registered = self.call(py, move |f, handle| {
            // SAFETY: the callback is a function of ours; the context is a number that it resolves.
            unsafe {
                (f.mfx_shm_on_exit)(handle, Some(callbacks::share_exit), ptr::without_provenance_mut(kept))
            }
        });
        let unused = match registered {
            Ok(()) => self.exit_handler.swap(kept, Ordering::Relaxed),
            Err(_) => kept,
        };
        callbacks::remove_handler(unused);
        registered
    }

    /// Has the callbacks of all ranks called with `status`. Does not wait for them.
    #[pyo3(signature = (status))]
    fn global_exit(&self, py: Python<'_>, status: c_int) -> PyResult<()> {
        self.call(py, move |f, handle| {
            // The function has no code; the last error of this thread, cleared before, has it.
            // SAFETY: takes no argument and may be called at any time.
            unsafe { (f.smem_get_and_clear_last_err_msg)() };
            // SAFETY: the library checks the handle.
            unsafe { (f.smem_shm_global_exit)(handle, status) };
            // SAFETY: as for the first call.
            unsafe { (f.smem_get_last_err_code)() }
        })
    }

    /// Gives up this rank's side of the object. Idempotent; waits for kernels that use it. Returns 0.
    #[pyo3(signature = (flags=0))]
    fn destroy(&self, py: Python<'_>, #[pyo3(from_py_with = number::word)] flags: u32) -> PyResult<i32> {
        match self.end(py, flags) {
            SMEM_NOT_INIT if self.is_inherited() => Ok(0),
            code => self.check(py, code).map(|()| 0),
        }
    }

    /// Copies the bytes of `source`, any object that has some, to `address` in the object.
    #[pyo3(signature = (source, address))]
    fn put(
        &self,
        source: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::address)] address: usize,
    ) -> PyResult<()> {
        let pin = Pin::new(source, Access::Read)?;
        self.copy_pin(source.py(), address, pin.address, pin.bytes)
    }

    /// Fills `destination`, any writable object with bytes, from `address` in the object.
    #[pyo3(signature = (address, destination))]
    fn get(
        &self,
        #[pyo3(from_py_with = number::address)] address: usize,
        destination: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let pin = Pin::new(destination, Access::Write)?;
        self.copy_pin(destination.py(), pin.address, address, pin.bytes)
    }

    /// Copies `size` bytes between two addresses, at least one of them in the object.
    #[pyo3(signature = (src_ptr, dst_ptr, size))]
    fn copy_data(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] src_ptr: usize,
        #[pyo3(from_py_with = number::address)] dst_ptr: usize,
        #[pyo3(from_py_with = number::address)] size: usize,
    ) -> PyResult<()> {
        self.copy_pin(py, dst_ptr, src_ptr, size)
    }

    /// Maps the part of a rank for the processor, where it is host memory.
    #[pyo3(signature = (rank))]
    fn map_part(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::word)] rank: u32,
    ) -> PyResult<MappedPart> {
        let (mut address, mut bytes) = (ptr::null_mut(), 0u64);
        // SAFETY: the library checks handle and rank, and writes an address and a length.
        let code =
            unsafe { (self.functions.mfx_shm_map)(self.native(), rank, &raw mut address, &raw mut bytes) };
        self.check(py, code)?;
        Ok(MappedPart::new(self.functions, address.expose_provenance(), bytes))
    }

    fn __repr__(&self) -> String {
        format!("<mf_smem.shm.ShareMemory handle {:#x}>", self.native().expose_provenance())
    }
}

fn key_text(py: Python<'_>, key: &str) -> PyResult<CString> {
    failure::c_text(py, "shm: the key", key)
}
