// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers that were started, prepared lists and notifications, for `mf_smem.transfer`: they raise.

use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::time::{Duration, Instant};

use mf_abi::smem::{MFX_TRANS_READ, SMEM_INVALID_PARAM, SMEM_NOT_CONNECTED, SMEM_NOT_INIT, SMEM_TIMEOUT};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::failure::Family;
use crate::fork::Generation;
use crate::library::{Functions, functions};
use crate::store::copied;
use crate::transfer::{TransferEndpoint, count, list};
use crate::{failure, interrupts, number};

const FAMILY: Family = Family { name: "transfer", remedy: "make an engine" };

/// A handle of the library, which is released once.
struct Handle {
    functions: &'static Functions,
    number: usize,
    made: Generation,
    /// Ends one that is not used any more.
    release: unsafe extern "C" fn(*mut c_void) -> i32,
}

impl Handle {
    /// That which a call gave; 0: it failed.
    fn of(
        py: Python<'_>,
        functions: &'static Functions,
        release: unsafe extern "C" fn(*mut c_void) -> i32,
        given: usize,
    ) -> PyResult<Self> {
        if given == 0 {
            return Err(failure::of_last(py));
        }
        Ok(Self { functions, number: given, made: Generation::now(), release })
    }

    fn check(&self, py: Python<'_>, code: i32) -> PyResult<()> {
        FAMILY.check(py, self.made, code)
    }

    /// Makes a call with it and without the GIL; one that is of the parent process is refused.
    fn call(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&Functions, *mut c_void) -> i32 + Send,
    ) -> PyResult<i32> {
        if self.made.is_inherited() {
            return Ok(SMEM_NOT_INIT);
        }
        let (functions, handle) = (self.functions, self.number);
        interrupts::code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if !self.made.is_inherited() {
            let (release, handle) = (self.release, self.number);
            Python::attach(|py| {
                // SAFETY: the handle is ours, and released once. May wait for a running copy.
                py.detach(|| unsafe { release(ptr::with_exposed_provenance_mut(handle)) });
            });
        }
    }
}

/// Message arguments of a call: null without a message.
fn message_of(message: Option<&[u8]>) -> (usize, u64) {
    message.map_or((0, 0), |bytes| (bytes.as_ptr().expose_provenance(), bytes.len() as u64))
}

/// Pieces, and whom they go to.
struct TransferArguments {
    peer: CString,
    locals: Vec<usize>,
    remotes: Vec<usize>,
    sizes: Vec<usize>,
    pieces: u32,
    flags: u32,
}

impl TransferArguments {
    /// Raises where the lists differ in their lengths.
    fn of(
        py: Python<'_>,
        peer: &str,
        (locals, remotes, sizes): (Vec<usize>, Vec<usize>, Vec<usize>),
        is_write: bool,
    ) -> PyResult<Self> {
        let peer = failure::c_text(py, "transfer: the destination", peer)?;
        let pieces = count(&[locals.len(), remotes.len(), sizes.len()]).ok_or_else(|| {
            failure::exception(
                py,
                SMEM_INVALID_PARAM,
                "transfer: lists of different lengths, or too many pieces",
            )
        })?;
        let flags = if is_write { 0 } else { MFX_TRANS_READ };
        Ok(Self { peer, locals, remotes, sizes, pieces, flags })
    }

    /// Their addresses, for one call.
    fn lists(&self) -> (Vec<*mut c_void>, Vec<*mut c_void>) {
        (list(&self.locals), list(&self.remotes))
    }
}

/// A transfer that goes on by itself. One that is collected is cancelled.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct StartedTransfer {
    handle: Handle,
    /// Keeps the endpoint alive.
    _endpoint: Py<TransferEndpoint>,
}

#[pymethods]
#[expect(
    clippy::needless_pass_by_value,
    reason = "lists are made of Python's for each call, and handed over"
)]
impl StartedTransfer {
    /// Starts a transfer of pieces; an empty list needs a message. Raises.
    #[new]
    #[pyo3(signature = (endpoint, peer, locals, remotes, sizes, is_write, message=None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the interface")]
    fn new(
        py: Python<'_>,
        endpoint: Py<TransferEndpoint>,
        peer: &str,
        #[pyo3(from_py_with = number::addresses)] locals: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] remotes: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] sizes: Vec<usize>,
        is_write: bool,
        message: Option<PyBackedBytes>,
    ) -> PyResult<Self> {
        let functions = functions()?;
        let wanted = TransferArguments::of(py, peer, (locals, remotes, sizes), is_write)?;
        let (message, length) = message_of(message.as_deref());
        let mut given = 0;
        let code = endpoint.get().call(py, |functions, handle| {
            let TransferArguments { peer, sizes, pieces, flags, .. } = &wanted;
            let (near, far) = wanted.lists();
            let (peer, sizes) = (peer.as_ptr(), sizes.as_ptr());
            let message = ptr::with_exposed_provenance(message);
            let start = functions.mfx_trans_start;
            // SAFETY: lists and message live through the call; the library checks handle and name, and the
            // caller vouches for local memory until the transfer has ended.
            given = unsafe {
                start(handle, *flags, peer, near.as_ptr(), far.as_ptr(), sizes, *pieces, message, length)
            }
            .expose_provenance();
            0
        })?;
        endpoint.get().check(py, code)?;
        let handle = Handle::of(py, functions, functions.mfx_trans_release, given)?;
        Ok(Self { handle, _endpoint: endpoint })
    }

    /// True if it has ended well; raises its error.
    fn poll(&self, py: Python<'_>) -> PyResult<bool> {
        let mut done = false;
        // SAFETY: the library checks the handle; the result lives through the call.
        let code = self
            .handle
            .call(py, |functions, handle| unsafe { (functions.mfx_trans_poll)(handle, &raw mut done) })?;
        self.handle.check(py, code)?;
        Ok(done)
    }

    /// Waits until it has ended, at most for `seconds`; None: as long as it takes. Raises why it failed.
    #[pyo3(signature = (seconds=None))]
    fn wait(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<()> {
        // As good as for ever from 34 years on.
        let wait = seconds.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        let deadline = wait.map(|wait| Instant::now() + wait);
        loop {
            let code = self.handle.call(py, |functions, handle| {
                let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
                let left = left.map_or(u32::MAX, |left| {
                    u32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u32::MAX)
                });
                // SAFETY: the library checks the handle.
                unsafe { (functions.mfx_trans_wait)(handle, left) }
            })?;
            if code != SMEM_TIMEOUT || deadline.is_some() {
                return self.handle.check(py, code);
            }
        }
    }

    /// Ends it; when this returns not one byte of local memory is read or written for it.
    fn cancel(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the library checks the handle.
        let code =
            self.handle.call(py, |functions, handle| unsafe { (functions.mfx_trans_cancel)(handle) })?;
        self.handle.check(py, code)
    }
}

/// Pieces that are checked once and transferred many times.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct PreparedTransfer {
    handle: Handle,
    endpoint: Py<TransferEndpoint>,
}

#[pymethods]
#[expect(
    clippy::needless_pass_by_value,
    reason = "lists are made of Python's for each call, and handed over"
)]
impl PreparedTransfer {
    /// Checks pieces, and finds the destination. Raises.
    #[new]
    #[pyo3(signature = (endpoint, peer, locals, remotes, sizes, is_write))]
    fn new(
        py: Python<'_>,
        endpoint: Py<TransferEndpoint>,
        peer: &str,
        #[pyo3(from_py_with = number::addresses)] locals: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] remotes: Vec<usize>,
        #[pyo3(from_py_with = number::addresses)] sizes: Vec<usize>,
        is_write: bool,
    ) -> PyResult<Self> {
        let functions = functions()?;
        let wanted = TransferArguments::of(py, peer, (locals, remotes, sizes), is_write)?;
        let mut given = 0;
        let code = endpoint.get().call(py, |functions, handle| {
            let TransferArguments { peer, sizes, pieces, flags, .. } = &wanted;
            let (near, far) = wanted.lists();
            let (peer, sizes) = (peer.as_ptr(), sizes.as_ptr());
            let prepare = functions.mfx_trans_prepare;
            // SAFETY: lists and name live through the call; the library checks the rest, and the caller
            // vouches for local memory as long as transfers of the list go on.
            given = unsafe { prepare(handle, *flags, peer, near.as_ptr(), far.as_ptr(), sizes, *pieces) }
                .expose_provenance();
            0
        })?;
        endpoint.get().check(py, code)?;
        let handle = Handle::of(py, functions, functions.mfx_trans_release_prepared, given)?;
        Ok(Self { handle, endpoint })
    }

    /// Starts a transfer of the pieces of these numbers; None: of all. Raises.
    #[pyo3(signature = (pieces=None, message=None))]
    fn start(
        &self,
        py: Python<'_>,
        pieces: Option<Vec<u32>>,
        message: Option<PyBackedBytes>,
    ) -> PyResult<StartedTransfer> {
        let (message, length) = message_of(message.as_deref());
        let mut given = 0;
        let code = self.handle.call(py, |functions, handle| {
            let first = pieces.as_ref().map_or(ptr::null(), Vec::as_ptr);
            let count = pieces.as_ref().map_or(0, |pieces| u32::try_from(pieces.len()).unwrap_or(u32::MAX));
            let message = ptr::with_exposed_provenance(message);
            // SAFETY: numbers and message live through the call; the library checks the rest, and the caller
            // vouches for local memory until the transfer has ended.
            given = unsafe { (functions.mfx_trans_start_prepared)(handle, first, count, message, length) }
                .expose_provenance();
            0
        })?;
        self.handle.check(py, code)?;
        let functions = self.handle.functions;
        let handle = Handle::of(py, functions, functions.mfx_trans_release, given)?;
        Ok(StartedTransfer { handle, _endpoint: self.endpoint.clone_ref(py) })
    }
}

/// Finds an endpoint of that name. A code.
#[pyfunction]
#[pyo3(signature = (endpoint, peer))]
pub(crate) fn transfer_find(py: Python<'_>, endpoint: &TransferEndpoint, peer: &str) -> PyResult<i32> {
    let Ok(peer) = CString::new(peer) else { return Ok(SMEM_NOT_CONNECTED) };
    // SAFETY: the name lives through the call; the library checks the handle.
    endpoint.call(py, |functions, handle| unsafe { (functions.mfx_trans_find)(handle, peer.as_ptr()) })
}

/// Sends a message to another endpoint, which has it on return. Raises.
#[pyfunction]
#[pyo3(signature = (endpoint, peer, message))]
#[expect(clippy::needless_pass_by_value, reason = "bytes that are kept through the call")]
pub(crate) fn transfer_notify(
    py: Python<'_>,
    endpoint: &TransferEndpoint,
    peer: &str,
    message: PyBackedBytes,
) -> PyResult<()> {
    let peer = failure::c_text(py, "notification: the destination", peer)?;
    let (message, length) = message_of(Some(&message));
    let code = endpoint.call(py, |functions, handle| {
        let message = ptr::with_exposed_provenance(message);
        // SAFETY: name and message live through the call; the library checks the handle.
        unsafe { (functions.mfx_trans_notify)(handle, peer.as_ptr(), message, length) }
    })?;
    endpoint.check(py, code)
}

/// Result of a walk: sender and text of each message, and the remaining room.
struct Taken {
    found: Vec<(String, Vec<u8>)>,
    most: usize,
}

/// Appends a notification to the [`Taken`] behind `context`.
unsafe extern "C-unwind" fn take(
    from: *const c_char,
    message: *const c_void,
    length: u64,
    context: *mut c_void,
) -> bool {
    // SAFETY: `context` was passed by the calling function, and is not used elsewhere meanwhile.
    let taken = unsafe { &mut *context.cast::<Taken>() };
    // SAFETY: the library says how long the message is.
    taken.found.push((failure::owned(from), unsafe { copied(message, length) }));
    taken.found.len() < taken.most
}

/// Takes at most `most` notifications; waits for the first for `timeout_ms`. Sender and message of each.
/// Raises.
#[pyfunction]
#[pyo3(signature = (endpoint, timeout_ms, most))]
pub(crate) fn transfer_notifications<'py>(
    py: Python<'py>,
    endpoint: &TransferEndpoint,
    #[pyo3(from_py_with = number::word)] timeout_ms: u32,
    most: usize,
) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
    let mut taken = Taken { found: Vec::new(), most };
    let deadline = Instant::now() + Duration::from_millis(u64::from(timeout_ms));
    let code = endpoint.call(py, |functions, handle| {
        let left = deadline.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000);
        let left = if timeout_ms == 0 { 0 } else { u32::try_from(left).unwrap_or(u32::MAX).max(1) };
        let context: *mut Taken = &raw mut taken;
        // SAFETY: the callback is ours, and gets its own context during the call.
        unsafe { (functions.mfx_trans_notifications)(handle, left, Some(take), context.cast()) }
    })?;
    endpoint.check(py, code)?;
    let shown = taken.found.into_iter().map(|(from, message)| (from, PyBytes::new(py, &message)));
    Ok(shown.collect())
}

/// A descriptor that is readable when transfers have ended or notifications have come. Raises.
#[pyfunction]
#[pyo3(signature = (endpoint))]
pub(crate) fn transfer_event_fd(py: Python<'_>, endpoint: &TransferEndpoint) -> PyResult<i32> {
    let mut descriptor = -1;
    let code = endpoint.call(py, |functions, handle| {
        // SAFETY: the result lives through the call; the library checks the handle.
        unsafe { (functions.mfx_trans_event_fd)(handle, &raw mut descriptor) }
    })?;
    endpoint.check(py, code)?;
    Ok(descriptor)
}
