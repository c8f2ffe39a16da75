// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Facts about this process and its limits.

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};
use rustix::process::{Resource, Rlimit};

use crate::os::descriptor;
use crate::units::ByteLen;
use crate::{Error, Kind, Result};

/// Bytes of a huge page as the segments use it (2 MiB on x86-64 and on arm64 with 4-KiB base pages).
pub const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// Bytes of a base page.
pub fn page_bytes() -> u64 {
    rustix::param::page_size() as u64
}

/// Returns the cores that this process may run on, at most as many as it may use at a time; empty when the
/// kernel does not report them.
pub fn usable_cores() -> Vec<u16> {
    let at_a_time = std::thread::available_parallelism().map_or(1, usize::from);
    let Ok(allowed) = rustix::thread::sched_getaffinity(None) else { return Vec::new() };
    let cores = (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
    cores.filter_map(|core| u16::try_from(core).ok()).take(at_a_time).collect()
}

/// Returns a limit of this process. `None` if the kernel does not report it: a filter of system calls refuses
/// `prlimit64`, and `getrlimit` too. (rustix then returns uninitialised memory as the limit.)
pub fn limit(resource: Resource) -> Option<Rlimit> {
    let number = match resource {
        Resource::As => libc::RLIMIT_AS,
        Resource::Fsize => libc::RLIMIT_FSIZE,
        Resource::Memlock => libc::RLIMIT_MEMLOCK,
        Resource::Nofile => libc::RLIMIT_NOFILE,
        Resource::Nproc => libc::RLIMIT_NPROC,
        _ => return None,
    };
    let mut found = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    let null = std::ptr::null::<libc::rlimit64>();
    // SAFETY: the kernel reads nothing and writes one structure to `found`.
    let asked = unsafe { libc::syscall(libc::SYS_prlimit64, 0, number, null, &raw mut found) };
    if asked != 0 {
        // SAFETY: the kernel writes one structure to `found`, the same as of the first call on 64-bit
        // machines.
        let asked = unsafe { libc::syscall(libc::SYS_getrlimit, number, &raw mut found) };
        if asked != 0 {
            return None;
        }
    }
    let finite = |value: u64| (value != libc::RLIM64_INFINITY).then_some(value);
    Some(Rlimit { current: finite(found.rlim_cur), maximum: finite(found.rlim_max) })
}

/// The soft limit on the address space (`RLIMIT_AS`), `None` when unlimited or not reported.
pub fn address_space_limit() -> Option<u64> {
    limit(Resource::As)?.current
}

/// The soft limit on open descriptors (`RLIMIT_NOFILE`), `None` when unlimited or not reported.
pub fn descriptor_limit() -> Option<u64> {
    limit(Resource::Nofile)?.current
}

/// The soft limit on the size of files (`RLIMIT_FSIZE`), `None` when unlimited or not reported.
pub fn file_limit() -> Option<u64> {
    limit(Resource::Fsize)?.current
}

/// Returns the memory limit of the control group. `None` if it has no limit or it cannot be read.
pub fn cgroup_memory_limit() -> Option<u64> {
    let groups = descriptor::read_text("/proc/self/cgroup").ok()?;
    let read = |path: String| descriptor::read_text(path).ok()?.trim().parse::<u64>().ok();
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

/// Names the network namespace of this process: two processes with the same name reach each other's abstract
/// sockets; with different names they do not. `None` where `/proc` does not report it.
pub fn network_namespace() -> Option<String> {
    let boot = machine()?;
    let space = std::fs::read_link("/proc/self/ns/net").ok()?;
    Some(format!("{boot} {}", space.display()))
}

/// Names the running kernel: processes with the same name run on one machine. `None` where `/proc` does not
/// report it.
pub fn machine() -> Option<String> {
    let boot = descriptor::read_text("/proc/sys/kernel/random/boot_id").ok()?;
    Some(boot.trim().to_owned())
}

/// Returns the memory of the machine in bytes, or the control group's share of it.
pub fn memory_bytes() -> u64 {
    let info = rustix::system::sysinfo();
    let machine = info.totalram.saturating_mul(u64::from(info.mem_unit));
    cgroup_memory_limit().map_or(machine, |limit| limit.min(machine))
}

/// Number of this process among itself and its ancestors; 0 until it is first requested. On a page of its own
/// that the kernel empties in every forked child, so that a check costs two loads, is no system call, and
/// detects any fork, however it was made.
static NUMBER: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());

/// The number of this process; in a child that has not requested one: 0.
#[inline(always)]
fn number() -> u64 {
    // SAFETY: null, or what `own_number` has set, which never ends.
    match unsafe { NUMBER.load(Ordering::Acquire).as_ref() } {
        // Relaxed: a child begins with one thread, and a thread that starts others has seen the number.
        Some(number) => number.load(Ordering::Relaxed),
        None => 0,
    }
}

/// The number of this process, which has one from now on.
fn own_number() -> u64 {
    /// The last number that this process or a forefather took; a child counts on from there.
    static LAST: AtomicU64 = AtomicU64::new(0);
    if NUMBER.load(Ordering::Acquire).is_null() {
        let word = emptied_in_children(1).and_then(|words| words.first()).unwrap_or_else(emptied_by_handler);
        let word = std::ptr::from_ref(word).cast_mut();
        // If another thread was faster, a page is lost, once.
        let _ = NUMBER.compare_exchange(std::ptr::null_mut(), word, Ordering::AcqRel, Ordering::Acquire);
    }
    // SAFETY: the page or static that this or another thread set above; neither ever ends.
    let Some(word) = (unsafe { NUMBER.load(Ordering::Acquire).as_ref() }) else { return 0 };
    let now = word.load(Ordering::Acquire);
    if now != 0 {
        return now;
    }
    let next = LAST.fetch_add(1, Ordering::AcqRel) + 1;
    match word.compare_exchange(0, next, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => next,
        Err(taken) => taken,
    }
}

/// So many words of zeroes that are zeroes again in every forked child, and never end; none where the kernel
/// has no such thing (before 4.14), or no memory.
pub fn emptied_in_children(words: usize) -> Option<&'static [AtomicU64]> {
    if cfg!(miri) {
        // Miri's kernel has no such advice, and no fork either.
        return None;
    }
    let bytes = words.checked_mul(size_of::<AtomicU64>())?.next_multiple_of(rustix::param::page_size());
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a fresh mapping at an address of the kernel's choice replaces nothing.
    let page =
        unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), bytes, access, MapFlags::PRIVATE) }.ok()?;
    // SAFETY: the page was just mapped, and holds nothing.
    let emptied = unsafe { rustix::mm::madvise(page, bytes, Advice::LinuxWipeOnFork) };
    if emptied.is_err() {
        // SAFETY: the page was mapped above, and no other code knows it.
        let _ = unsafe { rustix::mm::munmap(page, bytes) };
        return None;
    }
    // SAFETY: mapped above for at least so many words, at a multiple of the page size, and never unmapped.
    Some(unsafe { std::slice::from_raw_parts(page.cast::<AtomicU64>(), words) })
}

/// A word that a handler of forks empties in every child: kernels before 4.14 cannot empty pages. Only
/// children that were made by the C library's `fork` are detected then.
fn emptied_by_handler() -> &'static AtomicU64 {
    static WORD: AtomicU64 = AtomicU64::new(0);
    extern "C" fn in_child() {
        WORD.store(0, Ordering::Relaxed);
    }
    if !cfg!(miri) {
        // SAFETY: the handler only writes an atomic, as any code between fork and exec may.
        let _no_memory_leaves_forks_undetected = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    }
    &WORD
}

/// Remembers the process that made an object, so that a forked child is distinguished from it.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    number: u64,
    pid: u32,
}

impl Owner {
    /// An owner that is this process.
    pub fn current() -> Self {
        Self { number: own_number(), pid: std::process::id() }
    }

    /// Returns true if the caller is the process that made this; false in a forked child. Two loads.
    #[inline(always)]
    pub fn is_current(&self) -> bool {
        self.number == number()
    }

    /// Refuses a forked child; `what` describes the object: `the queue belongs to the parent of this
    /// process`.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    #[inline(always)]
    pub fn check(&self, operation: &'static str, what: &'static str) -> Result<()> {
        if self.is_current() { Ok(()) } else { Err(self.refusal(operation, what)) }
    }

    #[cold]
    fn refusal(&self, operation: &'static str, what: &'static str) -> Error {
        Error::new(Kind::NotInit, operation)
            .what(what)
            .with("owner_pid", self.pid)
            .with("pid", std::process::id())
            .hint("initialise in the child after the fork, or use spawn instead of fork")
    }
}

/// A flag that holds in the process that raised it and in no forked child of it.
#[derive(Debug)]
pub struct OwnFlag(AtomicU64);

/// No process has this number.
const NOBODY: u64 = u64::MAX;

impl OwnFlag {
    /// A flag that is not raised.
    pub const fn new() -> Self {
        Self(AtomicU64::new(NOBODY))
    }

    /// Returns true if this process has raised it. As cheap as a flag and two loads.
    #[inline(always)]
    pub fn is_raised(&self) -> bool {
        // Acquire pairs with the release in `raise`.
        self.0.load(Ordering::Acquire) == number()
    }

    /// Raises it; false: this process has already.
    pub fn raise(&self) -> bool {
        let own = own_number();
        self.0.swap(own, Ordering::AcqRel) != own
    }

    /// Lowers it.
    pub fn lower(&self) {
        self.0.store(NOBODY, Ordering::Release);
    }
}

impl Default for OwnFlag {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `check` in a forked child and returns its result.
    fn in_child(check: impl FnOnce() -> bool) -> bool {
        // SAFETY: the child only reads atomics, and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let code = i32::from(!check());
            // SAFETY: ends the child without the parent's handlers.
            unsafe { libc::_exit(code) };
        }
        let mut status = 0;
        // SAFETY: the child was just made, and no other code waits for it.
        let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(ended, child);
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }

    #[test]
    fn fork_handler_clears_the_word_without_kernel_support() {
        let word = emptied_by_handler();
        word.store(5, Ordering::Relaxed);
        assert!(in_child(|| word.load(Ordering::Relaxed) == 0));
        assert_eq!(word.swap(0, Ordering::Relaxed), 5);
    }

    #[test]
    fn a_forked_child_is_another_owner_and_sees_no_flag() {
        let (owner, flag) = (Owner::current(), OwnFlag::new());
        assert!(owner.is_current() && !flag.is_raised());
        assert!(flag.raise() && flag.is_raised() && !flag.raise());
        assert!(in_child(|| {
            let inherited = owner.is_current() || flag.is_raised();
            let own = Owner::current();
            let raised = flag.raise() && flag.is_raised();
            // Nor is a grandchild taken for another process.
            !inherited
                && own.is_current()
                && !owner.is_current()
                && raised
                && in_child(|| {
                    !own.is_current()
                        && !owner.is_current()
                        && !flag.is_raised()
                        && Owner::current().is_current()
                })
        }));
        assert!(owner.is_current() && flag.is_raised());
        flag.lower();
        assert!(!flag.is_raised());
    }
}
