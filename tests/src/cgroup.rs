// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A control group with a memory limit, below the test's own, if the machine allows one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::deadline;

/// A control group that limits the memory of the processes put into it. Dropping it removes it.
#[derive(Debug)]
pub struct MemoryGroup {
    folder: PathBuf,
}

impl MemoryGroup {
    /// Makes one that allows `bytes`.
    ///
    /// # Errors
    /// Why that is not possible here.
    pub fn new(bytes: u64) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let (parent, limit) = parent()?;
        let name = format!("mf-test-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = parent.join(name);
        let named = |what: &Path, error: std::io::Error| format!("{}: {error}", what.display());
        std::fs::create_dir(&folder).map_err(|error| named(&folder, error))?;
        let group = Self { folder };
        let file = group.folder.join(limit);
        std::fs::write(&file, bytes.to_string()).map_err(|error| named(&file, error))?;
        Ok(group)
    }

    /// Puts a process into it.
    ///
    /// # Errors
    /// Why that is not possible here.
    pub fn add(&self, pid: u32) -> Result<(), String> {
        std::fs::write(self.folder.join("cgroup.procs"), pid.to_string()).map_err(|error| error.to_string())
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        // Its processes have ended, but may not have been taken out yet.
        deadline::wait_until(|| std::fs::remove_dir(&self.folder).is_ok());
    }
}

/// The folder of the own group and the name of its limit.
fn parent() -> Result<(PathBuf, &'static str), String> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
    let below = |root: &str, path: &str| PathBuf::from(format!("{root}{}", path.trim_end_matches('/')));
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        if controllers.split(',').any(|controller| controller == "memory") {
            return Ok((below("/sys/fs/cgroup/memory", path), "memory.limit_in_bytes"));
        }
    }
    let path =
        groups.lines().find_map(|line| line.strip_prefix("0::")).ok_or("there are no control groups")?;
    Ok((below("/sys/fs/cgroup", path), "memory.max"))
}
