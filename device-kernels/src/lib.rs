// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The kernels of this library, as binaries that `mf_smem::kernel` loads: for the host (the simulator runs
//! them) and, where the build found CANN's compiler, for NPUs.
//!
//! ```text
//!   kernels/*.cpp ──┬─ host C++ compiler + emulation/ ──► one shared object ──► simulated()
//!                   └─ bisheng, for each architecture ──► one object        ──► for_soc("Ascend910_9382")
//! ```
//!
//! Both are built from the same files, and [`table()`] lists their kernels. At build time `MF_KERNELS`
//! (`auto`, `npu`, `cpu`, `none`) selects the binaries, `MF_NPU_ARCH` the architectures.
//!
//! [`compile`] makes binaries of other sources likewise.

#![forbid(unsafe_code)]

pub mod compile;
pub mod lint;
pub mod table;

use std::sync::LazyLock;

use table::Kernel;

/// Output of the build script.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// Returns the kernels for the simulator: a shared object for this host, or the reason for its absence if the
/// build had no C++ compiler.
///
/// # Errors
/// The reason for its absence.
pub fn simulated() -> Result<&'static [u8], &'static str> {
    embedded::SIMULATED
}

/// The kernels for a chip, by its SoC name.
///
/// # Errors
/// The reason for their absence.
pub fn for_soc(soc: &str) -> Result<&'static [u8], &'static str> {
    let architecture = compile::npu::architecture_of(soc).ok_or("no kernels for this chip")?;
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

/// The headers of CANN that host code beside kernels includes (facts of the chip, tiling, and what belongs to
/// them): path below a folder `include`, and text.
pub fn host_headers() -> &'static [(&'static str, &'static str)] {
    embedded::HOST_HEADERS
}

/// Returns the compilers of the binaries with their versions, or the reasons for the absence of the binaries.
pub fn made_by() -> (&'static str, &'static str) {
    (embedded::HOST_COMPILER, embedded::NPU_COMPILER)
}
