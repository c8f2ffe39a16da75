// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device memory, which is words, as elements of the types of kernels.

/// Packs the bits of elements, the first lowest.
pub(crate) fn packed(bits: u32, elements: impl Iterator<Item = u64>) -> Vec<u64> {
    let elements: Vec<u64> = elements.collect();
    let per_word = (64 / bits) as usize;
    let word = |part: &[u64]| part.iter().rev().fold(0, |word, element| word << bits | element);
    elements.chunks(per_word).map(word).collect()
}

/// The bits of elements.
pub(crate) fn unpacked(bits: u32, words: &[u64]) -> Vec<u64> {
    let lanes = |word: &u64| (0..64 / bits).map(move |lane| word_lane(*word, bits, lane)).collect::<Vec<_>>();
    words.iter().flat_map(lanes).collect()
}

fn word_lane(word: u64, bits: u32, lane: u32) -> u64 {
    word >> (bits * lane) & ((1 << bits) - 1)
}

/// Words of floats.
pub(crate) fn from_floats(values: &[f32]) -> Vec<u64> {
    packed(32, values.iter().map(|value| u64::from(value.to_bits())))
}

/// Floats of words.
pub(crate) fn floats(words: &[u64]) -> Vec<f32> {
    unpacked(32, words).into_iter().map(|bits| f32::from_bits(bits as u32)).collect()
}

/// The finite value of a half.
pub(crate) fn half(bits: u64) -> f32 {
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f32);
    let magnitude = if exponent == 0 {
        fraction * 2f32.powi(-24)
    } else {
        (1024.0 + fraction) * 2f32.powi(exponent - 25)
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The half of a whole number up to 2048.
pub(crate) fn half_bits(value: i32) -> u64 {
    let magnitude = value.unsigned_abs();
    assert!(magnitude <= 2048);
    if magnitude == 0 {
        return 0;
    }
    let exponent = magnitude.ilog2();
    let fraction = (u64::from(magnitude) << 10 >> exponent) & 1023;
    u64::from(value < 0) << 15 | u64::from(exponent + 15) << 10 | fraction
}
