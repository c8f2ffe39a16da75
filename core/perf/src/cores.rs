// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cores of the machine, and pinning of threads to them.

use mf_base::{Error, Kind, Result};
use rustix::process::Pid;
use rustix::thread::CpuSet;

const OPERATION: &str = "cores of a process";

/// The cores that the calling thread may use.
pub(super) fn own() -> Vec<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect()
}

fn set_of(cores: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    cores.iter().for_each(|core| set.set(*core));
    set
}

/// Pins the calling thread and its future children to these cores.
///
/// # Errors
/// Errors of the kernel.
pub(super) fn pin(cores: &[usize]) -> Result<()> {
    rustix::thread::sched_setaffinity(None, &set_of(cores)).map_err(|errno| Error::os(OPERATION, errno))
}

/// Keeps all threads of this process on these cores.
///
/// # Errors
/// Errors of the kernel.
pub(super) fn pin_process(cores: &[usize]) -> Result<()> {
    // First, because the threads that it starts then stay there, too.
    pin(cores)?;
    let threads = std::fs::read_dir("/proc/self/task")
        .map_err(|error| Error::new(Kind::Failed, OPERATION).what("its threads are unknown").source(error))?;
    let set = set_of(cores);
    for thread in threads.flatten() {
        let number = thread.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        // One that has ended meanwhile is on no core.
        let _ = number.map(|number| rustix::thread::sched_setaffinity(Some(number), &set));
    }
    Ok(())
}
