// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx.h`: the program `mf`, which is a part of this library, so that an installation has the code once.

use std::ffi::{CStr, OsStr, c_char, c_int};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;

use mf_base::{Error, Result};

pub(crate) unsafe fn mfx_program_run(
    op: &'static str,
    argc: c_int,
    argv: *const *const c_char,
) -> Result<i32> {
    let count = usize::try_from(argc).ok().filter(|count| *count > 0);
    let count = count.ok_or_else(|| {
        Error::invalid(op, "the first argument is the name of the program").with("argc", argc)
    })?;
    let mut arguments = Vec::with_capacity(count);
    for index in 0..count {
        // SAFETY: not null, and the caller passes `argc` pointers.
        let place = unsafe { argv.add(index) };
        // SAFETY: one of the `argc` pointers of the caller.
        let text = unsafe { place.read() };
        if text.is_null() {
            return Err(Error::invalid(op, "an argument is null").with("index", index));
        }
        // SAFETY: a C string of the caller's.
        let text = unsafe { CStr::from_ptr(text) };
        arguments.push(OsStr::from_bytes(text.to_bytes()).to_owned());
    }
    let code = mf_cli::main(arguments);
    // The caller's copy of the standard library, if it has one, does not flush this buffer.
    let _ = std::io::stdout().flush();
    Ok(i32::from(code))
}
