// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streaming copies: past the caches, for copies larger than the caches.
//!
//! An ordinary store first reads the line it overwrites and later evicts another one: three transfers for
//! two. A non-temporal store writes the line alone. On processors of Intel one page after the other does not
//! fill the memory's banks, so [`PAGES`] pages are walked side by side, with the loads prefetched a few lines
//! ahead: on one core of a server CPU that is 1.6 to 2 times the C library's memcpy between the second-level
//! cache's size and the point where that library streams too (a fraction of the last-level cache), and a
//! tenth better beyond. On processors of AMD with Zen 5 that order is 0.9 of memcpy from 32 MiB on, and one
//! page after the other 1.2 to 1.3; below, none is as fast as the caches. `method.rs` measures and selects.
//!
//! Architectures without a kernel copy by memmove: there `AVAILABLE` is false, and the callers do not come
//! here.
//!
//! Rejected after measurement: non-temporal prefetch hints, movdir64b, rep movsb (its speed varies by machine
//! from half to one and a half), touching a block first and streaming it afterwards, streams further apart
//! than a page.

#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "x86_64")]
use x86_64 as arch;

/// True if this architecture has a streaming kernel.
pub(super) const AVAILABLE: bool = cfg!(target_arch = "x86_64");

/// The width of the stores; destinations are aligned to it.
const LINE: usize = 64;

/// Pages walked side by side where one after the other is not enough; 4 to 16 measured alike.
pub(super) const PAGES: usize = 8;

/// Copies ranges that do not overlap, `pages` pages side by side (at least 1); visible to others only after
/// [`fence`].
///
/// # Safety
/// `src` is readable and `dst` writable for `bytes` bytes and the ranges do not overlap.
pub(super) unsafe fn copy_unfenced(src: *const u8, dst: *mut u8, bytes: usize, pages: usize) {
    let head = dst.align_offset(LINE).min(bytes);
    let lines = (bytes - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: `head <= bytes`, for which the caller vouches.
    unsafe { plain(src, dst, head) };
    // SAFETY: `head + lines * LINE <= bytes`, no overlap, and `head` was chosen so that the destination is
    // aligned.
    unsafe { arch::copy_lines(src.wrapping_add(head), dst.wrapping_add(head), lines, pages) };
    // SAFETY: `tail <= bytes`, and the rest ends where the caller's range ends.
    unsafe { plain(src.wrapping_add(tail), dst.wrapping_add(tail), bytes - tail) };
}

/// Makes earlier streaming stores of this thread visible before its later stores.
pub(super) fn fence() {
    arch::fence();
}

/// Prefetches the line of an address, mapped or not, into the first cache; a hint.
#[inline(always)]
pub fn prefetch(address: *const u8) {
    arch::prefetch(address);
}

/// # Safety
/// As [`copy_unfenced`].
unsafe fn plain(src: *const u8, dst: *mut u8, bytes: usize) {
    // SAFETY: the caller vouches for both ranges.
    unsafe { libc::memcpy(dst.cast(), src.cast(), bytes) };
}

#[cfg(not(target_arch = "x86_64"))]
mod arch {
    /// # Safety
    /// As [`super::copy_unfenced`].
    pub(super) unsafe fn copy_lines(src: *const u8, dst: *mut u8, lines: usize, _pages: usize) {
        // SAFETY: the caller vouches for both ranges.
        unsafe { super::plain(src, dst, lines * super::LINE) };
    }

    pub(super) fn fence() {
        std::sync::atomic::fence(std::sync::atomic::Ordering::Release);
    }

    pub(super) fn prefetch(_: *const u8) {}
}
