// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The kernels of this library, as binaries that `mf_smem::kernel` loads: for the host (the simulator runs
//! them) and, where the build found CANN's compiler, for NPUs.
//!
//! ```text
//!   kernels/*.cpp ──┬─ host C++ compiler + emulation/ ──► one shared object ──► simulated()
//!                   └─ bisheng, for each architecture ──► one object        ──► for_soc("Ascend910_9382")
//! ```
//!
//! Both are made of the same files, and [`table()`] lists what is in them. `MF_KERNELS` (`auto`, `npu`,
//! `cpu`, `none`) says at build time what is made, `MF_NPU_ARCH` for which architectures.
//!
//! [`compile`] makes binaries of other sources likewise.

#![forbid(unsafe_code)]

pub mod compile;
pub mod lint;
pub mod table;

use std::sync::LazyLock;

use table::Kernel;

/// What the build script found and made.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// The kernels for the simulator: a shared object for this host; none, with the reason, when the build had no
/// C++ compiler.
///
/// # Errors
/// Why there is none.
pub fn simulated() -> Result<&'static [u8], &'static str> {
    embedded::SIMULATED
}

/// The kernels for a chip, by its SoC name.
///
/// # Errors
/// Why there are none.
pub fn for_soc(soc: &str) -> Result<&'static [u8], &'static str> {
    let architecture = compile::npu::architecture_of(soc).ok_or("there are no kernels for this chip")?;
    let found = embedded::NPU.iter().find(|(name, _)| *name == architecture);
    found.map(|(_, bytes)| *bytes).ok_or(embedded::NPU_REASON)
}

/// The kernels in these binaries, by name.
pub fn table() -> &'static [Kernel] {
    static TABLE: LazyLock<Vec<Kernel>> = LazyLock::new(|| {
        let files = embedded::TABLES.iter().filter_map(|table| table::kernels_of(table).ok());
        let mut all: Vec<Kernel> = files.flatten().collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    });
    &TABLE
}

/// What made the binaries: compilers with their versions, or why there are none.
pub fn made_by() -> (&'static str, &'static str) {
    (embedded::HOST_COMPILER, embedded::NPU_COMPILER)
}
