// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The copy itself: selects the method by size.
//!
//! Rejected after measurement: vector moves of our own up to 128 bytes (memmove's are as fast, and the tests
//! before them slow all others down), and prefetching the heads of a batch's next pieces (no gain, and a loss
//! for small ones).

use mf_base::settings::Switch;

use super::config::{Config, SURELY_CACHED, config};
use super::method::{self, Method, Shape, Turn};
use super::{assist, moves, stream};

/// Copies of at least so many bytes may take a second thread.
const ASSIST_FROM: usize = 16 << 20;

/// Bytes copied by one method while copies of at least [`ASSIST_FROM`] are measured.
const TRIAL_BYTES: usize = 4 << 20;

/// In a batch that is streamed, pieces of at least so many bytes are; shorter ones do not fill the memory's
/// pipeline.
const STREAM_PIECE_FROM: usize = 4 << 10;

/// Copies of at most so many bytes are moved in registers.
pub const SHORT_BYTES: u64 = 16;

/// Longest piece that is given to the C library at once: from about the size of a level-2 cache on, glibc
/// changes to a method that is slower while both sides are still in the caches.
const PIECE_BYTES: usize = 256 << 10;

/// One copy of a batch.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Piece {
    /// Source address.
    pub src: *const u8,
    /// Destination address.
    pub dst: *mut u8,
    /// Length in bytes.
    pub bytes: u64,
}

// SAFETY: a piece is only the description of a copy; the code that executes it guarantees that the memory is
// valid.
unsafe impl Send for Piece {}
// SAFETY: as for `Send`; nothing is changed through a shared piece.
unsafe impl Sync for Piece {}

impl AsRef<Self> for Piece {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Piece {
    /// Both addresses, so many bytes behind the beginning.
    pub(super) fn offset_by(&self, at: usize) -> (*const u8, *mut u8) {
        (self.src.wrapping_add(at), self.dst.wrapping_add(at))
    }
}

/// Copies `bytes` bytes from `src` to `dst`, both mapped in this process; overlapping ranges behave like
/// memmove.
///
/// **Local.** Thread-safe. Returns when the bytes are in place and visible to every process that maps them.
/// Blocks only for the time of the copy. An aligned copy of 2, 4 or 8 bytes is never seen half done. Never
/// allocates, except once for the helper thread of copies of 16 MiB and more.
///
/// # Safety
/// `src` must be readable and `dst` writable for `bytes` bytes until the call returns. Other processes may
/// write either range meanwhile; then the result is some mixture of old and new bytes.
#[inline(always)]
pub unsafe fn copy(src: *const u8, dst: *mut u8, bytes: usize) {
    if bytes <= length(SHORT_BYTES) {
        // SAFETY: the caller vouches for both ranges, and the length is in the callee's range.
        unsafe { copy_short(src, dst, bytes as u64) };
    } else {
        // SAFETY: the caller vouches for both ranges of `bytes` bytes.
        unsafe { copy_longer(src, dst, bytes) };
    }
}

/// As [`copy`], of at most [`SHORT_BYTES`].
///
/// # Safety
/// As [`copy`].
#[inline(always)]
pub unsafe fn copy_short(src: *const u8, dst: *mut u8, bytes: u64) {
    // SAFETY: the caller vouches for both ranges, and for the length.
    unsafe { moves::copy_up_to_16(src, dst, length(bytes)) };
    publish();
}

/// Apart, so that callers hold the few instructions of a short copy only.
///
/// # Safety
/// As [`copy`].
#[inline(never)]
unsafe fn copy_longer(src: *const u8, dst: *mut u8, bytes: usize) {
    if bytes <= SURELY_CACHED {
        // SAFETY: the caller vouches for both ranges.
        unsafe { cached(src, dst, bytes) };
    } else {
        // SAFETY: the caller vouches for both ranges.
        unsafe { large(src, dst, bytes, config()) };
    }
    publish();
}

/// Copies every piece, in order.
///
/// **Local.** As [`copy`] for each piece, but visibility is promised only at the return. Pieces may depend on
/// earlier ones: the order is kept.
///
/// # Safety
/// As [`copy`], for every piece.
pub unsafe fn copy_batch<P: AsRef<Piece>>(pieces: &[P]) {
    // SAFETY: the caller vouches for every piece.
    unsafe { batch(pieces, config()) };
    publish();
}

/// Number of bytes as the machine counts them.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the line above refuses machines where it could truncate")]
fn length(bytes: u64) -> usize {
    const { assert!(size_of::<usize>() >= size_of::<u64>(), "address spaces of 64 bits only") };
    bytes as usize
}

/// Orders a finished copy before the notification of others, where the architecture does not do so by
/// itself.
#[inline(always)]
fn publish() {
    #[cfg(not(target_arch = "x86_64"))]
    std::sync::atomic::fence(std::sync::atomic::Ordering::Release);
}

/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn cached(src: *const u8, dst: *mut u8, bytes: usize) {
    // memmove and memcpy are one function in the C libraries that matter, so overlaps cost nothing here.
    // SAFETY: the caller vouches for both ranges; memmove allows overlap.
    unsafe { libc::memmove(dst.cast(), src.cast(), bytes) };
}

fn overlap(src: *const u8, dst: *mut u8, bytes: usize) -> bool {
    src.addr().abs_diff(dst.addr()) < bytes
}

/// # Safety
/// As [`copy`].
#[inline(never)]
unsafe fn large(src: *const u8, dst: *mut u8, bytes: usize, config: &Config) {
    if overlap(src, dst, bytes) {
        // SAFETY: the caller vouches for both ranges.
        return unsafe { cached(src, dst, bytes) };
    }
    let mut done = 0;
    // While this size is measured: parts of it, each one trial, and the rest as was chosen.
    while done < bytes && method::measures(Shape::One, bytes, config) {
        let part = if bytes >= ASSIST_FROM { TRIAL_BYTES.min(bytes - done) } else { bytes };
        let turn = Turn::begin(Shape::One, bytes, config);
        // SAFETY: a part of both ranges, for which the caller vouches and which do not overlap.
        unsafe { bulk(src.wrapping_add(done), dst.wrapping_add(done), part, turn.method) };
        turn.end(part);
        done += part;
    }
    if done == bytes {
        return;
    }
    let turn = Turn::begin(Shape::One, bytes, config);
    let (src, dst, left) = (src.wrapping_add(done), dst.wrapping_add(done), bytes - done);
    if left >= ASSIST_FROM && config.assist != Switch::Off {
        let always = config.assist == Switch::On;
        // SAFETY: the caller vouches for both ranges, which do not overlap.
        if unsafe { assist::copy(src, dst, left, turn.method, always) } {
            return;
        }
    }
    // SAFETY: the caller vouches for both ranges, which do not overlap.
    unsafe { bulk(src, dst, left, turn.method) };
    turn.end(left);
}

/// Copies ranges that do not overlap in one thread and makes them visible.
///
/// # Safety
/// As [`copy`], and the ranges do not overlap.
pub(super) unsafe fn bulk(src: *const u8, dst: *mut u8, bytes: usize, method: Method) {
    if let Some(pages) = method.pages() {
        // SAFETY: the caller vouches for both ranges, which do not overlap.
        unsafe { stream::copy_unfenced(src, dst, bytes, pages) };
        stream::fence();
        return;
    }
    for start in (0..bytes).step_by(PIECE_BYTES) {
        let piece = PIECE_BYTES.min(bytes - start);
        // SAFETY: a part of both ranges, for which the caller vouches.
        unsafe { cached(src.wrapping_add(start), dst.wrapping_add(start), piece) };
    }
}

/// # Safety
/// As [`copy`], for every piece.
unsafe fn batch<P: AsRef<Piece>>(pieces: &[P], config: &Config) {
    let pieces = pieces.iter().map(AsRef::as_ref);
    let total = pieces.clone().fold(0u64, |sum, piece| sum.saturating_add(piece.bytes));
    let total = length(total);
    // Only one thread is measured, with pieces that each method moves.
    let alike = |piece: &Piece| (STREAM_PIECE_FROM..ASSIST_FROM).contains(&length(piece.bytes));
    let turn = (method::measures(Shape::Batch, total, config) && pieces.clone().all(alike))
        .then(|| Turn::begin(Shape::Batch, total, config));
    let method =
        turn.as_ref().map_or_else(|| method::settled(Shape::Batch, total, config), |turn| turn.method);
    let mut unfenced = false;
    for piece in pieces {
        let (src, dst, bytes) = (piece.src, piece.dst, length(piece.bytes));
        if bytes <= 16 {
            // SAFETY: the caller vouches for the piece, and 16 is in the callee's range.
            unsafe { moves::copy_up_to_16(src, dst, bytes) };
        } else if bytes >= config.stream_from.unwrap_or(ASSIST_FROM) {
            if unfenced {
                // A helper thread may read bytes that were just streamed.
                stream::fence();
                unfenced = false;
            }
            // SAFETY: the caller vouches for the piece.
            unsafe { large(src, dst, bytes, config) };
        } else if let Some(pages) = method.pages()
            && bytes >= STREAM_PIECE_FROM
            && !overlap(src, dst, bytes)
        {
            // SAFETY: the caller vouches for the piece, and its ranges do not overlap.
            unsafe { stream::copy_unfenced(src, dst, bytes, pages) };
            unfenced = true;
        } else if bytes <= PIECE_BYTES || overlap(src, dst, bytes) {
            // SAFETY: the caller vouches for the piece.
            unsafe { cached(src, dst, bytes) };
        } else {
            // SAFETY: the caller vouches for the piece, and its ranges do not overlap.
            unsafe { bulk(src, dst, bytes, Method::Cached) };
        }
    }
    if unfenced {
        stream::fence();
    }
    if let Some(turn) = turn {
        turn.end(total);
    }
}

#[cfg(test)]
pub(super) mod tests;
