// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The control channel, of which a process has one.

use std::ffi::c_void;

use mf_abi::smem::HmcFrame;
use pyo3::prelude::*;

use super::text;
use crate::interrupts;
use crate::library::functions;

/// Message type of an integer in the interface.
const INTEGER: u16 = 1;

/// Listens: port 0: not on TCP; an empty path: not on a Unix socket. Running already: 0.
#[pyfunction]
pub(super) fn ctrl_start(py: Python<'_>, ip: &str, port: u16, path: &str) -> PyResult<i32> {
    let (functions, ip, path) = (functions()?, text("ip", ip)?, text("uds_path", path)?);
    // SAFETY: the texts live through the call.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_start)(ip.as_ptr(), port, path.as_ptr()) })
}

/// Ends the listeners; links stay.
#[pyfunction]
pub(super) fn ctrl_stop(py: Python<'_>) -> PyResult<i32> {
    let functions = functions()?;
    // SAFETY: takes no argument.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_stop)() })
}

/// True if this process listens.
#[pyfunction]
pub(super) fn ctrl_is_server(py: Python<'_>) -> PyResult<bool> {
    let functions = functions()?;
    // SAFETY: takes no argument.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_is_server)() }).map(|answer| answer == 1)
}

/// Makes a link by TCP. One attempt.
#[pyfunction]
pub(super) fn ctrl_connect_tcp(py: Python<'_>, peer: u32, ip: &str, port: u16, own: u32) -> PyResult<i32> {
    let (functions, ip) = (functions()?, text("ip", ip)?);
    // SAFETY: the text lives through the call.
    interrupts::handled_code(py, || unsafe {
        (functions.mfx_hmc_ctrl_connect_tcp)(peer, ip.as_ptr(), port, own)
    })
}

/// Makes a link by the Unix socket of a peer. One attempt.
#[pyfunction]
pub(super) fn ctrl_connect_uds(py: Python<'_>, peer: u32, path: &str, own: u32) -> PyResult<i32> {
    let (functions, path) = (functions()?, text("uds_path", path)?);
    // SAFETY: the text lives through the call.
    interrupts::handled_code(py, || unsafe { (functions.mfx_hmc_ctrl_connect_uds)(peer, path.as_ptr(), own) })
}

/// True if a link to this rank exists, made to this address and port (or this path unless it is empty), or by
/// the peer.
#[pyfunction]
pub(super) fn ctrl_has(py: Python<'_>, peer: u32, ip: &str, port: u16, path: &str) -> PyResult<bool> {
    let (functions, ip, path) = (functions()?, text("ip", ip)?, text("uds_path", path)?);
    // SAFETY: the texts live through the call.
    let answer = interrupts::code(py, || unsafe {
        (functions.mfx_hmc_ctrl_has_at)(peer, ip.as_ptr(), port, path.as_ptr())
    });
    answer.map(|answer| answer == 1)
}

/// Sends a tag.
#[pyfunction]
pub(super) fn ctrl_send_tag(py: Python<'_>, peer: u32, tag: u64) -> PyResult<i32> {
    let (functions, payload) = (functions()?, tag.to_ne_bytes());
    let bytes = payload.len() as u64;
    interrupts::handled_code(py, || {
        // SAFETY: there are so many bytes, which live through the call.
        unsafe { (functions.mfx_hmc_ctrl_send)(peer, INTEGER, 0, payload.as_ptr().cast(), bytes) }
    })
}

/// Receives a tag, without limit: a status and the tag.
#[pyfunction]
pub(super) fn ctrl_recv_tag(py: Python<'_>, peer: u32) -> PyResult<(i32, u64)> {
    let functions = functions()?;
    let mut payload = [0u8; 8];
    let place = &mut payload;
    let status = interrupts::wait_code(py, || {
        let (to, bytes) = (place.as_mut_ptr().cast(), place.len() as u64);
        // SAFETY: there is so much room, which lives through the call.
        unsafe { (functions.mfx_hmc_ctrl_recv_into)(peer, -1, INTEGER, to, bytes) }
    })?;
    Ok((status, u64::from_ne_bytes(payload)))
}

/// Ends a link at once.
#[pyfunction]
pub(super) fn ctrl_close(py: Python<'_>, peer: u32) -> PyResult<i32> {
    let functions = functions()?;
    // SAFETY: takes a number.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_close)(peer) })
}

/// Ends all links at once.
#[pyfunction]
pub(super) fn ctrl_close_all(py: Python<'_>) -> PyResult<i32> {
    let functions = functions()?;
    // SAFETY: takes no argument.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_close_all)() })
}

/// Listens for peers that are known by their addresses. Running already: 0.
#[pyfunction]
pub(super) fn ctrl_start_plain(py: Python<'_>, ip: &str, port: u16) -> PyResult<i32> {
    let (functions, ip) = (functions()?, text("ip", ip)?);
    // SAFETY: the text lives through the call.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_start_plain)(ip.as_ptr(), port) })
}

/// The port at which this process listens for such peers; of an address: where the link to it was made. 0:
/// none.
#[pyfunction]
pub(super) fn ctrl_plain_port(py: Python<'_>, ip: &str) -> PyResult<i32> {
    let (functions, ip) = (functions()?, text("ip", ip)?);
    let address = if ip.is_empty() { std::ptr::null() } else { ip.as_ptr() };
    let address = address.expose_provenance();
    interrupts::code(py, || {
        let address = std::ptr::with_exposed_provenance(address);
        // SAFETY: null, or a text that lives through the call.
        unsafe { (functions.mfx_hmc_ctrl_plain_port)(address) }
    })
}

/// Makes a link to an address, unless there is one.
#[pyfunction]
pub(super) fn ctrl_dial_plain(py: Python<'_>, ip: &str, port: u16) -> PyResult<bool> {
    let (functions, ip) = (functions()?, text("ip", ip)?);
    // SAFETY: the text lives through the call.
    let made =
        interrupts::handled_code(py, || unsafe { (functions.mfx_hmc_ctrl_descriptor)(ip.as_ptr(), port) });
    made.map(|descriptor| descriptor >= 0)
}

/// Sends an integer to an address.
#[pyfunction]
pub(super) fn ctrl_send_plain(py: Python<'_>, ip: &str, value: i32) -> PyResult<i32> {
    let (functions, ip, payload) = (functions()?, text("ip", ip)?, value.to_ne_bytes());
    let bytes = payload.len() as u64;
    interrupts::handled_code(py, || {
        let data = payload.as_ptr().cast();
        // SAFETY: there are so many bytes, which live through the call, as the text does.
        unsafe { (functions.mfx_hmc_ctrl_send_to)(ip.as_ptr(), INTEGER, 0, data, bytes) }
    })
}

/// Receives an integer from an address, without limit: a status and the integer. Another message: 1.
#[pyfunction]
pub(super) fn ctrl_recv_plain(py: Python<'_>, ip: &str) -> PyResult<(i32, i32)> {
    let (functions, ip) = (functions()?, text("ip", ip)?);
    let (mut frame, mut message) = (HmcFrame { kind: 0, flags: 0, bytes: 0 }, 0_usize);
    let (head, place) = (&mut frame, &mut message);
    let status = interrupts::wait_code(py, || {
        let mut got = std::ptr::null_mut();
        // SAFETY: both places and the text live through the call.
        let code = unsafe { (functions.mfx_hmc_ctrl_recv_from)(ip.as_ptr(), -1, head, &raw mut got) };
        *place = got.expose_provenance();
        code
    })?;
    if status != 0 {
        return Ok((status, 0));
    }
    let message = std::ptr::with_exposed_provenance_mut::<c_void>(message);
    let mut payload = std::ptr::null();
    // SAFETY: the message is one that was received and not released.
    let found = unsafe { (functions.mfx_hmc_ctrl_payload)(message, &raw mut payload) };
    let is_integer = found == 0 && frame.kind == INTEGER && frame.bytes == 4;
    // SAFETY: a message has as many bytes as its head says, until it is released.
    let value = is_integer.then(|| unsafe { payload.cast::<[u8; 4]>().read_unaligned() });
    // SAFETY: the message is the library's, and is not used after this.
    unsafe { (functions.mfx_hmc_ctrl_release)(message) };
    Ok(value.map_or((1, 0), |value| (0, i32::from_ne_bytes(value))))
}

/// Ends the link to an address.
#[pyfunction]
pub(super) fn ctrl_close_plain(py: Python<'_>, ip: &str) -> PyResult<i32> {
    let (functions, ip) = (functions()?, text("ip", ip)?);
    // SAFETY: the text lives through the call.
    interrupts::code(py, || unsafe { (functions.mfx_hmc_ctrl_close_address)(ip.as_ptr()) })
}
