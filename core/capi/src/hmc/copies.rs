// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get between buffers.

use std::ffi::{CStr, c_char, c_void};
use std::time::{Duration, Instant};

use mf_abi::smem::HmcCommHandle;
use mf_base::sync::rcu::{self, ReadSection};
use mf_base::{Error, Kind, Result};
use mf_hmc::Status;
use mf_hmc::communicator::{At, CopyNote, Ranges, fast_path_cached};

use super::comm::{COMMS, Opened, conn_of, opened};
use crate::boundary::bytes;

/// Longest wait for words: about a year.
const AWAIT_MAX_MS: u64 = 365 * 24 * 3600 * 1000;

/// Fast path: copies one range without a wait. Returns `None` if nothing was done.
#[inline(always)]
fn fast_path(
    op: &'static str,
    handle: HmcCommHandle,
    at: At<'_>,
    ranges: Ranges,
    is_put: bool,
) -> Option<Result<()>> {
    if fast_path_cached(handle.addr(), at, ranges, is_put) {
        return Some(Ok(()));
    }
    fast_path_by_handle(op, handle, at, ranges, is_put)
}

#[inline(never)]
fn fast_path_by_handle(
    op: &'static str,
    handle: HmcCommHandle,
    at: At<'_>,
    ranges: Ranges,
    is_put: bool,
) -> Option<Result<()>> {
    let section = rcu::read_lock();
    // SAFETY: the table has a share of the communicator until `synchronize` has returned behind its removal,
    // and the communicator one of the buffer.
    let note = unsafe { CopyNote::new(handle.addr(), rcu::stamp(section.section())) };
    let copy = |opened: &Opened, _: ReadSection<'_>| {
        opened.communicator.fast_path(op, Some(note), at, ranges, is_put)
    };
    COMMS.with(handle, copy)?
}

/// Slow path: copies one range.
#[inline(never)]
fn slow_path(
    op: &'static str,
    handle: HmcCommHandle,
    at: At<'_>,
    ranges: Ranges,
    is_put: bool,
) -> Result<()> {
    opened(op, handle)?.communicator.slow_path(op, at, ranges, is_put)
}

/// Copies one range: by the fast path, else by the slow path.
///
/// # Safety
/// `ip` is a C string.
#[inline(always)]
unsafe fn copy(
    op: &'static str,
    handle: HmcCommHandle,
    (ip, port, conn): (*const c_char, u16, i32),
    ranges: Ranges,
    is_put: bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let at = At { ip, port, conn: conn_of(op, conn)? };
    if let Some(done) = fast_path(op, handle, at, ranges, is_put) {
        return done;
    }
    slow_path(op, handle, at, ranges, is_put)
}

#[inline(always)]
pub(crate) unsafe fn mfx_hmc_put(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    local: u64,
    remote: u64,
    length: u64,
    conn: i32,
) -> Result<()> {
    // SAFETY: not null; the caller passes a C string.
    unsafe { copy(op, handle, (ip, port, conn), Ranges { local, remote, bytes: length }, true) }
}

#[inline(always)]
pub(crate) unsafe fn mfx_hmc_get(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    local: u64,
    remote: u64,
    length: u64,
    conn: i32,
) -> Result<()> {
    // SAFETY: the address is not null; the caller passes a C string, and room for an id or null.
    unsafe { copy(op, handle, (ip, port, conn), Ranges { local, remote, bytes: length }, false) }
}

pub(crate) unsafe fn mfx_hmc_put_from(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    data: *const c_void,
    remote: u64,
    length: u64,
    conn: i32,
) -> Result<()> {
    // SAFETY: not null; the caller passes a C string.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let at = At { ip, port, conn: conn_of(op, conn)? };
    // SAFETY: the caller passes null or so many readable bytes.
    unsafe { opened(op, handle)?.communicator.put_from(op, at, data.cast(), remote, length) }
}

pub(crate) unsafe fn mfx_hmc_await(
    op: &'static str,
    handle: HmcCommHandle,
    offsets: *const u64,
    count: u64,
    value: u64,
    timeout_ms: u64,
) -> Result<()> {
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable numbers.
    let offsets = unsafe { numbers(op, "the list of offsets", offsets, count) }?;
    let deadline = Instant::now() + Duration::from_millis(timeout_ms.min(AWAIT_MAX_MS));
    if opened.communicator.await_word(op, &offsets, value, deadline)? {
        return Ok(());
    }
    let late = Error::new(Kind::Timeout, op).what("no word has the value in time");
    Err(late.with("value", value).with("waited_ms", timeout_ms).code_of_family(Status::Timeout as i32))
}

/// Numbers of the caller.
///
/// # Safety
/// So many numbers are readable there, or it is null.
unsafe fn numbers(op: &'static str, what: &'static str, numbers: *const u64, count: u64) -> Result<Vec<u64>> {
    let length = count.saturating_mul(size_of::<u64>() as u64);
    // SAFETY: the caller vouches for them.
    let raw = unsafe { bytes(op, what, numbers.cast(), length) }?;
    Ok(raw.as_chunks().0.iter().map(|number| u64::from_ne_bytes(*number)).collect())
}

/// Begins one, and writes its id where the caller wants it.
///
/// # Safety
/// `ip` is a C string, and `id` null or room for a number.
unsafe fn start(
    op: &'static str,
    handle: HmcCommHandle,
    (ip, port, conn): (*const c_char, u16, i32),
    ranges: Ranges,
    is_put: bool,
    id: *mut u64,
) -> Result<()> {
    if !id.is_null() {
        // SAFETY: the caller vouches for the room.
        unsafe { id.write(0) };
    }
    // SAFETY: the caller passes so many readable bytes.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let at = At { ip, port, conn: conn_of(op, conn)? };
    if let Some(done) = fast_path(op, handle, at, ranges, is_put) {
        return done;
    }
    let opened = opened(op, handle)?;
    if id.is_null() {
        return opened.communicator.slow_start_unobserved(op, at, ranges, is_put);
    }
    let started = opened.communicator.slow_start(op, at, ranges, is_put)?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { id.write(started) };
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_put_nb(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    local: u64,
    remote: u64,
    length: u64,
    conn: i32,
    id: *mut u64,
) -> Result<()> {
    // SAFETY: the address is not null; the caller passes a C string, and room for a number or null.
    unsafe { start(op, handle, (ip, port, conn), Ranges { local, remote, bytes: length }, true, id) }
}

pub(crate) unsafe fn mfx_hmc_get_nb(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    local: u64,
    remote: u64,
    length: u64,
    conn: i32,
    id: *mut u64,
) -> Result<()> {
    // SAFETY: the address is not null; the caller passes a C string, and room for an id or null.
    unsafe { start(op, handle, (ip, port, conn), Ranges { local, remote, bytes: length }, false, id) }
}

pub(crate) fn mfx_hmc_flush(op: &'static str, handle: HmcCommHandle) -> Result<()> {
    opened(op, handle)?.communicator.flush(op)
}

pub(crate) fn mfx_hmc_wait(op: &'static str, handle: HmcCommHandle, id: u64) -> Result<()> {
    opened(op, handle)?.communicator.wait(op, id)
}

pub(crate) unsafe fn mfx_hmc_wait_all(
    op: &'static str,
    handle: HmcCommHandle,
    ids: *const u64,
    count: u64,
) -> Result<()> {
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable numbers.
    let ids = unsafe { numbers(op, "the list of ids", ids, count) }?;
    opened.communicator.wait_all(op, &ids)
}

pub(crate) unsafe fn mfx_hmc_put_pipeline(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    local: u64,
    remote: u64,
    length: u64,
    chunk: u64,
    inflight: u64,
    conn: i32,
) -> Result<()> {
    // SAFETY: not null; the caller passes a C string.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let (at, ranges) = (At { ip, port, conn: conn_of(op, conn)? }, Ranges { local, remote, bytes: length });
    opened(op, handle)?.communicator.pipeline(op, at, ranges, (chunk, inflight), true)
}

pub(crate) unsafe fn mfx_hmc_get_pipeline(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    local: u64,
    remote: u64,
    length: u64,
    chunk: u64,
    inflight: u64,
    conn: i32,
) -> Result<()> {
    // SAFETY: not null; the caller passes a C string.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let (at, ranges) = (At { ip, port, conn: conn_of(op, conn)? }, Ranges { local, remote, bytes: length });
    opened(op, handle)?.communicator.pipeline(op, at, ranges, (chunk, inflight), false)
}
