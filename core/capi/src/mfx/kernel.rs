// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_kernel_*`: binaries that run on the accelerator of this process.

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mf_abi::smem::{KernelHandle, LaunchOptions, MFX_DEFAULT_STREAM, ShmHandle};
use mf_base::{Error, Kind, Result};
use mf_device::RawStream;
use mf_job::process::Handles;
use mf_smem::kernel::{self, Arguments, Binary, Code};

use crate::boundary::{bytes, text};
use crate::built_in_kernels::{built_in, for_chip};
use crate::last_error::c_text;
use crate::part;
use crate::returned_text::hand_out;

const LOAD: &str = "kernel load";

/// Binaries; each keeps its device open. Programs unload them at any time.
static BINARIES: Handles<Binary, 256> = Handles::new("kernel binary", "mfx_kernel_load");

pub(crate) unsafe fn mfx_kernel_load(
    op: &'static str,
    path: *const c_char,
    handle: *mut KernelHandle,
) -> Result<()> {
    let devices = part::devices(op)?;
    let code = if path.is_null() {
        Code::Bytes(built_in(&devices)?)
    } else {
        // SAFETY: the caller passes a C string.
        Code::File(Path::new(unsafe { text(op, "the path", path) }?))
    };
    let binary = Binary::load(&devices, code)?;
    // SAFETY: not null; the caller passes room for a handle.
    unsafe { hand_over(binary, handle) }
}

pub(crate) unsafe fn mfx_kernel_load_data(
    op: &'static str,
    data: *const c_void,
    size: u64,
    handle: *mut KernelHandle,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let code = unsafe { bytes(op, "the binary", data, size) }?;
    let binary = Binary::load(&part::devices(op)?, Code::Bytes(code))?;
    // SAFETY: not null; the caller passes room for a handle.
    unsafe { hand_over(binary, handle) }
}

/// # Safety
/// `to` is valid for writing a handle.
unsafe fn hand_over(binary: Binary, to: *mut KernelHandle) -> Result<()> {
    let handle = BINARIES.insert(LOAD, Arc::new(binary))?;
    // SAFETY: the caller of this function passes room for a handle.
    unsafe { to.write(handle) };
    Ok(())
}

pub(crate) unsafe fn mfx_kernel_built_in(
    op: &'static str,
    soc: *const c_char,
    data: *mut *const c_void,
    length: *mut u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let binary = for_chip(op, unsafe { text(op, "the chip", soc) }?)?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { data.write(binary.as_ptr().cast()) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { length.write(binary.len() as u64) };
    Ok(())
}

pub(crate) fn mfx_kernel_unload(op: &'static str, handle: KernelHandle) -> Result<()> {
    let removed = BINARIES.remove(handle);
    removed.map(drop).ok_or_else(|| BINARIES.refusal(op, handle, Kind::InvalidParam))
}

pub(crate) unsafe fn mfx_kernel_launch(
    op: &'static str,
    handle: KernelHandle,
    name: *const c_char,
    memory: ShmHandle,
    options: *const LaunchOptions,
    arguments: *const c_void,
    size: u64,
) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let options = unsafe { options.read() };
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "the name", name) }?;
    // SAFETY: the caller passes so many readable bytes.
    let arguments = unsafe { bytes(op, "the arguments", arguments, size) }?;
    if !arguments.len().is_multiple_of(8) {
        return Err(Error::invalid(op, "each argument takes a multiple of 8 bytes").with("bytes", size));
    }
    let binary = BINARIES.get(op, handle, Kind::InvalidParam)?;
    let arguments = Arguments::new().raw(arguments);
    let timeout = (options.timeout_ms > 0).then(|| Duration::from_millis(options.timeout_ms.into()));
    let stream = match options.stream.addr() {
        0 => None,
        MFX_DEFAULT_STREAM => Some(RawStream(std::ptr::null_mut())),
        _ => Some(RawStream(options.stream)),
    };
    let options = kernel::LaunchOptions { blocks: options.blocks, timeout, stream };
    if memory.is_null() {
        // SAFETY: the caller vouches for the arguments.
        let launched = unsafe { binary.launch(name, &arguments, &options) };
        return launched.map_err(|error| part::explain_launch(error, name));
    }
    // SAFETY: the caller vouches for the arguments of the kernel.
    unsafe { part::share(op, memory)?.launch(&binary, name, &arguments, &options) }
}

pub(crate) fn mfx_kernel_table_json(_op: &'static str) -> Result<*const c_char> {
    let kernels = mf_device_kernels::table().iter().map(|kernel| {
        serde_json::json!({
            "name": kernel.name,
            "cores": kernel.cores.to_string(),
            "arguments": kernel.arguments,
        })
    });
    let table = serde_json::json!({
        "kernels": serde_json::Value::from_iter(kernels),
        "simulator": mf_device_kernels::simulated().err(),
    });
    Ok(hand_out(c_text(&table.to_string())))
}
