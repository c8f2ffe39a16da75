// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An endpoint of transfers, for `mf_smem.transfer`: calls and codes, no exceptions but for the constructor.

use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use mf_abi::smem::{QuantCopyParam, SMEM_INVALID_PARAM, SMEM_NOT_INIT, TransConfig, TransHandle};
use pyo3::prelude::*;

use crate::big_memory::fill;
use crate::evaluation::Evaluate as _;
use crate::failure::Family;
use crate::fork::Generation;
use crate::library::{Functions, functions};
use crate::{callbacks, failure, interrupts, number};

const FAMILY: Family = Family { name: "transfer", remedy: "make an engine" };

/// The callback of the interface.
type PeerDown = unsafe extern "C-unwind" fn(*const c_char, *mut c_void);

/// An endpoint of transfers: `smem_trans_t`. Destroyed by `destroy`, or when it is collected.
///
/// Methods return codes, 0 for success; the text of the last failure is `get_last_err_msg()`. All let other
/// threads run meanwhile.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct TransferEndpoint {
    functions: &'static Functions,
    /// NULL once destroyed.
    handle: AtomicPtr<c_void>,
    made: Generation,
    down: AtomicUsize,
}

impl TransferEndpoint {
    /// Makes a call with the handle and without the GIL; a handle that is of the parent process is refused.
    pub(crate) fn call(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&Functions, TransHandle) -> i32 + Send,
    ) -> PyResult<i32> {
        if self.made.is_inherited() {
            return Ok(SMEM_NOT_INIT);
        }
        let (functions, handle) = (self.functions, self.handle.load(Ordering::Relaxed).expose_provenance());
        interrupts::code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))
    }

    /// The exception for a code of [`call`](Self::call) that is not 0.
    pub(crate) fn check(&self, py: Python<'_>, code: i32) -> PyResult<()> {
        FAMILY.check(py, self.made, code)
    }

    fn end(&self, py: Python<'_>) {
        let handle = self.handle.swap(ptr::null_mut(), Ordering::Relaxed);
        if !handle.is_null() && !self.made.is_inherited() {
            let (functions, handle) = (self.functions, handle.expose_provenance());
            // SAFETY: the handle is ours, and destroyed once. Waits for callbacks, which may want the GIL.
            py.detach(|| unsafe {
                (functions.smem_trans_destroy)(ptr::with_exposed_provenance_mut(handle), 0);
            });
        }
        callbacks::remove_handler(self.down.swap(0, Ordering::Relaxed));
    }
}

impl Drop for TransferEndpoint {
    fn drop(&mut self) {
        Python::attach(|py| self.end(py));
    }
}

/// Passes the name of a lost endpoint to handler number `context`. May be called by any thread.
unsafe extern "C-unwind" fn peer_down(name: *const c_char, context: *mut c_void) {
    let name = failure::owned(name);
    callbacks::call(context, |py, handler| handler.bind(py).evaluate((name,)).map(drop));
}

pub(crate) fn list<T>(addresses: &[usize]) -> Vec<*mut T> {
    addresses.iter().map(|&address| ptr::with_exposed_provenance_mut(address)).collect()
}

/// Number of pieces in the lists. Returns `None` if the lengths differ, or for too many pieces.
pub(crate) fn count(lengths: &[usize]) -> Option<u32> {
    let first = *lengths.first()?;
    lengths.iter().all(|length| *length == first).then(|| u32::try_from(first).ok()).flatten()
}

#[pymethods]
#[expect(
    clippy::needless_pass_by_value,
    reason = "lists are made of Python's for each call, and handed over"
)]
impl TransferEndpoint {
    /// Makes an endpoint of that name at a store. Blocks at most `timeout` seconds.
    #[new]
    #[pyo3(signature = (store_url, name, role, device_id, data_op_type, nic="", timeout=120))]
    #[expect(clippy::too_many_arguments, reason = "the configuration of the interface")]
    fn new(
        py: Python<'_>,
        store_url: &str,
        name: &str,
        #[pyo3(from_py_with = number::word)] role: u32,
        #[pyo3(from_py_with = number::word)] device_id: u32,
        #[pyo3(from_py_with = number::word)] data_op_type: u32,
        nic: &str,
        #[pyo3(from_py_with = number::word)] timeout: u32,
    ) -> PyResult<Self> {
        let functions = functions()?;
        let url = failure::c_text(py, "transfer: the URL of the store", store_url)?;
        let name = failure::c_text(py, "transfer: the name", name)?;
        let mut config = MaybeUninit::<TransConfig>::uninit();
        // SAFETY: the function fills the whole structure, with the layout fixed by the ABI version.
        failure::check(py, unsafe { (functions.smem_trans_config_init)(config.as_mut_ptr()) })?;
        // SAFETY: filled above.
        let mut config = unsafe { config.assume_init() };
        config.role = role;
        config.init_timeout = timeout;
        config.device_id = device_id;
        config.data_op_type = data_op_type;
        if !fill(&mut config.nic, nic) {
            return Err(failure::exception(
                py,
                SMEM_INVALID_PARAM,
                "transfer: the nic has more than 63 bytes",
            ));
        }
        // SAFETY: the configuration lives through the call.
        let code = interrupts::code(py, || unsafe { (functions.smem_trans_init)(&raw const config) })?;
        failure::check(py, code)?;
        let handle = interrupts::handle(py, || {
            // SAFETY: texts and configuration live through the call.
            unsafe { (functions.smem_trans_create)(url.as_ptr(), name.as_ptr(), &raw const config) }
                .expose_provenance()
        })?;
        if handle == 0 {
            return Err(failure::of_last(py));
        }
        let handle = AtomicPtr::new(ptr::with_exposed_provenance_mut(handle));
        Ok(Self { functions, handle, made: Generation::now(), down: AtomicUsize::new(0) })
    }

    /// The `smem_trans_t` as an integer; 0 once destroyed.
    #[getter]
    fn handle(&self) -> usize {
        self.handle.load(Ordering::Relaxed).expose_provenance()
    }

    /// Registers ranges, all or none.
    #[pyo3(signature = (addresses, sizes))]
    fn register(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::addresses)] addresses: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] sizes: Vec<usize>,
    ) -> PyResult<i32> {
        let Some(count) = count(&[addresses.len(), sizes.len()]) else { return Ok(SMEM_INVALID_PARAM) };
        self.call(py, |functions, handle| {
            let places = list::<c_void>(&addresses);
            // SAFETY: both lists have `count` elements and live through the call, which reads nothing at the
            // addresses.
            unsafe {
                (functions.smem_trans_batch_register_mem)(handle, places.as_ptr(), sizes.as_ptr(), count, 0)
            }
        })
    }

    /// Takes a registration back.
    #[pyo3(signature = (address))]
    fn deregister(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::address)] address: usize,
    ) -> PyResult<i32> {
        self.call(py, |functions, handle| {
            // SAFETY: the library checks handle and address.
            unsafe {
                (functions.smem_trans_deregister_mem)(handle, ptr::with_exposed_provenance_mut(address))
            }
        })
    }

    /// Registered zeroed memory: its address, 0 on failure.
    #[pyo3(signature = (size))]
    fn malloc(&self, py: Python<'_>, #[pyo3(from_py_with = number::address)] size: usize) -> PyResult<usize> {
        let mut address = 0;
        self.call(py, |functions, handle| {
            // SAFETY: the library checks handle and size.
            address = unsafe { (functions.smem_trans_malloc)(handle, size) }.expose_provenance();
            0
        })?;
        Ok(address)
    }

    /// Frees memory of `malloc`.
    #[pyo3(signature = (address))]
    fn free(&self, py: Python<'_>, #[pyo3(from_py_with = number::address)] address: usize) -> PyResult<i32> {
        self.call(py, |functions, handle| {
            // SAFETY: the library checks handle and address.
            unsafe { (functions.smem_trans_free)(handle, ptr::with_exposed_provenance_mut(address)) }
        })
    }

    /// Copies one piece to another endpoint, or from it.
    #[pyo3(signature = (peer, local, remote, size, is_write))]
    fn copy(
        &self,
        py: Python<'_>,
        peer: &str,
        #[pyo3(from_py_with = number::address)] local: usize,
        #[pyo3(from_py_with = number::address)] remote: usize,
        #[pyo3(from_py_with = number::address)] size: usize,
        is_write: bool,
    ) -> PyResult<i32> {
        let Ok(peer) = CString::new(peer) else { return Ok(SMEM_INVALID_PARAM) };
        self.call(py, |functions, handle| {
            let near = ptr::with_exposed_provenance_mut::<c_void>(local);
            let far = ptr::with_exposed_provenance_mut::<c_void>(remote);
            if is_write {
                // SAFETY: the library checks handle, name and the remote range; the caller vouches for the
                // local one.
                unsafe { (functions.smem_trans_write)(handle, near, peer.as_ptr(), far, size, 0) }
            } else {
                // SAFETY: the library checks handle, name and the remote range; the caller vouches for the
                // local one.
                unsafe { (functions.smem_trans_read)(handle, near, peer.as_ptr(), far, size, 0) }
            }
        })
    }

    /// Copies pieces to another endpoint, or from it: at once, or when a stream gets there.
    #[pyo3(signature = (peer, locals, remotes, sizes, is_write, stream=None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the interface")]
    fn copy_batch(
        &self,
        py: Python<'_>,
        peer: &str,
        #[pyo3(from_py_with = number::addresses)] locals: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] remotes: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] sizes: Vec<usize>,
        is_write: bool,
        stream: Option<usize>,
    ) -> PyResult<i32> {
        let Ok(peer) = CString::new(peer) else { return Ok(SMEM_INVALID_PARAM) };
        let Some(count) = count(&[locals.len(), remotes.len(), sizes.len()]) else {
            return Ok(SMEM_INVALID_PARAM);
        };
        self.call(py, |functions, handle| {
            let (near, far) = (list::<c_void>(&locals), list::<c_void>(&remotes));
            let (near, far, sizes, peer) = (near.as_ptr(), far.as_ptr(), sizes.as_ptr(), peer.as_ptr());
            let stream = stream.map(ptr::with_exposed_provenance_mut::<c_void>);
            match (is_write, stream) {
                // SAFETY: the lists have `count` elements and live through the call; the library checks
                // handle, name and remote ranges, and the caller vouches for the local ones.
                (true, None) => unsafe {
                    (functions.smem_trans_batch_write)(handle, near.cast(), peer, far, sizes, count, 0)
                },
                // SAFETY: the lists have `count` elements and live through the call; the library checks the
                // rest.
                (false, None) => unsafe {
                    (functions.smem_trans_batch_read)(handle, near, peer, far.cast(), sizes, count, 0)
                },
                (true, Some(stream)) => {
                    let submit = functions.smem_trans_batch_write_submit;
                    // SAFETY: the lists have `count` elements; the caller vouches for the ranges until the
                    // stream has done it.
                    unsafe { submit(handle, near.cast(), peer, far, sizes, count, stream, 0) }
                }
                (false, Some(stream)) => {
                    let submit = functions.smem_trans_batch_read_submit;
                    // SAFETY: the lists have `count` elements; the caller vouches for the ranges until the
                    // stream has done it.
                    unsafe { submit(handle, near, peer, far.cast(), sizes, count, stream, 0) }
                }
            }
        })
    }

    /// Writes 16-bit numbers as bytes. Lists of factors and summands are empty, or have an address or 0 for
    /// each piece.
    #[pyo3(signature = (peer, locals, remotes, sizes, factors, summands, unit, kind, stream))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the interface")]
    fn write_with_quant(
        &self,
        py: Python<'_>,
        peer: &str,
        #[pyo3(from_py_with = number::addresses)] locals: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] remotes: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] sizes: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] factors: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] summands: Vec<usize>,
        #[pyo3(from_py_with = number::word)] unit: u32,
        #[pyo3(from_py_with = number::word)] kind: u32,
        #[pyo3(from_py_with = number::address)] stream: usize,
    ) -> PyResult<i32> {
        let Ok(peer) = CString::new(peer) else { return Ok(SMEM_INVALID_PARAM) };
        let Some(count) = count(&[locals.len(), remotes.len(), sizes.len()]) else {
            return Ok(SMEM_INVALID_PARAM);
        };
        if [&factors, &summands].into_iter().any(|list| !list.is_empty() && list.len() != locals.len()) {
            return Ok(SMEM_INVALID_PARAM);
        }
        self.call(py, |functions, handle| {
            let (mut near, mut far, mut sizes) =
                (list::<c_void>(&locals), list::<c_void>(&remotes), sizes.clone());
            let (mut scale, mut offset) = (list::<f32>(&factors), list::<f32>(&summands));
            let none_or = |list: &mut Vec<*mut f32>| {
                if list.is_empty() { ptr::null_mut() } else { list.as_mut_ptr() }
            };
            let mut params = QuantCopyParam {
                remote_unique_id: peer.as_ptr(),
                local_addrs: near.as_mut_ptr(),
                remote_addrs: far.as_mut_ptr(),
                data_sizes: sizes.as_mut_ptr(),
                scale: none_or(&mut scale),
                offset: none_or(&mut offset),
                batch_size: count,
                unit_num: unit,
                stream: ptr::with_exposed_provenance_mut(stream),
                input_type: kind,
                flags: 0,
            };
            // SAFETY: as in `copy_batch`; factors and summands are the caller's to vouch for, too.
            unsafe { (functions.smem_trans_batch_quant_write)(handle, &raw mut params) }
        })
    }

    /// Has `callback(name)` called, on a thread of the library, when another endpoint is gone; None ends it.
    #[pyo3(signature = (callback))]
    fn set_peer_down(&self, py: Python<'_>, callback: Option<Py<PyAny>>) -> PyResult<i32> {
        let number = callback.map_or(0, callbacks::add_handler);
        let function = (number != 0).then_some(peer_down as PeerDown);
        let code = self.call(py, |functions, handle| {
            // SAFETY: the callback is a function of ours; the context is a number that it resolves.
            unsafe {
                (functions.smem_trans_set_peer_down_callback)(
                    handle,
                    function,
                    ptr::without_provenance_mut(number),
                )
            }
        });
        let is_set = matches!(code, Ok(0));
        let unused = if is_set { self.down.swap(number, Ordering::Relaxed) } else { number };
        callbacks::remove_handler(unused);
        code
    }

    /// Gives name and memory back. Idempotent.
    fn destroy(&self, py: Python<'_>) {
        self.end(py);
    }
}
