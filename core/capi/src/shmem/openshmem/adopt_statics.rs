// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Adoption of the static data of a main program that is linked with OpenSHMEM.

use mf_shmem::statics::{Import, adopt};

/// Prefixes of symbols: the header's, and the profiling interface's.
const SYMBOLS: [&str; 2] = ["shmem15_", "pshmem15_"];
/// Libraries of the plain names.
const LIBRARIES: [&str; 2] = ["liboshmem.so", "libsma.so"];

/// Adopts the static data of the program, if it imports functions or libraries of OpenSHMEM.
pub(super) fn load() {
    let is_ours = |import: Import<'_>| match import {
        Import::Symbol(name) => SYMBOLS.iter().any(|prefix| name.starts_with(prefix)),
        Import::Library(name) => LIBRARIES.iter().any(|library| name.starts_with(library)),
    };
    adopt(&is_ours);
}
