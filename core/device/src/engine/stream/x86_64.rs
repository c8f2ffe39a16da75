// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The streaming kernels: one text, three vector widths.

use std::arch::x86_64::{
    _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_sfence, _mm_stream_si128, _mm256_loadu_si256,
    _mm256_stream_si256, _mm512_loadu_si512, _mm512_stream_si512,
};

use super::LINE;

const PAGE: usize = 4096;
/// Bytes copied in a page before it is the next page's turn.
const STEP: usize = 2 * LINE;
/// Distance of the prefetch before the loads, in bytes; 0 to 1024 measured within some percent.
const AHEAD: usize = 512;

macro_rules! kernel {
    ($name:ident, $feature:literal, $load:ident, $stream:ident) => {
        /// # Safety
        /// `src` is readable and `dst` writable for `lines * LINE` bytes, `dst` is aligned to a line, the
        /// ranges do not overlap, and the processor has the feature.
        #[target_feature(enable = $feature)]
        #[allow(
            unused_unsafe,
            reason = "a prefetch is unsafe in the oldest Rust that we support and safe in newer ones"
        )]
        unsafe fn $name(src: *const u8, dst: *mut u8, lines: usize, side_by_side: usize) {
            let bytes = lines * LINE;
            let line = |at: usize| {
                let mut from = src.wrapping_add(at).cast();
                let mut to = dst.wrapping_add(at).cast();
                let mut left = LINE;
                while left != 0 {
                    // SAFETY: every line starts below `bytes` and the vectors tile it; loads need no
                    // alignment.
                    let value = unsafe { $load(from) };
                    // SAFETY: as the load; the destination is aligned to a line and so to each vector in it.
                    unsafe { $stream(to, value) };
                    left -= size_of_val(&value);
                    from = from.wrapping_add(1);
                    to = to.wrapping_add(1);
                }
            };
            let mut group = 0;
            while bytes - group >= PAGE {
                let pages = side_by_side.clamp(1, (bytes - group) / PAGE);
                for offset in (0..PAGE).step_by(STEP) {
                    // Past the end of its page the prefetch goes on in the same page of the next group.
                    let ahead = if offset + AHEAD < PAGE { AHEAD } else { AHEAD + (pages - 1) * PAGE };
                    for page in 0..pages {
                        let at = group + page * PAGE + offset;
                        let next = src.wrapping_add(at + ahead).cast::<i8>();
                        // SAFETY: a prefetch reads nothing that the program sees and never faults.
                        unsafe { _mm_prefetch::<_MM_HINT_T0>(next) };
                        // SAFETY: a prefetch of the next line never faults either, wherever it points.
                        unsafe { _mm_prefetch::<_MM_HINT_T0>(next.wrapping_add(LINE)) };
                        line(at);
                        line(at + LINE);
                    }
                }
                group += pages * PAGE;
            }
            for at in (group..bytes).step_by(LINE) {
                line(at);
            }
        }
    };
}

kernel!(lines_512, "avx512f", _mm512_loadu_si512, _mm512_stream_si512);
kernel!(lines_256, "avx2", _mm256_loadu_si256, _mm256_stream_si256);
kernel!(lines_128, "sse2", _mm_loadu_si128, _mm_stream_si128);

/// # Safety
/// `src` is readable and `dst` writable for `lines * LINE` bytes, `dst` is aligned to a line, and the ranges
/// do not overlap.
pub(super) unsafe fn copy_lines(src: *const u8, dst: *mut u8, lines: usize, pages: usize) {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the caller vouches for the ranges, and the feature was just detected.
        unsafe { lines_512(src, dst, lines, pages) }
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the caller vouches for the ranges, and AVX2 was just detected.
        unsafe { lines_256(src, dst, lines, pages) }
    } else {
        // SAFETY: the caller vouches for the ranges, and every x86-64 processor has SSE2.
        unsafe { lines_128(src, dst, lines, pages) }
    }
}

pub(super) fn fence() {
    // SAFETY: every x86-64 processor has SSE, and a fence touches no memory.
    unsafe { _mm_sfence() };
}

#[inline(always)]
#[allow(
    unused_unsafe,
    reason = "a prefetch is unsafe in the oldest Rust that we support and safe in newer ones"
)]
pub(super) fn prefetch(address: *const u8) {
    // SAFETY: a prefetch reads nothing that the program sees and never faults.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::tests::pattern;
    use crate::engine::stream::PAGES;

    type Kernel = unsafe fn(*const u8, *mut u8, usize, usize);

    fn kernels() -> Vec<(&'static str, Kernel)> {
        let mut all: Vec<(&'static str, Kernel)> = vec![("sse2", lines_128)];
        if is_x86_feature_detected!("avx2") {
            all.push(("avx2", lines_256));
        }
        if is_x86_feature_detected!("avx512f") {
            all.push(("avx512f", lines_512));
        }
        all
    }

    #[repr(align(64))]
    #[derive(Clone)]
    struct Line([u8; LINE]);

    #[test]
    fn every_width_copies_its_lines_and_nothing_else() {
        for (name, kernel) in kernels() {
            for (lines, pages) in [0, 1, 2, 63, 64, 65, 127, 128, 64 * 7 + 1, 64 * 8, 64 * 17 + 13]
                .into_iter()
                .flat_map(|lines| [(lines, 1), (lines, PAGES)])
            {
                for shift in [0, 1, 31, 63] {
                    let source = pattern(lines * LINE + shift, lines);
                    let mut target = vec![Line([0xEE; LINE]); lines + 1];
                    // SAFETY: both vectors hold the lines, the target is aligned by its type, features were
                    // detected.
                    unsafe {
                        kernel(source.as_ptr().wrapping_add(shift), target.as_mut_ptr().cast(), lines, pages);
                    };
                    fence();
                    let flat: Vec<u8> = target.iter().flat_map(|line| line.0).collect();
                    assert!(
                        flat[..lines * LINE] == source[shift..],
                        "{name}: lines {lines}, pages {pages}, shift {shift}"
                    );
                    assert!(
                        flat[lines * LINE..].iter().all(|&b| b == 0xEE),
                        "{name}: wrote beyond line {lines}"
                    );
                }
            }
        }
    }
}
