// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Liveness of processes: each process holds a record lock on one byte of the shared file, and the kernel
//! releases it when the process ends.
//!
//! The leases are POSIX record locks, not open-file-description locks: a forked child does not inherit them,
//! so the death of a parent is seen even if a child lives on with copies of all its descriptors. The drawback
//! is that closing *any* descriptor of the file releases them. Hence the rules for users of this module: a
//! process receives the file once, before it locks its byte, keeps that descriptor for its life, and never
//! creates, receives or closes another. Descriptors in flight through a socket belong to no process and do
//! not count. The byte is locked again whenever the books are opened, which costs one call and restores a
//! lease lost by a careless program (one that closes foreign descriptors).
//!
//! The bytes lie beyond the end of the file, which is sealed, so no ordinary write lock can be meant by them.

use std::os::fd::{AsRawFd, BorrowedFd};

/// Byte of the first slot.
const FIRST: i64 = 1 << 40;

/// Takes the byte of `slot`. False when another process has it.
pub(super) fn take(file: BorrowedFd<'_>, slot: usize) -> bool {
    let mut lock = request(slot);
    // SAFETY: the structure is complete and lives through the call.
    unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLK, &raw mut lock) == 0 }
}

/// The process that holds the byte of `slot`, as this process's namespace numbers it (0 or less: it does
/// not). None when no other does.
pub(super) fn holder(file: BorrowedFd<'_>, slot: usize) -> Option<i32> {
    let mut lock = request(slot);
    // SAFETY: the structure is complete and lives through the call, which writes to it.
    let asked = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &raw mut lock) };
    // A process that cannot be queried is assumed to be alive.
    if asked != 0 {
        return Some(0);
    }
    (i32::from(lock.l_type) != libc::F_UNLCK).then_some(lock.l_pid)
}

fn request(slot: usize) -> libc::flock {
    let byte = FIRST + i64::try_from(slot).unwrap_or(0);
    #[expect(clippy::cast_possible_truncation, reason = "the constants are 0 to 2")]
    let (kind, whence) = (libc::F_WRLCK as i16, libc::SEEK_SET as i16);
    libc::flock { l_type: kind, l_whence: whence, l_start: byte, l_len: 1, l_pid: 0 }
}
