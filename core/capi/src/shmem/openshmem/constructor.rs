// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the library does when a program is loaded that is linked with it.

use mf_shmem::statics::{Import, adopt};

/// Symbols of the header, and those of the interface for tools.
const SYMBOLS: [&str; 2] = ["shmem15_", "pshmem15_"];
/// Libraries of the plain names.
const LIBRARIES: [&str; 2] = ["liboshmem.so", "libsma.so"];

extern "C" fn begin() {
    let is_ours = |import: Import<'_>| match import {
        Import::Symbol(name) => SYMBOLS.iter().any(|prefix| name.starts_with(prefix)),
        Import::Library(name) => LIBRARIES.iter().any(|library| name.starts_with(library)),
    };
    // A panic must not reach the loader.
    let _ = std::panic::catch_unwind(|| adopt(&is_ours));
}

/// The loader calls what stands here before `main`.
// SAFETY: the section holds functions without arguments that are needed; those of C libraries take some that
// this one leaves alone.
#[unsafe(link_section = ".init_array")]
#[used]
static CONSTRUCTOR: extern "C" fn() = begin;
