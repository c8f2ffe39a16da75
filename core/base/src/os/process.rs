// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Facts about this process and its limits.

use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::Resource;

use crate::units::ByteLen;

/// Bytes of a huge page as the segments use it (2 MiB on x86-64 and on arm64 with 4-KiB base pages).
pub const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// Bytes of a base page.
pub fn page_bytes() -> u64 {
    rustix::param::page_size() as u64
}

/// The soft limit on the address space (`RLIMIT_AS`), `None` when unlimited.
pub fn address_space_limit() -> Option<u64> {
    rustix::process::getrlimit(Resource::As).current
}

/// The soft limit on open descriptors (`RLIMIT_NOFILE`), `None` when unlimited.
pub fn descriptor_limit() -> Option<u64> {
    rustix::process::getrlimit(Resource::Nofile).current
}

/// The memory limit of the control group, `None` when there is none or it cannot be read.
pub fn cgroup_memory_limit() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let read = |path: String| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    // Version 2, then version 1 with its controllers apart; "max" and numbers near the top mean no limit.
    let unified = groups.lines().find_map(|line| line.strip_prefix("0::"));
    let memory = groups.lines().find_map(|line| line.split_once(":memory:").map(|(_, path)| path));
    let limit = unified.and_then(|path| read(format!("/sys/fs/cgroup{path}/memory.max")));
    limit
        .or_else(|| {
            memory.and_then(|path| read(format!("/sys/fs/cgroup/memory{path}/memory.limit_in_bytes")))
        })
        .filter(|limit| *limit < 1 << 62)
}

/// The limits that matter for memory, as a clause for error texts.
pub fn memory_limits_text() -> String {
    let show = |limit: Option<u64>| limit.map_or_else(|| "unlimited".to_owned(), |n| ByteLen(n).to_string());
    format!(
        "limits: address space (RLIMIT_AS) {}, control group {}",
        show(address_space_limit()),
        show(cgroup_memory_limit())
    )
}

/// Names the network namespace of this process: two processes with the same name reach each other's abstract sockets; with
/// different names they do not. `None` where `/proc` does not tell.
pub fn network_namespace() -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let space = std::fs::read_link("/proc/self/ns/net").ok()?;
    Some(format!("{} {}", boot.trim(), space.display()))
}

/// Remembers the process that made an object, so that a forked child is told apart from it.
#[derive(Debug)]
pub struct Owner(AtomicU32);

impl Owner {
    /// An owner that is this process.
    pub fn current() -> Self {
        Self(AtomicU32::new(std::process::id()))
    }

    /// Whether the caller is the process that made this; false in a forked child. One system call.
    pub fn is_current(&self) -> bool {
        self.0.load(Ordering::Relaxed) == std::process::id()
    }
}
