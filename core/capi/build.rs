// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Gives the library its SONAME, so that whatever links to it and whatever loads it by path share one copy.

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmf_smem.so");
    // Helper threads outlive a dlclose, so the code must stay.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=build.rs");
}
