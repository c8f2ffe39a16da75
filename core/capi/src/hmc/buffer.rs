// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffers by handle.

use std::ffi::c_void;
use std::sync::Arc;

use mf_abi::smem::{HmcBufferHandle, HmcBufferInfo};
use mf_base::os::process::Owner;
use mf_base::{Kind, Result};
use mf_hmc::Buffer;
use mf_hmc::buffer::DataIn;
use mf_job::process::Handles;

use crate::startup::prepare;

/// A buffer that a program made.
pub(crate) struct ProgramBuffer {
    pub(crate) buffer: Arc<Buffer>,
    owner: Owner,
}

/// Buffers, each alive as long as a communicator uses it.
static BUFFERS: Handles<ProgramBuffer, 1024> = Handles::new("buffer", "mfx_hmc_buffer_create");

/// The buffer of a handle.
pub(crate) fn buffer_of(op: &'static str, handle: HmcBufferHandle) -> Result<Arc<ProgramBuffer>> {
    let made = BUFFERS.get(op, handle, Kind::InvalidParam)?;
    made.owner.check(op, "the buffer was made by the parent of this process")?;
    Ok(made)
}

pub(crate) unsafe fn mfx_hmc_buffer_create(
    op: &'static str,
    device: i32,
    kind: i32,
    length: u64,
    buffer: *mut HmcBufferHandle,
) -> Result<()> {
    prepare()?;
    let made =
        ProgramBuffer { buffer: Arc::new(Buffer::new(op, device, kind, length)?), owner: Owner::current() };
    let handle = BUFFERS.insert(op, Arc::new(made))?;
    // SAFETY: not null; the caller passes room for a handle.
    unsafe { buffer.write(handle) };
    Ok(())
}

pub(crate) fn mfx_hmc_buffer_destroy(_op: &'static str, handle: HmcBufferHandle) -> Result<()> {
    drop(BUFFERS.remove(handle));
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_buffer_info(
    op: &'static str,
    handle: HmcBufferHandle,
    info: *mut HmcBufferInfo,
) -> Result<()> {
    let made = buffer_of(op, handle)?;
    let buffer = &made.buffer;
    let found = HmcBufferInfo {
        address: buffer.base().cast(),
        bytes: buffer.bytes(),
        kind: buffer.kind() as i32,
        resolved: buffer.memory().kind() as i32,
        device: buffer.device(),
        reserved: 0,
    };
    // SAFETY: not null; the caller passes room for the struct.
    unsafe { info.write(found) };
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_buffer_write(
    op: &'static str,
    handle: HmcBufferHandle,
    data: *const c_void,
    length: u64,
    offset: u64,
    on_device: u32,
) -> Result<()> {
    let made = buffer_of(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    unsafe { made.buffer.write(op, data.cast(), length, offset, DataIn::from_bool(on_device != 0)) }
}

pub(crate) unsafe fn mfx_hmc_buffer_read(
    op: &'static str,
    handle: HmcBufferHandle,
    data: *mut c_void,
    length: u64,
    offset: u64,
    on_device: u32,
) -> Result<()> {
    let made = buffer_of(op, handle)?;
    // SAFETY: the caller passes so many writable bytes.
    unsafe { made.buffer.read(op, data.cast(), length, offset, DataIn::from_bool(on_device != 0)) }
}

pub(crate) fn mfx_hmc_buffer_copy_within(
    op: &'static str,
    handle: HmcBufferHandle,
    to: u64,
    from: u64,
    length: u64,
) -> Result<()> {
    buffer_of(op, handle)?.buffer.copy_within(op, to, from, length)
}
