// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_kernel_build`: binaries of a program's own kernels, for the simulator.

use std::ffi::{CStr, OsStr, OsString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use mf_abi::smem::KernelBuild;
use mf_base::{Error, Kind, Result};
use mf_device_kernels::compile::{Home, host};

use crate::boundary::present;

const OP: &str = "kernel build";

pub(crate) unsafe fn mfx_kernel_build(_op: &'static str, build: *const KernelBuild) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let build = unsafe { &*build };
    // SAFETY: the caller passes a C string, here and below.
    let home = unsafe { path(build.home, "home") }?;
    // SAFETY: the caller passes a C string or null.
    let scratch = unsafe { path(build.scratch, "scratch") }?;
    // SAFETY: the caller passes a C string or null.
    let output = unsafe { path(build.output, "output") }?;
    // SAFETY: the caller passes an array of so many C strings.
    let sources = unsafe { list(build.sources, build.source_count, "sources") }?;
    // SAFETY: the caller passes an array of so many C strings.
    let flags = unsafe { list(build.flags, build.flag_count, "flags") }?;
    // SAFETY: null or a C string.
    let compiler = (!build.compiler.is_null()).then(|| unsafe { os_text(build.compiler) }.to_owned());
    compile(home, &sources, &flags, scratch, output, compiler)
}

fn compile(
    home: &Path,
    sources: &[OsString],
    flags: &[OsString],
    scratch: &Path,
    output: &Path,
    compiler: Option<OsString>,
) -> Result<()> {
    if sources.is_empty() {
        return Err(Error::invalid(OP, "no sources"));
    }
    let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
    if let Some(missing) = sources.iter().find(|source| !source.is_file()) {
        return Err(Error::new(Kind::NotExist, OP).what("source not found").with("file", missing.display()));
    }
    let found = Home::at(home).ok_or_else(|| {
        Error::new(Kind::NotExist, OP)
            .what("the headers for kernels and the emulation are not there")
            .with("folder", home.display())
            .hint(
                "they are in device-kernels of the source tree, and in include/mf_kernels of an installation",
            )
    })?;
    let compiler = host::Compiler::find(compiler).map_err(|why| Error::new(Kind::NotExist, OP).what(why))?;
    let job = host::Job { sources: &sources, flags, scratch, cache: None, output };
    let warnings = host::compile(&compiler, &found, &job)
        .map_err(|words| Error::new(Kind::Failed, OP).what(words).with("output", output.display()))?;
    for line in warnings.lines() {
        tracing::warn!("kernel build: {line}");
    }
    Ok(())
}

/// # Safety
/// `text` is a C string.
unsafe fn os_text<'a>(text: *const c_char) -> &'a OsStr {
    // SAFETY: the caller passes so many readable bytes.
    OsStr::from_bytes(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// # Safety
/// `text` is null or a C string.
unsafe fn path<'a>(text: *const c_char, name: &str) -> Result<&'a Path> {
    present(OP, name, text)?;
    // SAFETY: not null; passed on to the caller.
    Ok(Path::new(unsafe { os_text(text) }))
}

/// # Safety
/// `texts` is null or an array of `count` pointers, each null or a C string.
unsafe fn list(texts: *const *const c_char, count: u32, name: &str) -> Result<Vec<OsString>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    present(OP, name, texts)?;
    // SAFETY: not null; passed on to the caller.
    let texts = unsafe { std::slice::from_raw_parts(texts, count as usize) };
    texts
        .iter()
        .map(|text| {
            present(OP, name, *text)?;
            // SAFETY: not null; passed on to the caller.
            Ok(unsafe { os_text(*text) }.to_owned())
        })
        .collect()
}
