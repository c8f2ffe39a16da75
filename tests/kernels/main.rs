// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The kernels of `device-kernels`, run by ranks that are processes, on the simulator: against references,
//! with every single synchronisation left out, and with ranks that die, do not come, or ask for nonsense.

#[cfg(test)]
mod faults;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod mutation;
#[cfg(test)]
mod references;

/// The program of the ranks.
#[cfg(test)]
const PROGRAM: &str = env!("CARGO_BIN_EXE_mf-kernel-rank");
#[cfg(test)]
const MIB: u64 = 1 << 20;

/// True if kernels are available; prints the reason if not.
#[cfg(test)]
fn has_kernels(what: &str) -> bool {
    match mf_device_kernels::simulated() {
        Ok(_) => true,
        Err(reason) => {
            mf_tests::skip(what, reason);
            false
        }
    }
}
