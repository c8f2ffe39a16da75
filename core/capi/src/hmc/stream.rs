// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Data of any length through the buffers.

use std::ffi::{CStr, c_char, c_void};

use mf_abi::smem::HmcCommHandle;
use mf_base::Result;
use mf_hmc::communicator::At;

use super::comm::{conn_of, opened};

pub(crate) unsafe fn mfx_hmc_send_data(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    data: *const c_void,
    length: u64,
    kind: i32,
    conn: i32,
) -> Result<()> {
    // SAFETY: not null; the caller passes a C string.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let at = At { ip, port, conn: conn_of(op, conn)? };
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes of this type of memory.
    unsafe { opened.communicator.send_data(op, at, data.cast(), length, kind) }
}

pub(crate) unsafe fn mfx_hmc_recv_data(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    data: *mut c_void,
    length: u64,
    kind: i32,
    conn: i32,
    received: *mut u64,
) -> Result<()> {
    // SAFETY: not null; the caller passes a C string.
    let ip = unsafe { CStr::from_ptr(ip) }.to_bytes();
    let at = At { ip, port, conn: conn_of(op, conn)? };
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes room for so many bytes in this type of memory.
    let bytes = unsafe { opened.communicator.recv_data(op, at, data.cast(), length, kind) }?;
    if !received.is_null() {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { received.write(bytes) };
    }
    Ok(())
}
