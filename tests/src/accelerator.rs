// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which accelerator the members of a test use.
//!
//! `MF_TEST_DEVICE` chooses, among what `MF_DEVICE` accepts (`none`, `sim`, `ascend`, `cuda`).
//! `MF_TEST_DEVICES` says over how many devices the members spread.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::Job;

/// The variable.
const VARIABLE: &str = "MF_TEST_DEVICE";
/// No accelerator: host memory stands in for device memory.
pub const NONE: &str = "none";
/// The simulator of CANN.
pub const SIMULATOR: &str = "sim";

/// A GPU of NVIDIA, with memory shared as descriptors.
pub const CUDA: &str = "cuda";

/// Number of devices for the members; one without it.
pub const COUNT_VARIABLE: &str = "MF_TEST_DEVICES";

/// The number of the device that this member uses.
pub fn number(rank: Option<u32>) -> u16 {
    let count: u32 = std::env::var(COUNT_VARIABLE).ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    // Members with a store-assigned rank spread by their process numbers.
    u16::try_from(rank.unwrap_or_else(std::process::id) % count.max(1)).unwrap_or(0)
}

/// The value of the variable, else `default`.
pub fn chosen(default: &str) -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| default.to_owned())
}

/// Gives the members of `job` this accelerator. On the simulator each job has a machine of its own.
pub fn give(job: &mut Job, accelerator: &str) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    job.set("MF_DEVICE", accelerator);
    if accelerator == SIMULATOR {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        job.set("ASCEND_HOME_PATH", &installation().display().to_string());
        job.set("ASCEND_SIM_SESSION", &format!("tests-{}-{number}", std::process::id()));
    }
}

/// A folder in the form of an installation of CANN, with the simulator.
fn installation() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let simulator = std::env::current_exe().unwrap().with_file_name("libascend_sim.so");
        assert!(simulator.exists(), "{} is a development dependency of this crate", simulator.display());
        // Beside it, where the next run finds it again.
        let folder = simulator.with_file_name("simulated-cann");
        let libraries = folder.join("lib64");
        std::fs::create_dir_all(&libraries).unwrap();
        for name in ["libascendcl.so", "libascend_hal.so"] {
            let link = libraries.join(name);
            // Another test may make it at the same moment.
            if let Err(error) = symlink(&simulator, &link) {
                assert!(link.exists(), "{}: {error}", link.display());
            }
        }
        folder
    })
}
