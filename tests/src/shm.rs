// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents of `/dev/shm`: none of our files may stay there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FOLDER: &str = "/dev/shm";

/// The names in a folder at one moment.
#[derive(Debug)]
pub struct Snapshot {
    folder: PathBuf,
    names: BTreeSet<PathBuf>,
}

impl Snapshot {
    /// Lists `/dev/shm` now.
    pub fn take() -> Self {
        Self::of(Path::new(FOLDER))
    }

    /// Lists a folder now.
    pub fn of(folder: &Path) -> Self {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let names = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        Self { folder: folder.to_owned(), names }
    }

    /// New files since then that belong to no running process. Other programs may use the folder
    /// meanwhile, but they hold their files open.
    pub fn left_behind(&self) -> Vec<PathBuf> {
        let now = Self::of(&self.folder).names;
        now.difference(&self.names).filter(|path| !is_in_use(path) && path.exists()).cloned().collect()
    }
}

fn is_in_use(path: &Path) -> bool {
    let processes =
        std::fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    for process in processes {
        let descriptors = std::fs::read_dir(process.join("fd")).into_iter().flatten();
        let open = descriptors.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
        let mapped = std::fs::read_to_string(process.join("maps")).unwrap_or_default();
        if open.into_iter().any(|target| target == path) || mapped.contains(&*path.to_string_lossy()) {
            return true;
        }
    }
    false
}
