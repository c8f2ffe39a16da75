// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A communicator: listeners, connections, and what moves data.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use mf_abi::smem::{HmcCommHandle, MFX_HMC_SUCCESS, SMEM_NOT_INIT};
use pyo3::prelude::*;

use super::buffer::ConnBuffer;
use super::{FAMILY, text};
use crate::fork::Generation;
use crate::interrupts;
use crate::library::{Functions, functions};

/// A communicator of one buffer. Use hmc.Communicator.
#[pyclass(frozen, module = "mf_smem._mf_smem.hmc")]
pub(super) struct Communicator {
    functions: &'static Functions,
    handle: usize,
    made: Generation,
}

impl Communicator {
    fn call(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, *mut c_void) -> i32 + Send,
    ) -> PyResult<i32> {
        let (functions, handle) = (self.functions, self.handle(py)?);
        interrupts::handled_code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))
    }

    /// [`call`](Self::call) for what holds locks while it waits.
    fn call_closed(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, *mut c_void) -> i32 + Send,
    ) -> PyResult<i32> {
        let (functions, handle) = (self.functions, self.handle(py)?);
        interrupts::code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))
    }

    /// The handle; raises in a forked child.
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        if self.made.is_inherited() {
            return Err(FAMILY.failure(py, self.made, SMEM_NOT_INIT));
        }
        Ok(self.handle)
    }

    /// The same with an address of a peer.
    fn with(
        &self,
        py: Python<'_>,
        ip: &str,
        mut call: impl FnMut(&'static Functions, *mut c_void, &CStr) -> i32 + Send,
    ) -> PyResult<i32> {
        let ip = text("ip", ip)?;
        self.call(py, |functions, handle| call(functions, handle, &ip))
    }
}

type Moves = unsafe extern "C" fn(HmcCommHandle, *const c_char, u16, u64, u64, u64, i32) -> i32;
type Starts = unsafe extern "C" fn(HmcCommHandle, *const c_char, u16, u64, u64, u64, i32, *mut u64) -> i32;
type InChunks = unsafe extern "C" fn(HmcCommHandle, *const c_char, u16, u64, u64, u64, u64, u64, i32) -> i32;

/// A peer, and a range here and there.
#[derive(Clone, Copy)]
struct Span<'a> {
    ip: &'a str,
    port: u16,
    local: u64,
    remote: u64,
    nbytes: u64,
    conn: i32,
}

/// Each is a put or a get; the two differ in the function of the library alone.
impl Communicator {
    fn moved(&self, py: Python<'_>, span: Span<'_>, moves: Moves) -> PyResult<i32> {
        let Span { port, local, remote, nbytes, conn, .. } = span;
        self.with(py, span.ip, |_, comm, ip| {
            // SAFETY: the text lives through the call; the library checks the rest.
            unsafe { moves(comm, ip.as_ptr(), port, local, remote, nbytes, conn) }
        })
    }

    /// A status and an id, 0 where it is done already.
    fn started(&self, py: Python<'_>, span: Span<'_>, starts: Starts) -> PyResult<(i32, u64)> {
        let Span { port, local, remote, nbytes, conn, .. } = span;
        let mut id = 0;
        let place = &mut id;
        let status = self.with(py, span.ip, |_, comm, ip| {
            // SAFETY: text and result live through the call; the library checks the rest.
            unsafe { starts(comm, ip.as_ptr(), port, local, remote, nbytes, conn, place) }
        })?;
        Ok((status, id))
    }

    /// In chunks of so many bytes, so many at once.
    fn in_chunks(
        &self,
        py: Python<'_>,
        span: Span<'_>,
        (chunk, inflight): (u64, u64),
        moves: InChunks,
    ) -> PyResult<i32> {
        let Span { port, local, remote, nbytes, conn, .. } = span;
        self.with(py, span.ip, |_, comm, ip| {
            // SAFETY: the text lives through the call; the library checks the rest.
            unsafe { moves(comm, ip.as_ptr(), port, local, remote, nbytes, chunk, inflight, conn) }
        })
    }
}

#[pymethods]
impl Communicator {
    fn stop(&self, py: Python<'_>) -> PyResult<i32> {
        // SAFETY: the library checks the handle.
        self.call_closed(py, |f, comm| unsafe { (f.mfx_hmc_comm_stop)(comm) })
    }

    fn listen(&self, py: Python<'_>, ip: &str, port: u16, conn: i32) -> PyResult<i32> {
        let ip = text("ip", ip)?;
        // SAFETY: the text lives through the call; the library checks the rest.
        self.call_closed(py, |f, comm| unsafe { (f.mfx_hmc_comm_listen)(comm, ip.as_ptr(), port, conn) })
    }

    fn connect(&self, py: Python<'_>, ip: &str, port: u16, conn: i32) -> PyResult<i32> {
        // SAFETY: the text lives through the call; the library checks the rest.
        self.with(py, ip, |f, comm, ip| unsafe { (f.mfx_hmc_comm_connect)(comm, ip.as_ptr(), port, conn) })
    }

    fn disconnect(&self, py: Python<'_>, ip: &str, port: u16, conn: i32) -> PyResult<i32> {
        // SAFETY: the text lives through the call; the library checks the rest.
        self.with(py, ip, |f, comm, ip| unsafe { (f.mfx_hmc_comm_disconnect)(comm, ip.as_ptr(), port, conn) })
    }

    fn check(&self, py: Python<'_>, ip: &str, port: u16, conn: i32) -> PyResult<i32> {
        // SAFETY: the text lives through the call; the library checks the rest.
        self.with(py, ip, |f, comm, ip| unsafe { (f.mfx_hmc_comm_check)(comm, ip.as_ptr(), port, conn) })
    }

    /// The port of the only connection to an address: a status and the port.
    fn port_of(&self, py: Python<'_>, ip: &str, conn: i32) -> PyResult<(i32, u16)> {
        let mut port = 0;
        let place = &mut port;
        // SAFETY: the text and the place live through the call; the library checks the rest.
        let code = self.with(py, ip, |f, comm, ip| unsafe {
            (f.mfx_hmc_comm_port_of)(comm, ip.as_ptr(), conn, &raw mut *place)
        })?;
        Ok((code, port))
    }

    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn put(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        conn: i32,
    ) -> PyResult<i32> {
        let span = Span { ip, port, local, remote, nbytes, conn };
        self.moved(py, span, self.functions.mfx_hmc_put)
    }

    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn get(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        conn: i32,
    ) -> PyResult<i32> {
        let span = Span { ip, port, local, remote, nbytes, conn };
        self.moved(py, span, self.functions.mfx_hmc_get)
    }

    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn put_pipeline(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        chunk: u64,
        inflight: u64,
        conn: i32,
    ) -> PyResult<i32> {
        let span = Span { ip, port, local, remote, nbytes, conn };
        self.in_chunks(py, span, (chunk, inflight), self.functions.mfx_hmc_put_pipeline)
    }

    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn get_pipeline(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        chunk: u64,
        inflight: u64,
        conn: i32,
    ) -> PyResult<i32> {
        let span = Span { ip, port, local, remote, nbytes, conn };
        self.in_chunks(py, span, (chunk, inflight), self.functions.mfx_hmc_get_pipeline)
    }

    /// Puts from an address of the program.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn put_from(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        address: usize,
        remote: u64,
        nbytes: u64,
        conn: i32,
    ) -> PyResult<i32> {
        self.with(py, ip, |f, comm, ip| {
            let data = ptr::with_exposed_provenance(address);
            // SAFETY: the text lives through the call; the address is the caller's promise.
            unsafe { (f.mfx_hmc_put_from)(comm, ip.as_ptr(), port, data, remote, nbytes, conn) }
        })
    }

    /// Begins an unobserved put.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn put_unobserved(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        conn: i32,
    ) -> PyResult<i32> {
        self.with(py, ip, |f, comm, ip| {
            let (ip, id) = (ip.as_ptr(), ptr::null_mut());
            // SAFETY: the text lives through the call; the id is not needed.
            unsafe { (f.mfx_hmc_put_nb)(comm, ip, port, local, remote, nbytes, conn, id) }
        })
    }

    /// Waits for one of some words of the own buffer.
    #[expect(clippy::needless_pass_by_value, reason = "made of a list of Python")]
    fn await_word(&self, py: Python<'_>, offsets: Vec<u64>, value: u64, timeout_ms: u64) -> PyResult<i32> {
        self.call(py, |f, comm| {
            // SAFETY: there are so many offsets, which live through the call; the library checks them.
            unsafe { (f.mfx_hmc_await)(comm, offsets.as_ptr(), offsets.len() as u64, value, timeout_ms) }
        })
    }

    /// Starts a put: a status and an id, 0 where it is done already.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn put_nb(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        conn: i32,
    ) -> PyResult<(i32, u64)> {
        let span = Span { ip, port, local, remote, nbytes, conn };
        self.started(py, span, self.functions.mfx_hmc_put_nb)
    }

    /// Starts a get: a status and an id, 0 where it is done already.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn get_nb(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        local: u64,
        remote: u64,
        nbytes: u64,
        conn: i32,
    ) -> PyResult<(i32, u64)> {
        let span = Span { ip, port, local, remote, nbytes, conn };
        self.started(py, span, self.functions.mfx_hmc_get_nb)
    }

    /// Waits for unobserved puts.
    fn flush(&self, py: Python<'_>) -> PyResult<i32> {
        // SAFETY: the library checks the handle.
        self.call(py, |f, comm| unsafe { (f.mfx_hmc_flush)(comm) })
    }

    fn wait(&self, py: Python<'_>, id: u64) -> PyResult<i32> {
        let (functions, handle) = (self.functions, self.handle(py)?);
        interrupts::wait_code(py, || {
            let comm = ptr::with_exposed_provenance_mut(handle);
            // SAFETY: the library checks handle and id.
            unsafe { (functions.mfx_hmc_wait)(comm, id) }
        })
    }

    #[expect(clippy::needless_pass_by_value, reason = "made of a list of Python")]
    fn wait_all(&self, py: Python<'_>, ids: Vec<u64>) -> PyResult<i32> {
        // SAFETY: there are so many ids, which live through the call; the library checks them.
        self.call(py, |f, comm| unsafe { (f.mfx_hmc_wait_all)(comm, ids.as_ptr(), ids.len() as u64) })
    }

    /// Sends the bytes at an address as a message of its own.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn send_data(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        address: usize,
        nbytes: u64,
        kind: i32,
        conn: i32,
    ) -> PyResult<i32> {
        self.with(py, ip, |f, comm, ip| {
            let data = ptr::with_exposed_provenance(address);
            // SAFETY: the text lives through the call; the address is the caller's promise.
            unsafe { (f.mfx_hmc_send_data)(comm, ip.as_ptr(), port, data, nbytes, kind, conn) }
        })
    }

    /// Receives such a message. Its length goes to the address `received`, unless that is 0.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    fn recv_data(
        &self,
        py: Python<'_>,
        ip: &str,
        port: u16,
        address: usize,
        nbytes: u64,
        kind: i32,
        conn: i32,
        received: usize,
    ) -> PyResult<i32> {
        self.with(py, ip, |f, comm, ip| {
            let (data, ip) = (ptr::with_exposed_provenance_mut(address), ip.as_ptr());
            let received = ptr::with_exposed_provenance_mut(received);
            // SAFETY: the text lives through the call; the program vouches for both addresses.
            unsafe { (f.mfx_hmc_recv_data)(comm, ip, port, data, nbytes, kind, conn, received) }
        })
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        if self.made.is_inherited() {
            return;
        }
        let (functions, handle) = (self.functions, self.handle);
        let destroy = move || {
            let handle = ptr::with_exposed_provenance_mut(handle);
            // SAFETY: the library checks handles itself.
            let _nothing_to_do_about_it = unsafe { (functions.mfx_hmc_comm_destroy)(handle) };
        };
        Python::attach(|py| py.detach(destroy));
    }
}

/// Makes a communicator: a status, and the communicator where it is 0.
#[pyfunction]
pub(super) fn communicator_create(
    py: Python<'_>,
    buffer: &ConnBuffer,
    channels: u64,
) -> PyResult<(i32, Option<Communicator>)> {
    let (functions, buffer) = (functions()?, buffer.handle(py)?);
    let mut handle = 0;
    let place = &mut handle;
    let status = interrupts::code(py, || {
        let (buffer, mut made) = (ptr::with_exposed_provenance_mut(buffer), ptr::null_mut());
        // SAFETY: the library checks the buffer; the result lives through the call.
        let code = unsafe { (functions.mfx_hmc_comm_create)(buffer, channels, &raw mut made) };
        *place = made.expose_provenance();
        code
    })?;
    let made =
        (status == MFX_HMC_SUCCESS).then(|| Communicator { functions, handle, made: Generation::now() });
    Ok((status, made))
}
