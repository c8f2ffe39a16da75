// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Open files, mappings in the candidate windows, and threads of this process.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::channel;

use mf_base::os::mapping::Reservation;
use mf_base::os::memfile::MemFile;
use mf_base::settings::Switch;
use mf_tests::Failure;

/// Ranges of pools, generously; programs, heaps, stacks and libraries are elsewhere.
const WINDOWS: [Range<u64>; 3] =
    [0x20_0000_0000..0x50_0000_0000, 0x1000_8000_0000..0x5000_0000_0000, 0x6200_0000_0000..0x7800_0000_0000];
/// Threads that live as long as the process, by design: one helper for the large copies of all pools, and the
/// simulators' threads.
const LASTING: [&str; 3] = ["mf-copy-assist", "ascend-sim-link", "gpusim-stream"];

/// Resources at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Census {
    descriptors: BTreeMap<String, String>,
    mappings: Vec<String>,
    threads: BTreeMap<String, String>,
}

impl Census {
    pub(crate) fn take() -> Self {
        Self { descriptors: descriptors(), mappings: mappings(), threads: threads() }
    }

    /// Resources now that did not exist then.
    pub(crate) fn since(&self, then: &Self) -> Vec<String> {
        let descriptors =
            self.descriptors.iter().filter(|(number, target)| then.descriptors.get(*number) != Some(target));
        let mut remains: Vec<String> =
            descriptors.map(|(number, target)| format!("descriptor {number}: {target}")).collect();
        // By number alone: a thread that had just started was not named yet.
        let threads = self.threads.iter().filter(|(number, _)| !then.threads.contains_key(*number));
        remains.extend(threads.map(|(number, name)| format!("thread {number}: {name}")));
        let mappings = self.mappings.iter().filter(|line| !then.mappings.contains(line));
        remains.extend(mappings.map(|line| format!("mapping {line}")));
        remains
    }
}

/// Leaves behind one of each that a census counts.
pub(crate) fn leak() -> Result<(), Failure> {
    let file = MemFile::create("mf-leak", 4096, Switch::Off)?;
    let window = Reservation::at(WINDOWS[1].start, 4096)?;
    // SAFETY: the reservation was just made and is not known elsewhere.
    unsafe { window.map(0, &file, 0..4096) }?;
    std::mem::forget((file, window));
    let (started, thread_started) = channel();
    std::thread::spawn(move || {
        let _ = started.send(());
        loop {
            std::thread::park();
        }
    });
    thread_started.recv().map_err(|_| Failure::wrong("the thread did not start"))
}

/// Number and target of each open descriptor.
pub(crate) fn descriptors() -> BTreeMap<String, String> {
    let mut open = BTreeMap::new();
    for entry in std::fs::read_dir("/proc/self/fd").expect("/proc is there").flatten() {
        // The descriptor that reads the folder is gone when its turn comes, or points to the folder.
        if let Ok(target) = std::fs::read_link(entry.path()) {
            let target = target.to_string_lossy().into_owned();
            if !(target.starts_with("/proc/") && target.ends_with("/fd")) {
                open.insert(entry.file_name().to_string_lossy().into_owned(), target);
            }
        }
    }
    open
}

fn mappings() -> Vec<String> {
    let lines = std::fs::read_to_string("/proc/self/maps").expect("/proc is there");
    let in_window = |line: &str| {
        let start = line.split('-').next().and_then(|start| u64::from_str_radix(start, 16).ok());
        start.is_some_and(|start| WINDOWS.iter().any(|window| window.contains(&start)))
    };
    lines.lines().filter(|line| in_window(line) || line.contains("/memfd:mf-")).map(str::to_owned).collect()
}

fn threads() -> BTreeMap<String, String> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("/proc is there").flatten();
    let named = tasks.filter_map(|task| {
        let name = std::fs::read_to_string(task.path().join("comm")).ok()?;
        Some((task.file_name().to_string_lossy().into_owned(), name.trim().to_owned()))
    });
    named.filter(|(_, name)| !LASTING.contains(&&**name)).collect()
}
