// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A forked child gets private copies of the static data: the kernel gives it the parent's pages, as they are
//! those of a file.
//!
//! The child copies before `fork` returns there, and the parent waits for that, so that the child gets the
//! contents at the time of the fork. A child made otherwise (`vfork`, `posix_spawn`, `system`) runs no
//! handlers, and needs none before it starts another program.

use std::cell::Cell;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd, RawFd};
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_base::Gva;
use mf_base::os::descriptor::{self, PipeFlags};
use mf_base::os::remap_pages;

use super::elf::Part;
use super::span;

/// Longest wait of a parent, in milliseconds: the child may have been stopped.
const COPYING_MS: libc::c_int = 30_000;

/// The parts mapped from a file now; null if none. Never freed: handlers take no lock.
static SHARED: AtomicPtr<SharedPages> = AtomicPtr::new(std::ptr::null_mut());

struct SharedPages {
    parts: Vec<Part>,
    start: u64,
    file: RawFd,
}

thread_local! {
    /// Pipe by which the child reports that it has copied.
    static PIPE: Cell<[RawFd; 2]> = const { Cell::new([-1; 2]) };
}

/// From now on, children get copies of these parts of the file.
pub(super) fn watch(parts: &[Part], file: BorrowedFd<'_>) {
    static HANDLERS: Once = Once::new();
    let shared = SharedPages { parts: parts.to_vec(), start: span(parts).start, file: file.as_raw_fd() };
    SHARED.store(Box::into_raw(Box::new(shared)), Ordering::Release);
    HANDLERS.call_once(|| {
        // SAFETY: the handlers call the kernel only, and this library is never unloaded.
        if unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork_in_parent), Some(in_child)) } != 0
        {
            tracing::warn!("children of this process will share its static data: no memory for a handler");
        }
    });
}

/// Makes pages of a child private if no handler has done it.
pub(super) fn leave_parent() {
    // SAFETY: null, or what `watch` has made, which never ends.
    let Some(shared) = (unsafe { SHARED.swap(std::ptr::null_mut(), Ordering::AcqRel).as_ref() }) else {
        return;
    };
    for Part { range, is_executable, .. } in &shared.parts {
        let offset = range.start - shared.start;
        // SAFETY: whole pages of the file since `remap`; a child has one thread.
        let is_private =
            unsafe { remap_pages::make_private(range.clone(), shared.file, offset, *is_executable) };
        if !is_private && !view(range.start, range.end - range.start, shared.file, offset) {
            // Going on would mean writing into the variables of the parent. SAFETY: ends the child.
            unsafe { libc::_exit(127) };
        }
    }
}

/// Fallback without memory for copies: pages of the file that become private when they are written.
fn view(start: u64, bytes: u64, file: RawFd, offset: u64) -> bool {
    let (Ok(length), Ok(offset)) = (usize::try_from(bytes), i64::try_from(offset)) else { return false };
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_FIXED | libc::MAP_NORESERVE;
    // SAFETY: pages of that file, replaced by the same ones.
    let mapped = unsafe { libc::mmap(Gva(start).as_ptr().cast(), length, access, flags, file, offset) };
    mapped != libc::MAP_FAILED
}

extern "C" fn before_fork() {
    let mut pipe = [-1; 2];
    // When it fails, the parent does not wait.
    if !SHARED.load(Ordering::Acquire).is_null()
        && let Ok((reader, writer)) = descriptor::pipe(PipeFlags::CLOEXEC)
    {
        pipe = [reader.into_raw_fd(), writer.into_raw_fd()];
    }
    PIPE.set(pipe);
}

extern "C" fn after_fork_in_parent() {
    let [reader, writer] = PIPE.replace([-1; 2]);
    if reader < 0 {
        return;
    }
    close(writer);
    let mut waiting = libc::pollfd { fd: reader, events: libc::POLLIN, revents: 0 };
    // Waits for the end of the child, or a byte of it. SAFETY: one valid record.
    while unsafe { libc::poll(&raw mut waiting, 1, COPYING_MS) } < 0
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
    close(reader);
}

extern "C" fn in_child() {
    leave_parent();
    let [reader, writer] = PIPE.replace([-1; 2]);
    if writer >= 0 {
        // SAFETY: one byte of a constant.
        unsafe { libc::write(writer, b"c".as_ptr().cast(), 1) };
        close(writer);
        close(reader);
    }
}

fn close(descriptor: RawFd) {
    // SAFETY: a descriptor opened by `before_fork`, unknown to all other code.
    unsafe { libc::close(descriptor) };
}
