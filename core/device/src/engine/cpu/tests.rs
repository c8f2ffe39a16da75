// SPDX-License-Identifier: Apache-2.0 OR MIT
use super::*;
use proptest::prelude::*;

/// Thresholds so low that small buffers take every path.
const LOW: Config = Config { stream_from: Some(300), assist: Switch::Off };

/// Bytes of which no two neighbouring lines or pages are alike; another seed gives others.
pub(in crate::engine) fn pattern(bytes: usize, seed: usize) -> Vec<u8> {
    (seed..seed + bytes).map(|i| (i * 131 + i / 251).to_le_bytes()[0]).collect()
}

/// Copies inside one buffer by `routine` and by the model, and compares every byte of it.
fn check(routine: unsafe fn(*const u8, *mut u8, usize), buffer: usize, from: usize, to: usize, bytes: usize) {
    let mut actual = pattern(buffer, 0);
    let mut expected = actual.clone();
    expected.copy_within(from..from + bytes, to);
    assert!(from + bytes <= buffer && to + bytes <= buffer);
    let base = actual.as_mut_ptr();
    // SAFETY: both ranges were just checked to lie in the buffer.
    unsafe { routine(base.wrapping_add(from), base.wrapping_add(to), bytes) };
    assert!(actual == expected, "from {from} to {to} bytes {bytes}");
}

/// # Safety
/// As [`copy`].
unsafe fn low_large(src: *const u8, dst: *mut u8, bytes: usize) {
    // SAFETY: the caller vouches for both ranges.
    unsafe { large(src, dst, bytes, &LOW) }
}

/// # Safety
/// As [`copy`].
unsafe fn low_batch(src: *const u8, dst: *mut u8, bytes: usize) {
    let half = bytes / 2;
    let first = Piece { src, dst, bytes: half as u64 };
    let second =
        Piece { src: src.wrapping_add(half), dst: dst.wrapping_add(half), bytes: (bytes - half) as u64 };
    // SAFETY: the halves tile the ranges that the caller vouches for.
    unsafe { batch(&[first, second], &LOW) }
}

#[test]
fn every_small_size_and_alignment_is_exact() {
    for bytes in 0..300 {
        for (from, to) in [(0, 512), (1, 512), (7, 515), (3, 577), (512, 0), (64, 513)] {
            check(copy, 1024, from, to, bytes);
            check(low_large, 1024, from, to, bytes);
        }
    }
}

#[test]
fn overlapping_ranges_behave_like_memmove() {
    for bytes in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 299, 300, 301, 4096, 70_000] {
        for distance in [0, 1, 3, 8, 15, 16, 63, 64, 299, 4096] {
            check(copy, 80_000, 0, distance, bytes);
            check(copy, 80_000, distance, 0, bytes);
            check(low_large, 80_000, 0, distance, bytes);
            check(low_large, 80_000, distance, 0, bytes);
        }
    }
}

#[test]
fn sizes_around_the_thresholds_are_exact() {
    for threshold in [SURELY_CACHED, 4 << 20] {
        for bytes in [threshold - 1, threshold, threshold + 1, threshold + 4097] {
            check(copy, 2 * bytes + 100, 3, bytes + 50, bytes);
        }
    }
}

#[test]
fn pieces_are_copied_in_order() {
    // The second piece reads the output of the first one, the third one the output of the second.
    for bytes in [8, 100, 5000, 20_000] {
        let mut memory = pattern(4 * bytes, 0);
        let expected = memory[..bytes].to_vec();
        let base = memory.as_mut_ptr();
        let pieces: Vec<Piece> = (0..3)
            .map(|i| Piece {
                src: base.wrapping_add(i * bytes),
                dst: base.wrapping_add((i + 1) * bytes),
                bytes: bytes as u64,
            })
            .collect();
        // SAFETY: every piece lies in the buffer.
        unsafe { batch(&pieces, &LOW) };
        assert!(memory[3 * bytes..] == expected, "bytes {bytes}");
    }
}

#[test]
fn aligned_words_are_never_torn() {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    let word = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let values = [0u64, u64::MAX];
            for i in 0..200_000 {
                // SAFETY: both are 8 bytes that live through the scope.
                unsafe { copy(values.as_ptr().wrapping_add(i % 2).cast(), word.as_ptr().cast(), 8) };
            }
            stop.store(true, Ordering::Relaxed);
        });
        while !stop.load(Ordering::Relaxed) {
            let seen = word.load(Ordering::Relaxed);
            assert!(seen == 0 || seen == u64::MAX, "{seen:#x}");
        }
    });
}

proptest! {
    #[test]
    fn any_copy_matches_the_model(bytes in 0usize..60_000, from in 0usize..5000, to in 0usize..70_000) {
        check(copy, 140_000, from, to, bytes);
        check(low_large, 140_000, from, to, bytes);
    }

    #[test]
    fn any_batch_matches_the_model(bytes in 0usize..60_000, from in 0usize..200, to in 60_200usize..62_000) {
        check(low_batch, 140_000, from, to, bytes);
    }

    #[test]
    fn large_copies_match_the_model(bytes in (4usize << 20) - 5000..(4 << 20) + 70_000, from in 0usize..130, to in 0usize..130) {
        let far = (4 << 20) + 71_000;
        check(copy, 2 * far + 200, from, far + to, bytes);
    }
}
