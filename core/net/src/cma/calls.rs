// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The calls of the kernel that copy between two processes.

use std::os::fd::OwnedFd;
use std::time::Duration;

use mf_base::os::descriptor;
use rustix::event::{PollFd, PollFlags, Timespec};

/// Outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// So many bytes were copied, from the first on.
    Copied(usize),
    /// An address, here or there, is not mapped for this access.
    BadAddress,
    /// There is no such process.
    NoProcess,
    /// The kernel does not allow it, by this number.
    Refused(i32),
}

/// Copies pieces of this process to pieces of another one, or from there; both lists have `count` entries of
/// equal lengths.
///
/// # Safety
/// The local pieces are valid for reading, or for writing.
pub(super) unsafe fn copy(pid: i32, is_put: bool, local: &[libc::iovec], remote: &[libc::iovec]) -> Called {
    let (locals, remotes) = (local.len() as libc::c_ulong, remote.len() as libc::c_ulong);
    let call = if is_put { libc::process_vm_writev } else { libc::process_vm_readv };
    // SAFETY: passed on to the caller; the kernel checks all addresses of both processes.
    let copied = unsafe { call(pid, local.as_ptr(), locals, remote.as_ptr(), remotes, 0) };
    if let Ok(copied) = usize::try_from(copied) {
        return Called::Copied(copied);
    }
    match std::io::Error::last_os_error().raw_os_error().unwrap_or(0) {
        libc::EFAULT => Called::BadAddress,
        libc::ESRCH => Called::NoProcess,
        number => Called::Refused(number),
    }
}

/// Checks that the memory of a process can be read, and that its probe word has the expected value. The error
/// has the reason if not.
pub(super) fn probe(pid: i32, (address, expected): (u64, u64)) -> Result<(), String> {
    let mut word = 0_u64;
    let here = libc::iovec { iov_base: (&raw mut word).cast(), iov_len: 8 };
    // SAFETY: the word is this frame's.
    match unsafe { copy(pid, false, &[here], &[there(address, 8)]) } {
        Called::Copied(8) if word == expected => Ok(()),
        Called::Copied(_) | Called::BadAddress => {
            Err(format!("process {pid} of this host is another one than is meant"))
        }
        Called::NoProcess => Err(format!("there is no process {pid} here")),
        Called::Refused(libc::ENOSYS) => {
            Err("the kernel has no process_vm_readv (CONFIG_CROSS_MEMORY_ATTACH)".to_owned())
        }
        Called::Refused(libc::EPERM) => Err(format!(
            "the kernel does not let this process read memory of process {pid} (EPERM): another user, a filter of \
             system calls, or kernel.yama.ptrace_scope, which is {}",
            yama()
        )),
        Called::Refused(number) => {
            Err(format!("process_vm_readv of process {pid}: {}", std::io::Error::from_raw_os_error(number)))
        }
    }
}

fn yama() -> String {
    let scope = descriptor::read_text("/proc/sys/kernel/yama/ptrace_scope");
    scope.map_or_else(|_| "not there".to_owned(), |text| text.trim().to_owned())
}

/// A piece of another process.
pub(super) fn there(address: u64, bytes: usize) -> libc::iovec {
    let address = usize::try_from(address).unwrap_or(0);
    libc::iovec { iov_base: std::ptr::without_provenance_mut(address), iov_len: bytes }
}

/// Waits until a process has ended, with all its threads, at most so long; whether it has.
pub(super) fn has_ended(process: &OwnedFd, wait: Duration) -> bool {
    let mut poll = [PollFd::new(process, PollFlags::IN)];
    let wait = Timespec::try_from(wait).ok();
    matches!(rustix::event::poll(&mut poll, wait.as_ref()), Ok(1))
}

/// Returns the name of the PID namespace; `None` if `/proc` does not report it.
pub(super) fn process_namespace() -> Option<String> {
    Some(std::fs::read_link("/proc/self/ns/pid").ok()?.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_memory_is_reported() {
        let own = i32::try_from(std::process::id()).unwrap();
        let word = 4711_u64;
        let at = (&raw const word).addr() as u64;
        if let Err(reason) = probe(own, (at, 4711)) {
            eprintln!("skip: {reason}");
            return;
        }
        assert!(probe(own, (at, 4712)).unwrap_err().contains("another one"));
        assert!(probe(own, (8, 4711)).is_err());
        assert!(probe(i32::MAX, (at, 4711)).unwrap_err().contains("no process"));
        let mut buffer = [0_u8; 16];
        let here = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: 8 };
        let second = libc::iovec { iov_base: buffer.as_mut_ptr().wrapping_add(8).cast(), iov_len: 8 };
        // SAFETY: the buffer is above.
        let copied = unsafe { copy(own, false, &[here, second], &[there(at, 8), there(8, 8)]) };
        assert_eq!(copied, Called::Copied(8), "what comes before the bad piece is copied");
    }

    #[test]
    fn process_exit_is_detected() {
        let mut child =
            std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let pid = rustix::process::Pid::from_child(&child);
        let process = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok();
        let lives = process.as_ref().is_none_or(|process| !has_ended(process, Duration::ZERO));
        drop(child.stdin.take());
        let ended = process.as_ref().is_none_or(|process| has_ended(process, Duration::from_secs(60)));
        child.wait().unwrap();
        assert!(lives && ended);
    }
}
