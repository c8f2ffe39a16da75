// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The control channel of the process.

use std::ffi::{c_char, c_void};
use std::sync::{Arc, Once};
use std::time::Duration;

use mf_abi::smem::HmcFrame;
use mf_base::{Error, Kind, Result};
use mf_hmc::Status;
use mf_hmc::ctrl::{Expected, Listen, Message, PROCESS as CONTROL, Peer, Rules};
use mf_job::process::Handles;

use crate::boundary::{bytes, present, text};
use crate::startup::prepare;

/// Received messages, until the program releases them.
static MESSAGES: Handles<Message, 1024> = Handles::new("message", "mfx_hmc_ctrl_recv");

/// Returns the text, or None if it is null or empty.
///
/// # Safety
/// As [`text`].
unsafe fn text_or_none<'a>(op: &'static str, name: &str, given: *const c_char) -> Result<Option<&'a str>> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller passes a C string or null.
    let given = unsafe { text(op, name, given) }?;
    Ok(Some(given).filter(|given| !given.is_empty()))
}

/// Returns the admission rules, after the process was prepared.
fn rules() -> Result<&'static Arc<Rules>> {
    prepare()?;
    Rules::of_process()
}

/// Returns the time limit of a wait. None, without limit, for negative numbers.
fn limit(timeout_ms: i64) -> Option<Duration> {
    u64::try_from(timeout_ms).ok().map(Duration::from_millis)
}

pub(crate) unsafe fn mfx_hmc_ctrl_start(
    op: &'static str,
    ip: *const c_char,
    port: u16,
    path: *const c_char,
) -> Result<()> {
    // SAFETY: the caller passes a string or null.
    let path = unsafe { text_or_none(op, "the path", path) }?;
    let tcp = match port {
        0 => None,
        // SAFETY: the caller passes a string or null.
        _ => Some((unsafe { text(op, "the address", ip) }?, port)),
    };
    CONTROL.start(rules()?, Listen { tcp, unix: path })?;
    if path.is_some() {
        unlink_at_exit();
    }
    Ok(())
}

/// A program that ends without closing leaves no socket file.
fn unlink_at_exit() {
    extern "C" fn at_exit() {
        CONTROL.at_exit();
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the function is one of this library, which is never unloaded.
        unsafe { libc::atexit(at_exit) };
    });
}

pub(crate) fn mfx_hmc_ctrl_stop(_op: &'static str) -> Result<()> {
    CONTROL.stop();
    Ok(())
}

pub(crate) fn mfx_hmc_ctrl_is_server(_op: &'static str) -> Result<i32> {
    Ok(i32::from(CONTROL.is_server()))
}

pub(crate) unsafe fn mfx_hmc_ctrl_connect_tcp(
    op: &'static str,
    peer: u32,
    ip: *const c_char,
    port: u16,
    own: u32,
) -> Result<()> {
    // SAFETY: the caller passes a string.
    let host = unsafe { text(op, "the address", ip) }?;
    CONTROL.connect_tcp(rules()?, peer, host, port, own)
}

pub(crate) unsafe fn mfx_hmc_ctrl_connect_uds(
    op: &'static str,
    peer: u32,
    path: *const c_char,
    own: u32,
) -> Result<()> {
    // SAFETY: the caller passes a string.
    let path = unsafe { text(op, "the path", path) }?;
    CONTROL.connect_unix(rules()?, peer, path, own)
}

pub(crate) fn mfx_hmc_ctrl_has(_op: &'static str, peer: u32) -> Result<i32> {
    Ok(i32::from(CONTROL.has(Peer::Rank(peer))))
}

pub(crate) unsafe fn mfx_hmc_ctrl_has_at(
    op: &'static str,
    peer: u32,
    ip: *const c_char,
    port: u16,
    path: *const c_char,
) -> Result<i32> {
    // SAFETY: the caller passes a string or null.
    if let Some(path) = unsafe { text_or_none(op, "the path", path) }? {
        return Ok(i32::from(CONTROL.has_at_path(peer, path)));
    }
    // SAFETY: the caller passes a C string or null.
    let host = unsafe { text_or_none(op, "the address", ip) }?;
    Ok(i32::from(CONTROL.has_at(peer, host.unwrap_or_default(), port)))
}

pub(crate) unsafe fn mfx_hmc_ctrl_send(
    op: &'static str,
    peer: u32,
    kind: u16,
    flags: u16,
    payload: *const c_void,
    length: u64,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let payload = unsafe { bytes(op, "the payload", payload, length) }?;
    CONTROL.send(Peer::Rank(peer), kind, flags, payload)
}

/// Reports a message: its head, and a handle for its bytes where the caller has room for one.
///
/// # Safety
/// The place for the frame has room, that for the handle is null or has.
unsafe fn report(
    op: &'static str,
    message: Message,
    frame: *mut HmcFrame,
    handle: *mut *mut c_void,
) -> Result<()> {
    let head = message.head;
    if !handle.is_null() {
        let made = MESSAGES.insert(op, Arc::new(message))?;
        // SAFETY: not null; the caller passes room for a handle.
        unsafe { handle.write(made) };
    }
    // SAFETY: not null, as the caller checked; the program passes room for the struct.
    unsafe { frame.write(HmcFrame { kind: head.kind, flags: head.flags, bytes: head.length }) };
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_ctrl_recv(
    op: &'static str,
    peer: u32,
    timeout_ms: i64,
    frame: *mut HmcFrame,
    message: *mut *mut c_void,
) -> Result<()> {
    present(op, "the place for the frame", frame)?;
    let received = CONTROL.receive(Peer::Rank(peer), limit(timeout_ms))?;
    // SAFETY: the caller vouches for both.
    unsafe { report(op, received, frame, message) }
}

fn received(op: &'static str, message: *mut c_void) -> Result<Arc<Message>> {
    MESSAGES.get(op, message, Kind::InvalidParam)
}

pub(crate) unsafe fn mfx_hmc_ctrl_payload(
    op: &'static str,
    message: *mut c_void,
    payload: *mut *const c_void,
) -> Result<()> {
    let message = received(op, message)?;
    present(op, "the place for the payload", payload)?;
    // SAFETY: not null; the caller passes room for a pointer. The bytes live until the message is released,
    // as the header says.
    unsafe { payload.write(message.payload.as_ptr().cast()) };
    Ok(())
}

pub(crate) fn mfx_hmc_ctrl_release(_op: &'static str, message: *mut c_void) -> Result<()> {
    drop(MESSAGES.remove(message));
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_ctrl_recv_into(
    op: &'static str,
    peer: u32,
    timeout_ms: i64,
    kind: u16,
    payload: *mut c_void,
    length: u64,
) -> Result<()> {
    if length > 0 {
        present(op, "the place for the payload", payload)?;
    }
    let expected = Expected { kind, bytes: usize::try_from(length).unwrap_or(usize::MAX) };
    CONTROL.receive_into(Peer::Rank(peer), limit(timeout_ms), expected, |bytes| {
        // SAFETY: `bytes` has `length` bytes, for which the caller passes room; the inbox is ours alone.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), payload.cast(), bytes.len()) };
    })
}

pub(crate) fn mfx_hmc_ctrl_close(_op: &'static str, peer: u32) -> Result<()> {
    CONTROL.close(Peer::Rank(peer));
    Ok(())
}

pub(crate) fn mfx_hmc_ctrl_close_all(_op: &'static str) -> Result<()> {
    CONTROL.close_all();
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_ctrl_start_plain(op: &'static str, ip: *const c_char, port: u16) -> Result<()> {
    // SAFETY: the caller passes a string.
    let host = unsafe { text(op, "the address", ip) }?;
    if port == 0 {
        return Err(Error::invalid(op, "invalid port 0: must be 1 to 65535")
            .code_of_family(Status::InvalidConfig as i32));
    }
    CONTROL.start_plain(rules()?, host, port).map(drop)
}

pub(crate) unsafe fn mfx_hmc_ctrl_plain_port(op: &'static str, ip: *const c_char) -> Result<i32> {
    // SAFETY: the caller passes a string or null.
    let host = unsafe { text_or_none(op, "the address", ip) }?;
    CONTROL.plain_port(host).map(i32::from)
}

pub(crate) unsafe fn mfx_hmc_ctrl_descriptor(op: &'static str, ip: *const c_char, port: u16) -> Result<i32> {
    // SAFETY: the caller passes a string.
    let host = unsafe { text(op, "the address", ip) }?;
    CONTROL.descriptor(rules()?, host, port)
}

pub(crate) unsafe fn mfx_hmc_ctrl_send_to(
    op: &'static str,
    ip: *const c_char,
    kind: u16,
    flags: u16,
    payload: *const c_void,
    length: u64,
) -> Result<()> {
    // SAFETY: the caller passes a string.
    let host = unsafe { text(op, "the address", ip) }?;
    // SAFETY: the caller passes so many readable bytes.
    let payload = unsafe { bytes(op, "the payload", payload, length) }?;
    CONTROL.send_to(rules()?, host, kind, flags, payload)
}

pub(crate) unsafe fn mfx_hmc_ctrl_recv_from(
    op: &'static str,
    ip: *const c_char,
    timeout_ms: i64,
    frame: *mut HmcFrame,
    message: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: the caller passes a string.
    let host = unsafe { text(op, "the address", ip) }?;
    present(op, "the place for the frame", frame)?;
    let received = CONTROL.receive_from(rules()?, host, limit(timeout_ms))?;
    // SAFETY: the caller vouches for both.
    unsafe { report(op, received, frame, message) }
}

pub(crate) unsafe fn mfx_hmc_ctrl_close_address(op: &'static str, ip: *const c_char) -> Result<()> {
    // SAFETY: the caller passes a string.
    let host = unsafe { text(op, "the address", ip) }?;
    CONTROL.close_address(host).map(drop)
}
