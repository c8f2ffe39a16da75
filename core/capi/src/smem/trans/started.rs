// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_trans_*`: transfers that were started, prepared lists, notifications.

use std::ffi::{CString, c_char, c_void};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::Duration;

use mf_abi::smem::{
    MFX_TRANS_READ, NotificationFn, PlaceArray, PreparedHandle, SizeArray, TransHandle, TransferHandle,
};
use mf_base::{Error, Kind, Result};
use mf_job::process::Handles;
use mf_smem::trans::{Prepared, Span, Transfer, check_message_bytes};

use super::state::endpoint;
use crate::boundary::{bytes, call_program, present, text};
use crate::smem::trans::copy::spans;
use crate::smem::trans::memory::list;

/// Started transfers of all endpoints; programs release them at any time.
static STARTED: Handles<Transfer, 16384> =
    Handles::new("transfer", "mfx_trans_start or mfx_trans_start_prepared");
/// Prepared lists of all endpoints.
static PREPARED: Handles<Prepared, 4096> = Handles::new("prepared list", "mfx_trans_prepare");

fn transfer(op: &'static str, handle: TransferHandle) -> Result<Arc<Transfer>> {
    STARTED.get(op, handle, Kind::InvalidParam)
}

fn publish(op: &'static str, transfer: Transfer) -> Result<TransferHandle> {
    STARTED.insert(op, Arc::new(transfer))
}

/// The message of a notification; none: null. One that is too long is refused unread.
///
/// # Safety
/// There are so many bytes, which do not change during the call.
unsafe fn message<'a>(op: &'static str, message: *const c_void, length: u64) -> Result<Option<&'a [u8]>> {
    if message.is_null() && length == 0 {
        return Ok(None);
    }
    check_message_bytes(length)?;
    // SAFETY: the caller passes so many readable bytes.
    unsafe { bytes(op, "the message", message, length) }.map(Some)
}

/// A transfer of a call; it may have no pieces.
struct TransferArguments<'a> {
    to: &'a str,
    pieces: Vec<Span>,
    is_write: bool,
}

/// Reads the arguments of a call: flags, name, lists and their length.
///
/// # Safety
/// The name is null or a C string, and lists that are not null have so many entries; none of it changes
/// during the call.
unsafe fn wanted<'a>(
    op: &'static str,
    flags: u32,
    name: *const c_char,
    (locals, remotes, sizes): (PlaceArray, PlaceArray, SizeArray),
    count: u32,
) -> Result<TransferArguments<'a>> {
    // SAFETY: the caller passes a C string or null.
    let to = unsafe { text(op, "the remote name", name) }?;
    let pieces = if count == 0 {
        Vec::new()
    } else {
        present(op, "the list of local addresses", locals)?;
        present(op, "the list of remote addresses", remotes)?;
        present(op, "the list of sizes", sizes)?;
        // SAFETY: the caller passes lists of so many entries.
        unsafe { spans(op, (locals.cast(), remotes.cast()), sizes, count) }?
    };
    Ok(TransferArguments { to, pieces, is_write: flags & MFX_TRANS_READ == 0 })
}

pub(crate) unsafe fn mfx_trans_find(
    op: &'static str,
    handle: TransHandle,
    name: *const c_char,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: the caller passes a C string.
    endpoint.find(unsafe { text(op, "the remote name", name) }?)
}

pub(crate) unsafe fn mfx_trans_start(
    op: &'static str,
    handle: TransHandle,
    flags: u32,
    name: *const c_char,
    locals: PlaceArray,
    remotes: PlaceArray,
    sizes: SizeArray,
    count: u32,
    data: *const c_void,
    length: u64,
) -> Result<TransferHandle> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: the caller passes a C string, and lists of so many entries.
    let wanted = unsafe { wanted(op, flags, name, (locals, remotes, sizes), count) }?;
    // SAFETY: the caller passes so many bytes.
    let message = unsafe { message(op, data, length) }?;
    // SAFETY: the caller vouches for local memory until the transfer has ended.
    publish(op, unsafe { endpoint.start(wanted.to, wanted.pieces, wanted.is_write, message) }?)
}

pub(crate) unsafe fn mfx_trans_poll(op: &'static str, handle: TransferHandle, done: *mut bool) -> Result<()> {
    let polled = transfer(op, handle)?.poll();
    if polled.as_ref().is_err_and(|error| error.kind() == Kind::NotInit) {
        return polled.map(drop);
    }
    // SAFETY: not null; the caller passes room for a truth value.
    unsafe { done.write(*polled.as_ref().unwrap_or(&true)) };
    polled.map(drop)
}

pub(crate) fn mfx_trans_wait(op: &'static str, handle: TransferHandle, timeout_ms: u32) -> Result<()> {
    transfer(op, handle)?.wait(Duration::from_millis(u64::from(timeout_ms)))
}

pub(crate) fn mfx_trans_cancel(op: &'static str, handle: TransferHandle) -> Result<()> {
    transfer(op, handle)?.cancel();
    Ok(())
}

pub(crate) fn mfx_trans_release(op: &'static str, handle: TransferHandle) -> Result<()> {
    let removed = STARTED.remove(handle);
    let removed = removed.ok_or_else(|| STARTED.refusal(op, handle, Kind::InvalidParam))?;
    // Also where another thread waits with a share.
    removed.cancel();
    Ok(())
}

pub(crate) unsafe fn mfx_trans_prepare(
    op: &'static str,
    handle: TransHandle,
    flags: u32,
    name: *const c_char,
    locals: PlaceArray,
    remotes: PlaceArray,
    sizes: SizeArray,
    count: u32,
) -> Result<PreparedHandle> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: the caller passes a C string, and lists of so many entries.
    let wanted = unsafe { wanted(op, flags, name, (locals, remotes, sizes), count) }?;
    // SAFETY: the caller vouches for local memory as long as transfers of the list go on.
    let prepared = unsafe { endpoint.prepare(wanted.to, wanted.pieces, wanted.is_write) }?;
    PREPARED.insert(op, Arc::new(prepared))
}

pub(crate) unsafe fn mfx_trans_start_prepared(
    op: &'static str,
    handle: PreparedHandle,
    numbers: *const u32,
    count: u32,
    data: *const c_void,
    length: u64,
) -> Result<TransferHandle> {
    let prepared: Arc<Prepared> = PREPARED.get(op, handle, Kind::InvalidParam)?;
    // SAFETY: the caller passes so many bytes.
    let message = unsafe { message(op, data, length) }?;
    let numbers = match (numbers.is_null(), count) {
        (true, 0) => None,
        (true, _) => return Err(Error::invalid(op, "the list of numbers is null")),
        // SAFETY: the caller passes so many numbers.
        (false, _) => Some(unsafe { list(op, numbers, count) }?),
    };
    // SAFETY: the caller vouches for local memory until the transfer has ended.
    publish(op, unsafe { prepared.start(numbers, message) }?)
}

pub(crate) fn mfx_trans_release_prepared(op: &'static str, handle: PreparedHandle) -> Result<()> {
    let removed = PREPARED.remove(handle);
    removed.map(drop).ok_or_else(|| PREPARED.refusal(op, handle, Kind::InvalidParam))
}

pub(crate) unsafe fn mfx_trans_notify(
    op: &'static str,
    handle: TransHandle,
    name: *const c_char,
    data: *const c_void,
    length: u64,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "the remote name", name) }?;
    // SAFETY: the caller passes so many bytes.
    endpoint.notify(name, unsafe { message(op, data, length) }?.unwrap_or_default())
}

pub(crate) unsafe fn mfx_trans_notifications(
    op: &'static str,
    handle: TransHandle,
    timeout_ms: u32,
    fill: NotificationFn,
    context: *mut c_void,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    let mut next = endpoint.notification(Duration::from_millis(u64::from(timeout_ms)))?;
    if next.is_none() && timeout_ms > 0 {
        return Err(Error::new(Kind::Timeout, op)
            .what("no endpoint has sent a notification")
            .with("receiver", endpoint.name())
            .with("waited_ms", timeout_ms));
    }
    while let Some(notification) = next {
        // Names of endpoints have no zero byte.
        let from = CString::new(notification.from).unwrap_or_default();
        let (data, length) = (notification.message.as_ptr(), notification.message.len() as u64);
        // SAFETY: name and message live through the call; the caller vouches for callback and context.
        if !call_program("mfx_notification_cb", || unsafe {
            fill(from.as_ptr(), data.cast(), length, context)
        }) {
            break;
        }
        next = endpoint.notification(Duration::ZERO)?;
    }
    Ok(())
}

pub(crate) unsafe fn mfx_trans_event_fd(
    op: &'static str,
    handle: TransHandle,
    descriptor: *mut i32,
) -> Result<()> {
    let number = endpoint(op, handle)?.event_descriptor()?.as_raw_fd();
    // SAFETY: not null; the caller passes room for a number.
    unsafe { descriptor.write(number) };
    Ok(())
}
