// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulator's own functions, for tests. No driver has them.

use std::ffi::{c_char, c_int};

use crate::boundary;
use crate::exports::text;
use crate::lock::lock;
use crate::machine::machine;

/// The version, as text; by it the library is known to be the simulator.
#[unsafe(no_mangle)]
pub extern "C" fn gpusim_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the number of driver calls made by this process.
#[unsafe(no_mangle)]
pub extern "C" fn gpusim_calls() -> u64 {
    boundary::calls()
}

/// Makes the `nth` call from now fail, regardless of its function; 0 for no failure.
#[unsafe(no_mangle)]
pub extern "C" fn gpusim_fail(nth: u64) {
    boundary::fail(nth);
}

/// Writes the name of the function that [`gpusim_fail`] let fail last, empty before, into `bytes` bytes.
///
/// # Safety
/// `to` is null or has room for so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusim_failed(to: *mut c_char, bytes: c_int) {
    // An error for lack of room cannot be reported.
    let _ = text(to, bytes, boundary::failed());
}

/// Returns the number of leaked allocations, imports, pinned ranges and streams.
#[unsafe(no_mangle)]
pub extern "C" fn gpusim_leaks() -> u64 {
    lock(machine()).leaks().len() as u64
}
